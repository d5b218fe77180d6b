import { event } from '@catalog/stack/testing/events.ts'
import { describe, expect, test } from 'vitest'
import { applyMembership, emptyMembership, type MembershipEvent } from './membership.ts'

const told = { decided_at: '2026-01-11T00:00:00Z', reason: 'another board' }
/** A SKU's name ends in its source: `a1` is of source `1`. */
const founded = (sku: string) =>
  event({
    type: 'SkuMatched',
    decided_at: '2026-01-10T00:00:00Z',
    vendor_sku_id: sku,
    source_id: sku.slice(1),
    item_id: `ci_${sku}`,
    founding: { n: 0, unit: 'm2' },
    rule_version: 'exact/1',
    keys: [],
    by: 'rule',
    evidence: {},
  })
const merged = (from: string, into: string) =>
  event({ type: 'ItemsMerged', from_item_id: `ci_${from}`, into_item_id: `ci_${into}`, ...told })
const apart = (a: string, b: string) => event({ type: 'SkusKeptApart', vendor_sku_ids: [a, b], ...told })
const moved = (sku: string, item: string) => event({ ...founded(sku), item_id: `ci_${item}`, founding: undefined })

/** The state after some events, and the conflict of the last one. */
function after(...events: MembershipEvent[]) {
  const state = emptyMembership()
  let outcome: ReturnType<typeof applyMembership>
  for (const each of events) outcome = applyMembership(state, each)
  return { state, outcome }
}

describe('two SKUs that a person keeps apart', () => {
  test('do not meet through a merge of their items', () => {
    const { state, outcome } = after(founded('a1'), founded('b2'), apart('a1', 'b2'), merged('b2', 'a1'))
    expect(outcome).toMatchObject({ code: 'KEPT_APART' })
    expect(outcome?.conflict).toBe('b2 is kept apart from a1 of ci_a1 since 2026-01-11T00:00:00Z: another board')
    expect(state.itemOf.get('b2')).toBe('ci_b2')
  })

  test('do not meet through a match of either', () => {
    for (const match of [moved('a1', 'b2'), moved('b2', 'a1')]) {
      const { state, outcome } = after(founded('a1'), founded('b2'), apart('a1', 'b2'), match)
      expect(outcome).toMatchObject({ code: 'KEPT_APART' })
      expect([state.itemOf.get('a1'), state.itemOf.get('b2')]).toEqual(['ci_a1', 'ci_b2'])
    }
  })

  test('do not meet through a third SKU', () => {
    const three = [founded('a1'), founded('b2'), founded('c3'), apart('a1', 'b2'), merged('c3', 'a1')]
    expect(after(...three).outcome).toBeUndefined()
    expect(after(...three, merged('b2', 'c3')).outcome).toMatchObject({ code: 'KEPT_APART' })
  })

  test('stay together when the decision comes after a merge', () => {
    const { state, outcome } = after(founded('a1'), founded('b2'), merged('b2', 'a1'), apart('a1', 'b2'))
    expect(outcome).toBeUndefined()
    expect(state.itemOf.get('b2')).toBe('ci_a1')
  })

  test('are apart since the first decision on them', () => {
    const { state } = after(apart('a1', 'b2'), { ...apart('a1', 'b2'), decided_at: '2026-02-01T00:00:00Z' })
    expect(state.apart.get('b2')?.get('a1')?.since).toBe('2026-01-11T00:00:00Z')
  })
})

test('a conflict names its SKUs and items', () => {
  expect(after(merged('a1', 'b2')).outcome).toMatchObject({ code: 'NOT_FOUNDED' })
  expect(after(founded('a1'), founded('b1'), merged('b1', 'a1')).outcome).toMatchObject({ code: 'ONE_SOURCE' })
  expect(after(founded('a1'), founded('b1'), moved('b1', 'a1')).outcome).toMatchObject({ code: 'ONE_SOURCE' })
})
