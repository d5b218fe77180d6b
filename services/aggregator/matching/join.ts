import { type PairsProposed, REASONS_MAX } from '@catalog/core/events/matching.ts'
import { areBothSettled, byScore, decideJoins, type Join, type JoinItem } from '@catalog/core/matching/joins.ts'
import { survivorOf } from '@catalog/core/matching/membership.ts'
import type { Store } from '@catalog/store/db.ts'
import { type MatchedItem, matchedItems } from '@catalog/store/vendor/matching.ts'
import { appendDecisions, type Matching } from './append-decisions.ts'
import { type DescribedSku, isContradiction, KEPT_APART_GATE, openGates, UNITS_GATE } from './candidate-gates.ts'
import { type CandidatePair, type CandidatePairs, findCandidatePairs } from './candidate-pairs.ts'
import type { JoinRule } from './join-rule.ts'
import { type PendingSkus, readPendingSkus } from './pending-skus.ts'
import { appendProposals } from './proposals.ts'
import { areApartBy, ONE_SOURCE, reasonsApartBy } from './reasons-apart.ts'
import { openSkuDescriptions, type SkuDescriptions, type SkuRef } from './sku-descriptions.ts'

export type JoinReport = Readonly<{ joined: number; proposed: number }>

type JoinContext = Matching & Readonly<{ rule: JoinRule; onProgress?: (compared: number, total: number) => void }>

/** SKUs whose descriptions are read at once; bounds memory, changes no result. */
const BATCH_SKUS = 20_000
/** Proposals for each item; further ones are seldom better. */
const PROPOSALS_PER_ITEM = 3

/**
 * Joins newly founded items with items that hold the same product under another name, and proposes unsure pairs to
 * people. No reader has seen a newly founded item, so its removal needs no notice.
 *
 * Law: comparisons and decisions depend only on the facts before the first join (see {@link readPendingSkus}), so a
 * killed run that repeats appends the rest.
 */
export async function joinNewItems(context: JoinContext): Promise<JoinReport> {
  const pending = await readPendingSkus(context.store, context.cut.asOf)
  if (pending.skus.length === 0) return { joined: 0, proposed: 0 }
  const descriptions = await openSkuDescriptions(context.store, context.cut)
  const candidates = await findCandidatePairs({ ...context, pending, descriptions })
  const into = new Map(pending.joinedTo)
  let joined = 0
  const { store } = context
  for (const batch of joinComponents(candidates, pending, await placesOfSure(store, candidates, pending))) {
    const items = await describe(batch.places, descriptions)
    const members = items.flatMap((item) => item.members)
    const areApart = areApartBy(await openGates(context, members), candidates.rejections)
    const joins = decideJoins(items, batch.pairs, areApart)
    for (const { fromItemId, intoItemId } of joins) into.set(fromItemId, intoItemId)
    await appendJoins(context, joins, new Map(members.map((member) => [member.vendorSkuId, member])))
    joined += joins.length
  }
  const proposed = await propose(context, { candidates, pending, descriptions, into })
  await context.catchUp()
  return { joined, proposed }
}

async function appendJoins(
  { cut, rule, ...recording }: JoinContext,
  joins: readonly Join[],
  members: ReadonlyMap<string, DescribedSku>,
): Promise<void> {
  const events = joins.map(({ fromItemId, intoItemId, edge }) => {
    const [a, b] = [members.get(edge.a)?.description?.text, members.get(edge.b)?.description?.text]
    return {
      type: 'ItemsMerged' as const,
      decided_at: cut.asOf,
      from_item_id: fromItemId,
      into_item_id: intoItemId,
      reason: `${edge.a} and ${edge.b} score ${rounded(edge.score)}`,
      by: 'rule' as const,
      rule_version: rule.version,
      evidence: { a: edge.a, b: edge.b, score: rounded(edge.score), ...(a && b ? rule.evidence(a, b) : {}) },
    }
  })
  await appendDecisions(recording, events)
}

/** Four digits are enough for a person to compare scores. */
function rounded(score: number): number {
  return Number(score.toFixed(4))
}

// Components ----------------------------------------------------------------------------------------------------------

type Batch = Readonly<{ places: readonly Place[]; pairs: readonly CandidatePair[] }>

/**
 * Connected components of the sure pairs that may join. Decisions in one component touch no other, which bounds memory. A
 * batch holds components up to BATCH_SKUS.
 */
