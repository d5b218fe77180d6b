import {
  BATCH_RECORDS,
  type ByteSource,
  CELL_CHARS_MAX,
  COLUMNS_MAX,
  RECORD_CHARS_MAX,
  type ReadRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { type Archive, type ArchiveEntry, BadArchive, openArchive } from '@catalog/formats/bytes/zip.ts'
import { type Row, Table, type TableLayout } from '@catalog/formats/tables/table.ts'
import { type StreamRow, streamXlsxRows } from 'hucre/xlsx'
import { type FormulaCell, tellFormulas } from './formulas.ts'
import { withHyperlinkTexts } from './hyperlinks.ts'
import { marksOfStyles } from './number-formats.ts'
import { SheetBudget } from './sheet-budget.ts'
import { ShownCells } from './shown-cells.ts'
import { firstVisible, type Sheet, sheetsOf } from './workbook-parts.ts'

/** Shared strings, which are held in memory while a sheet is read. */
const STRINGS_BYTES_MAX = 64 * 1024 ** 2
/** Styles and the workbook itself, which take many times their size in memory. */
const DESCRIPTION_BYTES_MAX = 16 * 1024 ** 2
/** Largest sheet: Excel's 1,048,576 rows of 20 columns need less, and a ZIP without ZIP64 cannot declare more. */
const SHEET_BYTES_MAX = 2 * 1024 ** 3

export type XlsxOptions = Readonly<{
  /** Name of the file, and of the sheet where one must be told, in positions. */
  name: string
  /** Name of the sheet, or its number from 1; defaults to the first that is visible. */
  sheet?: string | number | undefined
  isHeading?: ((columns: readonly string[]) => boolean) | undefined
  layout?: TableLayout | undefined
  onHeading?: (heading: Readonly<{ columns: readonly string[]; line: number; is1904: boolean }>) => void
  /** Called at the end of the sheet. */
  onHidden?: ((hidden: ShownCells['hidden'], columns: ReadonlySet<number>) => void) | undefined
  /** Hidden columns are read like others. */
  keepsHiddenColumns?: boolean | undefined
  /** Called for each formula without a stored value, also of hidden cells. */
  onFormula?: ((cell: FormulaCell) => void) | undefined
}>

/**
 * Reads the records of one sheet of an XLSX workbook; the first row that is not blank names the columns. Dates become
 * ISO text, numbers keep Excel's 15 significant digits (0.1 + 0.2 is 0.3), and formulas give their stored value. An
 * unreadable workbook is one broken record (BAD_WORKBOOK), after the records before the damage.
 *
 * Rows of more than {@link COLUMNS_MAX} cells, and those with a cell of more than {@link CELL_CHARS_MAX} characters, are
 * broken. What {@link SheetBudget} refuses is refused as a whole file.
 */
export async function* readXlsx(source: ByteSource, options: XlsxOptions): RecordBatches {
  const place = options.name
  let is1904 = false
  const table = new Table({
    position: (line) => `${place} line ${line}`,
    canRowsBeShort: true,
    isHeading: options.isHeading,
    layout: options.layout,
    onHeading: (columns, line) => options.onHeading?.({ columns, line, is1904 }),
  })
  let records: ReadRecord[] = []
  const budget = new SheetBudget()
  try {
    using archive = await openArchive(await source.whole())
    const sheet = await chosenSheet(archive, options.sheet)
    is1904 = sheet.is1904
    const shown = new ShownCells(await marksIn(archive), { keepsColumns: options.keepsHiddenColumns })
    for await (const streamed of rowsOf(archive, { sheet, budget, shown, onFormula: options.onFormula })) {
      const row = tableRow(streamed, shown.takeMarks(streamed.index))
      budget.addChars(row.chars)
      for (const record of table.take(row)) records.push(record)
      if (table.refused) break
      if (records.length < BATCH_RECORDS) continue
      yield records
      records = []
    }
    options.onHidden?.(shown.hidden, shown.hiddenColumns)
  } catch (error) {
    const { excess } = budget
    if (excess !== null) return yield [{ position: place, raw: '', ...excess, endsFile: true, refusesFile: true }]
    const { message: detail } = error as Error
    records.push(...table.end(), { position: place, raw: '', reason: 'BAD_WORKBOOK', detail, endsFile: true })
  }
  records.push(...table.end())
  if (records.length > 0) yield records
}

/** The sheets of a workbook. Throws {@link BadArchive} for what is none. */
export async function worksheetsOf(archive: Archive): Promise<readonly [Sheet, ...Sheet[]]> {
  const texts = await textsOf(archive, WORKBOOK_PARTS)
  return sheetsOf((path) => {
    const text = texts.get(path)
    if (text === undefined) throw new BadArchive(`no ${path}: expected an XLSX workbook`)
    return text
  })
}
const WORKBOOK_PARTS = /^(_rels\/\.rels|xl\/workbook\.xml|xl\/_rels\/workbook\.xml\.rels)$/i

/** The marks of the workbook's cell formats. */
async function marksIn(archive: Archive): Promise<ReadonlyMap<number, string>> {
  const [styles = ''] = (await textsOf(archive, STYLES_PART)).values()
  return marksOfStyles(styles)
}
const STYLES_PART = /^xl\/styles\.xml$/i

async function textsOf(archive: Archive, parts: RegExp): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const entry of archive.entries) {
    if (!parts.test(entry.path)) continue
    if (entry.size > DESCRIPTION_BYTES_MAX) throw tooLarge(entry, DESCRIPTION_BYTES_MAX)
    const chunks: Uint8Array[] = []
    for await (const chunk of entry.open()) chunks.push(chunk)
    texts.set(entry.path, Buffer.concat(chunks).toString('utf8'))
  }
  return texts
}

