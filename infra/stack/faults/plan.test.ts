import { INJECTIONS } from '@catalog/stack/faults/injections/injections.ts'
import { expect, test } from 'vitest'
import { planOf, planText } from './plan.ts'

const plan = (seed: number, minutes?: number) => planOf({ seed, injections: INJECTIONS, minutes })
const namesOf = (seed: number, minutes?: number) =>
  plan(seed, minutes).steps.flatMap(({ faults }) => faults.map(({ injection }) => injection.name))

test('a seed gives one plan: each fault once, some two at once, and never two of one kind', () => {
  expect(planText(plan(7))).toBe(planText(plan(7)))
  expect(planText(plan(7))).not.toBe(planText(plan(8)))
  expect(namesOf(7).toSorted()).toEqual(INJECTIONS.map(({ name }) => name).toSorted())
  const pairs = [1, 2, 3].flatMap((seed) => plan(seed).steps.filter(({ faults }) => faults.length === 2))
  expect(pairs.length).toBeGreaterThan(10)
  for (const { faults } of pairs) expect(new Set(faults.map(({ injection }) => injection.kind)).size).toBe(2)
})

test('a plan of some minutes holds what usually fits, at least one step, and begins again after the last', () => {
  expect(plan(7, 0.1).steps).toHaveLength(1)
  const long = plan(7, 60)
  expect(namesOf(7, 60).length).toBeGreaterThan(INJECTIONS.length)
  expect(long.seconds).toBeGreaterThanOrEqual(3_600)
  expect(long.needs).toContain('brokers')
})
