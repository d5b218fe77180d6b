import { describeStore } from '@catalog/stack/conformance/store.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { openStore } from './db.ts'

const missing = unavailable('postgres')

describe.skipIf(missing !== null)(missing ?? 'on a real server', () => {
  let url: string
  beforeAll(async () => {
    url = await emptyDatabase()
  })

  const openIn = (schema: string) => openStore({ kind: 'postgres', connection: { url }, schema })

  describeStore('postgres', async () => {
    const store = await openIn('catalog')
    await migrate(store)
    return {
      store,
      async connect() {
        const client = new pg.Client({ connectionString: url, options: '-c search_path=catalog_live,catalog' })
        await client.connect()
        return client
      },
      async fresh() {
        const schema = 'fresh'
        const stores = [await openIn(schema), await openIn(schema)] as const
        return {
          schema,
          stores,
          async [Symbol.asyncDispose]() {
            for (const opened of stores) await opened[Symbol.asyncDispose]()
          },
        }
      },
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  })

  test('long texts are compressed by LZ4 where the server has it', async () => {
    await using store = await openIn('catalog')
    const [{ has } = { has: false }] = await store.query<{ has: boolean }>(
      `select 'lz4' = any(enumvals) as has from pg_settings where name = 'default_toast_compression'`,
    )
    const [said] = await store.query(`select current_setting('default_toast_compression') as used`)
    expect(said).toEqual({ used: has ? 'lz4' : 'pglz' })
  })

  test('a connection prepares statements with parameters, at most 200 of them', async () => {
    await using store = await openStore({ kind: 'postgres', connection: { url }, connectionsMax: 1 })
    for (let n = 0; n < 250; n++) {
      // Twice each: the second run uses the prepared plan.
      for (const given of [n, -n]) {
        expect(await store.query(`select $1::int + ${n} as sum`, [given])).toEqual([{ sum: given + n }])
      }
    }
    expect(await store.query('select count(*)::int as kept from pg_prepared_statements')).toEqual([{ kept: 200 }])
  })
})
