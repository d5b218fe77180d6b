import { type DescribedSku, openGates } from '@catalog/aggregator/matching/candidate-gates.ts'
import { type CandidatePairs, findCandidatePairs } from '@catalog/aggregator/matching/candidate-pairs.ts'
import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { areApartBy } from '@catalog/aggregator/matching/reasons-apart.ts'
import { openSkuDescriptions, type SkuDescriptions } from '@catalog/aggregator/matching/sku-descriptions.ts'
import { canonicalJson, sha256Hex } from '@catalog/core/digest.ts'
import { itemIdOf } from '@catalog/core/events/ids.ts'
import { contradictionBetween } from '@catalog/core/matching/contradictions.ts'
import { divideItem, type Leaving } from '@catalog/core/matching/item-groups.ts'
import { decideJoins, type JoinItem } from '@catalog/core/matching/joins.ts'
import { matchKeys, RULE_VERSION } from '@catalog/core/matching/match.ts'
import type { Store } from '@catalog/store/db.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'
import { foundedCounts, itemsOfPersons, type PlacedSku, placedSkus, skuPair } from '@catalog/store/vendor/matching.ts'

/** SKUs that leave an item together and found their own. */
export type Split = Readonly<{
  itemId: string
  /** The new item; the first SKU founds it. */
  newItemId: string
  /** Items that the first SKU had founded before. */
  n: number
  leaving: readonly Leaving[]
}>
/** Two items that are one product by the present rule; `a` and `b` are the SKUs that decided. */
export type Merge = Readonly<{ fromItemId: string; intoItemId: string; a: string; b: string; score: number }>

/** What the present rule decides otherwise about the items that exist. */
export type Rematch = Readonly<{
  ruleVersion: string
  /** Items and SKUs that were looked at. */
  items: number
  skus: number
  /** The rules that placed the SKUs, with their number. */
  placedBy: Readonly<Record<string, number>>
  splits: readonly Split[]
  merges: readonly Merge[]
  /** Items with a contradiction that stay whole, because a person put them together. */
  kept: readonly Readonly<{ itemId: string; leaving: readonly Leaving[] }>[]
  /** Hash over splits and merges: equal hashes change the catalog equally. */
  sha256: string
}>

type RematchContext = Readonly<{
  store: Store
  cut: Cut
  rule: JoinRule
  onProgress?: (compared: number, total: number) => void
}>

/** SKUs or items read at once; bounds memory, changes no result. */
const BATCH = 5_000

/** The version of both rules that decide on an item: equal keys, then the learned rule. */
export const versionOf = (rule: JoinRule): string => `${RULE_VERSION} ${rule.version}`

/**
 * Compares the items that exist with the decisions of the present rule on the facts at the cut; appends nothing. A SKU
 * leaves its item when it contradicts the founder's group, or when the rule finds no link to it and takes it for another
 * product. Two items, as they then are, become one when the rule is sure of a pair. People's decisions stand: an item
 * that a person put together stays whole, and a pair that a person keeps apart never comes together.
 *
 * Law: the result depends on facts and rule alone. After it was published, a second call finds nothing. Memory grows with
 * the number of SKUs, about 1 kB each.
 */
export async function rematch(context: RematchContext): Promise<Rematch> {
  const { store, cut, rule } = context
  const placed = await readPlaced(store)
  const descriptions = await openSkuDescriptions(store, cut)
  const pairs = await findCandidatePairs({
    ...context,
    descriptions,
    pending: { skus: [...placed.values()], itemOf: (skuId) => (placed.has(skuId) ? skuId : undefined) },
  })
  const items = Map.groupBy(placed.values(), ({ itemId }) => itemId)
  const byPersons = await itemsOfPersons(store)
  const divided = await divideItems(context, { items, pairs, descriptions })
  const kept = divided.filter(({ itemId }) => byPersons.has(itemId))
  const splits = await asSplits(
    store,
    divided.filter(({ itemId }) => !byPersons.has(itemId)),
  )
  const merges = await mergesOf(context, { placed, splits, pairs, descriptions })
  const placedBy = Object.fromEntries(
    [...Map.groupBy(placed.values(), (sku) => sku.placedBy)].map(([by, skus]) => [by, skus.length] as const).sort(),
  )
  const decided = { splits, merges }
  return {
    ruleVersion: versionOf(rule),
    items: items.size,
    skus: placed.size,
    placedBy,
    ...decided,
    kept: kept.map(({ itemId, leaving }) => ({ itemId, leaving: leaving.flat() })),
    sha256: sha256Hex(canonicalJson(JSON.parse(JSON.stringify(decided)))),
  }
}

async function readPlaced(store: Store): Promise<ReadonlyMap<string, PlacedSku>> {
  const placed = new Map<string, PlacedSku>()
  for (let after = ''; ; ) {
    const page = await placedSkus(store, { after, limit: BATCH })
    const last = page.at(-1)
    if (last === undefined) return placed
    for (const sku of page) placed.set(sku.skuId, sku)
    after = last.skuId
  }
}

