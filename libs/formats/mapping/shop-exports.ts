import { readDataFile } from '@catalog/core/data-file.ts'
import type { RawRecord, ReadRecord } from '@catalog/formats/bytes/record.ts'
import { RecordRefused } from './candidate.ts'
import { isWithin, periodOf } from './dates.ts'
import type { Columns, MappingKey } from './mapping-keys.ts'

/**
 * The exports of shop systems, recognised by their headings. Their headings mislead a guess: `Vendor` is the brand,
 * `updated_at` the date of the row, and a variant has the title of the product above it.
 */

export type ShopSystem = 'shopify' | 'woocommerce' | 'magento' | 'prestashop' | 'google'

type Fields = Readonly<Record<string, string>>

/** An entry of shop-exports.yaml. */
type ShopExport = Readonly<{
  system: ShopSystem
  headings: readonly string[]
  columns: Readonly<Partial<Record<MappingKey, Columns>>>
  constants?: Readonly<Partial<Record<MappingKey, string>>>
  status?: Readonly<{ column: string; off: string }>
}>

/** The option of a product without variants. */
const NO_OPTION = 'Default Title'
const SHOPIFY_OPTIONS = ['Option1 Value', 'Option2 Value', 'Option3 Value']

const EXPORTS = Object.entries(
  readDataFile(import.meta.url, 'shop-exports.yaml') as Record<ShopSystem, Omit<ShopExport, 'system'>>,
).map(([system, described]): ShopExport => ({ ...described, system: system as ShopSystem }))

/**
 * Completes a record from the one before it, as seen at an instant; null for a row that is no product. Throws
 * RecordRefused for one without a price.
 */
type Complete = (fields: Fields, before: Fields | null, at: Date | null) => Fields | null
const COMPLETE: Readonly<Partial<Record<ShopSystem, Complete>>> = {
  shopify(fields, before) {
    // A row of an image alone continues the product and sells nothing.
    if (!fields['Variant SKU'] && !fields['Variant Price']) return null
    const isVariant = before !== null && !fields.Title && fields.Handle !== '' && fields.Handle === before.Handle
    const inherited = isVariant
      ? { Title: before.Title, 'Product Category': before['Product Category'], Status: before.Status }
      : {}
    const options = SHOPIFY_OPTIONS.filter((option) => fields[option] === NO_OPTION).map((option) => [option, ''])
    return {
      ...fields,
      ...Object.fromEntries(Object.entries(inherited).map(([heading, text]) => [heading, text ?? ''])),
      ...Object.fromEntries(options),
      // A shop may sell without SKUs: then product and options name the variant.
      ...(!fields['Variant SKU'] && {
        'Variant SKU': [fields.Handle, ...SHOPIFY_OPTIONS.map((option) => fields[option])].filter(Boolean).join('|'),
      }),
      // Shopify writes an apostrophe before a barcode, so that spreadsheets keep its zeros.
      ...(fields['Variant Barcode'] && { 'Variant Barcode': fields['Variant Barcode'].replace(/^'/, '') }),
    }
  },
  // A variable product has the prices of its variations; a category list begins with the first path.
  woocommerce: (fields) => (fields.Type === 'variable' ? null : firstPath(fields, 'Categories')),
  magento: (fields) => (fields.product_type === 'configurable' ? null : firstPath(fields, 'categories')),
  google: withSalePrice,
}

/**
 * The sale price in place of the price while the sale lasts, as in the feed; headings may have blanks for underscores. Throws
 * RecordRefused for unreadable dates.
 */
function withSalePrice(fields: Fields, _before: Fields | null, at: Date | null): Fields {
  const sale = (fields.sale_price ?? fields['sale price'] ?? '').trim()
  if (!/[1-9]/.test(sale)) return fields
  const dates = (fields.sale_price_effective_date ?? fields['sale price effective date'] ?? '').trim()
  const period = periodOf(dates)
  const lasts = period && isWithin(period, at)
  if (lasts === null) {
    const detail = `sale_price_effective_date '${dates.slice(0, 80)}': expected two dates of ISO 8601 with a slash between`
    throw new RecordRefused('BAD_DATE', detail)
  }
  return lasts ? { ...fields, price: sale } : fields
}

/** The export that these headings are, with the columns that they have; null for any other file. */
export function shopExportOf(headings: readonly string[]): Pick<ShopExport, 'system' | 'columns' | 'constants'> | null {
  const present = new Set(headings)
  const found = EXPORTS.find((known) => known.headings.every((heading) => present.has(heading)))
  if (found === undefined) return null
  const columns: Partial<Record<MappingKey, Columns>> = {}
  for (const [key, spec] of Object.entries(found.columns) as [MappingKey, Columns][]) {
    const kept = presentColumns(spec, present)
    if (kept !== null) columns[key] = kept
  }
  return { ...found, columns }
}

function presentColumns(spec: Columns, present: ReadonlySet<string>): Columns | null {
  if (typeof spec === 'string') return present.has(spec) ? spec : null
  if ('column' in spec) return present.has(spec.column) ? spec : null
  const kept = spec.filter((column) => present.has(column))
  return kept.length === 0 ? null : kept
}

/**
 * Completes the records of an export in their order, as seen at an instant: a variant gets the title of its product, rows
 * that sell nothing become null, and products that are not on sale broken (NOT_A_SALE). Without a shop system every record
 * stays as it is.
 */
export function recordCompleter(system: ShopSystem | null, at: Date | null): (record: RawRecord) => ReadRecord | null {
  const known = EXPORTS.find((one) => one.system === system)
  if (known === undefined) return (record) => record
  const { system: name, status, columns } = known
  const complete = COMPLETE[name] ?? ((fields) => fields)
  const off = status && new RegExp(status.off, 'i')
  let before: Fields | null = null
  return (record) => {
    try {
      const written: Record<string, string> = Object.create(null)
      for (const column in record.fields) written[column] = record.fields[column] as string
      const fields = complete(written, before, at)
      if (fields === null) return null
      before = fields
      const sold = (fields[status?.column ?? ''] ?? '').trim()
      if (status === undefined || off?.test(sold) !== true) return { ...record, fields }
      const detail = `${status.column} '${sold}': expected a product that the shop sells`
      throw new RecordRefused('NOT_A_SALE', detail)
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error
      const { position, raw, fields } = record
      const vendorRef = typeof columns.vendor_ref === 'string' ? (fields[columns.vendor_ref] ?? '') : ''
      return { position, raw, reason: error.reason, detail: error.message, vendorRef }
    }
  }
}

/** "A > B, C > D" → "A > B". */
function firstPath(fields: Fields, column: string): Fields {
  const [path = ''] = (fields[column] ?? '').split(',')
  return { ...fields, [column]: path }
}
