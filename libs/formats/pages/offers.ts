import { parsePrice } from '@catalog/core/money/money.ts'
import { foldText } from '@catalog/core/text.ts'
import {
  BATCH_RECORDS,
  type BrokenRecord,
  type ByteSource,
  definedRecord,
  RECORD_CHARS_MAX,
  type ReadRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { parseDate } from '@catalog/formats/mapping/dates.ts'
import type { RecordFields } from '@catalog/formats/mapping/mapping-keys.ts'
import { MicrodataTooLarge } from './microdata.ts'
import { notSoldIn } from './not-sold.ts'
import { amountOf } from './offer-prices.ts'
import { breadcrumbsIn, type FoundOffer, productsIn } from './offer-products.ts'
import { PAGE_BYTES_MAX, PageTooDeep, pageBytes, pageText } from './page.ts'
import { type PageParts, partsOf } from './page-parts.ts'
import { readJsonLd, type Thing, ThingIndex } from './schema-org.ts'
import { productOfFindings, type Selected } from './selector-offer.ts'
import { type Findings, findingsOf, type Selectors, SelectorsTooSlow } from './selectors.ts'

/** Reads the offers of a shop's HTML page, as schema.org describes them in JSON-LD, microdata and RDFa. */

export type OffersOptions = Readonly<{
  /** The address of the page, which completes relative addresses. */
  url?: string | undefined
  /** The Content-Type header of the response, or its charset. */
  charset?: string | undefined
  /** When the page was fetched, ISO text: the date of its prices, which must be valid then. */
  observedAt: string
  /** Currency when the page names none. */
  currency?: string | undefined
  /** The page is known to describe a product, so a page without an offer is broken (NO_OFFER). */
  expectsOffer?: boolean | undefined
  /** Where the operator says that the page has its price and other fields: they outrank the markup. */
  selectors?: Selectors | undefined
  /** Decimal mark of the prices that selectors find, for telling equal ones. */
  decimal?: '.' | ',' | undefined
  /** Receives what the selectors find, before the first record. */
  onFindings?: ((findings: Findings) => void) | undefined
}>

/** Offers of one page; a long list of products has some hundred. */
export const PAGE_OFFERS_MAX = 1_000
/** Longest JSON-LD script. */
const SCRIPT_CHARS_MAX = RECORD_CHARS_MAX

/**
 * Reads the offers of a page, one record for each price of each product or variant. JSON-LD comes first. Microdata adds
 * products that JSON-LD lacks (by reference, GTIN, name or address). `product:price` and `og:price` meta elements count
 * when neither has an offer. Pages without offers, such as category pages, have no records and are not broken.
 *
 * The reference is the sku, else productID, else mpn, else the path of the product's address. A page about one product
 * uses its canonical address; variants that share a reference and differ in GTIN get the GTIN beside it. Besides the reasons of {@link pricesOf}, broken are:
 * - BAD_JSON_LD: an unreadable script that mentions a price;
 * - AGGREGATE_OFFER: the lowest price of several sellers or variants;
 * - NOT_A_SALE: an offer of a course, an event, a service or a lodging;
 * - AMBIGUOUS_OFFER: several prices of one reference, quantity and currency;
 * - OFFER_CONFLICT: microdata contradicts JSON-LD, which stands; or the price of meta elements differs by a factor of
 *   100 or 1000;
 * - PAGE_TOO_LONG, PAGE_TOO_DEEP, SELECTORS_TOO_SLOW, TOO_MANY_OFFERS (all end the file), and NO_OFFER with
 *   `expectsOffer`.
 *
 * With `selectors` a page has one offer at most, as {@link productOfFindings} says, and a page without the price that they name
 * has none.
 */
export async function* readOffers(source: ByteSource, options: OffersOptions): RecordBatches {
  const bytes = await pageBytes(source)
  const broken = (reason: string, detail: string, raw = ''): BrokenRecord => ({
    position: source.name,
    raw: raw.slice(0, RECORD_CHARS_MAX),
    reason,
    detail,
  })
  if (bytes === null) {
    return yield [{ ...broken('PAGE_TOO_LONG', `expected at most ${PAGE_BYTES_MAX} bytes`), endsFile: true }]
  }
  const found: ReadRecord[] = []
  let page: PageParts
  let selected: Selected | null = null
  try {
    const html = pageText(bytes, options)
    page = partsOf(html, options.url)
    const { selectors, decimal } = options
    if (selectors !== undefined) selected = { selectors, decimal, findings: findingsOf(html, selectors) }
  } catch (error) {
    const reason = error instanceof SelectorsTooSlow ? 'SELECTORS_TOO_SLOW' : 'PAGE_TOO_DEEP'
    const isTooMuch = error instanceof PageTooDeep || error instanceof MicrodataTooLarge
    if (!(isTooMuch || error instanceof SelectorsTooSlow)) throw error
    return yield [{ ...broken(reason, error.message), endsFile: true }]
  }
  if (selected !== null) options.onFindings?.(selected.findings)
  const jsonLd: Thing[] = []
  for (const [i, script] of page.scripts.entries()) {
    try {
      if (script.length > SCRIPT_CHARS_MAX) throw new SyntaxError(`expected at most ${SCRIPT_CHARS_MAX} characters`)
      jsonLd.push(...readJsonLd(script))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      // Scripts about the shop or the search box are as often broken, and hold no price. Selectors read no price of a script.
      if (selected === null && /price/i.test(script))
        found.push(broken('BAD_JSON_LD', `script ${i + 1}: ${error.message}`, script))
    }
  }
  const offers = offersOf(page, jsonLd, { ...options, selected })
  if (offers.length === 0 && found.length === 0 && options.expectsOffer === true) {
    const markup = 'expected an offer in JSON-LD, microdata, RDFa or product:price:amount'
    const price =
      selected && `the selector price '${selected.selectors.price}' finds nothing; expected the price of a product`
    found.push(broken('NO_OFFER', price ?? `${markup}; for a price in the text, selectors of the source`))
  }
  for (const [i, { raw, result }] of offers.slice(0, PAGE_OFFERS_MAX).entries()) {
    const position = `${source.name} offer ${i + 1}`
    if ('reason' in result) found.push({ ...broken(result.reason, result.detail, raw()), ...result, position })
    else {
      found.push(definedRecord({ position, raw: raw(), isExact: result.isExact }, result.fields))
    }
    if (found.length >= BATCH_RECORDS) yield found.splice(0)
  }
  if (offers.length > PAGE_OFFERS_MAX) {
    found.push({ ...broken('TOO_MANY_OFFERS', `expected at most ${PAGE_OFFERS_MAX} offers on a page`), endsFile: true })
  }
  if (found.length > 0) yield found
}

function offersOf(
  page: PageParts,
  jsonLd: readonly Thing[],
  { selected, ...options }: OffersOptions & Readonly<{ selected: Selected | null }>,
): readonly FoundOffer[] {
  const at = parseDate(options.observedAt, { order: 'ymd' }) ?? new Date(0)
  const indexes = [jsonLd, page.microdata].map((roots) => ({ roots, index: new ThingIndex(roots) }))
  const breadcrumbs = indexes.map(breadcrumbsIn).find((path) => path.length > 0) ?? []
  const read = (things: (typeof indexes)[number] | undefined) =>
    things === undefined
      ? []
      : deduplicated(
          apartByGtin(productsIn(things, { page, breadcrumbs, options, at, offersMax: PAGE_OFFERS_MAX + 1 })),
        )
  if (selected !== null) {
    const found = productOfFindings(selected, indexes)
    return found !== null && 'result' in found ? [found] : read(found ?? undefined)
  }
  const [first, second] = indexes.map(read) as [FoundOffer[], FoundOffer[]]
  const offers = [...first, ...second.flatMap((offer) => complementOf(first, offer))]
  const ofMetas = read(productOfMetas(page, { at, currency: currencyOf(offers[0]) }))
  if (offers.length === 0 && ofMetas.length === 0) return indexes.flatMap(notSoldIn)
  return offers.length > 0 ? offers.map((offer) => (offers.length === 1 ? inSameUnit(offer, ofMetas) : offer)) : ofMetas
}

/** Variants that share a reference and differ in GTIN are several goods: the GTIN joins the reference of each. */
function apartByGtin(offers: readonly FoundOffer[]): FoundOffer[] {
  const gtins = new Map<string, Set<string>>()
  for (const { result } of offers) {
    if ('reason' in result || result.fields.gtin === '') continue
    const { vendor_ref, gtin } = result.fields
    const known = gtins.get(vendor_ref) ?? new Set<string>()
    gtins.set(vendor_ref, known.add(gtin))
  }
  return offers.map((offer) => {
    const { result } = offer
    if ('reason' in result || result.fields.gtin === '') return offer
    const { vendor_ref, gtin } = result.fields
    if (vendor_ref === '' || (gtins.get(vendor_ref)?.size ?? 0) < 2) return offer
    return { ...offer, result: { ...result, fields: { ...result.fields, vendor_ref: `${vendor_ref}|${gtin}` } } }
  })
}

/** Drops repeated offers. Different prices of one reference, quantity and currency are all broken. */
function deduplicated(offers: readonly FoundOffer[]): FoundOffer[] {
  const byKey = new Map<string, FoundOffer[]>()
  for (const offer of offers) {
    const key = 'reason' in offer.result ? `${offer.result.reason}\n${offer.raw()}` : keyOf(offer.result.fields)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [offer])
    else if (!known.some((one) => amountIn(one) === amountIn(offer))) known.push(offer)
  }
  return [...byKey.values()].flatMap((same) => {
    if (same.length === 1) return same
    const prices = same.map(({ result }) => ('fields' in result ? result.fields.price : '')).slice(0, 3)
    const detail = `${same.length} prices of one reference: ${prices.join(', ').slice(0, 200)}; expected one`
    return same.map((offer) => {
      const vendorRef = 'fields' in offer.result ? offer.result.fields.vendor_ref : ''
      return { ...offer, result: { reason: 'AMBIGUOUS_OFFER', detail, vendorRef } }
    })
  })
}

