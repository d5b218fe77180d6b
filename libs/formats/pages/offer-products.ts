import { foldText } from '@catalog/core/text.ts'
import type { RecordFields } from '@catalog/formats/mapping/mapping-keys.ts'
import { brandedPartNumber } from '@catalog/formats/mapping/text-checks.ts'
import { notSoldKind } from './not-sold.ts'
import { isPriceRange, type NoPrice, type OfferPrice, pricesOf } from './offer-prices.ts'
import { webAddress } from './page.ts'
import type { PageParts } from './page-parts.ts'
import { describedWith, levelOf, lineOf, MARKUP_CHARS_MAX, notSold } from './product-text.ts'
import {
  allThings,
  type Graph,
  isA,
  isThing,
  jsonOf,
  localName,
  NOT_FOLLOWED,
  namesOf,
  type Thing,
  type ThingIndex,
  textOf,
  textsOf,
} from './schema-org.ts'

/** Products that a page offers, and the fields of their records. */

type OfferFields = RecordFields & Omit<OfferPrice, 'isExact'> & Readonly<{ vendor_ref: string; gtin: string }>

/**
 * One price of one product, or why an offer has none. `identities` identify the product in another syntax of the page.
 */
export type FoundOffer = Readonly<{
  identities: readonly string[]
  raw: () => string
  result:
    | Readonly<{ fields: OfferFields; isExact: boolean }>
    | Readonly<{ reason: string; detail: string; vendorRef?: string }>
}>

type Breadcrumb = Readonly<{ name: string; url: string }>

export type ProductContext = Readonly<{
  page: PageParts
  breadcrumbs: readonly Breadcrumb[]
  options: Readonly<{ observedAt: string; currency?: string | undefined }>
  at: Date
  /** Limit of offers to read. */
  offersMax: number
}>

export const PRODUCTS: ReadonlySet<string> = new Set(
  'Product ProductGroup ProductModel IndividualProduct SomeProducts'.split(' '),
)
const OFFERS: ReadonlySet<string> = new Set(['Offer', 'OfferForPurchase', 'AggregateOffer'])
const AGGREGATES: ReadonlySet<string> = new Set(['AggregateOffer'])
const CATALOGS: ReadonlySet<string> = new Set(['OfferCatalog'])
const BREADCRUMB_TYPES: ReadonlySet<string> = new Set(['BreadcrumbList'])

/** A product and the group that it is a variant of. */
type Product = Readonly<{ thing: Thing; group: Thing | null }>

/** The offers of all products among these things, in order. Variants with offers replace the offers of their group. */
export function productsIn(graph: Graph, context: ProductContext): FoundOffer[] {
  const products = productsOf(graph)
  // A group and its variants are one product to a visitor of the page.
  const isOnlyProduct = new Set(products.map(({ thing, group }) => group ?? thing)).size === 1
  const offers = products.flatMap((product) => offersOf(product.thing, graph.index).map((one) => ({ product, ...one })))
  const found: FoundOffer[] = []
  const page = {
    ...context,
    index: graph.index,
    isOnlyProduct,
    haveOwnAddresses: haveOwnAddresses(offers, graph.index, context),
    descriptions: new Map<string, string>(),
    raws: new Map<Thing, string>(),
  }
  for (const { product, ...offer } of offers) {
    if (found.length >= context.offersMax) break
    found.push(...foundOf(product, offer, page))
  }
  return found.slice(0, context.offersMax)
}

/** Whether each of several offers has its own address, as shops give variants without a reference. */
function haveOwnAddresses(
  offers: readonly (Offered & Readonly<{ product: Product }>)[],
  index: ThingIndex,
  { page }: ProductContext,
): boolean {
  const paths = offers.map(({ product, offer }) => {
    const levels = [offer, ...index.thingsOf(offer, 'itemOffered'), product.thing]
    const written = levels.map((level) => textOf(level, 'url')).find((url) => url !== '') ?? ''
    return pathOf(webAddress(written, page.base))
  })
  return paths.length > 1 && !paths.includes('') && new Set(paths).size === paths.length
}

function productsOf({ roots, index }: Graph): Product[] {
  const groups = new Map<Thing, Thing>()
  const products: Thing[] = []
  for (const thing of allThings({ roots, index })) {
    for (const variant of index.thingsOf(thing, 'hasVariant')) groups.set(variant, groups.get(variant) ?? thing)
    const [group] = index.thingsOf(thing, 'isVariantOf')
    if (group !== undefined) groups.set(thing, groups.get(thing) ?? group)
    if (isA(thing, PRODUCTS)) products.push(thing)
  }
  const offered = products.filter((thing) => index.thingsOf(thing, 'offers').length > 0)
  const groupsWithOffers = new Set(offered.map((thing) => groups.get(thing)))
  const offeredAlone = rootOffers({ roots, index }).map((thing) => ({ thing, group: null }))
  const withOffers = offered.filter((thing) => !groupsWithOffers.has(thing) || groups.has(thing))
  return [...withOffers.map((thing) => ({ thing, group: groups.get(thing) ?? null })), ...offeredAlone]
}

