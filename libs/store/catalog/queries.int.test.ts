import { HOUR_MS } from '@catalog/core/time.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { beforeEach, expect, test } from 'vitest'
import { readCatalogVersion } from './queries.ts'

const store = await storeOfFile()
beforeEach(async () => {
  await store.query(`truncate scope_heads, checkpoints, categories, digests, snapshots, feed_floors`)
})

test('an empty catalog stands at 0, and every checkpoint of the two projections changes its version', async () => {
  const { gen, ...empty } = await readCatalogVersion(store)
  expect(gen).toMatch(/^[0-9a-f]{16}t4$/)
  const changed = { seq: null, checkpoints: null, bulk: null, floors: null }
  expect(empty).toEqual({ seq: 0n, checkpoints: '', bulk: '', floors: '0', build: 1, changed })
  await store.query(`insert into scope_heads values ('items', 7, ''), ('region/ES', 9, '')`)
  await store.query(
    `insert into checkpoints values ('vendor', 'vendor.observations', 1, 5), ('items', 'catalog.items', 0, 3), ('index', 'changes', 0, 1)`,
  )
  expect(await readCatalogVersion(store)).toMatchObject({
    seq: 7n,
    checkpoints: 'items/catalog.items/0/3 vendor/vendor.observations/1/5',
  })
})

test('each digest, snapshot and floor of its generation changes the catalog version', async () => {
  const seen = new Set<string>()
  const countVersions = async () => {
    const { bulk, floors } = await readCatalogVersion(store)
    seen.add(`${bulk} ${floors}`)
    return seen.size
  }
  const digest = (gen: string) =>
    `insert into digests values (${gen}, 7, 'items', 7, 1, decode(repeat('00', 8192), 'hex'), '')`
  const snapshot = (gen: string) => `insert into snapshots values (${gen}, 7, '2026-11-20T03:30:00Z', 1, 1, '', null)`
  const ours = `(select value from meta where key = 'gen')`
  expect(await countVersions()).toBe(1)
  await store.query(digest(`'another'`))
  await store.query(snapshot(`'another'`))
  expect(await countVersions()).toBe(1)
  await store.query(digest(ours))
  expect(await countVersions()).toBe(2)
  await store.query(snapshot(ours))
  expect(await countVersions()).toBe(3)
  await store.query(`insert into feed_floors values ('region/ES', 500)`)
  expect(await countVersions()).toBe(4)
})

test('the version tells when each of its parts changed last', async () => {
  await store.query(
    `insert into scope_heads values ('items', 7, '', '2026-11-20T12:00:00.25Z'), ('region/ES', 9, '', '2026-11-20T13:00:00Z')`,
  )
  await store.query(
    `insert into checkpoints values ('vendor', 'vendor.observations', 1, 5, null, '2026-11-20T12:00:01Z'),
       ('items', 'catalog.items', 0, 3, null, '2026-11-20T12:00:02Z'), ('index', 'changes', 0, 1, null, '2026-11-21T12:00:00Z')`,
  )
  await store.query(`insert into snapshots select value, 7, '2026-11-20T03:30:00Z', 1, 1, '', null, '2026-11-20T12:00:03Z'
    from meta where key = 'gen'`)
  await store.query(`insert into feed_floors values ('items', 500, '2026-11-20T12:00:04Z')`)
  const at = (time: string) => Date.parse(`2026-11-20T12:00:0${time}Z`)
  const changed = { seq: at('0.250'), checkpoints: at('2'), bulk: at('3'), floors: at('4') }
  expect((await readCatalogVersion(store)).changed).toEqual(changed)
  // A replayed build shows its own rows from the flip on.
  await store.query(`update builds set build = 2, flipped_at = '2026-11-20T12:00:03.5Z' where state = 'served'`)
  expect((await readCatalogVersion(store)).changed).toEqual({
    seq: at('3.5'),
    checkpoints: at('3.5'),
    bulk: at('3.5'),
    floors: at('4'),
  })
  await store.query(`update builds set build = 1 where state = 'served'`)
})

test('a store of the first schema learns when its parts changed', async () => {
  await store.query(`insert into scope_heads (scope, rseq, chain) values ('items', 7, '')`)
  await store.query(`alter table scope_heads drop column moved_at`)
  await store.query(`alter table checkpoints drop column moved_at`)
  await store.query(`alter table digests drop column made_at`)
  await store.query(`alter table snapshots drop column saved_at`)
  await store.query(`alter table feed_floors drop column moved_at`)
  await store.query(`alter table run_marks drop column finished_at`)
  await store.query(
    `drop table editions, operators, operator_decisions, jobs, known_devices, sign_in_waits, recovery_codes, second_factors, pending_sign_ins, host_rates, feed_keys`,
  )
  await store.query(`alter table items add folded_name text`)
  await store.query(`create index items_name on items (folded_name)`)
  const beside = `${store.schema}_build_2`
  await store.query(`create schema ${beside}`)
  for (const table of ['checkpoints', 'scope_heads', 'run_marks', 'items', 'item_regions'])
    await store.query(`create table ${beside}.${table} as select * from ${table} where false`)
  await store.query(`delete from schema_migrations where version > 1`)
  await migrate(store)
  await store.query(
    `select c.moved_at, h.moved_at, finished_at from ${beside}.checkpoints c, ${beside}.scope_heads h, ${beside}.run_marks`,
  )
  const folded = await store.query(
    `select from information_schema.columns where table_name = 'items' and column_name = 'folded_name'`,
  )
  expect(folded).toEqual([])
  const { seq, changed } = await readCatalogVersion(store)
  expect([seq, changed.checkpoints]).toEqual([7n, null])
  expect(Math.abs((changed.seq ?? 0) - Date.now())).toBeLessThan(HOUR_MS)
})
