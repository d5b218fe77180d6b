import { matchKeys } from '@catalog/core/matching/match.ts'
import { expandedRegions } from '@catalog/core/median/regions.ts'
import { skuAsOf } from '@catalog/core/median/sku-prices.ts'
import { instant } from '@catalog/core/time.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import type { ComparedRecord, SampledRecord } from '@catalog/crawler/quality/record-figures.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { itemsOfKeys, type KeyedItem } from '@catalog/store/quality/vote-comparison.ts'

/**
 * These records with the ratios of their prices to the lower median of the other sources' votes on the same item, as last
 * published. The matcher's exact keys find the item, the strongest first: GTIN, manufacturer's reference, name. It
 * compares prices of one currency in the unit of the item, in the source's own markets where others vote there. Leaves
 * out a record without such an item.
 */
export async function priceRatios(
  db: Queryable,
  { sourceId, region, records }: Parameters<SourceCrawlDeps['priceRatios']>[0],
): Promise<readonly ComparedRecord[]> {
  const keysOf = new Map(records.map((record) => [record, matchKeys(skuOf(record, sourceId))]))
  const itemsByKey = new Map<string, KeyedItem[]>()
  for await (const page of itemsOfKeys(db, [...new Set([...keysOf.values()].flat())])) {
    for (const item of page) itemsByKey.set(item.key, [...(itemsByKey.get(item.key) ?? []), item])
  }
  const regions = expandedRegions(region)
  return records.flatMap((record) => {
    for (const item of (keysOf.get(record) ?? []).flatMap((key) => itemsByKey.get(key) ?? [])) {
      const ratio = ratioOf(record, item, { sourceId, regions })
      if (ratio !== null) return [{ record, ratio }]
    }
    return []
  })
}

function skuOf(record: SampledRecord, sourceId: string) {
  const { name, lang, unit, pack, gtin, manufacturer_ref: manufacturerRef } = record
  return { vendorSkuId: '', sourceId, name, lang, unit, pack, gtin, manufacturerRef }
}

/** Null where the units do not convert, or nobody else votes in the currency. */
function ratioOf(
  record: SampledRecord,
  { unit, pack, votes }: KeyedItem,
  { sourceId, regions }: Readonly<{ sourceId: string; regions: readonly string[] }>,
): number | null {
  const own = pricePerItemUnit(record, { unit, pack })
  if (own === null) return null
  const others = votes.filter((vote) => vote.source_id !== sourceId && vote.currency === record.price.currency)
  const inMarket = others.filter(({ markets }) => markets.some((market) => regions.includes(market)))
  const prices = (inMarket.length > 0 ? inMarket : others).map(({ price }) => price).sort((a, b) => a - b)
  const median = prices[Math.ceil(prices.length / 2) - 1]
  return median === undefined || median <= 0 ? null : own / median
}

function pricePerItemUnit(record: SampledRecord, item: Pick<KeyedItem, 'unit' | 'pack'>): number | null {
  const { price, unit, pack = null, lang, observed_at: observedAt } = record
  const observed = {
    observationId: '',
    observedAt: instant(new Date(observedAt)),
    cents: price.cents,
    currency: price.currency,
    perQuantity: price.per_quantity,
    minQuantity: null,
    taxIncluded: price.tax.included,
    taxRate: price.tax.rate ?? null,
    unit,
    pack,
    ...(lang !== undefined && { lang }),
    override: null,
  }
  const sku = { ...NO_SKU, observations: [observed] }
  const priced = skuAsOf(sku, { ...item, skus: [] }, Date.parse(observedAt))?.priced[0]
  return priced === undefined ? null : Number(priced.price.n) / Number(priced.price.d)
}

/** The settings of a source play no part in the price of an item's unit. */
const NO_SKU = {
  vendorSkuId: '',
  sourceId: '',
  kind: 'shop' as const,
  region: null,
  trust: 1,
  validityDays: 1,
  enabled: true,
}
