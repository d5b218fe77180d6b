import { escapePattern } from '@catalog/core/text.ts'
import { z } from 'zod'
import { Heading } from './column-names.ts'

/** The edition of a list: the year, month or day that its publisher names it by. */

/** `edition`: "2024", "2024-12" or "2024-12-01"; `day`: its first day. */
export type FoundEdition = Readonly<{ edition: string; day: string }>
/** Where the mapping finds the edition of a file. */
export type EditionSpec = z.infer<typeof Edition>

const FORMAT = /^(?=.*YYYY)(?!.*(YYYY.*YYYY|MM.*MM|DD.*DD)).{4,100}$/
const Format = z.string().regex(FORMAT, 'expected a format with YYYY, and MM and DD where they stand: MM/YYYY, YYYY')
const NAME = /^(?=.*\{YYYY\})(?!.*(\{YYYY\}.*\{YYYY\}|\{MM\}.*\{MM\}|\{DD\}.*\{DD\})).{6,200}$/

/**
 * `cell` of a table with the `format` in it; a part of the `name` of file or member with {YYYY}, {MM} and {DD}; or a `column`, in
 * `format` or as YYYY, YYYY-MM or YYYY-MM-DD.
 */
export const Edition = z.union(
  [
    z.strictObject({
      cell: z.string().regex(/^[A-Z]{1,3}[1-9]\d{0,4}$/, 'expected a cell such as B3'),
      format: Format,
    }),
    z.strictObject({
      name: z.string().regex(NAME, 'expected a part of a name with {YYYY}, such as prices_{YYYY}_{MM}'),
    }),
    z.strictObject({ column: Heading, format: Format.optional() }),
  ],
  { error: 'expected { cell: B3, format: MM/YYYY }, { name: "prices_{YYYY}_{MM}" } or { column: HEADING }' },
)

/** The edition in a cell or a column, by its format or as an ISO date, which spreadsheets give for their dates. */
export function editionIn(text: string, format: string | undefined): FoundEdition | null {
  const written = text.trim()
  if (format !== undefined) {
    const found = foundBy(patternOf(format, ''), written)
    if (found !== null) return found
  }
  const [, year = '', month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(written.slice(0, TEXT_CHARS_MAX)) ?? []
  const depth = format === undefined ? 3 : format.includes('DD') ? 3 : format.includes('MM') ? 2 : 1
  return editionOf([year, month, day].slice(0, depth))
}

/** The edition in the name of a file. */
export function editionInName(name: string, template: string): FoundEdition | null {
  return foundBy(patternOf(template.normalize('NFC'), '{}'), name.normalize('NFC'))
}

/** Longer texts hold no edition. */
const TEXT_CHARS_MAX = 1_000

function foundBy(pattern: RegExp, text: string): FoundEdition | null {
  const { year = '', month, day } = pattern.exec(text.slice(0, TEXT_CHARS_MAX))?.groups ?? {}
  return editionOf([year, month, day])
}

/** `braces`: "{}" where the parts stand in braces. */
function patternOf(format: string, braces: '' | '{}'): RegExp {
  const [open = '', close = ''] = braces
  const source = [
    ['YYYY', '(?<year>\\d{4})'],
    ['MM', '(?<month>\\d{1,2})'],
    ['DD', '(?<day>\\d{1,2})'],
  ].reduce(
    (text, [part = '', group = '']) => text.replace(escapePattern(`${open}${part}${close}`), group),
    escapePattern(format),
  )
  return new RegExp(`(?<!\\d)${source}(?!\\d)`, 'i')
}

function editionOf([year = '', month, day]: readonly (string | undefined)[]): FoundEdition | null {
  if (!/^(19|20)\d{2}$/.test(year)) return null
  const parts = [year, ...[month, day].filter((part) => part !== undefined).map((part) => part.padStart(2, '0'))]
  const edition = parts.join('-')
  const first = [...parts, '01', '01'].slice(0, 3).join('-')
  const date = new Date(`${first}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(first) ? { edition, day: first } : null
}

/** Line from 1 and column from 0 of a cell such as "B3". */
export function cellAt(cell: string): { line: number; column: number } {
  const [, letters = '', line = ''] = /^([A-Z]+)(\d+)$/.exec(cell) ?? []
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { line: Number(line), column }
}
