import { Decimal } from '@catalog/core/events/fields.ts'
import { SourceKind } from '@catalog/core/events/sources.ts'
import { z } from 'zod'
import { Key, Locale, type Product, Region, Text, Unit } from './goods.ts'
import { PER_EURO } from './price-levels.ts'

/** A vendor with its SKUs. `book` has the recipes of a vendor that delivers a price book, and is null for others. */
export type SampleVendor = Vendor & Readonly<{ skus: readonly SampleSku[]; book: SampleBook | null }>

/** The structure of a price book; codes are those of the vendor's SKUs. */
export type SampleBook = Readonly<{
  title: string
  chapters: readonly Readonly<{ code: string; name: string; works: readonly string[] }>[]
  /** Shares of the lines above, as the last lines of each work, in this order. */
  percentages: readonly BookPercentage[]
  /** By code; every other SKU of the vendor is a resource with a price of its own. */
  recipes: ReadonlyMap<string, SampleRecipe>
}>

export type SampleRecipe = Readonly<{
  /** A site mix has no percentages. */
  isWork: boolean
  text: string | null
  /** Quantities for one unit, as plain decimals. */
  lines: readonly Readonly<{ code: string; quantity: string }>[]
}>

/** `code` begins with the mask: the first characters of the codes whose lines count, all without one. 0.02 is 2 %. */
export type BookPercentage = Readonly<{ code: string; name: string; rate: number }>

/** One line of a vendor's price list, the same every day. */
export type SampleSku = Readonly<{
  product: Product
  /** The vendor's own code. */
  ref: string
  name: string
  /** In the vendor's spelling, with the contents where the vendor writes them: "ud", "94 lb bag". */
  unit: string
  pack: { readonly quantity: string; readonly unit: string } | null
  gtin: string | null
  manufacturerRef: string | null
  cpv: string | null
  /** Net price of one sold unit in the vendor's currency; daily prices move around it. */
  level: number
  hasTiers: boolean
  defect: DefectKind | null
}>

export const DEFECT_KINDS = [
  /** No table knows the unit: it stays a text, and its prices do not convert. */
  'unknown_unit',
  /** The row is unreadable: a surplus field, an invalid price, or half a line of JSON. */
  'broken_row',
  /** The price is 100 times too high on one of seven consecutive crawls. */
  'price_x100',
  /** The price is in another currency for six weeks of twelve. */
  'currency_changed',
  /** The SKU is missing from the list for five weeks of thirteen. */
  'vanished_sku',
  /** Two goods have the same code. */
  'two_goods_one_code',
] as const
export type DefectKind = (typeof DEFECT_KINDS)[number]

export function homeOf(vendor: Vendor): string {
  return `https://www.${vendor.key}.example`
}

export const DATE_ORDER = {
  'DD/MM/YYYY': 'dmy',
  'DD-MM-YYYY': 'dmy',
  'DD.MM.YYYY': 'dmy',
  'MM/DD/YYYY': 'mdy',
  'YYYY-MM-DD': 'ymd',
} as const

/** The possible columns of a list; the mapping sets everything else for the whole list. */
const COLUMN_KEYS = [
  'vendor_ref',
  'name',
  'unit',
  'price',
  'currency',
  'min_quantity',
  'pack_quantity',
  'pack_unit',
  'observed_at',
  'category_path',
  'gtin',
  'manufacturer_ref',
  'cpv',
  'url',
] as const
export type ColumnKey = (typeof COLUMN_KEYS)[number]

const VendorEntry = z.strictObject({
  key: Key,
  name: Text,
  region: Region,
  locale: Locale,
  currency: z.enum(Object.keys(PER_EURO)),
  kind: SourceKind,
  trust: z.int().min(0).max(100),
  /** Only where it differs from the default of the kind. */
  validity_days: z.int().min(1).optional(),
  /** Whether the prices include tax, and the known rate ("0.21"). */
  tax: z.strictObject({ included: z.boolean(), rate: Decimal.optional() }),
  /** Factor on all prices of the vendor. */
  level: z.number().min(0.5).max(2),
  /** None for a price book, whose recipes say what it prices. */
  trades: z.array(Key),
  /** Style of its codes, with `#` for a digit; in a price book, of the part after the prefix of the kind. */
  ref: z.string().regex(/^[^#]*(#[^#]*){4,16}$/, 'expected 4 to 16 times #'),
  letters: z.enum(['written', 'upper']),
  file: z.strictObject({
    format: z.enum(['csv', 'jsonl', 'bc3']),
    delimiter: z.enum([',', ';']).optional(),
    decimal: z.enum([',', '.']),
    encoding: z.enum(['utf-8', 'windows-1252']),
    /** Format of the date column; without one, the list bears the day of its publication. */
    date: z.enum(Object.keys(DATE_ORDER) as (keyof typeof DATE_ORDER)[]).optional(),
  }),
  /** Headings, in column order. */
  columns: z.partialRecord(z.enum(COLUMN_KEYS), Text),
  /** Number of goods with quantity prices. */
  tiers: z.int().min(0).default(0),
  defects: z.array(z.enum(DEFECT_KINDS)),
})
export type Vendor = Readonly<z.infer<typeof VendorEntry>>

export const VendorsFile = z.strictObject({
  /** Locale or language → unit → the vendors' spellings. */
  units: z.record(Locale, z.partialRecord(Unit, z.array(Text).min(1))),
  vendors: z.array(VendorEntry).min(1),
  /** Trade → CPV code, for lists with that column. */
  cpv: z.record(Key, z.string().regex(/^\d{8}(-\d)?$/, 'expected 8 digits')),
})
export type VendorsFile = z.infer<typeof VendorsFile>
