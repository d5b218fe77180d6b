import { sha256Hex } from '@catalog/core/digest.ts'
import { Decimal, SourceKind } from '@catalog/core/events/events.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { conversionFactor, type SoldUnit, soldUnit } from '@catalog/core/units/units.ts'
import type { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'

/**
 * The sample: a construction market of invented vendors and goods, which publishes a price list a vendor on any day there
 * is. Everything follows from the keys in the YAML files and the day, by hashes: the same day gives the same bytes on
 * every machine, so a crawl of a day can be repeated at any time. Some of it is wrong on purpose, as real lists are; what
 * is wrong is told in {@link Sample.plantedDefects}.
 */
export type Sample = Readonly<{
  products: readonly Product[]
  vendors: readonly SampleVendor[]
  plantedDefects: readonly PlantedDefect[]
}>

/** A vendor and what it carries. */
type SampleVendor = Vendor & Readonly<{ skus: readonly SampleSku[] }>

/** One line of a vendor's price list, as it stays from day to day. */
export type SampleSku = Readonly<{
  product: Product
  /** The vendor's own code. */
  ref: string
  name: string
  /** As the vendor spells it, with the contents where the vendor writes them there: "ud", "94 lb bag". */
  unit: string
  pack: { readonly quantity: string; readonly unit: string } | null
  gtin: string | null
  manufacturerRef: string | null
  cpv: string | null
  /** Price of one sold unit in the vendor's currency around which it moves, before tax. */
  level: number
  hasTiers: boolean
  defect: DefectKind | null
}>

export const DEFECT_KINDS = [
  /** A unit that no table knows: it stays a text, and its prices convert to nothing. */
  'unknown_unit',
  /** The row cannot be read: a field too many, no number for a price, or half a line of JSON. */
  'broken_row',
  /** The price is 100 times too high on one crawl of seven in a row. */
  'price_x100',
  /** The price is in another currency for six weeks of twelve. */
  'currency_changed',
  /** Missing from the list for five weeks of thirteen. */
  'vanished_sku',
  /** Another good has the same code. */
  'two_goods_one_code',
] as const
type DefectKind = (typeof DEFECT_KINDS)[number]

/** What is unusual on purpose. `ref` is the vendor's code of the row; null when it holds for all rows of the vendor. */
export type PlantedDefect = Readonly<{
  kind: DefectKind | 'quantity_tiers' | 'tax_included'
  vendor: string
  ref: string | null
  detail: string
}>

/** A day as YYYY-MM-DD, in UTC. */
const Day = z.iso.date()

/**
 * The sample from the texts of vendors.yaml and of products/*.yaml, these in any order. Throws InvalidSample naming file,
 * key and expectation of what is wrong.
 */
export function loadSample(texts: Readonly<{ vendors: string; products: readonly string[] }>): Sample {
  // Folders list their files in any order.
  const trades = texts.products.map((text, i) => readTrade(text, i + 1)).sort((a, b) => (a.trade < b.trade ? -1 : 1))
  const book = readVendors(texts.vendors)
  const problems = contradictions(trades, book)
  if (problems.length > 0) throw new InvalidSample(problems)

  const products = trades.flatMap(({ trade, kind, category, products }) =>
    products.map((product, i): Product => {
      const isCommon = i < Math.max(1, Math.round(products.length * COMMON_SHARE))
      return { ...product, trade, kind, category, isCommon }
    }),
  )
  const carried = new Map(products.map((product) => [product, carriersOf(product, book.vendors)]))
  const vendors = book.vendors.map((vendor): SampleVendor => {
    const own = products.filter((product) => carried.get(product)?.has(vendor))
    return { ...vendor, skus: skusOf({ vendor, products: own, book }) }
  })
  return { products, vendors, plantedDefects: vendors.flatMap(plantedIn) }
}

/**
 * The price list that a vendor publishes on a day, and the mapping it is read by. Prices are as of 00:00 UTC, so a crawl
 * of the day never looks into the future. Throws RangeError on a vendor that is not in the sample or a day that is none.
 */
export function vendorFile(
  list: Readonly<{ sample: Sample; vendor: string; day: string }>,
): Readonly<{ fileName: string; bytes: Uint8Array; mapping: Mapping }> {
  const vendor = list.sample.vendors.find(({ key }) => key === list.vendor)
  if (vendor === undefined)
    throw new RangeError(`vendor '${list.vendor}': expected the key of a vendor in vendors.yaml`)
  const dayNumber = dayNumberOf(list.day)
  const rows = vendor.skus.flatMap((sku) => rowsOf({ vendor, sku, dayNumber }))
  const text = vendor.file.format === 'csv' ? csvText(vendor, rows) : jsonlText(vendor, rows)
  return {
    fileName: `${vendor.key}-${list.day}.${vendor.file.format}`,
    bytes: vendor.file.encoding === 'utf-8' ? new TextEncoder().encode(text) : windows1252(text, vendor.key),
    mapping: mappingOf(vendor, list.day),
  }
}

/**
 * The days to crawl, ascending and each once: every fifteenth day, from 90 days before the first start on, and today.
 * Days after today are left out, so a clock that was set back does no harm. Throws RangeError on a day that is none.
 */
export function crawlDays({ firstStartDay, today }: Readonly<{ firstStartDay: string; today: string }>): string[] {
  const first = dayNumberOf(firstStartDay)
  const last = dayNumberOf(today)
  const days = new Set<number>()
  for (let day = first - HISTORY_DAYS; day <= last; day += CRAWLED_EVERY_DAYS) days.add(day)
  days.add(last)
  return [...days]
    .filter((day) => day <= last)
    .sort((a, b) => a - b)
    .map(dayText)
}
const HISTORY_DAYS = 90
const CRAWLED_EVERY_DAYS = 15

/** The YAML files do not describe a sample; one line for each problem, {@link PROBLEMS_SHOWN_MAX} at most. */
export class InvalidSample extends Error {
  override name = 'InvalidSample'
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.slice(0, PROBLEMS_SHOWN_MAX).join('\n'), options)
  }
}
const PROBLEMS_SHOWN_MAX = 20

