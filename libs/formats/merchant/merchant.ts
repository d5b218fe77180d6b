import { exponentOf, parsePrice, priceWithoutDecimals } from '@catalog/core/money/money.ts'
import { foldText } from '@catalog/core/text.ts'
import type { Encoding, EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import {
  type BrokenRecord,
  type ByteSource,
  definedRecord,
  type ReadRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { isWithin, parseDate, periodOf } from '@catalog/formats/mapping/dates.ts'
import type { RecordFields } from '@catalog/formats/mapping/mapping-keys.ts'
import { brandedPartNumber } from '@catalog/formats/mapping/text-checks.ts'
import { localName, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'
import type { XmlRecord } from '@catalog/formats/xml/record-cutter.ts'
import { brokenRecord, xmlRecords } from '@catalog/formats/xml/records.ts'
import {
  type ComparedCategories,
  comparedProducts,
  isComparedCategory,
  isComparedRecord,
  keepCategory,
} from './comparison-feeds.ts'

/**
 * Reads product feeds of shops: for Google Merchant Center in RSS 2.0 or Atom, with the fields of its specification, and
 * for price comparisons in the XML of each.
 */

export type MerchantOptions = Readonly<{
  name: string
  encoding?: Encoding | undefined
  /** Currency of prices without one. */
  currency?: string | undefined
  /** Decimal mark, when the operator overrides the specification. */
  decimal?: ',' | '.' | undefined
  /** When the feed was seen: its offers hold then, whenever it was generated. Defaults to the feed's own date. */
  observedAt?: string | undefined
  /** Country of the feed, ISO 3166; defaults to the only country that the item ships to. */
  region?: string | undefined
  onEncoding?: ((report: EncodingReport) => void) | undefined
}>

/**
 * Reads one record for each `<item>` or `<entry>` of a merchant feed. Fields may have any prefix or none. A field of
 * RSS or Atom (title, link, summary, id) replaces a missing one of Google's. Each variant of an item group is a SKU of
 * its own, so its name adds size, colour, material and pattern unless the title holds them.
 *
 * - The price is for one product as sold, so the unit stays blank. `unit_pricing_measure` is the contents of the
 *   product (pack). Without it, `multipack` is the number of pieces; with it, the measure includes them already.
 *   `unit_pricing_base_measure` only concerns how the shop shows the price.
 * - `sale_price` holds during `sale_price_effective_date`, and always without that; a sale price of 0 is none.
 * - US and Canadian prices exclude tax and all others include it, by `region`, else by the one country in `shipping`
 *   and `tax`. Without exactly one country the tax stays unknown.
 * - A product out of stock keeps its price, because the page shows it.
 * - The category is the shop's own (`product_type`); `google_product_category` is a node of Google's tree.
 * - The date is the feed's (`updated`, `lastBuildDate`, `pubDate` before the first item): an item that changed a year
 *   ago still has its price today.
 *
 * Broken are:
 * - used and refurbished goods (NOT_NEW);
 * - prices with a contract, and installments outside Latin America, where the full price stands beside them
 *   (NOT_A_PRICE);
 * - a missing price (NO_PRICE), and an ambiguous decimal mark (BAD_PRICE): the specification has a point and no more
 *   decimals than the currency, so "1.234 EUR" may be either;
 * - a sale with unreadable dates, which leaves the current price open (BAD_DATE);
 * - damaged XML, with the reasons of `xmlRecords`.
 */
export async function* readMerchant(source: ByteSource, options: MerchantOptions): RecordBatches {
  const feed: Feed = { dates: new Map(), lang: '', observedAt: options.observedAt ?? '', categories: new Map() }
  const { encoding, onEncoding } = options
  for await (const batch of xmlRecords(source, { isRecord, isKept, encoding, onEncoding })) {
    const records: ReadRecord[] = []
    for (const found of batch) {
      const { number } = found
      if (found.kind === 'broken') {
        records.push(brokenRecord(found, number === 0 ? options.name : `${options.name} item ${number}`))
      } else if (found.kind === 'kept') readFeedElement(feed, found.element, options)
      else records.push(...recordsOf(found, feed, options))
    }
    if (records.length > 0) yield records
  }
}

/** Statements of the feed about all its items. */
type Feed = {
  readonly dates: Map<string, string>
  readonly categories: ComparedCategories
  lang: string
  observedAt: string
}

function isRecord(name: string, path: readonly string[]): boolean {
  return (path.length > 0 && /^(?:.*:)?(?:item|entry)$/.test(name)) || isComparedRecord(name, path)
}

function isKept(name: string, path: readonly string[]): boolean {
  if (isComparedCategory(name, path)) return true
  const isOfFeed = /^(?:.*:)?(?:channel|feed)$/.test(path.at(-1) ?? '')
  return isOfFeed && (name === 'language' || FEED_DATES.includes(localName(name)))
}

/** Elements with the date of the feed, the most reliable first. */
const FEED_DATES = ['updated', 'modified', 'lastBuildDate', 'pubDate']

function readFeedElement(feed: Feed, element: XmlElement, options: MerchantOptions): void {
  const name = localName(element.name)
  if (name === 'category') {
    keepCategory(feed.categories, element)
    return
  }
  if (name === 'language') {
    feed.lang = element.text
    return
  }
  if (options.observedAt !== undefined) return
  feed.dates.set(name, element.text)
  const written = FEED_DATES.flatMap((known) => feed.dates.get(known) ?? [])
  const made = written.map(instantOf).find((date) => date !== null)
  if (made) feed.observedAt = made.toISOString()
}

/** Parses a date of ISO 8601 (Atom) or RFC 822 (RSS); UTC without a zone. */
function instantOf(text: string): Date | null {
  const iso = parseDate(text, { order: 'ymd' })
  if (iso !== null) return iso
  const match = RFC_822.exec(text.trim())
  if (!match) return null
  const date = new Date(`${match[1]} ${match[2] ?? 'GMT'}`)
  return Number.isNaN(date.getTime()) ? null : date
}
const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2}\s+[a-z]{3}\s+\d{4}\s+\d{1,2}:\d{2}(?::\d{2})?)\s*(gmt|utc?|z|[ecmp][sd]t|[+-]\d{4})?$/i

/** The records of an item, or of a product of a price comparison with its variations. */
function recordsOf(found: XmlRecord, feed: Feed, options: MerchantOptions): readonly ReadRecord[] {
  const { element, number, raw } = found
  const products = comparedProducts(element, { categories: feed.categories, currency: options.currency })
  if (products === null) return [recordOf(found, feed, options)]
  return products.map((product, i): ReadRecord => {
    const position = `${options.name} item ${number}${products.length > 1 ? ` variation ${i + 1}` : ''}`
    if ('reason' in product) return { position, raw, ...product }
    const currency = product.currency || (options.currency ?? '')
    const values = { ...product, currency, observed_at: feed.observedAt }
    return definedRecord({ position, raw }, values)
  })
}

function recordOf({ element, number, raw }: XmlRecord, feed: Feed, options: MerchantOptions): ReadRecord {
  const position = `${options.name} item ${number}`
  const attributes = attributesOf(element)
  const text = (name: string) => attributes.get(name)?.text ?? ''
  const broken = (reason: string, detail: string): BrokenRecord => ({ position, raw, reason, detail })

  const condition = text('condition').toLowerCase()
  if (condition !== '' && !NEW.has(condition)) return broken('NOT_NEW', `condition '${cut(condition)}': expected new`)
  if (attributes.has('subscription_cost')) return broken('NOT_A_PRICE', 'the price holds with a contract only')
  const price = priceOf(text, feed.observedAt, options)
  if ('reason' in price) return broken(price.reason, price.detail)
  if (attributes.has('installment') && !PAID_BY_INSTALLMENTS.has(price.currency)) {
    return broken('NOT_A_PRICE', `installments in '${price.currency}': the price may be what is paid of it at once`)
  }
  const pack = packOf(text)
  const values: RecordFields = {
    vendor_ref: text('id'),
    name: nameOf(text),
    description: text('description') || text('summary') || text('content'),
    price: price.decimal,
    currency: price.currency,
    pack_quantity: pack.quantity,
    pack_unit: pack.unit,
    tax_included: taxIncluded(element, options.region),
    observed_at: feed.observedAt,
    category_path: text('product_type'),
    gtin: text('gtin'),
    manufacturer_ref: brandedPartNumber(text('brand'), text('mpn')),
    availability: text('availability'),
    url: text('link') || linkOf(element),
    lang: feed.lang,
  }
  return definedRecord({ position, raw }, values)
}

/** The specification wants English, but shops write their own language. */
const NEW: ReadonlySet<string> = new Set(['new', 'brand new', 'nuevo', 'nueva', 'novo', 'neuf', 'neu', 'nuovo'])
/** Currencies of countries where the specification allows installments for all goods, beside the full price. */
const PAID_BY_INSTALLMENTS: ReadonlySet<string> = new Set(['ARS', 'BRL', 'CLP', 'COP', 'MXN', 'PEN'])

type Text = (name: string) => string

/**
 * The attributes of an item by local name; the first one with a value wins. Finds Google's prefix by an element that
 * neither RSS nor Atom has; elements of other prefixes belong to other vocabularies.
 */
function attributesOf(item: XmlElement): ReadonlyMap<string, XmlElement> {
  const mark = item.children.find(({ name }) => GOOGLE_ONLY.has(localName(name)))?.name ?? ''
  const prefix = mark.slice(0, mark.length - localName(mark).length)
  const found = new Map<string, XmlElement>()
  const keep = (name: string, element: XmlElement) => {
    const hasValue = element.text !== '' || element.children.length > 0
    if (hasValue && !found.has(name)) found.set(name, element)
  }
  const isGoogles = ({ name }: XmlElement) => name.startsWith(prefix)
  for (const element of item.children) if (isGoogles(element)) keep(element.name.slice(prefix.length), element)
  for (const element of item.children) if (!isGoogles(element)) keep(element.name, element)
  return found
}
const GOOGLE_ONLY: ReadonlySet<string> = new Set(
  'price sale_price availability condition image_link gtin mpn brand product_type google_product_category item_group_id identifier_exists shipping'.split(
    ' ',
  ),
)

/** The title, and the properties of a variant that the title lacks. */
function nameOf(text: Text): string {
  const title = text('title')
  if (text('item_group_id') === '') return title
  const words = wordsOf(title)
  const missing = VARIANT_ATTRIBUTES.map(text).filter((value) => value !== '' && !words.includes(wordsOf(value)))
  return [title, ...missing].join(', ')
}
const VARIANT_ATTRIBUTES = ['size', 'color', 'material', 'pattern'] as const

/** Words between blanks, so that size M does not match "matt". */
function wordsOf(text: string): string {
  return ` ${foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

/** The address of an Atom entry: the `<link href="…"/>` to the page itself. */
function linkOf(item: XmlElement): string {
  const links = item.children.filter(({ name }) => localName(name) === 'link')
  const page = links.find(({ attributes: { href, rel = 'alternate' } }) => href !== undefined && rel === 'alternate')
  return page?.attributes.href ?? ''
}

type Amount = Readonly<{ decimal: string; currency: string }>
type NoAmount = Readonly<{ reason: string; detail: string }>

/** The price at an instant: the sale price while the sale lasts. */
function priceOf(text: Text, at: string, options: MerchantOptions): Amount | NoAmount {
  const sale = text('sale_price')
  if (sale !== '' && !IS_ZERO.test(sale)) {
    const period = text('sale_price_effective_date')
    const within = periodOf(period)
    const lasts = within && isWithin(within, instantOf(at))
    if (lasts === null) {
      const detail = `sale_price_effective_date '${cut(period)}': expected two dates of ISO 8601 with a slash between`
      return { reason: 'BAD_DATE', detail }
    }
    if (lasts) return amountOf(sale, options)
  }
  const written = text('price')
  return written === '' ? { reason: 'NO_PRICE', detail: 'the item has no price' } : amountOf(written, options)
}
const IS_ZERO = /^[^1-9]*0[^1-9]*$/

/**
 * Reads "12.34 EUR" or "EUR 12.34"; a comma counts only when it must be the decimal mark. In a currency without minor
 * unit, a mark before three digits groups thousands, and fewer digits ("12.99 CLP") may be the rest of them.
 */
function amountOf(written: string, options: MerchantOptions): Amount | NoAmount {
  const [, decimal = '', code = ''] = AS_SPECIFIED.exec(written) ?? []
  const exponent = exponentOf(code)
  if (exponent !== null && exponent !== 0 && options.decimal !== ',') return { decimal, currency: code }
  const byPoint = parsePrice(written, { decimal: options.decimal ?? '.' })
  // Three decimals are no thousands in a currency with three.
  const isSettled = options.decimal !== undefined || exponentOf(byPoint?.currency ?? options.currency ?? '') === 3
  const parsed = isSettled ? byPoint : parsePrice(written)
  const currency = (parsed ?? byPoint)?.currency ?? options.currency ?? ''
  const isWhole = options.decimal === undefined && exponentOf(currency) === 0
  const meant = isWhole
    ? (priceWithoutDecimals(written, { exact: false }) ?? priceWithoutDecimals(parsed?.decimal ?? '', { exact: true }))
    : undefined
  if (typeof meant === 'string') return { decimal: meant, currency }
  if (parsed !== null && meant === undefined) return { decimal: parsed.decimal, currency }
  const detail = `'${cut(written)}': expected one number with a decimal point, and its currency`
  return { reason: 'BAD_PRICE', detail }
}

/** The form of nearly all prices. It is unambiguous, so it skips the general parser, which takes many times as long. */
const AS_SPECIFIED = /^((?:0|[1-9]\d{0,11})\.\d\d) ([A-Z]{3})$/

function packOf(text: Text): Readonly<{ quantity: string; unit: string }> {
  const [, amount = '', unit = ''] = MEASURE.exec(text('unit_pricing_measure')) ?? []
  if (amount !== '') return { quantity: amount.replace(',', '.'), unit: COUNTS.has(unit.toLowerCase()) ? 'u' : unit }
  const pieces = text('multipack')
  return /^[1-9]\d{0,8}$/.test(pieces) && pieces !== '1' ? { quantity: pieces, unit: 'u' } : { quantity: '', unit: '' }
}
/** A comma before three digits may group thousands, so it does not match. */
const MEASURE = /^(\d{1,9}(?:\.\d{1,9}|,\d{1,2})?)\s*(\p{L}[\p{L}\d²³ ]{0,19})$/u
/** The specification's words for pieces. */
const COUNTS: ReadonlySet<string> = new Set(['ct', 'item'])

function taxIncluded(item: XmlElement, region: string | undefined): string {
  const named = region?.trim() || null
  const country = named ?? onlyCountryOf(item)
  return country === null ? '' : String(!PRICES_EXCLUDE_TAX.has(country.toUpperCase()))
}
const PRICES_EXCLUDE_TAX: ReadonlySet<string> = new Set(['US', 'CA'])

/** The only country in shipping and taxes of an item; null for none or several. */
function onlyCountryOf(item: XmlElement): string | null {
  const destinations = item.children.filter(({ name }) => /^(?:.*:)?(?:shipping|tax)$/.test(name))
  const countries = new Set(
    destinations.map((one) => textOf(one, 'country').toUpperCase()).filter((country) => country !== ''),
  )
  const [only] = countries
  return countries.size === 1 && only !== undefined ? only : null
}

/** Characters of a text in a detail. */
const DETAIL_CHARS_MAX = 80
function cut(text: string): string {
  return text.slice(0, DETAIL_CHARS_MAX)
}
