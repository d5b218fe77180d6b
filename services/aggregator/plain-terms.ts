import type { SourceVoices } from '@catalog/core/matching/source-voices.ts'
import type { TaxRules } from '@catalog/core/median/tax-rules.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import type { UnitAliases } from '@catalog/core/units/unit-aliases.ts'
import type { PriceTerms } from '@catalog/store/vendor/columns.ts'

/**
 * By terms: the currency as a number, and for each code of an item's unit whether such a price is plain. Guarded votes
 * leave tiers to the evaluator, and untaxed prices too where a rule may settle them.
 */
export type Terms = Readonly<{ currency: Int32Array; plain: readonly (Uint8Array | undefined)[] }>

export function termsOf(
  terms: PriceTerms,
  units: readonly (string | null)[],
  guard: Readonly<{ taxRules: TaxRules }> | null,
): Terms {
  const currency = new Int32Array(Math.max(0, ...terms.keys()) + 1)
  const plain: (Uint8Array | undefined)[] = []
  for (const [key, { currency: code, plain: sold, isTier, isTaxStated }] of terms) {
    currency[key] = currencyNumber(code)
    const isOpen = guard !== null && (isTier || (!isTaxStated && guard.taxRules.size > 0))
    plain[key] = plainUnits(isOpen ? null : sold, units)
  }
  return { currency, plain }
}

/** The terms with no plain price where an alias of a unit decides what it means. */
export function withoutAliased(terms: PriceTerms, aliases: UnitAliases): PriceTerms {
  if (aliases.isEmpty) return terms
  return new Map(
    [...terms].map(([key, term]) => {
      const unit = term.plain?.unit ?? null
      return [key, unit !== null && aliases.names(unit) ? { ...term, plain: null } : term]
    }),
  )
}

/**
 * For each code of an item's unit: 1 where a price on these terms is a price per unit of the item without conversion.
 */
function plainUnits(
  sold: { unit: string | null; lang: string | undefined } | null,
  units: readonly (string | null)[],
): Uint8Array {
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

/** Marks items with a SKU of an aliased source exact: its settings, and perhaps its vote, are those of another source. */
export function markAliased({
  skus,
  exact,
  keys,
  voices,
}: {
  skus: Readonly<{ offsets: Uint32Array; source: Int32Array }>
  exact: Uint8Array
  /** Source ids by private key. */
  keys: ReadonlyMap<number, string>
  voices: SourceVoices
}): void {
  if (voices.size === 0) return
  const aliased = new Set([...keys].filter(([, sourceId]) => voices.has(sourceId)).map(([key]) => key))
  for (let row = 0; row < exact.length; row++) {
    const end = skus.offsets[row + 1] as number
    for (let slot = skus.offsets[row] as number; slot < end; slot++) {
      if (aliased.has(skus.source[slot] as number)) exact[row] = 1
    }
  }
}