// Market --------------------------------------------------------------------------------------------------------------

type ProductKind = z.infer<typeof ProductKind>
const ProductKind = z.enum(['material', 'labour', 'machinery', 'work'])

/** Price level of a region relative to Spain, by kind of product: hours of people differ most. Invented, as all of it. */
const PRICE_LEVELS: Readonly<Record<string, Readonly<Record<ProductKind, number>>>> = {
  ES: { material: 1, labour: 1, machinery: 1, work: 1 },
  PT: { material: 0.95, labour: 0.72, machinery: 0.9, work: 0.82 },
  FR: { material: 1.16, labour: 1.65, machinery: 1.2, work: 1.4 },
  DE: { material: 1.18, labour: 1.75, machinery: 1.25, work: 1.45 },
  EU: { material: 1.1, labour: 1.35, machinery: 1.1, work: 1.2 },
  GB: { material: 1.2, labour: 1.9, machinery: 1.3, work: 1.55 },
  US: { material: 1.25, labour: 2.6, machinery: 1.4, work: 1.9 },
  MX: { material: 0.88, labour: 0.3, machinery: 0.75, work: 0.55 },
  BR: { material: 0.85, labour: 0.28, machinery: 0.72, work: 0.52 },
  AR: { material: 0.95, labour: 0.4, machinery: 0.85, work: 0.62 },
  CL: { material: 0.94, labour: 0.42, machinery: 0.85, work: 0.65 },
  CO: { material: 0.84, labour: 0.26, machinery: 0.72, work: 0.5 },
  PE: { material: 0.82, labour: 0.27, machinery: 0.7, work: 0.5 },
  UY: { material: 1.08, labour: 0.5, machinery: 0.95, work: 0.75 },
  LATAM: { material: 1, labour: 0.35, machinery: 0.85, work: 0.6 },
}

/** Units of a currency for one euro, at which invented euro prices become invented local ones; never used on real ones. */
const PER_EURO: Readonly<Record<string, number>> = {
  EUR: 1,
  USD: 1.15,
  GBP: 0.87,
  MXN: 21.4,
  BRL: 6.2,
  ARS: 1650,
  CLP: 1090,
  COP: 4480,
  PEN: 3.95,
  UYU: 46.2,
}

/** Currencies whose shops write no decimals. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['CLP', 'COP'])

/** The first seventh of a trade's file, one good at least, is what every vendor of the trade carries. */
const COMMON_SHARE = 1 / 7
/** Of any other good, how many of the vendors of its trade carry it, drawn by lot. */
const CARRIERS = { min: 2, max: 4 }
/** Of names with several spellings, the share under the first and common one. */
const FIRST_SPELLING_SHARE = 0.8
/** Of names, the share without their brackets and commas. */
const PLAIN_SPELLING_SHARE = 0.15

/** Prices are built up from this week on, in weeks since 1970-01-01; 2872 begins on 2025-01-16. Earlier ones stand still. */
const FIRST_WEEK = 2872
/** One price of three moves in a week, by 0.5 to 4 %. */
const MOVES_ONE_IN = 3
const MOVE_PER_MILLE = { min: 5, max: 40 }

/**
 * Days between two slips of a price by 100. Fifteen days have no factor in common with it, so of seven crawls in a row
 * exactly one meets a slip, whatever day they begin on: a price fence can tell.
 */
const SLIP_EVERY_DAYS = 7
/** Shorter than the crawled history, so that every history meets a change. */
const CURRENCY_WEEKS = 6
const VANISHING = { everyWeeks: 13, weeks: 5 }

/** A price with its quantity from, as a share of the price for one. */
const TIERS = [
  { from: '1', share: 1 },
  { from: '10', share: 0.96 },
  { from: '50', share: 0.91 },
] as const

// Price lists ---------------------------------------------------------------------------------------------------------

