import { readDataFile } from '@catalog/core/data-file.ts'
import { ONE, type Rational, toText } from '@catalog/core/money/rational.ts'
import { spellingKey } from '@catalog/core/text.ts'
import type { Size } from '@catalog/core/units/sizes.ts'
import { conversionFactor, isOfUnknownContents, type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { translatedUnit } from '@catalog/core/units/unit-translator.ts'
import { z } from 'zod'
import {
  bricksOfArea,
  type Conversion,
  convertUnit,
  isOnePiece,
  isPack,
  measureOf,
  multipleText,
  type SoldThing,
  type Stated,
} from './line-conversions.ts'

/** How the unit of a line and that of an item measure one quantity. */
export type UnitFit = Readonly<{
  fit: 'equal' | 'convertible' | 'unknown' | 'differs'
  /** Units of the item in one unit of the line; null where the units do not convert. */
  itemUnits: Rational | null
  /** Null for one unit, and where nothing converts; of units that differ, what a person may choose: so many bricks per m². */
  conversion: Conversion | null
  /** The size of the line that says how much one piece is; the item, sold by measure, need not have it. */
  ofPiece?: Size | undefined
}>

/** What builders write for a unit: first as in their market, then by the table, which outranks what vendors mean by it. */
export function lineUnit(
  unit: string,
  { market, text }: { market?: string | undefined; text: string } = { text: '' },
): SoldUnit {
  const translated = translatedUnit(unit, null, { region: market ?? null, kind: 'shop', article: text })
  return soldUnit({ unit: translated === unit ? (SPELLED.get(spellingKey(unit)) ?? unit) : translated })
}
const spelled = z.record(z.string(), z.string()).parse(readDataFile(import.meta.url, 'spelled-units.yaml'))
const SPELLED: ReadonlyMap<string, string> = new Map(
  Object.entries(spelled).flatMap(([unit, of]) => of.split(',').map((one) => [spellingKey(one), unit] as const)),
)

/**
 * Compares the unit of a line (null: none) with that of an item. A bag whose contents the line gives as 25 kg is an item of
 * 25 kg, a bar of 12 m is 12 of what is sold by the metre, and by the tables a tonne of bars so many of 12 m.
 */
export function unitFit(unit: SoldUnit | null, line: Stated, item: SoldThing): UnitFit {
  const { sold } = item
  if (unit === null || unit.key === sold.key) return { fit: 'equal', itemUnits: ONE, conversion: null }
  const { dimension, quantity, label } = sold
  const fits = (fit: UnitFit['fit'], itemUnits: Rational, by: Omit<Conversion, 'text'>): UnitFit => {
    return { fit, itemUnits, conversion: { text: multipleText(itemUnits, label), ...by } }
  }
  const factor = conversionFactor(sold, unit)
  if (factor !== null)
    return fits('convertible', factor, { exactness: 'exact', source: 'the definitions of the units' })
  const converted = convertUnit(unit, line, item)
  const isPackOf = isOnePiece(unit) && isPack(sold)
  if (converted !== null) {
    const { itemUnits, conversion, ofPiece } = converted
    const isOne = isPackOf && Math.abs(Number(itemUnits.n) / Number(itemUnits.d) - 1) <= NOMINAL
    return { ...(isOne ? fits('equal', ONE, conversion) : { fit: 'convertible', ...converted }), ofPiece }
  }
  // Three cartridges of what is sold by 300 ml, or by the piece, are three of it, and "2x4x16" is no board of ten feet. What is
  // sold by the kilogram says nothing of a bag, and a piece nothing of a box of them.
  const isOther = line.sizes.some((size) => measureOf(size).some(({ to }) => to === dimension))
  const asPack = () => fits('equal', ONE, { exactness: 'nominal', source: 'one pack of the item' })
  if (unit.dimension !== null && !isOfUnknownContents(unit)) {
    if (isPackOf && !isOther && dimension !== 'count' && dimension !== 'area') return asPack()
    const isLoose = [unit, sold].every((one) => one.dimension === 'mass' || one.dimension === 'volume')
    // Gravel by the cubic metre may be that of the tonne: only its density is open.
    const isOpen = dimension === null || isOfUnknownContents(sold) || isLoose
    return { fit: isOpen ? 'unknown' : 'differs', itemUnits: null, conversion: bricksOfArea(unit, item) }
  }
  const isContent = (size: Size) => size.dimension === dimension && quantity !== null && size.text === toText(quantity)
  const isBox = BOX.test(unit.dimension ?? '') && isPack(sold) && dimension === 'count'
  const isOne = (isPackOf && !isOther) || (isOnePiece(unit) && isOnePiece(sold)) || isBox || line.sizes.some(isContent)
  return isOne ? asPack() : { fit: 'unknown', itemUnits: null, conversion: null }
}
const BOX = /^count:(?:box|pack)$/
/** Nominal sizes of one board differ by less: 4 x 8 ft and 1.22 x 2.44 m. */
const NOMINAL = 0.01
