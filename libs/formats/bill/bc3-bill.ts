import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { billOfQuantities, type MeasuredLine } from '@catalog/formats/bc3/price-book/bill-of-quantities.ts'
import { declaredPriceOf } from '@catalog/formats/bc3/price-book/costing.ts'
import { formatDecimal } from '@catalog/formats/bc3/price-book/decimal.ts'
import type { PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { withoutEvidence } from '@catalog/formats/bc3/price-book/priced-book.ts'
import { wholeTexts } from '@catalog/formats/bc3/price-book/whole-texts.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { type Bill, type BillLine, type BillRow, type BillSection, LINE_CHARS_MAX } from './bill.ts'
import { LONG_CHARS_MAX } from './bill-rows.ts'

/** Reads a work in BC3: chapters are sections, and measured concepts lines. Throws for a file without a measured line. */
export async function bc3Bill(source: ByteSource): Promise<Bill> {
  const { name } = source
  const log = new DiagnosticLog()
  const { entries } = await openBc3(source, { log })
  const book = await buildPriceBook(entries, log)
  const bill = billOfQuantities(book, { log })
  if (bill.lines.length === 0)
    throw new Error(`'${name}': no measured lines; expected chapters (~D) or measurements (~M)`)
  const lines = workLines(book, bill.lines, name)
  const rows: BillRow[] = []
  let open: readonly string[] = []
  for (const [at, line] of bill.lines.entries()) {
    const { position } = lines[at] as BillLine
    const codes = line.chapters.map(({ code }) => code)
    const known = codes.findIndex((code, level) => code !== open[level])
    for (const [level, { code, title }] of line.chapters.entries()) {
      if (known < 0 || level < known) continue
      rows.push({ kind: 'section', position, level: level + 1, code, text: title || code } satisfies BillSection)
    }
    open = codes
    rows.push(lines[at] as BillLine)
  }
  const declared = book.root && declaredPriceOf(book.root, 0)
  const total = declared && formatDecimal(declared, Math.min(declared.places, 2))
  return {
    name,
    format: 'bc3',
    title: bill.title || null,
    currency: bill.currency || null,
    rows,
    total,
    notes: total === null ? [] : notesOf(book, { total, lines: bill.lines }),
  }
}

/** The lines of a measured work in the file of this name. */
export function workLines(book: PriceBook, measured: readonly MeasuredLine[], name: string): BillLine[] {
  const textsOf = wholeTexts(book)
  return measured.map((line) => lineOf(line, { book, name, ...textsOf(line) }))
}

function lineOf(
  { path, code, text: summary, unit, quantity, price, amount }: MeasuredLine,
  { name, book, text, isCut }: { name: string; book: PriceBook; text: string; isCut: boolean },
): BillLine {
  const concept = book.concepts.get(code)
  const long = withoutEvidence(concept?.text ?? '').trim()
  const isMissing = concept === undefined && summary === ''
  return {
    kind: 'line',
    position: `${name} ${path.join('.')}`,
    code,
    text: (text || code).slice(0, LINE_CHARS_MAX),
    longText: long === '' || long === text ? null : long.slice(0, LONG_CHARS_MAX),
    unit: unit || null,
    quantity,
    price,
    amount,
    region: null,
    counts: 'yes',
    problem: isMissing ? `the file names ${code} and does not describe it: expected a record ~C` : null,
    ...(isCut && { isCut }),
  }
}

/** Why the stated total is not the sum of the lines: indirect cost that comes on top, or prices newer than the total. */
function notesOf(
  { coefficients, root, concepts }: PriceBook,
  { total, lines }: { total: string; lines: readonly MeasuredLine[] },
): string[] {
  const sum = lines.reduce((cents, { amount }) => cents + Math.round(Number(amount ?? 0) * 100), 0) / 100
  // Each line may be rounded by a cent.
  if (Math.abs(sum - Number(total)) <= lines.length / 100) return []
  const told = `the file states ${total}, its lines add up to ${sum.toFixed(2)}`
  const percent = coefficients?.indirect ?? '0'
  if (Number(percent) !== 0 && Math.abs(sum * (1 + Number(percent) / 100) - Number(total)) <= lines.length / 10)
    return [`${told}: ${percent} % of indirect cost comes on top (~K)`]
  const [dated, newest] = [
    newestOf(root?.dates ?? []),
    newestOf(lines.flatMap(({ code }) => concepts.get(code)?.dates ?? [])),
  ]
  return [dated !== '' && dated < newest ? `${told}: the total is of ${dated}, prices are of ${newest}` : told]
}

const newestOf = (dates: readonly string[]) => dates.toSorted().at(-1) ?? ''
