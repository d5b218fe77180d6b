import { buffer } from 'node:stream/consumers'
import { chapterLine, conceptEntries, headEntries, labelOf, NO_PRICE } from '@catalog/api/price-books/bc3-export.ts'
import { parseDecimal } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'
import { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { pricedBook, textWith } from '@catalog/formats/bc3/price-book/priced-book.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import { type ByteSource, bytesSource } from '@catalog/formats/bytes/record.ts'
import { type CsvCell, csvLine, csvTable } from '@catalog/formats/tables/csv-line.ts'
import { newWorkbook } from '@catalog/formats/xlsx/new-workbook.ts'
import { type EvidencedLine, evidenceText, votesText } from './bill-evidence.ts'
import type { BillFormat } from './bill-file.ts'
import { matchedWorkbook } from './matched-workbook.ts'
import { basisOf } from './price-bill.ts'
import {
  additionsTo,
  billTotals,
  candidatesOf,
  type Markups,
  type MatchedLine,
  type PricedBill,
} from './priced-bill.ts'

/** A bill that is priced, whoever read it. */
export type BillToWrite = Pick<PricedBill, 'name' | 'format' | 'pricedAt' | 'sheets'> &
  Readonly<{ lines: readonly EvidencedLine[]; region: string | null; markups?: Markups }>

/**
 * A priced bill as a file. A workbook or a BC3 file that was uploaded is written again with the prices in it; from another
 * format a new file is made. The reader process runs this, within its bounds.
 */
export async function billDownload(
  bill: BillToWrite,
  { format, file, baseUrl }: { format: BillFormat; file: Uint8Array; baseUrl: string },
): Promise<Buffer> {
  if (format === 'csv') return Buffer.from(matchedCsv(bill.lines, bill.markups))
  if (format === 'xlsx') return workbookOf(bill, file)
  const entries =
    bill.format === 'bc3'
      ? pricedAgain(bill, { source: bytesSource(bill.name, file), log: new DiagnosticLog() })
      : newBook(bill, baseUrl)
  return buffer(await entries)
}

/** A new workbook has the headings that every reader of bills knows, and the lines from its second row on. */
async function workbookOf(bill: BillToWrite, file: Uint8Array): Promise<Buffer> {
  if (bill.format === 'xlsx') return matchedWorkbook(Buffer.from(file), bill)
  const rows = bill.lines.map(({ code, text, unit, quantity }) => [code, text, unit, quantity && Number(quantity)])
  const made = await newWorkbook({ Bill: [['Code', 'Description', 'Unit', 'Quantity'], ...rows] })
  const lines = bill.lines.map((line, i) => ({ ...line, cell: { sheet: 1, row: i + 2, quantityColumn: 3 } }))
  return matchedWorkbook(made, { ...bill, lines, sheets: [{ number: 1, headingRow: 1 }] })
}

/** The priced file again with the prices of the most frequent currency, which are those of its market; see {@link pricedBook}. */
export function pricedAgain(
  { lines, pricedAt, markups = {} }: Pick<BillToWrite, 'lines' | 'pricedAt' | 'markups'>,
  { source, log }: { source: ByteSource; log: DiagnosticLog },
) {
  // The standard has fields for overhead and profit, and none for waste.
  const { waste: _, ...added } = markups
  const currency = currencyOf(lines)
  const presentPrices = new Map(
    lines.flatMap((line) => {
      const price = priceIn(line, currency)
      return line.code === null || price === null
        ? []
        : [[line.code, { price, evidence: evidenceText(line.votes) }] as const]
    }),
  )
  return pricedBook(source, { presentPrices, date: pricedAt.slice(0, 10), log, added })
}

/** A book of one chapter: a concept for each line, and its quantity as the yield. */
function newBook(bill: BillToWrite, baseUrl: string): AsyncGenerator<Uint8Array, void, undefined> {
  const date = bill.pricedAt.slice(0, 10)
  const currency = currencyOf(bill.lines)
  const label = labelOf({ region: bill.region, currency: currency ?? 'EUR' })
  const { waste: _, ...added } = bill.markups ?? {}
  const [version, coefficients] = headEntries({ labels: [label], date, baseUrl })
  const codes = bill.lines.map((_, i) => `L${String(i + 1).padStart(4, '0')}`)
  const entries: Bc3Entry[] = [
    version,
    { ...coefficients, ...added },
    ...conceptEntries({
      code: 'BILL',
      suffix: '##',
      unit: null,
      name: bill.name,
      lines: bill.lines.map(({ quantity }, i) => ({ ...chapterLine(codes[i] as string, ''), yield: quantity ?? '1' })),
    }),
    ...bill.lines.flatMap((line, i) => {
      const price = priceIn(line, currency)
      const prices = [price === null ? NO_PRICE : decimalText(price, { places: PRICE_PLACES, least: 2 })]
      return conceptEntries({
        code: codes[i] as string,
        unit: line.unit,
        name: line.text,
        text: textWith(line.text, evidenceText(line.votes)),
        prices,
        date,
      })
    }),
  ]
  return writeBc3([entries], { charset: 'ANSI', log: new DiagnosticLog() })
}

/** Today's price of a unit of the line, in major units; null where it has none in this currency. */
const priceIn = ({ unit_price: price }: MatchedLine, currency: string | null) =>
  price !== null && price.currency === currency ? parseDecimal(price.amount) : null

/** Decimals of a unit price: a kg costs a fraction of a tonne's cents. */
const PRICE_PLACES = 4

/** The currency of most prices; null without a price. */
function currencyOf(lines: readonly MatchedLine[]): string | null {
  const paid = lines.flatMap(({ unit_price: price }) => price?.currency ?? [])
  const [first] = [...Map.groupBy(paid, (currency) => currency)].sort(([, a], [, b]) => b.length - a.length)
  return first?.[0] ?? null
}

const itemOf = (line: MatchedLine) => (line.status === 'matched' ? line.item : null)
const othersOf = (line: MatchedLine) =>
  itemOf(line) === null ? candidatesOf(line) : line.alternatives.map(({ item }) => item)

const COLUMNS = {
  line: ({ position }) => position,
  text: ({ text }) => text,
  quantity: ({ quantity }) => quantity,
  unit: ({ unit }) => unit,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  item_id: (line) => itemOf(line)?.id,
  item: (line) => itemOf(line)?.name,
  item_unit: (line) => itemOf(line)?.unit,
  score: (line) => itemOf(line)?.score,
  price_cents: (line) => itemOf(line)?.median_price?.cents,
  unit_price: (line) => line.unit_price?.amount,
  cost_cents: ({ cost }) => cost?.cents,
  currency: (line) => line.cost?.currency ?? itemOf(line)?.median_price?.currency,
  alternatives: (line) =>
    othersOf(line)
      .map(({ id }) => id)
      .join(' '),
  decided_by: basisOf,
  region: ({ region }) => region,
  code: ({ code }) => code,
  stated_price: ({ price }) => price,
  stated_amount: ({ amount }) => amount,
  price_observed_at: (line) => line.price_observed_at,
  price_is_old: (line) => (line.price_is_old ? 'old' : null),
  recipe_share: ({ recipe }) => recipe?.covered_share,
  conversion: ({ conversion }) => conversion?.text,
  conversion_exactness: ({ conversion }) => conversion?.exactness,
  market: ({ votes }) => votes[0]?.market,
  prices_as_of: ({ votes }) => votes[0]?.prices_as_of,
  prices_by: ({ votes }) => votes[0]?.prices_by,
  run: ({ votes }) => votes[0]?.run,
  votes: ({ votes }) => votesText(votes),
  link: ({ votes }) => votes[0]?.link,
} satisfies Readonly<Record<string, (line: EvidencedLine) => CsvCell>>
const TABLE = csvTable<EvidencedLine>(COLUMNS)

/** The answers as CSV, which `--corrections` reads again, and below them what is added to their sum. */
export const matchedCsv = (lines: readonly EvidencedLine[], markups: Markups = {}): string =>
  [TABLE.head, ...lines.map(TABLE.line), ...sumRows(lines, markups)].join('')

/** Without a text, so that no reader takes a sum for a line. */
function sumRows(lines: readonly MatchedLine[], markups: Markups): string[] {
  const sums = billTotals(lines).costs.flatMap(({ cents: sum, currency }) =>
    additionsTo(sum, markups).map(({ name, percent, cents }): Readonly<Record<string, CsvCell>> => {
      return { line: name, quantity: percent, unit: percent && '%', status: 'sum', cost_cents: cents, currency }
    }),
  )
  return sums.map((cells) => csvLine(Object.keys(COLUMNS).map((name) => cells[name])))
}