function* joinComponents(
  { pairs, itemOf }: CandidatePairs,
  { joinedTo }: PendingSkus,
  places: ReadonlyMap<string, Place>,
): Generator<Batch> {
  const parent = new Map<string, string>()
  const rootOf = (itemId: string): string => {
    let at = itemId
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) {
      parent.set(at, parent.get(up) ?? up)
      at = up
    }
    return at
  }
  const link = (one: string, other: string) => {
    const [a, b] = [rootOf(one), rootOf(other)]
    parent.set(a, a)
    parent.set(b, a)
  }
  const merged = new Set([...joinedTo.keys(), ...joinedTo.values()])
  const itemsOfPair = ({ a, b }: CandidatePair) => [itemOf.get(a) as string, itemOf.get(b) as string] as const
  // Most sure pairs within one list are two products of a vendor, whose items never join.
  const mayJoin = (one: string, other: string) =>
    merged.has(one) || merged.has(other) || !shareSource([places.get(one) as Place], [places.get(other) as Place])
  const sure = pairs.filter((pair) => pair.isSure && mayJoin(...itemsOfPair(pair)))
  for (const pair of sure) link(...itemsOfPair(pair))
  for (const [from, into] of joinedTo) link(from, into)

  const itemsOf = Map.groupBy(parent.keys(), rootOf)
  const edgesOf = Map.groupBy(sure, (pair) => rootOf(itemsOfPair(pair)[0]))
  let batch = { places: [] as Place[], pairs: [] as CandidatePair[] }
  let skus = 0
  for (const [root, found] of edgesOf) {
    const held = (itemsOf.get(root) ?? []).map((itemId) => places.get(itemId) as Place)
    batch.places.push(...held)
    batch.pairs.push(...found)
    skus += held.reduce((sum, place) => sum + place.skus.length, 0)
    if (skus < BATCH_SKUS) continue
    yield batch
    ;[batch, skus] = [{ places: [], pairs: [] }, 0]
  }
  if (batch.pairs.length > 0) yield batch
}

// Items before joining ------------------------------------------------------------------------------------------------

/** An item as it was before joining, with its SKUs. An item that a rule may not move is settled. */
type Place = Omit<JoinItem, 'members'> & Readonly<{ skus: readonly SkuRef[] }>

/** Of every item that a sure pair or a merge names. */
function placesOfSure(
  store: Store,
  { pairs, itemOf }: CandidatePairs,
  pending: PendingSkus,
): Promise<ReadonlyMap<string, Place>> {
  const skuIds = pairs.filter(({ isSure }) => isSure).flatMap(({ a, b }) => [a, b])
  const itemIds = [...skuIds.map((skuId) => itemOf.get(skuId) as string), ...[...pending.joinedTo].flat()]
  return readPlaces(store, new Set(itemIds), pending)
}

async function readPlaces(
  store: Store,
  itemIds: ReadonlySet<string>,
  pending: PendingSkus,
): Promise<ReadonlyMap<string, Place>> {
  const settled = [...itemIds].filter((itemId) => pending.founderOf(itemId) === undefined)
  const held = new Map<string, MatchedItem>()
  for (let start = 0; start < settled.length; start += BATCH_ITEMS) {
    const batch = await matchedItems(store, settled.slice(start, start + BATCH_ITEMS))
    for (const item of batch) held.set(item.itemId, item)
  }
  return new Map(
    [...itemIds].map((itemId): [string, Place] => {
      const before = (held.get(itemId)?.members ?? []).filter(({ skuId }) => pending.itemOf(skuId) === undefined)
      const place = {
        itemId,
        founderId: pending.founderOf(itemId) ?? (held.get(itemId)?.founderId as string),
        isSettled: held.has(itemId),
        joinedTo: pending.joinedTo.get(itemId) ?? null,
        // A SKU that a merge took away meanwhile still counts for its own item.
        skus: [...before, ...pending.skusOf(itemId)],
      }
      return [itemId, place]
    }),
  )
}
const BATCH_ITEMS = 1_000

/** Whether a source lists a product in either, so that no rule ever joins them. */
function shareSource(one: readonly Place[], other: readonly Place[]): boolean {
  const sources = new Set(one.flatMap(({ skus }) => skus.map(({ sourceId }) => sourceId)))
  return other.some(({ skus }) => skus.some(({ sourceId }) => sources.has(sourceId)))
}

