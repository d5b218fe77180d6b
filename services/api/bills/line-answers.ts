import type { MatchResponse } from '@catalog/api/contract/contract.ts'
import type { ItemName } from '@catalog/core/events/items.ts'
import { exactMedian } from '@catalog/core/median/methods.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { majorOf, multiply, parseDecimal, type Rational, roundHalfEven } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import type { LineMatch } from '@catalog/search/ranking/bill-of-materials.ts'
import type { NamedItem } from '@catalog/store/catalog/queries.ts'

/** The parts of the answer for a line of a list. */

export type Matched = MatchResponse['lines'][number]

type Named = Readonly<{ names: readonly string[]; unit: string | null }>

/** Some 500 bytes each: lines have the same candidates again and again. */
const known = openMemo<Named>(20_000)

/** The names of an item, the headline first, and what it is sold by. */
export function namedOf({ item_json, names_json }: NamedItem): Named {
  return known(`${item_json}${names_json}`, () => {
    const { name, unit } = JSON.parse(item_json) as ItemOfLine
    const others = names_json === null ? [] : (JSON.parse(names_json) as readonly ItemName[])
    return { names: [...new Set([name, ...others.map((other) => other.name)])], unit: unit ?? null }
  })
}

/** An item as a line shows it, without its score. */
export type ItemOfLine = Omit<NonNullable<Matched['item']>, 'score'>

export function evidenceOf({ evidence }: LineMatch): NonNullable<Matched['evidence']> {
  return { ...evidence, words: rounded(evidence.words), meaning: rounded(evidence.meaning) }
}

/** Three decimals keep all the information of a score. */
export const rounded = (share: number) => Math.round(share * 1_000) / 1_000

/** Item units in a unit of the line, to the digits that the contract tells. */
const unitsNumber = (itemUnits: Rational | null): number | null =>
  itemUnits === null ? null : Number((Number(itemUnits.n) / Number(itemUnits.d)).toPrecision(UNITS_DIGITS))
const UNITS_DIGITS = 12

/** Decimal places of a quantity that count. */
const QUANTITY_PLACES = 6

/** What a matched line costs: units of the item, the price of a unit of the line, and the cost of its quantity. */
export function pricesOf(
  { median_price: median }: ItemOfLine,
  {
    basis,
    region,
    itemUnits,
    quantity,
  }: { basis: string | undefined; region: string | undefined; itemUnits: Rational | null; quantity: number | null },
): Pick<Matched, 'item_units' | 'unit_price' | 'cost'> {
  if (!median || itemUnits === null || basis === undefined) return { ...NO_PRICES, item_units: unitsNumber(itemUnits) }
  const { currency } = median
  const minor = multiply(exactMedian(median, { basis: JSON.parse(basis), region }), itemUnits)
  const major = majorOf(minor, exponentOf(currency) ?? 0)
  const amount = decimalText(major, { places: PRICE_PLACES, least: exponentOf(currency) ?? 0 })
  return {
    item_units: unitsNumber(itemUnits),
    unit_price: { amount, currency },
    cost: costOf(minor, quantity, currency),
  }
}
export const NO_PRICES = { item_units: null, unit_price: null, cost: null }

/** Decimals of a unit price: a screw costs a hundredth of a cent, and ten thousand of them one cent's share. */
const PRICE_PLACES = 8

/** quantity × exact price, rounded once, half to even. */
function costOf(minor: Rational, quantity: number | null, currency: string): Matched['cost'] {
  if (quantity === null) return null
  const cents = Number(roundHalfEven(multiply(parseDecimal(quantity.toFixed(QUANTITY_PLACES)), minor)))
  return Number.isSafeInteger(cents) ? { cents, currency } : null
}
