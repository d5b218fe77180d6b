import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { candidatesByKeys, KEY_SKUS_MAX, SCORED_MAX } from '@catalog/core/matching/blocking.ts'
import { compatible, type MatchSku, matchKeys } from '@catalog/core/matching/match.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'

/** The gates of a run, without the price. */
export const passesGates = (a: MatchSku, b: MatchSku, { canBeOneProduct }: Pick<JoinRule, 'canBeOneProduct'>) =>
  conversionFactor(soldUnit(a), soldUnit(b)) !== null && compatible(a, b) && canBeOneProduct(a, b)

/** The pairs that a run would score: those that share a key and `canMeet`, each once, the smaller id first. */
export function meetings<Sku extends MatchSku>(
  skus: readonly Sku[],
  { blocks, canMeet }: Pick<JoinRule, 'blocks'> & Readonly<{ canMeet: (sku: Sku, other: Sku) => boolean }>,
): readonly (readonly [Sku, Sku])[] {
  const keyed = skus.map((sku) => {
    const [exact, { stored, probes }] = [matchKeys(sku), blocks(sku)]
    return { sku, stored: [...exact, ...stored], probes: [...exact, ...probes] }
  })
  const byKey = new Map<string, Sku[]>()
  for (const { sku, stored } of keyed) {
    for (const key of new Set(stored)) {
      const found = byKey.get(key)
      if (found) found.push(sku)
      else byKey.set(key, [sku])
    }
  }
  const ofKey = (key: string) => {
    const found = byKey.get(key) ?? []
    return found.length > KEY_SKUS_MAX ? [] : found
  }
  const met = new Map<string, readonly [Sku, Sku]>()
  for (const { sku, probes } of keyed) {
    const others = candidatesByKeys(probes, ofKey).map(([other]) => other)
    for (const other of others.filter((other) => canMeet(sku, other)).slice(0, SCORED_MAX)) {
      const [a, b] = sku.vendorSkuId < other.vendorSkuId ? [sku, other] : [other, sku]
      met.set(`${a.vendorSkuId} ${b.vendorSkuId}`, [a, b])
    }
  }
  return [...met.values()]
}