/** Offers that no product owns, alone or in a catalogue of offers, stand for themselves and name their item. */
function rootOffers({ roots, index }: Graph): Thing[] {
  const owned = new Set([...allThings({ roots, index })].flatMap((thing) => index.thingsOf(thing, 'offers')))
  const listed = [...allThings({ roots, index })]
    .filter((thing) => isA(thing, CATALOGS))
    .flatMap((catalog) => index.thingsOf(catalog, 'itemListElement'))
  return [...new Set([...roots.map((root) => index.resolve(root)), ...listed])].filter((thing) => {
    if (!isA(thing, OFFERS) || owned.has(thing)) return false
    const [item] = index.thingsOf(thing, 'itemOffered')
    return item === undefined || isA(item, PRODUCTS)
  })
}

/** An offer with a price. An aggregate of one offer, or of one price, counts as that offer or price. */
type Offered = Readonly<{ offer: Thing; refusal: NoPrice | null; currency: string }>

function offersOf(product: Thing, index: ThingIndex): Offered[] {
  const offers = isA(product, OFFERS) ? [product] : index.thingsOf(product, 'offers')
  return offers.flatMap((offer): Offered[] => {
    const currency = textOf(offer, 'priceCurrency')
    const lowest = textOf(offer, 'lowPrice')
    const isAlone = textOf(offer, 'highPrice') === '' && textOf(offer, 'price') !== ''
    if (lowest === '' && (!isA(offer, AGGREGATES) || isAlone)) return [{ offer, refusal: null, currency }]
    const inner = index.thingsOf(offer, 'offers')
    const references = new Set(inner.map((one) => ownReference(one, index)))
    const areNamed = inner.length > 0 && references.size === inner.length && !references.has('')
    const isRange = isPriceRange(offer)
    if (areNamed || (inner.length === 1 && !isRange)) {
      return inner.map((one) => ({ offer: one, refusal: null, currency }))
    }
    if (
      lowest !== '' &&
      (isOfOnePrice(offer, inner) || (inner.length === 0 && textOf(offer, 'offerCount') === '1' && !isRange))
    ) {
      const price = offer.properties.lowPrice ?? []
      const properties = Object.assign(Object.create(null), offer.properties, { price })
      return [{ offer: { ...offer, properties }, refusal: null, currency }]
    }
    const range = `from ${lowest || '?'} to ${textOf(offer, 'highPrice') || '?'}`.slice(0, 100)
    const hint = 'expected one offer, or a product for each variant (hasVariant)'
    const detail = `an aggregate ${range} of ${textOf(offer, 'offerCount').slice(0, 20) || inner.length || 'several'} offers`
    return [{ offer, refusal: { reason: 'AGGREGATE_OFFER', detail: `${detail}: ${hint}` }, currency }]
  })
}

/** Whether the lowest price equals the highest and every inner offer's price. */
function isOfOnePrice(aggregate: Thing, inner: readonly Thing[]): boolean {
  const amounts = [aggregate, aggregate, ...inner].map((thing, i) => {
    return textOf(thing, i === 0 ? 'lowPrice' : i === 1 ? 'highPrice' : 'price')
  })
  const [lowest] = amounts
  return amounts.every((amount) => amount !== '' && (amount === lowest || Number(amount) === Number(lowest)))
}

const REFERENCES = ['sku', 'productID', 'mpn'] as const

/** The reference that distinguishes an offer from others of its product; '' without one. */
function ownReference(offer: Thing, index: ThingIndex): string {
  const levels = [offer, ...index.thingsOf(offer, 'itemOffered')]
  return (
    [...REFERENCES, ...GTINS]
      .flatMap((name) => levels.map((level) => textOf(level, name)))
      .find((text) => text !== '') ?? ''
  )
}

type ProductPage = ProductContext &
  Readonly<{
    index: ThingIndex
    isOnlyProduct: boolean
    haveOwnAddresses: boolean
    /** Caches of descriptions and of products as JSON, which the offers of one product share. */
    descriptions: Map<string, string>
    raws: Map<Thing, string>
  }>