/** A row of a list before it is spelled in the vendor's format: texts by what they mean, blank ones left out. */
type Row = Readonly<{ cells: Readonly<Partial<Record<ColumnKey, string>>>; isBroken: boolean }>

function rowsOf({ vendor, sku, dayNumber }: { vendor: SampleVendor; sku: SampleSku; dayNumber: number }): Row[] {
  const week = Math.floor(dayNumber / 7)
  const { defect } = sku
  if (defect === 'vanished_sku' && isVanished(week)) return []
  const isSlip = defect === 'price_x100' && isSlipDay(vendor.key, dayNumber)
  const currency = defect === 'currency_changed' && isCurrencyChanged(week) ? otherCurrency(vendor) : vendor.currency

  const local =
    (sku.level * walk(hashOf(vendor.key, sku.product.key, 'walk'), week) * perEuro(currency)) / perEuro(vendor.currency)
  const shown = roundedPrice(vendor.tax.included ? local * (1 + Number(vendor.tax.rate)) : local, currency)
  const { product, ref } = sku
  const row = (min: string | null, price: number): Row => ({
    isBroken: defect === 'broken_row',
    cells: {
      vendor_ref: ref,
      name: sku.name,
      unit: sku.unit,
      price: decimalText(price, currency).replace('.', vendor.file.decimal),
      currency,
      observed_at: dateText(vendor, dayNumber),
      ...(sku.pack && { pack_quantity: sku.pack.quantity.replace('.', vendor.file.decimal), pack_unit: sku.pack.unit }),
      ...(min && { min_quantity: min }),
      ...(sku.gtin && { gtin: sku.gtin }),
      ...(sku.manufacturerRef && { manufacturer_ref: sku.manufacturerRef }),
      ...(sku.cpv && { cpv: sku.cpv }),
      category_path: (product.category[languageOf(vendor.locale)] ?? product.category.en).join(LEVEL_SEPARATOR),
      url: `${homeOf(vendor)}/p/${encodeURIComponent(ref)}`,
    },
  })
  const price = isSlip ? shown * 100 : shown
  return sku.hasTiers
    ? TIERS.map(({ from, share }) => row(from, roundedPrice((price * share) / PRICE_PARTS, currency)))
    : [row(null, price)]
}

/** How each vendor's list has to be read: what the vendor would have put into a mapping file. */
function mappingOf(vendor: SampleVendor, day: string): Mapping {
  const { category_path: categories, ...columns } = vendor.columns
  return {
    ...(vendor.file.format === 'csv' && { delimiter: vendor.file.delimiter, encoding: vendor.file.encoding }),
    decimal: vendor.file.decimal,
    ...(vendor.file.date !== undefined && { date_format: DATE_ORDER[vendor.file.date] }),
    columns: {
      ...columns,
      ...(categories !== undefined && { category_path: { column: categories, separator: LEVEL_SEPARATOR } }),
    },
    constants: {
      source: vendor.name,
      source_url: homeOf(vendor),
      region: vendor.region,
      trust: String(vendor.trust),
      ...(vendor.validity_days !== undefined && { validity_days: String(vendor.validity_days) }),
      kind: PRICE_KIND[vendor.kind],
      lang: languageOf(vendor.locale),
      tax_included: String(vendor.tax.included),
      ...(vendor.tax.rate !== undefined && { tax_rate: vendor.tax.rate }),
      ...(columns.currency === undefined && { currency: vendor.currency }),
      ...(columns.observed_at === undefined && { observed_at: `${day}T00:00:00Z` }),
    },
  }
}
const PRICE_KIND = { shop: 'list', bank: 'bank', bid: 'bid' } as const
const LEVEL_SEPARATOR = ' > '
/** What a broken row has where a number or nothing should be. */
const NO_PRICE = '???'