type Divided = Readonly<{ itemId: string; leaving: readonly (readonly Leaving[])[] }>

/** The items that hold several products by the rule, in id order, with the groups that leave. */
async function divideItems(
  { rule }: RematchContext,
  {
    items,
    pairs,
    descriptions,
  }: {
    items: ReadonlyMap<string, readonly PlacedSku[]>
    pairs: CandidatePairs
    descriptions: SkuDescriptions
  },
): Promise<Divided[]> {
  const linked = new Set(pairs.pairs.map(({ a, b }) => skuPair(a, b)))
  const shared = [...items].filter(([, members]) => members.length > 1)
  const divided: Divided[] = []
  for (let start = 0; start < shared.length; start += BATCH) {
    const batch = shared.slice(start, start + BATCH)
    const described = new Map(
      (await descriptions.of(batch.flatMap(([, members]) => members))).map((sku) => [sku.vendorSkuId, sku.description]),
    )
    for (const [itemId, members] of batch) {
      const textOf = (skuId: string) => described.get(skuId)?.text
      const leaving = divideItem(
        members.map(({ skuId }) => skuId),
        members[0]?.founderId as string,
        {
          contradiction(a, b) {
            const [one, other] = [textOf(a), textOf(b)]
            if (one === undefined || other === undefined) return null
            const found = contradictionBetween(one, other)
            if (found !== null) return `${found.about}: ${found.one} and ${found.other}`
            // Equal keys join without the learned rule's gate.
            if (!sharesNoKey(matchKeys(one), matchKeys(other))) return null
            return rule.canBeOneProduct(one, other) ? null : CONTENTS_GATE
          },
          isLinked(a, b) {
            if (linked.has(skuPair(a, b))) return true
            const [one, other] = [textOf(a), textOf(b)]
            return one !== undefined && other !== undefined && !sharesNoKey(matchKeys(one), matchKeys(other))
          },
          isRejected: pairs.rejections.isRejected,
        },
      )
      if (leaving.length > 0) divided.push({ itemId, leaving })
    }
  }
  return divided.sort((a, b) => (a.itemId < b.itemId ? -1 : 1))
}
/** The rule's own gate: what is sold differs, such as a bag of 25 kg and one of 40 kg. */
const CONTENTS_GATE = 'what is sold'

const sharesNoKey = (a: readonly string[], b: readonly string[]) => new Set(a).isDisjointFrom(new Set(b))

async function asSplits(store: Store, divided: readonly Divided[]): Promise<Split[]> {
  const founders = divided.flatMap(({ leaving }) => leaving.map(([first]) => (first as Leaving).skuId))
  const counts = await foundedCounts(store, founders)
  return divided.flatMap(({ itemId, leaving }) =>
    leaving.map((group) => {
      const { skuId } = group[0] as Leaving
      const n = counts.get(skuId) ?? 0
      return { itemId, newItemId: itemIdOf(skuId, n), n, leaving: group }
    }),
  )
}

/** The items, as they are after the splits, that the rule surely finds to be one product. */
async function mergesOf(
  context: RematchContext,
  {
    placed,
    splits,
    pairs,
    descriptions,
  }: {
    placed: ReadonlyMap<string, PlacedSku>
    splits: readonly Split[]
    pairs: CandidatePairs
    descriptions: SkuDescriptions
  },
): Promise<Merge[]> {
  const moved = new Map(splits.flatMap(({ newItemId, leaving }) => leaving.map(({ skuId }) => [skuId, newItemId])))
  const itemOf = (skuId: string) => moved.get(skuId) ?? (placed.get(skuId) as PlacedSku).itemId
  const edges = pairs.pairs.filter(({ a, b, isSure }) => isSure && itemOf(a) !== itemOf(b))
  const concerned = new Set(edges.flatMap(({ a, b }) => [itemOf(a), itemOf(b)]))
  const members = Map.groupBy(
    (await descriptions.of([...placed.values()].filter(({ skuId }) => concerned.has(itemOf(skuId))))).filter(
      ({ description }) => description !== null,
    ),
    ({ vendorSkuId }) => itemOf(vendorSkuId),
  )
  const gates = await openGates(context, [...members.values()].flat())
  const items = [...members].map(
    ([itemId, skus]): JoinItem<DescribedSku> => ({
      itemId,
      founderId: precedence(itemId, skus),
      isSettled: false,
      joinedTo: null,
      members: skus,
    }),
  )
  return decideJoins(items, edges, areApartBy(gates, pairs.rejections)).map(({ fromItemId, intoItemId, edge }) => ({
    fromItemId,
    intoItemId,
    a: edge.a,
    b: edge.b,
    score: Number(edge.score.toFixed(4)),
  }))
}

/** Orders items so that the one with most SKUs survives a merge: fewest readers meet a merged item. */
function precedence(itemId: string, skus: readonly DescribedSku[]): string {
  return `${String(1_000_000_000 - skus.length).padStart(10, '0')} ${itemId}`
}
