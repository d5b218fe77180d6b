import { type AttributesByRole, numberOf, valuesOf } from '@catalog/core/attributes/attribute-differences.ts'
import { readDataFile } from '@catalog/core/data-file.ts'
import type { KindReading } from '@catalog/core/kinds/kind-of.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { divide, multiply, parseDecimal, parseRational, type Rational } from '@catalog/core/money/rational.ts'
import type { Size } from '@catalog/core/units/sizes.ts'
import { conversionFactor, type SoldUnit } from '@catalog/core/units/sold-unit.ts'
import type { Dimension } from '@catalog/core/units/unit.ts'
import { conceptsInOrder, headConcepts } from '@catalog/embed/concepts/concepts.ts'
import { z } from 'zod'

/** What a name or a line says of sizes. */
export type Stated = Readonly<{ sizes: readonly Size[]; attributes: AttributesByRole }>
/** An item by its names, and what it is sold by. */
export type SoldThing = Stated & Readonly<{ names: readonly string[]; sold: SoldUnit; kinds: readonly KindReading[] }>

const Conversion = z.strictObject({
  /** "6 × 19 l", "0.888 kg/m". */
  text: z.string(),
  /** exact: by units or a stated size; nominal: by a standard, or a piece taken for a pack; approximate: by a bulk density. */
  exactness: z.enum(['exact', 'nominal', 'approximate']),
  /** The standard, or where the size is stated. */
  source: z.string(),
})
/** How people read that the quantity of a line became one of the item's units. */
export type Conversion = Readonly<z.infer<typeof Conversion>>

const Concepts = z.array(z.string()).transform((ids): ReadonlySet<string> => new Set(ids))
const Row = Conversion.extend({
  from: z.custom<Dimension>(),
  to: z.custom<Dimension>(),
  each: z.string().transform(parseDecimal),
  of: Concepts.optional(),
  kind: z.string().optional(),
  mm: z.number().optional(),
})
const Bricks = z.strictObject({ of: Concepts, source: z.string() })
const { rows, boards, bricks } = z
  .strictObject({ rows: z.array(Row), boards: Concepts, bricks: Bricks })
  .parse(readDataFile(import.meta.url, 'conversions.yaml'))
const GOODS: ReadonlySet<string> = new Set(rows.flatMap(({ of = new Set() }) => [...of]))

/** So many base units of one dimension in one of another: of goods, by the table, or of a piece, by its size. */
type Bridge = z.infer<typeof Row> & { size?: Size }

/** The units of the item in one unit of the line, by stated sizes and the table; null where nothing leads from one to the other. */
export function convertUnit(unit: SoldUnit, line: Stated, item: SoldThing) {
  const found = pathTo(unit, item.sold, [...pieceBridges(unit, line, item), ...rowsFor(unit, line, item)])
  if (found === null) return null
  const { itemUnits, over } = found
  const row = over.find(({ size }) => size === undefined)
  const conversion: Conversion = {
    text: row === undefined ? multipleText(itemUnits, item.sold.label) : over.map(({ text }) => text).join(' × '),
    exactness: row?.exactness ?? 'exact',
    source: over.map(({ source }) => source).join('; '),
  }
  return { itemUnits, conversion, ofPiece: over.find(({ size }) => size !== undefined)?.size }
}

/** "6 × 19 l", "1000 kg": so many of a unit. */
export function multipleText({ n, d }: Rational, label: string | null | undefined): string {
  const isOfPacks = /^\d/.test(label ?? '')
  const number = isOfPacks && n === 1n && d > 1n ? `1/${d}` : String(Number((Number(n) / Number(d)).toPrecision(6)))
  return `${number}${isOfPacks ? ' ×' : ''} ${label ?? ''}`.trim()
}

