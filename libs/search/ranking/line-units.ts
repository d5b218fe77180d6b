import { multiply, ONE, type Rational, toText } from '@catalog/core/money/rational.ts'
import type { Size } from '@catalog/core/units/sizes.ts'
import { conversionFactor, isOfUnknownContents, type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'

/** How the unit of a line and that of an item measure one quantity. */
export type UnitFit = Readonly<{
  fit: 'equal' | 'convertible' | 'unknown' | 'differs'
  /** Units of the item in one unit of the line; null where the units do not convert. */
  itemUnits: Rational | null
  /** The size of the line that says how much one piece is; the item, sold by measure, need not have it. */
  ofPiece?: Size
}>

/** Builders' spellings that the tables leave open, because vendors' prices need more care. */
export function lineUnit(unit: string): SoldUnit {
  const [, spelled] = SPELLED.find(([written]) => written.test(unit)) ?? []
  return soldUnit({ unit: spelled ?? unit })
}
const SPELLED: readonly (readonly [RegExp, string])[] = [
  // Nobody lists a quantity in millilitres: "ml" of a line is the linear metre of Spanish, French, German and others.
  [/^\s*m\.?\s?l\.?\s*$/i, 'm'],
  [/^\s*(?:tons?|tonelada[s]?|tn|to)\.?\s*$/i, 't'],
  [/^\s*scs?\.?\s*$/i, 'bag'],
  [/^\s*brs?\.?\s*$/i, 'bar'],
]

/**
 * Compares the unit of a line (null: none) with that of an item. `sizes` are those of the line: a bag whose contents it gives
 * as 25 kg is an item of 25 kg, and a bar of 12 m is 12 of what is sold by the metre.
 */
export function unitFit(unit: SoldUnit | null, sizes: readonly Size[], item: SoldUnit): UnitFit {
  if (unit === null || unit.key === item.key) return { fit: 'equal', itemUnits: ONE }
  const { dimension, quantity } = item
  const factor = conversionFactor(item, unit)
  if (factor !== null) return { fit: 'convertible', itemUnits: factor }
  const piece = isSingle(unit) ? pieceOf(sizes, item) : null
  if (piece !== null) return piece
  const isContent = (size: Size) => size.dimension === dimension && quantity !== null && size.text === toText(quantity)
  if (unit.dimension !== null && !isOfUnknownContents(unit)) {
    // Sand by the cubic metre may be the sand of the tonne: only its density is open.
    const isOpen = dimension === null || isOfUnknownContents(item) || (isLoose(unit) && isLoose(item))
    return { fit: isOpen ? 'unknown' : 'differs', itemUnits: null }
  }
  if (sizes.some(isContent)) return { fit: 'equal', itemUnits: ONE }
  // Three cartridges of what is sold by 300 ml, or by the piece, are three of it; what is sold by the kilogram says nothing
  // of a bag, and a piece nothing of a box of them.
  const isOne = isSingle(unit) && (isPack(item) || isSingle(item))
  const isBox = BOX.test(unit.dimension ?? '') && isPack(item) && dimension === 'count'
  return isOne || isBox ? { fit: 'equal', itemUnits: ONE } : { fit: 'unknown', itemUnits: null }
}

const isLoose = ({ dimension }: SoldUnit) => dimension === 'mass' || dimension === 'volume'

/** One thing, or one container of something loose. */
function isSingle({ dimension, quantity }: SoldUnit): boolean {
  if (dimension === 'count') return quantity !== null && toText(quantity) === '1'
  return SINGLE.test(dimension ?? '')
}
const SINGLE = /^count:(?:bag|sheet|panel|bar|tube|roll|coil|bucket|can|cartridge|sausage|bottle|drum)$/
const BOX = /^count:(?:box|pack)$/
/** "25 kg" is what a container holds, "kg" is a measure. */
const isPack = ({ label }: SoldUnit) => label !== null && /^\d/.test(label)

/**
 * A piece whose size says how many units of the item it is: a bar of 12 m, a board of 2x4x8 (eight feet), a sheet of 4x8
 * (feet) or 1.22 x 2.44 m.
 */
function pieceOf(sizes: readonly Size[], item: SoldUnit): UnitFit | null {
  if (item.dimension !== 'length' && item.dimension !== 'area') return null
  const measured = sizes.flatMap((size) => {
    const unit = item.dimension === 'length' ? lengthOf(size) : areaOf(size)
    return unit === null ? [] : [{ size, unit }]
  })
  const [only, ...more] = measured
  if (only === undefined || more.length > 0) return null
  const itemUnits = conversionFactor(item, only.unit)
  return itemUnits === null ? null : { fit: 'convertible', itemUnits, ofPiece: only.size }
}

function lengthOf({ dimension, values, written }: Size): SoldUnit | null {
  if (dimension === 'length' && values.length === 1 && (values[0] as number) >= PIECE_METRES_MIN)
    return soldUnit({ unit: `${values[0]} m` })
  const [thick = 0, wide = 0, feet = 0] = written
  const isLumber = dimension === 'number' && written.length === 3 && thick <= wide && LUMBER_INCHES.has(thick)
  return isLumber && feet >= wide && feet <= FEET_MAX ? soldUnit({ unit: `${feet} ft` }) : null
}
/** Shorter lengths are sections. */
const PIECE_METRES_MIN = 1
/** Nominal thickness of lumber, and the longest board of a yard. */
const LUMBER_INCHES: ReadonlySet<number> = new Set([1, 2, 4, 6])
const FEET_MAX = 24

function areaOf({ dimension, values, written }: Size): SoldUnit | null {
  const [wide = 0, long = 0] = values
  if (dimension === 'length' && values.length === 2 && Math.min(wide, long) >= SHEET_METRES_MIN)
    return areaUnit(`${wide} m`, `${long} m`)
  const [a = 0, b = 0] = written
  const isSheet = dimension === 'number' && written.length === 2 && SHEET_FEET.has(`${a}x${b}`)
  return isSheet ? areaUnit(`${a} ft`, `${b} ft`) : null
}
/** Smaller ones are sections and tiles, which come in boxes. */
const SHEET_METRES_MIN = 0.6
/** Nominal sizes of boards in feet. */
const SHEET_FEET: ReadonlySet<string> = new Set(['2x4', '4x8', '4x9', '4x10', '4x12', '5x10'])

function areaUnit(wide: string, long: string): SoldUnit | null {
  const [a, b] = [soldUnit({ unit: wide }).quantity, soldUnit({ unit: long }).quantity]
  if (a === null || b === null) return null
  const quantity = multiply(a, b)
  return { label: null, dimension: 'area', quantity, key: `area:${toText(quantity)}` }
}
