import { EXPORT_COLUMNS, type ExportEnd } from '@catalog/api/contract/contract.ts'
import { categoryPathFor } from '@catalog/api/items/item-category.ts'
import type { Shown } from '@catalog/api/items/item-json.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import { exponentOf, plainDecimal } from '@catalog/core/money/money.ts'
import { type CsvCell, csvLine } from '@catalog/formats/tables/csv-line.ts'

/** How an export writes items. */
export type ExportFormat = Readonly<{
  type: string
  file: string
  /** Before the first item. */
  head: string
  /** One item, from its JSON in a list. */
  row: (json: string, shown: Shown) => string
  /** After the last item; null: the format has no place for it, so that an early end must break the answer. */
  tail: ((end: ExportEnd) => string) | null
}>

export const CSV: ExportFormat = {
  type: 'text/csv; charset=utf-8; header=present',
  file: 'items.csv',
  head: csvLine(Object.keys(EXPORT_COLUMNS)),
  row: (json, shown) => {
    const cells = cellsOf(JSON.parse(json) as PublicItem, shown)
    return csvLine(Object.keys(EXPORT_COLUMNS).map((name) => cells[name as keyof typeof EXPORT_COLUMNS]))
  },
  tail: null,
}

export const NDJSON: ExportFormat = {
  type: 'application/x-ndjson',
  file: 'items.ndjson',
  head: '',
  row: (json) => `${json}\n`,
  tail: (end) => `${JSON.stringify({ export: end })}\n`,
}

function cellsOf(item: PublicItem, shown: Shown): Readonly<Record<keyof typeof EXPORT_COLUMNS, CsvCell>> {
  const { median_price: median } = item
  return {
    id: item.id,
    name: item.name,
    unit: item.unit,
    category_id: item.category_id,
    category: categoryPathFor(item.category_id, shown)?.join(' > '),
    cpv: item.cpv,
    median_price: median && decimalOf(median),
    currency: median?.currency,
    median_cents: median?.cents,
    median_recorded_at: median?.recorded_at,
    price_region: shown.priceRegion ?? 'headline',
    vendor_count: item.vendor_count,
    observation_count: item.observation_count,
    updated_at: item.updated_at,
  }
}

/** "4.85": major units with all decimals of the currency; null for a currency whose decimals nobody knows. */
function decimalOf({ cents, currency }: { cents: number; currency: string }): CsvCell {
  const exponent = exponentOf(currency)
  if (exponent === null) return null
  const amount = plainDecimal(cents, exponent)
  // A negative amount is a number: as a text it would look like a formula.
  return cents < 0 ? Number(amount) : amount
}
