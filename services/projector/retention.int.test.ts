import { chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { PAGE_CHANGES_MAX, SCOPES } from '@catalog/core/changes/protocol.ts'
import type { ItemEvent } from '@catalog/core/events/events.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { scopeChangesOf } from '@catalog/stack/store/replica.ts'
import { event, published } from '@catalog/stack/testing/events.ts'
import { readFloors } from '@catalog/store/builds/verify.ts'
import { presentAt, readScopesAt } from '@catalog/store/catalog/digests.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { beginGeneration } from '@catalog/store/catalog/generation.ts'
import { trimChanges } from '@catalog/store/catalog/retention.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import { freezeEditions, itemsDigest, readEdition } from '@catalog/store/history/editions.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { digestNewestMark } from './digests.ts'

const FIRST_MS = Date.parse('2026-01-01T00:00:00Z')
const DAYS = 14
const ITEMS = 220
/** The day that half of the changes precede. */
const HALF = new Date(FIRST_MS + 7 * DAY_MS)

/** The items at each mark, computed from the whole log. */
let states: Map<bigint, readonly string[]>
let newest: bigint
/** The last version of each item. */
let versions: Map<number, number>

const path = await pathOfFile()
beforeEach(async () => {
  await path.reset()
  await path.store.query('truncate digests, snapshots, editions, feed_floors')
  await path.store.query(`delete from meta where key = 'chains_begin'`)
  versions = new Map()
  await path.append(history({ versions }))
  states = new Map()
  const marks = await path.store.query<{ seq: bigint }>('select seq from run_marks order by seq')
  for (const { seq } of marks) states.set(seq, await stateAt(seq))
  newest = marks.at(-1)?.seq ?? 0n
  await indexed(newest)
})

/** Two weeks in which every item changes on most days, moves between regions, and sometimes leaves for good. */
function history({ from = 0, versions = new Map<number, number>() } = {}): ItemEvent[] {
  const events: ItemEvent[] = []
  for (let day = from; day < from + DAYS; day++) {
    const asOf = instant(new Date(FIRST_MS + day * DAY_MS))
    for (let i = 0; i < ITEMS; i++) {
      // Some items change only once, early, so retention deletes their only change.
      if (day > 0 && (i % 10 === 3 || (i * 7 + day * 3) % 5 === 0)) continue
      versions.set(i, (versions.get(i) ?? 0) + 1)
      const isGone = (i + day * 11) % 23 === 0
      const regions = ['ES', ...((i + day) % 3 === 0 ? ['GB'] : []), ...(i === 7 ? ['UY'] : [])].slice(
        i % 4 === 0 ? 1 : 0,
      )
      events.push(
        published({
          id: `ci_${String(i).padStart(4, '0')}`,
          cents: isGone ? null : 100 + day,
          asOf,
          version: versions.get(i) as number,
          regions: isGone ? [] : regions,
          state: isGone ? 'gone' : 'active',
        }),
      )
    }
    events.push(event({ type: 'RunMarked', run_id: `run_${day}`, as_of: asOf, items_published: ITEMS }))
  }
  return events
}

async function stateAt(mark: bigint): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const chunk of presentAt(path.store, mark)) {
    lines.push(...chunk.map(({ id, sha, regions }) => `${id} ${Buffer.from(sha).toString('hex')} ${regions}`))
  }
  return lines
}

/** Moves the search checkpoint as if the index had been fed up to this change. */
const indexed = (seq: bigint) =>
  path.store.query(
    `insert into search_indexes (identity, next) values ('exact model', $1)
     on conflict (identity) do update set next = excluded.next`,
    [seq + 1n],
  )