/** Bricks of a square metre of wall: a choice for a person and no conversion, because nobody states how thick the wall is. */
export function bricksOfArea(unit: SoldUnit, { sold, attributes, names }: SoldThing): Conversion | null {
  const sides = attributes.get('block size')?.find(({ values }) => values.length === 3)?.values ?? []
  const [low, middle, long] = sides.map((side) => (numberOf(side) ?? 0) + JOINT_MM).sort((a, b) => a - b)
  const isOfWall = [unit.dimension, sold.dimension].sort().join() === 'area,count'
  if (!isOfWall || !low || !middle || !long || !isOf(names, bricks.of)) return null
  const [edge, flat] = [middle, low].map((height) => Math.round(1_000_000 / (long * height)))
  return { text: `${edge} to ${flat} u/m²`, exactness: 'approximate', source: bricks.source }
}
const JOINT_MM = 10

type Path = Readonly<{ itemUnits: Rational; over: readonly Bridge[] }>

/** The way to the item's unit over different bridges, at most so many as there are. */
function pathTo(unit: SoldUnit, sold: SoldUnit, bridges: readonly Bridge[]): Path | null {
  for (const bridge of bridges) {
    const { from, to, each } = bridge
    if (unit.quantity === null || (unit.dimension !== from && unit.dimension !== to)) continue
    const isForth = unit.dimension === from
    const quantity = isForth ? multiply(unit.quantity, each) : divide(unit.quantity, each)
    const next = { label: null, key: '', dimension: isForth ? to : from, quantity }
    const itemUnits = conversionFactor(sold, next)
    if (itemUnits !== null) return { itemUnits, over: [bridge] }
    const others = bridges.filter((other) => other !== bridge)
    const further = pathTo(next, sold, others)
    if (further !== null) return { ...further, over: [bridge, ...further.over] }
  }
  return null
}

/** The rows of the table for an item. The diameter of its bars must be that of the line. */
function rowsFor(unit: SoldUnit, { sizes, attributes }: Stated, { names, sold, kinds }: SoldThing): readonly Bridge[] {
  const ends = [unit.dimension, sold.dimension]
  const near = rows.filter(({ from, to }) => ends.includes(from) || ends.includes(to))
  if (near.length === 0) return []
  // "Mortero cemento-arena" is a mortar first, and no sand.
  const goods = names.filter((name) => conceptsInOrder(name)[0]?.isDisjointFrom(GOODS) === false)
  const has = (wanted: string) => kinds.some(({ kind }) => kind === wanted)
  const told = [...valuesOf(attributes.get('bar diameter') ?? [])].map((value) => numberOf(value) ?? 0)
  const plain = sizes.flatMap(({ dimension, values: [metres = 0] }) => (dimension === 'length' ? [metres * 1000] : []))
  const fitting = near.filter(
    ({ from, kind: wanted, of, mm }) =>
      (wanted === undefined ? !has('work') : has(wanted)) &&
      (of === undefined || isOf(goods, of)) &&
      // 9.5 mm is 3/8 in; 12.5 mm and 1/2 in are two bars.
      (mm === undefined || [...told, ...plain].some((one) => Math.abs(one - mm) <= DIAMETER_MM)) &&
      // A cubic metre of sand is no matter of so many retail bags.
      (from !== 'volume' || (!isPack(unit) && !isPack(sold))),
  )
  // Two bars of one line have no one mass.
  return fitting.some(({ mm, text }) => mm !== undefined && text !== fitting[0]?.text) ? [] : fitting
}
const DIAMETER_MM = 0.06

/** Whether a name is about one of these things. */
const isOf = (names: readonly string[], of: ReadonlySet<string>) =>
  names.some((name) => !heads(name, () => headConcepts(name)).isDisjointFrom(of))
const heads = openMemo<ReadonlySet<string>>(20_000)

// Pieces of a stated size ---------------------------------------------------------------------------------------------

/** One thing, or one container of something loose. */
export const isOnePiece = ({ key, dimension }: SoldUnit) => key === 'count:1' || SINGLE.test(dimension ?? '')
const SINGLE =
  /^count:(?:bag|big bag|tube|coil|reel|bucket|can|gallon can|canister|pot|cartridge|sausage|bottle|drum|bundle)$/
