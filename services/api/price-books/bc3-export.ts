import { sha256Hex } from '@catalog/core/digest.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import type { Recipe, RecipeComponent, RecipeRule } from '@catalog/core/events/recipes.ts'
import { exactMedian } from '@catalog/core/median/methods.ts'
import { exponentOf, formatMoney } from '@catalog/core/money/money.ts'
import { compare, majorOf, multiply, ONE, type Rational } from '@catalog/core/money/rational.ts'
import { amountPlaces, decimalText } from '@catalog/core/recipes/amounts.ts'
import { componentSkuId, type Kind } from '@catalog/core/recipes/recipe-cost.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import type {
  Bc3Entry,
  CoefficientsEntry,
  DecompositionLine,
  Suffix,
  VersionEntry,
} from '@catalog/formats/bc3/entries.ts'
import { formatDecimal } from '@catalog/formats/bc3/price-book/decimal.ts'
import { fromRecipeRule } from '@catalog/formats/bc3/price-book/pricing-rule.ts'
import type { BookItem } from '@catalog/store/catalog/price-book.ts'

/**
 * The catalog as FIEBDC-3 entries, by pure functions. Chapters are categories; concepts are items and the components of
 * their recipes; prices are medians under the labels of ~V; the thesaurus holds the procurement code.
 */

/** One column of prices. */
export type PriceLabel = Readonly<{
  /** null: the headline median; `recipe`: the prices of the recipe's own file. */
  region: string | null | 'recipe'
  currency: string
  name: string
}>

/** The column of a region (null: the headline) in one currency: "ES EUR", "EUR". */
export function labelOf({ region, currency }: { region: string | null; currency: string }): PriceLabel {
  return { region, currency, name: region === null ? currency : `${region} ${currency}` }
}

export type BookHead = Readonly<{
  labels: readonly PriceLabel[]
  /** Date of the last run, YYYY-MM-DD. */
  date: string
  /** Absolute address of the API. */
  baseUrl: string
  /** The pricing rule of the first label's recipe, in a file of one recipe. */
  rule?: RecipeRule | undefined
}>

const OWNER = 'Construction Cost Catalog'

/** ~V and ~K: each label has its currency; the first one has the decimals and the indirect cost of the rule. */
export function headEntries({ labels, date, baseUrl, rule }: BookHead): [VersionEntry, CoefficientsEntry] {
  return [
    {
      letter: 'V',
      line: 1,
      owner: OWNER,
      version: 'FIEBDC-3/2020',
      date,
      program: 'catalog',
      header: 'Median price',
      labels: labels.map(({ name }) => name),
      charset: '',
      comment: '',
      informationType: PRICE_BASE,
      certificationNumber: '',
      certificationDate: '',
      url: baseUrl,
    },
    {
      letter: 'K',
      line: 1,
      decimals: labels.map(({ currency }, at) => {
        const places = String(amountPlaces(currency))
        const [line, total] = rule && at === 0 ? [rule.line_decimals, rule.total_decimals].map(writtenPlaces) : []
        const [di = places, dc = places] = [line, total]
        return { dn: '2', dd: '2', ds: '2', dr: YIELD_PLACES, di, dp: places, dc, dm: places, currency }
      }),
      indirect: rule === undefined ? null : formatDecimal(fromRecipeRule(rule).indirect),
      overhead: null,
      profit: null,
      discount: null,
      tax: null,
      extended: [],
      n: '',
    },
  ]
}
const PRICE_BASE = '1'

/** Unrounded amounts have no number of decimals: those of yields are enough to add up. */
const writtenPlaces = (places: number | null) => (places === null ? YIELD_PLACES : String(places))
/** More than any vendor uses; it does not round the yields, which keep their recorded text. */
const YIELD_PLACES = '6'

/** Longest code of the standard, which most programs enforce. */
const CODE_CHARS_MAX = 20
/** The code of an item: the first 20 characters of its id, which keep 85 bits. A synonym holds the whole id. */
export const itemCode = (itemId: string): string => itemId.slice(0, CODE_CHARS_MAX)
/** The code of a chapter, without its `#`. */
export const chapterCode = (categoryId: string): string => categoryId.slice(0, CODE_CHARS_MAX - 1)

export type Concept = Readonly<{
  code: string
  suffix?: Suffix
  synonyms?: readonly string[]
  unit: string | null
  name: string
  /** One price per label; absent for chapters. */
  prices?: readonly string[]
  date?: string
  type?: string
  cpv?: string | null
  text?: string
  /** The lines of a recipe, or the contents of a chapter. */
  lines?: readonly Pick<DecompositionLine, 'code' | 'suffix' | 'factor' | 'yield'>[]
}>

