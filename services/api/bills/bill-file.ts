import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { billOfQuantities, type MeasuredLine } from '@catalog/formats/bc3/price-book/bill-of-quantities.ts'
import { type PriceBook, referenceOf } from '@catalog/formats/bc3/price-book/price-book.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { reprice } from '@catalog/formats/bc3/price-book/reprice.ts'
import { wholeTexts } from '@catalog/formats/bc3/price-book/whole-texts.ts'
import {
  type BillHeading,
  type BillLine,
  LINE_CHARS_MAX,
  readBillOfQuantities,
} from '@catalog/formats/bill/bill-of-quantities.ts'
import { type ByteSource, bytesSource } from '@catalog/formats/bytes/record.ts'
import { formatOfHead, headOf } from '@catalog/formats/bytes/sniff.ts'

/** Reads the file of a bill, whoever made it. The reader process runs this, within its bounds. */

export const BILL_FORMATS = ['bc3', 'csv', 'xlsx'] as const
export type BillFormat = (typeof BILL_FORMATS)[number]

/** A line of an uploaded bill. */
export type FileLine = BillLine &
  Readonly<{
    /** The code of a concept in a BC3 file, and what a crawl of the file calls it; null elsewhere. */
    code: string | null
    reference: string | null
    /** As the file states them, in major units; null where it does not. */
    price: string | null
    amount: string | null
    /** The unit as the matcher reads it: "ml" is a running metre in a BC3 file. */
    matchedUnit: string | null
    /** The program cut the text off, so that it may mean several items. */
    isCut: boolean
  }>

export type BillFile = Readonly<{
  name: string
  format: BillFormat
  lines: readonly FileLine[]
  /** Lines that could not be read: the first ones, and their number. */
  unread: readonly Readonly<{ position: string; detail: string }>[]
  unreadCount: number
  /** Where the answers go in a workbook; null elsewhere. */
  heading: BillHeading | null
}>

/** Why a file is no bill that can be priced. */
export type BillProblem = 'not_a_bill' | 'no_lines' | 'too_many_lines' | 'altered'

export class BadBill extends Error {
  override name = 'BadBill'
  readonly problem: BillProblem
  constructor(message: string, { problem, cause }: { problem: BillProblem; cause?: unknown }) {
    super(message, { cause })
    this.problem = problem
  }
}

/** Unread lines that a page shows. */
const UNREAD_SHOWN = 20
const UNIT_CHARS_MAX = 100
const BC3_UNITS = { lang: 'es', format: 'bc3' } as const

/** Reads a BC3, CSV or XLSX file by its content. Throws {@link BadBill} for another one, or one without 1 to `linesMax` lines. */
export async function readBill(
  { name, bytes }: Readonly<{ name: string; bytes: Uint8Array }>,
  linesMax: number,
): Promise<BillFile> {
  const source = bytesSource(name, bytes)
  const format = formatOfHead(await headOf(source))
  if (!isBillFormat(format))
    throw new BadBill(`'${name}' looks like ${format}: expected a BC3, CSV or XLSX file`, { problem: 'not_a_bill' })
  const found = format === 'bc3' ? await bc3Lines(source) : await tableLines(source, { format, linesMax })
  if (found.lines.length > linesMax)
    throw new BadBill(`'${name}' has ${found.lines.length} lines or more: expected at most ${linesMax}`, {
      problem: 'too_many_lines',
    })
  if (found.lines.length === 0) {
    const [first] = found.unread
    const why =
      first === undefined
        ? `'${name}': expected a row of headings with a description, and lines below it; found no line`
        : `${first.position}: ${first.detail}`
    throw new BadBill(why, { problem: 'no_lines' })
  }
  return { name, format, ...found }
}

const isBillFormat = (format: string): format is BillFormat => (BILL_FORMATS as readonly string[]).includes(format)

type Found = Pick<BillFile, 'lines' | 'unread' | 'unreadCount' | 'heading'>

async function tableLines(
  source: ByteSource,
  { format, linesMax }: { format: 'csv' | 'xlsx'; linesMax: number },
): Promise<Found> {
  const lines: FileLine[] = []
  const unread: { position: string; detail: string }[] = []
  let unreadCount = 0
  let heading: BillHeading | null = null
  const onHeading = (found: BillHeading) => {
    heading = found
  }
  try {
    for await (const line of readBillOfQuantities(source, { format, onHeading })) {
      if (!('reason' in line)) lines.push({ ...line, ...NOTHING_STATED, matchedUnit: unitOf(line.unit) })
      else if (++unreadCount <= UNREAD_SHOWN) unread.push({ position: line.position, detail: line.detail })
      if (lines.length > linesMax) break
    }
  } catch (error) {
    throw new BadBill((error as Error).message, { problem: 'not_a_bill', cause: error })
  }
  return { lines, unread, unreadCount, heading }
}

async function bc3Lines(source: ByteSource): Promise<Found> {
  const log = new DiagnosticLog()
  const { entries } = await openBc3(source, { log })
  const book = await buildPriceBook(entries, log)
  const bill = billOfQuantities(book, { repriced: reprice(book, { log }), log })
  if (bill.lines.length === 0)
    throw new BadBill(`'${source.name}': no measured lines; expected chapters (~D) or measurements (~M)`, {
      problem: 'no_lines',
    })
  return { lines: linesOfWork(book, bill.lines, source.name), unread: [], unreadCount: 0, heading: null }
}

/** The lines of a measured work in the file of this name. */
export function linesOfWork(book: PriceBook, measured: readonly MeasuredLine[], name: string): FileLine[] {
  const textsOf = wholeTexts(book)
  return measured.map(({ path, code, quantity, price, amount, ...line }) => {
    const { text, isCut } = textsOf({ code, text: line.text })
    return {
      position: `${name} ${path.join('.')}`,
      text: (text === '' ? code : text).slice(0, LINE_CHARS_MAX),
      unit: unitOf(line.unit),
      quantity,
      region: null,
      isQuantityNumber: false,
      code,
      reference: referenceOf(book, code),
      price,
      amount,
      matchedUnit: bc3Unit(line.unit),
      isCut,
    }
  })
}

/** The unit as the matcher reads it: "ml" is a running metre in a BC3 file. */
export const bc3Unit = (unit: string) => unitOf(parseUnit(unit, BC3_UNITS)?.symbol ?? unit)

const NOTHING_STATED = { code: null, reference: null, price: null, amount: null, isCut: false }

const unitOf = (unit: string | null) => (unit === null || unit === '' ? null : unit.slice(0, UNIT_CHARS_MAX))
