import { dayText } from '@catalog/sample-market/calendar.ts'
import { decimalText, recipePrice, roundedPrice, walk } from './price-walk.ts'
import { hashOf } from './seeded-random.ts'
import type { SampleBook, SampleSku, SampleVendor } from './vendors.ts'

/**
 * The price book of a vendor on a day as FIEBDC-3 text: chapters, works with recipes and texts, site mixes, resources
 * and percentages. The prices of resources move as those of every list, and each recipe gives the price of its work to
 * the cent. Written here by hand, so that the product's reader is tested by another writer than its own.
 */
export function priceBookText(vendor: SampleVendor & { book: SampleBook }, dayNumber: number): string {
  const { book, skus, currency } = vendor
  const prices = pricesAt(vendor, dayNumber)
  const day = dayText(dayNumber).split('-').toReversed().join('')
  const conceptOf = (sku: SampleSku) => {
    const recipe = book.recipes.get(sku.ref)
    const price = decimalText(prices.get(sku.ref) as number, currency)
    const concept = `~C|${sku.ref}|${sku.unit}|${sku.name}|${price}|${day}|${recipe ? 0 : TYPES[sku.product.kind]}|`
    if (recipe === undefined) return [concept]
    const lines = recipe.lines.map(({ code, quantity }) => `${code}\\1\\${quantity}\\`)
    const shares = recipe.isWork ? book.percentages.map(({ code, rate }) => `${code}\\1\\${rate}\\`) : []
    return [
      concept,
      `~D|${sku.ref}|${[...lines, ...shares].join('')}|`,
      ...(recipe.text === null ? [] : [`~T|${sku.ref}|${recipe.text}|`]),
    ]
  }
  const records = [
    `~V|${vendor.name}|FIEBDC-3/2020\\${day}|${PROGRAM}|\\|ANSI||1|`,
    `~K|2\\2\\2\\4\\2\\2\\2\\2\\${currency}\\|0\\0\\0\\0\\0\\|`,
    `~C|${ROOT}##||${book.title}|||0|`,
    `~D|${ROOT}##|${book.chapters.map(({ code }) => `${code}#\\1\\1\\`).join('')}|`,
    ...book.chapters.flatMap(({ code, name, works }) => [
      `~C|${code}#||${name}|||0|`,
      `~D|${code}#|${works.map((work) => `${work}\\1\\1\\`).join('')}|`,
    ]),
    ...skus.flatMap(conceptOf),
    ...book.percentages.map(({ code, name }) => `~C|${code}|%|${name}|||0|`),
  ]
  return `${records.join('\r\n')}\r\n${END_OF_FILE}`
}

const PROGRAM = 'Mercado de muestra'
const ROOT = 'CUADRO'
/** ~C's types: labour, machinery, materials. */
const TYPES = { labour: 1, machinery: 2, material: 3, work: 0 } as const
const END_OF_FILE = '\u001a'

/** The price of each code on a day, in parts of a currency unit. */
function pricesAt(
  { key, skus, book, currency }: SampleVendor & { book: SampleBook },
  dayNumber: number,
): Map<string, number> {
  const week = Math.floor(dayNumber / 7)
  const prices = new Map<string, number>()
  for (const { ref, level, product } of skus) {
    if (!book.recipes.has(ref)) {
      prices.set(ref, roundedPrice(level * walk(hashOf(key, product.key, 'walk'), week), currency))
    }
  }
  const priceOf = (code: string): number => {
    const known = prices.get(code)
    if (known !== undefined) return known
    const recipe = book.recipes.get(code)
    if (recipe === undefined) throw new RangeError(`vendor '${key}': no price of code '${code}'`)
    const price = recipePrice(recipe, { percentages: book.percentages, priceOf })
    prices.set(code, price)
    return price
  }
  for (const code of book.recipes.keys()) priceOf(code)
  return prices
}
