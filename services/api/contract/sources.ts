import { openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Count, Id, Instant, NextCursor, Sha256 } from '@catalog/api/contract/shared/fields.ts'
import { Cursor, pageLimit } from '@catalog/api/contract/shared/parameters.ts'
import { CrawlOutcome } from '@catalog/core/events/crawls.ts'
import { IndexFrequency } from '@catalog/core/events/indices.ts'
import { Right, UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import { z } from 'zod'

/** Sources of prices and their crawls. */

const ofSkus = (description: string) =>
  Count.nullable().meta({ description: `${description}; null when nothing was compared` })
const share = z.number().min(0).max(1).nullable()

/**
 * The result of one crawl. It stays without an id: as a component it would become a reference, and that would
 * change the type in generated clients.
 */
export const Crawl = shape('Crawl', {
  id: z.string(),
  started_at: Instant.nullable(),
  finished_at: Instant,
  outcome: z.enum(CrawlOutcome.options),
  complete: z.boolean(),
  partial: z.boolean(),
  read: Count,
  appended: Count,
  duplicates: Count,
  parked: Count,
  parse_rate: share,
  missed: Count,
  known: ofSkus('SKUs of the complete crawl used for comparison'),
  vanished: ofSkus('Known SKUs that this crawl did not find'),
  changed: ofSkus('Known SKUs that this crawl found with another price'),
  changed_share: share,
  drift: share,
  problems: z.array(z.string()),
})

const shareOf = (description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: `${description}; null when nothing was counted` })
const ratio = z.number().min(0).nullable()

/**
 * How much the data of one source can be trusted. It stays without an id, as {@link Crawl} does: a reference
 * would change the type in generated clients.
 */
const Quality = shape('Quality', {
  skus: Count,
  vendor_skus: Count,
  unknown_units: shape('Quality.unknown_units', {
    count: Count,
    share: shareOf('Their share of the latest prices'),
    examples: z.array(z.strictObject({ unit: z.string(), count: Count, vendor_ref: z.string() })),
  }),
  tax: shape('Quality.tax', {
    net: Count,
    gross_with_rate: Count,
    gross_without_rate: Count,
    not_stated: Count,
    not_stated_share: shareOf('Share of not_stated'),
  }),
  parked: shape('Quality.parked', {
    open: Count,
    share: shareOf('Share of the records that the last recorded crawl parked'),
    reasons: z.array(z.strictObject({ reason: z.string(), count: Count })),
  }),
  dispersion: shape('Quality.dispersion', {
    compared: Count,
    p10: ratio,
    p50: ratio,
    p90: ratio,
    beyond_2_share: shareOf('Share of the votes below half or above twice the median'),
  }),
  suspect_merges: shape('Quality.suspect_merges', {
    count: Count,
    examples: z.array(z.strictObject({ item_id: z.string(), name: z.string(), ratio: z.number().min(0) })),
  }),
  staleness: shape('Quality.staleness', {
    age_days: Count.nullable(),
    validity_days: z.int().min(1),
    expired_share: shareOf('Share of the SKUs whose latest price has lost its vote by age'),
  }),
  drift: shareOf('Largest drop in the share of records with a field, in the last compared crawl'),
  first_seen_at: Instant.nullable(),
  last_seen_at: Instant.nullable(),
})

const right = (of: string) =>
  z.enum(Right.options).meta({ description: `Whether the terms allow ${of}; unknown: they do not say` })

/** It stays without an id, as {@link Crawl} does: a reference would change the type in generated clients. */
const SourceLicence = shape('SourceLicence', {
  name: z.string().nullable(),
  terms: z.string().nullable(),
  url: z.string().nullable(),
  redistribution: right('passing the prices on'),
  commercial_use: right('commercial use'),
  attribution: z.string().nullable(),
  checked_on: z.string(),
})

/** A source of prices. */
export const Source = shape('Source', {
  id: Id('src_', 'Source id'),
  name: z.string(),
  region: z.string().nullable(),
  url: z.string().nullable(),
  kind: z.enum(['shop', 'bid', 'bank']),
  trust_score: z.int().min(0).max(100),
  validity: z.literal(UNTIL_SUPERSEDED).optional(),
  validity_days: z.int().min(1),
  enabled: z.boolean(),
  licence: SourceLicence.nullable(),
  alias_of: z.string().nullable(),
  aliases: z.array(z.string()),
  vendor_sku_count: Count,
  observation_count: Count,
  last_observed_at: Instant.nullable(),
  last_crawl: Crawl.nullable(),
  last_complete_crawl: Crawl.nullable(),
  held_crawl: z.string().nullable(),
  quality: Quality.optional(),
}).meta({ id: 'Source' })

export const ListSourcesResponse = z
  .strictObject({ sources: z.array(Source), cursor: NextCursor })
  .meta({ id: 'ListSourcesResponse' })

export const ListSourcesQuery = z.object({
  cursor: Cursor,
  limit: pageLimit({ max: 100, ifAbsent: 50, counted: 'sources' }),
})

/** Official price indices, which are no prices. They stay without ids of their own, as {@link Crawl} does. */

const Period = z.string().meta({
  description: 'A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`',
  examples: ['2026-09'],
})
const IndexValue = z.string().meta({ description: 'Exact decimal, as its publisher stated it', examples: ['140.1'] })
const statedAt = Instant.meta({ description: 'When its publisher stated the value, or when it was read' })

export const Index = shape('Index', {
  id: Id('idx_', 'Index id'),
  publisher: z.strictObject({ id: z.string(), name: z.string(), url: z.string().nullable() }),
  series: z.string(),
  title: z.string(),
  region: z.string().nullable(),
  base: z.string().nullable(),
  frequency: z.enum(IndexFrequency.options),
  point_count: Count,
  first_period: Period,
  last: z.strictObject({ period: Period, value: IndexValue, observed_at: statedAt }),
  licence: SourceLicence.nullable(),
})

const IndexPoint = shape('IndexPoint', {
  period: Period,
  value: IndexValue,
  observed_at: statedAt,
  revisions: Count,
  point_id: Sha256,
})

export const ListIndicesResponse = z
  .strictObject({ indices: z.array(Index), cursor: NextCursor })
  .meta({ id: 'ListIndicesResponse' })
export const IndexDetail = shape('IndexDetail', {
  index: Index,
  points: z.array(IndexPoint),
}).meta({ id: 'IndexDetail' })

const INDEX_REGION_EXPECTED = 'expected a country such as FR, a subdivision such as BR-SP, EU or LATAM'
export const ListIndicesQuery = openShape('ListIndicesQuery', {
  region: z
    .string(INDEX_REGION_EXPECTED)
    .regex(/^(?:[A-Za-z]{2}(?:-[A-Za-z0-9]{1,3})?|[Ll][Aa][Tt][Aa][Mm])$/, INDEX_REGION_EXPECTED)
    .transform((region) => region.toUpperCase())
    .optional(),
  cursor: Cursor,
  limit: pageLimit({ max: 100, ifAbsent: 50, counted: 'indices' }),
})

const PERIOD_EXPECTED = 'expected a period such as 2026-09, 2026-Q3 or 2026'
const PeriodParameter = (description: string, example: string) =>
  z
    .string(PERIOD_EXPECTED)
    .regex(/^\d{4}(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?$/, PERIOD_EXPECTED)
    .optional()
    .meta({ description, examples: [example] })
export const GetIndexQuery = z.object({
  from: PeriodParameter('Leave out the points before this period', '2020-01'),
  to: PeriodParameter('Leave out the points after this period; a year includes its months', '2026'),
})
