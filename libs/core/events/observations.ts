import { z } from 'zod'
import { Cents, Currency, Decimal, decision, Edition, event, Instant, Pack, text } from './fields.ts'
import { SourceRef } from './sources.ts'

/** The kind of a price: a shop's list price, a net price, a bid in a tender, an entry of a price bank. */
const PriceKind = z.enum(['list', 'net', 'bid', 'bank'])

/**
 * An observed price: `cents` minor units (the currency's own exponent) for `per_quantity` units. A larger per_quantity
 * carries a price finer than the minor unit exactly (1.2345 EUR per kg = 12345 cents per 100 kg).
 */
const Price = z.object({
  cents: Cents,
  currency: Currency,
  kind: PriceKind,
  min_quantity: Decimal.optional(),
  per_quantity: z.int().min(1).max(1_000_000_000_000_000),
  tax: z.object({ included: z.boolean().nullable(), rate: Decimal.optional() }),
})

/** Whether the goods could be had, in the terms of schema.org's ItemAvailability. */
export const Availability = z.enum([
  'BackOrder',
  'Discontinued',
  'InStock',
  'InStoreOnly',
  'LimitedAvailability',
  'MadeToOrder',
  'OnlineOnly',
  'OutOfStock',
  'PreOrder',
  'Reserved',
  'SoldOut',
])
export type Availability = z.infer<typeof Availability>

/** One price as one crawl observed it. All keys stand in alphabetical order, so that the parsed value is canonical. */
export const ObservationRecorded = event('ObservationRecorded', {
  crawl_id: text(100),
  /** Absent where the vendor does not say. What is discontinued has a price and no vote. */
  availability: Availability.optional(),
  category_path: z.array(text(300)).min(1).max(12).optional(),
  cpv: z
    .string()
    .regex(/^\d{8}(-\d)?$/)
    .optional(),
  description: text(20_000).optional(),
  /** Of the price list that states the price; absent where the operator names none. */
  edition: Edition.optional(),
  gtin: z
    .string()
    .regex(/^\d{8,14}$/)
    .optional(),
  lang: z
    .string()
    .regex(/^[a-z]{2}$/)
    .optional(),
  manufacturer_ref: text(200).optional(),
  name: text(2000),
  observed_at: Instant,
  pack: Pack.optional(),
  price: Price,
  source: SourceRef,
  unit: text(100).nullable(),
  url: z.url().max(2000).optional(),
  vendor_ref: text(300),
})
export type ObservationRecorded = Readonly<z.infer<typeof ObservationRecorded>>

/** Retracts exactly one scope: one observation, all observations of one crawl of a source, or all of a source. */
export const ObservationRetracted = event('ObservationRetracted', {
  source_id: text(80),
  vendor_ref: text(300).optional(),
  target: z.discriminatedUnion('scope', [
    z.object({ scope: z.literal('observation'), observation_id: text(100) }),
    z.object({ scope: z.literal('crawl'), crawl_id: text(100) }),
    z.object({ scope: z.literal('source') }),
  ]),
  reason: text(1000),
})
export type ObservationRetracted = Readonly<z.infer<typeof ObservationRetracted>>

const overrideOf = <T extends string>(type: T) => decision(type, { observation_id: text(100), reason: text(1000) })
/** A person excludes an observation from voting. The latest of quarantine and release holds. */
export const ObservationQuarantined = overrideOf('ObservationQuarantined')
/** A person lets an observation vote that the fence excluded. The latest of quarantine and release holds. */
export const ObservationReleased = overrideOf('ObservationReleased')
