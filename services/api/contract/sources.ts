import { CrawlOutcome } from '@catalog/core/events/crawls.ts'
import { z } from 'zod'
import { Count, Id, Instant, NextCursor } from './fields.ts'
import { Cursor, Integer } from './parameters.ts'

/** Sources of prices and their crawls. */

const ofSkus = (description: string) =>
  Count.nullable().meta({ description: `${description}; null when it was not compared` })
const share = z.number().min(0).max(1).nullable()

/**
 * Additive: the result of one crawl. It stays without an id: as a component it would become a reference, and that would
 * change the type in generated clients.
 */
export const Crawl = z.strictObject({
  id: z.string().meta({ description: 'Crawl id' }),
  started_at: Instant.nullable().meta({ description: 'When fetching began; null for a file, which is not fetched' }),
  finished_at: Instant.meta({
    description: 'When its end was recorded; of one that a person accepted or dropped, when that was',
  }),
  outcome: z.enum(CrawlOutcome.options).meta({
    description:
      'recorded: what it read counts. unchanged: the vendor’s server said that nothing changed. failed: nothing could be ' +
      'fetched. held: it looks unlike the crawls before and waits for a person. dropped: it waited and was let go',
  }),
  complete: z.boolean().meta({ description: 'false: it did not come to its end, or too many documents did not come' }),
  partial: z.boolean().meta({ description: 'true: only what changed since the last complete crawl was fetched' }),
  read: Count.meta({
    description:
      'Candidate observations: appended, duplicates and parked together. For one that is held or was dropped all four ' +
      'say what recording it would have given',
  }),
  appended: Count.meta({ description: 'Those that were recorded' }),
  duplicates: Count.meta({ description: 'Those that repeat another of the crawl in everything' }),
  parked: Count.meta({ description: 'Those that could not be recorded' }),
  parse_rate: share.meta({ description: '(appended + duplicates) / read; null when nothing was read' }),
  missed: Count.meta({ description: 'Documents that did not come' }),
  known: ofSkus('SKUs of the complete crawl that it was compared with'),
  vanished: ofSkus('Those of the known SKUs that did not come again'),
  changed: ofSkus('Those of the known SKUs that came again with another price'),
  changed_share: share.meta({ description: 'changed / (known - vanished); null when no known SKU came again' }),
  drift: share.meta({
    description:
      'Greatest fall of the share of records that have one field, since the crawl that it was compared with: 0 when the ' +
      'layout is what it was; null when it was not compared',
  }),
  problems: z.array(z.string()).meta({
    description: 'Codes of what was found wrong, each once; empty when nothing was',
    examples: [['NOT_FETCHED']],
  }),
})

/** Additive: a source of prices. */
export const Source = z
  .strictObject({
    id: Id('src_', 'Source id'),
    name: z.string(),
    region: z.string().nullable(),
    url: z.string().nullable(),
    kind: z.enum(['shop', 'bid', 'bank']).meta({ description: 'A shop, bids in tenders, or a price bank' }),
    trust_score: z.int().min(0).max(100).meta({ description: 'The weight of its votes at present' }),
    validity_days: z.int().min(1).meta({ description: 'Days for which an observation keeps its vote' }),
    enabled: z.boolean().meta({ description: 'false: it has no votes' }),
    vendor_sku_count: Count,
    observation_count: Count.meta({ description: 'All that were recorded, those taken back since too' }),
    last_observed_at: Instant.nullable().meta({
      description: 'How fresh its prices are; counts are a minute old at most',
    }),
    last_crawl: Crawl.nullable().meta({ description: 'The newest one, however it ended; null when there was none' }),
    last_complete_crawl: Crawl.nullable().meta({
      description:
        'The newest one that was recorded with everything that the source has to say; null when there was none',
    }),
    held_crawl: z
      .string()
      .nullable()
      .meta({ description: 'The newest crawl that waits for a person to accept or drop it; null when none waits' }),
  })
  .meta({ id: 'Source' })

export const ListSourcesResponse = z
  .strictObject({ sources: z.array(Source), cursor: NextCursor })
  .meta({ id: 'ListSourcesResponse' })

export const ListSourcesQuery = z.object({
  cursor: Cursor,
  limit: Integer({ min: 1, max: 100, ifAbsent: 50 }),
})
