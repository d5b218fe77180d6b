import { gunzipped } from '@catalog/formats/bytes/gzip.ts'
import { type KeptRaw, keptRaw } from '@catalog/formats/bytes/raw-text.ts'
import {
  type BrokenRecord,
  type ByteSource,
  isBroken,
  type RawRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { formatOfHead, headOf, isTender, rootOf } from '@catalog/formats/bytes/sniff.ts'
import { holdsEmail } from '@catalog/formats/bytes/vendor-text.ts'
import { archiveSources } from '@catalog/formats/bytes/zip.ts'
import { rivalDoubt } from '@catalog/formats/headings/price-rivals.ts'
import type { Candidate, Defaults, Refusal } from '@catalog/formats/mapping/candidate.ts'
import { type CandidateOptions, CandidateReader } from '@catalog/formats/mapping/candidate-reader.ts'
import { lostElements, unreadVariants } from '@catalog/formats/mapping/list-columns.ts'
import { recordCompleter } from '@catalog/formats/mapping/shop-exports.ts'
import { isCarriable } from '@catalog/formats/mapping/text-checks.ts'
import { conflictBeside } from '@catalog/formats/shops/products/sales.ts'
import { definedConstants, type FileMapping, fileMapping } from './file-mapping.ts'
import { type Format, formatOf, formatOfName, isJson } from './format.ts'
import { isDefined, recordsOf, stepsOf } from './format-readers.ts'
import { type Detected, nothingDetected, type ReadOptions } from './read-options.ts'
import { answerMapping, answerOf, answerRecords, observedAtOf } from './shop-answers.ts'
import { guarded, unreadableRecord } from './unreadable-source.ts'
import { type WorkbookSheets, workbookSheets } from './workbook-list.ts'

/** A record of an input and its result: an observation, or why it is none. Its raw text is kept for a dead letter. */
export type Outcome = KeptRaw & Readonly<{ position: string; result: Candidate | Refusal }>
/** The outcomes of one piece of a file, and the findings about the file so far. */
export type OutcomeBatch = Readonly<{
  detected: Detected
  outcomes: readonly Outcome[]
  /** The file breaks a limit that no price list needs: its one outcome says which, and those before do not count. */
  refusesFile?: true
}>
type FileOutcomes = AsyncGenerator<OutcomeBatch, void, undefined>

/**
 * Reads all records of an input, in order, each with its result. Opens a gzip file, and the files of a ZIP archive one
 * after the other, each under its own `detected`. Reading the same bytes again gives the same outcomes. Never throws
 * for their content: damage that ends a file early is an outcome too, and leaves `complete` false.
 */
export async function* readOutcomes(source: ByteSource, options: ReadOptions): FileOutcomes {
  let opened = guarded(gunzipped(source))
  const hasRecords = options.mapping?.records !== undefined
  const format = options.format ?? (await formatOf(opened, { hasRecords }))
  if (format === 'zip' || format === 'xlsx') {
    try {
      // Inflate once for all passes.
      const whole = await opened.whole()
      opened = { ...opened, whole: async () => whole }
    } catch (error) {
      return yield onlyBroken(unreadableRecord(opened.name, error), format, options)
    }
  }
  if (format !== 'zip') return yield* readFileOrSheets(opened, format, options)
  yield* readArchive(opened, options)
}

/** Reads the files of an archive, or those that the mapping names. */
async function* readArchive(archive: ByteSource, options: ReadOptions): FileOutcomes {
  const { member, records } = options.mapping ?? {}
  const members = typeof member === 'string' ? [member] : member
  const passedOver: string[] = []
  const onPassedOver = (path: string) => {
    if (passedOver.length < MEMBERS_TOLD_MAX) passedOver.push(path)
  }
  for await (const inner of archiveSources(archive, { members: members ?? null, onPassedOver })) {
    if (!('open' in inner)) {
      yield onlyBroken(inner, 'zip', options)
      continue
    }
    const named = formatOfName(inner.name)
    // A file that the mapping names may have any ending.
    if ((named === null && members === undefined) || named === 'zip') continue
    const source = guarded(inner)
    const format = await formatOf(source, { hasRecords: records !== undefined })
    if (format === 'zip') continue
    for await (const batch of readFileOrSheets(source, format, options)) {
      batch.detected.members_passed_over = passedOver
      yield batch
    }
  }
}
/** Files of an archive that a preview names. */
const MEMBERS_TOLD_MAX = 20

/** The outcome of a file without any readable record. */
function onlyBroken(record: BrokenRecord, format: Format | null, options: ReadOptions): OutcomeBatch {
  const reader = new CandidateReader(candidateOptions(options, NO_MAPPING))
  return refusing(nothingDetected(record.position, format, reader.source), record, reader.source)
}

function refusing(detected: Detected, record: BrokenRecord, source: Refusal['source']): OutcomeBatch {
  return { detected, outcomes: [refused(record, source)], ...(record.refusesFile && { refusesFile: true }) }
}

/** The outcome of a file that could not be read to its end, after which none of its records counts. */
export function refusedFile(
  { name, reason, detail }: Readonly<{ name: string; reason: string; detail: string }>,
  options: ReadOptions,
): OutcomeBatch {
  return onlyBroken({ position: name, raw: '', reason, detail, endsFile: true, refusesFile: true }, null, options)
}

/** Reads a file, or each list of a workbook under a `detected` of its own. */
async function* readFileOrSheets(
  source: ByteSource,
  format: Exclude<Format, 'zip'> | null,
  given: ReadOptions,
): FileOutcomes {
  const options = { ...given, place: { file: source.name } }
  if (format !== 'xlsx') return yield* readFile(source, format, options)
  let found: WorkbookSheets
  try {
    found = await workbookSheets(source, options)
  } catch (error) {
    return yield onlyBroken(unreadableRecord(source.name, error), format, options)
  }
  for (const sheet of found.sheets) {
    for await (const batch of readFile(sheet.source, format, sheet.options)) {
      batch.detected.workbook = source.name
      batch.detected.sheets_passed_over = found.passedOver
      yield { ...batch, outcomes: batch.outcomes.map((outcome) => withHint(outcome, found.hint)) }
    }
  }
}

/** A refusal for lack of columns says which sheets there are. */
function withHint(outcome: Outcome, hint: string): Outcome {
  const { result } = outcome
  if ('content' in result || result.reason !== 'NO_COLUMN') return outcome
  return { ...outcome, result: { ...result, detail: `${result.detail}${hint}` } }
}

async function* readFile(
  source: ByteSource,
  format: Exclude<Format, 'zip'> | null,
  options: ReadOptions,
): FileOutcomes {
  let reader = new CandidateReader(candidateOptions(options, NO_MAPPING))
  const detected = nothingDetected(source.name, format, reader.source)
  try {
    if (format === null) {
      yield { detected, outcomes: [refused(await unknownFormat(source), reader.source)] }
      return
    }
    const answer = await answerOf(source, format, options)
    const mapping = answer === null ? await fileMapping(source, format, options, detected) : answerMapping(options)
    if ('reason' in mapping) {
      yield { detected, outcomes: [refused({ ...mapping, position: detected.file }, reader.source)] }
      return
    }
    const { resolved, decimal, dateOrder, edition, columns: read = [] } = mapping
    const { shopSystem = null, ...columns } = resolved
    const system = answer?.shape.system ?? shopSystem
    Object.assign(detected, { ...columns, shop_system: system, decimal, date_order: dateOrder })
    if (edition !== undefined && 'day' in edition) detected.edition = edition
    const records =
      answer === null
        ? steppedRecords(source, format, { options, detected, columns: read })
        : answerRecords(answer, options, detected)
    const completed = recordCompleter(shopSystem, observedAtOf(options))
    reader = new CandidateReader({
      ...candidateOptions(options, mapping),
      // A catalogue has one supplier in its header, which is read only where the operator names no source.
      ...(isDefined(format) && { sources: { allow: 'any' } }),
      defaults: defaultsOf(format, options.defaults),
      // A reader with defined columns has settled the meaning of prices already.
      isDecimalGiven: isDefined(format) || options.mapping?.decimal !== undefined,
      hasVisibleNumbers: format === 'xlsx',
      isOfSale: format === 'html' || answer !== null,
      tally: detected.steps,
    })
    let complete = true
    for await (const batch of records) {
      const refusal = batch.find((record) => isBroken(record) && record.refusesFile === true)
      if (refusal !== undefined) return yield refusing(detected, refusal as BrokenRecord, reader.source)
      const outcomes = batch.flatMap((record): Outcome | [] => {
        if (isBroken(record)) {
          complete &&= record.endsFile !== true
          return refused(record, reader.source)
        }
        const product = completed(record)
        if (product === null) {
          detected.rows_not_sold++
          return []
        }
        if (isBroken(product)) return refused(product, reader.source)
        const doubt = answer === null ? doubtOf(product, mapping, format) : null
        if (doubt !== null) return refused({ ...record, ...doubt }, reader.source)
        return { position: record.position, ...keptRaw(record), result: reader.read(product) }
      })
      yield { detected, outcomes }
    }
    detected.complete = complete
    // Report the findings of a file without records too.
    yield { detected, outcomes: [] }
  } catch (error) {
    yield refusing(detected, unreadableRecord(source.name, error), reader.source)
  }
}

/** The records of a file after the steps of the mapping. Formats that define their columns have no steps. */
function steppedRecords(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  { options, detected, columns }: Readonly<{ options: ReadOptions; detected: Detected; columns: readonly string[] }>,
): RecordBatches {
  const records = recordsOf(source, format, options, detected)
  if (isDefined(format)) return records
  const steps = stepsOf(options, detected.steps)
  steps.begin(columns)
  return steps.apply(records)
}

/**
 * Why these columns must not read a record; null when they may. They would lose records of a list inside it, or were guessed
 * and another price beside theirs contradicts it.
 */
function doubtOf(
  record: RawRecord,
  { resolved, rivals = null, decimal }: FileMapping,
  format: Format,
): Readonly<{ reason: string; detail: string }> | null {
  const isGuessed = resolved.guessed.length > 0
  if (isJson(format)) {
    const detail = isGuessed ? unreadVariants(record) : lostElements(record, resolved.columns)
    if (detail !== null) return { reason: 'LOSES_RECORDS', detail }
  }
  const { price } = resolved.columns
  // The exports of shop systems define their columns.
  const isOpen = isGuessed && resolved.shopSystem === undefined && typeof price === 'string'
  const doubt = rivals && rivalDoubt(record, rivals, decimal)
  return doubt ?? (isOpen ? conflictBeside(record.fields, price) : null)
}

async function unknownFormat(source: ByteSource): Promise<BrokenRecord> {
  const head = await headOf(source)
  const format = formatOfHead(head)
  if (format === 'xls') {
    const detail = 'a workbook of Excel 97 to 2003 (.xls), expected XLSX: open it and save it as XLSX or CSV'
    return { position: source.name, raw: '', reason: 'OLD_WORKBOOK', detail, endsFile: true }
  }
  if (format === '7z' || format === 'rar') {
    const detail = `a ${format} archive, expected ZIP: unpack it, and crawl its files or a ZIP of them`
    return { position: source.name, raw: '', reason: 'OTHER_ARCHIVE', detail, endsFile: true }
  }
  if (isTender(format)) {
    const detail = `a bill of a tender (${format}), expected a price list: price it with \`catalog match\` or on the page /bill`
    return { position: source.name, raw: '', reason: 'BILL', detail, endsFile: true }
  }
  const root = rootOf(head)
  const found = root === '' ? 'no element at its head' : `it begins with <${root}>`
  const detail = `${found}: expected a BMEcat catalogue (<BMECAT>), a merchant feed (<rss>, <feed>) or a page (<html>); for other XML a mapping with \`records\`, such as Contents/Item`
  return { position: source.name, raw: '', reason: 'UNKNOWN_XML', detail, endsFile: true }
}

function refused({ position, raw, reason, detail, vendorRef }: BrokenRecord, source: Refusal['source']): Outcome {
  const isKnown =
    vendorRef !== undefined && isCarriable(vendorRef, 300) && vendorRef.trim() !== '' && !holdsEmail(vendorRef)
  return {
    position,
    ...keptRaw({ raw }),
    result: { reason, detail, source, ...(isKnown && { refused: { vendorRef: vendorRef.trim() } }) },
  }
}

const NO_MAPPING: FileMapping = {
  resolved: { columns: {}, constants: {}, guessed: [] },
  decimal: null,
  dateOrder: 'dmy',
}

function candidateOptions(
  { mapping, defaults }: ReadOptions,
  { resolved, decimal, dateOrder, edition, is1904 }: FileMapping,
): CandidateOptions {
  const constants = { ...definedConstants(mapping), ...resolved.constants }
  const hasTwoDigitYears = mapping?.date_format !== undefined
  return {
    mapping: { ...resolved, constants },
    decimal,
    dateOrder,
    hasTwoDigitYears,
    is1904,
    units: mapping?.units,
    round: mapping?.round,
    edition,
    sources: mapping?.sources,
    defaults,
  }
}

/** The defaults of the operator over those of the format. */
function defaultsOf(format: Format, given: Defaults): Defaults {
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defaults
  // BC3 is a Spanish format with Spanish units: "ml" is a linear metre there.
  return format === 'bc3' ? { kind: 'bank', lang: 'es', ...defined } : defined
}
