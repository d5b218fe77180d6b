import { readDataFile } from '@catalog/core/data-file.ts'
import { z } from 'zod'
import type { Dimension } from './unit.ts'

/** The tables of units.yaml, as rows in the order of the file. */

const Spellings = z.record(z.string(), z.string()).transform((of) => Object.entries(of))

const Tables = z.strictObject({
  measures: z.record(z.string(), z.record(z.string(), z.tuple([z.string(), z.string()]))),
  containers: Spellings,
  holds_pieces: z.array(z.string()),
  pieces: z.array(z.string()),
  counted: Spellings,
  ambiguous: z.record(z.string(), Spellings),
  sets: z.record(z.string(), Spellings),
  attributes: z.record(z.string(), z.record(z.string(), z.string())),
})

const tables = Tables.parse(readDataFile(import.meta.url, 'units.yaml'))

export const { containers: CONTAINERS, counted: COUNTED } = tables

export const MEASURES = Object.entries(tables.measures).flatMap(([dimension, units]) =>
  Object.entries(units).map(([symbol, row]) => [symbol, dimension as Dimension, ...row] as const),
)

/** Containers sold by the number of pieces in them. */
export const HOLDS_PIECES: ReadonlySet<string> = new Set(tables.holds_pieces)

/** Containers that are pieces themselves, such as a sheet. */
export const PIECES: ReadonlySet<Dimension> = new Set(tables.pieces.map((kind): Dimension => `count:${kind}`))

/** Spelling → its meanings by context, as `bc3 es`; '' for anywhere else. */
export const AMBIGUOUS_SPELLINGS: ReadonlyMap<string, readonly (readonly [where: string, symbol: string])[]> = new Map(
  Object.entries(tables.ambiguous),
)

/** A set of spellings by whom they come from: `us-dot`, or a country. */
export type UnitSet = string
export const UNIT_SETS: ReadonlyMap<UnitSet, readonly (readonly [symbol: string, spellings: string])[]> = new Map(
  Object.entries(tables.sets),
)
export const UNIT_SET_NAMES: readonly UnitSet[] = [...UNIT_SETS.keys()]

/** Units of attributes by quantity, each with its exact value in the first one. */
export const ATTRIBUTE_UNITS: readonly ReadonlyMap<string, string>[] = Object.values(tables.attributes).map(
  (units) => new Map(Object.entries(units)),
)
