import { chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { bucketHashes, canonicalJson, sha256Bytes, rootOf as theirRoot } from '@catalog/core/digest.ts'
import { weightedMedian as theirMedian } from '@catalog/core/median/median.ts'
import { rational } from '@catalog/core/money/rational.ts'
import type { Append, AppliedRow, Change, HistoryRecord, Read } from '@catalog/stack/faults/system/history.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judge, rootOf, weightedMedian } from './model.ts'

const GEN = '2026-01-05t3'
const [FIRST, SECOND] = ['2026-01-05T06:00:00Z', '2026-01-05T06:05:00Z']

const append = (vendor: string, cents: number, more: Partial<Append> = {}): Append => ({
  kind: 'append',
  client: 'stream',
  vendor,
  observedAt: FIRST,
  prices: [['brick', cents]],
  result: 'acknowledged',
  beganMs: 0,
  endedMs: 1,
  ...more,
})
const APPENDS = [
  append('North', 90),
  append('North', 100, { observedAt: SECOND }),
  append('South', 110),
  append('Coast', 130),
  append('Coast', 999, { observedAt: '2026-01-05T06:01:00Z', result: 'unknown' }),
]
const ROWS: AppliedRow[] = [
  ['North', 'brick', FIRST, 90],
  ['North', 'brick', SECOND, 100],
  ['South', 'brick', FIRST, 110],
  ['Coast', 'brick', FIRST, 130],
]

/** A feed whose hashes and chain the catalog's own functions made: two prices of one item. */
function feedOf(prices: readonly number[]): Change[] {
  let chain = chainStart(GEN, 'items')
  return prices.map((cents, i) => {
    const state = { item: { name: 'brick', median_price: { cents } } }
    const sha = sha256Bytes(canonicalJson(state))
    chain = chainNext({ chain, rseq: BigInt(i + 1), op: 'upsert', itemId: 'ci_1', sha })
    return { seq: i + 1, op: 'upsert', id: 'ci_1', sha256: sha.toString('hex'), chain: chain.toString('hex'), state }
  })
}
const CHANGES = feedOf([105, 110])
const HEAD = CHANGES[1] as Change
const MIRRORED = [[HEAD.id, HEAD.sha256 as string]] as const

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

const WHOLE = {
  run: {
    kind: 'run',
    seed: 1,
    trust: { North: 40, South: 40, Coast: 50 },
    runEveryMs: 60_000,
    isEveryInstant: true,
    after: '2026-01-05T06:06:30Z',
  },
  applied: { kind: 'applied', rows: ROWS },
  published: { kind: 'published', instants: ['2026-01-05T06:06:00Z', '2026-01-05T06:07:00Z', '2026-01-05T06:08:00Z'] },
  fed: { kind: 'fed', gen: GEN, changes: CHANGES },
  mirrored: { kind: 'mirrored', gen: GEN, seq: 2, items: MIRRORED },
  digest: { kind: 'digest', seq: 2, root: rootOf(MIRRORED) },
  shown: { kind: 'shown', prices: [['brick', 110]] },
  deadLetters: { kind: 'dead letters', count: 0 },
  checked: { kind: 'checked', isVerified: true, isSearchBack: true },
} as const satisfies Record<string, HistoryRecord>

const missesOf = (
  changed: { [Name in keyof typeof WHOLE]?: HistoryRecord } = {},
  more: readonly HistoryRecord[] = [],
) => judge([...Object.values({ ...WHOLE, ...changed }), ...APPENDS, read, ...more]).misses

test('a history without a fault has no miss, and its figures are counted', () => {
  expect(missesOf()).toEqual([])
  expect(judge([...Object.values(WHOLE), ...APPENDS, read])).toMatchObject({
    counts: { acknowledged: 4, uncertain: 1, applied: 4, published: 3, fed: 2, mirrored: 1, reads: 1 },
    lost: 0,
    doubled: 0,
  })
  const uncertain: AppliedRow = ['Coast', 'brick', '2026-01-05T06:01:00Z', 999]
  expect(missesOf({ applied: { kind: 'applied', rows: [...ROWS, uncertain] } })).toEqual([])
})

const applied = (rows: readonly AppliedRow[]) => ({ applied: { kind: 'applied', rows } as const })
const published = (...instants: string[]) => ({ published: { kind: 'published', instants } as const })
const fed = (changes: readonly Change[]) => ({ fed: { kind: 'fed', gen: GEN, changes } as const })
const [SIX, SEVEN, EIGHT] = WHOLE.published.instants
const [ONE, TWO] = CHANGES as [Change, Change]

const PLANTED: readonly (readonly [
  what: string,
  changed: Parameters<typeof missesOf>[0],
  misses: readonly string[],
])[] = [
  [
    'a lost observation',
    applied(ROWS.slice(1)),
    [`1 acknowledged observations are lost: brick of North at ${FIRST} for 90`],
  ],
  [
    'a doubled observation',
    applied([...ROWS, ROWS[0] as AppliedRow]),
    [`1 observations are applied twice: brick of North at ${FIRST} for 90`],
  ],
  [
    'an observation at another price',
    applied([['North', 'brick', FIRST, 91], ...ROWS.slice(1)]),
    [
      `1 acknowledged observations are lost: brick of North at ${FIRST} for 90`,
      `1 observations are applied that nobody appended: brick of North at ${FIRST} for 91`,
    ],
  ],
  ['an instant published twice', published(SIX, SEVEN, SEVEN, EIGHT), [`1 instants are published twice: ${SEVEN}`]],
  [
    'an instant left out',
    published(SIX, EIGHT),
    [`1 due instants are not published: ${new Date(SEVEN).toISOString()}`],
  ],
  [
    'runs in the wrong order',
    published(SIX, EIGHT, SEVEN, EIGHT.replace('08', '09')),
    [`1 runs are before the one that precedes them: ${SEVEN}`],
  ],
  [
    'a run at no instant',
    published(SIX, SEVEN, '2026-01-05T06:07:30Z', EIGHT),
    ['1 runs are at no instant of the schedule: 2026-01-05T06:07:30Z'],
  ],
  [
    'a wrong price shown',
    { shown: { kind: 'shown', prices: [['brick', 105]] } },
    ['1 items show another price than the weighted median: brick for 105 instead of 110'],
  ],
  ['a hole of the feed', fed([ONE, { ...TWO, seq: 3 }]), ['the feed has number 3 where 2 was expected']],
  [
    'a state that is not what its hash says',
    fed([{ ...ONE, state: { item: { name: 'brick', median_price: { cents: 104 } } } }, TWO]),
    [
      '1 changes of the feed are wrong: state 1 has another hash',
      '1 read prices were never published: brick for 105 in items of the reader at 0 s',
    ],
  ],
  [
    'a rewritten feed',
    fed([{ ...ONE, id: 'ci_2' }, TWO]),
    ['the chain of the feed breaks at 1', '1 items differ between mirror and feed: ci_2'],
  ],
  [
    'a mirror with other bytes',
    { mirrored: { ...WHOLE.mirrored, items: [['ci_1', ONE.sha256 as string]] } },
    ['1 items differ between mirror and feed: ci_1', `the mirror's root is not the origin's at 2`],
  ],
  [
    'a mirror that stays behind',
    { mirrored: { ...WHOLE.mirrored, seq: 1 } },
    ['the mirror stands at 1, the feed at 2'],
  ],
  [
    'tables that are not the fold',
    { checked: { ...WHOLE.checked, isVerified: false } },
    ['catalog verify does not hold'],
  ],
  [
    'a search that finds nothing',
    { checked: { ...WHOLE.checked, isSearchBack: false } },
    ['search does not find what it found before'],
  ],
  [
    'dead letters of good records',
    { deadLetters: { kind: 'dead letters', count: 1 } },
    ['1 records are dead letters, though none was hostile'],
  ],
]

test.each(PLANTED)('the model finds %s', (_, changed, misses) => {
  expect(missesOf(changed).filter((miss) => !/published at another price/.test(miss))).toEqual(misses)
})

test('the model finds a published price that is not the weighted median', () => {
  const changes = feedOf([105, 111])
  expect(missesOf({ ...fed(changes), shown: { kind: 'shown', prices: [['brick', 111]] } })).toContain(
    '1 items are published at another price than the weighted median: brick for 111 instead of 110',
  )
})

test('the model finds reads that failed, were empty, or showed a price of nobody, and a mirror that went back', () => {
  const cases: readonly (readonly [HistoryRecord, string])[] = [
    [{ ...read, status: 500, failure: 'oh' }, '1 reads failed: 500 for items of the reader at 0 s (oh)'],
    [{ ...read, status: 0, failure: 'reset' }, '1 reads failed: 0 for items of the reader at 0 s (reset)'],
    [{ ...read, isEmpty: true }, '1 reads answered 200 with nothing: items of the reader at 0 s'],
    [
      { ...read, prices: [['brick', 1]] },
      '1 read prices were never published: brick for 1 in items of the reader at 0 s',
    ],
  ]
  for (const [record, miss] of cases) expect(missesOf({}, [record])).toEqual([miss])
  const steps = [2, 1].map((seq): HistoryRecord => ({ kind: 'mirror', atMs: 0, seq }))
  expect(missesOf({}, steps)).toEqual(['1 times the mirror went back: 1'])
  const hostile: HistoryRecord = { kind: 'hostile', records: 2, result: 'acknowledged' }
  expect(missesOf({}, [hostile])).toEqual(['0 of 2 hostile records are dead letters'])
  expect(missesOf({}, [{ ...read, asked: 'search', status: 503 }])).toEqual([])
  expect(
    missesOf({}, [
      { ...read, status: 0 },
      { kind: 'away', fromMs: 15, toMs: 30 },
    ]),
  ).toEqual([])
})

test('a later instant takes the place of one that a fault covered, and of no other', () => {
  const fault = (to: string): HistoryRecord => ({ kind: 'fault', name: 'postgres-away', from: SEVEN, to })
  expect(missesOf(published(SIX, EIGHT), [fault('2026-01-05T06:07:40Z')])).toEqual([])
  expect(missesOf(published(SIX, EIGHT), [fault('2026-01-05T06:07:20Z')])).toHaveLength(1)
  expect(missesOf({}, [{ ...read, status: 503, failure: '{"error":"overloaded"}' }])).toEqual([])
})

test('a history that lacks a record is refused', () => {
  expect(() => judge([...Object.values(WHOLE).slice(1), ...APPENDS])).toThrow("expected one record 'run'")
})

test('the median and the root of the model are those of the catalog, which it does not know', () => {
  const vote = fc.record({ cents: fc.integer({ min: 1, max: 50 }), weight: fc.integer({ min: 1, max: 4 }) })
  fc.assert(
    fc.property(fc.array(vote, { minLength: 1, maxLength: 7 }), (votes) => {
      const theirs = theirMedian(votes.map(({ cents, weight }) => ({ price: rational(BigInt(cents)), weight })))
      expect(BigInt(weightedMedian(votes))).toBe(theirs?.cents)
    }),
  )
  const items = Array.from({ length: 600 }, (_, n) => [`ci_${n}`, sha256Bytes(`state ${n}`).toString('hex')] as const)
  const entries = items.map(([id, sha]) => ({ id, sha: Buffer.from(sha, 'hex') }))
  expect(rootOf(items)).toBe(theirRoot(bucketHashes(entries)))
})
