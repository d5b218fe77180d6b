import { compare, parseDecimal } from '@catalog/core/money/rational.ts'
import type { ParsedUnit } from './unit.ts'

/** Why no price is read per this unit, although its spelling is known. */
export type UnitDoubt = 'TOO_SMALL' | 'DOTTED'

/** Nothing is sold by less: 0.1 g, and more than 1 ml (a tube of 3 ml is sold, one millilitre is not). */
const MASS_MIN_KG = parseDecimal('0.0001')
const VOLUME_ABOVE_M3 = parseDecimal('0.000001')
/** Units of the metric system below its bases, which abbreviations with dots mean something else by. */
const SMALL_METRIC = new Set(['g', 'mg', 'dm', 'cm', 'mm', 'micron', 'dm²', 'cm²', 'mm²', 'dm³', 'cm³', 'ml', 'cl'])
/** A dot between letters: "M.G." of US road bids is 1000 gallons. A dot at the end alone ("gr.") is a common abbreviation. */
const DOTTED = /\p{L}\. ?\p{L}/u

/** The doubt about a unit that was read from this text; null for a unit that things are priced in. */
export function doubtAbout(text: string, { dimension, symbol, factor }: ParsedUnit): UnitDoubt | null {
  if (SMALL_METRIC.has(symbol.replace(/^[\d.]+ /, '')) && DOTTED.test(text)) return 'DOTTED'
  if (dimension === 'mass' && compare(factor, MASS_MIN_KG) < 0) return 'TOO_SMALL'
  if (dimension === 'volume' && compare(factor, VOLUME_ABOVE_M3) <= 0) return 'TOO_SMALL'
  return null
}
