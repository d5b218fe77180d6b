import { areTwoOfOneVendor } from '@catalog/core/matching/source-voices.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DescribedSku, descriptionOf, type Gates, gatesBy, KEPT_APART_GATE } from './candidate-gates.ts'
import { areApartBy, DOUBTED, ONE_SOURCE, type Rejections, reasonsApartBy } from './reasons-apart.ts'

const TEXTS = [
  { name: 'Tubo de PVC 20 mm', unit: 'm' },
  { name: 'Tubo de PVC 25 mm', unit: 'm' },
  { name: 'Tubo de PVC 20 mm', unit: 'kg' },
  { name: 'Tubo PVC 20 mm', unit: 'm' },
]
const price = fc.record({
  cents: fc.constantFrom(0, 100, 160, 240, 400),
  currency: fc.constantFrom('EUR', 'BRL'),
  kind: fc.constantFrom('list' as const, 'bid' as const),
  per_quantity: fc.constantFrom(1, 10),
  tax: fc.constant({ included: false } as const),
})
const member = fc.record({
  text: fc.option(fc.constantFrom(...TEXTS)),
  price,
  region: fc.constantFrom('ES', 'BR', null),
  source: fc.constantFrom('src_a', 'src_b', 'src_c', 'src_d'),
  voice: fc.option(fc.constant('src_a'), { nil: undefined }),
  ref: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
})
const described = (side: string) =>
  fc.array(member, { minLength: 1, maxLength: 6 }).map((members) =>
    members.map(({ text, price, region, source, voice, ref }, n): DescribedSku => {
      const of = { text: text as (typeof TEXTS)[0], price, source: { id: source, name: source, region, url: null } }
      return {
        vendorSkuId: `vsku_${side}${n}`,
        sourceId: source,
        voiceId: voice,
        vendorRef: ref,
        description: text === null ? null : descriptionOf(of),
      }
    }),
  )
const pairs = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 3 })
const scene = fc.record({ ones: described('a'), others: described('b'), apart: pairs, rejected: pairs })
/** The last text differs in its name alone. */
const rule = { canBeOneProduct: (a: { name: string }, b: { name: string }) => a.name.length === b.name.length }

type Members = readonly DescribedSku[]

/** The definition: each pair of members on its own. */
function byPairs(gates: Gates, { isRejected }: Rejections, ones: Members, others: Members): ReadonlySet<string> {
  const reasons = new Set<string>()
  for (const a of ones) {
    for (const b of others) {
      if (areTwoOfOneVendor(a, b)) reasons.add(ONE_SOURCE)
      const gate = gates.between(a, b)
      if (gate !== null) reasons.add(gate)
      else if (isRejected(a.vendorSkuId, b.vendorSkuId)) reasons.add(DOUBTED)
    }
  }
  return reasons
}

test('two items have the reasons of all pairs of their members, in either order', () => {
  const met = new Set<string>()
  fc.assert(
    fc.property(scene, ({ ones, others, apart, rejected }) => {
      const named = (all: readonly (readonly [number, number])[]) =>
        all.map(([one, other]) => ({ a: `vsku_a${one}`, b: `vsku_b${other}` }))
      const gates = gatesBy(rule, named(apart))
      const spelled = new Set(named(rejected).flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]))
      const rejections = {
        isCompared: (skuId: string) => [...spelled].some((pair) => pair.includes(skuId)),
        isRejected: (a: string, b: string) => spelled.has(`${a} ${b}`),
      }
      const expected = byPairs(gates, rejections, ones, others)
      for (const reason of expected) met.add(reason)
      for (const [one, other] of [
        [ones, others],
        [others, ones],
      ] as const) {
        const reasons = new Set(reasonsApartBy(gates, rejections)(one, other))
        expect(areApartBy(gates, rejections)(one, other)).toBe(expected.size > 0)
        // A person's word is enough: what else the pair says need not be known.
        if (expected.has(KEPT_APART_GATE)) expect(reasons).toContain(KEPT_APART_GATE)
        else expect(reasons).toEqual(expected)
      }
    }),
    { numRuns: 1_000 },
  )
  expect([...met].sort()).toEqual(
    ['doubted', 'kept apart', 'one source', 'other length', 'price', 'size, grade, colour or GTIN', 'units'].sort(),
  )
})
