import { divide, ONE, type Rational, rational, toText } from '@catalog/core/money/rational.ts'
import { foldText } from '@catalog/core/text.ts'
import { PIECES } from './containers.ts'
import { parseContent, parseUnit } from './parse-unit.ts'
import type { Dimension } from './unit.ts'

/** What one unit of a price is: the unit with its pack resolved. */
export type SoldUnit = Readonly<{
  /**
   * What an item shows: "25 kg" when the contents are known, else "m²", else the vendor's text; null without a unit. Read
   * as a unit of no language, it gives the same key again, so that an item can be founded with it.
   */
  label: string | null
  /** Null when the unit is not known. */
  dimension: Dimension | null
  /** Base units of the dimension in one sold unit; null when the unit is not known. */
  quantity: Rational | null
  /** Equal for two sold units when, and only when, they are certainly the same. */
  key: string
}>

/**
 * The sold unit of a unit text and a pack beside it, either of which may be missing. The pack says what one sold unit
 * holds, so it wins over contents in the text, and over a unit that is a piece, a container, unknown or absent. A unit
 * that is a measure itself stands: 4 EUR per m² stays per m² whatever the box holds. A bare container is one container:
 * two bare bags have one key, and that they hold the same is for the names of the two SKUs to say. A bare sheet is a piece.
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
  // A pack beside "100 u" may be that of one piece or of all hundred.
  const isOne =
    unit === null || unit.pack !== undefined || toText(unit.factor) === '1' || content?.dimension === 'count'
  if (content && isOne) return known(content.symbol, content.dimension, content.factor)
  return unknown([unit?.symbol ?? sold.unit ?? '', pack.quantity, pack.unit].join(' '))
}

/** Whether it is one of something whose contents the unit does not say: a bag, a roll, a sheet. */
export function isOfUnknownContents({ dimension, label }: SoldUnit): boolean {
  if (dimension === 'count') return PIECES.has(parseUnit(label ?? '')?.dimension ?? dimension)
  return dimension?.startsWith('count:') === true
}

/**
 * f in: price per `to` = price per `from` × f, exactly. Null when the two do not convert: other dimensions, or a unit that
 * is not known, unless both are the same text. Two prices without any unit compare as they are.
 */
export function conversionFactor(from: SoldUnit, to: SoldUnit): Rational | null {
  if (from.key === to.key) return ONE
  if (from.quantity === null || to.quantity === null || from.dimension !== to.dimension) return null
  return divide(to.quantity, from.quantity)
}

/**
 * The price of one unit that prices are compared in, net of tax: cents / perQuantity × unitFactor / taxFactor, in minor
 * units of its currency. `unitFactor` is the {@link conversionFactor} from the sold unit, `taxFactor` 1 + the rate where
 * the price includes tax, else 1. Exact, whatever the units: a screw out of a thousand costs a thousandth of them. Nothing
 * rounds it but the one amount that is published (a median, to the nearest cent).
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
  // Nearly every price is of one untaxed unit of the item: no common divisor to look for.
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
