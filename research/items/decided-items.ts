import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { columnsOf, PAIR_SCORE_MIN, type ScoredPair, withJudgement } from '@catalog/core/matching/assignment.ts'
import { apartByPairs, decideJoins, type JoinItem } from '@catalog/core/matching/joins.ts'
import { assign, type MatchSku } from '@catalog/core/matching/match.ts'
import { areTwoOfOneVendor } from '@catalog/core/matching/source-voices.ts'
import { meetings, passesGates } from '@catalog/research/matching/meetings.ts'

/**
 * Gives every SKU an item as a first run does, in memory and without prices: first by equal keys, then by score.
 * `vendorSkuId` → item id.
 */
export function decidedItems(skus: readonly MatchSku[], rule: JoinRule): Map<string, string> {
  const assignments = assign(skus, { byKey: () => [], foundedBefore: () => 0 })
  const itemOf = new Map(assignments.map(({ vendorSkuId, itemId }) => [vendorSkuId, itemId]))
  const skuOf = new Map(skus.map((sku) => [sku.vendorSkuId, sku]))
  const canPair = (a: MatchSku, b: MatchSku) => passesGates(a, b, rule)
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
    ([itemId, members]): JoinItem<MatchSku> => ({
      itemId,
      founderId: founders.get(itemId) as string,
      isSettled: false,
      joinedTo: null,
      members: members.map(({ vendorSkuId }) => skuOf.get(vendorSkuId) as MatchSku),
    }),
  )
  const joins = decideJoins(
    items,
    edges,
    apartByPairs<MatchSku>((a, b) => !canPair(a, b) || isRejected(a.vendorSkuId, b.vendorSkuId)),
  )
  const into = new Map(joins.map(({ fromItemId, intoItemId }) => [fromItemId, intoItemId]))
  return new Map([...itemOf].map(([skuId, itemId]) => [skuId, into.get(itemId) ?? itemId]))
}

function scoredPairs(
  skus: readonly MatchSku[],
  { rule, canPair }: { rule: JoinRule; canPair: (a: MatchSku, b: MatchSku) => boolean },
): ScoredPair[] {
  const canMeet = (sku: MatchSku, other: MatchSku) => !areTwoOfOneVendor(other, sku) && canPair(sku, other)
  return meetings(skus, { ...rule, canMeet }).flatMap(([a, b]) => {
    const score = rule.score(a, b)
    const ids = { a: a.vendorSkuId, b: b.vendorSkuId, sourceA: a.sourceId, sourceB: b.sourceId }
    return score < PAIR_SCORE_MIN ? [] : [{ ...ids, score, isSameLanguage: a.lang === b.lang }]
  })
}
