import type { MatchResponse } from '@catalog/api/contract/match.ts'
import type { Region } from '@catalog/core/events/sources.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { add, majorOf, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import { compareText } from '@catalog/core/text.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { BillLine } from '@catalog/formats/bill/bill.ts'
import { z } from 'zod'
import type { BillFile, FileLine } from './bill-file.ts'
import type { AnsweredLine, BillToPrice } from './price-bill.ts'

/** A bill with the answers for its lines, and what they sum up to. */

/** A line of a list with its answer. */
export type MatchedLine = Omit<BillLine, 'text'> & Partial<Pick<FileLine, 'matchedUnit'>> & AnsweredLine

/** A line of an uploaded bill with its answer; `text` is that of the bill. */
export type PricedLine = FileLine &
  AnsweredLine &
  Readonly<{
    /** The words that a person asked for instead of the text; null: the text itself. */
    askedText: string | null
    /** The answer before a person chose; null: nobody did. */
    former: PricedLine | null
  }>

export type PricedBill = Omit<BillFile, 'lines'> &
  Readonly<{
    lines: readonly PricedLine[]
    /** The market of items and prices; null: any item, headline prices. */
    region: Region | null
    /** When it was priced, RFC 3339. */
    pricedAt: string
    /** Which prices a person chose. */
    asked: PriceChoice
    prices: MatchResponse['prices']
    /** The name of the source of all prices; null: medians. */
    source: string | null
    markups: Markups
    /** SHA-256 of the file in hexadecimal. */
    fileSha256: string
  }>

/** The market of items and prices (absent: any item, headline prices), a past day, and one source instead of medians. */
export type PriceChoice = Pick<BillToPrice, 'region' | 'as_of' | 'price_source'>

const Percent = z
  .string()
  .regex(/^(?:\d{1,2}(?:\.\d{1,2})?|100)$/, 'expected 0 to 100 percent, at most two decimals')
  .exactOptional()
/** Shares in percent that are added to the sum of the lines, in this order; the last two are shares of the sum with waste. */
export const Markups = z.object({ waste: Percent, overhead: Percent, profit: Percent })
export type Markups = Readonly<z.infer<typeof Markups>>
export const MARKUPS = Markups.keyof().options

/** Each addition to a sum of minor units, and the total; empty where nothing is added. */
export function additionsTo(sum: number, markups: Markups) {
  const given = MARKUPS.map((name) => ({ name, percent: markups[name] ?? '0' }))
  if (given.every(({ percent }) => Number(percent) === 0)) return []
  const base = sum + shareOf(sum, markups.waste)
  const added = given.map((each, i) => ({ ...each, cents: shareOf(i === 0 ? sum : base, each.percent) }))
  const total = added.reduce((all, { cents }) => all + cents, sum)
  return [...added, { name: 'total', percent: null, cents: total } as const]
}

/** Rounded half away from zero, as the formulas of a workbook do. */
function shareOf(cents: number, percent = '0'): number {
  const parts = BigInt(Math.abs(cents)) * BigInt(Math.round(Number(percent) * 100))
  return Math.sign(cents) * Number((parts + 5_000n) / 10_000n)
}

/** The items that an undecided line may mean, the best first. */
export function candidatesOf({ item, alternatives }: MatchedLine) {
  return [...(item === null ? [] : [item]), ...alternatives.map((other) => other.item)].slice(0, CANDIDATES_SHOWN)
}
export const CANDIDATES_SHOWN = 3

/** How much of a bill has a price, and what that part costs. */
export type BillTotals = Readonly<{
  /** Lines with a cost, and their share of all lines, 0 to 1. */
  priced: number
  priced_share: number
  /** How much of the quantities is priced, by unit: quantities of two units have no sum. */
  quantities: readonly Readonly<{ unit: string; quantity: number; priced: number; priced_share: number }>[]
  /** Sums of costs by currency. */
  costs: { cents: number; currency: string }[]
  /** What the bill itself states; null where no line has an amount. */
  stated: StatedTotals | null
}>

/** Sums in the currency of the bill, plain decimals in major units. */
type StatedTotals = Readonly<{
  currency: string
  amount: string
  /** The share of the stated amount whose lines are priced, 0 to 1. */
  priced_share: number
  /** Of the lines that are priced in this currency; `difference` is the present cost less the stated one. */
  compared: Readonly<{ lines: number; amount: string; cost: string; difference: string }>
}>

/** `currency` is that of the stated amounts. */
export function billTotals(lines: readonly MatchedLine[], { currency }: { currency?: string } = {}): BillTotals {
  const costs = lines.flatMap(({ cost }) => (cost ? [cost] : []))
  const byCurrency = Map.groupBy(costs, ({ currency }) => currency)
  const counted = lines.filter(({ quantity }) => quantity !== null)
  const byUnit = Map.groupBy(
    counted,
    ({ unit, matchedUnit = unit }) => soldUnit({ unit: matchedUnit }).label ?? unit ?? '',
  )
  const sum = (of: readonly MatchedLine[]) =>
    Number(of.reduce((total, { quantity }) => total + Number(quantity), 0).toFixed(6))
  return {
    priced: costs.length,
    priced_share: share(costs.length, lines.length),
    quantities: [...byUnit]
      .map(([unit, of]) => {
        const [quantity, priced] = [sum(of), sum(of.filter(({ cost }) => cost !== null))]
        return { unit, quantity, priced, priced_share: share(priced, quantity) }
      })
      .sort((a, b) => compareText(a.unit, b.unit)),
    costs: [...byCurrency]
      .map(([currency, all]) => ({ cents: all.reduce((sum, { cents }) => sum + cents, 0), currency }))
      .sort((a, b) => compareText(a.currency, b.currency)),
    stated: currency === undefined ? null : statedTotals(lines, currency),
  }
}

function statedTotals(lines: readonly MatchedLine[], currency: string): StatedTotals | null {
  const stated = lines.filter(({ amount }) => amount)
  if (stated.length === 0) return null
  const amountOf = (of: readonly MatchedLine[]) => sumOf(of.map(({ amount }) => parseDecimal(amount ?? '0')))
  const compared = stated.filter(({ cost }) => cost?.currency === currency)
  const [before, now] = [
    amountOf(compared),
    sumOf(compared.map(({ cost }) => majorOf(rational(BigInt(cost?.cents ?? 0)), exponentOf(currency) ?? 0))),
  ]
  const [all, priced] = [amountOf(stated), amountOf(stated.filter(({ cost }) => cost !== null))]
  const shown = (value: Rational) => decimalText(value, { places: 2, least: 2 })
  return {
    currency,
    amount: shown(all),
    priced_share: share(Number(priced.n) / Number(priced.d), Number(all.n) / Number(all.d)),
    compared: {
      lines: compared.length,
      amount: shown(before),
      cost: shown(now),
      difference: shown(add(now, { ...before, n: -before.n })),
    },
  }
}

const sumOf = (amounts: readonly Rational[]) => amounts.reduce(add, rational(0n))

/** To three decimals; 0 of nothing. */
const share = (part: number, whole: number) => (whole > 0 ? Math.round((part / whole) * 1_000) / 1_000 : 0)
