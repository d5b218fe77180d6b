import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { addressOf, startCatalog } from '@catalog/stack/servers/command.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { tell } from '@catalog/stack/testing/cli.ts'
import { event, published } from '@catalog/stack/testing/events.ts'
import pg from 'pg'
import { expect, test } from 'vitest'

const missing = unavailable('postgres')

test.skipIf(missing !== null)(
  `${missing ?? ''}a database that takes no writes is served and says so, as a failover leaves it`,
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-read-only-'))
    const url = await emptyDatabase()
    const env = { DATABASE_URL: url, LOG_LEVEL: 'warn' }
    {
      await using catalog = await openCatalog(readEnvironment({ ...env, CATALOG_DATA: folder.path }))
      const run = event({ type: 'RunMarked', run_id: 'run_1', as_of: '2026-01-05T00:00:00Z', items_published: 1 })
      await tell(catalog, [published({ id: 'ci_a' }), run])
    }
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    await client.end()

    const options = { data: folder.path, env }
    await using serve = startCatalog(['serve', '--json', '--port', '0'], options)
    const address = await addressOf(serve)
    for (const path of [
      '/items',
      '/items/ci_a',
      '/items/ci_a/history',
      '/categories',
      '/feeds/state.json',
      '/status',
      '/search?q=placa',
    ]) {
      expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 200])
    }
    const ready = await fetch(address.replace(/\/v1$/, '/readyz'))
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'degraded', reason: 'the database takes no writes' }),
    ])
    const status = await startCatalog(['status', '--json'], options).finished
    expect([status.code, JSON.parse(status.stdout)]).toEqual([0, expect.objectContaining({ read_only: true })])
    expect(serve.output()).not.toContain('"level":50')
  },
)
