import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { COUNT_BOUNDS, countItems, readFacets } from '@catalog/replica/read/counts.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beginGeneration, nextGeneration } from '@catalog/store/catalog/generation.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lastRunOf, openReplica } from './replica.ts'
import { scrub } from './scrub.ts'

const store = await storeOfFile()
let folder: string
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
           vendor_sku_ids, basis, run_id, as_of, "offset")
         values ($1, 1, $2, 'active', $3, $4, '', '', 'n', '{}', '{}', 'run', now(), $2)`,
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
  replica.last()?.tables.get<{ count: number }>('select count(*) as count from items')?.count
/** Asks until the replica is current: a pass may exceed the time that `reach` waits. */
async function untilCurrent(replica: ReturnType<typeof openReplica>): Promise<void> {
  const wanted = await version()
  for (;;) {
    if (await replica.reach(wanted)) return
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

/** Where checks follow each other without a pause. */
const AT_ONCE = { everyMs: 0, pauseMs: 0, sliceRows: 7, watchMs: 2 }
const fileOf = (folder: string) => join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) as string)
const nameOf = (replica: ReturnType<typeof openReplica>, id: string) =>
  replica
    .last()
    ?.tables.get<{ name: string }>(`select json_extract(item_json, '$.name') as name from items where item_id = ?`, id)
    ?.name

type Damage = Readonly<{ from: string; to: string; nth?: number }> | Readonly<{ at: number; to: Buffer }>

/** Overwrites bytes at a place, or at an occurrence of others; false where there is none. */
function damage(file: string, given: Damage): boolean {
  {
    // The pages must lie in the file itself.
    using db = new DatabaseSync(file)
    db.exec('pragma wal_checkpoint(truncate)')
  }
  const bytes = readFileSync(file)
  let at = 'at' in given ? given.at : -1
  if ('from' in given) for (let i = 0; i <= (given.nth ?? 0); i++) at = bytes.indexOf(given.from, at + 1)
  if (at < 0) return false
  bytes.set(Buffer.from(given.to), at)
  // In place, so that processes which have it open see it.
  writeFileSync(file, bytes, { flag: 'r+' })
  return true
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
  await using again = openReplica({ store, folder, onFill: ({ items }) => (fillings += Number(items === 0)) })
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
])('a replica counts %j within its bounds, and says when it ends early', async (filters, expected) => {
  const bounds = { ...COUNT_BOUNDS, narrowMax: 2, examinedMax: 3, countedMax: 5 }
  await publish(1, 2, 3, 4, 5, 6, 7, 8, 9)
  await using replica = openReplica({ store, folder })
  await untilCurrent(replica)
  const tables = replica.last()?.tables as Tables
  const [total, facets] = [countItems(tables, filters, bounds), readFacets(tables, { filters, max: 9 }, bounds)]
  expect({ total: [total.count, total.isExact], facets: [facets.count, facets.isExact] }).toEqual(expected)
})

test('it is not current while it is behind, and what is there stays readable', async () => {
  await publish(1)
  const unreliable = unreliableStore()
  const errors: unknown[] = []
  await using replica = openReplica({ store: unreliable.store, folder, onError: (error) => errors.push(error) })
  await untilCurrent(replica)
  unreliable.isAway = true
  await publish(2)
  expect(await replica.reach(await version())).toBe(false)
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
  // Nobody has written the new item yet.
  expect(await reader.reach(await version())).toBe(false)
  await untilCurrent(writer)
  await untilCurrent(reader)
  expect([countOf(writer), countOf(reader)]).toEqual([2, 2])
  await writer[Symbol.asyncDispose]()
  await publish(3)
  await untilCurrent(reader)
  expect(countOf(reader)).toBe(3)
})

test('a reader of the file sees one state, whatever the process that writes does meanwhile', async () => {
  await publish(1, 2)
  await using writer = openReplica({ store, folder })
  await untilCurrent(writer)
  await using reader = openReplica({ store, folder })
  await untilCurrent(reader)
  const counted = reader.last()?.tables.read(() => {
    const before = countOf(reader)
    writer.last()?.tables.run('delete from items')
    return [before, countOf(reader)]
  })
  expect([counted, countOf(reader)]).toEqual([[2, 2], 0])
})

test('a long pass never shows an item with the basis of another publication', async () => {
  await publish(...Array.from({ length: 1_200 }, (_, n) => n))
  let torn = 0
  const query = async (...given: Parameters<Store['query']>) => {
    const basis = `select count(*) as count from items join bases using (item_id) where json_extract(item_json, '$.name') <> basis`
    torn += replica.last()?.tables.get<{ count: number }>(basis)?.count ?? 0
    return (await store.query(...given)) as never
  }
  await using replica = openReplica({ store: { ...store, query }, folder: null, waitMaxMs: 60_000 })
  await store.query(`update items set basis = item_json::jsonb->>'name'`)
  await replica.reach(await version())
  await store.query(`insert into changes select seq + 1200, item_id, 'upsert', 2, seq + 1200, '',
    replace(state, '"Item', '"New'), null, null from changes`)
  await store.query(
    `update items set seq = seq + 1200, "offset" = "offset" + 1200, basis = replace(basis, 'Item', 'New')`,
  )
  await store.query(`update scope_heads set rseq = rseq + 1200`)
  await store.query(`update checkpoints set next = next + 1200`)
  await replica.reach(await version())
  expect([nameOf(replica, 'ci_7'), torn]).toEqual(['New 7', 0])
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
  const unreliable = unreliableStore()
  const scrubPace = { ...AT_ONCE, everyMs: 3_600_000 }
  await using writer = openReplica({ store: unreliable.store, folder, scrubPace })
  await untilCurrent(writer)
  // Behind the roots of the tables, which an opening reads.
  damage(fileOf(folder), { at: 60 * 4_096, to: Buffer.alloc(100 * 4_096, 0xff) })
  await using reader = openReplica({ store, folder, scrubPace })
  await untilCurrent(reader)
  const tables = reader.last()?.tables
  expect(() => tables?.all('select item_json from items order by folded_name')).toThrow(/malformed/)
  expect(reader.last()).toBeUndefined()
  // The first new filling fails.
  unreliable.isAway = true
  await vi.waitFor(() => expect(writer.damages()).toBe(1), { timeout: 5_000 })
  expect([await writer.reach(await version()), writer.last()]).toEqual([false, undefined])
  unreliable.isAway = false
  await untilCurrent(writer)
  await untilCurrent(reader)
  expect([countOf(writer), countOf(reader)]).toEqual([3_000, 3_000])
})

test.each([
  ['another digit', { from: '"name":"Item 150"', to: '"name":"Item 950"' }],
  ['no JSON any more', { from: '"name":"Item 150"', to: '"name";"Item 150"' }],
  ['a position further on', { from: '"seq":"200"', to: '"seq":"900"' }],
  ['a position that is no JSON', { from: '"seq":"200"', to: '"seq";"200"' }],
])('a file that holds %s after a stop is not read, but filled again', async (_, bytes) => {
  await publish(...Array.from({ length: 200 }, (_, i) => i + 1))
  {
    await using replica = openReplica({ store, folder })
    await untilCurrent(replica)
  }
  expect(damage(fileOf(folder), bytes)).toBe(true)
  let fillings = 0
  await using replica = openReplica({ store, folder, onFill: ({ items }) => (fillings += Number(items === 0)) })
  await untilCurrent(replica)
  expect([nameOf(replica, 'ci_150'), countOf(replica), fillings]).toEqual(['Item 150', 200, 1])
})

test('a check finds one changed byte in any table or index', async () => {
  await publish(1, 2, 3)
  {
    await using replica = openReplica({ store, folder })
    await untilCurrent(replica)
  }
  const file = fileOf(folder)
  const sound = readFileSync(file)
  const check = () => scrub({ file, sliceRows: 2, pause: async () => true })
  expect(await check()).toBe('sound')
  let nth = 0
  for (; damage(file, { from: 'ci_2', to: 'ci_7', nth }); nth++) {
    expect(await check(), `occurrence ${nth}`).toMatchObject({ damage: expect.any(Error) })
    writeFileSync(file, sound)
  }
  // The item with six indexes, its region, its basis, its change with an index, and the state of it.
  expect(nth).toBeGreaterThan(10)
})

test('bytes that change while processes read the file are found, and all of them read a new one', async () => {
  await publish(...Array.from({ length: 200 }, (_, i) => i + 1))
  const damages: unknown[] = []
  const scrubPace = AT_ONCE
  await using writer = openReplica({ store, folder, scrubPace, onDamage: (damage) => damages.push(damage) })
  await untilCurrent(writer)
  await using reader = openReplica({ store, folder, scrubPace, onDamage: (damage) => damages.push(damage) })
  await untilCurrent(reader)
  expect(damage(fileOf(folder), { from: '"name":"Item 150"', to: '"name":"Item 950"' })).toBe(true)
  await vi.waitFor(() => expect([writer.damages(), reader.damages()]).toEqual([1, 1]), { timeout: 5_000 })
  await untilCurrent(writer)
  await untilCurrent(reader)
  expect([nameOf(writer, 'ci_150'), nameOf(reader, 'ci_150')]).toEqual(['Item 150', 'Item 150'])
  expect(damages).toMatchObject([{ message: expect.stringMatching(/^row .* does not match its checksum/) }])
})

test('a file that an operator removes is filled again while processes run', async () => {
  await publish(1, 2)
  await using writer = openReplica({ store, folder, scrubPace: AT_ONCE })
  await untilCurrent(writer)
  await using reader = openReplica({ store, folder, scrubPace: AT_ONCE })
  await untilCurrent(reader)
  for (const name of readdirSync(folder)) if (name.startsWith('catalog-')) rmSync(join(folder, name))
  await vi.waitFor(() => expect([writer.damages(), reader.damages()]).toEqual([1, 1]), { timeout: 5_000 })
  await untilCurrent(writer)
  await untilCurrent(reader)
  expect([countOf(writer), countOf(reader)]).toEqual([2, 2])
})

test('a row that a reader cannot show makes it check the file, which the writer then fills again', async () => {
  await publish(1, 2)
  // Nobody would check within the test.
  const scrubPace = { ...AT_ONCE, everyMs: 3_600_000 }
  await using writer = openReplica({ store, folder, scrubPace })
  await untilCurrent(writer)
  await using reader = openReplica({ store, folder, scrubPace })
  await untilCurrent(reader)
  damage(fileOf(folder), { from: '"name":"Item 2"', to: '"name";"Item 2"' })
  expect(reader.last()?.tables.suspect(new SyntaxError('no JSON'))).toBe(true)
  await vi.waitFor(() => expect([writer.damages(), reader.damages()]).toEqual([1, 1]), { timeout: 5_000 })
  await untilCurrent(writer)
  await untilCurrent(reader)
  expect([nameOf(writer, 'ci_2'), nameOf(reader, 'ci_2')]).toEqual(['Item 2', 'Item 2'])
})

test('a row that cannot be shown though its file is sound is a fault of the code, which is told once', async () => {
  await publish(1)
  const faults: unknown[] = []
  const fault = new TypeError('no function')
  await using replica = openReplica({ store, folder, scrubPace: AT_ONCE, onFault: (error) => faults.push(error) })
  await untilCurrent(replica)
  const tables = replica.last()?.tables as Tables
  expect(lastRunOf({ ...tables, get: () => ({ as_of: 'never' }) as never, suspect: () => true })).toBeNull()
  expect(tables.suspect(fault)).toBe(true)
  await vi.waitFor(() => expect(faults).toEqual([fault]), { timeout: 5_000 })
  expect(replica.last()?.tables).toBe(tables)
  expect(tables.suspect(fault)).toBe(false)
  expect(replica.damages()).toBe(0)
})

test('a file of another catalog or generation by the same name is not read', async () => {
  await publish(1, 2)
  async function fillings(): Promise<number> {
    let fillings = 0
    await using replica = openReplica({ store, folder, onFill: ({ items }) => (fillings += Number(items === 0)) })
    await untilCurrent(replica)
    expect(countOf(replica)).toBe(2)
    return fillings
  }
  expect([await fillings(), await fillings()]).toEqual([1, 0])
  const ofOther = join(folder, 'other')
  copyFileSync(fileOf(folder), ofOther)
  await beginGeneration(store, { gen: nextGeneration((await version()).gen, new Date()) })
  expect(await fillings()).toBe(1)
  copyFileSync(ofOther, fileOf(folder))
  expect([await fillings(), await fillings()]).toEqual([1, 0])
  await store.query(`update meta set value = repeat('5a', 32) where key = 'cursor_secret'`)
  expect([await fillings(), await fillings()]).toEqual([1, 0])
})

test('a file where the folder should be is named', () => {
  const file = join(folder, 'replica')
  writeFileSync(file, '')
  for (const given of [file, join(file, 'below')])
    expect(() => openReplica({ store, folder: given })).toThrow(
      `'${given}' is, or lies below, a file: expected a folder for the replica`,
    )
})
