import { eventId, type ItemsMerged, type PairsProposed, PROPOSALS_MAX, TOPICS } from '@catalog/core/events/events.ts'
import {
  areBothSettled,
  byScore,
  decideJoins,
  type Join,
  type JoinItem,
  ONE_SOURCE,
  reasonsApart,
} from '@catalog/core/matching/joins.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { Store } from '@catalog/store/db.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'
import { heldItems } from '@catalog/store/vendor/matching.ts'
import { type Edge, type Edges, findEdges } from './candidate-pairs.ts'
import { type Fresh, readFresh } from './pending-skus.ts'
import { conflictAmong, KEPT_APART, type Looked, TRAITS, UNITS } from './candidate-gates.ts'
import type { JoinRule } from './join-rule.ts'
import { openTexts, type Texts } from './sku-descriptions.ts'

export type JoinReport = Readonly<{ joined: number; proposed: number }>

type Joining = Readonly<{
  store: Store
  log: EventLog
  cut: Cut
  rule: JoinRule
  recordedAt: string
  catchUp: () => Promise<void>
  onProgress?: (looked: number, total: number) => void
}>

/** Items decided on at once, and pairs that are looked at for a proposal; bounds memory, changes no result. */
const BATCH_SKUS = 5_000
/** Pairs that one item leaves to people at most: more of them are seldom better. */
const PROPOSALS_PER_ITEM = 3

/**
 * Joins items that were founded and that no run has looked at yet with those that hold the same product under another name, and
 * proposes to people what it is not sure of. Nobody has seen such an item, so its going is no news.
 *
 * Law: who is compared and what is decided depends on the facts before the first join alone (see {@link readFresh}), so a
 * run that was killed half way and runs again appends the rest.
 */
export async function joinNewItems(joining: Joining): Promise<JoinReport> {
  const fresh = await readFresh(joining.store, joining.cut.asOf)
  if (fresh.skus.length === 0) return { joined: 0, proposed: 0 }
  const texts = await openTexts(joining.store, joining.cut)
  const edges = await findEdges({ ...joining, fresh, texts })
  const into = new Map(fresh.joinedTo)
  let joined = 0
  for (const batch of componentsOf(edges, fresh)) {
    const items = await readItems(joining.store, batch.itemIds, { fresh, texts })
    const members = items.flatMap((item) => item.members)
    const conflict = await conflictAmong(joining, members)
    const joins = decideJoins(
      items,
      batch.edges,
      (a, b) => conflict(a, b) ?? (edges.isDoubted(a.vendorSkuId, b.vendorSkuId) ? DOUBTED : null),
    )
    for (const { fromItemId, intoItemId } of joins) into.set(fromItemId, intoItemId)
    await appendJoins(joining, joins, new Map(members.map((member) => [member.vendorSkuId, member])))
    joined += joins.length
  }
  const proposed = await propose(joining, { edges, fresh, texts, into })
  await joining.catchUp()
  return { joined, proposed }
}

async function appendJoins(
  { log, cut, rule, recordedAt }: Joining,
  joins: readonly Join[],
  members: ReadonlyMap<string, Looked>,
): Promise<void> {
  const events = joins.map(({ fromItemId, intoItemId, edge }): ItemsMerged => {
    const [a, b] = [members.get(edge.a)?.said?.text, members.get(edge.b)?.said?.text]
    const content = {
      type: 'ItemsMerged' as const,
      v: 1 as const,
      decided_at: cut.asOf,
      from_item_id: fromItemId,
      into_item_id: intoItemId,
      reason: `${edge.a} and ${edge.b} score ${rounded(edge.score)}`,
      by: 'rule' as const,
      rule_version: rule.version,
      evidence: { a: edge.a, b: edge.b, score: rounded(edge.score), ...(a && b ? rule.evidence(a, b) : {}) },
    }
    return { ...content, event_id: eventId(content), recorded_at: recordedAt }
  })
  if (events.length === 0) return
  await log.append(
    TOPICS.decisions,
    events.map((event) => ({ key: event.from_item_id, value: JSON.stringify(event) })),
  )
}

/** Four digits are what a person compares. */
function rounded(score: number): number {
  return Number(score.toFixed(4))
}

// Components ----------------------------------------------------------------------------------------------------------

type Batch = Readonly<{ itemIds: readonly string[]; edges: readonly Edge[] }>

/**
 * Items that sure pairs connect, directly or through others: what is decided about one set of them touches no other, so
 * few are held at a time. Sets are put together up to BATCH_SKUS edges.
 */
function* componentsOf({ all, itemOf }: Edges, fresh: Fresh): Generator<Batch> {
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
  const sure = all.filter(({ isSure }) => isSure)
  for (const { a, b } of sure) link(itemOf.get(a) as string, itemOf.get(b) as string)
  for (const [from, into] of fresh.joinedTo) link(from, into)

  const itemsOf = Map.groupBy(parent.keys(), rootOf)
  const edgesOf = Map.groupBy(sure, ({ a }) => rootOf(itemOf.get(a) as string))
  let batch = { itemIds: [] as string[], edges: [] as Edge[] }
  for (const [root, found] of edgesOf) {
    batch.itemIds.push(...(itemsOf.get(root) ?? []))
    batch.edges.push(...found)
    if (batch.edges.length < BATCH_SKUS) continue
    yield batch
    batch = { itemIds: [], edges: [] }
  }
  if (batch.edges.length > 0) yield batch
}