function foundOf({ thing, group }: Product, { offer, refusal, currency }: Offered, page: ProductPage): FoundOffer[] {
  const { index, options, at } = page
  // The most specific level first; the group never gives identity.
  const own = [offer, ...index.thingsOf(offer, 'itemOffered'), ...(thing === offer ? [] : [thing])]
  const shared = group === null ? own : [...own, group]
  const of = (levels: readonly Thing[], ...properties: readonly string[]) =>
    properties.flatMap((property) => levels.map((level) => textOf(level, property))).find((text) => text !== '') ?? ''
  const written = of(own, 'url')
  const ownUrl = written === '' ? null : webAddress(written, page.page.base)
  const url = ownUrl ?? page.page.address ?? (/^https?:/.test(written) ? written : '')
  const reference = withoutPrefix(of(own, ...REFERENCES))
  const gtin = of(own, ...GTINS).replace(/^\D+:/, '') || GTIN_OF_ID.exec(of(own, 'productID'))?.[1] || ''
  const name = nameOf(own, { group, isOneOfSeveral: page.haveOwnAddresses })
  const mpn = withoutPrefix(of(own, 'mpn'))
  const brand = brandOf(shared)
  const fields = ({ isExact: _isExact, ...columns }: OfferPrice): OfferFields => ({
    ...columns,
    vendor_ref:
      reference || pathOf(page.isOnlyProduct && !page.haveOwnAddresses ? (page.page.address ?? ownUrl) : ownUrl),
    name,
    description: descriptionOf(shared, { name, brand: mpn === '' ? brand : '', page }),
    observed_at: options.observedAt,
    category_path: categoryOf(shared, { name, ownUrl, page }),
    gtin,
    manufacturer_ref: brandedPartNumber(brand, mpn),
    availability: availabilityIn(own),
    url,
    lang: page.page.lang,
  })
  const identities = [
    ...REFERENCES.map((property) => `ref:${of(own, property)}`),
    `gtin:${gtin.replace(/^0+/, '')}`,
    `name:${foldText(name)}`,
    `url:${ownUrl ?? ''}`,
  ].filter((identity) => !identity.endsWith(':'))
  const raw = () => {
    const limit = { without: NOT_RAW, charsMax: RAW_CHARS_MAX }
    if (thing === offer) return jsonOf(offer, limit)
    const ofProduct = page.raws.get(thing) ?? jsonOf(thing, limit)
    page.raws.set(thing, ofProduct)
    return `{"product":${ofProduct},"offer":${jsonOf(offer, limit)}}`
  }
  const fallback = currencyOf(page.page) ?? options.currency ?? ''
  const kind = own.map(notSoldKind).find((one) => one !== null) ?? null
  const prices =
    refusal !== null
      ? [refusal]
      : kind !== null
        ? [notSold(kind)]
        : pricesOf(offer, { index, at, currency: currency || fallback, products: own.slice(1) })
  return prices.map((price) => {
    const result =
      'reason' in price ? { ...price, vendorRef: reference } : { fields: fields(price), isExact: price.isExact }
    return { identities, raw, result }
  })
}

/** The only currency in the page's meta elements, the default of offers without one. */
function currencyOf({ metas }: PageParts): string | null {
  const named = CURRENCY_METAS.flatMap((name) => metas.get(name) ?? [])
  return new Set(named).size === 1 ? (named[0] as string) : null
}
const CURRENCY_METAS = ['product:price:currency', 'og:price:currency'] as const

/** "sku:A-1" and "mpn:A-1" are A-1; a GTIN keeps its name, which tells it from a number of the shop. */
function withoutPrefix(reference: string): string {
  return reference.replace(/^(?:sku|mpn|id|productid|asin|ref)\s*:\s*(?=\S)/i, '')
}

export const GTINS = ['gtin', 'gtin13', 'gtin14', 'gtin12', 'gtin8'] as const
const GTIN_OF_ID = /^(?:gtin|ean|upc)\d{0,2}:\s*(\d{8,14})$/i
const NOT_RAW: ReadonlySet<string> = new Set(['offers', 'hasVariant', 'isVariantOf', 'review', ...NOT_FOLLOWED])
/** Characters of a product, and of its offer, in a record: enough to examine it, and small beside a page of records. */
const RAW_CHARS_MAX = 32_768
/** Properties that name a variant without a name of its own. */
const VARYING = ['size', 'color', 'material', 'pattern', 'model'] as const

function nameOf(
  own: readonly Thing[],
  { group, isOneOfSeveral }: Readonly<{ group: Thing | null; isOneOfSeveral: boolean }>,
): string {
  const [offer, ...products] = own as [Thing, ...Thing[]]
  const named = products.map((product) => textOf(product, 'name')).find((text) => text !== '') ?? ''
  const ofOffer = textOf(offer, 'name')
  if (named !== '') {
    // "Red, 5 l" of an offer with its own reference names the variant; "Offer for …" of a single offer adds nothing.
    const isApart = isOneOfSeveral || textOf(offer, 'sku') !== ''
    const isVariant = isApart && ofOffer !== '' && !foldText(named).includes(foldText(ofOffer))
    const isWhole = foldText(ofOffer).includes(foldText(named))
    return lineOf(!isVariant ? named : isWhole ? ofOffer : `${named} ${ofOffer}`)
  }
  if (group === null || ofOffer !== '') return lineOf(ofOffer)
  const varying = VARYING.flatMap((property) => products.flatMap((product) => namesOf(product, property)))
  return lineOf([textOf(group, 'name'), ...new Set(varying)].join(' '))
}

