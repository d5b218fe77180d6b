import { parsePrice } from '@catalog/core/money/money.ts'
import { foldText } from '@catalog/core/text.ts'
import { canonicalUnit } from '@catalog/core/units/unit-translator.ts'
import { columnsOf, type Given, type ResolvedMapping } from '@catalog/formats/mapping/columns.ts'
import {
  type Columns,
  IDENTITY_KEYS,
  MAPPING_KEYS,
  type MappingKey,
  REQUIRED_KEYS,
} from '@catalog/formats/mapping/mapping-keys.ts'
import { type ShopSystem, shopExportOf } from '@catalog/formats/mapping/shop-exports.ts'
import {
  currencyIn,
  GOODS,
  KEY_HEADINGS,
  PRICE_UNITS,
  QUANTITIES,
  TOTALS,
  taxInWords,
  withoutCurrency,
  wordsOf,
} from './heading-vocabulary.ts'

/**
 * Resolves a mapping for a file with these headings. A given column matches its exact heading, else one that differs
 * only in case, accents or blanks. Without given columns, takes those of a shop system whose export the headings are, else
 * guesses them from well-known headings. No guess says who speaks ({@link IDENTITY_KEYS}). `missing` describes
 * absent columns, and required keys that nothing provides. `price`: the column that a guess has to take.
 */
export function resolveMapping(
  mapping: Given,
  headings: readonly string[],
  price?: string,
): { resolved: ResolvedMapping; missing: readonly string[] } {
  const constants = definedOf(mapping.constants ?? {})
  const given = definedOf(mapping.columns ?? {})
  const missing: string[] = []
  const columns: Partial<Record<MappingKey, Columns>> = {}
  let guessed: MappingKey[] = []
  let shopSystem: ShopSystem | null = null
  if (Object.keys(given).length > 0) {
    const folded = new Map(headings.map((heading) => [foldText(heading), heading]))
    const exact = new Set(headings)
    const find = (key: string, column: string): string => {
      const found = exact.has(column) ? column : folded.get(foldText(column))
      if (found === undefined) missing.push(`${key}: no column '${column}'`)
      return found ?? column
    }
    for (const [key, spec] of Object.entries(given) as [MappingKey, Columns][]) {
      if (typeof spec === 'string') columns[key] = find(key, spec)
      else if ('column' in spec) columns[key] = { ...spec, column: find(key, spec.column) }
      else columns[key] = spec.map((column) => find(key, column))
    }
  } else {
    const shop = shopExportOf(headings)
    shopSystem = shop?.system ?? null
    const guess = shop === null ? guessColumns(headings, price) : { columns: shop.columns, stated: {} }
    for (const key of MAPPING_KEYS)
      if (guess.columns[key] !== undefined && constants[key] === undefined) columns[key] = guess.columns[key]
    for (const [key, value] of Object.entries(shop?.constants ?? {}) as [MappingKey, string][]) constants[key] ??= value
    guessed = Object.keys(columns) as MappingKey[]
    for (const [key, value] of Object.entries(guess.stated) as [MappingKey, string | null][]) {
      if (value === null || columns[key] !== undefined || constants[key] !== undefined) continue
      constants[key] = value
      guessed.push(key)
    }
  }
  for (const key of REQUIRED_KEYS) {
    if (columns[key] === undefined && constants[key] === undefined)
      missing.push(`${key}: no column or constant gives it`)
  }
  return { resolved: { columns, constants, guessed, ...(shopSystem && { shopSystem }) }, missing }
}

function definedOf<T>(record: Partial<Record<MappingKey, T | undefined>>): Partial<Record<MappingKey, T>> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Record<MappingKey, T>>
}

/**
 * Completes guessed columns by the values below a heading of the price unit, such as "Price unit" or "je": whole numbers are
 * the quantity that the price is for, and words its unit. An empty column may hold numbers beyond the sample. `valuesOf` gives a
 * sample of a column.
 */
export function withPriceUnit(
  resolved: ResolvedMapping,
  headings: readonly string[],
  valuesOf: (heading: string) => readonly string[],
): ResolvedMapping {
  const { columns, guessed, shopSystem } = resolved
  if (guessed.length === 0 || shopSystem !== undefined) return resolved
  const { per_quantity: known, ...others } = columns
  const used = new Set(Object.values(others).flatMap(columnsOf))
  const heading = headings.find((heading) => PRICE_UNITS.has(wordsOf(heading)) && !used.has(heading))
  if (heading === undefined || (known !== undefined && known !== heading)) return resolved
  const unit = columns.unit === undefined ? [] : columnsOf(columns.unit).flatMap(valuesOf)
  // "UOM Qty" beside boxes tells their contents, and the price is for a box.
  if (wordsOf(heading).startsWith('uom') && unit.some((text) => CONTAINER.test(text.trim()))) return resolved
  const sample = valuesOf(heading)
  const values = sample.map((value) => value.trim()).filter((value) => value !== '')
  const priceUnitAs = (key: MappingKey, rest: ResolvedMapping['columns']): ResolvedMapping => ({
    ...resolved,
    columns: { ...rest, [key]: heading },
    guessed: [...new Set([...guessed.filter((key) => rest[key] !== undefined || key === 'currency'), key])],
  })
  if (values.length === 0 || values.some(isWholeNumber)) return priceUnitAs('per_quantity', columns)
  // "price.unit" of a program may be its currency.
  const isUnit = values.every((value) => /^(\d+\s?)?\p{L}/u.test(value) && !parsePrice(`1 ${value}`)?.mark)
  if (!isUnit || (columns.unit !== undefined && values.length < sample.length)) return resolved
  return priceUnitAs('unit', others)
}

