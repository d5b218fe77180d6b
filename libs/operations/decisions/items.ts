import { itemIdOf } from '@catalog/core/events/ids.ts'
import type { ItemsMerged, SkuMatched, SkuSplit, SkusKeptApart } from '@catalog/core/events/matching.ts'
import { applyMembership, type MembershipConflict } from '@catalog/core/matching/membership.ts'
import { foundingUnit } from '@catalog/core/median/item-unit.ts'
import { instant } from '@catalog/core/time.ts'
import {
  appendDecisions,
  type Content,
  DecisionRefused,
  decide,
  presentOf,
} from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'
import { textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { loadMembership } from '@catalog/store/vendor/decisions.ts'
import { foundedCounts } from '@catalog/store/vendor/matching.ts'

/** Keeps two vendor SKUs apart for ever. */
export async function rejectPair(
  catalog: Catalog,
  { a, b, reason }: { a: string; b: string; reason: string },
): Promise<Outcome> {
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
  await appendDecisions(catalog, [apart])
  return { value: { kept_apart: apart.vendor_sku_ids }, said: `${a} and ${b} never come into one item` }
}

type Apart = Readonly<{ a: string; b: string; at: string; reason: string }>

const apartContent = ({ a, b, at, reason }: Apart): Content<SkusKeptApart> => ({
  type: 'SkusKeptApart',
  decided_at: at,
  vendor_sku_ids: a < b ? [a, b] : [b, a],
  reason,
})

/** Makes one item part of another; `replace` is first detached where both have a SKU of one source. */
export async function mergeItems(
  catalog: Catalog,
  { from, into, replace, reason }: { from: string; into: string; replace?: string; reason: string },
): Promise<Outcome> {
  const events: (Content<ItemsMerged> | Content<SkuSplit>)[] = []
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
  await appendDecisions(catalog, [...events, merge])
  return { value: { merged: from, into, detached: replace ?? null }, said: `${from} is now part of ${into}` }
}

const MERGE_HINTS: Readonly<Record<MembershipConflict['code'], string>> = {
  ONE_SOURCE: '; an item has one SKU of a source, so detach one with --replace SKU',
  KEPT_APART: '; a decision keeps them apart',
  NOT_FOUNDED: '',
}

async function splitContent(
  catalog: Catalog,
  { skuId, reason }: { skuId: string; reason: string },
): Promise<Content<SkuSplit>> {
  const cut = presentOf(catalog)
  const text = (await textsAt(catalog.store, [skuId], await visibilityAt(catalog.store, cut))).get(skuId)
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [skuId], itemIds: [] })
  if (text === undefined || !membership.itemOf.has(skuId)) {
    throw new DecisionRefused(
      `vendor SKU '${skuId}': expected one that is in an item, as catalog explain ITEM lists them`,
    )
  }
  const n = (await foundedCounts(catalog.store, [skuId])).get(skuId) ?? 0
  return {
    type: 'SkuSplit',
    decided_at: cut.asOf,
    vendor_sku_id: skuId,
    source_id: text.sourceId,
    item_id: itemIdOf(skuId, n),
    founding: { n, unit: foundingUnit(text.payload, text.payload.price) },
    reason,
  }
}

/**
 * SKUs of one item are another product. The first founds an item that the others join; all stay
 * apart from their former companions for ever.
 */
export async function splitSkus(
  catalog: Catalog,
  { skuIds, reason }: { skuIds: readonly string[]; reason: string },
): Promise<Outcome> {
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
    (skuId): Content<SkuMatched> => ({
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
  await appendDecisions(catalog, [split, ...joined, ...apart])
  return {
    value: { vendor_sku_ids: [first, ...others], item_id: itemId, kept_apart_from: stay },
    said: [
      `${first} founds ${itemId}`,
      ...others.map((skuId) => `${skuId} joins it`),
      ...stay.map((skuId) => `for ever apart from ${skuId}`),
    ].join(', '),
  }
}

/** Keeps an observation out of the vote, or lets one in that the fence or the quarantine keeps out. */
export async function overrideObservation(
  catalog: Catalog,
  {
    type,
    observationId,
    reason,
  }: { type: 'ObservationQuarantined' | 'ObservationReleased'; observationId: string; reason: string },
): Promise<Outcome> {
  if (!/^[0-9a-f]{64}$/.test(observationId))
    throw new Error(
      `observation '${observationId}': expected 64 hexadecimal digits, as catalog explain --json gives them`,
    )
  const value = await decide(catalog, { type, observation_id: observationId, reason })
  return { value, said: `${observationId} is ${type === 'ObservationQuarantined' ? 'quarantined' : 'released'}` }
}
