import type { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { dayNumberOf, dayText } from '@catalog/sample-market/calendar.ts'
import { priceBookText } from './bc3-list.ts'
import {
  breaksPrice,
  isCurrencyChanged,
  isPriceErrorDay,
  isVanished,
  NO_PRICE,
  otherCurrency,
  TIERS,
} from './defects.ts'
import { languageOf } from './goods.ts'
import { perEuro } from './price-levels.ts'
import { decimalText, PRICE_PARTS, roundedPrice, walk } from './price-walk.ts'
import type { Sample } from './sample.ts'
import { hashOf } from './seeded-random.ts'
import { type ColumnKey, DATE_ORDER, homeOf, type SampleSku, type SampleVendor, type Vendor } from './vendors.ts'
import { windows1252 } from './windows-1252.ts'

/**
 * The price list of a vendor on a day, and the mapping that reads it. Prices are as of 00:00 UTC, so that a crawl of
 * the day sees no future price. Throws RangeError on an unknown vendor or an invalid day.
 */
export function vendorFile(
  list: Readonly<{ sample: Sample; vendor: string; day: string }>,
): Readonly<{ fileName: string; bytes: Uint8Array; mapping: Mapping }> {
  const vendor = list.sample.vendors.find(({ key }) => key === list.vendor)
  if (vendor === undefined)
    throw new RangeError(`vendor '${list.vendor}': expected the key of a vendor in vendors.yaml`)
  const dayNumber = dayNumberOf(list.day)
  const text = listText(vendor, dayNumber)
  return {
    fileName: `${vendor.key}-${list.day}.${vendor.file.format}`,
    bytes: vendor.file.encoding === 'utf-8' ? new TextEncoder().encode(text) : windows1252(text, vendor.key),
    mapping: mappingOf(vendor, list.day),
  }
}

function listText(vendor: SampleVendor, dayNumber: number): string {
  const { book } = vendor
  if (book !== null) return priceBookText({ ...vendor, book }, dayNumber)
  const rows = vendor.skus.flatMap((sku) => rowsOf({ vendor, sku, dayNumber }))
  return vendor.file.format === 'csv' ? csvText(vendor, rows) : jsonlText(vendor, rows)
}

/** A row of a list by column, before the vendor's format; empty cells are absent. */
type Row = Readonly<{ cells: Readonly<Partial<Record<ColumnKey, string>>>; isBroken: boolean }>

function rowsOf({ vendor, sku, dayNumber }: { vendor: SampleVendor; sku: SampleSku; dayNumber: number }): Row[] {
  const week = Math.floor(dayNumber / 7)
  const { defect } = sku
  if (defect === 'vanished_sku' && isVanished(week)) return []
  const isPriceError = defect === 'price_x100' && isPriceErrorDay(vendor.key, dayNumber)
  const currency = defect === 'currency_changed' && isCurrencyChanged(week) ? otherCurrency(vendor) : vendor.currency

  const local =
    (sku.level * walk(hashOf(vendor.key, sku.product.key, 'walk'), week) * perEuro(currency)) / perEuro(vendor.currency)
  const shown = roundedPrice(vendor.tax.included ? local * (1 + Number(vendor.tax.rate)) : local, currency)
  const { product, ref } = sku
  const row = (min: string | null, price: number): Row => ({
    isBroken: defect === 'broken_row',
    cells: {
      vendor_ref: ref,
      name: sku.name,
      unit: sku.unit,
      price: decimalText(price, currency).replace('.', vendor.file.decimal),
      currency,
      observed_at: dateText(vendor, dayNumber),
      ...(sku.pack && { pack_quantity: sku.pack.quantity.replace('.', vendor.file.decimal), pack_unit: sku.pack.unit }),
      ...(min && { min_quantity: min }),
      ...(sku.gtin && { gtin: sku.gtin }),
      ...(sku.manufacturerRef && { manufacturer_ref: sku.manufacturerRef }),
      ...(sku.cpv && { cpv: sku.cpv }),
      category_path: (product.category[languageOf(vendor.locale)] ?? product.category.en).join(LEVEL_SEPARATOR),
      url: `${homeOf(vendor)}/p/${encodeURIComponent(ref)}`,
    },
  })
  const price = isPriceError ? shown * 100 : shown
  return sku.hasTiers
    ? TIERS.map(({ from, share }) => row(from, roundedPrice((price * share) / PRICE_PARTS, currency)))
    : [row(null, price)]
}

/** The mapping file that the vendor would have written for its list. */
function mappingOf(vendor: SampleVendor, day: string): Mapping {
  const { category_path: categories, ...columns } = vendor.columns
  return {
    ...(vendor.file.format === 'csv' && { delimiter: vendor.file.delimiter, encoding: vendor.file.encoding }),
    decimal: vendor.file.decimal,
    ...(vendor.file.date !== undefined && { date_format: DATE_ORDER[vendor.file.date] }),
    columns: {
      ...columns,
      ...(categories !== undefined && { category_path: { column: categories, separator: LEVEL_SEPARATOR } }),
    },
    constants: {
      source: vendor.name,
      source_url: homeOf(vendor),
      region: vendor.region,
      trust: String(vendor.trust),
      ...(vendor.validity_days !== undefined && { validity_days: String(vendor.validity_days) }),
      kind: PRICE_KIND[vendor.kind],
      lang: languageOf(vendor.locale),
      tax_included: String(vendor.tax.included),
      ...(vendor.tax.rate !== undefined && { tax_rate: vendor.tax.rate }),
      ...(columns.currency === undefined && { currency: vendor.currency }),
      ...(columns.observed_at === undefined && { observed_at: `${day}T00:00:00Z` }),
    },
  }
}
const PRICE_KIND = { shop: 'list', bank: 'bank', bid: 'bid' } as const
const LEVEL_SEPARATOR = ' > '

function csvText(vendor: SampleVendor, rows: readonly Row[]): string {
  const { delimiter = ',' } = vendor.file
  const line = (cells: readonly string[]) =>
    cells
      .map((cell) => (/["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(delimiter)
  const keys = Object.keys(vendor.columns) as ColumnKey[]
  const lines = rows.map(({ cells, isBroken }) => {
    const texts = keys.map((key) => cells[key] ?? '')
    if (!isBroken) return line(texts)
    return line(breaksPrice(vendor) ? texts.with(keys.indexOf('price'), NO_PRICE) : [...texts, NO_PRICE])
  })
  return [line(Object.values(vendor.columns)), ...lines, ''].join('\r\n')
}

function jsonlText(vendor: SampleVendor, rows: readonly Row[]): string {
  const lines = rows.map(({ cells, isBroken }) => {
    const members = Object.entries(vendor.columns).flatMap(([key, heading]) => {
      const cell = cells[key as ColumnKey]
      if (cell === undefined) return []
      // Write numbers as they are, so that no price passes through a float.
      return [`${JSON.stringify(heading)}:${key === 'price' || key === 'pack_quantity' ? cell : JSON.stringify(cell)}`]
    })
    const line = `{${members.join(',')}}`
    return isBroken ? line.slice(0, line.length >> 1) : line
  })
  return `${lines.join('\n')}\n`
}

function dateText(vendor: Vendor, dayNumber: number): string {
  const [year = '', month = '', day = ''] = dayText(dayNumber).split('-')
  return (vendor.file.date ?? 'YYYY-MM-DD').replace('YYYY', year).replace('MM', month).replace('DD', day)
}
