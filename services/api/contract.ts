import { REGIONS } from '@catalog/core/events.ts'
import { z } from 'zod'
import { ERRORS } from './errors.ts'

/**
 * Every shape on the wire, once: requests are validated, answers are tested and the OpenAPI document is made from these.
 * Names and fields are the specification's; what is additive says so.
 */

const Id = (prefix: string, what: string) =>
  z.string().meta({
    description: `${what}: \`${prefix}\` and a unique suffix`,
    examples: [`${prefix}4pkz6qjxw2h7mtd3ruvy5cnaeo`],
  })
const Instant = z.iso.datetime()
const Count = z.int().min(0)
const Currency = z.string().meta({ description: 'ISO 4217 code', examples: ['EUR'] })
const Cents = z.int().meta({ description: 'Minor units of the currency' })

// Resources (SPEC §2) -------------------------------------------------------------------------------------------------

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
    vendor_count: Count,
    observation_count: Count,
    median_price: z
      .strictObject({ cents: Cents, currency: Currency, recorded_at: Instant.nullable() })
      .nullish()
      .meta({ description: 'Trust-weighted median, recomputed nightly; null while no price is eligible' }),
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
    price: z.strictObject({ cents: Cents, currency: Currency }),
    unit: z
      .string()
      .nullable()
      .meta({ description: 'What the price buys, as observed', examples: ['bag', '100 m'] }),
    observed_at: Instant,
  })
  .meta({ id: 'VendorObservation' })

export const PriceHistoryPoint = z
  .strictObject({ recorded_at: Instant, price_cents: Cents, currency: Currency })
  .meta({ id: 'PriceHistoryPoint' })

export const PublicApiMeta = z
  .strictObject({
    tier: z.enum(['anon', 'public_dev', 'org']),
    rate_limit_per_min: z.int().meta({ description: 'The per-minute limit of the caller' }),
  })
  .meta({ id: 'PublicApiMeta' })