function csvText(vendor: SampleVendor, rows: readonly Row[]): string {
  const { delimiter = ',' } = vendor.file
  const line = (cells: readonly string[]) =>
    cells
      .map((cell) => (/["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(delimiter)
  const keys = Object.keys(vendor.columns) as ColumnKey[]
  const lines = rows.map(({ cells, isBroken }) => {
    const texts = keys.map((key) => cells[key] ?? '')
    if (!isBroken) return line(texts)
    return line(breaksPrice(vendor) ? texts.with(keys.indexOf('price'), NO_PRICE) : [...texts, NO_PRICE])
  })
  return [line(Object.values(vendor.columns)), ...lines, ''].join('\r\n')
}

function jsonlText(vendor: SampleVendor, rows: readonly Row[]): string {
  const lines = rows.map(({ cells, isBroken }) => {
    const members = Object.entries(vendor.columns).flatMap(([key, heading]) => {
      const cell = cells[key as ColumnKey]
      if (cell === undefined) return []
      // Numbers stand as they are, so that no price passes through a float.
      return [`${JSON.stringify(heading)}:${key === 'price' || key === 'pack_quantity' ? cell : JSON.stringify(cell)}`]
    })
    const line = `{${members.join(',')}}`
    return isBroken ? line.slice(0, line.length >> 1) : line
  })
  return `${lines.join('\n')}\n`
}

/** Lists with semicolons break by a price that is no number, lists with commas by a field too many. */
function breaksPrice(vendor: Vendor): boolean {
  return vendor.file.delimiter === ';'
}

/** Bytes 0x80 to 0x9f of windows-1252; the others are those of Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function windows1252(text: string, vendor: string): Uint8Array {
  return Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0) as number
    if (code < 0x80 || (code > 0x9f && code < 0x100)) return code
    const at = WINDOWS_1252.indexOf(letter)
    if (at === -1)
      throw new RangeError(`vendor '${vendor}': '${letter}' of '${around(text, letter)}' is not in windows-1252`)
    return 0x80 + at
  })
}

function around(text: string, letter: string): string {
  return text.split(/\r\n/).find((line) => line.includes(letter)) ?? letter
}

// Prices --------------------------------------------------------------------------------------------------------------

/** Prices are counted in parts of 1/10,000, so that rounding and slips stay exact. */
const PRICE_PARTS = 10_000

/**
 * Where a price stands in a week, as a factor of its level: one step up or down in a week of three, drawn towards 1.
 * Only additions and multiplications, which every machine rounds alike.
 */
function walk(seed: number, week: number): number {
  let factor = 1
  for (let at = FIRST_WEEK; at <= week; at++) {
    const drawn = mixed(seed, at)
    if (drawn % MOVES_ONE_IN !== 0) continue
    const { min, max } = MOVE_PER_MILLE
    const step = (min + (Math.floor(drawn / 8) % (max - min + 1))) / 1000
    // At 20 % above its level a price only falls, at 20 % below it only rises.
    const rises = Math.floor(drawn / 4096) % 1000 < 500 - (factor - 1) * 2500
    factor *= rises ? 1 + step : 1 - step
  }
  return factor
}

/** A price in parts, rounded as shops do: finer for small amounts, coarser for large ones, by at most 0.25 %. */
function roundedPrice(price: number, currency: string): number {
  const parts = price * PRICE_PARTS
  const finest = WITHOUT_DECIMALS.has(currency) ? PRICE_PARTS : 1
  let step = finest
  for (const next of ROUND_STEPS) if (next >= finest && parts >= next * 200) step = next
  return Math.max(step, Math.round(parts / step) * step)
}
/** 0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 10 ... of the currency, in parts. */
const ROUND_STEPS = [10, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000]

/** "12.50", "0.385", "1200": at least the decimals that its currency is written with. */
function decimalText(parts: number, currency: string): string {
  const whole = Math.floor(parts / PRICE_PARTS)
  const fraction = String(parts % PRICE_PARTS)
    .padStart(4, '0')
    .replace(/0{1,2}$/, '')
  return WITHOUT_DECIMALS.has(currency) ? String(whole) : `${whole}.${fraction}`
}

function isSlipDay(vendorKey: string, dayNumber: number): boolean {
  return dayNumber % SLIP_EVERY_DAYS === hashOf(vendorKey, 'slip') % SLIP_EVERY_DAYS
}

function isCurrencyChanged(week: number): boolean {
  return Math.floor(week / CURRENCY_WEEKS) % 2 === 1
}

function isVanished(week: number): boolean {
  return week % VANISHING.everyWeeks >= VANISHING.everyWeeks - VANISHING.weeks
}

function otherCurrency(vendor: Vendor): string {
  return vendor.currency === 'USD' ? 'EUR' : 'USD'
}

function perEuro(currency: string): number {
  return PER_EURO[currency] ?? Number.NaN
}

// What a vendor carries -----------------------------------------------------------------------------------------------

/** The vendors of the trade that have a name for the product: all of them if it is common, else a few. */
function carriersOf(product: Product, vendors: readonly Vendor[]): ReadonlySet<Vendor> {
  const able = vendors.filter(
    ({ trades, locale }) => trades.includes(product.trade) && spellingsOf(product.names, locale).length > 0,
  )
  if (product.isCommon) return new Set(able)
  const { min, max } = CARRIERS
  const count = min + (hashOf(product.key, 'carriers') % (max - min + 1))
  return new Set(byLot(able, ({ key }) => hashOf(key, product.key, 'carried')).slice(0, count))
}

function skusOf({ vendor, products, book }: { vendor: Vendor; products: readonly Product[]; book: Book }): SampleSku[] {
  const refs = new Set<string>()
  const skus = products.map((product): SampleSku => {
    const unit = unitOf({ vendor, product, book })
    const ref = refOf(vendor, product, refs)
    refs.add(ref)
    const ownPack = product.packs?.[vendor.region]
    return {
      product,
      ref,
      name: nameOf(vendor, product),
      ...unit,
      // Another pack is another trade item.
      gtin: ownPack === undefined ? (product.gtin ?? null) : null,
      manufacturerRef: ownPack === undefined ? (product.ref ?? null) : null,
      cpv: book.cpv[product.trade] ?? null,
      hasTiers: false,
      defect: null,
    }
  })
  return withDefects(vendor, withTiers(vendor, skus))
}

function withTiers(vendor: Vendor, skus: readonly SampleSku[]): SampleSku[] {
  const tiered = new Set(byLot(skus, ({ ref }) => hashOf(vendor.key, ref, 'tiers')).slice(0, vendor.tiers))
  return skus.map((sku) => ({ ...sku, hasTiers: tiered.has(sku) }))
}

/** Each defect of the vendor goes to a SKU of its own, a common one where there is one, so that others sell the same. */
function withDefects(vendor: Vendor, skus: readonly SampleSku[]): SampleSku[] {
  const plain = byLot(skus, ({ ref }) => hashOf(vendor.key, ref, 'defects')).filter(({ hasTiers }) => !hasTiers)
  plain.sort((a, b) => Number(b.product.isCommon) - Number(a.product.isCommon))
  const defectOf = new Map(vendor.defects.map((defect, i) => [plain[i], defect]))
  // A good that is sound apart from this lends its code to the one that is not.
  const lender = plain[vendor.defects.length]
  return skus.map((sku) => {
    const defect = defectOf.get(sku) ?? null
    if (defect === 'unknown_unit') return { ...sku, defect, unit: UNKNOWN_UNIT, pack: null }
    if (defect === 'two_goods_one_code') return { ...sku, defect, ref: lender?.ref ?? sku.ref }
    return { ...sku, defect }
  })
}
/** A word of the trade in no language. */
const UNKNOWN_UNIT = 'tramex'

/** In the order of the numbers drawn. */
function byLot<T>(entries: readonly T[], draw: (entry: T) => number): T[] {
  return entries
    .map((entry) => ({ entry, number: draw(entry) }))
    .sort((a, b) => a.number - b.number)
    .map(({ entry }) => entry)
}

function plantedIn(vendor: SampleVendor): PlantedDefect[] {
  const planted = vendor.skus.flatMap((sku): PlantedDefect[] => {
    const kind = sku.hasTiers ? 'quantity_tiers' : sku.defect
    return kind === null ? [] : [{ kind, vendor: vendor.key, ref: sku.ref, detail: detailOf({ vendor, sku, kind }) }]
  })
  if (!vendor.tax.included) return planted
  const detail = `prices include ${vendor.tax.rate} of tax`
  return [...planted, { kind: 'tax_included', vendor: vendor.key, ref: null, detail }]
}

function detailOf({
  vendor,
  sku,
  kind,
}: {
  vendor: SampleVendor
  sku: SampleSku
  kind: DefectKind | 'quantity_tiers'
}): string {
  switch (kind) {
    case 'unknown_unit':
      return `unit '${sku.unit}' is in no table`
    case 'broken_row':
      if (vendor.file.format === 'jsonl') return 'the line ends in its middle'
      return breaksPrice(vendor) ? `the price is '${NO_PRICE}'` : 'the row has a field too many'
    case 'price_x100':
      return `on every ${SLIP_EVERY_DAYS}th day the price is 100 times too high`
    case 'currency_changed':
      return `in ${otherCurrency(vendor)} for ${CURRENCY_WEEKS} weeks of ${2 * CURRENCY_WEEKS}`
    case 'vanished_sku':
      return `missing for ${VANISHING.weeks} weeks of ${VANISHING.everyWeeks}`
    case 'two_goods_one_code': {
      const names = vendor.skus.filter(({ ref }) => ref === sku.ref).map(({ name }) => `'${name}'`)
      return `two goods: ${names.join(', ')}`
    }
    case 'quantity_tiers':
      return `prices from ${TIERS.map(({ from }) => from).join(', ')} on`
  }
}

/** The vendor's unit, pack and price level of one sold unit. */
function unitOf({
  vendor,
  product,
  book,
}: {
  vendor: Vendor
  product: Product
  book: Book
}): Pick<SampleSku, 'unit' | 'pack' | 'level'> {
  const lang = languageOf(vendor.locale)
  const spelled = (unit: Unit) => {
    const spellings = book.units[vendor.locale]?.[unit] ?? book.units[lang]?.[unit] ?? [unit]
    return spellings[hashOf(vendor.key, unit) % spellings.length] as string
  }
  const pack = product.packs?.[vendor.region] ?? product.pack
  const unit = spelled(product.unit)
  // A spelling may be another measure (SF for m2), and a region may have another pack.
  const packed = pack && { pack: { quantity: String(pack.quantity), unit: pack.unit } }
  const factor = conversionFactor(sold(product.unit, product.pack), soldUnit({ unit, lang, ...packed }))
  const perUnit = factor === null ? 1 : Number(factor.n) / Number(factor.d)
  const regional = PRICE_LEVELS[vendor.region]?.[product.kind] ?? 1
  const ownShare = 0.93 + 0.14 * shareOf(vendor.key, product.key, 'level')
  const level = product.eur * perUnit * regional * perEuro(vendor.currency) * vendor.level * ownShare
  if (pack === undefined) return { unit, pack: null, level }
  const contents = { quantity: String(pack.quantity), unit: pack.unit === 'u' ? spelled('u') : pack.unit }
  if (vendor.columns.pack_quantity !== undefined) return { unit, pack: contents, level }
  // In a text with its unit three decimals would read as thousands.
  const quantity = String(Math.round(pack.quantity * 100) / 100).replace('.', vendor.file.decimal)
  return {
    unit: lang === 'en' ? `${quantity} ${contents.unit} ${unit}` : `${unit} ${quantity} ${contents.unit}`,
    pack: null,
    level,
  }
}

function sold(unit: string, pack?: Pack): SoldUnit {
  return soldUnit({ unit, lang: 'en', ...(pack && { pack: { quantity: String(pack.quantity), unit: pack.unit } }) })
}

/** The vendor's code in its own style, `#` standing for a digit; drawn again as long as it is taken. */
function refOf(vendor: Vendor, product: Product, taken: ReadonlySet<string>): string {
  for (let attempt = 0; attempt < REF_ATTEMPTS_MAX; attempt++) {
    const digits = BigInt(`0x${sha256Hex(`${vendor.key} ${product.key} ref ${attempt}`)}`).toString()
    const ref = vendor.ref.replace(/#/g, (_, at: number) => digits[at + 1] as string)
    if (!taken.has(ref)) return ref
  }
  throw new InvalidSample([`vendors.yaml: vendors[${vendor.key}].ref: '${vendor.ref}' has too few # for its goods`])
}
const REF_ATTEMPTS_MAX = 100

function nameOf(vendor: Vendor, product: Product): string {
  const [first, ...others] = spellingsOf(product.names, vendor.locale) as [string, ...string[]]
  const isFirst = shareOf(vendor.key, product.key, 'spelling') < FIRST_SPELLING_SHARE
  const other = others[hashOf(vendor.key, product.key, 'other spelling') % others.length]
  const name = isFirst ? first : (other ?? first)
  const isPlain = shareOf(vendor.key, product.key, 'plain') < PLAIN_SPELLING_SHARE
  const written = isPlain ? name.replace(/[()]|,(?= )/g, '') : name
  return vendor.letters === 'upper' ? written.toUpperCase() : written
}

function spellingsOf(names: Product['names'], locale: string): readonly string[] {
  return names[locale] ?? names[languageOf(locale)] ?? []
}

function languageOf(locale: string): Language {
  return locale.slice(0, 2) as Language
}

function homeOf(vendor: Vendor): string {
  return `https://www.${vendor.key}.example`
}

// Lots and days -------------------------------------------------------------------------------------------------------

/** 32 bits of the hash of the parts. */
function hashOf(...parts: readonly string[]): number {
  return Number.parseInt(sha256Hex(parts.join(' ')).slice(0, 8), 16)
}

/** The hash of the parts as a number from 0 to below 1. */
function shareOf(...parts: readonly string[]): number {
  return hashOf(...parts) / 2 ** 32
}

/** 32 well-mixed bits of two numbers: the finalizer of MurmurHash3. Thousands of weeks are too many for SHA-256. */
function mixed(seed: number, week: number): number {
  let bits = seed ^ Math.imul(week, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Days since 1970-01-01. */
function dayNumberOf(day: string): number {
  if (!Day.safeParse(day).success) throw new RangeError(`day '${day}': expected YYYY-MM-DD`)
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

function dayText(dayNumber: number): string {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, 10)
}

function dateText(vendor: Vendor, dayNumber: number): string {
  const [year = '', month = '', day = ''] = dayText(dayNumber).split('-')
  return (vendor.file.date ?? 'YYYY-MM-DD').replace('YYYY', year).replace('MM', month).replace('DD', day)
}

// The files -----------------------------------------------------------------------------------------------------------

const DATE_ORDER = {
  'DD/MM/YYYY': 'dmy',
  'DD-MM-YYYY': 'dmy',
  'DD.MM.YYYY': 'dmy',
  'MM/DD/YYYY': 'mdy',
  'YYYY-MM-DD': 'ymd',
} as const

/** What a list may have a column for; all else is the same for a whole list. */
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
type ColumnKey = (typeof COLUMN_KEYS)[number]
const REQUIRED_COLUMNS = ['vendor_ref', 'name', 'unit', 'price'] as const satisfies readonly ColumnKey[]

const Key = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected kebab case')
const Locale = z.string().regex(/^(es|en|pt|fr|de)(-[A-Z]{2})?$/, 'expected a locale such as es or es-MX')
const LANGUAGES = ['es', 'en', 'pt', 'fr', 'de'] as const
type Language = (typeof LANGUAGES)[number]
const Region = z
  .string()
  .refine((region) => region in PRICE_LEVELS, `expected one of ${Object.keys(PRICE_LEVELS).join(', ')}`)
const Text = z.string().trim().min(1)

const MEASURES = ['m', 'm2', 'm3', 'kg', 't', 'l', 'h', 'day'] as const
const CONTAINERS = ['bag', 'sack', 'box', 'roll', 'sheet', 'pail', 'can', 'bar', 'bundle'] as const
const Unit = z.enum([...MEASURES, 'u', 'pair', 'set', ...CONTAINERS])
type Unit = z.infer<typeof Unit>
const HoldsNothing = z.enum(MEASURES)

type Pack = z.infer<typeof Pack>
const Pack = z.strictObject({ quantity: z.number().positive(), unit: Text })

const ProductEntry = z.strictObject({
  /** Unique over all files. */
  key: Key,
  /** Net trade price in euros for one sold unit with its pack, at the level of Spain. */
  eur: z.number().positive(),
  unit: Unit,
  /** Contents of one sold unit. */
  pack: Pack.optional(),
  /** Other packs, by region; the price goes by the contents. */
  packs: z.record(Region, Pack).optional(),
  gtin: z
    .string()
    .regex(/^952\d{10}$/, 'expected 13 digits that begin with 952, which GS1 keeps for examples')
    .refine(hasCheckDigit, 'the last digit is not the check digit of the others')
    .optional(),
  /** The manufacturer's reference. */
  ref: Text.optional(),
  /** Spellings by locale, the common one first. */
  names: z
    .record(Locale, z.array(Text).min(1))
    .refine(
      ({ es, en, pt }) => es !== undefined && en !== undefined && pt !== undefined,
      'expected names in es, en and pt',
    ),
})

const Path = z.array(Text).min(1).max(6)
const TradeFile = z.strictObject({
  trade: Key,
  kind: ProductKind,
  /** Where a vendor files the trade, by the vendor's language. */
  category: z.strictObject({ es: Path, en: Path, pt: Path, fr: Path.optional(), de: Path.optional() }),
  /** The most common goods first. */
  products: z.array(ProductEntry).min(1),
})
type TradeFile = z.infer<typeof TradeFile>

type Product = Readonly<
  z.infer<typeof ProductEntry> &
    Pick<TradeFile, 'trade' | 'kind' | 'category'> & {
      /** Whether every vendor of the trade carries it. */
      isCommon: boolean
    }
>

const VendorEntry = z
  .strictObject({
    key: Key,
    name: Text,
    region: Region,
    locale: Locale,
    currency: z.string().refine((code) => code in PER_EURO, `expected one of ${Object.keys(PER_EURO).join(', ')}`),
    kind: SourceKind,
    trust: z.int().min(0).max(100),
    /** Only where it is not that of the kind. */
    validity_days: z.int().min(1).optional(),
    /** Whether the prices include tax, and its rate ("0.21") where it is known. */
    tax: z
      .strictObject({ included: z.boolean(), rate: Decimal.optional() })
      .refine(({ included, rate }) => !included || rate !== undefined, 'expected a rate where tax is included'),
    /** Factor on all prices of the vendor. */
    level: z.number().min(0.5).max(2),
    trades: z.array(Key).min(1),
    /** Style of its codes, `#` standing for a digit. */
    ref: z.string().regex(/^[^#]*(#[^#]*){4,16}$/, 'expected 4 to 16 times #'),
    letters: z.enum(['written', 'upper']),
    file: z.strictObject({
      format: z.enum(['csv', 'jsonl']),
      delimiter: z.enum([',', ';']).optional(),
      decimal: z.enum([',', '.']),
      encoding: z.enum(['utf-8', 'windows-1252']),
      /** How the date column writes a day; without one the list is of the day it is published. */
      date: z.enum(Object.keys(DATE_ORDER) as (keyof typeof DATE_ORDER)[]).optional(),
    }),
    /** Headings, in the order of the columns. */
    columns: z.partialRecord(z.enum(COLUMN_KEYS), Text),
    /** How many goods have prices by quantity. */
    tiers: z.int().min(0).default(0),
    defects: z.array(z.enum(DEFECT_KINDS)),
  })
  .superRefine(({ file, columns, tiers, defects }, context) => {
    const expect = (holds: boolean, path: string[], message: string) => {
      if (!holds) context.addIssue({ code: 'custom', path, message })
    }
    for (const key of REQUIRED_COLUMNS) expect(columns[key] !== undefined, ['columns', key], 'expected a heading')
    expect(
      (columns.pack_quantity === undefined) === (columns.pack_unit === undefined),
      ['columns'],
      'expected pack_quantity and pack_unit, or neither',
    )
    expect(
      (columns.observed_at === undefined) === (file.date === undefined),
      ['file', 'date'],
      'expected together with a column observed_at, or neither',
    )
    expect(
      tiers === 0 || columns.min_quantity !== undefined,
      ['columns', 'min_quantity'],
      'expected a heading, for the tiers',
    )
    expect(
      !defects.includes('currency_changed') || columns.currency !== undefined,
      ['columns', 'currency'],
      'expected a heading, for currency_changed',
    )
    expect(
      (file.format === 'csv') === (file.delimiter !== undefined),
      ['file', 'delimiter'],
      'expected for csv, and only there',
    )
    expect(
      file.format === 'csv' || (file.decimal === '.' && file.encoding === 'utf-8'),
      ['file'],
      "expected decimal '.' and utf-8, which JSON has",
    )
  })
type Vendor = Readonly<z.infer<typeof VendorEntry>>

const Book = z.strictObject({
  /** Locale or language → unit → how vendors spell it. */
  units: z.record(Locale, z.partialRecord(Unit, z.array(Text).min(1))),
  vendors: z.array(VendorEntry).min(1),
  /** Trade → code, for the lists with such a column. */
  cpv: z.record(Key, z.string().regex(/^\d{8}(-\d)?$/, 'expected 8 digits')),
})
type Book = z.infer<typeof Book>

function readVendors(text: string): Book {
  return read({ text, schema: Book, file: 'vendors.yaml' })
}

function readTrade(text: string, number: number): TradeFile {
  const trade = /^trade: *(\S+)/m.exec(text)?.[1]
  return read({
    text,
    schema: TradeFile,
    file: trade === undefined ? `products file ${number}` : `products/${trade}.yaml`,
  })
}

function read<T>({ text, schema, file }: { text: string; schema: z.ZodType<T>; file: string }): T {
  let value: unknown
  try {
    value = parseYaml(text, { maxAliasCount: 0 })
  } catch (cause) {
    throw new InvalidSample([`${file}: expected YAML: ${(cause as Error).message.split('\n')[0]}`], { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${file}: ${placeIn(value, path)}: ${message}`)
  throw new InvalidSample(problems, { cause: parsed.error })
}

/** "products[plasterboard-13].eur": entries of a list by their key. */
function placeIn(value: unknown, path: readonly PropertyKey[]): string {
  let at: unknown = value
  let place = ''
  for (const step of path) {
    at = (at as Record<PropertyKey, unknown> | null | undefined)?.[step]
    if (typeof step === 'number') place += `[${(at as { key?: string } | null | undefined)?.key ?? step}]`
    else place += `${place === '' ? '' : '.'}${String(step)}`
  }
  return place === '' ? 'the file' : place
}

/** What each file alone cannot show. */
function contradictions(files: readonly TradeFile[], book: Book): string[] {
  const products = files.flatMap(({ trade, products }) => products.map((product) => ({ trade, ...product })))
  const placeOf = (product: { trade: string; key: string }) =>
    `products/${product.trade}.yaml: products[${product.key}]`
  const trades = new Set(files.map(({ trade }) => trade))
  return [
    ...repeated(files, ({ trade }) => trade).map(
      ({ trade }) => `products/${trade}.yaml: trade: expected in one file only`,
    ),
    ...repeated(products, ({ key }) => key).map((product) => `${placeOf(product)}.key: expected in one place only`),
    ...repeated(products, ({ gtin }) => gtin).map(
      (product) => `${placeOf(product)}.gtin: ${product.gtin} is another product's`,
    ),
    ...repeated(products, ({ ref }) => ref).map(
      (product) => `${placeOf(product)}.ref: ${product.ref} is another product's`,
    ),
    ...products.flatMap((product) =>
      Object.entries(product.packs ?? {}).flatMap(([region, pack]) =>
        product.pack && conversionFactor(sold(product.unit, product.pack), sold(product.unit, pack))
          ? []
          : [`${placeOf(product)}.packs.${region}: expected contents that convert to those of pack`],
      ),
    ),
    ...products
      .filter(({ unit, pack }) => pack !== undefined && HoldsNothing.safeParse(unit).success)
      .map((product) => `${placeOf(product)}.pack: expected only where the unit is a container, not ${product.unit}`),
    ...repeated(book.vendors, ({ key }) => key).map(({ key }) => `vendors.yaml: vendors[${key}].key: expected once`),
    ...repeated(book.vendors, ({ name }) => name).map(({ key }) => `vendors.yaml: vendors[${key}].name: expected once`),
    ...book.vendors.flatMap(({ key, trades: own }) =>
      own
        .filter((trade) => !trades.has(trade))
        .map((trade) => `vendors.yaml: vendors[${key}].trades: expected a file products/${trade}.yaml`),
    ),
  ]
}

/** The entries whose value an earlier one has; undefined is no value. */
function repeated<T>(entries: readonly T[], value: (entry: T) => string | undefined): T[] {
  const seen = new Set<string | undefined>()
  return entries.filter((entry) => {
    const its = value(entry)
    const isRepeated = its !== undefined && seen.has(its)
    seen.add(its)
    return isRepeated
  })
}

/** EAN-13: digits weighted 1, 3, 1, 3 ... add up to a multiple of ten (GS1 General Specifications, 7.9). */
function hasCheckDigit(gtin: string): boolean {
  return [...gtin].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0
}
