import { canonicalJson, idSuffix } from '@catalog/core/digest.ts'
import { z } from 'zod'
import { Decimal, event, Instant, text } from './fields.ts'

/**
 * Official price indices. Law: an index is no price. It has no unit and no currency, and nothing of it enters an item, a median, a
 * search result or a feed of items.
 */

export const IndexFrequency = z.enum(['month', 'quarter', 'year'])
export type IndexFrequency = z.infer<typeof IndexFrequency>

/** A period as its points name it: "2026-09", "2026-Q3", "2026". */
const PERIOD = /^(?:1[89]|2[01])\d{2}(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?$/
const PERIOD_EXPECTED = 'expected a month (2026-09), a quarter (2026-Q3) or a year (2026)'

/** The frequency of which a period is; null for a text that is no period. */
export function frequencyOf(period: string): IndexFrequency | null {
  if (!PERIOD.test(period)) return null
  if (period.length === 4) return 'year'
  return period[5] === 'Q' ? 'quarter' : 'month'
}

/**
 * One point of an index, as its publisher stated it. Of several values for a period the latest observed one holds, of equal
 * instants the last recorded one; the older ones stay in the log.
 */
export const IndexRecorded = event('IndexRecorded', {
  // Retractions name it in hexadecimal, as they name an observation.
  event_id: z.string().regex(/^[0-9a-f]{64}$/),
  /** The import that brought it. */
  crawl_id: text(100),
  /** The publisher. It need not be a source of prices; its licence is that of SourceLicensed. */
  source_id: text(80),
  publisher: text(200),
  url: z.url().max(2000).nullable(),
  /** The publisher's own code of the series. */
  series: text(300),
  title: text(300),
  /** A country, a subdivision of one (ISO 3166-2), EU or LATAM. */
  region: z
    .string()
    .regex(/^(?:[A-Z]{2}(?:-[A-Z0-9]{1,3})?|LATAM)$/)
    .nullable(),
  /** The period whose value is the base, as the publisher writes it: "2015=100". */
  base: text(100).nullable(),
  frequency: IndexFrequency,
  period: z.string().regex(PERIOD, PERIOD_EXPECTED),
  value: Decimal,
  /** When the publisher stated it, or when it was read. */
  observed_at: Instant,
}).refine(({ frequency, period }) => frequencyOf(period) === frequency, {
  path: ['period'],
  error: `${PERIOD_EXPECTED} of the frequency`,
})
export type IndexRecorded = Readonly<z.infer<typeof IndexRecorded>>

/** Id of an index: hash of its publisher's id and the publisher's own code of the series. */
export function indexIdOf(sourceId: string, series: string): `idx_${string}` {
  return `idx_${idSuffix(canonicalJson(['index', sourceId, series]))}`
}

/** The period of a frequency in which an instant lies, in UTC. */
export function periodAt(at: string, frequency: IndexFrequency): string {
  const [year, month] = [at.slice(0, 4), Number(at.slice(5, 7))]
  if (frequency === 'year') return year
  return frequency === 'quarter' ? `${year}-Q${Math.ceil(month / 3)}` : `${year}-${at.slice(5, 7)}`
}
