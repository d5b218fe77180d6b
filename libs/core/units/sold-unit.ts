import { divide, ONE, type Rational, rational, toText } from '@catalog/core/money/rational.ts'
import { foldText } from '@catalog/core/text.ts'
import { parseContent, parseUnit } from './parse-unit.ts'
import type { Dimension } from './unit.ts'
import { PIECES } from './unit-tables.ts'

/** One sold unit of a price, with its pack resolved. */
export type SoldUnit = Readonly<{
  /**
   * The unit that an item shows: "25 kg" for known contents, else "m²", else the vendor's text; null without a unit.
   * Parsed without a language it gives the same key again, so that an item can be founded with it.
   */
  label: string | null
  /** Null for an unknown unit. */
  dimension: Dimension | null
  /** Base units of the dimension in one sold unit; null for an unknown unit. */
  quantity: Rational | null
  /** Equal for two sold units if and only if they are certainly the same. */
  key: string
}>

/**
 * Combines a unit text and a pack, either of which may be missing. The pack gives the contents of one sold unit, so it
 * outranks contents in the text, and a unit that is a piece, a container, unknown or absent. A measure stands: 4 EUR
 * per m² stays per m² whatever the box holds. A bare container counts as one: two bare bags have one key, and the names
 * of the two SKUs must tell their contents. A bare sheet is a piece.
 */
export function soldUnit(sold: {
  readonly unit: string | null
  readonly pack?: { readonly quantity: string; readonly unit: string } | null | undefined
  readonly lang?: string | undefined
  readonly format?: 'bc3' | undefined
}): SoldUnit {
  const unit = sold.unit === null ? null : parseUnit(sold.unit, sold)
  const isMeasure = unit !== null && unit.dimension !== 'count' && !unit.dimension.startsWith('count:')
  const pack = (isMeasure ? null : sold.pack) ?? unit?.pack
  if (!pack) {
    if (unit === null) return unknown(sold.unit)
    return known(unit.symbol, PIECES.has(unit.dimension) ? 'count' : unit.dimension, unit.factor)
  }

  const content = parseContent(pack, sold)
  // A pack beside "100 u" may belong to one piece or to all hundred.
  const isOne =
    unit === null || unit.pack !== undefined || toText(unit.factor) === '1' || content?.dimension === 'count'
  if (content && isOne) return known(content.symbol, content.dimension, content.factor)
  return unknown([unit?.symbol ?? sold.unit ?? '', pack.quantity, pack.unit].join(' '))
}

/** Whether the unit leaves the contents open: a bag, a roll, a sheet. */
export function isOfUnknownContents({ dimension, label }: SoldUnit): boolean {
  if (dimension === 'count') return PIECES.has(parseUnit(label ?? '')?.dimension ?? dimension)
  return dimension?.startsWith('count:') === true
}

/**
 * f in: price per `to` = price per `from` × f, exactly. Null when the two do not convert: other dimensions, or an
 * unknown unit, unless both texts are equal. Two prices without any unit compare as they are.
 */
export function conversionFactor(from: SoldUnit, to: SoldUnit): Rational | null {
  if (from.key === to.key) return ONE
  if (from.quantity === null || to.quantity === null || from.dimension !== to.dimension) return null
  return divide(to.quantity, from.quantity)
}

/**
 * The comparable net price of one unit: cents / perQuantity × unitFactor / taxFactor, in minor units of its currency.
 * `unitFactor` is the {@link conversionFactor} from the sold unit; `taxFactor` is 1 + the rate where the price includes
 * tax, else 1. The price is exact for every unit: a screw out of a thousand costs a thousandth of the pack. Only the
 * published amount (a median, to the nearest cent) is rounded.
 */
export function pricePerUnit(
  {
    cents,
    perQuantity,
    taxFactor,
  }: { readonly cents: number; readonly perQuantity: number; readonly taxFactor: Rational },
  unitFactor: Rational,
): Rational {
  const n = BigInt(cents) * unitFactor.n * taxFactor.d
  // Nearly every price is of one untaxed unit of the item and needs no common divisor.
  if (perQuantity === 1 && unitFactor.d === 1n && taxFactor.n === 1n) return { n, d: 1n }
  return rational(n, BigInt(perQuantity) * unitFactor.d * taxFactor.n)
}

function known(label: string, dimension: Dimension, quantity: Rational): SoldUnit {
  return { label, dimension, quantity, key: `${dimension}:${toText(quantity)}` }
}

function unknown(text: string | null): SoldUnit {
  const folded = foldText(text ?? '')
  return { label: folded === '' ? null : (text ?? '').trim(), dimension: null, quantity: null, key: `text:${folded}` }
}
