import { spellingKey } from '@catalog/core/text.ts'
import { UNIT_SET_NAMES, type UnitSet } from '@catalog/core/units/unit-tables.ts'
import { canonicalUnit, type UnitNames } from '@catalog/core/units/unit-translator.ts'
import { z } from 'zod'

/** Own spellings of one mapping or source. */
const SPELLINGS_MAX = 1_000
const LISTED_MAX = 20
const SPELLING_CHARS_MAX = 100
const ONE_OF = `expected SPELLING: UNIT pairs, or one of the sets ${UNIT_SET_NAMES.join(', ')}`

/**
 * The key `units` of a mapping and of a source: a built-in set, own spellings with their units, or a list of both:
 * `us-dot`, `{ SYS: yd², "M.G.": 1000 gal }`, `[us-dot, { tramex: m² }]`. A later entry outranks an earlier one.
 */
export const Units = z.unknown().transform((value, context): UnitNames => {
  const sets: UnitSet[] = []
  const spellings: [string, string][] = []
  const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (entries.length === 0 || entries.length > LISTED_MAX) refuse([], `expected 1 to ${LISTED_MAX} sets or pairs`)
  for (const [i, entry] of entries.slice(0, LISTED_MAX).entries()) {
    const path = Array.isArray(value) ? [i] : []
    if (isSet(entry)) sets.push(entry)
    else if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
      for (const [spelling, unit] of Object.entries(entry)) {
        const canonical = typeof unit === 'string' ? canonicalUnit(unit) : null
        if (spelling.trim() === '' || spelling.length > SPELLING_CHARS_MAX) {
          refuse([...path, spelling], `expected a spelling of 1 to ${SPELLING_CHARS_MAX} characters`)
        } else if (canonical === null) {
          refuse([...path, spelling], 'expected a unit that prices are per, such as m², kg, 1000 gal or bag 25 kg')
        } else spellings.push([spellingKey(spelling), canonical])
      }
    } else refuse(path, ONE_OF)
  }
  if (spellings.length > SPELLINGS_MAX) refuse([], `expected at most ${SPELLINGS_MAX} spellings`)
  return { sets, spellings: Object.fromEntries(spellings) }
})

const isSet = (entry: unknown): entry is UnitSet => (UNIT_SET_NAMES as readonly unknown[]).includes(entry)

/** The names of a source over those of its mapping; null when neither gives any. */
export function joinedUnits(mapping: UnitNames | undefined, source: UnitNames | undefined): UnitNames | undefined {
  if (mapping === undefined || source === undefined) return source ?? mapping
  return { sets: [...mapping.sets, ...source.sets], spellings: { ...mapping.spellings, ...source.spellings } }
}