/** "25 kg" is what a container holds, "kg" is a measure. */
export const isPack = ({ label }: SoldUnit) => label !== null && /^\d/.test(label)

/** How much a piece is: by the line, or else by the names of the item, where one size alone says it. */
function pieceBridges(unit: SoldUnit, line: Stated, { sold, names, sizes }: SoldThing): readonly Bridge[] {
  const [piece, { dimension, quantity }] = isOnePiece(unit) ? [unit, sold] : [sold, unit]
  const from = piece.dimension
  if (!isOnePiece(piece) || from === null) return []
  // A window of a stated size is no measure for windows by the square metre.
  const isBoard = sold.label !== 'u' || isOf(names, boards)
  // A drum of 114 l is six buckets of 19 l, and half a bar a bar; a bag of 35 kg is no 1.4 bags of 25 kg, and none by the kg.
  function isWhole({ to, each }: Measure): boolean {
    if (to === 'area') return isBoard
    if (to !== dimension || quantity === null || !isPack(sold)) return to === 'length'
    const { n, d } = divide(each, quantity)
    return d === 1n || (to === 'length' && n === 1n)
  }
  const bridgesBy = (stated: readonly Size[], source: string) =>
    [...Map.groupBy(stated.flatMap(measureOf), ({ to }) => to).values()].flatMap(([one, ...more]): Bridge[] => {
      if (one === undefined || more.length > 0 || !isWhole(one)) return []
      return [{ ...one, from, text: multipleText(one.each, BASE_LABELS[one.to]), exactness: 'exact', source }]
    })
  const ofLine = bridgesBy(line.sizes, 'the size in the line')
  return ofLine.length > 0 ? ofLine : bridgesBy(sizes, 'the size of the item')
}
const BASE_LABELS: Readonly<Record<string, string>> = { length: 'm', area: 'm²', mass: 'kg', volume: 'm³' }

type Measure = Readonly<{ to: Dimension; each: Rational; size: Size }>

/**
 * How much a piece of a size is, in base units: a bar of 12 m, a board of 2x4x8 (eight feet), a sheet of 4x8 (feet), 1.22 x
 * 2.44 m or 1220x2440 (mm), a drum of 114 l. Empty for other sizes.
 */
export function measureOf(size: Size): readonly Measure[] {
  const { dimension, values, written, text } = size
  const [shape, least, exact] = [
    `${dimension} ${values.length}`,
    Math.min(...values),
    text.split('x').map(parseRational),
  ]
  const of = (to: Dimension, ...factors: Rational[]) => [{ to, each: factors.reduce(multiply), size }]
  if (shape === 'mass 1' || shape === 'volume 1' || (shape === 'length 1' && least >= PIECE_METRES_MIN))
    return of(dimension as Dimension, ...exact)
  if (shape === 'length 2' && least >= SHEET_METRES_MIN) return of('area', ...exact)
  if (shape === 'number 2' && least >= SHEET_METRES_MIN * 1000) return of('area', ...exact, MILLIMETRE, MILLIMETRE)
  if (shape === 'number 2' && SHEET_FEET.has(written.join('x'))) return of('area', ...exact, FOOT, FOOT)
  const [thick = 0, wide = 0, feet = 0] = written
  const isLumber = shape === 'number 3' && LUMBER_INCHES.has(thick) && thick <= wide && wide <= feet && feet <= FEET_MAX
  return isLumber ? of('length', ...exact.slice(2), FOOT) : []
}
const [FOOT, MILLIMETRE] = [parseDecimal('0.3048'), parseDecimal('0.001')]
/** Shorter lengths are sections; smaller sheets are sections and tiles, which come in boxes. */
const [PIECE_METRES_MIN, SHEET_METRES_MIN] = [1, 0.6]
/** Nominal thickness of lumber, and the longest board of a yard. */
const [LUMBER_INCHES, FEET_MAX] = [new Set([1, 2, 4, 6]), 24]
/** Nominal sizes of boards in feet. */
const SHEET_FEET: ReadonlySet<string> = new Set(['2x4', '4x8', '4x9', '4x10', '4x12', '5x10'])
