import type { Rational } from '@catalog/core/money/rational.ts'

/**
 * What a unit counts. Each has one base: m, m², m³, kg, h, kWh, kW, one piece. A container or another thing that is
 * counted (a bag, a box, a day's rental) is a kind of its own, `count:bag`: a bag is no box and no piece, and only its
 * contents, where they are known, make it comparable. What is sold by the sheet, the bar or the roll is sold by the piece
 * (see {@link soldUnit}).
 */
export type Dimension =
  | 'length'
  | 'area'
  | 'volume'
  | 'mass'
  | 'time'
  | 'energy'
  | 'power'
  | 'count'
  | 'lump sum'
  | `count:${string}`

/** How the text of a unit is to be read: its language (ISO 639-1) and whether it stands in a BC3 file. */
export type UnitContext = { readonly lang?: string | undefined; readonly format?: 'bc3' | undefined }

export type ParsedUnit = Readonly<{
  dimension: Dimension
  /**
   * Short name for display, the same for all spellings: "m²", "kg", "u", "100 m", "bag". Names the unit in any context,
   * a bare "ml" and "ft" aside, which some languages use for other things.
   */
  symbol: string
  /** Base units of the dimension in one of this unit. */
  factor: Rational
  /** Contents that the text gives: "saco 25 kg" is a bag with { quantity: "25", unit: "kg" }. */
  pack?: Readonly<{ quantity: string; unit: string }>
}>
