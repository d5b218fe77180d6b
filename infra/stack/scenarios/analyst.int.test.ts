import { openTableLog } from '@catalog/log/table.ts'
import { replay, retireBuilds } from '@catalog/projector/replay/replay.ts'
import { listed, liveThreeWeeks, liveWeek } from '@catalog/stack/path/history.ts'
import { openPath } from '@catalog/stack/path/path.ts'
import { replayDepsOf } from '@catalog/stack/replay/path.ts'
import { unavailable } from '@catalog/stack/servers/servers.ts'
import { observe, publish, testId } from '@catalog/stack/testing/api.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import { openPostgresTestStore } from '@catalog/stack/testing/store.ts'
import { analystViews, createViews, grantViews, viewSchemaOf } from '@catalog/store/builds/analyst.ts'
import { queryViews } from '@catalog/store/builds/analyst-query.ts'
import { type Store, servedSchemaOf } from '@catalog/store/db.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`views on ${name}`, () => {
    let store: Store
    let schema: string
    const ask = async (sql: string, rowsMax = 100) => {
      const rows: Record<string, unknown>[] = []
      await queryViews(store, { sql, timeoutMs: 10_000, rowsMax }, (page) => void rows.push(...page))
      return rows
    }
    beforeAll(async () => {
      store = await open()
      schema = store.schema
      await publish(store, { id: testId('ci_', 'cement'), name: 'Cement' })
      await observe(store, {
        vendor_sku_id: testId('vsku_', 'cement'),
        observed_at: '2026-11-01T00:00:00Z',
        cents: 520,
      })
      await createViews(store)
    })
    afterAll(() => store[Symbol.asyncDispose]())

    test('each has its documented columns in order, and answers', async () => {
      for (const { name, columns } of analystViews()) {
        const found = await store.query<{ column_name: string }>(
          `select column_name from information_schema.columns where table_schema = $1 and table_name = $2 order by ordinal_position`,
          [viewSchemaOf(schema), name],
        )
        expect([name, found.map(({ column_name }) => column_name)]).toEqual([name, Object.keys(columns)])
        expect((await ask(`select count(*) as n from ${name}`))[0]).toHaveProperty('n')
      }
    })

    test('are made again by another version of the code while somebody reads, and by two at once', async () => {
      await Promise.all([createViews(store), createViews(store), ask('select * from items')])
      expect(await ask('select name from items')).toEqual([{ name: 'Cement' }])
    })

    test('write nothing, whatever the query', async () => {
      for (const sql of [
        `select 1; delete from items`,
        `with gone as (delete from ${schema}.items returning item_id) select * from gone`,
        `select pg_catalog.set_config('transaction_read_only', 'off', false); delete from ${schema}.items`,
      ]) {
        await expect(ask(sql)).rejects.toThrow()
      }
      expect(await ask('select count(*)::int as n from items')).toEqual([{ n: 1 }])
    })

    test.each(['users', 'api_keys', 'sessions', 'mail_outbox', 'oauth_keys', 'feed_keys', 'meta', 'log_records'])(
      'alone answer: no query reads %s, also one that gives up its role',
      async (table) => {
        const read = `select * from ${schema}.${table}`
        await expect(ask(read)).rejects.toMatchObject({ code: '42501' })
        for (const former of ['none', 'postgres', 'default']) {
          const given = `set_config('${former === 'default' ? 'session_authorization' : 'role'}', '${former}', true)`
          await expect(ask(`select ${given}, query_to_xml('${read}', true, true, '')::text`)).rejects.toThrow()
        }
      },
    )

    test('answer each type of column as before, also two of one name, and refuse a query without columns', async () => {
      expect(
        await ask(
          `select 1::int as a, 9007199254740993::bigint as b, 12.50::numeric(10,2) as c, 'x' as d, array['y'] as e, '{"z":1}'::jsonb as f,
             timestamptz '2026-11-01T00:00:00Z' as g, null as h, '\\xff'::bytea as i, 'k'::varchar(3) as a`,
        ),
      ).toEqual([
        {
          a: 'k',
          b: 9007199254740993n,
          c: '12.50',
          d: 'x',
          e: ['y'],
          f: { z: 1 },
          g: '2026-11-01T00:00:00Z',
          h: null,
          i: Buffer.from('ff', 'hex'),
        },
      ])
      await expect(ask('select from items')).rejects.toThrow('expected a query with columns')
    })

    test('return at most the requested rows, in pages', async () => {
      const sizes: number[] = []
      const sql = 'select generate_series(1, 5000) as n'
      const rows = await queryViews(
        store,
        { sql, timeoutMs: 10_000, rowsMax: 2_500 },
        (page) => void sizes.push(page.length),
      )
      expect([rows, sizes]).toEqual([2_500, [1_000, 1_000, 500]])
    })
  })
}

