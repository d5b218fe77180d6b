import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { type Contradiction, contradictionBetween } from '@catalog/core/matching/contradictions.ts'
import { APART_RATIO } from '@catalog/core/matching/dispersion.ts'
import type { Conflict, JoinMember } from '@catalog/core/matching/joins.ts'
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

/**
 * Returns the gate that keeps two of these SKUs out of one item, whatever their score. Members of items are many of few
 * texts, so `keep` may keep what two texts gave.
 */
export async function conflictAmong(
  { store, rule }: { store: Store; rule: Pick<JoinRule, 'canBeOneProduct'> },
  skus: readonly DescribedSku[],
  keep = (gateOf: GateOfTexts) => gateOf,
): Promise<Conflict<DescribedSku>> {
  const apart = new Set(
    (
      await keptApartAmong(
        store,
        skus.map(({ vendorSkuId }) => vendorSkuId),
      )
    ).map(({ a, b }) => skuPair(a, b)),
  )
  const gateOf = keep((one, other) => {
    const contradiction = contradictionBetween(one, other)
    if (contradiction) return contradictionGate(contradiction)
    return rule.canBeOneProduct(one, other) ? null : TRAITS_GATE
  })
  return (a, b) => {
    if (apart.size > 0 && apart.has(skuPair(a.vendorSkuId, b.vendorSkuId))) return KEPT_APART_GATE
    if (a.description === null || b.description === null) return null
    const [one, other] = [a.description, b.description]
    if (conversionFactor(one.sold, other.sold) === null) return UNITS_GATE
    return gateOf(one.text, other.text) ?? (arePricesFarApart(one.price, other.price) ? PRICE_GATE : null)
  }
}

type GateOfTexts = (one: MatchText, other: MatchText) => string | null

function arePricesFarApart(a: UnitPrice | null, b: UnitPrice | null): boolean {
  if (a === null || b === null || a.currency !== b.currency) return false
  // Bids for one item lie further apart than lists: bidders move price between the items of a contract.
  const isOneMarket = a.region !== null && a.region === b.region && !a.isBid && !b.isBid
  const factorMax = isOneMarket ? APART_RATIO : PRICE_FACTOR_MAX
  return Math.max(a.cents, b.cents) > factorMax * Math.min(a.cents, b.cents)
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
