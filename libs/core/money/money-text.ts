import { exponentOf, formatMoney } from './money.ts'

/** An amount as a person reads it: "4.85 EUR". One odd currency must not spoil a whole feed: it is spelled out. */
export function moneyText({ cents, currency }: { readonly cents: number; readonly currency: string }): string {
  return exponentOf(currency) === null ? `${cents} minor units of ${currency}` : formatMoney(cents, currency)
}
