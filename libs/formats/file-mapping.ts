import { type ByteSource, isBroken, type RawRecord } from '@catalog/formats/bytes/record.ts'
import { columnsOf, type ResolvedMapping, resolveMapping, withPriceUnit } from '@catalog/formats/mapping/columns.ts'
import { detectDateOrder } from '@catalog/formats/mapping/dates.ts'
import { detectDecimalMark } from '@catalog/formats/mapping/decimal-mark.ts'
import type { DateOrder, Mapping } from '@catalog/formats/mapping/mapping.ts'
import type { MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import { type Format, isJson } from './format.ts'
import { DEFINED_COLUMNS, type DefinedFormat, isDefined, recordsOf } from './format-readers.ts'
import type { Detected, ReadOptions } from './read-options.ts'

/** The mapping of one file: which columns give what, and how its numbers and dates are written. */

/** Records at the head that show decimal mark, date order and JSON columns. */
const SAMPLE_RECORDS = 1_000
/** Enough for a sample of long records. */
const SAMPLE_CHARS = 4 * 1024 ** 2

export type FileMapping = Readonly<{ resolved: ResolvedMapping; decimal: ',' | '.' | null; dateOrder: DateOrder }>
export type NoMapping = Readonly<{ reason: string; detail: string; raw: string }>

/** Resolves the mapping of a file by its format, or by a sample of its records; NO_COLUMN when a required column is missing. */
export async function fileMapping(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  detected: Detected,
): Promise<FileMapping | NoMapping> {
  if (isDefined(format)) return definedMapping(format, options)
  return sampledMapping(format, options, await sampleOf(source, format, options, detected))
}

type Sample = Readonly<{ headings: readonly string[] | null; records: readonly RawRecord[] }>

async function sampleOf(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  detected: Detected,
): Promise<Sample> {
  let headings: readonly string[] | null = null
  const records: RawRecord[] = []
  let chars = 0
  const onColumns = (columns: readonly string[]) => {
    headings = columns
  }
  for await (const batch of recordsOf(source, format, options, detected, onColumns)) {
    for (const record of batch) {
      if (isBroken(record)) continue
      records.push(record)
      chars += record.raw.length
    }
    if (records.length >= SAMPLE_RECORDS || chars >= SAMPLE_CHARS) break
  }
  if (isJson(format)) headings = [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))]
  return { headings, records }
}

function definedMapping(format: DefinedFormat, { mapping, defaults }: ReadOptions): FileMapping {
  // What the operator says of the source outranks the supplier and the territory that a catalogue names.
  const isRead = (key: MappingKey) =>
    key === 'source'
      ? defaults.sourceId === undefined && !defaults.isSourceGiven
      : key !== 'region' || defaults.region === undefined
  const columns = Object.fromEntries(DEFINED_COLUMNS[format].filter(isRead).map((key) => [key, key]))
  // The records already hold the file's own values and the fallbacks for them.
  const { currency: _currency, observed_at: _observedAt, ...constants } = definedConstants(mapping)
  // Pages write prices for people; the other formats define a decimal mark.
  const decimal = format === 'html' ? (mapping?.decimal ?? null) : '.'
  return { resolved: { columns, constants, guessed: [] }, decimal, dateOrder: 'ymd' }
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

function sampledMapping(format: Exclude<Format, 'zip'>, options: ReadOptions, sample: Sample): FileMapping | NoMapping {
  const mapping = options.mapping ?? {}
  const headings = sample.headings ?? []
  const { resolved: found, missing } = resolveMapping(mapping, headings)
  // Objects may omit keys, so the headings cannot prove that a column of a given mapping is missing.
  const isGiven = Object.values(mapping.columns ?? {}).some((columns) => columns !== undefined)
  if (sample.headings !== null && missing.length > 0 && !(isJson(format) && (isGiven || sample.records.length === 0))) {
    const raw = sample.headings.join(' | ')
    const detail =
      `${insteadOfTable(raw)}${missing.join('; ')}.${listHint(sample.headings)} The file has: ${raw}`.slice(0, 2000)
    return { reason: 'NO_COLUMN', detail, raw }
  }
  const valuesOf = (heading: string) => sample.records.map(({ fields }) => fields[heading] ?? '')
  const resolved = withPriceUnit(found, headings, valuesOf)
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
    decimal: mapping.decimal ?? detectDecimalMark(texts('price', { exact: false })),
    dateOrder: mapping.date_format ?? detectDateOrder(texts('observed_at', { exact: true })),
  }
}
