import { moneyText } from '@catalog/core/money/money-text.ts'

/** How a price changes between two rules or two runs. */

export type Price = Readonly<{ cents: number; currency: string }>

/** Every item has one of these kinds. Unpriced: no price before, none after. */
export const KINDS = ['unchanged', 'changed', 'gained', 'lost', 'other_currency', 'unpriced'] as const
export type Kind = (typeof KINDS)[number]
export type Counts = Readonly<Record<Kind, number>>

export function kindOf(before: Price | null, after: Price | null): Kind {
  if (before === null) return after === null ? 'unpriced' : 'gained'
  if (after === null) return 'lost'
  if (before.currency !== after.currency) return 'other_currency'
  return before.cents === after.cents ? 'unchanged' : 'changed'
}

/** (after − before) / before of a changed price; null for any other, and where the price was 0. */
export function relativeOf(before: Price | null, after: Price | null): number | null {
  if (before === null || after === null || before.cents === 0) return null
  return kindOf(before, after) === 'changed' ? (after.cents - before.cents) / before.cents : null
}

/** "+5.00 %"; with as many digits as show a small change. */
export function percentText(relative: number | null): string {
  if (relative === null) return ''
  const percent = 100 * relative
  const text = percent.toFixed(Math.abs(percent) < 0.1 ? 4 : 2)
  return `${percent > 0 ? '+' : ''}${text} %`
}

export const priceText = (price: Price | null) => (price === null ? 'no price' : moneyText(price))
