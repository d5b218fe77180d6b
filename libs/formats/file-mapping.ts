import { type ByteSource, isBroken, type RawRecord } from '@catalog/formats/bytes/record.ts'
import { netColumn, type Rivals, rivalsOf } from '@catalog/formats/headings/price-rivals.ts'
import { resolveMapping, withPriceUnit } from '@catalog/formats/headings/resolve-mapping.ts'
import { withValidity } from '@catalog/formats/headings/validity-columns.ts'
import type { CandidateOptions } from '@catalog/formats/mapping/candidate-reader.ts'
import { columnsOf, type ResolvedMapping } from '@catalog/formats/mapping/columns.ts'
import { detectDateOrder } from '@catalog/formats/mapping/dates.ts'
import { detectDecimalMark } from '@catalog/formats/mapping/decimal-mark.ts'
import type { DateOrder, Mapping } from '@catalog/formats/mapping/mapping.ts'
import { type MappingKey, RECORD_KEYS } from '@catalog/formats/mapping/mapping-keys.ts'
import { headingOf } from '@catalog/formats/steps/column-names.ts'
import { editionIn, editionInName } from '@catalog/formats/steps/edition.ts'
import type { Steps } from '@catalog/formats/steps/steps.ts'
import { type Format, hasKeyedRecords } from './format.ts'
import { type DefinedFormat, type FoundInTable, isDefined, recordsOf, stepsOf } from './format-readers.ts'
import type { Detected, ReadOptions } from './read-options.ts'

/** The mapping of one file: which columns give what, and how its numbers and dates are written. */

/** Records at the head that show decimal mark, date order and JSON columns. */
const SAMPLE_RECORDS = 1_000
/** Enough for a sample of long records. */
const SAMPLE_CHARS = 4 * 1024 ** 2

export type FileMapping = Readonly<{
  resolved: ResolvedMapping
  decimal: ',' | '.' | null
  dateOrder: DateOrder
  /** The columns of the file before the steps of the mapping. */
  columns?: readonly string[]
  edition?: CandidateOptions['edition']
  /** Serials of the workbook count from 1904. */
  is1904?: boolean
  /** Columns that speak against a guessed price. */
  rivals?: Rivals | null
}>
export type NoMapping = Readonly<{ reason: string; detail: string; raw: string }>

/** Resolves the mapping of a file by its format, or by a sample of its records; NO_COLUMN when a required column is missing. */
export async function fileMapping(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  detected: Detected,
): Promise<FileMapping | NoMapping> {
  if (isDefined(format)) return definedMapping(format, options)
  return sampledMapping(source, format, options, await sampleOf(source, format, options, detected))
}

type Sample = Readonly<{
  /** The columns of the file, and those after the steps with what the steps miss; null without any. */
  columns: readonly string[] | null
  begun: ReturnType<Steps['begin']> | null
  /** Records after the steps. */
  records: readonly RawRecord[]
  /** The cell that tells the edition. */
  cell: string
  is1904: boolean
}>

async function sampleOf(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  detected: Detected,
): Promise<Sample> {
  let columns: readonly string[] | null = null
  let cell = ''
  let is1904 = false
  const read: RawRecord[] = []
  let chars = 0
  const found: FoundInTable = {
    onColumns: (headings, workbook) => {
      columns = headings
      is1904 = workbook?.is1904 ?? false
    },
    onCell: (text) => {
      cell = text
    },
  }
  for await (const batch of recordsOf(source, format, options, detected, found)) {
    for (const record of batch) {
      if (isBroken(record)) continue
      read.push(record)
      chars += record.raw.length
    }
    if (read.length >= SAMPLE_RECORDS || chars >= SAMPLE_CHARS) break
  }
  if (hasKeyedRecords(format)) columns = [...new Set(read.flatMap(({ fields }) => Object.keys(fields)))]
  if (columns === null) return { columns, begun: null, records: read, cell, is1904 }
  const steps = stepsOf(options, {})
  const begun = steps.begin(columns)
  return { columns, begun, records: read.flatMap((record) => steps.of(record)), cell, is1904 }
}

function definedMapping(format: DefinedFormat, { mapping, defaults }: ReadOptions): FileMapping {
  // What the operator says of the source outranks the supplier and the territory that a catalogue names.
  const isSourceRead = defaults.sourceId === undefined && !defaults.isSourceGiven
  const identity: readonly MappingKey[] = [
    'kind',
    ...(isSourceRead ? (['source'] as const) : []),
    ...(defaults.region === undefined ? (['region'] as const) : []),
  ]
  const columns = definedColumns(format === 'bmecat' ? identity : [])
  // The records already hold the file's own values and the fallbacks for them.
  const { currency: _currency, observed_at: _observedAt, ...constants } = definedConstants(mapping)
  // Pages write prices for people; the other formats define a decimal mark.
  const decimal = format === 'html' ? (mapping?.decimal ?? null) : '.'
  return { resolved: { columns, constants, guessed: [] }, decimal, dateOrder: 'ymd' }
}

/** Each key of a record is its column, and so are these keys that say who speaks. */
export function definedColumns(identity: readonly MappingKey[]): ResolvedMapping['columns'] {
  return Object.fromEntries([...RECORD_KEYS, ...identity].map((key) => [key, key]))
}

