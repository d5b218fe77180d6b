import { spellingKey } from '@catalog/core/text.ts'

/** What a person says a spelling means, in one source or (null) in all. */
export type UnitAlias = Readonly<{ unit: string; sourceId: string | null; canonical: string }>
/** Finds the unit that a spelling of a source stands for; undefined without an alias. */
export type UnitAliases = Readonly<{
  isEmpty: boolean
  of: (sourceId: string, unit: string) => string | undefined
  /** Whether any source has an alias for this spelling. */
  names: (unit: string) => boolean
}>

/** Aliases by spelling: that of the source outranks that of all sources. */
export function unitAliases(aliases: readonly UnitAlias[]): UnitAliases {
  const bySpelling = new Map<string, Map<string | null, string>>()
  for (const { unit, sourceId, canonical } of aliases) {
    const key = spellingKey(unit)
    const found = bySpelling.get(key) ?? new Map<string | null, string>()
    bySpelling.set(key, found.set(sourceId, canonical))
  }
  return {
    isEmpty: bySpelling.size === 0,
    of(sourceId, unit) {
      if (bySpelling.size === 0) return undefined
      const found = bySpelling.get(spellingKey(unit))
      return found?.get(sourceId) ?? found?.get(null)
    },
    names: (unit) => bySpelling.size > 0 && bySpelling.has(spellingKey(unit)),
  }
}

type Named = Readonly<{ unit: string | null; pack?: Readonly<{ quantity: string; unit: string }> | null | undefined }>

/** The sold unit of a source with its aliases applied to unit and contents; the same object without one. */
export function withAliases<T extends Named>(sold: T, sourceId: string, aliases: UnitAliases): T {
  if (aliases.isEmpty) return sold
  const unit = sold.unit === null ? undefined : aliases.of(sourceId, sold.unit)
  const content = sold.pack && aliases.of(sourceId, sold.pack.unit)
  if (unit === undefined && content === undefined) return sold
  return {
    ...sold,
    ...(unit !== undefined && { unit }),
    ...(content !== undefined && sold.pack && { pack: { ...sold.pack, unit: content } }),
  }
}
