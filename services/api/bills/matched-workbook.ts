import { exponentOf } from '@catalog/core/money/money.ts'
import type { BillSheet } from '@catalog/formats/bill/bill.ts'
import { addColumns, columnLetter, type SheetColumns } from '@catalog/formats/xlsx/add-columns.ts'
import type { NewCell } from '@catalog/formats/xlsx/sheet-cells.ts'
import { type EvidencedLine, evidenceSheet } from './bill-evidence.ts'
import columns from './matched-columns.json' with { type: 'json' }
import { additionsTo, billTotals, CANDIDATES_SHOWN, candidatesOf, type Markups } from './priced-bill.ts'

/** The added columns: heading, and width in characters; `item_id` is the heading that `--corrections` looks for. */
const COLUMNS = [
  ...(columns as [string, number][]),
  ...Array.from({ length: CANDIDATES_SHOWN }, (_, i): [string, number] => [`Candidate ${i + 1}`, 40]),
]
const at = (heading: string) => COLUMNS.findIndex(([name]) => name === heading)
const [NAME, PRICE, COST] = [at('Conversion'), at('Unit price'), at('Cost')]

type Matched = Readonly<{
  lines: readonly EvidencedLine[]
  sheets?: readonly BillSheet[] | undefined
  markups?: Markups
}>

/**
 * The list as it came, with the answers in further columns of each sheet with lines, and their evidence in a sheet: what stands
 * keeps its formulas and styles. A cost is a formula of the list's quantity, so it follows when people change the quantity or the
 * price; one currency has a sum below, and what is added to it.
 */
export function matchedWorkbook(workbook: Buffer, { lines, sheets = [], markups = {} }: Matched): Promise<Buffer> {
  if (sheets.length === 0) throw new Error('expected a workbook with a heading row')
  const placed = lines.flatMap((line) => (line.cell === undefined ? [] : [{ ...line, cell: line.cell }]))
  const bySheet = Map.groupBy(placed, ({ cell }) => cell.sheet)
  return addColumns(
    workbook,
    sheets.map((sheet) => sheetColumns(sheet, bySheet.get(sheet.number) ?? [], markups)),
    evidenceSheet(lines),
  )
}

type PlacedLine = EvidencedLine & Required<Pick<EvidencedLine, 'cell'>>

function sheetColumns(
  { number: sheet, headingRow }: BillSheet,
  lines: readonly PlacedLine[],
  markups: Markups,
): SheetColumns {
  const rows = new Map<number, NewCell[]>(lines.map((line) => [line.cell.row, cellsOf(line)]))
  const [sum, ...others] = billTotals(lines).costs
  const [first, last] = [Math.min(...rows.keys()), Math.max(...rows.keys())]
  const sums = sum === undefined || others.length > 0 ? [] : sumRows(sum, { first, last, markups })
  for (const [i, cells] of sums.entries()) rows.set(last + 1 + i, cells)
  const [headings, widths] = [COLUMNS.map(([name]) => name), COLUMNS.map(([, width]) => width)]
  return { sheet, headingRow, headings, widths, rows }
}

/** The sum of the rows from `first` to `last`, and what is added to it. */
function sumRows(
  { cents, currency }: { cents: number; currency: string },
  { first, last, markups }: { first: number; last: number; markups: Markups },
): NewCell[][] {
  const rowOf = (name: string, share: NewCell, minor: number, formula: (cost: string, share: string) => string) => {
    const cost = (letterOf: (added: number) => string) => formula(letterOf(COST), letterOf(PRICE))
    return COLUMNS.map((_, column): NewCell => {
      if (column === COST) return { formula: cost, number: major(minor, currency) }
      return column === NAME ? name : column === PRICE ? share : null
    })
  }
  const at = last + 1
  const sumTo = (c: string, row: number) => `SUM(${c}${at}:${c}${row})`
  const added = additionsTo(cents, markups).map(({ name, percent, cents: minor }, i) => {
    if (percent === null) return rowOf(name, null, minor, (c) => sumTo(c, at + i))
    const formula = (c: string, share: string) =>
      `ROUND(${sumTo(c, at + Math.min(i, 1))}*${share}${at + 1 + i}/100,${exponentOf(currency) ?? 0})`
    return rowOf(`${name}, percent`, { number: Number(percent) }, minor, formula)
  })
  return [rowOf('Total', null, cents, (c) => `SUM(${c}${first}:${c}${last})`), ...added]
}

/** Minor units as the amount that a sheet shows; an unknown currency keeps them. */
const major = (cents: number, currency: string) => cents / 10 ** (exponentOf(currency) ?? 0)

function cellsOf(line: PlacedLine): NewCell[] {
  const { status, reason, cost, item_units: itemUnits, unit_price: price, quantity, cell } = line
  const item = status === 'matched' ? line.item : null
  const candidates = item === null ? candidatesOf(line) : []
  const { row, quantityColumn } = cell
  const quantityText = quantityColumn === null ? quantity : `${columnLetter(quantityColumn)}${row}`
  return [
    reason === null ? status : `${status}: ${reason}`,
    item?.id ?? null,
    item?.name ?? null,
    item?.unit ?? null,
    itemUnits === null ? null : { number: itemUnits },
    line.conversion && `${line.conversion.text} (${line.conversion.exactness})`,
    // Money is shown with two decimals.
    price && { number: Number(price.amount), isMoney: !/\.\d{3}/.test(price.amount) },
    cost
      ? {
          formula: (letterOf) => `ROUND(${quantityText}*${letterOf(PRICE)}${row},${exponentOf(cost.currency) ?? 0})`,
          number: major(cost.cents, cost.currency),
        }
      : null,
    price?.currency ?? null,
    line.price_observed_at && `${line.price_observed_at.slice(0, 10)}${line.price_is_old ? ', old' : ''}`,
    line.votes[0]?.link ?? null,
    ...Array.from({ length: CANDIDATES_SHOWN }, (_, i) => {
      const other = candidates[i]
      return other === undefined ? null : `${other.name} (${other.unit ?? '-'}) ${other.id}`
    }),
  ]
}
