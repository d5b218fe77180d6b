import { plainDecimal } from '@catalog/core/money/money.ts'
import type { MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import { brandedPartNumber, isGtin } from '@catalog/formats/mapping/text-checks.ts'
import { webAddress } from '@catalog/formats/pages/page.ts'
import { describedWith, levelOf, lineOf, notSold as notSoldByPiece } from '@catalog/formats/pages/product-text.ts'
import type { JsonObject } from './json-values.ts'

/** The JSON of shop systems and search services, told by its shape and never by its host. */

export const SHOP_COLUMNS = [
  'vendor_ref',
  'name',
  'description',
  'unit',
  'price',
  'currency',
  'per_quantity',
  'min_quantity',
  'pack_quantity',
  'pack_unit',
  'tax_included',
  'category_path',
  'gtin',
  'manufacturer_ref',
  'availability',
  'url',
] as const satisfies readonly MappingKey[]
export type ShopFields = Readonly<Partial<Record<(typeof SHOP_COLUMNS)[number], string>>>

/** A price of one product or variant, as the answer gives it. */
export type ShopPrice = Readonly<{
  fields: ShopFields & Readonly<{ vendor_ref: string; name: string; price: string }>
  /** The price is a number with a decimal point, and no text for people. */
  isExact: boolean
}>
/** A product that gives no price, and why. */
export type NoShopPrice = Readonly<{ reason: string; detail: string; vendorRef: string }>
export type ShopRecord = ShopPrice | NoShopPrice

export type ShopContext = Readonly<{
  /** Address of the answer, which completes relative addresses. */
  url: string | undefined
  /** Currency of the operator. */
  currency: string | undefined
  /** The instant of the observation, which decides whether a sale holds; null when it is unknown. */
  at: Date | null
}>

export type ShopShape = Readonly<{
  system: string
  /** Whether an object is a product of this shape, by keys that no other shape has together. */
  isProduct: (object: JsonObject) => boolean
  /** The records of a product: one for each variant. None for an object of the list that sells nothing. */
  recordsOf: (product: JsonObject, context: ShopContext) => readonly ShopRecord[]
}>

/** What a reader knows of a record; blanks are left out. */
export type Told = Readonly<{
  ref: string
  name: string
  price: string
  currency?: string
  brand?: string
  mpn?: string
  /** Levels of the category, or one text. */
  category?: readonly string[] | string
  description?: string
  gtin?: string
  unit?: string
  perQuantity?: string
  minQuantity?: string
  packQuantity?: string
  packUnit?: string
  taxIncluded?: boolean | undefined
  availability?: string
  url?: string
}>

/** A record of what is told. Markup becomes text, and the brand stands before the part number or the description. */
export function priceOf(told: Told, { url: base }: ShopContext): ShopRecord {
  const { ref, name, price, brand = '', mpn = '', taxIncluded } = told
  if (price === '') return { reason: 'NO_PRICE', detail: 'the product has no price', vendorRef: ref }
  const path = told.category ?? ''
  const category =
    typeof path === 'string'
      ? path
      : path
          .filter((level) => level !== '')
          .map(levelOf)
          .join(' > ')
  const fields = {
    vendor_ref: ref,
    name: lineOf(name),
    price,
    currency: told.currency ?? '',
    description: describedWith(mpn === '' ? brand : '', { name, description: lineOf(told.description ?? '') }),
    category_path: lineOf(category),
    gtin: gtinOf(told.gtin ?? ''),
    manufacturer_ref: brandedPartNumber(brand, mpn),
    unit: told.unit ?? '',
    per_quantity: told.perQuantity ?? '',
    min_quantity: told.minQuantity ?? '',
    pack_quantity: told.packQuantity ?? '',
    pack_unit: told.packUnit ?? '',
    tax_included: taxIncluded === undefined ? '' : String(taxIncluded),
    availability: told.availability ?? '',
    url: (told.url ?? '') === '' ? '' : (webAddress(told.url ?? '', base) ?? ''),
  }
  return { fields, isExact: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(price) }
}

/** A UPC that a program read as a number has lost its leading zero; the check digit proves it. */
function gtinOf(written: string): string {
  return /^\d{11}$/.test(written) && isGtin(`0${written}`) ? `0${written}` : written
}

/** A product whose lowest price is that of some of its variants, which the answer does not hold one by one. */
export function rangeOf(ref: string, from: string, to: string, hint: string): NoShopPrice {
  const range = to === '' ? `from ${from || '?'}` : `from ${from || '?'} to ${to}`
  return {
    reason: 'AGGREGATE_OFFER',
    detail: `${range}: the price of some variants; ${hint}`.slice(0, 300),
    vendorRef: ref,
  }
}

/** What is rented, booked or subscribed to. */
export function notSold(ref: string, kind: string): NoShopPrice {
  return { ...notSoldByPiece(kind), vendorRef: ref }
}

/** What the shop has taken from sale, or not yet put on it. */
export function notOffered(ref: string, status: string): NoShopPrice {
  const detail = `status '${status.slice(0, 40)}': expected a product that the shop sells`
  return { reason: 'NOT_A_SALE', detail, vendorRef: ref }
}

/** Hundredths as a decimal, whatever the currency: "1990" is "19.90". Any other text comes back unchanged. */
export const hundredths = (digits: string): string => ofMinorUnits(digits, 2)

/** Minor units as a decimal. Any text but a whole number comes back unchanged. */
export function ofMinorUnits(digits: string, places: number): string {
  return /^\d{1,15}$/.test(digits) ? plainDecimal(Number(digits), places) : digits
}

/** The name with those of its options that it lacks. */
export function namedWith(name: string, options: readonly string[]): string {
  const words = wordsOf(name)
  const missing = [...new Set(options)].filter((option) => option !== '' && !words.includes(wordsOf(option)))
  return [name, ...missing].join(' ')
}

function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

/** References of variants, each once: a reference that several variants share gets the variant's id beside it. */
export function uniqueRefs(variants: readonly Readonly<{ sku: string; id: string }>[]): readonly string[] {
  const times = new Map<string, number>()
  for (const { sku } of variants) times.set(sku, (times.get(sku) ?? 0) + 1)
  return variants.map(({ sku, id }) => {
    if (sku === '') return id
    return (times.get(sku) ?? 0) > 1 && id !== '' ? `${sku}|${id}` : sku
  })
}

/** The number of a global id: "gid://shopify/Product/12" is "12". */
export function idOf(text: string): string {
  return /^gid:\/\/.*\/(\d+)(\?.*)?$/.exec(text)?.[1] ?? text
}

export const isZero = (amount: string) => /^[0.,\s]*$/.test(amount)
/** Whether two amounts differ as numbers. */
export const differ = (one: string, other: string) => one !== '' && other !== '' && Number(one) !== Number(other)
export const stock = (inStock: boolean | undefined) => (inStock === undefined ? '' : inStock ? 'InStock' : 'OutOfStock')
