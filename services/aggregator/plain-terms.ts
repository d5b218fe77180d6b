import type { TaxRules } from '@catalog/core/median/tax-rules.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { UnitAliases } from '@catalog/core/units/unit-aliases.ts'
import type { PriceTerms } from '@catalog/store/vendor/columns.ts'

/**
 * Terms grouped into classes: prices on terms of one class are plain for the same items, and have one currency. Class 0
 * is that of terms stored after the read.
 */
export type TermsClasses = Readonly<{
  /** By key of the terms. */
  classOf: Int32Array
  /** By class: the currency as a number. */
  currency: readonly number[]
  /** By class, null where no price is plain. */
  sold: readonly Sold[]
}>
type Sold = Readonly<{ unit: string | null; lang: string | undefined }> | null

/** Guarded votes leave tiers to the evaluator, and untaxed prices too where a rule may settle them. */
export function termsClasses(
  terms: PriceTerms,
  { guard, aliases }: { guard: Readonly<{ taxRules: TaxRules }> | null; aliases: UnitAliases },
): TermsClasses {
  const classOf = new Int32Array(Math.max(0, ...terms.keys()) + 1)
  const currency = [0]
  const sold: Sold[] = [null]
  const numbers = new Map<string, number>()
  for (const [key, { currency: code, plain, isTier, isTaxStated }] of terms) {
    const isOpen = guard !== null && (isTier || (!isTaxStated && guard.taxRules.size > 0))
    // An alias of a unit decides what it means.
    const isAliased = typeof plain?.unit === 'string' && aliases.names(plain.unit)
    const own = isOpen || isAliased ? null : plain
    const text = JSON.stringify([code, own])
    const number = numbers.get(text) ?? sold.push(own) - 1
    numbers.set(text, number)
    currency[number] = currencyNumber(code)
    classOf[key] = number
  }
  return { classOf, currency, sold }
}

/**
 * For each code of an item's unit: 1 where a price of this class is a price per unit of the item without conversion.
 */
export function plainUnits(sold: Sold, units: readonly (string | null)[]): Uint8Array {
  const plain = new Uint8Array(units.length)
  if (sold !== null) {
    for (const [code, unit] of units.entries()) {
      // Code 0 means a pack or no unit: the evaluator computes those.
      if (code === 0) continue
      const factor = conversionFactor(soldUnit(sold), soldUnit({ unit }))
      plain[code] = factor !== null && factor.n === 1n && factor.d === 1n ? 1 : 0
    }
  }
  return plain
}

/** An ISO 4217 code as one number. */
const currencyNumber = (text: string) => (text.charCodeAt(0) << 16) | (text.charCodeAt(1) << 8) | text.charCodeAt(2)
export const currencyText = (code = 0) => String.fromCharCode(code >> 16, (code >> 8) & 255, code & 255)
