import { exponentOf } from '@catalog/core/money/money.ts'
import { add, multiply, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import { compareText } from '@catalog/core/text.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { MeasuredLine } from '@catalog/formats/bc3/price-book/bill-of-quantities.ts'
import { type CsvCell, csvCell, csvTable } from '@catalog/formats/tables/csv-line.ts'

/** Lines of a measured work with declared and present prices: amounts, totals and their texts. */

/**
 * How the present price of a line was found, or why there is none:
 *
 * - reference: the item with the same code of this very price bank, which was crawled;
 * - match: the item that the text means;
 * - recipe: no item, but enough of its recipe has present prices: see recipe-prices.ts;
 * - ambiguous: the text may mean several items;
 * - unmatched: the text is like no item;
 * - unit_differs: the item is sold in another kind of unit;
 * - no_median: the item has no median there.
 */
export type Basis = 'reference' | 'match' | 'recipe' | 'ambiguous' | 'unmatched' | 'unit_differs' | 'no_median'

/** What of a recipe has a present price: of its lines without percentages, and of their declared cost (0 to 1). */
export type RecipeShare = Readonly<{ components: number; priced: number; covered_share: number }>

type Named = Readonly<{ id: string; name: string; unit: string | null }>

export type PricedLine = Readonly<{
  path: string
  chapter: string
  code: string
  text: string
  unit: string
  quantity: string | null
  declared: Readonly<{ price: string; amount: string | null }> | null
  now: Readonly<{ price: string; amount: string | null; currency: string }> | null
  /** Amount now minus amount declared; null where one is missing or the currencies differ. */
  difference: string | null
  basis: Basis
  item: Named | null
  /** What an ambiguous line may mean, the best first, at most three. */
  candidates: readonly Named[]
  /** With basis `recipe`. */
  recipe: RecipeShare | null
}>

/** The present price of a concept. */
export type PresentPrice = Readonly<{
  basis: Basis
  item: PricedLine['item']
  /** Per unit of the concept. */
  price: Rational | null
  currency: string | null
  candidates?: PricedLine['candidates']
  recipe?: RecipeShare | null
}>

/** Decimals of a present unit price: medians are to the cent, and a kg costs a fraction of a tonne's cents. */
const PRICE_PLACES = 4
/** Decimals of amounts; these files use two for pesetas and pesos as well. */
const AMOUNT_PLACES = 2

export function pricedLine(
  line: MeasuredLine,
  currency: string,
  { basis, item, price, currency: paid, candidates = [], recipe = null }: PresentPrice,
): PricedLine {
  const { path, chapters, code, text, unit, quantity } = line
  const amount = price && quantity ? multiply(price, parseDecimal(quantity)) : null
  const now =
    price && paid !== null
      ? { price: shown(price, PRICE_PLACES), amount: amount && shown(amount, placesOf(paid)), currency: paid }
      : null
  const difference =
    now?.amount && line.amount && paid === currency ? minus(parseDecimal(now.amount), parseDecimal(line.amount)) : null
  return {
    path: path.join('.'),
    chapter: chapters.map(({ code, title }) => title || code).join(' / '),
    code,
    text,
    unit,
    quantity,
    declared: line.price === null ? null : { price: line.price, amount: line.amount },
    now,
    difference: difference && shown(difference, AMOUNT_PLACES),
    basis,
    item,
    candidates,
    recipe,
  }
}

function placesOf(currency: string): number {
  return Math.max(AMOUNT_PLACES, exponentOf(currency) ?? 0)
}

/** Writes at least two decimals, as prices have. */
function shown(value: Rational, places: number): string {
  return decimalText(value, { places, least: AMOUNT_PLACES })
}

function minus(a: Rational, b: Rational): Rational {
  return add(a, { n: -b.n, d: b.d })
}

export type Totals = Readonly<{
  lines: number
  /** The sum over all lines with a declared price. */
  declared: string
  /** Sums over the lines with both prices in the file's currency. */
  compared: Readonly<{ lines: number; declared: string; now: string; difference: string }>
  /** Shares of the lines, of their declared amount and of each unit's quantity that have a price today, 0 to 1. */
  priced: Readonly<{
    lines: number
    lines_share: number
    amount_share: number
    quantities: readonly Readonly<{ unit: string; quantity: string; priced_share: number }>[]
  }>
  /** Lines with a price today and the sum of their amounts, by the currency of the price. */
  now: readonly Readonly<{ currency: string; lines: number; amount: string }>[]
  /** Number of lines by basis. */
  by_basis: Readonly<Partial<Record<Basis, number>>>
  /** Codes without a present price. */
  unpriced: readonly string[]
}>

export function totalsOf(lines: readonly PricedLine[]): Totals {
  const sum = (amounts: readonly (string | null | undefined)[]) =>
    amounts.reduce((total, amount) => (amount ? add(total, parseDecimal(amount)) : total), rational(0n))
  const compared = lines.filter(({ difference }) => difference !== null)
  const counts: Partial<Record<Basis, number>> = {}
  for (const { basis } of lines) counts[basis] = (counts[basis] ?? 0) + 1
  const priced = lines.filter(({ now }) => now !== null)
  const amountOf = (of: readonly PricedLine[]) => sum(of.map(({ declared }) => declared?.amount))
  const quantityOf = (of: readonly PricedLine[]) => sum(of.map(({ quantity }) => quantity))
  const byUnit = Map.groupBy(
    lines.filter(({ quantity }) => quantity !== null),
    // "m2", "M2" and "m²" are one.
    ({ unit }) => soldUnit({ unit: unit || null, lang: 'es', format: 'bc3' }).label ?? unit,
  )
  const byCurrency = Map.groupBy(
    priced.flatMap(({ now }) => now ?? []),
    ({ currency }) => currency,
  )
  return {
    lines: lines.length,
    priced: {
      lines: priced.length,
      lines_share: share(rational(BigInt(priced.length)), rational(BigInt(lines.length))),
      amount_share: share(amountOf(priced), amountOf(lines)),
      quantities: [...byUnit]
        .map(([unit, of]) => ({
          unit,
          quantity: decimalText(quantityOf(of), { places: QUANTITY_PLACES, least: 0 }),
          priced_share: share(quantityOf(of.filter(({ now }) => now !== null)), quantityOf(of)),
        }))
        .sort((a, b) => compareText(a.unit, b.unit)),
    },
    declared: shown(sum(lines.map(({ declared }) => declared?.amount)), AMOUNT_PLACES),
    compared: {
      lines: compared.length,
      declared: shown(sum(compared.map(({ declared }) => declared?.amount)), AMOUNT_PLACES),
      now: shown(sum(compared.map(({ now }) => now?.amount)), AMOUNT_PLACES),
      difference: shown(sum(compared.map(({ difference }) => difference)), AMOUNT_PLACES),
    },
    now: [...byCurrency]
      .map(([currency, of]) => ({
        currency,
        lines: of.length,
        amount: shown(sum(of.map(({ amount }) => amount)), placesOf(currency)),
      }))
      .sort((a, b) => compareText(a.currency, b.currency)),
    by_basis: counts,
    unpriced: [...new Set(lines.flatMap(({ code, now }) => (now === null ? [code] : [])))],
  }
}

const QUANTITY_PLACES = 3

/** To three decimals; 0 of nothing. */
function share(part: Rational, whole: Rational): number {
  return whole.n === 0n ? 0 : Number((part.n * whole.d * 1_000n) / (part.d * whole.n)) / 1_000
}

/** Unpriced codes in the summary for people. */
const UNPRICED_SHOWN = 20

export function summaryOf({
  totals: { lines, declared, compared, by_basis, unpriced, priced, now },
  currency,
  region,
  price_region,
}: Readonly<{ totals: Totals; currency: string; region: string | null; price_region: string | null }>): string {
  const percent = (part: number) => `${Math.floor(part * 100)} %`
  const bases = Object.entries(by_basis).map(([basis, count]) => `${basis} ${count}`)
  const more = unpriced.length > UNPRICED_SHOWN ? ` and ${unpriced.length - UNPRICED_SHOWN} more` : ''
  const quantities = priced.quantities.map(({ unit, priced_share }) => `${percent(priced_share)} of ${unit || '-'}`)
  const foreign = now.filter((money) => money.currency !== currency)
  return [
    `${lines} lines, declared ${declared} ${currency}; items of ${region ?? 'every market'}, prices of ${price_region ?? 'every market'}`,
    `${priced.lines} lines (${percent(priced.lines_share)}, ${percent(priced.amount_share)} of the declared amount) have a price today; of the quantity ${quantities.join(', ')}`,
    `${compared.lines} of them are compared: declared ${compared.declared}, now ${compared.now}, difference ${compared.difference} ${currency}`,
    ...foreign.map(
      (money) =>
        `${money.lines} lines have a price in ${money.currency} (${money.amount}), which is not compared with ${currency}; --region chooses another market`,
    ),
    `by ${bases.join(', ')}`,
    ...(unpriced.length === 0 ? [] : [`without a price today: ${unpriced.slice(0, UNPRICED_SHOWN).join(', ')}${more}`]),
  ].join('\n')
}

/** Characters of a text in a table. */
const TEXT_CHARS = 40

export function rowOf(line: PricedLine) {
  const { path, code, text, unit, quantity, declared, now, difference, basis, item, candidates, recipe } = line
  const shownItem = (one: Named) => `${one.name.slice(0, TEXT_CHARS)} (${one.unit ?? '-'})`
  return {
    line: path,
    code: code.slice(0, TEXT_CHARS),
    text: text.slice(0, TEXT_CHARS),
    quantity: quantity ?? '',
    unit,
    declared: declared?.price ?? '',
    now: now?.price ?? '',
    difference: difference ?? '',
    basis: recipe === null ? basis : `${basis} ${Math.floor(recipe.covered_share * 100)} %`,
    item: item === null ? candidates.map(shownItem).join(' | ') : shownItem(item),
  }
}

/** Leaves numbers as they are: a negative one is no formula. */
const cellOf = (value: CsvCell): string =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? value : csvCell(value)

const TABLE = csvTable<PricedLine>(
  {
    line: ({ path }) => path,
    chapter: ({ chapter }) => chapter,
    code: ({ code }) => code,
    text: ({ text }) => text,
    unit: ({ unit }) => unit,
    quantity: ({ quantity }) => quantity,
    declared_price: ({ declared }) => declared?.price,
    declared_amount: ({ declared }) => declared?.amount,
    now_price: ({ now }) => now?.price,
    now_amount: ({ now }) => now?.amount,
    now_currency: ({ now }) => now?.currency,
    difference: ({ difference }) => difference,
    basis: ({ basis }) => basis,
    item_id: ({ item }) => item?.id,
    item: ({ item }) => item?.name,
    item_unit: ({ item }) => item?.unit,
    candidates: ({ candidates }) =>
      candidates.map(({ id, name, unit }) => `${id} ${name} (${unit ?? '-'})`).join(' | '),
    recipe_covered_share: ({ recipe }) => recipe?.covered_share,
  },
  cellOf,
)

export const csvOf = (lines: readonly PricedLine[]): string => TABLE.head + lines.map(TABLE.line).join('')
