import { type PostgresServer, postgresAvailable, startPostgres } from '@catalog/stack/postgres.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { describeStore } from './conformance.ts'
import { openStore } from './db.ts'
import { migrate } from './migrate.ts'

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
        const client = new pg.Client({ connectionString: server.url, options: '-c search_path=catalog' })
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
})