/** The sheet of a name or number, hidden or not. */
async function chosenSheet(archive: Archive, wanted: string | number | undefined): Promise<Sheet> {
  const sheets = await worksheetsOf(archive)
  if (wanted === undefined) return firstVisible(sheets)
  const found = sheets.find(({ name, number }) => (typeof wanted === 'number' ? number : name) === wanted)
  if (found !== undefined) return found
  const named = typeof wanted === 'number' ? `sheet ${wanted}` : `sheet '${wanted}'`
  const names = sheets.map(({ name }) => `'${name}'`).join(', ')
  throw new BadArchive(`no ${named} in the workbook: expected one of ${names}`.slice(0, DETAIL_CHARS_MAX))
}
const DETAIL_CHARS_MAX = 500

const tooLarge = ({ path, size }: ArchiveEntry, limit: number) =>
  new BadArchive(`${path} inflates to ${size} bytes, at most ${limit}`)

/** A row of a sheet, and the characters of its cells. */
type SheetRow = Row & Readonly<{ chars: number }>

function tableRow({ values, index }: StreamRow, marks: ReadonlyMap<number, string>): SheetRow {
  let width = values.length
  while (width > 0 && isNothing(values[width - 1])) width--
  const numberCells: number[] = []
  const cells: string[] = []
  let [chars, longest] = [0, 0]
  for (let i = 0; i < Math.min(width, COLUMNS_MAX); i++) {
    if (typeof values[i] === 'number') numberCells.push(i)
    const cell = textOf(values[i])
    chars += cell.length
    if (cell.length > (cells[longest]?.length ?? 0)) longest = i
    cells.push(cell)
  }
  const line = index + 1
  const broken = brokenRow({ width, chars, longest: { at: longest, chars: cells[longest]?.length ?? 0 } })
  // A row of styled blank cells is a blank line.
  if (broken === null) return { cells, raw: width === 0 ? '' : JSON.stringify(cells), line, numberCells, marks, chars }
  return { cells: null, raw: beginning(cells), line, broken, chars }
}

function isNothing(value: StreamRow['values'][number] | undefined): boolean {
  return value === null || value === undefined || value === ''
}

function textOf(value: StreamRow['values'][number] | undefined): string {
  // Excel shows and compares 15 digits; further digits are float debris.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)))
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? '' : value.toISOString().replace(/T00:00:00\.000Z$/, '')
  }
  return value === null || value === undefined ? '' : String(value)
}

function brokenRow({
  width,
  chars,
  longest,
}: Readonly<{ width: number; chars: number; longest: Readonly<{ at: number; chars: number }> }>): NonNullable<
  Row['broken']
