import { plainDecimal } from '@catalog/core/money/money.ts'
import type { RecordFields } from '@catalog/formats/mapping/mapping-keys.ts'
import { brandedPartNumber, isGtin } from '@catalog/formats/mapping/text-checks.ts'
import { webAddress } from '@catalog/formats/pages/page.ts'
import { describedWith, levelOf, lineOf, notSold } from '@catalog/formats/pages/product-text.ts'
import type { JsonObject } from './json-values.ts'

/** The JSON of shop systems and search services, told by its shape and never by its host. */

/** A price of one product or variant, as the answer gives it. */
export type ShopPrice = Readonly<{
  fields: RecordFields
  /** The price is a number with a decimal point, and no text for people. */
  isExact: boolean
}>
export type NoPrice = Readonly<{ reason: string; detail: string }>
/** A product that gives no price, and why. */
export type NoShopPrice = NoPrice & Readonly<{ vendorRef: string }>
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

/** The fields of a record as the answer writes them, with its brand and part number. */
export type Told = RecordFields & Readonly<{ brand?: string; mpn?: string }>

/** A record of what is told. Markup becomes text, and the brand stands before the part number or the description. */
export function priceOf(
  told: Told & Readonly<{ vendor_ref: string; price: string }>,
  { url: base }: ShopContext,
): ShopRecord {
  const { brand = '', mpn = '', ...texts } = told
  const { vendor_ref, name = '', price, description = '', url = '' } = texts
  if (price === '') return { reason: 'NO_PRICE', detail: 'the product has no price', vendorRef: vendor_ref }
  const fields = {
    ...texts,
    name: lineOf(name),
    description: describedWith(mpn === '' ? brand : '', { name, description: lineOf(description) }),
    category_path: lineOf(texts.category_path ?? ''),
    gtin: gtinOf(texts.gtin ?? ''),
    manufacturer_ref: brandedPartNumber(brand, mpn),
    url: url === '' ? '' : (webAddress(url, base) ?? ''),
  }
  return { fields, isExact: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(price) }
}

/** The levels of a category as one path. */
export function pathOf(levels: readonly string[]): string {
  return levels
    .filter((level) => level !== '')
    .map(levelOf)
    .join(' > ')
}

/** A UPC that a program read as a number has lost its leading zero; the check digit proves it. */
function gtinOf(written: string): string {
  return /^\d{11}$/.test(written) && isGtin(`0${written}`) ? `0${written}` : written
}

/** A product whose lowest price is that of some of its variants, which the answer does not hold one by one. */
export function rangeOf(from: string, to: string, hint: string): NoPrice {
  const range = to === '' ? `from ${from || '?'}` : `from ${from || '?'} to ${to}`
  return { reason: 'AGGREGATE_OFFER', detail: `${range}: the price of some variants; ${hint}`.slice(0, 300) }
}

/** What is rented, booked or subscribed to, by its kind; null for a product that is sold. */
export const notSoldAs = (kind: string, kinds: RegExp): NoPrice | null => (kinds.test(kind) ? notSold(kind) : null)

/** What the shop has taken from sale, or not yet put on it. */
export function notOffered(status: string): NoPrice {
  const detail = `status '${status.slice(0, 40)}': expected a product that the shop sells`
  return { reason: 'NOT_A_SALE', detail }
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

export const isZero = (amount: string) => /^[0.,\s]*$/.test(amount)
/** Whether two amounts differ as numbers. */
export const differ = (one: string, other: string) => one !== '' && other !== '' && Number(one) !== Number(other)
export const stock = (inStock: boolean | undefined) => (inStock === undefined ? '' : inStock ? 'InStock' : 'OutOfStock')
