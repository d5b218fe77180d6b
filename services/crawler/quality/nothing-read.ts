import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import type { Format } from '@catalog/formats/format.ts'
import type { Detected } from '@catalog/formats/read-options.ts'

/** What an input of a format needs for one record. */
const EXPECTED: Readonly<Record<Format, string>> = {
  csv: 'a heading and below it rows with a reference, a name and a price',
  xlsx: 'a visible sheet with a heading and rows with a reference, a name and a price',
  json: 'a list of objects with a reference, a name and a price; `records` of a mapping names its path',
  jsonl: 'an object with a reference, a name and a price on each line',
  xml: 'elements with a price; `records` of a mapping names them',
  bc3: 'a FIEBDC-3 file, whose records ~C give concepts with a price',
  bmecat: 'a BMEcat catalogue with articles',
  merchant: 'a merchant feed with items',
  html: 'a page with an offer',
  zip: 'an archive of price lists, such as CSV, XLSX or BC3',
}

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
