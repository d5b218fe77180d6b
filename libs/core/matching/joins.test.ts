import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apartByPairs, decideJoins, type Join, type JoinEdge, type JoinItem } from './joins.ts'

const free = apartByPairs(() => false)

/**
 * An item named after its founder, with one SKU per source: `item('a', 'a1 b2')` has a1 of source 1, b2 of source 2.
 */
function item(skus: string, more: Partial<JoinItem> = {}): JoinItem {
  const members = skus.split(' ').map((vendorSkuId) => ({ vendorSkuId, sourceId: `src_${vendorSkuId.slice(1)}` }))
  const founderId = skus.split(' ').sort()[0] as string
  return { itemId: `ci_${founderId}`, founderId, isSettled: false, joinedTo: null, members, ...more }
}
const edge = (a: string, b: string, score = 0.9): JoinEdge => ({ a, b, score })
const said = (joins: readonly Join[]) => joins.map(({ fromItemId, intoItemId }) => `${fromItemId} > ${intoItemId}`)

describe('items are joined', () => {
  test('into the one with the smallest founder', () => {
    expect(said(decideJoins([item('b2'), item('a1'), item('c3')], [edge('c3', 'b2'), edge('b2', 'a1')], free))).toEqual(
      ['ci_b2 > ci_a1', 'ci_c3 > ci_a1'],
    )
  })

  test('into the settled item, whatever its founder', () => {
    const items = [item('a1'), item('z2', { isSettled: true })]
    expect(said(decideJoins(items, [edge('a1', 'z2')], free))).toEqual(['ci_a1 > ci_z2'])
  })

  test('by the strongest remaining pair, where one excludes another', () => {
    const items = [item('a1'), item('b1'), item('c2')]
    expect(said(decideJoins(items, [edge('a1', 'c2', 0.91), edge('b1', 'c2', 0.95)], free))).toEqual(['ci_c2 > ci_b1'])
  })

  test('with the pair that joined them as evidence, and the smaller id first in it', () => {
    const [join] = decideJoins([item('a1 b2'), item('c3')], [edge('c3', 'a1', 0.8), edge('c3', 'b2', 0.9)], free)
    expect(join?.edge).toEqual({ a: 'b2', b: 'c3', score: 0.9 })
  })

  test('by equal scores in the order of the ids', () => {
    const items = [item('c2'), item('b1'), item('a1')]
    expect(said(decideJoins(items, [edge('b1', 'c2'), edge('a1', 'c2')], free))).toEqual(['ci_c2 > ci_a1'])
  })
})

describe('items stay apart', () => {
  test('when together they held two SKUs of one source', () => {
    expect(decideJoins([item('a1 b2'), item('c3 d2')], [edge('a1', 'c3')], free)).toEqual([])
  })

  test('when both are settled, also through a third', () => {
    const items = [item('a1', { isSettled: true }), item('b2'), item('c3', { isSettled: true })]
    expect(said(decideJoins(items, [edge('a1', 'c3', 1)], free))).toEqual([])
    expect(said(decideJoins(items, [edge('a1', 'b2', 0.9), edge('b2', 'c3', 0.8)], free))).toEqual(['ci_b2 > ci_a1'])
  })

  test('when any two of their SKUs conflict, not only the similar pair', () => {
    const areApart = apartByPairs((a, b) => [a.vendorSkuId, b.vendorSkuId].sort().join() === 'b2,d4')
    expect(decideJoins([item('a1 b2'), item('c3 d4')], [edge('a1', 'c3')], areApart)).toEqual([])
  })

  test('when an edge names a SKU of no item', () => {
    expect(decideJoins([item('a1')], [edge('a1', 'x9')], free)).toEqual([])
  })
})