const trim = (before = HALF, snapshotSeq = newest) => trimChanges(path.store, { before, snapshotSeq })
const floorOf = async (scope = 'items') => (await readFloors(path.store)).get(scope) ?? 0n
const failures = async () => (await verify(path)).filter(({ ok }) => !ok)
const countOf = async (table: 'changes' | 'change_scopes') =>
  (await path.store.query<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n ?? 0

describe('retention', () => {
  test('deletes whole pages of old changes, in every scope by its own numbers', async () => {
    const before = { changes: await countOf('changes'), numbers: await countOf('change_scopes') }
    const trimmed = await trim()
    const floors = await readFloors(path.store)
    for (const scope of SCOPES) {
      const [old] = await path.store.query<{ n: bigint }>(
        `select coalesce(max(rseq), 0) as n from change_scopes join changes using (seq)
         where scope = $1 and updated_us < $2`,
        [scope, BigInt(HALF.getTime()) * 1000n],
      )
      const floor = floors.get(scope) ?? 0n
      expect(floor % BigInt(PAGE_CHANGES_MAX)).toBe(0n)
      if (floor > 0n) expect((old?.n ?? 0n) - floor).toBeLessThan(BigInt(PAGE_CHANGES_MAX))
    }
    expect(floors.get('items')).toBe(1000n)
    expect(floors.get('region/ES')).toBeGreaterThan(0n)
    expect(floors.get('region/UY')).toBe(0n)
    expect(trimmed.changes).toBeGreaterThan(300)
    expect(await countOf('changes')).toBe(before.changes - trimmed.changes)
    expect(await countOf('change_scopes')).toBe(before.numbers - trimmed.numbers)
    expect(await trim()).toEqual({ numbers: 0, changes: 0 })
  })

  test('leaves every feed whole from its floor, and the state at every later mark', async () => {
    await trim()
    for (const { scope, head, floor } of (await readFeedState(path.store)).scopes) {
      const changes = await scopeChangesOf(path.store, { scope, after: floor, limit: 10_000 })
      expect(changes.map(({ seq }) => seq)).toEqual(
        Array.from({ length: Number(head - floor) }, (_, i) => floor + BigInt(i + 1)),
      )
      expect(changes.every(({ op, state }) => (op === 'upsert') === (state !== null))).toBe(true)
    }
    const floor = await floorOf()
    const kept = [...states].filter(([mark]) => mark >= floor)
    expect(kept.length).toBeGreaterThan(5)
    for (const [mark, state] of kept) expect(await stateAt(mark)).toEqual(state)
  })

  test('never passes the snapshot or the checkpoint of the search index', async () => {
    const [, second] = [...states.keys()].filter((mark) => mark > 500n)
    await trim(HALF, 999n)
    expect(await floorOf()).toBe(500n)
    await indexed(second as bigint)
    await trim(new Date(FIRST_MS + 400 * DAY_MS))
    expect(await floorOf()).toBe(((second as bigint) / 500n) * 500n)
    await path.store.query(`delete from search_indexes`)
    await trim(new Date(FIRST_MS + 400 * DAY_MS))
    expect(await floorOf()).toBe(((second as bigint) / 500n) * 500n)
  })

  test('keeps the chain of a snapshot of an untouched scope', async () => {
    const [before] = await path.store.query<{ chain: Buffer }>(
      `select chain from change_scopes where scope = 'items' and rseq = 1000`,
    )
    await trim(HALF, newest)
    const gen = (await readMeta(path.store, 'gen')) as string
    // A run that ended exactly at the floor: retention keeps its last number.
    await path.store.query(`delete from run_marks where seq > 1000`)
    await path.store.query(`insert into run_marks values ('at the floor', '2026-02-01T00:00:00Z', 1000, 99, 1)`)
    expect(await digestNewestMark(path.store)).toBe(true)
    const [items] = await readScopesAt(path.store, { gen, mark: 1000n })
    expect(items).toMatchObject({ seq: 1000n, chain: before?.chain })
  })

  test('leaves a catalog that verify still proves, and verify reports what is missing wrongly', async () => {
    expect(await failures()).toEqual([])
    await trim()
    expect(await failures()).toEqual([])
    // The only change of an item. Without it the changes no longer show the item.
    const [gone] = await path.store.query<{ seq: bigint }>(
      `delete from changes where item_id = 'ci_0013' and seq < 1000 returning seq`,
    )
    expect(await failures()).toMatchObject([
      { name: 'changes', first_difference: expect.stringContaining(`seq ${gone?.seq} `) },
    ])
  })

  test('lets verify find a changed chain, with its number', async () => {
    await trim()
    await path.store.query(`update change_scopes set chain = '\\x00' where scope = 'region/GB' and rseq = 600`)
    expect(await failures()).toMatchObject([
      { name: 'numbers', first_difference: expect.stringMatching(/^region\/GB: the log gives 600 seq .* chain 00$/) },
    ])
  })
})

describe('an edition', () => {
  const licence = { name: 'CC BY 4.0', url: null }
  const manifestOf = async (edition: string) => (await readEdition(path.store, edition))?.manifest

  test('is frozen when a run of a later month ended, of the last run of its month', async () => {
    expect(await freezeEditions(path.store, { licence })).toEqual([])
    await path.append(history({ from: 31, versions }))
    expect(await freezeEditions(path.store, { licence })).toEqual(['2026-01'])
    expect(JSON.parse((await manifestOf('2026-01')) as string)).toMatchObject({
      edition: '2026-01',
      id: 'ccc:2026-01',
      run_id: `run_${DAYS - 1}`,
      as_of: '2026-01-14T00:00:00Z',
      seq: Number(newest),
      count: states.get(newest)?.length,
      licence,
    })
    expect(await freezeEditions(path.store, { licence: null })).toEqual([])
  })

  test('stays whole when retention drops what superseded changes no edition shows', async () => {
    await path.append(history({ from: 31, versions }))
    await freezeEditions(path.store, { licence })
    const [end] = await path.store.query<{ seq: bigint }>('select max(seq) as seq from run_marks')
    await indexed(end?.seq ?? 0n)
    const trimmed = await trim(new Date(FIRST_MS + 400 * DAY_MS), end?.seq)
    expect([trimmed.changes > 1_000, (await floorOf()) > newest]).toEqual([true, true])
    expect(await stateAt(newest)).toEqual(states.get(newest))
    const { state_root } = JSON.parse((await manifestOf('2026-01')) as string)
    expect((await itemsDigest(path.store, newest))?.stateRoot).toBe(state_root)
    expect(await failures()).toEqual([])
    // An edition that nobody froze in time is not made of what is left.
    await path.store.query('truncate editions')
    expect(await freezeEditions(path.store, { licence })).toEqual([])
  })

  test('has the same bytes after the log was folded anew', async () => {
    await path.append(history({ from: 31, versions }))
    await freezeEditions(path.store, { licence })
    const frozen = await manifestOf('2026-01')
    await path.rebuild()
    expect(await manifestOf('2026-01')).toBeUndefined()
    expect(await freezeEditions(path.store, { licence })).toEqual(['2026-01'])
    expect(await manifestOf('2026-01')).toBe(frozen)
  })
})

describe('a new generation', () => {
  test('chains all numbers again and leaves them and all items as they were', async () => {
    const before = await readFeedState(path.store)
    const numbers = await countOf('change_scopes')
    const done = await beginGeneration(path.store, { gen: 'next' })
    expect(done).toEqual({ from: before.gen, to: 'next', numbers })
    const after = await readFeedState(path.store)
    expect(after.gen).toBe('next')
    for (const [i, { scope, head, chain }] of after.scopes.entries()) {
      expect(head).toBe(before.scopes[i]?.head)
      let expected = chainStart('next', scope)
      for (const change of await scopeChangesOf(path.store, { scope, after: 0n, limit: 10_000 })) {
        const { seq: rseq, op, itemId, stateSha: sha } = change
        expected = chainNext({ chain: expected, rseq, op, itemId, sha })
        expect(change.chain).toEqual(expected)
      }
      expect(chain).toEqual(expected)
    }
    expect(await failures()).toEqual([])
  })

  test('begins its chains at the floors, and verify follows it', async () => {
    await trim()
    await beginGeneration(path.store, { gen: 'trimmed' })
    const [first] = await scopeChangesOf(path.store, { scope: 'items', after: 1000n, limit: 1 })
    const { itemId, op, stateSha: sha } = first as NonNullable<typeof first>
    const start = chainStart('trimmed', 'items')
    expect(first?.chain).toEqual(chainNext({ chain: start, rseq: 1001n, op, itemId, sha }))
    expect(await failures()).toEqual([])
    // After a second retention the chains still begin where they began.
    await path.append([published({ id: 'ci_0001', cents: 9, version: 99, asOf: '2026-03-01T00:00:00Z' })])
    await indexed(newest + 1n)
    await trim(new Date(FIRST_MS + 400 * DAY_MS))
    expect(await floorOf()).toBeGreaterThan(1000n)
    expect(await failures()).toEqual([])
  })

  test('does not begin when the log is folded anew', async () => {
    const gen = await readMeta(path.store, 'gen')
    const before = await readFeedState(path.store)
    await path.store.query(
      `truncate items, item_regions, item_markets, price_points, changes, change_scopes, scope_heads, run_marks`,
    )
    await path.store.query(`delete from checkpoints where projection = 'items'`)
    await path.project()
    expect(await readMeta(path.store, 'gen')).toBe(gen)
    expect(await readFeedState(path.store)).toEqual(before)
  })
})
