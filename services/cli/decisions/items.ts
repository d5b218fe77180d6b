import { foundingUnit } from '@catalog/aggregator/matching/match.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { itemIdOf } from '@catalog/core/events/ids.ts'
import type { ItemsMerged, SkuMatched, SkuSplit, SkusKeptApart } from '@catalog/core/events/matching.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { applyMembership, type MembershipConflict } from '@catalog/core/matching/membership.ts'
import { instant } from '@catalog/core/time.ts'
import { appendDecisions, DecisionRefused } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { countWaitingPrices } from '@catalog/store/catalog/quarantine.ts'
import { textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { loadMembership } from '@catalog/store/vendor/decisions.ts'
import { foundedCounts } from '@catalog/store/vendor/matching.ts'
import { pairText, reviewPairs } from './pairs.ts'
import { openSpellings } from './vendor-spellings.ts'

/** `catalog review`: similar pairs that no rule decides, the surest first. */
export async function listReview(
  catalog: Catalog,
  terminal: Terminal,
  options: { after?: string; limit: number },
): Promise<void> {
  const { pairs, cursor } = await reviewPairs(catalog, options)
  const waiting = await countWaitingPrices(catalog.store)
  const spellings = (await openSpellings(catalog)).length
  terminal.answer({ pairs, cursor, first_prices_waiting: waiting, source_spellings: spellings }, () =>
    [
      ...pairs.map(pairText),
      pairs.length === 0 ? 'no pair waits for a decision' : '',
      cursor === null ? '' : `more: catalog review --after ${cursor}`,
      waiting === 0 ? '' : `${waiting} first prices wait in quarantine: catalog review waiting`,
      spellings === 0 ? '' : `${spellings} pairs of sources may be one vendor: catalog review sources`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
  if (pairs.length > 0)
    terminal.next(
      'catalog review decide, catalog review merge FROM INTO --reason "..." or catalog review reject SKU_A SKU_B --reason "..."',
    )
}

/** `catalog review reject`: keeps two vendor SKUs apart for ever. */
export async function rejectPair(
  catalog: Catalog,
  terminal: Terminal,
  { a, b, reason }: { a: string; b: string; reason: string },
): Promise<void> {
  if (a === b) throw new DecisionRefused(`vendor SKU '${a}': expected two different ones`)
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [a, b], itemIds: [] })
  const [itemA, itemB] = [a, b].map((skuId) => {
    const itemId = membership.itemOf.get(skuId)
    if (itemId === undefined)
      throw new DecisionRefused(`vendor SKU '${skuId}': expected one that is in an item, as catalog review lists them`)
    return itemId
  })
  if (itemA === itemB)
    throw new DecisionRefused(`${a} and ${b} are in one item, ${itemA}: take one out with catalog review split SKU`)
  const before = membership.apart.get(a)?.get(b)
  if (before !== undefined)
    throw new DecisionRefused(`${a} and ${b} are kept apart since ${before.since} already: ${before.reason}`)
  const apart = apartContent({ a, b, at: instant(catalog.now()), reason })
  await appendDecisions(catalog, TOPICS.decisions, [apart])
  terminal.answer({ kept_apart: apart.vendor_sku_ids }, () => `${a} and ${b} never come into one item`)
  terminal.next('catalog review')
}

type ApartContent = Omit<SkusKeptApart, 'v' | 'event_id' | 'recorded_at'>

function apartContent({ a, b, at, reason }: { a: string; b: string; at: string; reason: string }): ApartContent {
  return { type: 'SkusKeptApart', decided_at: at, vendor_sku_ids: a < b ? [a, b] : [b, a], reason }
}

export async function mergeItems(
  catalog: Catalog,
  terminal: Terminal,
  { from, into, replace, reason }: { from: string; into: string; replace?: string; reason: string },
): Promise<void> {
  const events: (Omit<ItemsMerged, 'v' | 'event_id' | 'recorded_at'> | SplitContent)[] = []
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [], itemIds: [from, into] })
  if (replace !== undefined) {
    const split = await splitContent(catalog, { skuId: replace, reason: `replaced in ${into}: ${reason}` })
    events.push(split)
    applyMembership(membership, { v: 1, event_id: '', recorded_at: '', ...split })
  }
  const merge = {
    type: 'ItemsMerged' as const,
    decided_at: instant(catalog.now()),
    from_item_id: from,
    into_item_id: into,
    reason,
  }
  const refused = applyMembership(membership, { v: 1, event_id: '', recorded_at: '', ...merge })
  if (refused !== undefined) {
    throw new DecisionRefused(`merge ${from} into ${into}: ${refused.conflict}${MERGE_HINTS[refused.code]}`)
  }
  await appendDecisions(catalog, TOPICS.decisions, [...events, merge])
  terminal.answer({ merged: from, into, detached: replace ?? null }, () => `${from} is now part of ${into}`)
  terminal.next('catalog aggregate')
}

