import type { SourceRef } from '@catalog/core/events/sources.ts'
import type { Bc3Header } from '@catalog/formats/bc3/header.ts'
import type { EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import type { Defaults } from '@catalog/formats/mapping/candidate.ts'
import type { ResolvedMapping } from '@catalog/formats/mapping/columns.ts'
import type { DateOrder, Mapping } from '@catalog/formats/mapping/mapping.ts'
import type { MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import type { Findings, Selectors } from '@catalog/formats/pages/selectors.ts'
import type { FoundEdition } from '@catalog/formats/steps/edition.ts'
import type { StepTally } from '@catalog/formats/steps/tally.ts'
import type { Format } from './format.ts'

export type ReadOptions = Readonly<{
  /** Detected from the file's name, else from its first bytes, when absent. */
  format?: Format | undefined
  mapping?: Mapping | undefined
  /** Where the records stand, as `_file` and `_sheet` give it. */
  place?: Readonly<{ file: string; sheet?: string }> | undefined
  defaults: Defaults
  /** Facts about a page that its bytes do not hold. */
  page?: PageContext | undefined
}>

export type PageContext = Readonly<{
  /** The address it was fetched from. */
  url: string
  /** The charset that its server declared. */
  charset?: string | undefined
  /** The page is known to describe a product, so a page without an offer is a broken record. */
  expectsOffer: boolean
  /** Where the operator says that its text has the price and other fields. */
  selectors?: Selectors | undefined
}>

/** Findings about one file. `encoding` and `complete` are final once the file was read to its end. */
export type Detected = {
  /** Its name as in positions: without ".gz", and with the sheet of a workbook that the mapping names or that has several lists. */
  file: string
  /** The workbook that it is a sheet of, under its own name. */
  workbook: string | null
  /** Null for XML of an unknown kind. */
  format: Format | null
  encoding: EncodingReport | null
  delimiter: string | null
  /** Decimal mark of its prices; null when each price must show it by itself. */
  decimal: ',' | '.' | null
  date_order: DateOrder
  /** What the file itself tells: in a cell or by its name. */
  edition: FoundEdition | null
  columns: ResolvedMapping['columns']
  constants: ResolvedMapping['constants']
  /** Keys whose column was guessed from its heading. */
  guessed: readonly MappingKey[]
  /** The shop system whose export or answer the file is. */
  shop_system: string | null
  /** ~V and ~K of a BC3 file. */
  bc3: Bc3Header | null
  /** Elements and texts that the selectors of the source find on a page; null without selectors. */
  selectors: Findings | null
  /** Rows of a shop's export that sell nothing: products whose variations have rows of their own, and images. */
  rows_not_sold: number
  /** What the steps of the mapping changed, so far. */
  steps: StepTally
  /** Files of its archive that the mapping does not name. */
  members_passed_over: readonly string[]
  /** Sheets of its workbook that hold no price list: hidden ones, and those without a table. */
  sheets_passed_over: readonly string[]
  /** Hidden rows and columns of its sheet, which are not read. */
  hidden: Readonly<{ rows: number; columns: number }>
  /** The source of records that name none. */
  source: SourceRef
  complete: boolean
}

export function nothingDetected(file: string, format: Format | null, source: SourceRef): Detected {
  return {
    file,
    workbook: null,
    format,
    encoding: null,
    delimiter: null,
    decimal: null,
    date_order: 'dmy',
    edition: null,
    columns: {},
    constants: {},
    guessed: [],
    shop_system: null,
    bc3: null,
    selectors: null,
    rows_not_sold: 0,
    steps: {},
    members_passed_over: [],
    sheets_passed_over: [],
    hidden: { rows: 0, columns: 0 },
    source,
    complete: false,
  }
}
