import { describeStore } from '@catalog/stack/conformance/store.ts'
import { type PostgresServer, postgresAvailable, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from './db.ts'

const unavailable = postgresAvailable()

describe.skipIf(unavailable !== null)(unavailable ?? 'on a real server', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const openIn = (schema: string) => openStore({ kind: 'postgres', connection: { url: server.url }, schema })

  describeStore('postgres', async () => {
    const store = await openIn('catalog')
    await migrate(store)
    return {
      store,
      async connect() {
        const client = new pg.Client({ connectionString: server.url, options: '-c search_path=catalog_live,catalog' })
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

  test('a connection prepares statements with parameters, at most 200 of them', async () => {
    await using store = await openStore({ kind: 'postgres', connection: { url: server.url }, connectionsMax: 1 })
    for (let n = 0; n < 250; n++) {
      // Twice each: the second run uses the prepared plan.
      for (const given of [n, -n]) {
        expect(await store.query(`select $1::int + ${n} as sum`, [given])).toEqual([{ sum: given + n }])
      }
    }
    expect(await store.query('select count(*)::int as kept from pg_prepared_statements')).toEqual([{ kept: 200 }])
  })
})
