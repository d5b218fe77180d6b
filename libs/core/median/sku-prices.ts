import type { VoteTax } from '@catalog/core/events/items.ts'
import type { SourceKind } from '@catalog/core/events/sources.ts'
import { add, ONE, parseDecimal, type Rational } from '@catalog/core/money/rational.ts'
import { conversionFactor, pricePerUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { expandedRegions } from './regions.ts'
import type { PricedObservation } from './verdict.ts'

/** Contents of one sold unit, as in an event. */
export type PackOf = Readonly<{ quantity: string; unit: string }>

/** An observation that nothing retracted; the caller leaves out retracted ones. */
export type Observed = Readonly<{
  observationId: string
  observedAt: string
  cents: number
  currency: string
  /** `cents` is the price of so many units. */
  perQuantity: number
  minQuantity: string | null
  taxIncluded: boolean | null
  /** Fraction of the net price: "0.21" for 21 %. */
  taxRate: string | null
  unit: string | null
  pack: PackOf | null
  lang?: string
  /** The vendor no longer sells the goods. */
  isDiscontinued?: boolean
  /** Of the price list that states the price. */
  edition?: string
  /** A person's alias gave its unit. */
  isAliased?: boolean
  /** The crawls that delivered it, for first prices (outlier.ts); without them it counts as a crawl of its own. */
  crawls?: readonly string[]
  /** When the log first had it, in milliseconds since 1970: the order of first prices. */
  recordedAtMs?: number
  /** The last decision of a person on this observation, at or before as_of. */
  override: 'quarantined' | 'released' | null
}>

/** A vendor SKU of the item, with the settings of its source at as_of. An item holds at most one SKU per source. */
export type SkuPrices = Readonly<{
  vendorSkuId: string
  sourceId: string
  /** The canonical source of its vendor, where another one than its own; then the settings below are those. */
  voiceId?: string
  /** Its legal vendor, under methods that hear one voice of each across countries; whatever the source, never its id. */
  vendorId?: string
  /** Of a source of a subdivision: its publisher, which has one vote in the country and above. */
  publisherId?: string
  kind: SourceKind
  region: string | null
  /** Trust score, 0..100. */
  trust: number
  validityDays: number
  /**
   * The greatest edition that its own source recorded, where prices hold until a newer edition: then prices of any other
   * edition, or of none, are superseded.
   */
  editionInForce?: string
  enabled: boolean
  format?: 'bc3'
  observations: readonly Observed[]
}>

/**
 * An item and its SKUs. Unit and pack are those of its founding, spelled so that they mean the same in every language (the
 * label of a sold unit does): "m", never "ml".
 */
export type ItemPrices = Readonly<{ unit: string | null; pack: PackOf | null; skus: readonly SkuPrices[] }>

/** An observation whose price is known per item unit. */
export type Priced = PricedObservation &
  Readonly<{ observedAt: string; edition?: string; taxUnknown: boolean; tax: VoteTax }>

/** A SKU with its observations at or before as_of. */
export type SkuAsOf = Readonly<{
  sku: SkuPrices
  regions: readonly string[]
  asOfMs: number
  observationCount: number
  lastObservedAt: string
  lastMs: number
  priced: readonly Priced[]
  /** Observations without a price per item unit. */
  refused: readonly Refused[]
}>
type Refused = Readonly<{ observationId: string; observedAtMs: number; reason: string }>

/**
 * The SKU with its observations at or before as_of, each once; null when it has none. Where the latest one says that the goods
 * are discontinued, none has a price: an earlier one would vote on after the end of the sale.
 */
export function skuAsOf(sku: SkuPrices, item: ItemPrices, asOfMs: number): SkuAsOf | null {
  const priced: Priced[] = []
  const refused: Refused[] = []
  const known = new Set<string>()
  let lastObservedAt = ''
  let lastMs = Number.NEGATIVE_INFINITY
  let discontinuedMs = Number.NEGATIVE_INFINITY
  for (const observed of sku.observations) {
    const { observationId, observedAt, edition, currency, minQuantity, crawls, recordedAtMs = 0, override } = observed
    const observedAtMs = millisecondsOf(observedAt)
    if (observedAtMs > asOfMs || known.has(observationId)) continue
    known.add(observationId)
    if (observedAtMs > lastMs) {
      lastMs = observedAtMs
      lastObservedAt = observedAt
    }
    if (observed.isDiscontinued === true) {
      discontinuedMs = Math.max(discontinuedMs, observedAtMs)
      refused.push({ observationId, observedAtMs, reason: 'DISCONTINUED' })
      continue
    }
    const price = itemUnitPrice(observed, sku.format, item)
    if (typeof price === 'string') refused.push({ observationId, observedAtMs, reason: price })
    else {
      const terms = { currency, minQuantity, crawls: crawls ?? [observationId], recordedAtMs }
      priced.push({
        observationId,
        observedAt,
        observedAtMs,
        ...(edition && { edition }),
        override,
        ...terms,
        ...price,
      })
    }
  }
  if (known.size === 0) return null
  return {
    sku,
    regions: expandedRegions(sku.region),
    asOfMs,
    observationCount: known.size,
    lastObservedAt,
    lastMs,
    priced: discontinuedMs === lastMs ? [] : priced,
    refused,
  }
}

/** The exact price per item unit; or the reason why an observation has none. */
function itemUnitPrice(
  observed: Observed,
  format: SkuPrices['format'],
  item: ItemPrices,
):
  | Pick<Priced, 'price' | 'taxUnknown' | 'tax'>
  | 'NOT_POSITIVE'
  | 'UNIT_MISMATCH'
  | 'UNIT_UNKNOWN'
  | 'PRICE_OUT_OF_RANGE' {
  const { cents, perQuantity } = observed
  if (cents <= 0) return 'NOT_POSITIVE'
  const unitFactor = unitFactorOf(observed, format, item)
  if (unitFactor === null) return isUnitKnown(observed, format) ? 'UNIT_MISMATCH' : 'UNIT_UNKNOWN'
  const tax = statedTax(observed)
  const taxFactor = taxFactorOf(tax.rate) ?? ONE
  const price = pricePerUnit({ cents, perQuantity, taxFactor }, unitFactor)
  if (price.n > CENTS_MAX * price.d) return 'PRICE_OUT_OF_RANGE'
  return { price, taxUnknown: tax.state === 'gross_without_rate', tax }
}

/** A published amount is a safe integer. A greater price per item unit can only be a slip of unit or pack. */
const CENTS_MAX = BigInt(Number.MAX_SAFE_INTEGER)

/** The tax as the vendor states it. A rate counts for a gross price alone, and only one that can be removed. */
export function statedTax({ taxIncluded, taxRate }: Pick<Observed, 'taxIncluded' | 'taxRate'>): VoteTax {
  if (taxIncluded === null) return NOT_STATED
  if (!taxIncluded) return NET
  if (taxRate === null || taxFactorOf(taxRate) === null) return GROSS_WITHOUT_RATE
  return { by: 'vendor', rate: taxRate, state: 'gross_with_rate' }
}

const NET: VoteTax = { by: null, rate: null, state: 'net' }
const NOT_STATED: VoteTax = { by: null, rate: null, state: 'not_stated' }
const GROSS_WITHOUT_RATE: VoteTax = { by: null, rate: null, state: 'gross_without_rate' }

/** 1 + rate. Null for an unknown rate, and for a rate of 1 or more (a percentage) or below 0. */
export function taxFactorOf(rate: string | null): Rational | null {
  if (rate === null) return null
  return cached(taxFactors, rate, () => {
    const fraction = parseDecimal(rate)
    return fraction.n >= 0n && fraction.n < fraction.d ? add(ONE, fraction) : null
  })
}

/** f in: price per item unit = price per unit of the observation × f; null when the two do not convert. */
function unitFactorOf(observed: Observed, format: SkuPrices['format'], item: ItemPrices): Rational | null {
  const sold = `${unitKey(observed.unit, observed.pack)}\0\0${observed.lang}\0${format}`
  const key = `${sold}\0\0${unitKey(item.unit, item.pack)}`
  return cached(unitFactors, key, () => {
    const { unit, pack, lang } = observed
    return conversionFactor(soldUnit({ unit, pack, lang, format }), soldUnit({ unit: item.unit, pack: item.pack }))
  })
}

function isUnitKnown({ unit, pack, lang }: Observed, format: SkuPrices['format']): boolean {
  return soldUnit({ unit, pack, lang, format }).quantity !== null
}

/** U+0000 separates the parts because no event can carry it. */
function unitKey(unit: string | null, pack: PackOf | null): string {
  const sold = unit === null ? '' : `=${unit}`
  return pack === null ? sold : `${sold}\0${pack.quantity}\0${pack.unit}`
}

const unitFactors = new Map<string, Rational | null>()
const taxFactors = new Map<string, Rational | null>()
/** Distinct pairs of unit spellings, and tax rates, are few. The bound keeps a feed of invented ones from filling memory. */
const CACHED_MAX = 20_000

function cached<T>(cache: Map<string, T>, key: string, compute: () => T): T {
  const known = cache.get(key)
  if (known !== undefined) return known
  const value = compute()
  if (cache.size >= CACHED_MAX) cache.clear()
  cache.set(key, value)
  return value
}

/** The instant as milliseconds since 1970. Text would not sort: "…:00.500Z" stands before "…:00Z". */
export function millisecondsOf(instant: string): number {
  const milliseconds = Date.parse(instant)
  if (Number.isNaN(milliseconds))
    throw new RangeError(`'${instant}': expected a UTC instant such as 2026-01-31T02:00:00Z`)
  return milliseconds
}
