import { exponentOf } from '@catalog/core/money/money.ts'
import type { BillSheet } from '@catalog/formats/bill/bill.ts'
import { addColumns, columnLetter, type SheetColumns } from '@catalog/formats/xlsx/add-columns.ts'
import type { NewCell } from '@catalog/formats/xlsx/sheet-cells.ts'
import { type EvidencedLine, evidenceSheet } from './bill-evidence.ts'
import { CANDIDATES_SHOWN, candidatesOf } from './priced-bill.ts'

/** The added columns, with their widths in characters; `item_id` is the heading that `--corrections` looks for. */
const COLUMNS = [
  ['Match', 22],
  ['item_id', 28],
  ['Catalog item', 50],
  ['Item unit', 10],
  ['Item units per unit', 10],
  ['Unit price', 12],
  ['Cost', 14],
  ['Currency', 9],
  ['Price seen', 16],
  ['Link', 60],
  ...Array.from({ length: CANDIDATES_SHOWN }, (_, i) => [`Candidate ${i + 1}`, 40] as const),
] as const
const at = (heading: string) => COLUMNS.findIndex(([name]) => name === heading)
const [PRICE, COST] = [at('Unit price'), at('Cost')]

/**
 * The list as it came, with the answers in further columns of each sheet with lines, and their evidence in a sheet: what stands
 * keeps its formulas and styles. A cost is a formula of the list's quantity, so it follows when people change the quantity or the
 * price; one currency has a sum below.
 */
export function matchedWorkbook(
  workbook: Buffer,
  { lines, sheets = [] }: { lines: readonly EvidencedLine[]; sheets?: readonly BillSheet[] | undefined },
): Promise<Buffer> {
  if (sheets.length === 0) throw new Error('expected a workbook with a heading row')
  const placed = lines.flatMap((line) => (line.cell === undefined ? [] : [{ ...line, cell: line.cell }]))
  return addColumns(
    workbook,
    sheets.map((sheet) =>
      sheetColumns(
        sheet,
        placed.filter(({ cell }) => cell.sheet === sheet.number),
      ),
    ),
    evidenceSheet(lines),
  )
}

type PlacedLine = EvidencedLine & Required<Pick<EvidencedLine, 'cell'>>

function sheetColumns({ number: sheet, headingRow }: BillSheet, lines: readonly PlacedLine[]): SheetColumns {
  const rows = new Map<number, NewCell[]>(lines.map((line) => [line.cell.row, cellsOf(line)]))
  const costs = lines.flatMap(({ cost }) => (cost ? [cost] : []))
  const [money] = costs
  if (money && costs.every(({ currency }) => currency === money.currency)) {
    const placed = [...rows.keys()]
    const [first, last] = [Math.min(...placed), Math.max(...placed)]
    const total: NewCell[] = COLUMNS.map(() => null)
    total[PRICE] = 'Total'
    total[COST] = {
      formula: (letterOf) => `SUM(${letterOf(COST)}${first}:${letterOf(COST)}${last})`,
      number: major(
        costs.reduce((sum, { cents }) => sum + cents, 0),
        money.currency,
      ),
    }
    rows.set(last + 1, total)
  }
  const [headings, widths] = [COLUMNS.map(([name]) => name), COLUMNS.map(([, width]) => width)]
  return { sheet, headingRow, headings, widths, rows }
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
