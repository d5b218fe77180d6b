import { chainStart } from '@catalog/core/changes/change.ts'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import { catalogOf } from '@catalog/stack/store/replica.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { readScopeChanges } from './feeds.ts'

const store = await storeOfFile()
let gen: string
beforeAll(async () => {
  gen = (await readFeedState(store)).gen
})
beforeEach(async () => {
  await store.query(
    `truncate changes, change_scopes, scope_heads, run_marks, digests, snapshots, feed_floors restart identity cascade`,
  )
})

const stateOf = (seq: number) =>
  JSON.stringify({
    item: { id: `ci_${seq}`, name: 'n', category_id: null, unit: null, cpv: null, updated_at: '2026-11-20T12:00:00Z' },
    markets: [],
    regions: [],
  })

/** Writes changes 1, 2, 3 ... of items; each also enters region ES when it says so. */
async function change(...said: { op?: string; es?: string | null; mergedInto?: string; former?: string }[]) {
  let rseq = 0
  for (const [i, { op = 'upsert', es = null, mergedInto = null, former = null }] of said.entries()) {
    const seq = i + 1
    await store.query(
      `insert into changes (seq, item_id, op, version, updated_us, state_sha, state, merged_into, former_median)
       values ($1, $2, $3, 3, $4, decode($5, 'hex'), $6, $7, $8)`,
      [seq, `ci_${seq}`, op, 100 + seq, `0${seq}`, op === 'upsert' ? stateOf(seq) : null, mergedInto, former],
    )
    await scoped('items', seq, seq, op)
    if (es !== null) await scoped('region/ES', ++rseq, seq, es)
  }
}
async function scoped(scope: string, rseq: number, seq: number, op: string) {
  const chain = Buffer.from(`${scope} ${rseq}`)
  await store.query(`insert into change_scopes values ($1, $2, $3, $4, $5)`, [scope, rseq, seq, op, chain])
  await store.query(
    `insert into scope_heads values ($1, $2, $3)
     on conflict (scope) do update set rseq = excluded.rseq, chain = excluded.chain`,
    [scope, rseq, chain],
  )
}
const mark = (seq: number) =>
  store.query(`insert into run_marks values ($1, '2026-11-20T02:00:00Z', $2, $2, 0)`, [`run_${seq}`, seq])

test('without changes, all scopes stand at 0 with the empty chain', async () => {
  expect(await readFeedState(store)).toEqual({
    gen,
    updatedUs: null,
    digest: null,
    snapshot: null,
    scopes: SCOPES.map((scope) => ({ scope, head: 0n, chain: chainStart(gen, scope), floor: 0n })),
  })
  expect(readScopeChanges(await catalogOf(store), { scope: 'items', after: 0n, limit: 10 })).toEqual([])
})

test('the feed state holds heads, floors, and the newest digest and snapshot of this generation', async () => {
  await change({ es: 'upsert' }, {}, {})
  await store.query(`insert into feed_floors values ('items', 500)`)
  const digest = (gen: string, mark: number, scope: string, root: string, seq = 1) =>
    store.query(`insert into digests values ($1, $2, $3, $5, 9, decode(repeat('00', 8192), 'hex'), $4)`, [
      gen,
      mark,
      scope,
      root,
      seq,
    ])
  await digest(gen, 2, 'items', 'older')
  await digest(gen, 3, 'items', 'items root')
  await digest(gen, 3, 'region/ES', 'region root')
  await digest(gen, 3, 'region/US', 'nothing', 0)
  await digest('another', 4, 'items', 'of another')
  for (const [of, seq] of [
    [gen, 2],
    [gen, 3],
    ['another', 4],
  ] as const) {
    await store.query(`insert into snapshots values ($1, $2, '2026-11-20T03:30:00Z', 7, 8, $3, null)`, [of, seq, 'sha'])
  }
  const state = await readFeedState(store)
  expect([state.updatedUs, state.scopes.map(({ scope }) => scope)]).toEqual([103n, SCOPES])
  expect(state.scopes.slice(0, 3)).toEqual([
    { scope: 'items', head: 3n, chain: Buffer.from('items 3'), floor: 500n },
    { scope: 'region/ES', head: 1n, chain: Buffer.from('region/ES 1'), floor: 0n },
    { scope: 'region/US', head: 0n, chain: chainStart(gen, 'region/US'), floor: 0n },
  ])
  expect(state.digest).toEqual({
    mark: 3n,
    scopes: [
      { scope: 'items', seq: 1n, chain: Buffer.from('items 1'), stateRoot: 'items root' },
      { scope: 'region/ES', seq: 1n, chain: Buffer.from('region/ES 1'), stateRoot: 'region root' },
      { scope: 'region/US', seq: 0n, chain: chainStart(gen, 'region/US'), stateRoot: 'nothing' },
    ],
  })
  expect(state.snapshot).toEqual({
    seq: 3n,
    createdAt: '2026-11-20T03:30:00Z',
    count: 7,
    bytes: 8,
    manifestSha: 'sha',
  })
})

test('returns changes in pages, each as its scope sees it', async () => {
  const median = '{"cents":470,"currency":"EUR","recorded_at":null}'
  await change({ es: 'upsert', former: median }, { es: 'leave' }, { op: 'delete', es: 'delete', mergedInto: 'ci_1' })
  const seen = async (scope: string, after: bigint, limit: number) =>
    readScopeChanges(await catalogOf(store), { scope, after, limit })
  expect((await seen('items', 0n, 2)).map(({ seq, op }) => [seq, op])).toEqual([
    [1n, 'upsert'],
    [2n, 'upsert'],
  ])
  expect((await seen('items', 2n, 2)).map(({ seq, op }) => [seq, op])).toEqual([[3n, 'delete']])
  const sha = (seq: number) => Uint8Array.of(seq)
  const chain = (seq: number) => new TextEncoder().encode(`region/ES ${seq}`)
  const none = { version: 3, state: null, mergedInto: null, formerMedian: null, isMarked: false }
  expect(await seen('region/ES', 0n, 9)).toEqual([
    {
      ...none,
      seq: 1n,
      itemId: 'ci_1',
      op: 'upsert',
      updatedUs: 101n,
      stateSha: sha(1),
      chain: chain(1),
      state: stateOf(1),
      formerMedian: median,
    },
    // Its state belongs to another scope.
    { ...none, seq: 2n, itemId: 'ci_2', op: 'leave', updatedUs: 102n, stateSha: sha(2), chain: chain(2) },
    {
      ...none,
      seq: 3n,
      itemId: 'ci_3',
      op: 'delete',
      updatedUs: 103n,
      stateSha: sha(3),
      chain: chain(3),
      mergedInto: 'ci_1',
    },
  ])
})

test("marks a change when a run ended before the scope's next change", async () => {
  await change({ es: 'upsert' }, {}, {}, { es: 'upsert' }, {})
  await mark(2)
  await mark(4)
  const marked = async (scope: string) =>
    readScopeChanges(await catalogOf(store), { scope, after: 0n, limit: 9 }).filter(({ isMarked }) => isMarked)
  expect((await marked('items')).map(({ seq }) => seq)).toEqual([2n, 4n])
  // The first, because change 2 is not in the region; and the last, because nothing follows it.
  expect((await marked('region/ES')).map(({ seq }) => seq)).toEqual([1n, 2n])
})