const CONTAINER =
  /^(bx|box|pk|pkt|pack|pkg|pac|cs|case|ct|ctn|carton|bg|bag|rl|roll|plt|pallet|bdl|bundle|set|kit|dr|drum|pail|tub|can|bt|bottle)\b/i

/** "100", "1.000", "100,00": a quantity as a program prints it. */
const isWholeNumber = (value: string) => /^[1-9]\d{0,2}([.,' ]?\d{3})*([.,]0+)?$/.test(value)

/**
 * Guesses columns from well-known headings in Spanish, English, Portuguese, French, German and Italian. Each key takes
 * the first known heading, and each heading serves one key. Also finds what the price's heading states: a currency ("PVP (EUR)"),
 * a tax ("Preis (exkl. MwSt.)") and a unit ("€/m²").
 */
export function guessColumns(
  headings: readonly string[],
  price?: string,
): {
  columns: Partial<Record<MappingKey, string>>
  stated: Readonly<Record<'currency' | 'tax_included' | 'unit', string | null>>
} {
  const plain = headings.map((heading) => ({
    heading,
    words: wordsOf(heading),
    bare: wordsOf(withoutCurrency(heading)),
  }))
  const columns: Partial<Record<MappingKey, string>> = price === undefined ? {} : { price }
  const used = new Set(Object.values(columns))
  const hasQuantities = plain.some(({ words }) => QUANTITIES.has(words))
  for (const key of MAPPING_KEYS) {
    if (IDENTITY_KEYS.has(key) || columns[key] !== undefined) continue
    for (const words of KEY_HEADINGS.get(key) ?? []) {
      if (hasQuantities && TOTALS.has(words)) continue
      const found = plain.find(
        (column) => !used.has(column.heading) && (column.words === words || column.bare === words),
      )
      if (found === undefined) continue
      columns[key] = found.heading
      used.add(found.heading)
      break
    }
  }
  // A file with descriptions and no names: the description serves as the name.
  if (columns.name === undefined && columns.description !== undefined) {
    columns.name = columns.description
    delete columns.description
  }
  // "Ref.; Artículo; Precio": such headings as often head codes, so they name goods only beside a code column.
  const goods = plain.find(({ heading, words }) => !used.has(heading) && GOODS.has(words))
  if (columns.name === undefined && goods !== undefined) columns.name = goods.heading
  const { heading, tax, unit } = priceHeading(plain, columns.price)
  if (heading === null) return { columns, stated: { currency: null, tax_included: null, unit: null } }
  if (unit !== null) delete columns.unit
  const stated = { currency: currencyIn(heading), tax_included: tax, unit }
  return { columns: { ...columns, price: heading }, stated }
}

type Heading = Readonly<{ heading: string; words: string; bare: string }>
type PriceHeading = Readonly<{ heading: string | null; tax: 'yes' | 'no' | null; unit: string | null }>

/** The heading of the price with what it states, where no plain heading (`known`) names it; of several nobody knows which. */
function priceHeading(plain: readonly Heading[], known: string | undefined): PriceHeading {
  if (known !== undefined) {
    const tax = taxInWords(wordsOf(withoutCurrency(known)))?.included ?? null
    return { heading: known, tax, unit: null }
  }
  const isPrice = (words: string) => words === '' || KEY_HEADINGS.get('price')?.includes(words) === true
  const found = plain.flatMap(({ heading, words, bare }): PriceHeading | [] => {
    const tax = taxInWords(bare) ?? taxInWords(words)
    if (tax !== null && tax.rest !== '' && isPrice(tax.rest)) return { heading, tax: tax.included, unit: null }
    const [, before = '', text = ''] = /^(.*?)\s*(?:\/|\bper\b|\bpro\b|\bpor\b)\s*([^\s/()]+)$/i.exec(heading) ?? []
    const unit = text === '' ? null : canonicalUnit(text)
    const isOfPrice = before.trim() !== '' && isPrice(wordsOf(withoutCurrency(before)))
    return unit !== null && isOfPrice ? { heading, tax: null, unit: text } : []
  })
  const [only] = found
  return only !== undefined && found.length === 1 ? only : { heading: null, tax: null, unit: null }
}
