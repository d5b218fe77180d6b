import { observe, publish, testId } from '@catalog/api/testing.ts'
import { askViews, grantViews, makeViews, VIEWS, viewSchemaOf } from '@catalog/store/analyst.ts'
import type { Store } from '@catalog/store/db.ts'
import { openTestStore } from '@catalog/store/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStore, unavailable } from './servers.ts'

for (const [name, open, missing] of [
  ['PGlite', openTestStore, null],
  ['PostgreSQL', openPostgresStore, unavailable('postgres')],
] as const) {
  describe.skipIf(missing !== null)(`views on ${name}`, () => {
    let store: Store
    let schema: string
    const ask = async (sql: string, rowsMax = 100) => {
      const rows: Record<string, unknown>[] = []
      await askViews(store, { sql, timeoutMs: 10_000, rowsMax, schema }, (page) => void rows.push(...page))
      return rows
    }
    beforeAll(async () => {
      store = await open()
      const [place] = await store.query<{ schema: string }>(`select current_schema() as schema`)
      schema = place?.schema as string
      await publish(store, { id: testId('ci_', 'cement'), name: 'Cement' })
      await observe(store, {
        vendor_sku_id: testId('vsku_', 'cement'),
        observed_at: '2026-11-01T00:00:00Z',
        cents: 520,
      })
      await makeViews(store, schema)
    })
    afterAll(() => store[Symbol.asyncDispose]())

    test('each has the columns that it tells of, in their order, and answers', async () => {
      for (const { name, columns } of VIEWS) {
        const found = await store.query<{ column_name: string }>(
          `select column_name from information_schema.columns where table_schema = $1 and table_name = $2 order by ordinal_position`,
          [viewSchemaOf(schema), name],
        )
        expect([name, found.map(({ column_name }) => column_name)]).toEqual([name, columns.map(([column]) => column)])
        expect((await ask(`select count(*) as n from ${name}`))[0]).toHaveProperty('n')
      }
    })

    test('are made anew by another version of the code while somebody reads, and by two at once', async () => {
      await Promise.all([makeViews(store, schema), makeViews(store, schema), ask('select * from items')])
      expect(await ask('select name from items')).toEqual([{ name: 'Cement' }])
    })

    test('write nothing, whatever is asked', async () => {
      for (const sql of [
        `select 1; delete from items`,
        `with gone as (delete from ${schema}.items returning item_id) select * from gone`,
        `select pg_catalog.set_config('transaction_read_only', 'off', false); delete from ${schema}.items`,
      ]) {
        await expect(ask(sql)).rejects.toThrow()
      }
      expect(await ask('select count(*)::int as n from items')).toEqual([{ n: 1 }])
    })

    test('give no more rows than are asked for, in pages', async () => {
      const sizes: number[] = []
      const sql = 'select generate_series(1, 5000) as n'
      const rows = await askViews(
        store,
        { sql, timeoutMs: 10_000, rowsMax: 2_500, schema },
        (page) => void sizes.push(page.length),
      )
      expect([rows, sizes]).toEqual([2_500, [1_000, 1_000, 500]])
    })
  })
}

describe.skipIf(unavailable('postgres') !== null)('analysts on a server', () => {
  test('a query that takes too long is ended, where a server runs it', async () => {
    await using store = await openPostgresStore()
    const [{ schema } = { schema: '' }] = await store.query<{ schema: string }>(`select current_schema() as schema`)
    await makeViews(store, schema)
    const asked = { sql: 'select count(*) from generate_series(1, 1000000000)', timeoutMs: 200, rowsMax: 1, schema }
    await expect(askViews(store, asked, () => {})).rejects.toThrow(/timeout/)
  })

  test('read by their role the views and not a table, a key or a person', async () => {
    await using store = await openPostgresStore()
    const [{ schema } = { schema: '' }] = await store.query<{ schema: string }>(`select current_schema() as schema`)
    await observe(store, { vendor_sku_id: testId('vsku_', 'cement'), observed_at: '2026-11-01T00:00:00Z', cents: 520 })
    await makeViews(store, schema)
    const role = `${schema}_role`
    await grantViews(store, role, schema)
    await grantViews(store, role, schema)
    const as = (sql: string) =>
      store.transaction(async (tx) => {
        await tx.query(`set local role ${role}`)
        return await tx.query(sql)
      })
    expect(await as(`select cents::int as cents, hidden from ${viewSchemaOf(schema)}.observations`)).toEqual([
      { cents: 520, hidden: false },
    ])
    for (const table of ['api_keys', 'users', 'observations', 'meta', 'log_records']) {
      await expect(as(`select * from ${schema}.${table}`)).rejects.toMatchObject({ code: '42501' })
    }
    await expect(grantViews(store, 'a"b', schema)).rejects.toThrow('expected [a-z_]')
  })
})
