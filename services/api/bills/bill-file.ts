import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import type { MeasuredLine } from '@catalog/formats/bc3/price-book/bill-of-quantities.ts'
import { type PriceBook, referenceOf } from '@catalog/formats/bc3/price-book/price-book.ts'
import { workLines } from '@catalog/formats/bill/bc3-bill.ts'
import type { Bill, BillLine, BillSection, BillSum } from '@catalog/formats/bill/bill.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { type BillOptions, readBill } from '@catalog/formats/read-bill.ts'

/** Reads the file of a bill, whoever made it. The reader process runs this, within its bounds. */

/** What a priced bill is written as. */
export const BILL_FORMATS = ['bc3', 'csv', 'xlsx'] as const
export type BillFormat = (typeof BILL_FORMATS)[number]

/** A line of an uploaded bill. */
export type FileLine = BillLine &
  Readonly<{
    /** What a crawl of the file calls the line; null where none can read the file. */
    reference: string | null
    /** The unit as the matcher reads it: "ml" is a running metre in a BC3 file. */
    matchedUnit: string | null
  }>

export type BillFile = Omit<Bill, 'rows'> &
  Readonly<{
    lines: readonly FileLine[]
    /** Sections and sums, each with the number of lines before it. */
    others: readonly ((BillSection | BillSum) & Readonly<{ linesBefore: number }>)[]
  }>

/** Why a file is no bill that can be priced. */
export type BillProblem = 'not_a_bill' | 'no_lines' | 'too_many_lines' | 'altered' | 'bad_choice'

export class BadBill extends Error {
  override name = 'BadBill'
  readonly problem: BillProblem
  constructor(message: string, { problem, cause }: { problem: BillProblem; cause?: unknown }) {
    super(message, { cause })
    this.problem = problem
  }
}

const BC3_UNITS = { lang: 'es', format: 'bc3' } as const

/** Reads a bill by its content. Throws {@link BadBill} for a file that is none, or one without 1 to `linesMax` lines. */
export async function readBillFile(
  { name, bytes }: Readonly<{ name: string; bytes: Uint8Array }>,
  { linesMax, ...options }: BillOptions & { linesMax: number },
): Promise<BillFile> {
  const { rows, ...bill } = await readBill(bytesSource(name, bytes), options).catch((error: Error) => {
    throw new BadBill(error.message, { problem: 'not_a_bill', cause: error })
  })
  const lines: FileLine[] = []
  const others: BillFile['others'][number][] = []
  for (const row of rows) {
    if (row.kind === 'line')
      lines.push(bill.format === 'bc3' ? workLine(row) : { ...row, reference: null, matchedUnit: row.unit })
    else others.push({ ...row, linesBefore: lines.length })
  }
  if (lines.length > linesMax)
    throw new BadBill(`'${name}' has ${lines.length} lines: expected at most ${linesMax}`, {
      problem: 'too_many_lines',
    })
  if (lines.length === 0)
    throw new BadBill(`'${name}': expected a row of headings with a description, and lines below it; found no line`, {
      problem: 'no_lines',
    })
  return { ...bill, lines, others }
}

/** The lines of a measured work in the file of this name. */
export const linesOfWork = (book: PriceBook, measured: readonly MeasuredLine[], name: string): FileLine[] =>
  workLines(book, measured, name).map((line) => ({
    ...workLine(line),
    reference: referenceOf(book, line.code as string),
  }))

const workLine = (line: BillLine): FileLine => ({
  ...line,
  reference: line.code,
  matchedUnit: bc3Unit(line.unit ?? ''),
})

/** The unit as the matcher reads it: "ml" is a running metre in a BC3 file. */
export const bc3Unit = (unit: string) => parseUnit(unit, BC3_UNITS)?.symbol ?? (unit || null)
