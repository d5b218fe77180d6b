import { readDataFile } from '@catalog/core/data-file.ts'
import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import type { Format } from '@catalog/formats/format.ts'
import type { Detected } from '@catalog/formats/read-options.ts'

/** What an input of a format needs for one record. */
const EXPECTED = readDataFile(import.meta.url, 'expected-input.yaml') as Readonly<Record<Format, string>>

/** The problem of a file without any record; null for one with a record, or with rows that sell nothing. */
export function nothingRead(list: Detected, records: number): CrawlProblem | null {
  if (records > 0 || list.rows_not_sold > 0) return null
  const dropped =
    list.steps.rows === undefined ? '' : `, after \`rows\` of the mapping dropped ${list.steps.rows.count}`
  const expected = EXPECTED[list.format ?? 'csv']
  return { code: 'NOTHING_READ', detail: `${list.file}: no record was read${dropped}: expected ${expected}` }
}

/** The problem of an input without any file that could be a price list. */
export const noList = (input: string): CrawlProblem => ({
  code: 'NOTHING_READ',
  detail: `${input}: it holds no file of a known kind: expected ${EXPECTED.zip}`,
})
