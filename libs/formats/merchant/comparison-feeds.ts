import { exponentOf } from '@catalog/core/money/money.ts'
import type { RecordFields } from '@catalog/formats/mapping/mapping-keys.ts'
import { brandedPartNumber } from '@catalog/formats/mapping/text-checks.ts'
import { child, children, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'

/**
 * Feeds that shops give to price comparisons, in the XML that each defines: Yandex Market (YML), Heureka and Zboží, Ceneo,
 * and Skroutz.
 */

/** A product of a feed; blank fields are left out. */
export type ComparedProduct = RecordFields & Readonly<{ vendor_ref: string; price: string }>
export type NotCompared = Readonly<{ reason: string; detail: string; vendorRef: string }>
type Compared = ComparedProduct | NotCompared

/** Categories of a YML file, by id; beyond the limit products have none. */
export type ComparedCategories = Map<string, Readonly<{ name: string; parent: string }>>
const CATEGORIES_MAX = 100_000
/** Levels of a category; more are a circle. */
const LEVELS_MAX = 20

type Context = Readonly<{
  categories: ComparedCategories
  /** Currency of the operator. */
  currency: string | undefined
}>

type ComparisonFeed = Readonly<{
  /** The element of a product, and those around it, the root first. */
  record: string
  path: readonly string[]
  read: (element: XmlElement, context: Context) => readonly Compared[]
}>

const FEEDS: readonly ComparisonFeed[] = [
  // https://yandex.ru/support/marketplace/assortment/fields/index.html
  { record: 'offer', path: ['yml_catalog', 'shop', 'offers'], read: (offer, context) => [ofYandex(offer, context)] },
  // https://sluzby.heureka.cz/napoveda/xml-feed/
  { record: 'SHOPITEM', path: ['SHOP'], read: (item) => [ofHeureka(item)] },
  // https://www.ceneo.pl/poradniki/Instrukcja-pliku-XML
  { record: 'o', path: ['offers'], read: (offer, context) => [ofCeneo(offer, context)] },
  { record: 'o', path: ['offers', 'group'], read: (offer, context) => [ofCeneo(offer, context)] },
  // https://developer.skroutz.gr/feed/
  { record: 'product', path: ['mywebstore', 'products'], read: ofSkroutz },
]

export function isComparedRecord(name: string, path: readonly string[]): boolean {
  return FEEDS.some((feed) => feed.record === name && feed.path.join('/') === path.join('/'))
}

/** A category of a YML file stands before its offers. */
export function isComparedCategory(name: string, path: readonly string[]): boolean {
  return name === 'category' && path.join('/') === 'yml_catalog/shop/categories'
}

export function keepCategory(categories: ComparedCategories, { attributes, text }: XmlElement): void {
  const { id = '', parentId = '' } = attributes
  if (id !== '' && categories.size < CATEGORIES_MAX) categories.set(id, { name: text, parent: parentId })
}

/**
 * The products of a record; null for a record of another feed. Refusals: NO_PRICE, BAD_PRICE (more than one number, or three
 * decimals that may be thousands), AGGREGATE_OFFER (a price "from"), NOT_NEW, NOT_A_SALE (disabled).
 */
export function comparedProducts(element: XmlElement, context: Context): readonly Compared[] | null {
  return FEEDS.find(({ record }) => record === element.name)?.read(element, context) ?? null
}

function ofYandex(offer: XmlElement, { categories, currency }: Context): Compared {
  const text = (name: string) => textOf(offer, name)
  const ref = offer.attributes.id ?? ''
  const condition = child(offer, 'condition')?.attributes.type ?? ''
  if (condition !== '' && condition !== 'new') return refused(ref, 'NOT_NEW', `condition '${condition}': expected new`)
  if (text('disabled') === 'true') return refused(ref, 'NOT_A_SALE', 'disabled: expected a product that the shop sells')
  if (child(offer, 'price')?.attributes.from === 'true') {
    return refused(ref, 'AGGREGATE_OFFER', `from ${text('price')}: the price of some variants; expected one`)
  }
  const named = text('name') || [text('typePrefix'), text('vendor'), text('model')].filter(Boolean).join(' ')
  // Variants of a group differ in their parameters.
  const options = offer.attributes.group_id === undefined ? [] : children(offer, 'param').map((param) => param.text)
  const missing = options.filter((option) => option !== '' && !named.toLowerCase().includes(option.toLowerCase()))
  return priced(text('price'), {
    vendor_ref: ref,
    name: [named, ...missing].join(', '),
    // RUR is the code of before 1998 that the format kept.
    currency: text('currencyId').replace(/^RUR$/, 'RUB') || (currency ?? ''),
    description: text('description'),
    category_path: pathOf(text('categoryId'), categories),
    gtin: text('barcode'),
    manufacturer_ref: brandedPartNumber(text('vendor'), text('vendorCode')),
    availability: offer.attributes.available === 'true' ? 'InStock' : '',
    url: text('url'),
  })
}

function pathOf(id: string, categories: ComparedCategories): string {
  const names: string[] = []
  for (let at = categories.get(id); at !== undefined && names.length < LEVELS_MAX; at = categories.get(at.parent)) {
    names.unshift(at.name)
  }
  return names.join(' > ')
}

function ofHeureka(item: XmlElement): Compared {
  const text = (name: string) => textOf(item, name)
  const ref = text('ITEM_ID')
  if (/bazar|used|refurb/i.test(text('ITEM_TYPE'))) {
    return refused(ref, 'NOT_NEW', `type '${text('ITEM_TYPE').slice(0, 40)}': expected new`)
  }
  return priced(text('PRICE_VAT'), {
    vendor_ref: ref,
    name: text('PRODUCTNAME') || text('PRODUCT'),
    description: text('DESCRIPTION'),
    tax_included: 'true',
    category_path: text('CATEGORYTEXT').replace(/\s*\|\s*/g, ' > '),
    gtin: text('EAN'),
    manufacturer_ref: brandedPartNumber(text('MANUFACTURER'), text('PRODUCTNO')),
    availability: text('DELIVERY_DATE') === '0' ? 'InStock' : '',
    url: text('URL'),
  })
}

function ofCeneo(offer: XmlElement, { currency }: Context): Compared {
  const { id = '', url = '', price = '', avail = '' } = offer.attributes
  const attributes = children(child(offer, 'attrs') ?? offer, 'a')
  const attribute = (name: string) => attributes.find((one) => one.attributes.name === name)?.text ?? ''
  return priced(price, {
    vendor_ref: id,
    name: textOf(offer, 'name'),
    description: textOf(offer, 'desc'),
    currency: currency ?? 'PLN',
    tax_included: 'true',
    category_path: textOf(offer, 'cat').replace(/\s*\/\s*/g, ' > '),
    gtin: attribute('EAN'),
    manufacturer_ref: brandedPartNumber(attribute('Producent'), attribute('Kod_producenta')),
    availability: avail === '1' ? 'InStock' : avail === '90' ? 'PreOrder' : '',
    url,
  })
}

function ofSkroutz(product: XmlElement, { currency }: Context): readonly Compared[] {
  const variations = children(child(product, 'variations') ?? product, 'variation')
  // A product's price is that of one variation as soon as they have their own.
  const haveOwn = variations.some((one) => textOf(one, 'price_with_vat') !== '')
  const read = (sold: XmlElement) => {
    const text = (name: string) => textOf(sold, name) || textOf(product, name)
    const own = (name: string) => textOf(sold, name)
    const options = sold === product ? [] : [own('color'), own('size')].filter((option) => option !== '')
    return priced(haveOwn ? own('price_with_vat') : text('price_with_vat'), {
      vendor_ref: own('variationid') || own('id') || own('uniqueid'),
      name: [textOf(product, 'name'), ...options].join(', '),
      description: textOf(product, 'description'),
      currency: currency ?? 'EUR',
      tax_included: 'true',
      category_path: textOf(product, 'category'),
      gtin: own('ean'),
      manufacturer_ref: brandedPartNumber(textOf(product, 'manufacturer'), own('manufacturersku') || own('mpn')),
      availability: /^(in stock|άμεσα διαθέσιμο|σε απόθεμα)/iu.test(text('availability')) ? 'InStock' : '',
      url: text('link'),
    })
  }
  return variations.length > 0 ? variations.map(read) : [read(product)]
}

function priced(written: string, fields: Omit<ComparedProduct, 'price'>): Compared {
  const ref = fields.vendor_ref
  if (written === '') return refused(ref, 'NO_PRICE', 'the product has no price')
  const price = written.replace(/[ \u00a0\u202f](?=\d{3}(\D|$))/g, '').replace(/^(\d+),(\d{1,2})$/, '$1.$2')
  const isOpen = /\.\d{3}$/.test(price) && exponentOf(fields.currency ?? '') !== 3
  if (!/^\d{1,15}(\.\d+)?$/.test(price) || isOpen) {
    return refused(ref, 'BAD_PRICE', `'${written.slice(0, 40)}': expected one number with a decimal point`)
  }
  return { ...fields, price }
}

function refused(vendorRef: string, reason: string, detail: string): NotCompared {
  return { reason, detail, vendorRef }
}
