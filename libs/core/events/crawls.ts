import { z } from 'zod'
import { Count, event, Instant, text, wellFormed } from './fields.ts'

/** Longest raw text of a parked record in any log, in UTF-16 code units. */
export const RAW_BYTES_MAX = 65_536
/** Longest raw text that a crawl writes, in bytes of UTF-8. */
export const RAW_KEPT_BYTES_MAX = 4_096

/** Longest text of {@link ReadAs}, as JSON, in bytes of UTF-8. */
export const READ_AS_BYTES_MAX = 2_048
/** The texts of a record by mapping key, and how its file writes prices and dates. */
export const ReadAs = z.object({
  fields: z.record(text(40), wellFormed(READ_AS_BYTES_MAX)),
  decimal: z.enum([',', '.']).nullable(),
  date_order: z.enum(['dmy', 'mdy', 'ymd']),
})
export type ReadAs = Readonly<z.infer<typeof ReadAs>>

/** A dead letter: a record that the crawler could not record, with the reason, its position and its raw text. */
export const RecordParked = event('RecordParked', {
  source_id: text(80),
  crawl_id: text(100),
  /** Place in the input: "prices.csv line 17". */
  position: text(600),
  /** Upper snake case code: SKU_CONFLICT, UNKNOWN_CURRENCY, BAD_PRICE ... */
  reason: text(80),
  /** The value found and the value expected, for a person. */
  detail: wellFormed(2000),
  /** The record as written, or its beginning, without e-mail addresses. */
  raw: wellFormed(RAW_BYTES_MAX),
  /** SHA-256 in hex of the whole record, where `raw` is only its beginning. */
  raw_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Its reference and instant, where they could be read: a later good delivery of both closes the dead letter. */
  vendor_ref: text(300).optional(),
  observed_at: Instant.optional(),
  /** What it says, so that a person can correct it; absent for a record that was not read as a product, or too large. */
  read_as: ReadAs.optional(),
})
export type RecordParked = Readonly<z.infer<typeof RecordParked>>

export const ParkedResolved = event('ParkedResolved', {
  source_id: text(80),
  parked_id: text(100),
  resolution: z.enum(['recorded', 'dropped']),
  reason: text(1000),
})
export type ParkedResolved = Readonly<z.infer<typeof ParkedResolved>>

/** How a crawl of one source ended. */
export const CrawlOutcome = z.enum([
  /** Its observations were appended. */
  'recorded',
  /** The vendor's server reported no change since the previous crawl, and nothing was read. */
  'unchanged',
  /** The fetch failed. */
  'failed',
  /** Its observations wait for a person to accept them. */
  'held',
  /** A person or a later crawl dropped its held observations. */
  'dropped',
])
export type CrawlOutcome = z.infer<typeof CrawlOutcome>

/** Most problems that one report of a crawl lists. */
export const PROBLEMS_MAX = 20
/** Most examples of one problem, and the length of one. */
export const EXAMPLES_MAX = 3
export const EXAMPLE_CHARS_MAX = 300
/**
 * An upper snake case code (NOT_FETCHED, PARSE_RATE_FELL ...), and the value found and expected, for a person; `examples`:
 * records that show it.
 */
const CrawlProblem = z.object({
  code: text(80).regex(/^[A-Z][A-Z0-9_]*$/),
  detail: text(500),
  examples: z.array(text(EXAMPLE_CHARS_MAX)).max(EXAMPLES_MAX).optional(),
})
export type CrawlProblem = Readonly<z.infer<typeof CrawlProblem>>

/** Most fields in a layout: more than a record has. */
const LAYOUT_FIELDS_MAX = 100
const SharesByField = z
  .record(text(40), z.number().min(0).max(1))
  .refine((shares) => Object.keys(shares).length <= LAYOUT_FIELDS_MAX, `expected ${LAYOUT_FIELDS_MAX} fields at most`)
/** A crawl compared with the last whole crawl of its source. Counts are of SKUs. */
const CrawlHealth = z
  .object({
    /** SKUs of the earlier crawl; 0 without one. */
    known: Count,
    /** Known SKUs that this crawl lacks. */
    vanished: Count,
    /** Known SKUs that have another price. */
    changed: Count,
    /** Median of new price / old price over the SKUs of both crawls; absent when they share none. */
    price_ratio: z.number().min(0).optional(),
    /**
     * Greatest fall of a share of the layout since the earlier crawl, 0 when none fell; absent when the earlier layout is
     * unknown.
     */
    drift: z.number().min(0).max(1).optional(),
    /** Field → share of the records that have it. */
    layout: SharesByField,
    /** Field → share of the pages on which the source's selector of it finds a text; absent without selectors. */
    selectors: SharesByField.optional(),
  })
  .refine(({ known, vanished, changed }) => vanished + changed <= known, 'counts more SKUs than were known')
export type CrawlHealth = Readonly<z.infer<typeof CrawlHealth>>

/**
 * End of a crawl of one source. Candidate observations: read = appended + duplicates + parked. For a held or dropped crawl
 * the counts say what accepting it would record. A crawl may have several reports: the last recorded one holds, at equal
 * times the one with the greater event id.
 */
export const CrawlFinished = event('CrawlFinished', {
  source_id: text(80),
  crawl_id: text(100),
  /** The crawl read the whole source, or with `partial` everything that changed. */
  complete: z.boolean(),
  etag: text(1000).optional(),
  last_modified: text(200).optional(),
  read: Count,
  appended: Count,
  duplicates: Count,
  parked: Count,
  /** Absent for crawls of files, which report only recorded crawls. */
  outcome: CrawlOutcome.optional(),
  /** Start of the fetch. */
  started_at: Instant.optional(),
  /** The crawl fetched only documents that changed since the last whole crawl. */
  partial: z.boolean().optional(),
  /** Documents that the crawl could not fetch. */
  missed: Count.optional(),
  /** Links that robots.txt forbids; absent where there were none. */
  forbidden: Count.optional(),
  problems: z.array(CrawlProblem).max(PROBLEMS_MAX).optional(),
  health: CrawlHealth.optional(),
})
export type CrawlFinished = Readonly<z.infer<typeof CrawlFinished>>