/** Items as they were before joining; what a rule may not move is settled. */
async function readItems(
  store: Store,
  itemIds: readonly string[],
  { fresh, texts }: { fresh: Fresh; texts: Texts },
): Promise<JoinItem<Looked>[]> {
  const settled = itemIds.filter((itemId) => fresh.founderOf(itemId) === undefined)
  const held = new Map((await heldItems(store, settled)).map((item) => [item.itemId, item]))
  const skusOf = new Map(
    itemIds.map((itemId) => [
      itemId,
      // What an earlier attempt has joined to it is of its own item still.
      held.get(itemId)?.members.filter(({ skuId }) => (fresh.itemOf(skuId) ?? itemId) === itemId) ??
        fresh.skusOf(itemId),
    ]),
  )
  const looked = new Map((await texts.of([...skusOf.values()].flat())).map((sku) => [sku.vendorSkuId, sku]))
  return itemIds.map((itemId) => ({
    itemId,
    founderId: fresh.founderOf(itemId) ?? (held.get(itemId)?.founderId as string),
    isSettled: held.has(itemId),
    joinedTo: fresh.joinedTo.get(itemId) ?? null,
    members: (skusOf.get(itemId) ?? []).map(({ skuId }) => looked.get(skuId) as Looked),
  }))
}

// Proposals -----------------------------------------------------------------------------------------------------------

/** The best pair of each two items that are still two, where a person could make one of them, goes to people. */
async function propose(
  joining: Joining,
  { edges, fresh, texts, into }: { edges: Edges; fresh: Fresh; texts: Texts; into: ReadonlyMap<string, string> },
): Promise<number> {
  const { store } = joining
  const survivorOf = (itemId: string): string => {
    let at = itemId
    for (let next = into.get(at); next !== undefined; next = into.get(at)) at = next
    return at
  }
  const ofSku = (skuId: string) => survivorOf(edges.itemOf.get(skuId) as string)
  const open = bestPairs(edges.all, ofSku)
  const partsOf = Map.groupBy(new Set([...edges.itemOf.values(), ...into.keys(), ...into.values()]), survivorOf)
  let proposed = 0
  for (let start = 0; start < open.length; start += BATCH_PAIRS) {
    const batch = open.slice(start, start + BATCH_PAIRS)
    const itemIds = new Set(
      batch.flatMap(({ a, b }) => [ofSku(a), ofSku(b)]).flatMap((itemId) => partsOf.get(itemId) ?? []),
    )
    const items = await readItems(store, [...itemIds], { fresh, texts })
    const conflict = await conflictAmong(
      joining,
      items.flatMap(({ members }) => members),
    )
    const itemsOf = Map.groupBy(items, ({ itemId }) => survivorOf(itemId))
    const pairs = batch.flatMap(({ a, b, score, isSure }) => {
      const [one, other] = [itemsOf.get(ofSku(a)) ?? [], itemsOf.get(ofSku(b)) ?? []]
      const membersOf = (parts: readonly JoinItem<Looked>[]) => parts.flatMap(({ members }) => members)
      const reasons = reasonsApart(membersOf(one), membersOf(other), conflict)
      // Nobody may join them, or the rule is not sure enough to doubt what keeps them apart.
      if (reasons.has(KEPT_APART) || reasons.has(UNITS)) return []
      if (!isSure && (reasons.has(ONE_SOURCE) || reasons.has(TRAITS))) return []
      const why = [...(isSure ? [] : [SCORE]), ...(areBothSettled(one, other) ? [SETTLED] : []), ...[...reasons].sort()]
      return [{ vendor_sku_ids: [a, b] as [string, string], score: rounded(score), why }]
    })
    await appendProposals(joining, pairs)
    proposed += pairs.length
  }
  return proposed
}

/** Pairs looked at for a proposal at once; bounds memory, changes no result. */
const BATCH_PAIRS = 2_000
/** Why a pair was left to people, besides what keeps SKUs apart: the rule is not sure; both items were there before. */
const SCORE = 'score'
/** The rule took two others of their items for two products. */
const DOUBTED = 'doubted'
const SETTLED = 'both items were there before'

/** Of each two items the best pair, by descending score; at most PROPOSALS_PER_ITEM of an item. */
function bestPairs(edges: readonly Edge[], itemOf: (skuId: string) => string): Edge[] {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  return edges.toSorted(byScore).filter(({ a, b }) => {
    const items = [itemOf(a), itemOf(b)].sort() as [string, string]
    if (items[0] === items[1] || seen.has(items.join(' '))) return false
    seen.add(items.join(' '))
    if (items.some((itemId) => (counts.get(itemId) ?? 0) >= PROPOSALS_PER_ITEM)) return false
    for (const itemId of items) counts.set(itemId, (counts.get(itemId) ?? 0) + 1)
    return true
  })
}

async function appendProposals({ log, cut, rule, recordedAt }: Joining, pairs: PairsProposed['pairs']): Promise<void> {
  const events: PairsProposed[] = []
  for (let start = 0; start < pairs.length; start += PROPOSALS_MAX) {
    const content = {
      type: 'PairsProposed' as const,
      v: 1 as const,
      decided_at: cut.asOf,
      rule_version: rule.version,
      pairs: pairs.slice(start, start + PROPOSALS_MAX),
    }
    events.push({ ...content, event_id: eventId(content), recorded_at: recordedAt })
  }
  if (events.length === 0) return
  await log.append(
    TOPICS.decisions,
    events.map((event) => ({ key: rule.version, value: JSON.stringify(event) })),
  )
}
