import { expect, test } from 'vitest'
import { auditSample } from './audits.ts'

/** Half a minute alone; seven times as long beside other work. */
const TIMEOUT_MS = 900_000

test(
  'the sample holds every row of the specification and of habits, and adds no key',
  async () => {
    const verdicts = await auditSample(() => {})
    expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
    const totals = Object.fromEntries(verdicts.flatMap(({ judge, counts }) => (counts ? [[judge, counts.rows]] : [])))
    expect(totals.specification).toBeGreaterThanOrEqual(300)
    expect(totals.habits).toBeGreaterThanOrEqual(200)
  },
  TIMEOUT_MS,
)