const MERGE_HINTS: Readonly<Record<MembershipConflict['code'], string>> = {
  ONE_SOURCE: '; an item has one SKU of a source, so detach one with --replace SKU',
  KEPT_APART: '; a decision keeps them apart',
  NOT_FOUNDED: '',
}

type SplitContent = Omit<SkuSplit, 'v' | 'event_id' | 'recorded_at'>

async function splitContent(
  catalog: Catalog,
  { skuId, reason }: { skuId: string; reason: string },
): Promise<SplitContent> {
  const now = instant(catalog.now())
  const [text] = await textsAt(
    catalog.store,
    [skuId],
    await visibilityAt(catalog.store, { asOf: now, positions: null }),
  )
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [skuId], itemIds: [] })
  if (text === undefined || !membership.itemOf.has(skuId)) {
    throw new DecisionRefused(
      `vendor SKU '${skuId}': expected one that is in an item, as catalog explain ITEM lists them`,
    )
  }
  const n = (await foundedCounts(catalog.store, [skuId])).get(skuId) ?? 0
  return {
    type: 'SkuSplit',
    decided_at: now,
    vendor_sku_id: skuId,
    source_id: text.sourceId,
    item_id: itemIdOf(skuId, n),
    founding: { n, unit: foundingUnit(text.payload) },
    reason,
  }
}

/**
 * `catalog review split`: SKUs of one item are another product. The first founds an item that the others join; all stay
 * apart from their former companions for ever.
 */
export async function splitSkus(
  catalog: Catalog,
  terminal: Terminal,
  { skuIds, reason }: { skuIds: readonly string[]; reason: string },
): Promise<void> {
  const [first, ...others] = [...new Set(skuIds)] as [string, ...string[]]
  const membership = await loadMembership(catalog.store, { vendorSkuIds: skuIds, itemIds: [] })
  const left = membership.itemOf.get(first)
  for (const skuId of others) {
    if (membership.itemOf.get(skuId) !== left)
      throw new Error(`vendor SKU '${skuId}': expected one of ${left ?? 'an item'}, as ${first} is`)
  }
  const split = await splitContent(catalog, { skuId: first, reason })
  const { item_id: itemId, decided_at: at } = split
  const sources = new Map([...(membership.skusOf.get(left ?? '') ?? [])].map(([sourceId, skuId]) => [skuId, sourceId]))
  const joined = others.map(
    (skuId): Omit<SkuMatched, 'v' | 'event_id' | 'recorded_at'> => ({
      type: 'SkuMatched',
      decided_at: at,
      vendor_sku_id: skuId,
      source_id: sources.get(skuId) as string,
      item_id: itemId,
      rule_version: 'person',
      keys: [],
      by: 'person',
      evidence: { reason },
    }),
  )
  const stay = [...sources.keys()].filter((skuId) => skuId !== first && !others.includes(skuId))
  if (stay.length === 0) throw new Error(`${[first, ...others].join(', ')}: expected a SKU that stays in ${left}`)
  const apart = [first, ...others].flatMap((a) => stay.map((b) => apartContent({ a, b, at, reason })))
  await appendDecisions(catalog, TOPICS.decisions, [split, ...joined, ...apart])
  terminal.answer({ vendor_sku_ids: [first, ...others], item_id: itemId, kept_apart_from: stay }, () =>
    [
      `${first} founds ${itemId}`,
      ...others.map((skuId) => `${skuId} joins it`),
      ...stay.map((skuId) => `for ever apart from ${skuId}`),
    ].join(', '),
  )
  terminal.next('catalog aggregate')
}

export async function overrideObservation(
  catalog: Catalog,
  terminal: Terminal,
  {
    type,
    observationId,
    reason,
  }: { type: 'ObservationQuarantined' | 'ObservationReleased'; observationId: string; reason: string },
): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(observationId))
    throw new Error(
      `observation '${observationId}': expected 64 hexadecimal digits, as catalog explain --json gives them`,
    )
  const event = { type, decided_at: instant(catalog.now()), observation_id: observationId, reason }
  await appendDecisions(catalog, TOPICS.decisions, [event])
  terminal.answer(event, () => `${observationId} is ${type === 'ObservationQuarantined' ? 'quarantined' : 'released'}`)
  terminal.next('catalog aggregate')
}
