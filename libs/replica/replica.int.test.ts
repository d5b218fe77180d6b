import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { beginGeneration, nextGeneration } from '@catalog/store/catalog/generation.ts'
import { COUNT_BOUNDS, countedIds, countItems as countStored } from '@catalog/store/catalog/item-ids.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { openTestStore } from '@catalog/store/testing.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { countItems, readFacets } from './counts.ts'
import { openReplica } from './replica.ts'
import type { Tables } from './tables.ts'

let store: Store
let folder: string
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-replica-'))
  await store.query('truncate items, changes, scope_heads, checkpoints')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Publishes items with these numbers, as the projector does: rows, changes, head and checkpoint in one transaction. */
async function publish(...numbers: readonly number[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const n of numbers) {
      const item = `{"category_id":null,"cpv":"${n % 2 ? 44 : 45}000000","id":"ci_${n}","median_price":null,"name":"Item ${n}","unit":"kg","updated_at":"2026-11-20T12:00:00Z"}`
      const state = `{"item":${item},"markets":[],"merged_into":null,"regions":["ES"],"state":"active"}`
      await tx.query(
        `insert into items (item_id, version, seq, state, public_state, item_json, state_sha, material_sha, name,
           folded_name, vendor_sku_ids, basis, run_id, as_of, "offset")
         values ($1, 1, $2, 'active', $3, $4, '', '', 'n', 'n', '{}', '{}', 'run', now(), $2)`,
        [`ci_${n}`, n, state, item],
      )
      await tx.query(`insert into changes values ($1, $2, 'upsert', 1, $1, '', $3, null, null)`, [n, `ci_${n}`, state])
      await tx.query(`insert into scope_heads values ('items', $1, '') on conflict (scope) do update set rseq = $1`, [
        n,
      ])
      await tx.query(
        `insert into checkpoints values ('items', 'catalog.items', 0, $1, null)
         on conflict (projection, topic, partition) do update set next = $1`,
        [n + 1],
      )
    }
  })
}
const version = () => readCatalogVersion(store)
const countOf = (replica: ReturnType<typeof openReplica>) =>
  replica.current()?.get<{ count: number }>('select count(*) as count from items')?.count
/** Asks until the replica is current: a pass may exceed the time that `reach` waits. */
async function untilCurrent(replica: ReturnType<typeof openReplica>): Promise<void> {
  const wanted = await version()
  for (;;) {
    await replica.reach(wanted)
    if (replica.current() !== undefined) return
    // `reach` may return at once, and what it waits for needs the event loop.
    await setImmediate()
  }
}

/** A store of which the test says whether it is away. */
function unreliableStore(): { store: Store; isAway: boolean } {
  const unreliable = {
    isAway: false,
    store: {
      ...store,
      query: async (...given: Parameters<Store['query']>) => {
        if (unreliable.isAway) throw new Error('away')
        return (await store.query(...given)) as never
      },
    },
  }
  return unreliable
}

test('a replica fills, follows, and goes on after a restart from where it was', async () => {
  await publish(1, 2)
  {
    await using replica = openReplica({ store, folder })
    expect(replica.last()).toBeUndefined()
    await untilCurrent(replica)
    expect(countOf(replica)).toBe(2)
    await publish(3)
    await untilCurrent(replica)
    expect(countOf(replica)).toBe(3)
  }
  let fillings = 0
  await using again = openReplica({ store, folder, onFill: () => fillings++ })
  await publish(4)
  await untilCurrent(again)
  expect([countOf(again), fillings]).toEqual([4, 0])
})

test.each([
  // Without a filter, the whole is counted.
  [{}, { total: [9, true], facets: [3, false] }],
  [{ cpv: '44' }, { total: [2, false], facets: [2, false] }],
  [{ unit: 'kg' }, { total: [5, false], facets: [3, false] }],
  [
    { unit: 'kg', cpv: '4' },
    { total: [3, false], facets: [3, false] },
  ],
  [{ itemIds: ['ci_2', 'ci_7'] }, { total: [2, true], facets: [2, true] }],
  [{ unit: 'none' }, { total: [0, true], facets: [0, true] }],
])(
  'a replica and the store count %j within the same bounds, and say when they end early',
  async (filters, expected) => {
    const bounds = { ...COUNT_BOUNDS, narrowMax: 2, examinedMax: 3, countedMax: 5 }
    await publish(1, 2, 3, 4, 5, 6, 7, 8, 9)
    await using replica = openReplica({ store, folder })
    await untilCurrent(replica)
    const tables = replica.current() as Tables
    const [total, facets] = [countItems(tables, filters, bounds), readFacets(tables, { filters, max: 9 }, bounds)]
    expect({ total: [total.count, total.isExact], facets: [facets.count, facets.isExact] }).toEqual(expected)
    const counted = await countedIds(store, filters, bounds)
    expect(await countStored(store, filters, bounds)).toEqual(total)
    expect([counted.itemIds.length, counted.isExact]).toEqual(expected.facets)
  },
)

