import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mirrorsAreEqual, newTally } from './mirror-run.ts'
import type { Fault } from './origin-fold.ts'

/** Histories of at most 200 commands each; without TEST_RUNS the same ones each time. */
const RUNS = Number(process.env.TEST_RUNS ?? 30)
const TIMEOUT_MS = 300_000 + 2_000 * RUNS

test('mirrors equal the origin whatever origin, caches and power supply do', {
  timeout: TIMEOUT_MS,
}, async () => {
  const tally = newTally()
  const { failed, errorInstance, seed } = await fc.check(mirrorsAreEqual(tally), {
    numRuns: RUNS,
    endOnFailure: true,
    ...(process.env.TEST_RUNS === undefined && { seed: 1 }),
  })
  expect(failed, `seed ${seed}: ${(errorInstance as Error | null)?.message}`).toBe(false)
  // Every way for a poll to end occurred many times.
  for (const [way, times] of Object.entries(tally)) expect(times, way).toBeGreaterThan(RUNS / 10)
})

test.each<[Fault, number]>([
  ['seq before commit', 20],
  ['archive of current state', 20],
  ['region of global seq', 20],
  ['one updated a night', 20],
  ['no new gen after restore', 20],
])('an origin with the fault "%s" is found out within %i histories', { timeout: TIMEOUT_MS }, async (fault, runs) => {
  const { failed } = await fc.check(mirrorsAreEqual(newTally(), fault), { numRuns: runs, endOnFailure: true })
  expect(failed).toBe(true)
})
