import { parsePrice } from '@catalog/core/money/money.ts'
import { foldText } from '@catalog/core/text.ts'
import { unitPriceOf } from '@catalog/formats/vocabulary/unit-price.ts'
import { amountOf } from './offer-prices.ts'
import { type FoundOffer, GTINS, PRODUCTS } from './offer-products.ts'
import { allThings, type Graph, isA, type Thing, ThingIndex, textOf } from './schema-org.ts'
import {
  type Findings,
  MATCHES_MAX,
  SELECTOR_FIELDS,
  type SelectorField,
  type Selectors,
  shownFindings,
} from './selectors.ts'

/** The offer of a page whose values the operator's selectors find. */

export type Selected = Readonly<{ selectors: Selectors; findings: Findings; decimal: '.' | ',' | undefined }>

/** Properties of a product by the selector that outranks them. The price and its unit are the offer's. */
const PROPERTIES: Readonly<Record<Exclude<SelectorField, 'price' | 'unit' | 'availability'>, readonly string[]>> = {
  name: ['name'],
  sku: ['sku', 'productID'],
  gtin: GTINS,
  brand: ['brand', 'manufacturer'],
}
/** Properties of the markup's only offer that hold for a price of the text too. */
const OF_OFFER = ['availability', 'itemCondition', 'businessFunction'] as const

/**
 * The product that the selectors find, as a graph of schema.org with one offer; null where `price` finds nothing. A field
 * without a selector comes from the markup of the page, where it has one product whose name or sku agrees. Markup never
 * completes a field that has a selector, or the price and what belongs to it: unit, tax, quantity.
 *
 * Refused are AMBIGUOUS_OFFER (a selector finds several texts; for `price`, several prices) and BAD_PRICE (the text is no
 * price).
 */
export function productOfFindings(selected: Selected, graphs: readonly Graph[]): Graph | FoundOffer | null {
  const { findings, selectors, decimal } = selected
  const texts: Partial<Record<SelectorField, string>> = {}
  if ((findings.price?.texts ?? []).length === 0) return null
  for (const field of SELECTOR_FIELDS) {
    const { elements, texts: found } = findings[field] ?? { elements: 0, texts: [] }
    const distinct = field === 'price' ? distinctPrices(found, decimal) : found
    if (distinct.length > 1 || (distinct.length > 0 && elements > MATCHES_MAX)) {
      return ambiguous({ field, elements, distinct }, selected)
    }
    if (distinct[0] !== undefined) texts[field] = distinct[0]
  }
  if (moneyIn(texts.price ?? '', decimal) === null) return unreadable(texts.price ?? '', selected)
  const { product, index } = markupFor(texts, graphs)
  const properties = Object.assign(Object.create(null), product?.properties)
  for (const [field, names] of Object.entries(PROPERTIES) as [keyof typeof PROPERTIES, readonly [string]][]) {
    if (selectors[field] === undefined) continue
    for (const name of names) delete properties[name]
    const text = texts[field]
    if (text !== undefined) properties[names[0]] = [text]
  }
  const offers = product === null ? [] : index.thingsOf(product, 'offers')
  properties.offers = [offerOf(texts, { selected, markup: offers.length === 1 ? offers[0] : undefined })]
  return { roots: [{ types: product?.types ?? ['Product'], id: null, properties }], index }
}

/** The only product of the first syntax that has any; none where its name and sku both differ from those found. */
function markupFor(
  { name, sku }: Partial<Record<SelectorField, string>>,
  graphs: readonly Graph[],
): Readonly<{ product: Thing | null; index: ThingIndex }> {
  for (const graph of graphs) {
    const products = [...allThings(graph)].filter((thing) => isA(thing, PRODUCTS))
    const [product] = products
    if (product === undefined) continue
    const [mine, theirs] = [foldText(name ?? ''), foldText(textOf(product, 'name'))]
    const isNamed = mine !== '' && theirs !== '' && (mine.includes(theirs) || theirs.includes(mine))
    const isSame = isNamed || (sku !== undefined && textOf(product, 'sku') === sku)
    return { product: products.length === 1 && isSame ? product : null, index: graph.index }
  }
  return { product: null, index: new ThingIndex([]) }
}

function offerOf(
  { price = '', unit, availability }: Partial<Record<SelectorField, string>>,
  { selected: { selectors }, markup }: Readonly<{ selected: Selected; markup: Thing | undefined }>,
): Thing {
  const kept = OF_OFFER.filter((name) => name !== 'availability' || selectors.availability === undefined)
  // The currency of a text outranks that of the markup, which outranks that of the source.
  const currency = moneyIn(price)?.currency
  const properties = Object.assign(
    Object.create(null),
    Object.fromEntries(kept.map((name) => [name, markup?.properties[name] ?? []])),
    {
      price: [price],
      priceCurrency: currency == null ? (markup?.properties.priceCurrency ?? []) : [currency],
      ...(unit !== undefined && { unitText: [unit] }),
      ...(availability !== undefined && { availability: [availability] }),
    },
  )
  return { types: ['Offer'], id: null, properties }
}

/** The amount and currency of a price, which may name its unit. Without a given mark, "1.299" counts as its digits stand. */
function moneyIn(text: string, decimal?: '.' | ',') {
  const price = unitPriceOf(text)?.price ?? text
  return parsePrice(price, { decimal }) ?? parsePrice(price, { decimal: '.' })
}

/** One text for each amount, currency and unit: pages repeat their price for phones. */
function distinctPrices(texts: readonly string[], decimal: '.' | ',' | undefined): readonly string[] {
  const byMoney = new Map<string, string>()
  for (const text of texts) {
    const money = moneyIn(text, decimal)
    const amount = money === null ? text : amountOf(money.decimal, true)
    const key = JSON.stringify([amount, money?.currency ?? '', unitPriceOf(text)?.unit ?? ''])
    if (!byMoney.has(key)) byMoney.set(key, text)
  }
  return [...byMoney.values()]
}

function ambiguous(
  { field, elements, distinct }: Readonly<{ field: SelectorField; elements: number; distinct: readonly string[] }>,
  selected: Selected,
): FoundOffer {
  const shown = distinct.slice(0, 3).join(', ').slice(0, 200)
  const texts = distinct.length === 1 ? shown : `${distinct.length} texts, ${shown},`
  const found = `the selector ${field} '${selected.selectors[field]}' finds ${texts} in ${elements} elements`
  const expected = elements > MATCHES_MAX ? `at most ${MATCHES_MAX} elements` : 'one text'
  return refusedFor('AMBIGUOUS_OFFER', `${found}; expected ${expected}: narrow it, for example by :not()`, selected)
}

function unreadable(text: string, selected: Selected): FoundOffer {
  const found = `the selector price '${selected.selectors.price}' finds '${text.slice(0, 80)}'`
  return refusedFor('BAD_PRICE', `${found}; expected one number with its currency or unit, and no other word`, selected)
}

function refusedFor(reason: string, detail: string, { findings }: Selected): FoundOffer {
  const [sku, ...more] = findings.sku?.texts ?? []
  const result = { reason, detail, ...(sku !== undefined && more.length === 0 && { vendorRef: sku }) }
  return { identities: [], raw: () => JSON.stringify(shownFindings(findings)), result }
}