describe.skipIf(unavailable('postgres') !== null)('analysts on a server', () => {
  test('a query over its time limit is ended, where a server runs it', async () => {
    await using store = await openPostgresTestStore()
    await createViews(store)
    const asked = { sql: 'select count(*) from generate_series(1, 1000000000)', timeoutMs: 200, rowsMax: 1 }
    await expect(queryViews(store, asked, () => {})).rejects.toThrow(/timeout/)
  })

  test('a user who may not make the role is told what to do', async () => {
    await using store = await openPostgresTestStore()
    await createViews(store)
    const user = `${store.schema}_user`
    await store.query(`create role ${user} nologin`)
    const query: Store['query'] = (sql, parameters) =>
      store.transaction(async (tx) => {
        await tx.query(`set local role ${user}`)
        return await tx.query(sql, parameters)
      })
    const asked = { sql: 'select 1 as n', timeoutMs: 1_000, rowsMax: 1 }
    await expect(queryViews({ ...store, query }, asked, () => {})).rejects.toThrow(
      'let an administrator run: create role catalog_sql nologin; grant catalog_sql to the user of DATABASE_URL',
    )
  })

  test('by their role show the views and no table, key or person', async () => {
    await using store = await openPostgresTestStore()
    const { schema } = store
    await observe(store, { vendor_sku_id: testId('vsku_', 'cement'), observed_at: '2026-11-01T00:00:00Z', cents: 520 })
    await createViews(store)
    const role = `${schema}_role`
    await grantViews(store, role)
    await grantViews(store, role)
    const as = (sql: string) =>
      store.transaction(async (tx) => {
        await tx.query(`set local role ${role}`)
        return await tx.query(sql)
      })
    expect(await as(`select cents::int as cents, hidden from ${viewSchemaOf(schema)}.observations`)).toEqual([
      { cents: 520, hidden: false },
    ])
    const hidden = ['api_keys', 'users', 'meta', 'log_records'].map((table) => `${schema}.${table}`)
    for (const table of [...hidden, `${servedSchemaOf(schema)}.observations`]) {
      await expect(as(`select * from ${table}`)).rejects.toMatchObject({ code: '42501' })
    }
    await expect(grantViews(store, 'a"b')).rejects.toThrow('expected [a-z_]')
  })

  test('show the served build, also to a role, after the former one is gone', async () => {
    const store = await openPostgresTestStore()
    await using path = await openPath({ parts: { store, log: await openTableLog(store) } })
    await liveThreeWeeks(path)
    await createViews(store)
    const role = `${store.schema}_reader`
    await grantViews(store, role)
    const counted = () =>
      store.transaction(async (tx) => {
        await tx.query(`set local role ${role}`)
        const views = viewSchemaOf(store.schema)
        return await tx.query(
          `select (select count(*)::int from ${views}.observations) as observations,
             (select count(*)::int from ${views}.observations where hidden) as hidden,
             (select count(*)::int from ${views}.items) as items`,
        )
      })
    const before = await counted()
    await replay(replayDepsOf(path))
    expect(await counted()).toEqual(before)
    await retireBuilds(replayDepsOf(path))
    await liveWeek(path, 3)
    const [now] = await counted()
    expect(now?.observations).toBe(Number(before[0]?.observations) + listed(3).length)
  })
})
