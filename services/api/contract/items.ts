import { openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Cents, Count, Currency, EditionStated, Id, Instant, NextCursor } from '@catalog/api/contract/shared/fields.ts'
import {
  Cursor,
  InstantParameter,
  include,
  lang,
  Market,
  pageLimit,
  priceRegion,
} from '@catalog/api/contract/shared/parameters.ts'
import { additionsTo } from '@catalog/api/contract/shared/responses.ts'
import { z } from 'zod'

/** Items: details, markets and history. */

export const CanonicalItem = shape('CanonicalItem', {
  id: Id('ci_', 'Item id'),
  name: z.string(),
  unit: z.string().nullish(),
  cpv: z.string().nullish(),
  category_id: z.string().nullish(),
  vendor_count: Count,
  observation_count: Count,
  median_price: z.strictObject({ cents: Cents, currency: Currency, recorded_at: Instant.nullable() }).nullish(),
  updated_at: Instant,
}).meta({ id: 'CanonicalItem' })

export const VendorObservation = shape('VendorObservation', {
  vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
  source: z.strictObject({
    name: z.string(),
    region: z.string().nullable(),
    trust_score: z.int().min(0).max(100),
    url: z.string().nullable(),
  }),
  price: z.strictObject({ cents: Cents, currency: Currency }),
  unit: z.string().nullable(),
  observed_at: Instant,
}).meta({ id: 'VendorObservation' })

export const PriceHistoryPoint = z
  .strictObject({ recorded_at: Instant, price_cents: Cents, currency: Currency })
  .meta({ id: 'PriceHistoryPoint' })

export const ItemDetailResponse = shape('ItemDetailResponse', {
  item: CanonicalItem,
  vendors: z.array(VendorObservation),
  price_history: z.array(PriceHistoryPoint),
}).meta({ id: 'ItemDetailResponse' })

/** An item with what `include` names. */
export const ExtendedItemDetailResponse = ItemDetailResponse.extend({
  vendors: z.array(
    VendorObservation.extend({ edition: EditionStated.optional() }).meta({ id: 'VendorObservationWithEdition' }),
  ),
}).meta({ id: 'ExtendedItemDetailResponse', ...additionsTo(ItemDetailResponse) })
export type ItemDetail = z.infer<typeof ExtendedItemDetailResponse>

/** The price of an item over time. */
export const ItemHistoryResponse = shape('ItemHistoryResponse', {
  item_id: Id('ci_', 'Item id'),
  price_region: z.string().nullable(),
  points: z.array(
    z.strictObject({ recorded_at: Instant, price_cents: Cents.nullable(), currency: Currency.nullable() }),
  ),
  cursor: NextCursor,
}).meta({ id: 'ItemHistoryResponse' })

export const ItemQuery = z.object({
  price_region: priceRegion,
  lang,
  include: include({ edition: 'the edition of the price list that states a price' }),
})

export const ItemHistoryQuery = openShape('ItemHistoryQuery', {
  price_region: Market('See one market: the median of this region. Absent: the headline').optional(),
  from: InstantParameter().optional(),
  to: InstantParameter().optional(),
  cursor: Cursor,
  limit: pageLimit({ max: 1000, ifAbsent: 365, counted: 'points' }),
}).superRefine(({ from, to }, context) => {
  if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from)) {
    context.addIssue({
      code: 'custom',
      path: ['to'],
      message: `expected an instant that is not before from, ${from}`,
    })
  }
})
