import { exponentOf, formatMoney } from './money.ts'

/**
 * An amount for people: "4.85 EUR". An unknown currency falls back to plain text, so that one price cannot break a
 * whole feed.
 */
export function moneyText({ cents, currency }: { readonly cents: number; readonly currency: string }): string {
  return exponentOf(currency) === null ? `${cents} minor units of ${currency}` : formatMoney(cents, currency)
}