describe('the decision', () => {
  const SOURCES = 4
  const scene = fc
    .record({
      items: fc.array(
        fc.record({
          sources: fc.uniqueArray(fc.nat(SOURCES - 1), { minLength: 1, maxLength: 3 }),
          isSettled: fc.boolean(),
          founder: fc.nat(50),
        }),
        { minLength: 2, maxLength: 9 },
      ),
      edges: fc.array(fc.record({ a: fc.nat(40), b: fc.nat(40), score: fc.constantFrom(0.7, 0.8, 0.9) }), {
        maxLength: 25,
      }),
      conflicts: fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 3 }),
      shuffle: fc.infiniteStream(fc.nat()),
      applied: fc.infiniteStream(fc.boolean()),
    })
    .map(({ items, edges, conflicts, shuffle, applied }) => {
      const made = items.map(
        ({ sources, isSettled, founder }, n): JoinItem => ({
          itemId: `ci_${n}`,
          founderId: `vsku_${founder}_${n}`,
          isSettled,
          joinedTo: null,
          members: sources.map((source) => ({ vendorSkuId: `vsku_${n}_${source}`, sourceId: `src_${source}` })),
        }),
      )
      const ids = made.flatMap(({ members }) => members.map(({ vendorSkuId }) => vendorSkuId))
      const skuAt = (n: number) => ids[n % ids.length] as string
      const forbidden = new Set(conflicts.flatMap(([a, b]) => [`${skuAt(a)} ${skuAt(b)}`, `${skuAt(b)} ${skuAt(a)}`]))
      return {
        items: made,
        edges: edges.map(({ a, b, score }) => edge(skuAt(a), skuAt(b), score)),
        areApart: apartByPairs((a, b) => forbidden.has(`${a.vendorSkuId} ${b.vendorSkuId}`)),
        shuffle: () => shuffle.next().value as number,
        applied: () => applied.next().value as boolean,
      }
    })

  test('leaves no item with two SKUs of a source, two settled items, or a conflict', () => {
    fc.assert(
      fc.property(scene, ({ items, edges, areApart }) => {
        const into = new Map(decideJoins(items, edges, areApart).map((join) => [join.fromItemId, join.intoItemId]))
        for (const group of Map.groupBy(items, ({ itemId }) => into.get(itemId) ?? itemId).values()) {
          const members = group.flatMap((each) => each.members)
          expect(new Set(members.map(({ sourceId }) => sourceId)).size).toBe(members.length)
          expect(group.filter(({ isSettled }) => isSettled).length).toBeLessThanOrEqual(1)
          for (const one of group) {
            for (const other of group.filter((each) => each !== one)) {
              expect(areApart(one.members, other.members)).toBe(false)
            }
          }
        }
      }),
    )
  })

  test('is the same for any order of items, of SKUs in them and of edges', () => {
    fc.assert(
      fc.property(scene, ({ items, edges, areApart, shuffle }) => {
        const shuffled = <T>(values: readonly T[]) =>
          values
            .map((value) => ({ value, at: shuffle() }))
            .sort((a, b) => a.at - b.at)
            .map(({ value }) => value)
        const turned = shuffled(edges).map(({ a, b, score }) => ({ a: b, b: a, score }))
        const others = shuffled(items).map((each) => ({ ...each, members: shuffled(each.members) }))
        expect(decideJoins(others, turned, areApart)).toEqual(decideJoins(items, edges, areApart))
      }),
    )
  })

  test('gives the rest after any part of it has been applied', () => {
    fc.assert(
      fc.property(scene, ({ items, edges, areApart, applied }) => {
        const joins = decideJoins(items, edges, areApart)
        const done = new Map(joins.filter(() => applied()).map((join) => [join.fromItemId, join.intoItemId]))
        const after = items.map((each) => ({ ...each, joinedTo: done.get(each.itemId) ?? null }))
        expect(decideJoins(after, edges, areApart)).toEqual(joins.filter(({ fromItemId }) => !done.has(fromItemId)))
      }),
      { numRuns: 300 },
    )
  })
})
