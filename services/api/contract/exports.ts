import { openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Count, Instant } from '@catalog/api/contract/shared/fields.ts'
import { MEANINGS } from '@catalog/api/contract/shared/meanings.ts'
import { IntegerIn, lang, priceRegion, refusePriceRange } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'
import { groupFilters, soldFilters } from './item-list.ts'

/** Exports: a filtered list of items as one streamed file. */

/** Items of one export; the rest follows by `after`. */
const EXPORT_ITEMS_MAX = 1_000_000

const AFTER_EXPECTED = 'expected the id of an item, such as the last one that arrived whole'
export const ExportQuery = openShape('ExportQuery', {
  ...soldFilters,
  after: z
    .string(AFTER_EXPECTED)
    .regex(/^ci_[A-Za-z0-9_-]{1,97}$/, AFTER_EXPECTED)
    .optional(),
  limit: IntegerIn({ min: 1, max: EXPORT_ITEMS_MAX })
    .optional()
    .meta({ type: 'integer', examples: [1000] }),
  price_region: priceRegion,
  lang,
  ...groupFilters,
}).superRefine(refusePriceRange)
export type ExportQuery = z.infer<typeof ExportQuery>

/** The columns of the CSV export, in their order, with their units. */
export const EXPORT_COLUMNS = MEANINGS.export_columns

/** The last line of an NDJSON export, under the key `export`. */
export const ExportEnd = shape('ExportEnd', {
  complete: z.boolean(),
  items: Count,
  after: z.string().nullable(),
  stopped_by: z.string().nullable(),
  retry_after_seconds: z.int().min(1).nullable(),
  gen: z.string(),
  seq_from: Count,
  seq_to: Count,
  ended_at: Instant,
})
export type ExportEnd = z.infer<typeof ExportEnd>

export const ItemsCsv = z.string().meta({
  description: `CSV by RFC 4180 in UTF-8: a header row, then one item a line. A text that a spreadsheet would run as a formula has an apostrophe before it. Columns: ${Object.entries(
    EXPORT_COLUMNS,
  )
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join('; ')}`,
})
export const ItemsNdjson = z.string().meta({
  description:
    'One CanonicalItem a line. The last line is `{"export":{…}}`: `complete`, `items`, `after`, `stopped_by`, `retry_after_seconds`, `gen`, `seq_from`, `seq_to`, `ended_at`. A file without it was interrupted',
})