export const ErrorBody = z
  .strictObject({
    error: z.string().meta({
      description: `A stable code: ${Object.entries(ERRORS)
        .map(([code, { status, meaning }]) => `\`${code}\` (${status}, ${meaning})`)
        .join('; ')}`,
      examples: ['invalid_parameter'],
    }),
    details: z.string().optional().meta({ description: 'For a person: what was found and what is allowed' }),
    retry_after_seconds: z.int().min(1).optional().meta({ description: 'Equal to the header Retry-After' }),
  })
  .meta({ id: 'Error' })

export const PricingTier = z
  .strictObject({
    tier: z.enum(['free']),
    display_name: z.string(),
    price_usd_month: z.number(),
    rate_limit_per_min: z.int(),
    monthly_request_cap: z.int(),
    features: z.array(z.string()),
  })
  .meta({ id: 'PricingTier' })

/** Additive: one node of the category tree. */
export const Category = z
  .strictObject({
    id: Id('cat_', 'Category id'),
    name: z.string(),
    parent_id: z.string().nullable().meta({ description: 'null for a root' }),
    item_count: Count.meta({ description: 'Items in the category and in all below it' }),
  })
  .meta({ id: 'Category' })

// Envelopes (SPEC §2.7) -----------------------------------------------------------------------------------------------

const NextCursor = z.string().nullable().meta({ description: 'Opaque; null when no page follows' })

export const ListItemsResponse = z
  .strictObject({ items: z.array(CanonicalItem), cursor: NextCursor, meta: PublicApiMeta })
  .meta({ id: 'ListItemsResponse' })

export const ItemDetailResponse = z
  .strictObject({
    item: CanonicalItem,
    vendors: z.array(VendorObservation).meta({ description: 'The latest price of each vendor, live' }),
    price_history: z.array(PriceHistoryPoint).meta({ description: '90 days of medians, ascending' }),
  })
  .meta({ id: 'ItemDetailResponse' })
export type ItemDetail = z.infer<typeof ItemDetailResponse>

export const SEARCH_MODES = ['vector', 'fallback_no_ai', 'vector_no_match', 'empty_embedding'] as const

export const SearchResponse = z
  .strictObject({
    query: z.string(),
    results: z.array(CanonicalItem.extend({ score: z.number().min(0) }).meta({ id: 'SearchResult' })),
    mode: z.enum(SEARCH_MODES),
  })
  .meta({ id: 'SearchResponse' })

export const PricingResponse = z
  .strictObject({ tiers: z.array(PricingTier), plan_url: z.string(), note: z.string(), docs: z.string() })
  .meta({ id: 'PricingResponse' })

export const ListCategoriesResponse = z
  .strictObject({ categories: z.array(Category), cursor: NextCursor })
  .meta({ id: 'ListCategoriesResponse' })

// Parameters (SPEC §4); what is not named here is ignored ---------------------------------------------------------------

/** In any case of letters; documented in the specification's. */
const Region = (description: string) => {
  const expected = `expected one of ${REGIONS.join(', ')}`
  return z
    .string(expected)
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(REGIONS, expected))
    .meta({ description, enum: [...REGIONS] })
}

const Integer = ({ min, max, ifAbsent }: { min: number; max: number; ifAbsent: number }) => {
  const expected = `expected an integer from ${min} to ${max}`
  return z.coerce.number(expected).int(expected).min(min, expected).max(max, expected).default(ifAbsent)
}

/** Length in code points, as JSON Schema counts. */
const Text = ({ min, max, description }: { min: number; max: number; description: string }) => {
  const expected = `expected ${min} to ${max} characters`
  return z
    .string(expected)
    .refine((value) => {
      const length = [...value].length
      return length >= min && length <= max
    }, expected)
    .meta({ description, minLength: min, maxLength: max })
}

const Cursor = z.string('expected one cursor').optional().meta({ description: 'The `cursor` of the page before' })
const priceRegion = Region('Additive: put the median of this region into `median_price`, or null').optional()

export const ListItemsQuery = z.object({
  region: Region('Only items that are sold in this region').optional(),
  q: Text({ min: 2, max: 64, description: 'Text filter: every word stands in the name' }).optional(),
  cursor: Cursor,
  limit: Integer({ min: 1, max: 100, ifAbsent: 50 }),
  price_region: priceRegion,
  sort: z.enum(['id', 'updated'], 'expected id or updated').default('id').meta({
    description: 'Additive: `id` meets every item once; `updated` ascends by change, for following the catalog',
  }),
})
export type ListItemsQuery = z.infer<typeof ListItemsQuery>

export const ItemQuery = z.object({ price_region: priceRegion })
export const IdParams = z.object({ id: z.string() })

export const SearchQuery = z.object({
  q: Text({ min: 2, max: 256, description: 'What is looked for, in any language' }),
  limit: Integer({ min: 1, max: 50, ifAbsent: 10 }),
  region: Region('Additive: only items that are sold in this region').optional(),
  price_region: priceRegion,
})

export const ListCategoriesQuery = z.object({
  parent: z.string('expected one category id').optional().meta({ description: 'Id of a category; absent: the roots' }),
  cursor: Cursor,
  limit: Integer({ min: 1, max: 100, ifAbsent: 50 }),
})

export const RegionParams = z.object({
  region: z.string().meta({ description: 'In any case of letters', enum: [...REGIONS], examples: ['ES'] }),
})

// Answers --------------------------------------------------------------------------------------------------------------

export const Feed = z.string().meta({ description: 'An Atom or RSS document' })
export const Markdown = z.string().meta({ description: 'The item for language models' })

/** The answers of an operation: what it says when all is well, and the errors it may give. */
export function answers(
  description: string,
  content: Readonly<Record<string, z.ZodType>>,
  errors: readonly number[] = [],
) {
  const error = (meaning: string) => ({ description: meaning, content: { 'application/json': { schema: ErrorBody } } })
  return {
    200: {
      description,
      content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
    },
    ...Object.fromEntries([...errors, 401, 429].map((status) => [status, error(ERROR_DESCRIPTIONS[status] as string)])),
  }
}

const ERROR_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'A parameter is missing or out of bounds',
  401: 'The key that was presented is not valid',
  404: 'Not found',
  429: 'A limit is exceeded',
  503: 'Temporarily unavailable',
}

type HeaderDoc = Readonly<{ description: string; schema: Readonly<{ type: 'string' | 'integer' }> }>
const text = (description: string): HeaderDoc => ({ description, schema: { type: 'string' } })
const integer = (description: string): HeaderDoc => ({ description, schema: { type: 'integer' } })

const ALWAYS: Readonly<Record<string, HeaderDoc>> = {
  'X-Request-Id': text('Identifies this request in the log of the service'),
  'X-RateLimit-Limit': integer('Requests a minute'),
  'X-RateLimit-Remaining': integer('Requests left in this minute'),
  'X-RateLimit-Reset': integer('When the next minute begins, in seconds since 1970'),
}
const CONDITIONAL: Readonly<Record<string, HeaderDoc>> = {
  ETag: text('Strong entity tag; send it back in If-None-Match'),
  'Cache-Control': text('What caches may do'),
}
const FEED: Readonly<Record<string, HeaderDoc>> = {
  ...CONDITIONAL,
  'Last-Modified': text('When the newest entry changed'),
}

/** What answers of 200 carry beside {@link ALWAYS}; operations with an ETag also answer 304. */
const OF_SUCCESS: Readonly<Record<string, Readonly<Record<string, HeaderDoc>>>> = {
  listItems: { ...CONDITIONAL, Link: text('rel="next", absolute; absent on the last page') },
  getItem: { ...CONDITIONAL, 'Content-Location': text('The surviving item, when the asked one was merged into it') },
  listCategories: { ...CONDITIONAL, Link: text('rel="next", absolute; absent on the last page') },
  getCategory: CONDITIONAL,
  getItemsAtom: FEED,
  getItemsRss: FEED,
  getRegionAtom: FEED,
  getOpenApi: CONDITIONAL,
}
/** Headers that an answer has only at times; all the others are always there. */
export const OPTIONAL_HEADERS: ReadonlySet<string> = new Set(['Link', 'Content-Location'])

/** The headers that answers of an operation carry, as OpenAPI describes them. */
export function headersOf(operationId: string, status: number): Readonly<Record<string, HeaderDoc>> {
  if (status === 200) return { ...ALWAYS, ...OF_SUCCESS[operationId] }
  if (status === 304) return { ...ALWAYS, ...CONDITIONAL }
  if (status === 401) return { ...ALWAYS, 'WWW-Authenticate': text('Bearer') }
  if (status === 429 || status === 503) return { ...ALWAYS, 'Retry-After': integer('Equal to retry_after_seconds') }
  return ALWAYS
}

export function answersConditionally(operationId: string): boolean {
  return OF_SUCCESS[operationId]?.ETag !== undefined
}
