import { type Evaluated, type ItemFacts, openEvaluator, type Rule } from '@catalog/aggregator/evaluate.ts'
import { openKnownItems } from '@catalog/aggregator/matching/known-items.ts'
import { decidedAliasesAt, matchSku } from '@catalog/aggregator/matching/match-sku.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { assign } from '@catalog/core/matching/match.ts'
import { expandedRegions } from '@catalog/core/median/regions.ts'
import { instant } from '@catalog/core/time.ts'
import { observationEvent } from '@catalog/crawler/ingest/crawl-events.ts'
import type { CrawlPreview } from '@catalog/crawler/ingest/preview.ts'
import { contentOf, settingsOf, Tallies, type Tally } from '@catalog/crawler/ingest/tallies.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Counts, KINDS, type Kind, kindOf, type Price, relativeOf } from '@catalog/operations/price-change.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { presentArticles } from '@catalog/store/references/reference-uses.ts'
import { type PriceRow, type SkuText, type SourceAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { itemIdsOfSkus, itemIdsOfSources } from '@catalog/store/vendor/matching.ts'
import { DIFFERENT, isDifferent, keepLargest } from './report.ts'

/** An item with its median before and after. */
export type Move = Readonly<{
  itemId: string
  name: string
  unit: string | null
  /** Null: the median over all markets. */
  market: string | null
  kind: Kind
  before: Price | null
  after: Price | null
  relative: number | null
}>

/** What would move if records were recorded and a run followed at once. */
export type Moves = Readonly<{
  /** The records that were looked at. */
  records: number
  /** They are all, and so are the items. */
  isWhole: boolean
  /** Items of the catalog that hold them. */
  items: Counts
  /** Items that they would found, before a learned rule joins any of them. */
  newItems: number
  /** The changed ones by factor, then those that lose, gain or change the currency of their median. */
  largest: readonly Move[]
}>

const LARGEST_MAX = 10
/** Items of sources with a newer edition that are looked at. */
const SUPERSEDED_MAX = 20_000
/** Items computed at once: bounds memory, changes no result. */
const ITEMS_AT_ONCE = 200
/** The crawl of records that no crawl recorded yet; the keys of others are numbers. */
const CRAWL = 'preview'

/**
 * What the recordable records of a preview would move, by the rule and the facts of now; appends nothing. New SKUs join
 * items by exact keys alone. Looks at no more records than the preview read.
 */
export async function movesOf(catalog: Facts, preview: Recordable): Promise<Moves> {
  const { store } = catalog
  const asOf = instant(catalog.now())
  const evaluator = await openEvaluator(store, { asOf, positions: null })
  const { tallies, byReference } = recordsOf(preview, asOf)
  const presentOf = await presentArticles(store, [...byReference.keys()])
  const bySku: BySku = new Map([...byReference].map(([first, events]) => [presentOf.get(first) ?? first, events]))
  const { itemOf, newItems } = await placesOf(catalog, bySku, asOf)
  const rule = { ...evaluator.rule, sources: await sourcesWith(catalog, tallies, evaluator.rule) }
  const newer = newerEditions(bySku, evaluator.editions)
  const editions = new Map([...evaluator.editions, ...newer])
  const markets = new Set(tallies.flatMap(({ ref }) => expandedRegions(ref.region)))
  const skusOf = Map.groupBy(itemOf.keys(), (skuId) => itemOf.get(skuId) as string)
  const { recordable, figures } = preview
  // A newer edition also ends the votes of what it leaves out. Records that were not read may have that.
  const superseded = figures.isWhole ? await itemIdsOfSources(store, [...newer.keys()], SUPERSEDED_MAX) : []
  const itemIds = [...new Set([...skusOf.keys(), ...superseded])].sort()
  const sum = openSum()
  for (let start = 0; start < itemIds.length; start += ITEMS_AT_ONCE) {
    const facts = await evaluator.read(itemIds.slice(start, start + ITEMS_AT_ONCE))
    const before = evaluator.compute(facts)
    const after = evaluator.compute({ ...withRecords(facts, { skusOf, bySku }), editions }, rule)
    for (const [i, item] of after.entries()) sum.add(moveOf(before[i] as Evaluated, item, markets))
  }
  const isWhole = figures.isWhole && superseded.length < SUPERSEDED_MAX
  return { records: recordable.length, isWhole, newItems, ...sum.result() }
}

/** The same; null without a catalog, or where no document could be read. */
export const movesIfAny = async (catalog: Facts | null, preview: Recordable | null): Promise<Moves | null> =>
  catalog && preview && movesOf(catalog, preview)

type Facts = Pick<Catalog, 'store' | 'now'>
type Recordable = Pick<CrawlPreview, 'recordable' | 'figures'>
type BySku = ReadonlyMap<string, readonly ObservationRecorded[]>

/** The records as the events of a crawl, by the first SKU of their reference, and their sources. */
function recordsOf({ recordable }: Recordable, recordedAt: string) {
  const tallies = new Tallies()
  const events = recordable.flatMap((candidate) => {
    const tally = tallies.of(candidate.content.source)
    if (tally === null) return []
    tally.registration ??= candidate.registration
    return observationEvent(contentOf(candidate, tally), { crawlId: CRAWL, recordedAt })
  })
  const byReference = Map.groupBy(events, ({ source, vendor_ref }) => vendorSkuIdOf(source.id, vendor_ref))
  return { tallies: tallies.all, byReference }
}

/** The present item of each SKU that has one or would join one by an exact key, and the number of items to be founded. */
async function placesOf({ store }: Facts, bySku: BySku, asOf: string) {
  const cut = { asOf, positions: null }
  const itemOf = await itemIdsOfSkus(store, [...bySku.keys()])
  const aliases = await decidedAliasesAt(store, cut)
  const unplaced = [...bySku].filter(([skuId]) => !itemOf.has(skuId)).map((sku) => matchSku(textOf(...sku), aliases))
  const known = openKnownItems(store, { visibility: await visibilityAt(store, cut), aliases })
  const assigned = assign(unplaced, await known.around(unplaced))
  const founded = new Set(assigned.filter(({ founding }) => founding).map(({ itemId }) => itemId))
  for (const { vendorSkuId, itemId } of assigned) if (!founded.has(itemId)) itemOf.set(vendorSkuId, itemId)
  return { itemOf, newItems: founded.size }
}

/** The latest of the records of a SKU. */
function textOf(skuId: string, events: readonly ObservationRecorded[]): SkuText {
  const payload = events.reduce((a, b) => (isLater(b, a) ? b : a))
  return { skuId, sourceId: payload.source.id, payload }
}

function isLater(a: ObservationRecorded, b: ObservationRecorded): boolean {
  const [atMs, otherMs] = [Date.parse(a.observed_at), Date.parse(b.observed_at)]
  return atMs > otherMs || (atMs === otherMs && a.event_id > b.event_id)
}

/** The sources of a rule, and those that a crawl would register. */
async function sourcesWith({ store }: Facts, tallies: readonly Tally[], { sources }: Rule): Promise<Rule['sources']> {
  const registered = await registeredSources(
    store,
    tallies.map(({ ref }) => ref.id),
  )
  const added = tallies.flatMap(({ ref, registration }): [string, SourceAt][] => {
    if (registration === null || registered.has(ref.id)) return []
    const { id: sourceId, name, region, url } = ref
    const { trust_score: trust, validity = null, validity_days: validityDays, kind, enabled } = settingsOf(registration)
    return [[sourceId, { sourceId, name, region, url, trust, validity, validityDays, kind, enabled }]]
  })
  return new Map([...sources, ...added])
}

/** By source: the greatest edition of the records, where it is newer than the known one. */
function newerEditions(bySku: BySku, known: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const newer = new Map<string, string>()
  for (const { source, edition = '' } of [...bySku.values()].flat())
    if (edition > (newer.get(source.id) ?? known.get(source.id) ?? '')) newer.set(source.id, edition)
  return newer
}

/** The facts as they would be after the records. */
function withRecords(
  facts: ItemFacts,
  { skusOf, bySku }: { skusOf: ReadonlyMap<string, readonly string[]>; bySku: BySku },
): ItemFacts {
  const prices = new Map(facts.prices)
  const texts = new Map(facts.texts)
  const items = facts.items.map((item) => {
    const added = skusOf.get(item.itemId) ?? []
    for (const skuId of added) {
      const events = bySku.get(skuId) as readonly ObservationRecorded[]
      const text = textOf(skuId, events)
      const { sourceId, payload } = text
      const rows = new Map(prices.get(skuId)?.observations.map((row) => [row.observationId, row]))
      for (const event of events) rows.set(event.event_id, rowOf(event, rows.get(event.event_id)))
      prices.set(skuId, { sourceId, observations: [...rows.values()] })
      const known = texts.get(skuId)
      if (known === undefined || isLater(payload, known.payload)) texts.set(skuId, text)
    }
    return { ...item, skuIds: [...new Set([...item.skuIds, ...added])].sort() }
  })
  return { items, prices, texts }
}

/** The record as the store would give it; one that an earlier crawl delivered is delivered once more. */
function rowOf({ price, pack, ...event }: ObservationRecorded, known: PriceRow | undefined): PriceRow {
  if (known !== undefined) return { ...known, crawls: [...known.crawls, CRAWL] }
  return {
    observationId: event.event_id,
    observedAt: event.observed_at,
    cents: price.cents,
    currency: price.currency,
    perQuantity: price.per_quantity,
    minQuantity: price.min_quantity ?? null,
    taxIncluded: price.tax.included,
    taxRate: price.tax.rate ?? null,
    unit: event.unit,
    pack: pack ?? null,
    ...(event.lang !== undefined && { lang: event.lang }),
    isDiscontinued: event.availability === 'Discontinued',
    ...(event.edition !== undefined && { edition: event.edition }),
    crawls: [CRAWL],
    recordedAtMs: Date.parse(event.recorded_at),
  }
}

/** The first median of an item that differs: of the records' own markets, else of all, else of another market. */
function moveOf(past: Evaluated, next: Evaluated, markets: ReadonlySet<string>): Move {
  const mediansOf = ({ repriced }: Evaluated) =>
    new Map<string | null, Price | null>([
      [null, repriced.headline],
      ...repriced.markets.map(({ region, median }) => [region, median] as const),
    ])
  const [was, becomes] = [mediansOf(past), mediansOf(next)]
  const medians = [...new Set([...markets, null, ...was.keys(), ...becomes.keys()])].map((market) => {
    const [before, after] = [was.get(market) ?? null, becomes.get(market) ?? null]
    return { market, before, after, kind: kindOf(before, after), relative: relativeOf(before, after) }
  })
  const { itemId, name, unit } = next
  const headline = medians.find(({ market }) => market === null) as (typeof medians)[number]
  return { itemId, name, unit, ...(medians.find(({ kind }) => isDifferent(kind)) ?? headline) }
}

function openSum() {
  const items = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  const largest = new Map<Kind, Move[]>(DIFFERENT.map((kind) => [kind, []]))
  return {
    add(move: Move) {
      items[move.kind]++
      const kept = largest.get(move.kind)
      if (kept !== undefined) keepLargest(kept, move, LARGEST_MAX)
    },
    result: () => ({ items, largest: [...largest.values()].flat().slice(0, LARGEST_MAX) }),
  }
}
