import { readDataFile } from '@catalog/core/data-file.ts'
import { foldText } from '@catalog/core/text.ts'
import { MAPPING_KEYS, type MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import { z } from 'zod'

/** Words of headings, folded, with single blanks for punctuation. */
const {
  keys: HEADINGS,
  words: WORDS,
  lists: LISTS,
} = z
  .strictObject({
    keys: z.partialRecord(z.enum(MAPPING_KEYS), z.string()),
    lists: z.record(z.string(), z.string()),
    words: z.record(z.string(), z.string()),
  })
  .parse(readDataFile(import.meta.url, 'headings.yaml'))

/** The headings that name each key, the most specific first; the key itself comes before all others. */
export const KEY_HEADINGS: ReadonlyMap<MappingKey, readonly string[]> = new Map(
  MAPPING_KEYS.map((key) => [key, [key.replaceAll('_', ' '), ...listed(HEADINGS[key] ?? '')]]),
)

function listed(headings: string): readonly string[] {
  return headings.split(/,\s+/).filter((heading) => heading !== '')
}

export const setOf = (list: string): ReadonlySet<string> => new Set(listed(LISTS[list] as string))

/**
 * Headings of the price unit: whole numbers below them are the quantity that a price is for (PEINH of SAP), words its unit.
 * Only the values tell which.
 */
export const PRICE_UNITS = setOf('price_units')

export const PRICE_HEADINGS: ReadonlySet<string> = new Set(KEY_HEADINGS.get('price'))

const wordsOfKind = (kind: string): ReadonlySet<string> => new Set(listed(WORDS[kind] as string))
const PRICE = wordsOfKind('price')
/** Words beside that of a price. */
const OF_PRICE = wordsOfKind('of_price')
const NET = wordsOfKind('net')
const AFTER = wordsOfKind('after')
const DISCOUNT = wordsOfKind('discount')
/** Words of something else than how much a discount is. */
const SORTS = wordsOfKind('sorts')

const areAll = (words: string, known: readonly ReadonlySet<string>[]) =>
  words.split(' ').every((word) => known.some((set) => set.has(word)))
const hasOne = (words: string, ...sets: readonly ReadonlySet<string>[]) =>
  words.split(' ').some((word) => sets.some((set) => set.has(word)))

/** "dto 1", "discount percentage", "taux de remise": a discount, and no group of discounts. */
export const isDiscount = (words: string) => {
  const apart = words.replace(/(\p{L})(\d)/gu, '$1 $2')
  return hasOne(apart, DISCOUNT) && !hasOne(apart, PRICE, AFTER, SORTS)
}

/** "neto", "precio con descuento", "preis nach rabatt": a price after a discount. */
export const isNetPrice = (words: string) =>
  areAll(words, [NET, PRICE, OF_PRICE, DISCOUNT, AFTER]) &&
  !isDiscount(words) &&
  (hasOne(words, NET) || (hasOne(words, DISCOUNT) && hasOne(words, PRICE, AFTER)))

/** "2026", "precio 2026": the price of a year. */
export function isPriceOfYear(words: string): boolean {
  const rest = words.replace(/\b(19|20)\d\d\b/, '').trim()
  return rest !== words && (rest === '' || areAll(rest, [PRICE, OF_PRICE]))
}

/** Beside a column of quantities, these head the total of a line instead of its unit price. */
export const TOTALS = setOf('totals')
export const QUANTITIES = setOf('quantities')
/** Headings of names that as often head codes. */
export const GOODS = setOf('goods')

/** A currency inside the heading of a price: "PVP (EUR)", "Price €". */
const CURRENCY_IN_HEADING = /€|£|\b(EUR|USD|GBP|BRL|MXN|CLP|COP|PEN|ARS|UYU|CHF|ESP)\b/i

/** The currency that a heading names, by its code. */
export function currencyIn(heading: string): string | null {
  const found = CURRENCY_IN_HEADING.exec(heading)?.[0]
  if (found === undefined) return null
  return found === '€' ? 'EUR' : found === '£' ? 'GBP' : found.toUpperCase()
}

export function withoutCurrency(heading: string): string {
  return heading.replace(new RegExp(CURRENCY_IN_HEADING.source, 'gi'), ' ')
}

const TAX = '(?:mwst|mehrwertsteuer|ust|umsatzsteuer|vat|iva|tva|btw|gst|tax|taxes|dph|igv)'
const WITHOUT = '(?:s|exkl|excl|exc|ex|excluding|ohne|zzgl|sin|hors|senza|sem|without)'
const WITH = '(?:c|inkl|incl|inc|including|mit|con|avec|with|com)'
const TAX_EXCLUDED = new RegExp(`\\b(?:${WITHOUT} ${TAX}|${TAX} (?:excl|exkl|excluded|excluido|no incluido))\\b`)
const TAX_INCLUDED = new RegExp(`\\b(?:${WITH} ${TAX}|${TAX} (?:incl|inkl|included|incluido|incluse|inclusa))\\b`)

/** "preis exkl mwst" → "preis" without tax; null for words that say nothing of a tax. */
export function taxInWords(words: string): Readonly<{ rest: string; included: 'yes' | 'no' }> | null {
  for (const [pattern, included] of [
    [TAX_EXCLUDED, 'no'],
    [TAX_INCLUDED, 'yes'],
  ] as const) {
    if (pattern.test(words)) return { rest: words.replace(pattern, ' ').replace(/\s+/g, ' ').trim(), included }
  }
  return null
}

/** "Cód. artículo (EAN)" → "cod articulo ean" */
export function wordsOf(heading: string): string {
  return foldText(heading)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
