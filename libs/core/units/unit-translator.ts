import type { SourceKind } from '@catalog/core/events/sources.ts'
import { spellingKey } from '@catalog/core/text.ts'
import { parseUnit } from './parse-unit.ts'
import { tradeLetterUnit } from './trade-letters.ts'
import type { ParsedUnit, UnitContext } from './unit.ts'
import { UNIT_SETS, type UnitSet } from './unit-tables.ts'

/** What an operator says of the units of a mapping or a source. */
export type UnitNames = Readonly<{
  /** Built-in sets; a later one outranks an earlier one. */
  sets: readonly UnitSet[]
  /** Units by the {@link spellingKey} of own spellings; they outrank the sets. JSON, because specs are stored. */
  spellings: Readonly<Record<string, string>>
}>

/** Facts of a source by which a set applies when the operator says nothing. */
export type UnitOrigin = Readonly<{
  region: string | null
  kind: SourceKind
  /** The name of what is sold. */
  article?: string
}>

/** The unit that an operator wrote, in a spelling that means it in every language; null for an unknown one. */
export function canonicalUnit(text: string): string | null {
  const unit = parseUnit(text) ?? parseUnit(text, { lang: 'en' })
  return unit === null ? null : anywhere(unit)
}

/** "ft" is forfait in French; "foot" is a foot everywhere. */
function anywhere({ symbol, pack }: ParsedUnit): string {
  const named = symbol === 'ft' ? 'foot' : symbol
  return pack === undefined ? named : `${named} ${pack.quantity} ${pack.unit}`
}

/**
 * The set that outranks the general reading when the operator names none: bids from the United States are spelled as its
 * road departments spell them. Null for every other source.
 */
export function rankingSet({ region, kind }: UnitOrigin): UnitSet | null {
  return /^US\b/.test(region ?? '') && kind === 'bid' ? 'us-dot' : null
}

/** The set that explains what the general reading leaves open: the one of the source's country. */
export function fallbackSet({ region }: Pick<UnitOrigin, 'region'>): UnitSet | null {
  const name = region?.replace(/-.*/, '').toLowerCase() ?? ''
  return UNIT_SETS.has(name) ? name : null
}

/**
 * The unit to record for a vendor's text. The operator's own spellings come first, then the sets that the operator names,
 * then the set of the source's kind, then the letters of the US trade, then the general reading, which keeps the text as it is. The set of the source's
 * country explains only what stays open. An unexplained text is kept: an alias can name it later.
 */
export function translatedUnit(text: string, given: UnitNames | null, origin: UnitOrigin & UnitContext): string {
  const key = spellingKey(text)
  const own = given && Object.hasOwn(given.spellings, key) ? given.spellings[key] : undefined
  if (own !== undefined) return own
  const named = [...(given?.sets ?? [])].reverse()
  const ranking = named.length === 0 ? rankingSet(origin) : null
  for (const set of ranking === null ? named : [ranking]) {
    const found = spelledIn(set).get(key)
    if (found !== undefined) return found
  }
  const counted = tradeLetterUnit(text, origin.region, origin.article ?? '')
  if (counted !== null) return counted
  if (parseUnit(text, origin) !== null) return text
  const fallback = fallbackSet(origin)
  return (fallback && spelledIn(fallback).get(key)) ?? text
}

const SPELLED = new Map<UnitSet, ReadonlyMap<string, string>>()

/** Spelling → unit of a set. Throws RangeError for a row whose unit the tables do not know. */
function spelledIn(set: UnitSet): ReadonlyMap<string, string> {
  const kept = SPELLED.get(set)
  if (kept) return kept
  const made = new Map<string, string>()
  for (const [symbol, spellings] of UNIT_SETS.get(set) ?? []) {
    const unit = canonicalUnit(symbol)
    if (unit === null) throw new RangeError(`unit set ${set}: ${JSON.stringify(symbol)}: expected a unit of the tables`)
    for (const spelling of spellings.split(', ')) made.set(spellingKey(spelling), unit)
  }
  SPELLED.set(set, made)
  return made
}
