import KEYS from './mapping-keys.json' with { type: 'json' }

/** Fields of an observation, its source and its price that a column or a constant can give. */
export type MappingKey = keyof typeof KEYS
export const MAPPING_KEYS = Object.keys(KEYS) as readonly MappingKey[]

/** Keys without which a record is no observation. */
export const REQUIRED_KEYS = ['vendor_ref', 'name', 'price'] as const

/**
 * Keys that say who speaks. Only the operator gives them: by the command line, the sources file, or a mapping that names the
 * column or the constant. No heading and no file sets them, because a vendor's file may claim anything.
 */
export const IDENTITY_KEYS: ReadonlySet<MappingKey> = new Set(MAPPING_KEYS.filter((key) => KEYS[key] === 'operator'))

/** The columns of formats that define the meaning of each value: what a record says of its goods and their price. */
export const RECORD_KEYS: readonly MappingKey[] = MAPPING_KEYS.filter((key) => !IDENTITY_KEYS.has(key))
/** The values of such a record; a reader leaves out what its format does not say. */
export type RecordFields = Readonly<Partial<Record<MappingKey, string>>>

/** One column, several with joined texts, or one whose text is a path with this separator. */
export type Columns = string | readonly string[] | Readonly<{ column: string; separator: string }>
