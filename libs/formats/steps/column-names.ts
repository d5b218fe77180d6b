import { foldText } from '@catalog/core/text.ts'
import { COLUMNS_MAX } from '@catalog/formats/bytes/record.ts'
import { z } from 'zod'
import { compiled, Pattern } from './pattern.ts'

/** How a mapping names columns. */

/** A heading, or the number of a column in a file without headings. */
export const Heading = z.preprocess(
  (value) => (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= COLUMNS_MAX ? String(value) : value),
  z.string().min(1).max(500),
)

const NAMES_MAX = 200
/** One column, several, or all whose heading matches a pattern. */
export const Selection = z.union([
  Heading,
  z.array(Heading).min(1).max(NAMES_MAX),
  z.strictObject({ matching: Pattern }),
])
export type Selection = z.infer<typeof Selection>

/** The names that a selection lists; none for a pattern. */
export function namesOf(selection: Selection): readonly string[] {
  return typeof selection === 'string' ? [selection] : Array.isArray(selection) ? selection : []
}

/** The heading that a name means: the same, else one that differs only in case, accents or blanks. */
export function headingOf(name: string, headings: readonly string[]): string | undefined {
  if (headings.includes(name)) return name
  const folded = foldText(name)
  return headings.find((heading) => foldText(heading) === folded)
}

/** The selected headings, and what the file lacks: "no column 'X'". */
export function selected(
  selection: Selection,
  headings: readonly string[],
): { columns: readonly string[]; missing: readonly string[] } {
  if (typeof selection === 'object' && 'matching' in selection) {
    const { matches } = compiled(selection.matching)
    const columns = headings.filter(matches)
    return { columns, missing: columns.length > 0 ? [] : [`no column matches '${selection.matching}'`] }
  }
  const columns: string[] = []
  const missing: string[] = []
  for (const name of namesOf(selection)) {
    const found = headingOf(name, headings)
    if (found === undefined) missing.push(`no column '${name}'`)
    else columns.push(found)
  }
  return { columns, missing }
}
