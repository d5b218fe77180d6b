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
export const Crawl = z.strictObject({
  id: z.string().meta({ description: 'Crawl id' }),
  started_at: Instant.nullable().meta({ description: 'When fetching began; null for a file, which is not fetched' }),
  finished_at: Instant.meta({
    description: 'When it ended; for a held crawl that a person accepted or dropped, when they did',
  }),
  outcome: z.enum(CrawlOutcome.options).meta({
    description:
      'recorded: its observations count. unchanged: the vendor’s server reported no change. failed: it could fetch nothing. ' +
      'held: it differs from earlier crawls and waits for a person. dropped: a person discarded it',
  }),
  complete: z.boolean().meta({ description: 'false: it stopped early, or missed too many documents' }),
  partial: z.boolean().meta({ description: 'true: it fetched only changes since the last complete crawl' }),
  read: Count.meta({
    description:
      'Candidate observations: appended, duplicates and parked together. For a held or dropped crawl, ' +
      'all four are the numbers that recording it would have given',
  }),
  appended: Count.meta({ description: 'Recorded observations' }),
  duplicates: Count.meta({ description: 'Observations equal to another one of the crawl' }),
  parked: Count.meta({ description: 'Observations that could not be recorded' }),
  parse_rate: share.meta({ description: '(appended + duplicates) / read; null when nothing was read' }),
  missed: Count.meta({ description: 'Documents that could not be fetched' }),
  known: ofSkus('SKUs of the complete crawl used for comparison'),
  vanished: ofSkus('Known SKUs that this crawl did not find'),
  changed: ofSkus('Known SKUs that this crawl found with another price'),
  changed_share: share.meta({ description: 'changed / (known - vanished); null when it found no known SKU' }),
  drift: share.meta({
    description:
      'Largest drop in the share of records with a field, since the crawl used for comparison: 0 for an unchanged layout; ' +
      'null when nothing was compared',
  }),
  problems: z.array(z.string()).meta({
    description: 'Codes of the problems found, each once; empty when there were none',
    examples: [['NOT_FETCHED']],
  }),
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
const Quality = z.strictObject({
  skus: Count.meta({ description: 'SKUs behind these figures: the newest ones of a large source' }),
  vendor_skus: Count.meta({ description: 'All SKUs of the source' }),
  unknown_units: z.strictObject({
    count: Count.meta({ description: 'Latest prices in a unit that the catalog does not know' }),
    share: shareOf('Their share of the latest prices'),
    examples: z.array(z.strictObject({ unit: z.string(), count: Count, vendor_ref: z.string() })).meta({
      description: 'The most frequent such units, each with a reference of the vendor',
    }),
  }),
  tax: z.strictObject({
    net: Count,
    gross_with_rate: Count,
    gross_without_rate: Count,
    not_stated: Count.meta({ description: 'Latest prices that say neither net nor gross' }),
    not_stated_share: shareOf('Share of not_stated'),
  }),
  parked: z.strictObject({
    open: Count.meta({ description: 'Records that wait as dead letters' }),
    share: shareOf('Share of the records that the last recorded crawl parked'),
    reasons: z.array(z.strictObject({ reason: z.string(), count: Count })),
  }),
  dispersion: z
    .strictObject({
      compared: Count.meta({ description: 'Votes on items where others vote in the same market' }),
      p10: ratio,
      p50: ratio,
      p90: ratio,
      beyond_2_share: shareOf('Share of the votes below half or above twice the median'),
    })
    .meta({ description: 'Ratios of its votes to the medians' }),
  suspect_merges: z.strictObject({
    count: Count.meta({ description: 'Items where it stands more than 2 times from the others of the market' }),
    examples: z.array(z.strictObject({ item_id: z.string(), name: z.string(), ratio: z.number().min(0) })),
  }),
  staleness: z.strictObject({
    age_days: Count.nullable().meta({ description: 'Whole days since its newest price' }),
    validity_days: z.int().min(1),
    expired_share: shareOf('Share of the SKUs whose latest price has lost its vote by age'),
  }),
  drift: shareOf('Largest drop in the share of records with a field, in the last compared crawl'),
  first_seen_at: Instant.nullable().meta({ description: 'Date of its oldest price' }),
  last_seen_at: Instant.nullable().meta({ description: 'Date of its newest price' }),
})

const right = (of: string) =>
  z.enum(Right.options).meta({ description: `Whether the terms allow ${of}; unknown: they do not say` })

/** It stays without an id, as {@link Crawl} does: a reference would change the type in generated clients. */
const SourceLicence = z.strictObject({
  name: z
    .string()
    .nullable()
    .meta({
      description: 'SPDX identifier, or the name that the publisher uses; null where none is named',
      examples: ['CC-BY-4.0'],
    }),
  terms: z.string().nullable().meta({ description: 'What the publisher says' }),
  url: z.string().nullable().meta({ description: 'Where that stands' }),
  redistribution: right('passing the prices on'),
  commercial_use: right('commercial use'),
  attribution: z.string().nullable().meta({ description: 'The words to show beside the prices' }),
  checked_on: z.string().meta({ description: 'The day on which a person read the terms', examples: ['2026-11-23'] }),
})

/** A source of prices. */
export const Source = z
  .strictObject({
    id: Id('src_', 'Source id'),
    name: z.string(),
    region: z.string().nullable(),
    url: z.string().nullable(),
    kind: z.enum(['shop', 'bid', 'bank']).meta({ description: 'A shop, bids in tenders, or a price bank' }),
    trust_score: z.int().min(0).max(100).meta({ description: 'Current weight of its votes' }),
    validity: z.literal(UNTIL_SUPERSEDED).optional().meta({
      description: 'Its prices hold until a newer edition of its list or a newer price; absent: by days alone',
    }),
    validity_days: z.int().min(1).meta({ description: 'Days for which an observation keeps its vote at most' }),
    enabled: z.boolean().meta({ description: 'false: it has no votes' }),
    licence: SourceLicence.nullable().meta({
      description: 'On which terms its publisher gives the prices away; null where nobody stated them',
    }),
    alias_of: z
      .string()
      .nullable()
      .meta({
        description:
          'The source that speaks for its legal vendor: its trust, validity and switch hold, and both cast one vote; ' +
          'null: itself',
      }),
    aliases: z.array(z.string()).meta({ description: 'The sources that are other spellings of this one, sorted' }),
    vendor_sku_count: Count,
    observation_count: Count.meta({ description: 'All recorded observations, including retracted ones' }),
    last_observed_at: Instant.nullable().meta({
      description: 'Date of its newest price; counts are at most a minute old',
    }),
    last_crawl: Crawl.nullable().meta({
      description: 'The newest crawl, whatever its outcome; null when there was none',
    }),
    last_complete_crawl: Crawl.nullable().meta({
      description: 'The newest recorded crawl that read the whole source; null when there was none',
    }),
    held_crawl: z
      .string()
      .nullable()
      .meta({ description: 'The newest crawl that waits for a person to accept or drop it; null when none waits' }),
    quality: Quality.optional().meta({ description: 'How good its data is; in the answer for a single source only' }),
  })
  .meta({ id: 'Source' })

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

export const Index = z.strictObject({
  id: Id('idx_', 'Index id'),
  publisher: z
    .strictObject({ id: z.string(), name: z.string(), url: z.string().nullable() })
    .meta({ description: 'The office that publishes it; it need not be a source of prices' }),
  series: z.string().meta({ description: 'The publisher’s own code of the series', examples: ['001710986'] }),
  title: z.string(),
  region: z
    .string()
    .nullable()
    .meta({ description: 'A country, a subdivision of one (ISO 3166-2), EU or LATAM', examples: ['FR'] }),
  base: z
    .string()
    .nullable()
    .meta({ description: 'The base, as its publisher writes it', examples: ['2010=100'] }),
  frequency: z.enum(IndexFrequency.options),
  point_count: Count.meta({ description: 'Periods that have a value' }),
  first_period: Period,
  last: z.strictObject({ period: Period, value: IndexValue, observed_at: statedAt }),
  licence: SourceLicence.nullable().meta({
    description: 'On which terms its publisher gives it away; null where nobody stated them',
  }),
})

const IndexPoint = z.strictObject({
  period: Period,
  value: IndexValue,
  observed_at: statedAt,
  revisions: Count.meta({ description: 'How often its publisher changed the value' }),
  point_id: Sha256.meta({ description: 'SHA-256 of what was recorded, hexadecimal' }),
})

export const ListIndicesResponse = z
  .strictObject({ indices: z.array(Index), cursor: NextCursor })
  .meta({ id: 'ListIndicesResponse' })
export const IndexDetail = z
  .strictObject({
    index: Index,
    points: z.array(IndexPoint).meta({ description: 'By period; all of them, unless `from` or `to` chooses some' }),
  })
  .meta({ id: 'IndexDetail' })

const INDEX_REGION_EXPECTED = 'expected a country such as FR, a subdivision such as BR-SP, EU or LATAM'
export const ListIndicesQuery = z.object({
  region: z
    .string(INDEX_REGION_EXPECTED)
    .regex(/^(?:[A-Za-z]{2}(?:-[A-Za-z0-9]{1,3})?|[Ll][Aa][Tt][Aa][Mm])$/, INDEX_REGION_EXPECTED)
    .transform((region) => region.toUpperCase())
    .optional()
    .meta({
      description:
        'See the indices of one country with those of its subdivisions, of one subdivision, or of EU or LATAM as a whole',
      examples: ['FR'],
    }),
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