/** ~C, and ~T, ~A and ~D for the text, the procurement code and the recipe, if any. */
export function conceptEntries(concept: Concept): Bc3Entry[] {
  const { code, suffix = '', synonyms = [], unit, name, prices = [], date, type = '0', cpv, text } = concept
  const key = { line: 1, code, suffix }
  return [
    {
      ...key,
      letter: 'C',
      synonyms,
      unit: unit ?? '',
      summary: name.slice(0, SUMMARY_CHARS_MAX),
      prices,
      type,
      dates: date === undefined ? [] : [date],
    },
    ...(text === undefined ? [] : [{ ...key, letter: 'T' as const, text }]),
    ...(cpv == null ? [] : [{ ...key, letter: 'A' as const, keys: [`CPV ${cpv}`] }]),
    ...lineEntries(concept),
  ]
}
/** Programs show one line; a longer name goes into the text. */
const SUMMARY_CHARS_MAX = 200

/** Lines of one record, half of our reader's limit: a chapter of a hundred thousand items is one ~D and several ~Y. */
export const LINES_PER_RECORD = 20_000

/** The lines of a concept as ~D and ~Y, or as ~Y alone when `continued`. Empty without lines. */
export function lineEntries(
  { code, suffix = '', lines = [] }: Pick<Concept, 'code' | 'suffix' | 'lines'>,
  { continued = false }: { continued?: boolean } = {},
): Bc3Entry[] {
  const entries: Bc3Entry[] = []
  for (let at = 0; at < lines.length; at += LINES_PER_RECORD) {
    const piece = lines.slice(at, at + LINES_PER_RECORD).map((line) => ({ ...line, percentages: [] }))
    entries.push({ letter: at === 0 && !continued ? 'D' : 'Y', line: 1, code, suffix, lines: piece })
  }
  return entries
}

/** A line of a chapter. Some programs drop a line with a blank yield. */
export const chapterLine = (code: string, suffix: Suffix) => ({ code, suffix, factor: null, yield: '1' })

/** No price. A blank one would repeat the price of the label before. */
export const NO_PRICE = '0'

/** The price of an item under each label. */
export function itemPrices(item: BookItem, labels: readonly PriceLabel[]): string[] {
  return labels.map((label) => {
    const median = medianUnder(item, label)
    return median === null ? NO_PRICE : amountOf(median)
  })
}

/** Null without one, and for a currency of unknown exponent. */
function medianUnder({ item_json, markets }: BookItem, { region, currency }: PriceLabel): Money | null {
  const { median_price: headline } = JSON.parse(item_json) as PublicItem
  const median = region === null ? headline : region === 'recipe' ? null : markets[region]
  return median?.currency === currency && exponentOf(currency) !== null ? median : null
}
type Money = Readonly<{ cents: number; currency: string }>

/** Decimals of a price that was converted to another unit. */
const CONVERTED_PLACES = 6

/**
 * The price of a component under each label: the median of its item in the component's unit, or else the price of its
 * file where the currencies match.
 */
export function componentPrices(
  { component, currency }: { component: RecipeComponent; currency: string },
  { item, labels }: { item: BookItem | undefined; labels: readonly PriceLabel[] },
): string[] {
  const ofFile = (label: PriceLabel) => (label.currency === currency ? (component.price ?? NO_PRICE) : NO_PRICE)
  if (item === undefined) return labels.map(ofFile)
  const { unit } = JSON.parse(item.item_json) as PublicItem
  const factor = unitsIn(unit, component.unit)
  return labels.map((label) => {
    const median = medianUnder(item, label)
    if (median === null || factor === null) return ofFile(label)
    if (compare(factor, ONE) === 0) return amountOf(median)
    const minor = exactMedian(median, { basis: JSON.parse(item.basis), region: label.region ?? undefined })
    const major = majorOf(minor, exponentOf(median.currency) ?? 0)
    return decimalText(multiply(major, factor), { places: CONVERTED_PLACES, least: 2 })
  })
}

/** The factor from the price of an item unit to that of a component unit; null where the units do not convert. */
export function unitsIn(itemUnit: string | null, componentUnit: string | null): Rational | null {
  return conversionFactor(soldUnit({ unit: itemUnit }), soldUnit({ unit: componentUnit, lang: 'es', format: 'bc3' }))
}