> | null {
  if (width > COLUMNS_MAX) {
    const detail = `the row has ${width} cells, at most ${COLUMNS_MAX} are read`
    return { reason: 'TOO_MANY_COLUMNS', detail }
  }
  if (longest.chars > CELL_CHARS_MAX) {
    const detail = `cell ${longest.at + 1} has ${longest.chars} characters, at most ${CELL_CHARS_MAX} are read`
    return { reason: 'CELL_TOO_LONG', detail }
  }
  if (chars > RECORD_CHARS_MAX) {
    return {
      reason: 'RECORD_TOO_LONG',
      detail: `the row has ${chars} characters, at most ${RECORD_CHARS_MAX} are read`,
    }
  }
  return null
}

/** The first characters of a row, of which a dead letter keeps some. */
function beginning(cells: readonly string[]): string {
  const shown: string[] = []
  let chars = 0
  for (const cell of cells) {
    if (chars > CELL_CHARS_MAX) break
    shown.push(cell.slice(0, CELL_CHARS_MAX))
    chars += cell.length
  }
  return JSON.stringify(shown)
}

/**
 * The rows of a sheet, with backpressure.
 *
 * hucre reads an XLSX in one forward pass only when its parts come in a suitable order with sizes up front; otherwise
 * it holds everything. yauzl reads any part at any time. So this builds an archive for hucre: the parts in its order,
 * stored, with sizes. It supplies bytes only while a row is awaited; otherwise the parser would run ahead of a slow log
 * and hold the sheet.
 */
async function* rowsOf(archive: Archive, reading: SheetReading): AsyncGenerator<StreamRow, void, undefined> {
  const gate = new Gate()
  const parts = storedArchive(archive, reading)
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await gate.opened()
        try {
          const { done, value } = await parts.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(error)
        }
      },
      async cancel() {
        await parts.return()
      },
    },
    { highWaterMark: 0 },
  )
  const rows = streamXlsxRows(stream, { sheet: reading.sheet.number - 1 })
  try {
    for (;;) {
      gate.open()
      const { done, value } = await rows.next()
      gate.close()
      if (done) return
      yield value
    }
  } finally {
    gate.open()
    await rows.return()
  }
}

type SheetReading = Readonly<{ sheet: Sheet; budget: SheetBudget; shown: ShownCells }> & Pick<XlsxOptions, 'onFormula'>

/** Lets a producer wait for demand. */
class Gate {
  #waiting: (() => void)[] = []
  #open = false
  open(): void {
    this.#open = true
    for (const resume of this.#waiting.splice(0)) resume()
  }
  close(): void {
    this.#open = false
  }
  opened(): Promise<void> {
    return this.#open ? Promise.resolve() : new Promise((resume) => this.#waiting.push(resume))
  }
}

/** The parts that rows of a sheet depend on, as an uncompressed ZIP: descriptions first, the sheet last. */
async function* storedArchive(
  archive: Archive,
  { sheet, budget, shown, onFormula }: SheetReading,
): AsyncGenerator<Uint8Array, void, undefined> {
  const rank = ({ path }: ArchiveEntry) => {
    if (path === '[Content_Types].xml') return 0
    if (path.endsWith('.rels')) return 1
    if (/^xl\/(workbook|styles|sharedStrings)\.xml$/i.test(path)) return 2
    return path === sheet.path ? 3 : null
  }
  const parts = archive.entries.flatMap((entry) => {
    const order = rank(entry)
    return order === null ? [] : [{ entry, order }]
  })
  if (!parts.some(({ order }) => order === 0)) throw new BadArchive('no [Content_Types].xml: expected an XLSX workbook')
  budget.packedBytes = parts.reduce((sum, { entry }) => sum + entry.packedSize, 0)
  parts.sort((a, b) => a.order - b.order)
  for (const { entry, order } of parts) {
    const isStrings = /sharedStrings\.xml$/i.test(entry.path)
    const limit = order === 3 ? SHEET_BYTES_MAX : isStrings ? STRINGS_BYTES_MAX : DESCRIPTION_BYTES_MAX
    if (entry.size > limit) throw tooLarge(entry, limit)
    yield localHeader(entry)
    if (order !== 3) yield* entry.open()
    else {
      const counted = withHyperlinkTexts(budget.counted(entry.open()))
      yield* shown.of(onFormula === undefined ? counted : tellFormulas(counted, onFormula))
    }
  }
  // The signature of a central directory ends the forward pass.
  yield new Uint8Array([0x50, 0x4b, 0x01, 0x02])
}

function localHeader({ path, size }: ArchiveEntry): Uint8Array {
  const name = Buffer.from(path)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt32LE(size, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}
