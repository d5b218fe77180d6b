import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { z } from 'zod'
import { Heading, headingOf } from './column-names.ts'
import { type Step, withTexts } from './step.ts'
import { count, type StepTally } from './tally.ts'

/** The step `parents`: a row inherits the texts of the rows above it in the hierarchy. */

/** Levels above a row; the texts of deeper ones are not kept. */
const LEVELS_MAX = 8

/**
 * Which rows head others, and the column whose text they hand down. `code`: those whose code begins the code of the row, up to
 * a `separator` (by default any character that is neither letter nor digit). `without`: the last row above without a text in
 * that column, such as the price.
 */
export const Parents = z.union(
  [
    z.strictObject({ text: Heading, code: Heading, separator: z.string().max(5).optional() }),
    z.strictObject({ text: Heading, without: Heading }),
  ],
  { error: 'expected { text, code } with an optional separator, or { text, without }' },
)

/** Columns of the step: `_parent` is the text of the nearest row above, `_level_1` that of the outermost. */
const PARENT_COLUMNS: readonly string[] = [
  '_parent',
  ...Array.from({ length: LEVELS_MAX }, (_, i) => `_level_${i + 1}`),
]

type Above = Readonly<{ code: string; text: string }>

export function parentsStep(parents: z.infer<typeof Parents>, tally: StepTally): Step {
  const separator = 'code' in parents ? parents.separator : undefined
  let key = ''
  let textColumn = ''
  let above: Above[] = []
  const textIn = ({ fields }: RawRecord, column: string) => (fields[column] ?? '').trim()
  return {
    begin(columns) {
      above = []
      const missing: string[] = []
      const find = (place: string, name: string) => {
        const found = headingOf(name, columns)
        if (found === undefined) missing.push(`parents.${place}: no column '${name}'`)
        return found ?? name
      }
      textColumn = find('text', parents.text)
      key = 'code' in parents ? find('code', parents.code) : find('without', parents.without)
      return { columns: [...columns, ...PARENT_COLUMNS], missing }
    },
    apply(record) {
      const own = textIn(record, textColumn)
      if ('code' in parents) {
        const code = textIn(record, key)
        // A note between a heading and its rows ends nothing.
        if (code === '') return [inherit(record, [], tally)]
        above = above.filter((row) => isWithin(code, row.code, separator))
        const inherited = inherit(record, above, tally)
        if (own !== '') above.push({ code, text: own })
        return [inherited]
      }
      if (textIn(record, key) !== '' || own === '') return [inherit(record, above, tally)]
      above = [{ code: '', text: own }]
      return [inherit(record, [], tally)]
    },
  }
}

/** Whether a code lies below another: "1.01.2.a." below "1.01.2.", and not below "1.0". */
function isWithin(code: string, above: string, separator: string | undefined): boolean {
  const bare = separator === undefined ? above.replace(/[^\p{L}\p{N}]+$/u, '') : withoutEnd(above, separator)
  if (bare === '' || bare.length >= code.length || !code.startsWith(bare)) return false
  const rest = code.slice(bare.length)
  // A separator behind the last part ends the same code, and begins no part below it.
  if (separator === undefined) return /^[^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(rest)
  return rest.startsWith(separator) && rest.length > separator.length
}

function withoutEnd(code: string, separator: string): string {
  return separator !== '' && code.endsWith(separator) ? code.slice(0, -separator.length) : code
}

function inherit(record: RawRecord, above: readonly Above[], tally: StepTally): RawRecord {
  const texts: Record<string, string> = Object.create(null)
  for (const column of PARENT_COLUMNS) texts[column] = ''
  const nearest = above.at(-1)
  if (nearest === undefined) return withTexts(record, texts)
  texts._parent = nearest.text
  for (const [i, { text }] of above.slice(0, LEVELS_MAX).entries()) texts[`_level_${i + 1}`] = text
  count(tally, 'parents', () => `${record.position}: below '${nearest.text.slice(0, 80)}'`)
  return withTexts(record, texts)
}
