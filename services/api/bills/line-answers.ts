import type { MatchResponse } from '@catalog/api/contract/contract.ts'
import { itemJson, type Shown } from '@catalog/api/items/item-json.ts'
import { type Basis, type ItemName, votesIn } from '@catalog/core/events/items.ts'
import { exactMedian } from '@catalog/core/median/methods.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import {
  majorOf,
  multiply,
  parseDecimal,
  parseRational,
  type Rational,
  rational,
  roundHalfEven,
} from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import { DAY_MS } from '@catalog/core/time.ts'
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

/** Which prices a bill takes: in the market of `shown`, the present medians, those of a day, or those of one source. */
export type PriceChoice = Readonly<{ at: string; isPast: boolean; sourceId: string | undefined }>

/** The answer for a line, which was decided among the items of `rowOf`, at the prices chosen. */
export async function answerOf(
  { text, quantity, decided: { status, reason, best, alternatives }, decided_by, vendor_sku_id = null }: DecidedLine,
  { rowOf, ...choice }: { rowOf: (itemId: string) => NamedItem; items: LineItems; shown: Shown } & PriceChoice,
): Promise<Matched> {
  const itemOf = ({ itemId, score }: LineMatch) => ({
    ...(JSON.parse(itemJson(rowOf(itemId), choice.shown)) as ItemOfLine),
    score: rounded(score),
  })
  const item = best && itemOf(best)
  const prices = item && status === 'matched' ? await pricesOf(item, { ...choice, ...best, quantity }) : NO_PRICES
  const others = alternatives.map((other) => ({ item: itemOf(other), evidence: evidenceOf(other) }))
  const [evidence, conversion] = best ? [evidenceOf(best), best.conversion] : [null, null]
  return {
    text,
    status,
    reason,
    decided_by,
    vendor_sku_id,
    item,
    evidence,
    conversion,
    ...prices,
    alternatives: others,
  }
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

type Priced = Pick<Matched, 'item_units' | 'unit_price' | 'cost' | 'price_observed_at' | 'price_is_old'>

/** What a matched line costs: units of the item, the price of a unit of the line, its age, and the cost of its quantity. */
async function pricesOf(
  item: ItemOfLine,
  {
    itemUnits,
    quantity,
    ...choice
  }: { items: LineItems; shown: Shown; itemUnits: Rational | null; quantity: number | null } & PriceChoice,
): Promise<Priced> {
  const price = itemUnits === null ? null : await priceOf(item, choice)
  if (itemUnits === null || price === null) return { ...NO_PRICES, item_units: unitsNumber(itemUnits) }
  const { currency, observedAt } = price
  return {
    item_units: unitsNumber(itemUnits),
    ...amountsOf(multiply(price.minor, itemUnits), { currency, quantity }),
    price_observed_at: observedAt,
    price_is_old: observedAt !== null && Date.parse(choice.at) - Date.parse(observedAt) > PRICE_DAYS_MAX * DAY_MS,
  }
}
export const NO_PRICES = {
  item_units: null,
  unit_price: null,
  cost: null,
  price_observed_at: null,
  price_is_old: false,
} as const
/** An older price is flagged. */
const PRICE_DAYS_MAX = 60

/** The exact price of a unit of the item, in minor units; a median of the past is known to the minor unit, without its votes. */
async function priceOf(
  { id: itemId, median_price: median }: ItemOfLine,
  { items, shown: { priceRegion }, at, isPast, sourceId }: { items: LineItems; shown: Shown } & PriceChoice,
): Promise<{ minor: Rational; currency: string; observedAt: string | null } | null> {
  if (isPast) {
    const past = await items.medianAt({ itemId, market: priceRegion ?? '', at })
    return past ? { minor: rational(BigInt(past.cents)), currency: past.currency, observedAt: null } : null
  }
  const json = await items.basisOf(itemId)
  if (json === undefined) return null
  const basis = JSON.parse(json) as Basis
  const { newest } = votesOf(basis, { priceRegion, sourceId })
  const observedAt = newest?.observed_at ?? null
  if (sourceId !== undefined)
    return newest ? { minor: parseRational(newest.price), currency: newest.currency, observedAt } : null
  return median
    ? { minor: exactMedian(median, { basis, region: priceRegion }), currency: median.currency, observedAt }
    : null
}

/** The votes behind a price: those of the median, or the newest one of the source; and the newest of them. */
export function votesOf(
  basis: Basis,
  { priceRegion, sourceId }: { priceRegion: string | undefined; sourceId: string | undefined },
): Readonly<{ votes: readonly Basis['votes'][number][]; newest: Basis['votes'][number] | undefined }> {
  const isOf = (vote: Basis['votes'][number]) =>
    vote.source_id === sourceId && (priceRegion === undefined || vote.markets.includes(priceRegion))
  const votes = sourceId === undefined ? votesIn(basis, priceRegion) : basis.votes.filter(isOf)
  const newest = votes.reduce<Basis['votes'][number] | undefined>(
    (newest, vote) => (newest && newest.observed_at >= vote.observed_at ? newest : vote),
    undefined,
  )
  return { votes: sourceId === undefined ? votes : votes.filter((vote) => vote === newest), newest }
}

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
export const PRICE_PLACES = 8

/** quantity × exact price, rounded once, half to even. */
function costOf(minor: Rational, quantity: number | null, currency: string): Matched['cost'] {
  if (quantity === null) return null
  const cents = Number(roundHalfEven(multiply(parseDecimal(quantity.toFixed(QUANTITY_PLACES)), minor)))
  return Number.isSafeInteger(cents) ? { cents, currency } : null
}