function keyOf({ vendor_ref, currency, min_quantity }: RecordFields): string {
  return `${vendor_ref}\n${currency}\n${min_quantity}`
}

function amountIn({ result }: FoundOffer): string {
  return 'reason' in result ? '' : amountOf(result.fields.price, result.isExact)
}

/** The part of a microdata offer that JSON-LD lacks: the offer, nothing, or a contradiction. */
function complementOf(first: readonly FoundOffer[], offer: FoundOffer): FoundOffer[] {
  const identities = new Set(offer.identities)
  const twins = first.filter((one) => one.identities.some((identity) => identities.has(identity)))
  // One syntax may hold what the other omits.
  const priced = twins.filter(({ result }) => !('reason' in result) || !/^NO_/.test(result.reason))
  if (priced.length === 0) return 'reason' in offer.result && twins.length > 0 ? [] : [offer]
  if ('reason' in offer.result || priced.some((twin) => amountIn(twin) === amountIn(offer))) return []
  const detail = `microdata has the price ${offer.result.fields.price.slice(0, 80)}, JSON-LD has it otherwise`
  return [{ ...offer, result: { reason: 'OFFER_CONFLICT', detail } }]
}

/** The only offer of a page, broken when meta elements have its price in another unit: one of both is in cents. */
function inSameUnit(offer: FoundOffer, ofMetas: readonly FoundOffer[]): FoundOffer {
  const [mine, theirs] = [unambiguousAmount(offer), unambiguousAmount(ofMetas[0])]
  const ratio = Math.max(mine / theirs, theirs / mine)
  if ('reason' in offer.result || !UNIT_RATIOS.has(Math.round(ratio * 1e6) / 1e6)) return offer
  const detail = `meta elements have the price ${theirs}, the offer has ${mine}: one of them is in another unit of money`
  return { ...offer, result: { reason: 'OFFER_CONFLICT', detail } }
}
/** The amount; NaN without a price or with an ambiguous decimal mark. */
function unambiguousAmount(offer: FoundOffer | undefined): number {
  if (offer === undefined || 'reason' in offer.result) return Number.NaN
  const { isExact, fields } = offer.result
  return isExact || parsePrice(fields.price) !== null ? Number(amountIn(offer)) : Number.NaN
}
/** Ratios between a price in major and minor units, or with a lost decimal mark. */
const UNIT_RATIOS: ReadonlySet<number> = new Set([100, 1000])