function amountOf({ cents, currency }: { cents: number; currency: string }): string {
  // The text is "amount currency".
  return exponentOf(currency) === null ? NO_PRICE : (formatMoney(cents, currency).split(' ')[0] as string)
}

/** An item without its recipe. */
export function itemConcept(row: BookItem, { labels, date, baseUrl }: BookHead, type = '0'): Concept {
  const item = JSON.parse(row.item_json) as PublicItem
  const median = item.median_price
  const facts = [
    item.name,
    median === null
      ? 'No price at present'
      : `Median of ${item.vendor_count} vendors: ${amountOf(median)} ${median.currency}${item.unit === null ? '' : ` per ${item.unit}`}`,
    `${baseUrl}/items/${item.id}`,
  ]
  return {
    code: itemCode(item.id),
    synonyms: [item.id],
    unit: item.unit,
    name: item.name,
    prices: itemPrices(row, labels),
    date,
    type,
    cpv: item.cpv,
    text: facts.join('\n'),
  }
}

/** Types of ~C. */
const TYPES: Readonly<Record<Kind, string>> = {
  labor: '1',
  machinery: '2',
  material: '3',
  waste: '4',
  auxiliary: '0',
  percentage: '0',
  unclassified: '0',
}

/** Codes of components. They keep the vendor's own codes, because percentages select lines by code prefix. */
export class VendorCodes {
  readonly #taken = new Map<string, string>()

  /** The code of a SKU. When two SKUs share a code, the second one gets a suffix of its id. */
  of(skuId: string, vendorRef: string): string {
    const code = carriedCode(vendorRef)
    const holder = this.#taken.get(code)
    if (holder === undefined) this.#taken.set(code, skuId)
    return holder === undefined || holder === skuId ? code : `${code.slice(0, CODE_CHARS_MAX - 8)}_${idLetters(skuId)}`
  }
}

const VENDOR_CODE_CHARS_MAX = 36
const idLetters = (skuId: string) => sha256Hex(skuId).slice(0, 7)

/** A reference as a code: only characters of the standard, and no sign of a percentage or a family. */
function carriedCode(vendorRef: string): string {
  const code = vendorRef.replace(/[^A-Za-z0-9ñÑ._-]+/g, '_')
  return code.length <= VENDOR_CODE_CHARS_MAX ? code : `${code.slice(0, CODE_CHARS_MAX - 8)}_${idLetters(vendorRef)}`
}

/** Keeps the mask and the sign of a percentage; one that its unit alone shows gets the sign. */
function percentageCode(vendorRef: string): string {
  if (!/[%&]/.test(vendorRef)) return percentageCode(`%${vendorRef}`)
  const [mask = ''] = vendorRef.split(/[%&]/)
  const sign = vendorRef.slice(mask.length, mask.length + 1)
  const name = vendorRef.slice(mask.length + 1).replace(/[^A-Za-z0-9ñÑ._-]+/g, '_')
  return `${mask === '' ? '' : carriedCode(mask)}${sign}${name}`.slice(0, VENDOR_CODE_CHARS_MAX)
}

function componentCode(recipe: Recipe, component: RecipeComponent, codes: VendorCodes): string {
  const skuId = componentSkuId(recipe, component)
  return skuId === null ? percentageCode(component.vendor_ref) : codes.of(skuId, component.vendor_ref)
}

export function recipeLines(recipe: Recipe, codes: VendorCodes): NonNullable<Concept['lines']> {
  return recipe.components.map((component) => ({
    code: componentCode(recipe, component, codes),
    suffix: '',
    factor: component.factor,
    yield: component.yield,
  }))
}

/** A component as a concept, with its own recipe, if any. */
export function componentConcept(
  { recipe, component }: { recipe: Recipe; component: RecipeComponent },
  {
    head,
    item,
    own,
    codes,
  }: { head: BookHead; item: BookItem | undefined; own: Recipe | undefined; codes: VendorCodes },
): Concept {
  const linked = item && (JSON.parse(item.item_json) as PublicItem)
  return {
    code: componentCode(recipe, component, codes),
    unit: component.unit,
    name: component.name,
    prices: componentPrices({ component, currency: recipe.currency }, { item, labels: head.labels }),
    date: recipe.observed_at.slice(0, 10),
    type: TYPES[component.kind],
    ...(linked && { cpv: linked.cpv, text: `${linked.name}\n${head.baseUrl}/items/${linked.id}` }),
    ...(own && { lines: recipeLines(own, codes) }),
  }
}
