import { csvLine } from '@catalog/formats/tables/csv-line.ts'
import { candidatesOf, type MatchedLine } from './matched-line.ts'

const CSV_COLUMNS = [
  'line',
  'text',
  'quantity',
  'unit',
  'status',
  'reason',
  'item_id',
  'item',
  'item_unit',
  'score',
  'price_cents',
  'unit_price',
  'cost_cents',
  'currency',
  'alternatives',
  'decided_by',
  'region',
]

/** The answers as CSV, which `--corrections` reads again. */
export function matchedCsv(lines: readonly MatchedLine[]): string {
  const rows = lines.map((line) => {
    const { position, text, quantity, unit, status, reason, cost, alternatives } = line
    const item = status === 'matched' ? line.item : null
    const others = item === null ? candidatesOf(line) : alternatives.map((other) => other.item)
    return [
      position,
      text,
      quantity,
      unit,
      status,
      reason,
      item?.id,
      item?.name,
      item?.unit,
      item?.score,
      item?.median_price?.cents,
      line.unit_price?.amount,
      cost?.cents,
      cost?.currency ?? item?.median_price?.currency,
      others.map(({ id }) => id).join(' '),
      line.decided_by,
      line.region,
    ]
  })
  return [CSV_COLUMNS, ...rows].map(csvLine).join('')
}
