import { REASONS_MAX } from '@catalog/core/events/matching.ts'
import {
  areBothSettled,
  byScore,
  type Conflict,
  decideJoins,
  type Join,
  type JoinItem,
  ONE_SOURCE,
  reasonsApart,
} from '@catalog/core/matching/joins.ts'
import type { Store } from '@catalog/store/db.ts'
import { matchedItems } from '@catalog/store/vendor/matching.ts'
import { appendDecisions, type Matching } from './append-decisions.ts'
import { conflictAmong, type DescribedSku, isContradiction, KEPT_APART_GATE, UNITS_GATE } from './candidate-gates.ts'
import { type CandidatePair, type CandidatePairs, findCandidatePairs } from './candidate-pairs.ts'
import type { JoinRule } from './join-rule.ts'
import { type PendingSkus, readPendingSkus, survivorOf } from './pending-skus.ts'
import { appendProposals } from './proposals.ts'
import { openSkuDescriptions, type SkuDescriptions } from './sku-descriptions.ts'
import { keptPerTexts } from './text-pairs.ts'

export type JoinReport = Readonly<{ joined: number; proposed: number }>

type JoinContext = Matching & Readonly<{ rule: JoinRule; onProgress?: (compared: number, total: number) => void }>

/** SKUs decided on at once; bounds memory, changes no result. */
const BATCH_SKUS = 5_000
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
  for (const batch of joinComponents(candidates, pending)) {
    const items = await readItems(context.store, batch.itemIds, { pending, descriptions })
    const members = items.flatMap((item) => item.members)
    const joins = decideJoins(items, batch.pairs, await conflictOf(context, candidates, members))
    for (const { fromItemId, intoItemId } of joins) into.set(fromItemId, intoItemId)
    await appendJoins(context, joins, new Map(members.map((member) => [member.vendorSkuId, member])))
    joined += joins.length
  }
  const proposed = await propose(context, { candidates, pending, descriptions, into })
  await context.catchUp()
  return { joined, proposed }
}

/** Why two of these SKUs may not share an item: a gate, or the rule that took them for two products. */
async function conflictOf(
  context: JoinContext,
  candidates: CandidatePairs,
  members: readonly DescribedSku[],
): Promise<Conflict<DescribedSku>> {
  const conflict = await conflictAmong(context, members, keptPerTexts)
  return (a, b) => conflict(a, b) ?? (candidates.isRejected(a.vendorSkuId, b.vendorSkuId) ? REJECTED : null)
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

type Batch = Readonly<{ itemIds: readonly string[]; pairs: readonly CandidatePair[] }>

/**
 * Connected components of sure pairs. Decisions in one component touch no other, which bounds memory. A batch holds
 * components up to BATCH_SKUS pairs.
 */
function* joinComponents({ pairs, itemOf }: CandidatePairs, pending: PendingSkus): Generator<Batch> {
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
  const sure = pairs.filter(({ isSure }) => isSure)
  for (const { a, b } of sure) link(itemOf.get(a) as string, itemOf.get(b) as string)
  for (const [from, into] of pending.joinedTo) link(from, into)

  const itemsOf = Map.groupBy(parent.keys(), rootOf)
  const edgesOf = Map.groupBy(sure, ({ a }) => rootOf(itemOf.get(a) as string))
  let batch = { itemIds: [] as string[], pairs: [] as CandidatePair[] }
  for (const [root, found] of edgesOf) {
    batch.itemIds.push(...(itemsOf.get(root) ?? []))
    batch.pairs.push(...found)
    if (batch.pairs.length < BATCH_SKUS) continue
    yield batch
    batch = { itemIds: [], pairs: [] }
  }
  if (batch.pairs.length > 0) yield batch
}

/** Items as they were before joining. An item that a rule may not move is settled. */
async function readItems(
  store: Store,
  itemIds: readonly string[],
  { pending, descriptions }: { pending: PendingSkus; descriptions: SkuDescriptions },
): Promise<JoinItem<DescribedSku>[]> {
  const settled = itemIds.filter((itemId) => pending.founderOf(itemId) === undefined)
  const held = new Map((await matchedItems(store, settled)).map((item) => [item.itemId, item]))
  const skusOf = new Map(
    itemIds.map((itemId) => {
      const before = (held.get(itemId)?.members ?? []).filter(({ skuId }) => pending.itemOf(skuId) === undefined)
      // A SKU that a merge took away meanwhile still counts for its own item.
      return [itemId, [...before, ...pending.skusOf(itemId)]]
    }),
  )
  const described = new Map((await descriptions.of([...skusOf.values()].flat())).map((sku) => [sku.vendorSkuId, sku]))
  return itemIds.map((itemId) => ({
    itemId,
    founderId: pending.founderOf(itemId) ?? (held.get(itemId)?.founderId as string),
    isSettled: held.has(itemId),
    joinedTo: pending.joinedTo.get(itemId) ?? null,
    members: (skusOf.get(itemId) ?? []).map(({ skuId }) => described.get(skuId) as DescribedSku),
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
  const { store } = context
  const survivor = (itemId: string) => survivorOf(into, itemId)
  const ofSku = (skuId: string) => survivor(candidates.itemOf.get(skuId) as string)
  const open = bestPairs(candidates.pairs, ofSku)
  const partsOf = Map.groupBy(new Set([...candidates.itemOf.values(), ...into.keys(), ...into.values()]), survivor)
  let proposed = 0
  for (let start = 0; start < open.length; start += BATCH_PAIRS) {
    const batch = open.slice(start, start + BATCH_PAIRS)
    const itemIds = new Set(
      batch.flatMap(({ a, b }) => [ofSku(a), ofSku(b)]).flatMap((itemId) => partsOf.get(itemId) ?? []),
    )
    const items = await readItems(store, [...itemIds], { pending, descriptions })
    const conflict = await conflictOf(
      context,
      candidates,
      items.flatMap(({ members }) => members),
    )
    const itemsOf = Map.groupBy(items, ({ itemId }) => survivor(itemId))
    const pairs = batch.flatMap(({ a, b, score, isSure }) => {
      const [one, other] = [itemsOf.get(ofSku(a)) ?? [], itemsOf.get(ofSku(b)) ?? []]
      const membersOf = (parts: readonly JoinItem<DescribedSku>[]) => parts.flatMap(({ members }) => members)
      const reasons = reasonsApart(membersOf(one), membersOf(other), conflict)
      // Skip pairs that nobody may join, and unsure pairs that a strong gate keeps apart.
      if (reasons.has(KEPT_APART_GATE) || reasons.has(UNITS_GATE)) return []
      if (!isSure && (reasons.has(ONE_SOURCE) || [...reasons].some(isContradiction))) return []
      const why = [...(isSure ? [] : [SCORE]), ...(areBothSettled(one, other) ? [SETTLED] : []), ...[...reasons].sort()]
      const pair = { vendor_sku_ids: [a, b] as [string, string], score: rounded(score) }
      return [{ ...pair, why: why.slice(0, REASONS_MAX) }]
    })
    await appendProposals(context, context.rule.version, pairs)
    proposed += pairs.length
  }
  return proposed
}

/** Pairs checked for a proposal at once; bounds memory, changes no result. */
const BATCH_PAIRS = 2_000
/** Reasons for a proposal beside the gates: the rule is not sure, or both items existed before. */
const SCORE = 'score'
/** The rule took two other SKUs of these items for two products. */
const REJECTED = 'doubted'
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
