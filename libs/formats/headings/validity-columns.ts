import { columnsOf, type ResolvedMapping } from '@catalog/formats/mapping/columns.ts'
import { wordsOf } from './heading-vocabulary.ts'

/** Words that head the first and the last day of a price, and as often a quantity or a place: only dates below them tell. */
const PAIRS =
  `from to, from until, start end, desde hasta, inicio fin, de ate, du au, debut fin, von bis, ab bis, beginn ende, dal al,
  inizio fine`
    .split(/,\s+/)
    .map((pair) => pair.split(' ') as [from: string, to: string])
/** Words that head both days in one cell, or the last alone. */
const RANGES: ReadonlySet<string> = new Set(
  `vigencia, validez, periodo de validez, periodo de vigencia, validity, validity period, period of validity, price validity, valid,
  gultigkeit, gultigkeitszeitraum, gultig, validite, periode de validite, validita, periodo di validita, validade, periodo de validade`.split(
    /,\s+/,
  ),
)
/** "2026-01-31", "31.1.26 00:00": a day; a month or a year alone may be a number. */
const DAY = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ].*)?$/
const HAS_DAY = /\d[-./]\d{1,2}[-./]\d/
const KEYS = ['valid_from', 'valid_to'] as const

/**
 * Completes guessed columns by a pair of headings such as "from" and "to" with days below them, or by one such as "validity".
 * `valuesOf` gives a sample.
 */
export function withValidity(
  resolved: ResolvedMapping,
  headings: readonly string[],
  valuesOf: (heading: string) => readonly string[],
): ResolvedMapping {
  const { columns, guessed, shopSystem } = resolved
  if (guessed.length === 0 || shopSystem !== undefined) return resolved
  if (columns.valid_from !== undefined || columns.valid_to !== undefined) return resolved
  const used = new Set(Object.values(columns).flatMap(columnsOf))
  const filled = (heading: string) => valuesOf(heading).filter((text) => /\d/.test(text))
  const daysBelow = (words: string) =>
    headings.find(
      (heading) =>
        wordsOf(heading) === words && !used.has(heading) && filled(heading).every((text) => DAY.test(text.trim())),
    )
  const range = headings.find((heading) => RANGES.has(wordsOf(heading)) && !used.has(heading))
  if (range !== undefined && filled(range).length > 0 && filled(range).every((text) => HAS_DAY.test(text))) {
    return { ...resolved, columns: { ...columns, valid_from: range, valid_to: range }, guessed: [...guessed, ...KEYS] }
  }
  for (const [from, to] of PAIRS) {
    const [valid_from, valid_to] = [daysBelow(from), daysBelow(to)]
    if (valid_from === undefined || valid_to === undefined) continue
    if (filled(valid_from).length + filled(valid_to).length === 0) continue
    return {
      ...resolved,
      columns: { ...columns, valid_from, valid_to },
      guessed: [...guessed, ...KEYS],
    }
  }
  return resolved
}
