import type { MatchResponse } from '@catalog/api/contract/contract.ts'
import type { ItemName } from '@catalog/core/events/items.ts'
import { multiply, parseDecimal, type Rational, rational, roundHalfEven } from '@catalog/core/money/rational.ts'
import type { LineMatch } from '@catalog/search/ranking/bill-of-materials.ts'
import type { NamedItem } from '@catalog/store/catalog/queries.ts'

/** The parts of the answer for a line of a list. */

export type Matched = MatchResponse['lines'][number]

/** The headline, then the other names. */
export function namesOf({ item_json, names_json }: NamedItem): string[] {
  const { name } = JSON.parse(item_json) as ItemOfLine
  const others = names_json === null ? [] : (JSON.parse(names_json) as readonly ItemName[])
  return [...new Set([name, ...others.map((other) => other.name)])]
}

/** An item as a line shows it, without its score. */
export type ItemOfLine = Omit<NonNullable<Matched['item']>, 'score'>

export function evidenceOf({ evidence }: LineMatch): NonNullable<Matched['evidence']> {
  return { ...evidence, words: rounded(evidence.words), meaning: rounded(evidence.meaning) }
}

/** Three decimals keep all the information of a score. */
export const rounded = (share: number) => Math.round(share * 1_000) / 1_000

/** Item units in a unit of the line, to the digits that the contract tells. */
export const unitsNumber = (itemUnits: Rational | null): number | null =>
  itemUnits === null ? null : Number((Number(itemUnits.n) / Number(itemUnits.d)).toPrecision(UNITS_DIGITS))
const UNITS_DIGITS = 12

/** Decimal places of a quantity that count. */
const QUANTITY_PLACES = 6

/** quantity × item units in a unit of the line × median, rounded once, half to even. */
export function costOf(
  { median_price: median }: ItemOfLine,
  quantity: number | null,
  itemUnits: Rational | null,
): Matched['cost'] {
  if (quantity === null || itemUnits === null || !median) return null
  const exact = multiply(
    multiply(parseDecimal(quantity.toFixed(QUANTITY_PLACES)), itemUnits),
    rational(BigInt(median.cents)),
  )
  const cents = Number(roundHalfEven(exact))
  return Number.isSafeInteger(cents) ? { cents, currency: median.currency } : null
}