async function describe(places: readonly Place[], descriptions: SkuDescriptions): Promise<JoinItem<DescribedSku>[]> {
  const described = new Map(
    (await descriptions.of(places.flatMap(({ skus }) => skus))).map((sku) => [sku.vendorSkuId, sku]),
  )
  return places.map(({ skus, ...place }) => ({
    ...place,
    members: skus.map(({ skuId }) => described.get(skuId) as DescribedSku),
  }))
}

// Proposals -----------------------------------------------------------------------------------------------------------

/** Proposes to people the best pair of every two items that remain separate and that a person could merge. */
async function propose(
  context: JoinContext,
  {
    candidates,
    pending,
    descriptions,
    into,
  }: {
    candidates: CandidatePairs
    pending: PendingSkus
    descriptions: SkuDescriptions
    into: ReadonlyMap<string, string>
  },
): Promise<number> {
  const survivor = (itemId: string) => survivorOf(into, itemId)
  const ofSku = (skuId: string) => survivor(candidates.itemOf.get(skuId) as string)
  const open = bestPairs(candidates.pairs, ofSku)
  const partsOf = Map.groupBy(new Set([...candidates.itemOf.values(), ...into.keys(), ...into.values()]), survivor)
  const found: PairsProposed['pairs'][number][] = []
  for (let start = 0; start < open.length; start += BATCH_PAIRS) {
    const batch = open.slice(start, start + BATCH_PAIRS)
    const itemIds = batch.flatMap(({ a, b }) => [ofSku(a), ofSku(b)]).flatMap((itemId) => partsOf.get(itemId) ?? [])
    const places = await readPlaces(context.store, new Set(itemIds), pending)
    const placesOf = (skuId: string) => (partsOf.get(ofSku(skuId)) ?? []).map((itemId) => places.get(itemId) as Place)
    // A person need not look at an unsure pair whose items list two products of one vendor.
    const worth = batch.filter(({ a, b, isSure }) => isSure || !shareSource(placesOf(a), placesOf(b)))
    const items = await describe(
      [...new Set(worth.flatMap(({ a, b }) => [...placesOf(a), ...placesOf(b)]))],
      descriptions,
    )
    const itemsOf = Map.groupBy(items, ({ itemId }) => survivor(itemId))
    const members = items.flatMap((item) => item.members)
    const reasonsApart = reasonsApartBy(await openGates(context, members), candidates.rejections)
    for (const { a, b, score, isSure } of worth) {
      const [one, other] = [itemsOf.get(ofSku(a)) ?? [], itemsOf.get(ofSku(b)) ?? []]
      const membersOf = (parts: readonly JoinItem<DescribedSku>[]) => parts.flatMap((part) => part.members)
      const reasons = new Set(reasonsApart(membersOf(one), membersOf(other)))
      // Skip pairs that nobody may join, and unsure pairs that a strong gate keeps apart.
      if (reasons.has(KEPT_APART_GATE) || reasons.has(UNITS_GATE)) continue
      if (!isSure && (reasons.has(ONE_SOURCE) || [...reasons].some(isContradiction))) continue
      const why = [...(isSure ? [] : [SCORE]), ...(areBothSettled(one, other) ? [SETTLED] : []), ...[...reasons].sort()]
      found.push({ vendor_sku_ids: [a, b], score: rounded(score), why: why.slice(0, REASONS_MAX) })
    }
  }
  await appendProposals(context, context.rule.version, found)
  return found.length
}

/** Pairs checked for a proposal at once; bounds memory, changes no result. */
const BATCH_PAIRS = 200
/** Reasons for a proposal beside the gates: the rule is not sure, or both items existed before. */
const SCORE = 'score'
const SETTLED = 'both items were there before'

/** The best pair of every two items, by descending score, at most PROPOSALS_PER_ITEM for each item. */
function bestPairs(candidates: readonly CandidatePair[], itemOf: (skuId: string) => string): CandidatePair[] {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  return candidates.toSorted(byScore).filter(({ a, b }) => {
    const items = [itemOf(a), itemOf(b)].sort() as [string, string]
    if (items[0] === items[1] || seen.has(items.join(' '))) return false
    seen.add(items.join(' '))
    if (items.some((itemId) => (counts.get(itemId) ?? 0) >= PROPOSALS_PER_ITEM)) return false
    for (const itemId of items) counts.set(itemId, (counts.get(itemId) ?? 0) + 1)
    return true
  })
}