/** A member of ItemAvailability, as a text or as a reference. */
function availabilityIn(own: readonly Thing[]): string {
  for (const thing of own) {
    const [value] = thing.properties.availability ?? []
    const written = value !== undefined && isThing(value) ? (value.id ?? '') : textOf(thing, 'availability')
    if (written !== '') return localName(written)
  }
  return ''
}

function brandOf(levels: readonly Thing[]): string {
  const [brand = ''] = ['brand', 'manufacturer'].flatMap((property) => levels.flatMap((one) => namesOf(one, property)))
  return lineOf(brand).slice(0, 100)
}

type OfDescription = Readonly<{ name: string; brand: string; page: ProductPage }>

/** Every offer of a product has the same description. */
function descriptionOf(levels: readonly Thing[], { name, brand, page }: OfDescription): string {
  const written =
    levels
      .map((level) => textOf(level, 'description'))
      .find((text) => text !== '')
      ?.slice(0, MARKUP_CHARS_MAX) ?? ''
  const key = `${brand}\n${name}\n${written}`
  const known = page.descriptions.get(key)
  if (known !== undefined) return known
  const whole = describedWith(brand, { name, description: lineOf(written) })
  page.descriptions.set(key, whole)
  return whole
}

type OfProduct = Readonly<{ name: string; ownUrl: string | null; page: ProductPage }>

/** The breadcrumb trail of the page without the product itself, else the product's own category. */
function categoryOf(levels: readonly Thing[], { name, ownUrl, page }: OfProduct): string {
  const trail = [...page.breadcrumbs]
  const last = trail.at(-1)
  if (last !== undefined) {
    const url = last.url === '' ? null : webAddress(last.url, page.page.base)
    const isPage = page.isOnlyProduct && (url === null || url === page.page.address)
    if (foldText(last.name) === foldText(name) || (url !== null && url === ownUrl) || isPage) trail.pop()
  }
  if (trail.length > 0) return trail.map((crumb) => levelOf(crumb.name)).join(' > ')
  const categories = levels.map((level) => namesOf(level, 'category')).find((names) => names.length > 0) ?? []
  // One text may be a path; several texts are several categories, of which the first counts.
  const [first = ''] = categories.filter((category) => !/^https?:/.test(category))
  return lineOf(first)
}

/** The breadcrumb trail of the page from its first category on, without the home page. */
export function breadcrumbsIn({ roots, index }: Graph): readonly Breadcrumb[] {
  for (const thing of allThings({ roots, index })) {
    if (!isA(thing, BREADCRUMB_TYPES)) continue
    const items = index.thingsOf(thing, 'itemListElement').slice(0, BREADCRUMBS_MAX)
    const placed = items.map((item, i) => ({ item, place: Number(textOf(item, 'position') || i + 1) }))
    const ordered = placed.every(({ place }) => Number.isFinite(place))
      ? placed.toSorted((a, b) => a.place - b.place)
      : placed
    const breadcrumbs = ordered.map(({ item }): Breadcrumb => {
      const [inner] = index.thingsOf(item, 'item')
      const url = textsOf(item, 'item')[0] ?? (inner && (inner.id ?? textOf(inner, 'url'))) ?? textOf(item, 'url')
      return { name: lineOf(textOf(item, 'name') || (inner === undefined ? '' : textOf(inner, 'name'))), url }
    })
    const [home, ...rest] = breadcrumbs.filter(({ name }) => name !== '')
    if (home !== undefined) return isHome(home) ? rest : [home, ...rest]
  }
  return []
}
const BREADCRUMBS_MAX = 30

function isHome({ name, url }: Breadcrumb): boolean {
  const path = URL.canParse(url, 'https://host.invalid') ? new URL(url, 'https://host.invalid').pathname : ''
  return (url !== '' && /^\/([a-z]{2}([-_][a-z]{2})?\/?)?(index\.\w+)?$/i.test(path)) || HOME_NAMES.has(foldText(name))
}
/** Names of home pages, folded. */
const HOME_NAMES: ReadonlySet<string> = new Set(
  'home, homepage, home page, start, startseite, inicio, pagina inicial, accueil, principal'.split(', '),
)

/**
 * The path that identifies a product without a reference. It keeps the query, by which some shops distinguish products,
 * but no tracking parameters.
 */
function pathOf(address: string | null): string {
  if (address === null) return ''
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name)
  const path = `${url.pathname}${url.search}`
  return path === '/' ? '' : path
}
const TRACKING = /^(utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|srsltid)$/i
