import { IndexFrequency, IndexRecorded } from '@catalog/core/events/indices.ts'
import { z } from 'zod'

/** How a file of a statistics office is read: which of its columns say series, period and value, and which series are taken. */

const { title, base, region, series } = IndexRecorded.shape
/** A column of a CSV, a member of a JSON object, an attribute of SDMX-ML. */
const Column = z.string().min(1).max(200)
const Columns = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(Column).min(1).max(5))
/** Series of one file. */
const SERIES_MAX = 200

const IndexSeries = z.strictObject({
  /** The publisher's code of the series; identity of the index. */
  code: series,
  /** What stands in the columns of `read.series`, joined by blanks; by default the code. */
  key: z.string().min(1).max(300).optional(),
  title,
  region: region.optional(),
  base: base.optional(),
  frequency: IndexFrequency,
  /** For a file with a column for each series. */
  value: Column.optional(),
})
export type IndexSeries = z.infer<typeof IndexSeries>

export const IndexMapping = z
  .strictObject({
    format: z.enum(['csv', 'json', 'sdmx']),
    /** JSON: the path to the rows; each array on it is gone through, and its objects lend their texts and numbers to the rows. */
    records: z
      .string()
      .regex(/^(?:\.|[^.\s]+(?:\.[^.\s]+)*)$/, {
        error: 'expected keys with points between them, such as Results.series.data, or .',
      })
      .default('.'),
    /** CSV: one character, or a tab. */
    delimiter: z.string().length(1).optional(),
    encoding: z.string().min(1).max(40).optional(),
    decimal: z.enum(['.', ',']).default('.'),
    /** Columns that say the series of a row; absent in a file with a column for each series. */
    series: Columns.optional(),
    /** Columns that say the period together, the year first. */
    period: Columns,
    value: Column.optional(),
    /** Rows at the beginning that only explain the columns. */
    skip_rows: z.int().min(0).max(100).default(0),
    /** Texts of a value that say that there is none; a blank one always does. */
    without_value: z.array(z.string().min(1).max(20)).max(20).default([]),
  })
  .refine(({ format, delimiter }) => format === 'csv' || delimiter === undefined, {
    path: ['delimiter'],
    error: 'expected only for csv',
  })
export type IndexMapping = Readonly<z.infer<typeof IndexMapping>>

export const IndexSeriesList = z.array(IndexSeries).min(1).max(SERIES_MAX)
