import { expandedRegions } from '@catalog/core/median/regions.ts'
import type { Encoding } from '@catalog/formats/bytes/encoding.ts'
import {
  BATCH_RECORDS,
  type BrokenRecord,
  type ByteSource,
  definedRecord,
  type ReadRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import type { RecordFields } from '@catalog/formats/mapping/mapping-keys.ts'
import { child, children, localName, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'
import type { XmlFound } from '@catalog/formats/xml/record-cutter.ts'
import { brokenRecord, xmlRecords } from '@catalog/formats/xml/records.ts'
import { addGroup, type BmecatGroups, categoryOf, describesGroup, readGroups } from './groups.ts'
import { type BmecatHeader, headerOf, languageOf, NO_HEADER, timeOf } from './header.ts'
import { type BmecatPrice, priceOf } from './price.ts'
import { unitInWords } from './unece.ts'

/** Reads the prices of BMEcat 1.2 and 2005, the catalogue format of German wholesalers and manufacturers. */

export type BmecatOptions = Readonly<{
  name: string
  encoding?: Encoding | undefined
  /** Currency when neither the price nor the header names one. */
  currency?: string | undefined
  /**
   * Instant of the observation: a price holds on the day when the catalogue is seen. Defaults to the generation date,
   * which precedes the validity of a catalogue for next year.
   */
  observedAt?: string | undefined
  /** The territory that represents several of one market. */
  region?: string | undefined
}>

/**
 * Reads one record for each price of each article (in 2005: product); an article without a price is one broken record.
 * Quantity tiers are prices of one reference that differ in `min_quantity`.
 *
 * Of the price types that hold in one region and currency, the most binding one is recorded: net_list, else gros_list
 * (tax included), else net_customer (kind net: catalogues for one buyer hold no other), else nrp. The others are broken
 * (OTHER_PRICE_TYPE), because two of them at one instant would make a price that the vendor does not ask.
 *
 * UN/ECE unit codes that would be misread become words: {@link unitInWords}.
 *
 * A price of several territories yields as few records as cover the public markets of these territories. Each record
 * stands under the territory that the header names first: one price of DE and AT is one vote in the EU.
 *
 * Also broken are articles that the catalogue withdraws, daily prices and prices of express delivery (NOT_A_PRICE); a
 * price that is missing, 0 or a formula (NO_PRICE); other price types (UNKNOWN_PRICE_TYPE); unreadable numbers and
 * dates (BAD_PRICE, BAD_DATE); a price outside its dates (NOT_VALID_NOW); more than {@link PRICES_MAX} prices
 * (TOO_MANY_PRICES); and everything that the XML reader refuses.
 */
export async function* readBmecat(source: ByteSource, options: BmecatOptions): RecordBatches {
  const groups = await readGroups(source, options)
  let header = NO_HEADER
  let records: ReadRecord[] = []
  for await (const batch of xmlRecords(source, { encoding: options.encoding, isRecord: isArticle, isKept })) {
    for (const found of batch) {
      if (found.kind === 'broken') records.push(brokenRecord(found, `${options.name} item ${found.number}`))
      else if (found.kind === 'record')
        for (const price of prices(found, { header, groups, options })) records.push(price)
      else if (localName(found.element.name) === 'HEADER') header = headerOf(found.element)
      else addGroup(groups, found.element)
      if (records.length < BATCH_RECORDS) continue
      yield records
      records = []
    }
  }
  if (records.length > 0) yield records
}

/** Prices of one article; price lists have some ten tiers for some 30 countries. */
const PRICES_MAX = 1_000

function isArticle(name: string, path: readonly string[]): boolean {
  const isNamed = name.endsWith('ARTICLE') || name.endsWith('PRODUCT')
  return isNamed && /^(ARTICLE|PRODUCT)$/.test(localName(name)) && localName(path.at(-1) ?? '').startsWith('T_')
}

function isKept(name: string): boolean {
  const local = localName(name)
  return local === 'HEADER' || describesGroup(local)
}

type Context = Readonly<{ header: BmecatHeader; groups: BmecatGroups; options: BmecatOptions }>
/** A price and one of the regions in which it holds. */
type Placed = Readonly<{ position: string; region: string; price: BmecatPrice }>

function* prices(found: Extract<XmlFound, { kind: 'record' | 'kept' }>, context: Context): Generator<ReadRecord> {
  const { element, number, raw } = found
  const { header, options } = context
  const start = localName(element.name)
  const place = `${options.name} item ${number}`
  const broken = (reason: string, detail: string, position = place): BrokenRecord => ({ position, raw, reason, detail })
  if (element.attributes.mode === 'delete') {
    return yield broken('NOT_A_PRICE', 'the article is taken out of the catalogue')
  }
  const given = children(element, `${start}_PRICE_DETAILS`).flatMap((details) =>
    children(details, `${start}_PRICE`).map((price) => ({ details, price })),
  )
  if (given.length === 0) return yield broken('NO_PRICE', 'the article has no price')
  if (given.length > PRICES_MAX) {
    return yield broken('TOO_MANY_PRICES', `the article has ${given.length} prices, at most ${PRICES_MAX} are read`)
  }

  const order = child(element, `${start}_ORDER_DETAILS`)
  const observedAt = timeOf(options.observedAt || header.generatedAt)
  const read: (BrokenRecord | Placed)[] = []
  for (const [i, { details, price: written }] of given.entries()) {
    const position = given.length > 1 ? `${place} price ${i + 1}` : place
    const price = priceOf(written, { details, order, observedAt })
    if ('reason' in price) read.push(broken(price.reason, price.detail, position))
    else {
      const regions = regionsOf(written, context)
      for (const region of regions) {
        read.push({ position: regions.length > 1 ? `${position} ${region}` : position, region, price })
      }
    }
  }

  const currencyOf = (price: BmecatPrice) => price.currency || header.currency || options.currency || ''
  const marketOf = ({ region, price }: Placed) => `${region}\n${currencyOf(price)}`
  const standing = new Map<string, BmecatPrice['type']>()
  for (const one of read) {
    if ('reason' in one) continue
    const best = standing.get(marketOf(one))
    if (best === undefined || one.price.type.rank < best.rank) standing.set(marketOf(one), one.price.type)
  }
  let article: ReturnType<typeof articleOf> | null = null
  for (const one of read) {
    if ('reason' in one) {
      yield one
      continue
    }
    const { position, region, price } = one
    const best = standing.get(marketOf(one)) as BmecatPrice['type']
    if (best !== price.type) {
      yield broken(
        'OTHER_PRICE_TYPE',
        `${price.type.name}: the article has a ${best.name} price, which is recorded`,
        position,
      )
      continue
    }
    article ??= articleOf(element, context)
    const values: RecordFields = {
      ...article,
      ...price.columns,
      ...unitsInWords(price.columns, article.lang),
      currency: currencyOf(price),
      region,
    }
    yield definedRecord({ position, raw }, values)
  }
}

function unitsInWords({ unit, pack_unit }: BmecatPrice['columns'], lang: string): { unit: string; pack_unit: string } {
  return {
    unit: unitInWords(unit, { lang, contentUnit: pack_unit }),
    pack_unit: unitInWords(pack_unit, { lang, contentUnit: '' }),
  }
}

/** The columns that all prices of an article share. */
function articleOf(element: XmlElement, { header, groups, options }: Context) {
  const start = localName(element.name)
  const details = child(element, `${start}_DETAILS`) ?? NO_ELEMENT
  const ref = textOf(element, 'SUPPLIER_AID') || textOf(element, 'SUPPLIER_PID')
  const name = inLanguage(children(details, 'DESCRIPTION_SHORT'), header)
  const lang = name?.attributes.lang
  const made = textOf(details, 'MANUFACTURER_AID') || textOf(details, 'MANUFACTURER_PID')
  const gtin = children(details, 'INTERNATIONAL_PID').find(({ attributes }) =>
    /^(ean|gtin)/i.test(attributes.type ?? ''),
  )
  return {
    vendor_ref: ref,
    name: name?.text ?? '',
    description: inLanguage(children(details, 'DESCRIPTION_LONG'), header)?.text ?? '',
    observed_at: options.observedAt || header.generatedAt,
    source: header.supplier,
    category_path: categoryOf(groups, { ref, features: children(element, `${start}_FEATURES`) }),
    gtin: textOf(details, 'EAN') || (gtin?.text ?? ''),
    // Two manufacturers may use the same number, so its name precedes it; the name alone is no reference.
    manufacturer_ref: made === '' ? '' : `${textOf(details, 'MANUFACTURER_NAME')} ${made}`.trim(),
    lang: lang === undefined || lang === header.languageWritten ? header.language : languageOf(lang),
  }
}
const NO_ELEMENT: XmlElement = { name: '', attributes: {}, text: '', children: [] }

/** The text in the catalogue's language, else the one without a language, else the first. */
function inLanguage(texts: readonly XmlElement[], { languageWritten }: BmecatHeader): XmlElement | undefined {
  if (texts.length < 2) return texts[0]
  return (
    texts.find(({ attributes }) => attributes.lang === languageWritten) ??
    texts.find(({ attributes }) => attributes.lang === undefined) ??
    texts[0]
  )
}

/** The territories under which a price is recorded, at least one; '' when neither price nor header names any. */
function regionsOf(price: XmlElement, { header, options }: Context): readonly string[] {
  const areas = children(child(price, 'AREA_REFS') ?? NO_ELEMENT, 'AREA_IDREF')
  const own = [
    ...children(price, 'TERRITORY').map(({ text }) => text),
    ...areas.flatMap(({ text }) => header.areas.get(text) ?? []),
  ].map(countryOf)
  const named = new Set(own.length > 0 ? own : header.territories.map(countryOf))
  if (named.size < 2) return [...named, ''].slice(0, 1)
  const first = [options.region ?? '', ...header.territories].map(countryOf).filter((country) => named.has(country))
  const candidates = [...new Set([...first, ...named])].map((region) => ({ region, markets: expandedRegions(region) }))
  const regions: string[] = []
  const covered = new Set<string>()
  for (const { region, markets } of candidates.sort((a, b) => b.markets.length - a.markets.length)) {
    if (regions.length > 0 && markets.every((market) => covered.has(market))) continue
    regions.push(region)
    for (const market of markets) covered.add(market)
  }
  return regions
}

/** The country of an ISO 3166 code: "DE-BY" is in DE. The United Kingdom is GB, as in lists of markets. */
function countryOf(territory: string): string {
  const country = territory
    .trim()
    .toUpperCase()
    .replace(/^([A-Z]{2})-[A-Z\d]{1,3}$/, '$1')
  return country === 'UK' ? 'GB' : country
}
