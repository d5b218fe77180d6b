import type { Rational } from '@catalog/core/money/rational.ts'

/**
 * The dimension of a unit. Each has one base: m, m², m³, kg, h, kWh, kW, one piece. A container or another counted unit
 * (a bag, a box, a day's rental) is a kind of its own, `count:bag`. A bag is no box and no piece, and only known
 * contents make it comparable. Sheets, bars and rolls are sold by the piece (see {@link soldUnit}).
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

/** Context of a unit text: its language (ISO 639-1), and whether it stands in a BC3 file. */
export type UnitContext = { readonly lang?: string | undefined; readonly format?: 'bc3' | undefined }

export type ParsedUnit = Readonly<{
  dimension: Dimension
  /**
   * Short display name, the same for all spellings: "m²", "kg", "u", "100 m", "bag". It names the unit in any context,
   * except a bare "ml" and "ft", which some languages use for other units.
   */
  symbol: string
  /** Base units of the dimension in one of this unit. */
  factor: Rational
  /** Contents in the text: "saco 25 kg" is a bag with { quantity: "25", unit: "kg" }. */
  pack?: Readonly<{ quantity: string; unit: string }>
}>