test('it is not current while it is behind, and what is there stays readable', async () => {
  await publish(1)
  const unreliable = unreliableStore()
  const errors: unknown[] = []
  await using replica = openReplica({ store: unreliable.store, folder, onError: (error) => errors.push(error) })
  await untilCurrent(replica)
  unreliable.isAway = true
  await publish(2)
  await replica.reach(await version())
  expect(replica.current()).toBeUndefined()
  expect(replica.last()?.version.seq).toBe(1n)
  expect(errors).toMatchObject([{ message: 'away' }])
  unreliable.isAway = false
  // Not at once: a failing pass would repeat itself all the time.
  await untilCurrent(replica)
  expect(countOf(replica)).toBe(2)
})

test('two processes share a file: one writes, and the other takes over when that one ends', async () => {
  await publish(1)
  const writer = openReplica({ store, folder })
  await untilCurrent(writer)
  await using reader = openReplica({ store, folder })
  await untilCurrent(reader)
  await publish(2)
  await reader.reach(await version())
  // Nobody has written the new item yet.
  expect(reader.current()).toBeUndefined()
  await untilCurrent(writer)
  await untilCurrent(reader)
  expect([countOf(writer), countOf(reader)]).toEqual([2, 2])
  await writer[Symbol.asyncDispose]()
  await publish(3)
  await untilCurrent(reader)
  expect(countOf(reader)).toBe(3)
})

test('a generation has a file of its own, and the former one goes', async () => {
  await publish(1)
  await using replica = openReplica({ store, folder })
  await untilCurrent(replica)
  const databases = () => readdirSync(folder).filter((file) => file.endsWith('.sqlite'))
  const before = databases()
  await beginGeneration(store, { gen: nextGeneration((await version()).gen, new Date()) })
  await untilCurrent(replica)
  expect(countOf(replica)).toBe(1)
  expect(databases()).toHaveLength(1)
  expect(databases()).not.toEqual(before)
})

test('a torn file is filled again, and nobody else may read it', async () => {
  await publish(1, 2)
  {
    await using replica = openReplica({ store, folder })
    await untilCurrent(replica)
  }
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) as string)
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(statSync(folder).mode & 0o077).toBe(0)
  writeFileSync(file, 'torn'.repeat(1_000))
  await using replica = openReplica({ store, folder })
  await untilCurrent(replica)
  expect(countOf(replica)).toBe(2)
})

test('a publication of more changes than one transaction takes is followed whole', async () => {
  await publish(1)
  await using replica = openReplica({ store, folder })
  await untilCurrent(replica)
  await publish(...Array.from({ length: 2_500 }, (_, i) => i + 2))
  await untilCurrent(replica)
  expect(countOf(replica)).toBe(2_501)
})

test('a file with bad pages is found by the first read that meets one, and filled again', async () => {
  await publish(...Array.from({ length: 3_000 }, (_, i) => i + 1))
  {
    await using replica = openReplica({ store, folder })
    await untilCurrent(replica)
  }
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) as string)
  const bytes = readFileSync(file)
  // Behind the roots of the tables, which an opening reads.
  writeFileSync(file, bytes.fill(0xff, 60 * 4_096))
  const unreliable = unreliableStore()
  await using replica = openReplica({ store: unreliable.store, folder })
  await untilCurrent(replica)
  const tables = replica.current()
  expect(() => tables?.all('select item_json from items order by folded_name')).toThrow(/malformed/)
  expect([replica.current(), replica.last()]).toEqual([undefined, undefined])
  // The first new filling fails.
  unreliable.isAway = true
  await replica.reach(await version())
  expect([replica.current(), replica.last()]).toEqual([undefined, undefined])
  unreliable.isAway = false
  await untilCurrent(replica)
  expect(countOf(replica)).toBe(3_000)
})
