import { namesOf } from '@catalog/formats/steps/column-names.ts'
import type { EditionSpec } from '@catalog/formats/steps/edition.ts'
import type { StepSpecs } from '@catalog/formats/steps/steps.ts'
import type { Columns, MappingKey } from './mapping-keys.ts'
import type { ShopSystem } from './shop-exports.ts'

/** The columns and constants of a mapping. */
export type Given = Readonly<{
  columns?: Readonly<Partial<Record<MappingKey, Columns | undefined>>> | undefined
  constants?: Readonly<Partial<Record<MappingKey, string | undefined>>> | undefined
}>

/** Columns and constants for one file, and the keys that were guessed from headings. */
export type ResolvedMapping = Readonly<{
  columns: Readonly<Partial<Record<MappingKey, Columns>>>
  constants: Readonly<Partial<Record<MappingKey, string>>>
  guessed: readonly MappingKey[]
  /** The shop system whose export the headings are; absent for any other file, and under given columns. */
  shopSystem?: ShopSystem
}>

/** The columns that a key reads. */
export function columnsOf(columns: Columns): readonly string[] {
  return typeof columns === 'string' ? [columns] : 'column' in columns ? [columns.column] : columns
}

/** All columns that a mapping names: for keys, for steps and for the edition. */
export function columnsRead(
  mapping: (Given & StepSpecs & Readonly<{ edition?: EditionSpec | undefined }>) | undefined,
): readonly string[] {
  const { columns = {}, replace = [], lookup = [], parents, unpivot, rows, edition } = mapping ?? {}
  const ofKeys = Object.values(columns).flatMap((spec) => (spec === undefined ? [] : columnsOf(spec)))
  const ofCells = [...replace, ...lookup].flatMap((change) => namesOf(change.in))
  const ofParents = parents === undefined ? [] : [parents.text, 'code' in parents ? parents.code : parents.without]
  const ofUnpivot = unpivot === undefined ? [] : namesOf(unpivot.columns)
  const ofRows = [rows?.only, rows?.except].flatMap((conditions) => Object.keys(conditions ?? {}))
  const ofEdition = edition !== undefined && 'column' in edition ? [edition.column] : []
  return [...new Set([...ofKeys, ...ofCells, ...ofParents, ...ofUnpivot, ...ofRows, ...ofEdition])]
}
