import { priceAt } from '@catalog/core/median/verdict.ts'
import { settlementCurrency } from '@catalog/core/median/vote.ts'
import { add, divide, ONE, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import type { LatestPrice } from '@catalog/store/replica/prices.ts'

/** A vendor's SKU as the detail of an item shows it. */
export type VendorObservation = Readonly<{
  vendor_sku_id: string
  source: Readonly<{ name: string; region: string | null; trust_score: number; url: string | null }>
  price: Readonly<{ cents: number; currency: string }>
  unit: string | null
  observed_at: string
  /** Of the price list; absent where none is stated. */
  edition?: string
}>

/** The current price of a vendor's SKU, from its prices (at least one) of one instant. */
export function vendorObservation(seen: readonly LatestPrice[]): VendorObservation {
  // Several prices at one instant are bids or quantity tiers: show the one that votes, as observed.
  const currency = settlementCurrency(seen.map(({ currency }) => ({ currency, weight: 1 })))
  const { shown } = priceAt(
    seen
      .filter((price) => price.currency === currency)
      .map((price) => ({
        observationId: price.observation_id,
        observedAtMs: Date.parse(price.observed_at),
        currency: price.currency,
        price: netPrice(price),
        minQuantity: price.min_quantity,
        override: null,
        shown: price,
      })),
  )
  const { per_quantity, unit, edition } = shown
  return {
    vendor_sku_id: shown.vendor_sku_id,
    source: {
      name: shown.source_name,
      region: shown.source_region,
      trust_score: shown.trust_score,
      url: shown.source_url,
    },
    price: { cents: shown.cents, currency: shown.currency },
    // A price below the minor unit is quoted for several units; dividing would round it.
    unit: per_quantity === 1 ? unit : unit === null ? `${per_quantity}` : `${per_quantity} ${unit}`,
    observed_at: shown.observed_at,
    ...(edition !== null && { edition }),
  }
}

/** Per unit, and net of tax where the rate is known: the value that votes compare. */
function netPrice({ cents, per_quantity, tax_included, tax_rate }: LatestPrice): Rational {
  const price = rational(BigInt(cents), BigInt(per_quantity))
  return tax_included === true && tax_rate !== null ? divide(price, add(ONE, parseDecimal(tax_rate))) : price
}
