import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { columnsOf, PAIR_SCORE_MIN, type ScoredPair, withJudgement } from '@catalog/core/matching/assignment.ts'
import { candidatesByKeys, KEY_SKUS_MAX, SCORED_MAX } from '@catalog/core/matching/blocking.ts'
import { decideJoins } from '@catalog/core/matching/joins.ts'
import { assign, compatible, type MatchItem, type MatchSku, matchKeys } from '@catalog/core/matching/match.ts'
import { areTwoOfOneVendor } from '@catalog/core/matching/source-voices.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'

/**
 * Gives every SKU an item as a first run does, in memory and without prices: first by equal keys, then by score.
 * `vendorSkuId` → item id.
 */
export function decidedItems(skus: readonly MatchSku[], rule: JoinRule): Map<string, string> {
  const assignments = assign(skus, { byKey: () => [], foundedBefore: () => 0 })
  const itemOf = new Map(assignments.map(({ vendorSkuId, itemId }) => [vendorSkuId, itemId]))
  const skuOf = new Map(skus.map((sku) => [sku.vendorSkuId, sku]))
  const canPair = gateOf(rule)
  const pairs = scoredPairs(skus, { rule, canPair })
  const judged = withJudgement(pairs, rule.judge(columnsOf(pairs)))
  const rejected = new Set(judged.filter(({ chance }) => chance < rule.review).map(({ a, b }) => `${a} ${b}`))
  const isRejected = (a: string, b: string) => rejected.has(a < b ? `${a} ${b}` : `${b} ${a}`)
  const edges = judged
    .filter(({ a, b, chance, isMutual }) => isMutual && chance >= rule.auto && itemOf.get(a) !== itemOf.get(b))
    .map(({ a, b, chance }) => ({ a, b, score: chance }))

  const founders = new Map(
    assignments.filter(({ founding }) => founding).map((each) => [each.itemId, each.vendorSkuId]),
  )
  const items = [...Map.groupBy(assignments, ({ itemId }) => itemId)].map(
    ([itemId, members]): MatchItem & { founderId: string; isSettled: false; joinedTo: null } => ({
      itemId,
      founderVendorSkuId: founders.get(itemId) as string,
      founderId: founders.get(itemId) as string,
      isSettled: false,
      joinedTo: null,
      members: members.map(({ vendorSkuId }) => skuOf.get(vendorSkuId) as MatchSku),
    }),
  )
  const joins = decideJoins(items, edges, (a, b) =>
    canPair(a, b) && !isRejected(a.vendorSkuId, b.vendorSkuId) ? null : 'apart',
  )
  const into = new Map(joins.map(({ fromItemId, intoItemId }) => [fromItemId, intoItemId]))
  return new Map([...itemOf].map(([skuId, itemId]) => [skuId, into.get(itemId) ?? itemId]))
}

/** The gates of a run, without the price. */
function gateOf(rule: JoinRule) {
  return (a: MatchSku, b: MatchSku): boolean =>
    conversionFactor(soldUnit(a), soldUnit(b)) !== null && compatible(a, b) && rule.canBeOneProduct(a, b)
}

function scoredPairs(
  skus: readonly MatchSku[],
  { rule, canPair }: { rule: JoinRule; canPair: (a: MatchSku, b: MatchSku) => boolean },
): ScoredPair[] {
  const keyed = skus.map((sku) => {
    const [exact, { stored, probes }] = [matchKeys(sku), rule.blocks(sku)]
    return { sku, stored: [...exact, ...stored], probes: [...exact, ...probes] }
  })
  const byKey = new Map<string, MatchSku[]>()
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
  const scored = new Map<string, ScoredPair | null>()
  for (const { sku, probes } of keyed) {
    const met = candidatesByKeys(probes, ofKey)
      .map(([other]) => other)
      .filter((other) => !areTwoOfOneVendor(other, sku) && canPair(sku, other))
    for (const other of met.slice(0, SCORED_MAX)) {
      const [a, b] = sku.vendorSkuId < other.vendorSkuId ? [sku, other] : [other, sku]
      const key = `${a.vendorSkuId} ${b.vendorSkuId}`
      if (scored.has(key)) continue
      const score = rule.score(a, b)
      const ids = { a: a.vendorSkuId, b: b.vendorSkuId, sourceA: a.sourceId, sourceB: b.sourceId }
      scored.set(key, score < PAIR_SCORE_MIN ? null : { ...ids, score, isSameLanguage: a.lang === b.lang })
    }
  }
  return [...scored.values()].filter((pair) => pair !== null)
}