export function definedConstants(mapping: Mapping | undefined): ResolvedMapping['constants'] {
  const given = Object.entries(mapping?.constants ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as ResolvedMapping['constants']
}

/** The column of a mapping for prices that stand in a list inside the records: "variants.0.price". */
function listHint(headings: readonly string[]): string {
  const [, list, key] = headings.map((heading) => PRICE_IN_LIST.exec(heading)).find((match) => match !== null) ?? []
  return list === undefined ? '' : ` Its prices stand in a list: a mapping may name price: ${list}[*].${key}.`
}
const PRICE_IN_LIST = /^(.+?)\.0\.((?:.+\.)?[^.]*price(?:\.(?:value|amount))?)$/i
/** Says that a server sent something else than the table of its address. */
function insteadOfTable(head: string): string {
  if (/^\s*<(!doctype\s+html|html|head|body)\b/i.test(head))
    return 'a web page came instead of a table, perhaps to sign in: '
  if (/^\s*(\/\*\*\/\s*)?[\w$.]{1,80}\(\s*[[{]/.test(head))
    return 'a script (JSONP) came: expected JSON without a callback: '
  return ''
}

function sampledMapping(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  sample: Sample,
): FileMapping | NoMapping {
  const mapping = options.mapping ?? {}
  const { begun } = sample
  const headings = begun?.columns ?? []
  const first = resolveMapping(mapping, headings)
  const isKeyed = hasKeyedRecords(format)
  const net = isKeyed ? null : netPriceOf(first.resolved, headings, { sample, decimal: mapping.decimal ?? null })
  const { resolved: found, missing: lacks } = net === null ? first : resolveMapping(mapping, headings, net)
  const missing = [...(begun?.missing ?? []), ...lacks, ...lacksEdition(mapping, headings)]
  // Objects and elements may omit keys, so the headings cannot prove that a column of a given mapping is missing.
  const isGiven = Object.values(mapping.columns ?? {}).some((columns) => columns !== undefined)
  if (sample.columns !== null && missing.length > 0 && !(isKeyed && (isGiven || sample.records.length === 0))) {
    const raw = sample.columns.join(' | ')
    const detail = `${insteadOfTable(raw)}${missing.join('; ')}.${listHint(headings)} The file has: ${raw}`.slice(
      0,
      2000,
    )
    return { reason: 'NO_COLUMN', detail, raw }
  }
  const edition = editionOf(source, options, { cell: sample.cell, headings })
  if (edition !== undefined && 'reason' in edition) return edition
  const valuesOf = (heading: string) => sample.records.map(({ fields }) => fields[heading] ?? '')
  const resolved = withValidity(withPriceUnit(found, headings, valuesOf), headings, valuesOf)
  const texts = (key: MappingKey, { exact }: { exact: boolean }) => {
    const columns = resolved.columns[key]
    if (columns === undefined) return []
    const [column] = columnsOf(columns)
    return sample.records.flatMap(({ fields, numbers }) =>
      column === undefined || (!exact && numbers?.has(column)) ? [] : [fields[column] ?? ''],
    )
  }
  return {
    resolved,
    // A program names the values of an object; a table is written for people.
    rivals: isKeyed ? null : rivalsOf(resolved, headings, net !== null),
    decimal: mapping.decimal ?? detectDecimalMark(texts('price', { exact: false })),
    dateOrder:
      mapping.date_format ??
      detectDateOrder(
        (['observed_at', 'valid_from', 'valid_to'] as const).flatMap((key) => texts(key, { exact: true })),
      ),
    columns: sample.columns ?? [],
    is1904: sample.is1904,
    ...(edition !== undefined && { edition }),
  }
}

/** The column of the price after a discount, where a guess may take it and the sample proves it. */
function netPriceOf(
  { columns, constants, guessed, shopSystem }: ResolvedMapping,
  headings: readonly string[],
  { sample, decimal }: Readonly<{ sample: Sample; decimal: ',' | '.' | null }>,
): string | null {
  if (guessed.length === 0 || shopSystem !== undefined || constants.price !== undefined) return null
  const texts = sample.records.flatMap(({ fields, numbers }) =>
    headings.flatMap((heading) => (numbers?.has(heading) ? [] : [fields[heading] ?? ''])),
  )
  return netColumn(headings, sample.records, { known: columns, mark: decimal ?? detectDecimalMark(texts) })
}

/** A table without the column of its editions would be recorded without any, and never superseded. */
function lacksEdition({ edition }: Mapping, headings: readonly string[]): string[] {
  if (edition === undefined || !('column' in edition) || headingOf(edition.column, headings) !== undefined) return []
  return [`edition: no column '${edition.column}'`]
}

/** Where the edition stands, or itself where the file tells it; undefined where the mapping says nothing. */
function editionOf(
  source: ByteSource,
  { mapping, place }: ReadOptions,
  { cell, headings }: Readonly<{ cell: string; headings: readonly string[] }>,
): FileMapping['edition'] | NoMapping {
  const spec = mapping?.edition
  if (spec === undefined) return undefined
  if ('column' in spec) return { ...spec, column: headingOf(spec.column, headings) ?? spec.column }
  const isCell = 'cell' in spec
  const written = isCell ? cell : (place?.file ?? source.name)
  const found = isCell ? editionIn(written, spec.format) : editionInName(written, spec.name)
  if (found !== null) return found
  const where = isCell ? `cell ${spec.cell} is '${written.slice(0, 80)}'` : `the name is '${written.slice(0, 200)}'`
  const detail = `${where}: expected an edition as ${isCell ? spec.format : spec.name}`
  return { reason: 'NO_EDITION', detail, raw: written.slice(0, 200) }
}
