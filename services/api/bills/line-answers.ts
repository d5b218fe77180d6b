import type { MatchResponse } from '@catalog/api/contract/contract.ts'
import { itemJson, type Shown } from '@catalog/api/items/item-json.ts'
import type { ItemName } from '@catalog/core/events/items.ts'
import { exactMedian } from '@catalog/core/median/methods.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { majorOf, multiply, parseDecimal, type Rational, roundHalfEven } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import type { LineAnswer, LineMatch } from '@catalog/search/ranking/bill-of-materials.ts'
import type { NamedItem } from '@catalog/store/catalog/queries.ts'
import type { LineItems } from './line-items.ts'

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

export type DecidedLine = Readonly<{
  text: string
  quantity: number | null
  decided: LineAnswer
  decided_by: Matched['decided_by']
  vendor_sku_id?: Matched['vendor_sku_id'] | undefined
}>

/** The answer for a line: `rowOf` and `basisOf` give the items that it was decided among, as `shown`. */
export async function answerOf(
  { text, quantity, decided: { status, reason, best, alternatives }, decided_by, vendor_sku_id = null }: DecidedLine,
  { rowOf, basisOf, shown }: { rowOf: (itemId: string) => NamedItem; basisOf: LineItems['basisOf']; shown: Shown },
): Promise<Matched> {
  const itemOf = ({ itemId, score }: LineMatch) => ({
    ...(JSON.parse(itemJson(rowOf(itemId), shown)) as ItemOfLine),
    score: rounded(score),
  })
  const item = best && itemOf(best)
  const prices =
    best && item && status === 'matched'
      ? pricesOf(item, {
          basis: await basisOf(best.itemId),
          region: shown.priceRegion,
          itemUnits: best.itemUnits,
          quantity,
        })
      : NO_PRICES
  const others = alternatives.map((other) => ({ item: itemOf(other), evidence: evidenceOf(other) }))
  const evidence = best && evidenceOf(best)
  return { text, status, reason, decided_by, vendor_sku_id, item, evidence, ...prices, alternatives: others }
}

function evidenceOf({ evidence }: LineMatch): NonNullable<Matched['evidence']> {
  return { ...evidence, words: rounded(evidence.words), meaning: rounded(evidence.meaning) }
}

/** Three decimals keep all the information of a score. */
const rounded = (share: number) => Math.round(share * 1_000) / 1_000

/** Item units in a unit of the line, to the digits that the contract tells. */
const unitsNumber = (itemUnits: Rational | null): number | null =>
  itemUnits === null ? null : Number((Number(itemUnits.n) / Number(itemUnits.d)).toPrecision(UNITS_DIGITS))
const UNITS_DIGITS = 12

/** Decimal places of a quantity that count. */
const QUANTITY_PLACES = 6

/** What a matched line costs: units of the item, the price of a unit of the line, and the cost of its quantity. */
function pricesOf(
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
  return {
    item_units: unitsNumber(itemUnits),
    ...amountsOf(minor, { currency, quantity }),
  }
}
export const NO_PRICES = { item_units: null, unit_price: null, cost: null }

/** The price of a unit of the line, from exact minor units, and the cost of its quantity. */
export function amountsOf(
  minor: Rational,
  { currency, quantity }: { currency: string; quantity: number | null },
): Pick<Matched, 'unit_price' | 'cost'> {
  const exponent = exponentOf(currency) ?? 0
  const amount = decimalText(majorOf(minor, exponent), { places: PRICE_PLACES, least: exponent })
  return { unit_price: { amount, currency }, cost: costOf(minor, quantity, currency) }
}

/** Decimals of a unit price: a screw costs a hundredth of a cent, and ten thousand of them one cent's share. */
const PRICE_PLACES = 8

/** quantity × exact price, rounded once, half to even. */
function costOf(minor: Rational, quantity: number | null, currency: string): Matched['cost'] {
  if (quantity === null) return null
  const cents = Number(roundHalfEven(multiply(parseDecimal(quantity.toFixed(QUANTITY_PLACES)), minor)))
  return Number.isSafeInteger(cents) ? { cents, currency } : null
}
