import type { SourceRef } from '@catalog/core/events/events.ts'
import { BC3_COLUMNS, readBc3 } from '@catalog/formats/bc3/prices.ts'
import type { Bc3Header } from '@catalog/formats/bc3/records.ts'
import { BMECAT_COLUMNS, readBmecat } from '@catalog/formats/bmecat/bmecat.ts'
import { decodeStream, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import { BadGzip, gunzipped, withoutGz } from '@catalog/formats/bytes/gzip.ts'
import {
  type BrokenRecord,
  type ByteSource,
  isBroken,
  type RawRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { formatOfHead, headOf, rootOf } from '@catalog/formats/bytes/sniff.ts'
import { archiveSources } from '@catalog/formats/bytes/zip.ts'
import type { Candidate, Defaults, Refusal } from '@catalog/formats/mapping/candidate.ts'
import { type CandidateOptions, CandidateReader } from '@catalog/formats/mapping/candidate-reader.ts'
import { columnsOf, type ResolvedMapping, resolveMapping } from '@catalog/formats/mapping/columns.ts'
import { detectDateOrder, detectDecimalMark } from '@catalog/formats/mapping/locale.ts'
import type { DateOrder, Mapping } from '@catalog/formats/mapping/mapping.ts'
import type { MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import { MERCHANT_COLUMNS, readMerchant } from '@catalog/formats/merchant/merchant.ts'
import { OFFERS_COLUMNS } from '@catalog/formats/pages/offer-products.ts'
import { readOffers } from '@catalog/formats/pages/offers.ts'
import { readCsv } from '@catalog/formats/tables/csv.ts'
import { readJson } from '@catalog/formats/tables/json.ts'
import { readJsonl } from '@catalog/formats/tables/jsonl.ts'
import type { readXlsx } from '@catalog/formats/tables/xlsx.ts'

export const FORMATS = ['csv', 'jsonl', 'json', 'xlsx', 'zip', 'bc3', 'bmecat', 'merchant', 'html'] as const
export type Format = (typeof FORMATS)[number]

/** Formats whose readers look at the whole file by themselves and say what each value is. */
const COLUMNS_OF = {
  bc3: BC3_COLUMNS,
  bmecat: BMECAT_COLUMNS,
  merchant: MERCHANT_COLUMNS,
  html: OFFERS_COLUMNS,
} as const satisfies Partial<Record<Format, readonly MappingKey[]>>
type OwnFormat = keyof typeof COLUMNS_OF
const isOwn = (format: Format): format is OwnFormat => format in COLUMNS_OF
/** Formats whose records name their columns each by itself. */
const isJson = (format: Format): boolean => format === 'jsonl' || format === 'json'

/** A record of an input, and what it is: an observation, or why it is none. */
export type Outcome = Readonly<{ position: string; raw: string; result: Candidate | Refusal }>

/** What was found out about one file. `encoding` and `complete` hold once the file was read to its end. */
export type Detected = {
  /** Its name as positions have it: without ".gz". */
  file: string
  /** null: XML that is none of ours. */
  format: Format | null
  encoding: EncodingReport | null
  delimiter: string | null
  /** Decimal mark of its prices; null: each price says it by itself. */
  decimal: ',' | '.' | null
  date_order: DateOrder
  columns: ResolvedMapping['columns']
  constants: ResolvedMapping['constants']
  /** Keys whose column was guessed from its heading. */
  guessed: readonly MappingKey[]
  /** ~V and ~K of a BC3 file. */
  bc3: Bc3Header | null
  /** The source of records that name none. */
  source: SourceRef
  complete: boolean
}

export type ReadOptions = Readonly<{
  /** By the file's name, else by its first bytes, when absent. */
  format?: Format | undefined
  mapping?: Mapping | undefined
  defaults: Defaults
  /** What is known of a page beside its bytes. */
  page?: PageContext | undefined
}>
export type PageContext = Readonly<{
  /** Where it was fetched from. */
  url: string
  /** As its server declared it. */
  charset?: string | undefined
  /** It is known to be about a product, so that a page without an offer is a broken record. */
  expectsOffer: boolean
}>

/** Records of the head from which decimal mark, date order and JSON columns are told. */
const SAMPLE_RECORDS = 1_000
/** Enough for the sample when records are long. */
const SAMPLE_CHARS = 4 * 1024 ** 2

/**
 * All records of an input, in order, each with what became of it. A gzip file is the file inside; files of an archive
 * come one after the other, each under its own `detected`. Reading the same bytes again gives the same outcomes. Nothing
 * that the bytes hold makes it throw: what ends a file early is an outcome as well, and leaves `complete` false.
 */
export async function* readOutcomes(
  source: ByteSource,
  options: ReadOptions,
): AsyncGenerator<Readonly<{ detected: Detected; outcomes: readonly Outcome[] }>, void, undefined> {
  let opened = guard(gunzipped(source))
  const format = options.format ?? (await formatOf(opened))
  if (format === 'zip' || format === 'xlsx') {
    // Had once for all readings: gzip inflates it for each.
    try {
      const whole = await opened.whole()
      opened = { ...opened, whole: async () => whole }
    } catch (error) {
      return yield onlyBroken(unreadable(opened.name, error), format, options)
    }
  }
  if (format !== 'zip') return yield* readFile(opened, format, options)
  for await (const inner of archiveSources(opened)) {
    if (!('open' in inner)) {
      yield onlyBroken(inner, 'zip', options)
      continue
    }
    const named = formatOfName(inner.name)
    if (named === null || named === 'zip') continue
    const innerOpened = guard(inner)
    const innerFormat = await formatOf(innerOpened)
    if (innerFormat !== 'zip') yield* readFile(innerOpened, innerFormat, options)
  }
}

/** What there is of a file that holds nothing that can be read. */
function onlyBroken(record: BrokenRecord, format: Format | null, options: ReadOptions) {
  const reader = readerOf(NO_MAPPING, { ...options, decimal: null, dateOrder: 'dmy' })
  const detected = nothingDetected(record.position, format, reader.source)
  return { detected, outcomes: [refused(record, reader.source)] }
}

/** By the name, else by the first bytes; null for XML that is none of ours. */
async function formatOf(source: ByteSource): Promise<Format | null> {
  const named = formatOfName(source.name)
  if (named !== null && named !== 'xml') return named
  try {
    const format = formatOfHead(await headOf(source))
    if (format === 'xml') return null
    return named === 'xml' && !MARKUP_FORMATS.has(format) ? null : format
  } catch (error) {
    // The reader meets it as well, and tells it.
    if (!(error instanceof Unreadable)) throw error
    return 'csv'
  }
}
const MARKUP_FORMATS: ReadonlySet<Format> = new Set(['bmecat', 'merchant', 'html'])

/**
 * Format by the end of a file's name, that of "prices.csv.gz" as that of "prices.csv"; `xml` says that its content tells
 * the format. null for a file that no folder or archive is crawled for.
 */
export function formatOfName(name: string): Format | 'xml' | null {
  const extension = /\.([a-z0-9]+)$/i.exec(withoutGz(name))?.[1]?.toLowerCase() ?? ''
  return EXTENSIONS.get(extension) ?? null
}
const EXTENSIONS: ReadonlyMap<string, Format | 'xml'> = new Map([
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['jsonl', 'jsonl'],
  ['ndjson', 'jsonl'],
  ['json', 'json'],
  ['xlsx', 'xlsx'],
  ['xlsm', 'xlsx'],
  ['zip', 'zip'],
  ['bc3', 'bc3'],
  ['xml', 'xml'],
  ['html', 'html'],
  ['htm', 'html'],
])

/** The bytes cannot be had: the disk, the folder or a damaged archive. */
class Unreadable extends Error {
  override name = 'Unreadable'
  get reason(): string {
    return this.cause instanceof BadGzip ? this.cause.reason : 'UNREADABLE'
  }
}

/** A source whose failures can be told from mistakes of ours. */
function guard(source: ByteSource): ByteSource {
  const told = (cause: unknown) => new Unreadable((cause as Error).message, { cause })
  return {
    ...source,
    async *open() {
      try {
        yield* source.open()
      } catch (cause) {
        throw told(cause)
      }
    },
    whole: () => source.whole().catch((cause) => Promise.reject(told(cause))),
  }
}

/** The broken record of a source that failed. Throws what is a mistake of ours. */
function unreadable(position: string, error: unknown): BrokenRecord {
  if (!(error instanceof Unreadable)) throw error
  return { position, raw: '', reason: error.reason, detail: error.message, endsFile: true }
}

async function unknownXml(source: ByteSource): Promise<BrokenRecord> {
  const root = rootOf(await headOf(source))
  const what = root === '' ? 'no element stands at its head' : `it begins with <${root}>`
  const detail = `${what}: expected a BMEcat catalogue (<BMECAT>), a merchant feed (<rss>, <feed>) or a page (<html>)`
  return { position: source.name, raw: '', reason: 'UNKNOWN_XML', detail, endsFile: true }
}

async function* readFile(
  source: ByteSource,
  format: Exclude<Format, 'zip'> | null,
  options: ReadOptions,
): AsyncGenerator<Readonly<{ detected: Detected; outcomes: readonly Outcome[] }>, void, undefined> {
  let reader = readerOf(NO_MAPPING, { ...options, decimal: null, dateOrder: 'dmy' })
  const detected = nothingDetected(source.name, format, reader.source)
  try {
    if (format === null) {
      yield { detected, outcomes: [refused(await unknownXml(source), reader.source)] }
      return
    }
    const sample = isOwn(format) ? null : await sampleOf(source, format, options, detected)
    const settled = isOwn(format) ? ownMapping(format, options) : settle(format, options, sample as Sample)
    if ('reason' in settled) {
      yield { detected, outcomes: [refused({ ...settled, position: detected.file }, reader.source)] }
      return
    }
    const { resolved, decimal, dateOrder } = settled
    Object.assign(detected, { ...resolved, decimal, date_order: dateOrder })
    // BC3 is the Spanish-speaking trade's own format, and its units are spelled so: "ml" is a linear metre there.
    const ofFormat = format === 'bc3' ? { kind: 'bank', lang: 'es' } : {}
    const said = Object.fromEntries(Object.entries(options.defaults).filter(([, value]) => value !== undefined))
    const defaults = { ...ofFormat, ...said } as Defaults
    // Such a reader has looked at what prices mean already.
    reader = readerOf(resolved, {
      ...options,
      defaults,
      decimal,
      decimalGiven: isOwn(format),
      numbersSeen: format === 'xlsx',
      dateOrder,
    })
    let complete = true
    for await (const batch of recordsOf(source, format, options, detected)) {
      const outcomes = batch.map((record): Outcome => {
        if (!isBroken(record)) return { position: record.position, raw: record.raw, result: reader.read(record) }
        complete &&= record.endsFile !== true
        return refused(record, reader.source)
      })
      yield { detected, outcomes }
    }
    detected.complete = complete
    // A file without a record says what it is as well.
    yield { detected, outcomes: [] }
  } catch (error) {
    yield { detected, outcomes: [refused(unreadable(source.name, error), reader.source)] }
  }
}

function refused({ position, raw, reason, detail }: BrokenRecord, source: Refusal['source']): Outcome {
  return { position, raw, result: { reason, detail, source } }
}

const NO_MAPPING: ResolvedMapping = { columns: {}, constants: {}, guessed: [] }

function readerOf(
  mapping: ResolvedMapping,
  options: ReadOptions & Pick<CandidateOptions, 'decimal' | 'decimalGiven' | 'numbersSeen' | 'dateOrder'>,
) {
  const constants = { ...definedConstants(options.mapping), ...mapping.constants }
  return new CandidateReader({
    mapping: { ...mapping, constants },
    decimal: options.decimal,
    decimalGiven: options.decimalGiven || options.mapping?.decimal !== undefined,
    numbersSeen: options.numbersSeen ?? false,
    dateOrder: options.dateOrder,
    twoDigitYears: options.mapping?.date_format !== undefined,
    defaults: options.defaults,
  })
}

function definedConstants(mapping: Mapping | undefined): ResolvedMapping['constants'] {
  const given = Object.entries(mapping?.constants ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as ResolvedMapping['constants']
}

function nothingDetected(file: string, format: Format | null, source: SourceRef): Detected {
  return {
    file,
    format,
    encoding: null,
    delimiter: null,
    decimal: null,
    date_order: 'dmy',
    columns: {},
    constants: {},
    guessed: [],
    bc3: null,
    source,
    complete: false,
  }
}

function recordsOf(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  detected: Detected,
  told: (columns: readonly string[]) => void = () => {},
): RecordBatches {
  const { mapping } = options
  const name = source.name
  const isHeading = (columns: readonly string[]) => resolveMapping(mapping ?? {}, columns).missing.length === 0
  if (isOwn(format)) return ownRecords(source, format, options, detected)
  if (format === 'xlsx') {
    return readWorkbook(source, { name, sheet: mapping?.sheet, isHeading, onHeading: ({ columns }) => told(columns) })
  }
  const { report, text } = decodeStream(source.open(), { given: mapping?.encoding })
  detected.encoding = report
  if (format === 'jsonl') return readJsonl(text, { name })
  if (format === 'json') return readJson(text, { name, records: mapping?.records, isHeading })
  return readCsv(text, {
    name,
    delimiter: mapping?.delimiter,
    isHeading,
    onHeading({ delimiter, columns }) {
      detected.delimiter = delimiter
      told(columns)
    },
  })
}

function ownRecords(source: ByteSource, format: OwnFormat, options: ReadOptions, detected: Detected): RecordBatches {
  const { mapping, defaults } = options
  const { currency, observed_at, region } = mapping?.constants ?? {}
  const onEncoding = (encoding: EncodingReport) => {
    detected.encoding = encoding
  }
  const given = {
    name: source.name,
    encoding: mapping?.encoding,
    currency: currency ?? defaults.currency,
    observedAt: observed_at ?? defaults.observedAt,
  }
  switch (format) {
    case 'bc3':
      return readBc3(source, {
        ...given,
        onHeading: ({ header, encoding }) => Object.assign(detected, { bc3: header, encoding }),
      })
    case 'bmecat':
      return readBmecat(source, { ...given, region: region ?? defaults.region })
    case 'merchant':
      return readMerchant(source, {
        ...given,
        decimal: mapping?.decimal,
        region: region ?? defaults.region,
        onEncoding,
      })
    case 'html': {
      const { url = defaults.sourceUrl, charset, expectsOffer = true } = options.page ?? {}
      return given.observedAt === undefined
        ? undated(source.name)
        : readOffers(source, { ...given, observedAt: given.observedAt, url, charset, expectsOffer })
    }
  }
}

/** A page does not say when its prices were seen. */
async function* undated(position: string): RecordBatches {
  yield [
    { position, raw: '', reason: 'NO_DATE', detail: 'expected the day on which the page was fetched', endsFile: true },
  ]
}

/** The spreadsheet reader is loaded when a workbook comes: it takes more memory than all other readers together. */
async function* readWorkbook(...args: Parameters<typeof readXlsx>): RecordBatches {
  const xlsx = await import('@catalog/formats/tables/xlsx.ts')
  yield* xlsx.readXlsx(...args)
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
  const told = (columns: readonly string[]) => {
    headings = columns
  }
  for await (const batch of recordsOf(source, format, options, detected, told)) {
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

type Settled = Readonly<{ resolved: ResolvedMapping; decimal: ',' | '.' | null; dateOrder: DateOrder }>

function ownMapping(format: OwnFormat, { mapping, defaults }: ReadOptions): Settled {
  // An id of the operator names the source, whatever a catalogue calls its supplier.
  const isRead = (key: MappingKey) => key !== 'source' || defaults.sourceId === undefined
  const columns = Object.fromEntries(COLUMNS_OF[format].filter(isRead).map((key) => [key, key]))
  // What the file says of itself, and the fallbacks for it, are in its records already.
  const { currency: _currency, observed_at: _observedAt, ...constants } = definedConstants(mapping)
  // Pages write prices for people; the other formats have a mark of their own.
  const decimal = format === 'html' ? (mapping?.decimal ?? null) : '.'
  return { resolved: { columns, constants, guessed: [] }, decimal, dateOrder: 'ymd' }
}

function settle(
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  sample: Sample,
): Settled | Readonly<{ reason: string; detail: string; raw: string }> {
  const mapping = options.mapping ?? {}
  const { resolved, missing } = resolveMapping(mapping, sample.headings ?? [])
  // Objects may leave keys out, so of a given mapping only the file's records can say what is missing.
  const isGiven = Object.values(mapping.columns ?? {}).some((columns) => columns !== undefined)
  if (sample.headings !== null && missing.length > 0 && !(isJson(format) && (isGiven || sample.records.length === 0))) {
    const raw = sample.headings.join(' | ')
    const detail = `${missing.join('; ')}. The file has: ${raw}`.slice(0, 2000)
    return { reason: 'NO_COLUMN', detail, raw }
  }
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
