import { expect, test } from 'vitest'
import { reportText } from './report.ts'
import type { RunReport, Struck } from './run.ts'

const counts = {
  acknowledged: 100,
  uncertain: 1,
  applied: 100,
  published: 2,
  fed: 50,
  mirrored: 40,
  reads: 10,
  refusedSearches: 0,
  shed: 0,
  agentReads: 5,
}

const struck = (seed: number, applying_after_ms: number): Struck => ({
  seed,
  name: 'resets',
  kind: 'network',
  at_ms: 1_000,
  healed_ms: 2_000,
  applying_after_ms,
  bound_ms: 15_000,
  lag_ms: null,
  whole_after_ms: 3_000,
  note: 'three times',
})

const report = (seed: number, faults: readonly Struck[], lost: number): RunReport => ({
  plans: [{ seed, acknowledged: 100, misses: [] }],
  seconds: 60,
  brokers: 1,
  faults,
  restarts: {},
  verdict: { counts, misses: [] },
  misses: lost === 0 ? [] : [`${lost} acknowledged observations are lost`],
})

const REPORTS = [report(3, [struck(3, 4_000)], 0), report(4, [struck(4, 16_000), struck(4, 100)], 2)]

test('several seeds are one table of faults by kind with their slowest recovery, and one sum of every figure', () => {
  const text = reportText(REPORTS)
  expect(text).toMatch(/network +resets +3 +16 +15 +1\n/)
  expect(text).toContain('seeds 3, 4, 3 faults, 120 s: acknowledged 200,')
  expect(text).toContain('\nseed 4: 2 acknowledged observations are lost')
})

test('a seed alone is named as one', () => {
  const alone = REPORTS.slice(0, 1)
  expect(reportText(alone)).toMatch(/seed 3, 1 faults, 60 s: .*\nnothing is lost, doubled or wrong$/)
})
