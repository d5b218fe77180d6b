import { eventId } from '@catalog/core/events/ids.ts'
import type { SkuMatched } from '@catalog/core/events/matching.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Blocks } from '@catalog/core/matching/blocking.ts'
import { assign, type ExistingItems, type MatchSku, matchKeys, RULE_VERSION } from '@catalog/core/matching/match.ts'
import type { SourceVoices } from '@catalog/core/matching/source-voices.ts'
import { foundingUnit, type StatedPrice } from '@catalog/core/median/item-unit.ts'
import { type UnitAliases, withAliases } from '@catalog/core/units/unit-aliases.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  type Cut,
  type SkuText,
  textsAt,
  unitAliasesAt,
  type Visibility,
  visibilityAt,
} from '@catalog/store/vendor/as-of-queries.ts'
import { foundedCounts, itemMembers, itemsByKeys, unmatchedSkuIds } from '@catalog/store/vendor/matching.ts'
import { sourceVoicesAt } from '@catalog/store/vendor/source-aliases.ts'

/** SKUs matched between two reads of the store; bounds memory, changes no result. */
const CHUNK_SKUS = 1_000

export type MatchReport = Readonly<{ matched: number; founded: number }>

/**
 * Gives an item to every SKU that has an observation at the cut but no item. Law: it takes SKUs in ascending id order
 * and each decision depends only on earlier ones, so a killed run that repeats decides the same.
 */
export async function matchNewSkus({
  store,
  log,
  cut,
  recordedAt,
  blocks,
  catchUp,
  onProgress = () => {},
}: {
  store: Store
  log: EventLog
  cut: Cut
  recordedAt: string
  /** Blocking keys, beside the exact ones, that later joins find a SKU by. */
  blocks?: ((sku: MatchSku) => Blocks) | undefined
  catchUp: () => Promise<void>
  onProgress?: (matched: number) => void
}): Promise<MatchReport> {
  const visibility = await visibilityAt(store, cut)
  const aliases = await decidedAliasesAt(store, cut)
  let matched = 0
  let founded = 0
  let after = ''
  for (;;) {
    const skuIds = await unmatchedSkuIds(store, { visibility, after, limit: CHUNK_SKUS })
    const last = skuIds.at(-1)
    if (last === undefined) return { matched, founded }
    const texts = await textsAt(store, skuIds, visibility)
    const unmatched = texts.map((text) => matchSku(text, aliases))
    const known = new Map(texts.map(({ skuId, payload }, at) => [skuId, { sku: unmatched[at], price: payload.price }]))
    const assignments = assign(unmatched, await existingItems(store, unmatched, { visibility, aliases }))
    const events = assignments.map(({ vendorSkuId, itemId, founding, n, keys, evidence }): SkuMatched => {
      const { sku, price } = known.get(vendorSkuId) as { sku: MatchSku; price: StatedPrice }
      const event = {
        type: 'SkuMatched' as const,
        v: 1 as const,
        decided_at: cut.asOf,
        vendor_sku_id: vendorSkuId,
        source_id: sku.sourceId,
        item_id: itemId,
        ...(founding ? { founding: { n, unit: foundingUnit(sku, price) } } : {}),
        keys: [...keys, ...(blocks?.(sku).stored ?? [])],
        rule_version: RULE_VERSION,
        by: 'rule' as const,
        evidence,
      }
      return { ...event, event_id: eventId(event), recorded_at: recordedAt }
    })
    await log.append(
      TOPICS.decisions,
      events.map((event) => ({ key: event.vendor_sku_id, value: JSON.stringify(event) })),
    )
    await catchUp()
    matched += events.length
    founded += events.filter((event) => event.founding !== undefined).length
    after = last
    onProgress(matched)
  }
}

/** What people decided on spellings, at a cut. */
export type DecidedAliases = Readonly<{ units: UnitAliases; voices: SourceVoices }>

export async function decidedAliasesAt(store: Store, cut: Cut): Promise<DecidedAliases> {
  const [units, voices] = await Promise.all([unitAliasesAt(store, cut), sourceVoicesAt(store, cut)])
  return { units, voices }
}

/** The matcher's input from a SKU's latest observation, with the aliases of units and sources applied. */
export function matchSku({ skuId, sourceId, payload }: SkuText, { units, voices }: DecidedAliases): MatchSku {
  const { vendor_ref, name, lang, gtin, manufacturer_ref, category_path } = payload
  const { unit, pack } = withAliases({ unit: payload.unit, pack: payload.pack }, sourceId, units)
  const voiceId = voices.get(sourceId)
  return {
    vendorSkuId: skuId,
    sourceId,
    ...(voiceId === undefined ? {} : { voiceId }),
    vendorRef: vendor_ref,
    name,
    unit,
    ...(lang === undefined ? {} : { lang }),
    ...(pack === undefined ? {} : { pack }),
    ...(gtin === undefined ? {} : { gtin }),
    ...(manufacturer_ref === undefined ? {} : { manufacturerRef: manufacturer_ref }),
    ...(category_path === undefined ? {} : { categoryPath: category_path }),
  }
}

/** Reads, at once for a chunk of SKUs, all that `assign` needs to know of existing items. */
async function existingItems(
  store: Store,
  unmatched: readonly MatchSku[],
  { visibility, aliases }: { visibility: Visibility; aliases: DecidedAliases },
): Promise<ExistingItems> {
  const found = await itemsByKeys(store, [...new Set(unmatched.flatMap(matchKeys))])
  const members = await itemMembers(store, [...new Set(found.map(({ itemId }) => itemId))])
  const texts = new Map(
    (
      await textsAt(
        store,
        members.flatMap(({ skuIds }) => skuIds),
        visibility,
      )
    ).map((text) => [text.skuId, matchSku(text, aliases)]),
  )
  const founders = new Map(found.map(({ itemId, founderId }) => [itemId, founderId]))
  const items = new Map(
    members.map(({ itemId, skuIds }) => [
      itemId,
      {
        itemId,
        founderVendorSkuId: founders.get(itemId) as string,
        members: skuIds.flatMap((skuId) => texts.get(skuId) ?? []),
      },
    ]),
  )
  const byKey = Map.groupBy(found, ({ key }) => key)
  const counts = await foundedCounts(
    store,
    unmatched.map(({ vendorSkuId }) => vendorSkuId),
  )
  return {
    byKey: (key) => (byKey.get(key) ?? []).flatMap(({ itemId }) => items.get(itemId) ?? []),
    foundedBefore: (vendorSkuId) => counts.get(vendorSkuId) ?? 0,
  }
}
