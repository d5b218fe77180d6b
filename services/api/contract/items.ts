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

export const CanonicalItem = z
  .strictObject({
    id: Id('ci_', 'Item id'),
    name: z.string(),
    unit: z
      .string()
      .nullish()
      .meta({ description: 'Unit of measure with its pack', examples: ['25 kg'] }),
    cpv: z.string().nullish().meta({ description: 'EU procurement code; present only when a source gave one' }),
    category_id: z.string().nullish(),
    vendor_count: Count.meta({
      description: 'Vendors that sell the item: as last published, but in its detail those of `vendors`',
    }),
    observation_count: Count.meta({
      description: 'Prices that they published: as of the last change of the item, but in its detail up to now',
    }),
    median_price: z
      .strictObject({ cents: Cents, currency: Currency, recorded_at: Instant.nullable() })
      .nullish()
      .meta({ description: 'Trust-weighted median net of tax, recomputed nightly; null while no price is eligible' }),
    updated_at: Instant,
  })
  .meta({ id: 'CanonicalItem' })

export const VendorObservation = z
  .strictObject({
    vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
    source: z.strictObject({
      name: z.string(),
      region: z.string().nullable(),
      trust_score: z.int().min(0).max(100),
      url: z.string().nullable(),
    }),
    price: z
      .strictObject({ cents: Cents, currency: Currency })
      .meta({ description: 'As published, with tax or without' }),
    unit: z
      .string()
      .nullable()
      .meta({ description: 'The unit that the price buys, as observed', examples: ['bag', '100 m'] }),
    observed_at: Instant,
  })
  .meta({ id: 'VendorObservation' })

export const PriceHistoryPoint = z
  .strictObject({ recorded_at: Instant, price_cents: Cents, currency: Currency })
  .meta({ id: 'PriceHistoryPoint' })

export const ItemDetailResponse = z
  .strictObject({
    item: CanonicalItem,
    vendors: z.array(VendorObservation).meta({ description: 'The latest price of each vendor, live' }),
    price_history: z.array(PriceHistoryPoint).meta({
      description:
        'Medians of 90 days, net of tax, ascending: each holds from the run of its instant until the next, or until no price was eligible. The first may have held before. `/history` shows when it began, and such gaps',
    }),
  })
  .meta({ id: 'ItemDetailResponse' })

/** An item with what `include` names. */
export const ExtendedItemDetailResponse = ItemDetailResponse.extend({
  vendors: z.array(
    VendorObservation.extend({ edition: EditionStated.optional() }).meta({ id: 'VendorObservationWithEdition' }),
  ),
}).meta({ id: 'ExtendedItemDetailResponse', ...additionsTo(ItemDetailResponse) })
export type ItemDetail = z.infer<typeof ExtendedItemDetailResponse>

/** The price of an item over time. */
export const ItemHistoryResponse = z
  .strictObject({
    item_id: Id('ci_', 'Item id'),
    price_region: z.string().nullable().meta({ description: 'null: the headline' }),
    points: z
      .array(z.strictObject({ recorded_at: Instant, price_cents: Cents.nullable(), currency: Currency.nullable() }))
      .meta({ description: 'Changes of the median, net of tax, ascending; null: no price from then on' }),
    cursor: NextCursor,
  })
  .meta({ id: 'ItemHistoryResponse' })

export const ItemQuery = z.object({
  price_region: priceRegion,
  lang,
  include: include({ edition: 'the edition of the price list that states a price' }),
})

export const ItemHistoryQuery = z
  .object({
    price_region: Market('See one market: the median of this region. Absent: the headline').optional(),
    from: InstantParameter(
      'Start of the period, inclusive; the price in force at this instant gets its date. Absent: from the beginning',
    ).optional(),
    to: InstantParameter('End of the period, inclusive. Absent: until now', {
      example: '2026-11-30T23:59:59Z',
    }).optional(),
    cursor: Cursor,
    limit: pageLimit({ max: 1000, ifAbsent: 365, counted: 'points' }),
  })
  .superRefine(({ from, to }, context) => {
    if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from)) {
      context.addIssue({
        code: 'custom',
        path: ['to'],
        message: `expected an instant that is not before from, ${from}`,
      })
    }
  })
