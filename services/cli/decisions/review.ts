import { foundingUnit } from '@catalog/aggregator/matching/match.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { itemIdOf } from '@catalog/core/events/ids.ts'
import type { ItemsMerged, SkuSplit, SkusKeptApart } from '@catalog/core/events/matching.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { applyMembership, type MembershipConflict } from '@catalog/core/matching/membership.ts'
import { instant } from '@catalog/core/time.ts'
import { countWaitingPrices } from '@catalog/store/catalog/quarantine.ts'
import { sourcesAt, textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { loadMembership } from '@catalog/store/vendor/decisions.ts'
import { foundedCounts, openProposals } from '@catalog/store/vendor/matching.ts'
import { appendDecisions } from './append-decision.ts'

/** `catalog review`: similar pairs that no rule decides, the surest first. */
export async function listReview(
  catalog: Catalog,
  terminal: Terminal,
  { after, limit }: { after?: string; limit: number },
): Promise<void> {
  const { store } = catalog
  const found = await openProposals(store, { after: after === undefined ? null : parseCursor(after), limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const cut = { asOf: instant(catalog.now()), positions: null }
  const sources = await sourcesAt(store, cut)
  const skuIds = [...new Set(page.flatMap(({ a, b }) => [a, b]))]
  const texts = new Map(
    (await textsAt(store, skuIds, await visibilityAt(store, cut))).map((text) => [text.skuId, text]),
  )
  const side = (skuId: string, itemId: string) => {
    const text = texts.get(skuId)
    return {
      vendor_sku_id: skuId,
      item_id: itemId,
      name: text?.payload.name ?? null,
      unit: text === undefined ? null : foundingUnit(text.payload),
      source: text === undefined ? null : (sources.get(text.sourceId)?.name ?? text.sourceId),
    }
  }
  const pairs = page.map(({ a, b, itemA, itemB, score, why, ruleVersion, decidedAt }) => ({
    score,
    why,
    a: side(a, itemA),
    b: side(b, itemB),
    rule_version: ruleVersion,
    decided_at: decidedAt,
  }))
  const cursor = last === undefined ? null : `${last.score}/${last.a}/${last.b}`
  const waiting = await countWaitingPrices(store)
  terminal.answer({ pairs, cursor, first_prices_waiting: waiting }, () =>
    [
      ...pairs.map(({ score, why, a, b }) =>
        [
          `${score.toFixed(3)}  not automatic: ${why.join('; ')}`,
          ...[a, b].map(
            ({ name, unit, source, vendor_sku_id, item_id }) =>
              `  ${name ?? 'no observation left'} | ${unit ?? 'no unit'} | ${source ?? '-'} | ${vendor_sku_id} in ${item_id}`,
          ),
        ].join('\n'),
      ),
      pairs.length === 0 ? 'no pair waits for a decision' : '',
      cursor === null ? '' : `more: catalog review --after ${cursor}`,
      waiting === 0 ? '' : `${waiting} first prices wait in quarantine: catalog review waiting`,
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
  if (pairs.length > 0)
    terminal.next('catalog review merge FROM INTO --reason "..." or catalog review reject SKU_A SKU_B --reason "..."')
}

/** Parses the cursor of a page: score/SKU/SKU. */
function parseCursor(cursor: string): { score: number; a: string; b: string } {
  const [, score, a, b] = /^(\d(?:\.\d+)?)\/(vsku_[a-z0-9]+)\/(vsku_[a-z0-9]+)$/.exec(cursor) ?? []
  if (score === undefined || a === undefined || b === undefined)
    throw new Error(`--after '${cursor}': expected a cursor of catalog review`)
  return { score: Number(score), a, b }
}

/** `catalog review reject`: keeps two vendor SKUs apart for ever. */
export async function rejectPair(
  catalog: Catalog,
  terminal: Terminal,
  { a, b, reason }: { a: string; b: string; reason: string },
): Promise<void> {
  if (a === b) throw new Error(`vendor SKU '${a}': expected two different ones`)
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [a, b], itemIds: [] })
  const [itemA, itemB] = [a, b].map((skuId) => {
    const itemId = membership.itemOf.get(skuId)
    if (itemId === undefined)
      throw new Error(`vendor SKU '${skuId}': expected one that is in an item, as catalog review lists them`)
    return itemId
  })
  if (itemA === itemB)
    throw new Error(`${a} and ${b} are in one item, ${itemA}: take one out with catalog review split SKU`)
  const before = membership.apart.get(a)?.get(b)
  if (before !== undefined)
    throw new Error(`${a} and ${b} are kept apart since ${before.since} already: ${before.reason}`)
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
    throw new Error(`merge ${from} into ${into}: ${refused.conflict}${MERGE_HINTS[refused.code]}`)
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
    throw new Error(`vendor SKU '${skuId}': expected one that is in an item, as catalog explain ITEM lists them`)
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

/** `catalog review split`: founds an item for the SKU and keeps it apart from its former companions for ever. */
export async function splitSku(catalog: Catalog, terminal: Terminal, options: { skuId: string; reason: string }) {
  const split = await splitContent(catalog, options)
  const { vendor_sku_id: skuId, item_id: itemId, decided_at: at } = split
  const membership = await loadMembership(catalog.store, { vendorSkuIds: [skuId], itemIds: [] })
  const left = membership.itemOf.get(skuId)
  const others = [...(membership.skusOf.get(left ?? '')?.values() ?? [])].filter((other) => other !== skuId)
  const apart = others.map((other) => apartContent({ a: skuId, b: other, at, reason: options.reason }))
  await appendDecisions(catalog, TOPICS.decisions, [split, ...apart])
  terminal.answer({ vendor_sku_id: skuId, item_id: itemId, kept_apart_from: others }, () =>
    [`${skuId} founds ${itemId}`, ...others.map((other) => `for ever apart from ${other}`)].join(', '),
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
