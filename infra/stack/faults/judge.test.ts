import { chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { bucketHashes, sha256Bytes, rootOf as theirRoot } from '@catalog/core/digest.ts'
import { weightedMedian as theirMedian } from '@catalog/core/median/median.ts'
import { rational } from '@catalog/core/money/rational.ts'
import type { Append, HistoryRecord, Read } from '@catalog/stack/faults/system/history.ts'
import { expectedOf, nameOf, rootOf, weightedMedian } from '@catalog/stack/model/model.ts'
import type { FeedLine } from '@catalog/stack/model/verdict.ts'
import { event, observation, published, registration } from '@catalog/stack/testing/events.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judge, type Shown } from './judge.ts'

const GEN = '018000000000000000t3'
const [SIX, SEVEN, EIGHT] = ['2026-01-05T06:06:00Z', '2026-01-05T06:07:00Z', '2026-01-05T06:08:00Z'] as const

/** Two vendors' prices, of which the second of North is new at the second run. */
const OBSERVATIONS = [
  { vendor: 'North', cents: 90, at: '2026-01-05T06:00:00Z' },
  { vendor: 'South', cents: 110, at: '2026-01-05T06:00:00Z' },
  { vendor: 'North', cents: 100, at: '2026-01-05T06:06:30Z' },
].map((say) => observation({ ...say, name: 'brick', unit: 'u' }))
const NAMES = OBSERVATIONS.map(({ source, vendor_ref: ref, observed_at, price }) =>
  nameOf({ source: source.id, ref, atMs: Date.parse(observed_at), cents: price.cents }),
)

const run = (n: number, as_of: string, known: number) => ({
  started: event({
    type: 'RunStarted',
    decided_at: as_of,
    run_id: `run_${n}`,
    as_of,
    method: 'twm/1',
    positions: { 'vendor.observations': { 0: String(known) }, 'catalog.decisions': { 0: '2' } },
  }),
  marked: event({ type: 'RunMarked', run_id: `run_${n}`, as_of, items_published: 1 }),
})
const RUNS = [run(1, SIX, 2), run(2, SEVEN, 3), run(3, EIGHT, 3)]

function item(version: number, cents: number) {
  const whole = published({ id: 'ci_1', name: 'brick', cents, version })
  return { ...whole, state: { ...whole.state, item: { ...whole.state.item, vendor_count: 2 } } }
}

const textsOf = (items: readonly object[]) => ({
  observations: [OBSERVATIONS.map((observed) => JSON.stringify(observed))],
  decisions: [
    ...['North', 'South'].map((vendor) => registration({ vendor, trust: 40 })),
    ...RUNS.map(({ started }) => started),
  ].map((decided) => JSON.stringify(decided)),
  items: items.map((published) => JSON.stringify(published)),
})
const [FIRST, SECOND, THIRD] = RUNS.map(({ marked }) => marked) as [object, object, object]
const ITEMS = [item(1, 100), FIRST, item(2, 105), SECOND, THIRD]

/** What a catalog shows that did all as the model of its log says. */
function shownOf(items: readonly object[] = ITEMS): Shown {
  const texts = textsOf(items)
  const { observations, deliveries, changes, active } = expectedOf(texts, GEN)
  const states = items.flatMap((each) => ('state' in each ? [each.state] : [])) as FeedLine['state'][]
  const feed = (changes.get('items') ?? []).map(({ seq, op, itemId: id, sha, chain }, i) => {
    return { seq, op, id, chain, ...(sha && { sha256: sha }), state: states[i] } as FeedLine
  })
  return {
    texts,
    generation: GEN,
    tables: {
      observations: [...observations],
      deliveries: [...deliveries],
      parked: [],
      changes: [...changes].flatMap(([scope, all]) =>
        all.map((change) => ({ ...change, scope, sha: change.sha ?? '' })),
      ),
      active,
    },
    read: new Map([['items', feed]]),
    mirror: { scope: 'items', rows: active },
    mirrored: { gen: GEN, seq: feed.length },
    digest: { seq: feed.length, root: rootOf(active) },
    prices: new Map([['brick', '105']]),
    isVerified: true,
    isSearchBack: true,
  }
}
const WHOLE = shownOf()
const [ONE, TWO] = WHOLE.read.get('items') as [FeedLine, FeedLine]

const append: Append = {
  kind: 'append',
  client: 'stream',
  observations: NAMES,
  result: 'acknowledged',
  beganMs: 0,
  endedMs: 1,
}
const read: Read = {
  kind: 'read',
  client: 'reader',
  beganMs: 10,
  atMs: 20,
  asked: 'items',
  status: 200,
  isEmpty: false,
  prices: [['brick', 105]],
}
const SCHEDULE = { runEveryMs: 60_000, isEveryInstant: true, afterMs: Date.parse('2026-01-05T06:06:30Z') }
const missesOf = (shown: Partial<Shown> = {}, more: readonly HistoryRecord[] = []) =>
  judge([append, read, ...more], { ...WHOLE, ...shown }, SCHEDULE).misses.join('\n')

test('a history without a fault has no miss, and its figures are counted', () => {
  expect(missesOf()).toBe('')
  expect(judge([append, read], WHOLE, SCHEDULE).counts).toMatchObject({
    acknowledged: 3,
    uncertain: 0,
    applied: 3,
    published: 3,
    fed: 2,
    mirrored: 1,
    reads: 1,
  })
})

const tables = (changed: Partial<Shown['tables']>) => ({ tables: { ...WHOLE.tables, ...changed } })
const fed = (...lines: FeedLine[]) => ({ read: new Map([['items', lines]]) })
const PLANTED: readonly (readonly [what: string, shown: Partial<Shown>, miss: string])[] = [
  ['a lost observation', tables({ observations: NAMES.slice(1) }), 'acknowledged observations are lost: '],
  ['a doubled observation', tables({ observations: [...NAMES, NAMES[0] as string] }), 'observations are doubled: '],
  ['an observation of nobody', tables({ observations: [...NAMES, 'x'] }), 'observations nobody appended: x'],
  ['a lost delivery', tables({ deliveries: WHOLE.tables.deliveries.slice(1) }), 'deliveries are lost: '],
  ['a dead letter of a good record', tables({ parked: [{ place: 'a/0/1', reason: 'why' }] }), 'dead letters nobody'],
  ['a lost change', tables({ changes: WHOLE.tables.changes.slice(1) }), 'changes of items: expected '],
  ['a lost item', tables({ active: new Map() }), 'items differ: ci_1'],
  [
    'a price that is not the weighted median',
    shownOf([item(1, 101), FIRST]),
    'run run_1: brick: expected {"cents":100',
  ],
  ['an instant published twice', shownOf([...ITEMS, run(4, EIGHT, 3).marked]), 'runs are published twice: '],
  ['an instant left out', shownOf([...ITEMS.slice(0, 3), THIRD]), 'due instants are not published: 2026-01-05T06:07'],
  ['runs in the wrong order', shownOf([...ITEMS.slice(0, 3), THIRD, SECOND]), 'runs went back: run_2'],
  [
    'a run at no instant',
    shownOf([...ITEMS, run(4, '2026-01-05T06:08:30Z', 3).marked]),
    'at no instant of the schedule',
  ],
  ['a hole of the feed', fed(ONE, { ...TWO, seq: 3 }), 'feed of items: expected '],
  ['a rewritten feed', fed({ ...ONE, chain: TWO.chain }, TWO), 'feed of items: expected '],
  [
    'a state that is not what its hash says',
    fed({ ...ONE, ...(TWO.state && { state: TWO.state }) }, TWO),
    'states of other hashes: 1',
  ],
  [
    'a mirror with other bytes',
    { mirror: { scope: 'items', rows: new Map([['ci_1', '{}']]) } },
    'mirror of items differ',
  ],
  ['a mirror that stays behind', { mirrored: { gen: GEN, seq: 1 } }, `the mirror stands at ${GEN} 1`],
  ['a digest of other rows', { digest: { seq: 2, root: 'x' } }, 'the digest has another root'],
  ['a digest that stays behind', { digest: { seq: 1, root: '' } }, 'the last digest stands at 1'],
  ['a wrong price in a list', { prices: new Map([['brick', '100']]) }, 'prices that the API lists differ: brick'],
  ['tables that are not the fold', { isVerified: false }, 'catalog verify does not hold'],
  ['a search that finds nothing', { isSearchBack: false }, 'search does not find what it found before'],
]

test.each(PLANTED)('the judgement finds %s', (_, shown, miss) => {
  expect(missesOf(shown)).toContain(miss)
})

test('it finds appends, reads and mirrors that went wrong', () => {
  const cases: readonly (readonly [HistoryRecord, string])[] = [
    [{ ...append, observations: ['x'] }, 'acknowledged observations are lost: x'],
    [{ ...append, observations: ['x'], result: 'unknown' }, ''],
    [{ ...read, status: 500, failure: 'oh' }, 'reads failed: 500 for items of the reader at 0 s (oh)'],
    [{ ...read, status: 0, failure: 'reset' }, 'reads failed: 0 for items of the reader at 0 s (reset)'],
    [{ ...read, status: 503, failure: '{"error":"overloaded"}' }, ''],
    [{ ...read, asked: 'search', status: 503 }, ''],
    [{ ...read, isEmpty: true }, 'reads answered 200 with nothing: items of the reader at 0 s'],
    [
      { ...read, prices: [['brick', 1]] },
      'read prices were never published: brick for 1 in items of the reader at 0 s',
    ],
    [{ kind: 'hostile', values: ['{'] }, 'acknowledged records are not in the log: {'],
  ]
  for (const [record, miss] of cases) expect(missesOf({}, [record])).toBe(miss)
  const steps = [2, 1].map((seq): HistoryRecord => ({ kind: 'mirror', atMs: 0, seq }))
  expect(missesOf({}, steps)).toBe('the mirror went back: 1')
  expect(
    missesOf({}, [
      { ...read, status: 0 },
      { kind: 'away', fromMs: 15, toMs: 30 },
    ]),
  ).toBe('')
})

test('a later instant takes the place of one that a fault covered, and of no other', () => {
  const without = shownOf([...ITEMS.slice(0, 3), THIRD])
  const fault = (to: string): HistoryRecord => ({ kind: 'fault', name: 'postgres-away', from: SEVEN, to })
  expect(missesOf(without, [fault('2026-01-05T06:07:40Z')])).toBe('')
  expect(missesOf(without, [fault('2026-01-05T06:07:20Z')])).toContain('due instants')
})

test('median, chain and root of the model are those of the catalog, which it does not know', () => {
  const vote = fc.record({ cents: fc.integer({ min: 1, max: 50 }), trust: fc.integer({ min: 1, max: 4 }) })
  fc.assert(
    fc.property(fc.array(vote, { minLength: 1, maxLength: 7 }), (votes) => {
      const theirs = theirMedian(votes.map(({ cents, trust }) => ({ price: rational(BigInt(cents)), weight: trust })))
      expect(BigInt(weightedMedian(votes) as number)).toBe(theirs?.cents)
    }),
  )
  const states = new Map(Array.from({ length: 600 }, (_, n) => [`ci_${n}`, `state ${n}`]))
  const entries = [...states].map(([id, state]) => ({ id, sha: sha256Bytes(state) }))
  expect(rootOf(states)).toBe(theirRoot(bucketHashes(entries)))
  const sha = Buffer.from(ONE.sha256 as string, 'hex')
  const chain = chainNext({ chain: chainStart(GEN, 'items'), rseq: 1n, op: 'upsert', itemId: 'ci_1', sha })
  expect(ONE.chain).toBe(chain.toString('hex'))
})
