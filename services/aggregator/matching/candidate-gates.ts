import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { type Contradiction, contradictionBetween } from '@catalog/core/matching/contradictions.ts'
import { APART_RATIO } from '@catalog/core/matching/dispersion.ts'
import type { JoinMember } from '@catalog/core/matching/joins.ts'
import type { MatchText } from '@catalog/core/matching/match.ts'
import { conversionFactor, type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { Store } from '@catalog/store/db.ts'
import { keptApartAmong } from '@catalog/store/vendor/decisions.ts'
import { skuPair } from '@catalog/store/vendor/matching.ts'
import type { JoinRule } from './join-rule.ts'

/** A vendor SKU with the latest description in sight; `description` is null when there is none. */
export type DescribedSku = JoinMember & Readonly<{ description: SkuDescription | null }>
/** Parsed once per SKU, which is compared with dozens of others. SKUs of one text share it. */
export type SkuDescription = Readonly<{ text: MatchText; sold: SoldUnit; price: UnitPrice | null }>
/** Minor units of the currency per base unit of the product; the market of the source, and whether it is a bid. */
export type UnitPrice = Readonly<{ currency: string; cents: number; region: string | null; isBid: boolean }>

/** A person decided that these are two products. */
export const KEPT_APART_GATE = 'kept apart'
/** Prices per one unit do not convert into prices per the other. */
export const UNITS_GATE = 'units'
/** Different size, contents, grade, colour or GTIN, by the gate of the learned rule. */
const TRAITS_GATE = 'size, grade, colour or GTIN'
/** What contradicts, for people: "other grade". */
const contradictionGate = ({ about }: Contradiction) => `${OTHER}${about}`
const OTHER = 'other '
/** Whether a gate on what the two texts say keeps two SKUs apart. */
export const isContradiction = (gate: string) => gate === TRAITS_GATE || gate.startsWith(OTHER)
/** One costs more than {@link PRICE_FACTOR_MAX} times the other, or {@link APART_RATIO} times in one market. */
export const PRICE_GATE = 'price'

/** The same product seldom costs three times as much at another vendor, so a person decides first. */
const PRICE_FACTOR_MAX = 3

/** The gates that keep SKUs out of one item, whatever their score. All are symmetric. */
export type Gates = Readonly<{
  between: (a: DescribedSku, b: DescribedSku) => string | null
  /** Those on what two SKUs sell, whatever it costs. */
  ofTexts: (a: SoldText, b: SoldText) => string | null
  areKeptApart: (ones: readonly DescribedSku[], others: readonly DescribedSku[]) => boolean
}>
type SoldText = Pick<SkuDescription, 'text' | 'sold'>

/** The gates between any two of these SKUs. */
export async function openGates(
  { store, rule }: { store: Store; rule: Pick<JoinRule, 'canBeOneProduct'> },
  skus: readonly DescribedSku[],
): Promise<Gates> {
  const skuIds = skus.map(({ vendorSkuId }) => vendorSkuId)
  return gatesBy(rule, await keptApartAmong(store, skuIds))
}

/** `apart` are the pairs that a person keeps apart. */
export function gatesBy(
  rule: Pick<JoinRule, 'canBeOneProduct'>,
  apart: readonly Readonly<{ a: string; b: string }>[],
): Gates {
  const pairs = new Set(apart.map(({ a, b }) => skuPair(a, b)))
  const ofTexts = (one: SoldText, other: SoldText) => {
    if (conversionFactor(one.sold, other.sold) === null) return UNITS_GATE
    const contradiction = contradictionBetween(one.text, other.text)
    if (contradiction) return contradictionGate(contradiction)
    return rule.canBeOneProduct(one.text, other.text) ? null : TRAITS_GATE
  }
  return {
    ofTexts,
    between(a, b) {
      if (pairs.size > 0 && pairs.has(skuPair(a.vendorSkuId, b.vendorSkuId))) return KEPT_APART_GATE
      const [one, other] = [a.description, b.description]
      if (one === null || other === null) return null
      return ofTexts(one, other) ?? (arePricesFarApart(one.price, other.price) ? PRICE_GATE : null)
    },
    areKeptApart(ones, others) {
      if (apart.length === 0) return false
      const [one, other] = [ones, others].map((members) => new Set(members.map(({ vendorSkuId }) => vendorSkuId)))
      return apart.some(({ a, b }) => (one?.has(a) && other?.has(b)) || (one?.has(b) && other?.has(a)))
    },
  }
}

function arePricesFarApart(a: UnitPrice | null, b: UnitPrice | null): boolean {
  if (a === null || b === null) return false
  return areSpansFarApart({ ...a, least: a.cents, greatest: a.cents }, { ...b, least: b.cents, greatest: b.cents })
}

/** Prices of one market and kind, per base unit, from the least to the greatest. */
export type PriceSpan = Omit<UnitPrice, 'cents'> & Readonly<{ least: number; greatest: number }>

/** Whether a price of one span and one of the other lie further apart than one product costs. */
export function areSpansFarApart(a: PriceSpan, b: PriceSpan): boolean {
  if (a.currency !== b.currency) return false
  // Bids for one item lie further apart than lists: bidders move price between the items of a contract.
  const isOneMarket = a.region !== null && a.region === b.region && !a.isBid && !b.isBid
  const factorMax = isOneMarket ? APART_RATIO : PRICE_FACTOR_MAX
  return a.greatest > factorMax * b.least || b.greatest > factorMax * a.least
}

export function descriptionOf({
  text,
  price,
  source,
}: { text: MatchText } & Pick<ObservationRecorded, 'price' | 'source'>): SkuDescription {
  const sold = soldUnit(text)
  return { text, sold, price: unitPrice(sold, price, source.region) }
}

/**
 * The price of one base unit; null when the price is zero or less. It ignores tax and tiers, because neither reaches a
 * factor of two.
 */
function unitPrice(
  { quantity }: SoldUnit,
  price: ObservationRecorded['price'],
  region: string | null,
): UnitPrice | null {
  if (price.cents <= 0) return null
  const units = price.per_quantity * (quantity === null ? 1 : Number(quantity.n) / Number(quantity.d))
  return { currency: price.currency, cents: price.cents / units, region, isBid: price.kind === 'bid' }
}
