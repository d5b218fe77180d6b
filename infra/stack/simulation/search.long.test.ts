import { expect, test } from 'vitest'
import { type Found, openSearch, searchApart } from './search.ts'

/** Two processes start, on a machine that others use too. */
const TIMEOUT_MS = 300_000

test('histories in several processes give what they give in one, and are told of meanwhile', {
  timeout: TIMEOUT_MS,
}, async () => {
  const range = { seed: 1, histories: 25 }
  const told: number[] = []
  const apart = await searchApart(range, 2, (part, sum) => told.push(part.histories, sum.histories))
  await using search = await openSearch()
  const here = await search.run(range)
  expect(facts(apart)).toEqual(facts(here))
  expect(here.totals.changes).toBeGreaterThan(25)
  expect(told.filter((_, i) => i % 2 === 0).sort()).toEqual([10, 10, 5])
  expect(told.at(-1)).toBe(25)
})

const facts = ({ totals: { cpuMs, ...totals }, ...found }: Found) => ({ ...found, totals })