/** The currency of an offer; none of one without a price. */
const currencyOf = (offer: FoundOffer | undefined): string[] =>
  offer === undefined || 'reason' in offer.result ? [] : [offer.result.fields.currency]

/**
 * The product of `product:` and `og:` meta elements in terms of schema.org; undefined without a price. Without a currency it
 * has the one of the page's offer, with which it is compared.
 */
function productOfMetas({ metas }: PageParts, offered: Readonly<{ at: Date; currency: readonly string[] }>) {
  const { at } = offered
  const all = (...names: readonly string[]) => {
    for (const prefix of ['product', 'og']) {
      const found = names.flatMap((name) => metas.get(`${prefix}:${name}`) ?? [])
      if (found.length > 0) return found
    }
    return []
  }
  const [start, end] = ['start', 'end'].map((edge) =>
    parseDate(all(`sale_price_dates:${edge}`)[0] ?? '', { order: 'ymd' }),
  )
  const isSale = !(start && start > at) && !(end && end < at)
  const sale = isSale ? all('sale_price:amount') : []
  const price = sale.length > 0 ? sale : all('price:amount')
  if (price.length === 0) return undefined
  const thing = (type: string, properties: Thing['properties']): Thing => ({
    types: [type],
    id: null,
    properties: Object.assign(Object.create(null), properties),
  })
  const named = all(sale.length > 0 ? 'sale_price:currency' : 'price:currency')
  const currency = named.length > 0 ? named : offered.currency
  const condition = (metas.get('product:condition') ?? []).map((word) => META_CONDITIONS.get(foldText(word)) ?? word)
  const availability = all('availability')
  const offer = thing('Offer', { price, priceCurrency: currency, itemCondition: condition, availability })
  const root = thing('Product', {
    name: metas.get('og:title') ?? [],
    description: metas.get('og:description') ?? [],
    sku: all('retailer_item_id'),
    mpn: all('mfr_part_no'),
    gtin: all('gtin', 'ean', 'upc'),
    brand: all('brand'),
    category: all('category'),
    url: metas.get('og:url') ?? [],
    offers: [offer],
  })
  const roots = [root]
  return { roots, index: new ThingIndex(roots) }
}
const META_CONDITIONS: ReadonlyMap<string, string> = new Map([
  ['used', 'UsedCondition'],
  ['refurbished', 'RefurbishedCondition'],
])
