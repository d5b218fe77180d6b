import type { ItemPublished } from '@catalog/core/events/items.ts'
import { published } from '@catalog/stack/testing/events.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chainNext, chainStart, evolve, type Heads, type ItemRow } from './change.ts'
import { materialSha } from './public-state.ts'

const start: Heads = { gen: 'g1', updatedUs: 0n, scopes: new Map() }

/** Folds events over one catalog; returns the outcomes and the final state. */
function foldAll(events: readonly ItemPublished[]) {
  let heads = start
  const rows = new Map<string, ItemRow>()
  const outcomes = events.map((event) => {
    const outcome = evolve(rows.get(event.item_id) ?? null, heads, event)
    if (outcome.kind === 'change') {
      heads = outcome.heads
      rows.set(event.item_id, outcome.row)
    }
    return outcome
  })
  return { outcomes, heads, rows }
}

const arbitraryEvents = fc
  .array(
    fc.record({
      id: fc.constantFrom('ci_a', 'ci_b', 'ci_c'),
      cents: fc.integer({ min: 1, max: 4 }),
      regions: fc.subarray(['ES', 'EU', 'US']),
      gone: fc.boolean(),
      day: fc.integer({ min: 1, max: 28 }),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    const versions = new Map<string, number>()
    return steps.map(({ id, cents, regions, gone, day }) => {
      versions.set(id, (versions.get(id) ?? 0) + 1)
      return published({
        id,
        cents,
        regions,
        state: gone ? 'gone' : 'active',
        version: versions.get(id) as number,
        asOf: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`,
      })
    })
  })

describe('the item fold', () => {
  test('numbers changes 1, 2, 3 ... in every scope, and `updated` always rises', () => {
    fc.assert(
      fc.property(arbitraryEvents, (events) => {
        const changes = foldAll(events).outcomes.filter((outcome) => outcome.kind === 'change')
        expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, i) => BigInt(i + 1)))
        const scopes = Map.groupBy(
          changes.flatMap(({ scopes }) => scopes),
          ({ scope }) => scope,
        )
        for (const entries of scopes.values()) {
          expect(entries.map(({ rseq }) => rseq)).toEqual(entries.map((_, i) => BigInt(i + 1)))
        }
        changes.reduce((before, { updatedUs }) => {
          expect(updatedUs).toBeGreaterThan(before)
          return updatedUs
        }, 0n)
      }),
    )
  })

  test('shows an item in a region exactly while the item is in it', () => {
    fc.assert(
      fc.property(arbitraryEvents, (events) => {
        const { outcomes, rows } = foldAll(events)
        const present = new Set<string>()
        outcomes.forEach((outcome, i) => {
          if (outcome.kind !== 'change') return
          for (const { scope, op } of outcome.scopes) {
            const key = `${scope} ${events[i]?.item_id}`
            if (op === 'upsert') present.add(key)
            else present.delete(key)
          }
        })
        const expected = [...rows].flatMap(([id, { regions }]) => regions.map((region) => `region/${region} ${id}`))
        expect([...present].filter((key) => key.startsWith('region/')).sort()).toEqual(expected.sort())
      }),
    )
  })

  test('applies an event that arrives twice once', () => {
    fc.assert(
      fc.property(arbitraryEvents, fc.nat(), (events, at) => {
        const once = foldAll(events)
        const index = events.length === 0 ? 0 : at % events.length
        const twice = foldAll(events.flatMap((event, i) => (i === index ? [event, event] : [event])))
        expect(twice.heads).toEqual(once.heads)
      }),
    )
  })

  test('makes no change for a re-observation at the same price', () => {
    const first = published({ id: 'ci_a', cents: 100, asOf: '2026-01-05T00:00:00Z' })
    const again = published({ id: 'ci_a', cents: 100, asOf: '2026-01-12T00:00:00Z', observations: 9, version: 2 })
    expect(materialSha(again.state).equals(materialSha(first.state))).toBe(true)
    expect(foldAll([first, again]).outcomes.map(({ kind }) => kind)).toEqual(['change', 'basis'])
  })

  test('rejects an old version with another state as stale', () => {
    const events = [
      published({ id: 'ci_a', cents: 100, version: 1 }),
      published({ id: 'ci_a', cents: 200, version: 2 }),
      published({ id: 'ci_a', cents: 300, version: 2 }),
    ]
    expect(foldAll(events).outcomes.map(({ kind }) => kind)).toEqual(['change', 'change', 'stale'])
  })

  test('deletes a merged item in each of its regions', () => {
    const { outcomes } = foldAll([
      published({ id: 'ci_a', cents: 100, regions: ['ES', 'EU'] }),
      published({ id: 'ci_a', cents: 100, regions: ['ES', 'EU'], state: 'merged', mergedInto: 'ci_b', version: 2 }),
    ])
    const last = outcomes[1]
    if (last?.kind !== 'change') throw new Error('expected a change')
    expect(last.scopes.map(({ scope, op }) => `${scope} ${op}`)).toEqual([
      'items delete',
      'region/ES delete',
      'region/EU delete',
    ])
  })

  test('starts and continues the chain by protocol ccm/1', () => {
    // Computed by another implementation (Python hashlib) from the definition.
    const zero = chainStart('g1', 'items')
    expect(zero.toString('hex')).toBe('d6bc2aeaecbbe8293fc9319511c4f0f9f350c98f3908a3687c116b418e11cde1')
    const sha = Buffer.alloc(32, 7)
    const one = chainNext({ chain: zero, rseq: 1n, op: 'upsert', itemId: 'ci_a', sha })
    expect(one.toString('hex')).toBe('ff4ccb6ada40b96c8de86916bc0bd8d04a324e25f052b7d54aaccc9dda7dfc20')
    const two = chainNext({ chain: one, rseq: 2n, op: 'delete', itemId: 'ci_a', sha })
    expect(two.toString('hex')).toBe('31d311049dcedde4189051a4de1fa455ddf037025c3d87c71beb2af7f3942e72')
  })
})
