import { UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import { charsetNamed } from '@catalog/formats/bytes/encoding.ts'
import { priceTablesProblem, recipeMapping } from '@catalog/formats/recipes/recipe-mapping.ts'
import { Heading } from '@catalog/formats/steps/column-names.ts'
import { Edition } from '@catalog/formats/steps/edition.ts'
import { PLACES_MAX } from '@catalog/formats/steps/round.ts'
import { STEP_KEYS } from '@catalog/formats/steps/steps.ts'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { MAPPING_KEYS, type MappingKey } from './mapping-keys.ts'
import { Units } from './unit-names.ts'

/** One column, several with joined texts, or one whose text is a path. */
const Columns = z.union([
  Heading,
  z.array(Heading).min(1).max(12),
  z.strictObject({ column: Heading, separator: z.string().min(1).max(10) }),
])
const Constant = z.union([z.string(), z.number(), z.boolean()]).transform(String)

const keyed = <T extends z.ZodType>(value: T) =>
  z.strictObject(
    Object.fromEntries(MAPPING_KEYS.map((key) => [key, value.optional()])) as Record<MappingKey, z.ZodOptional<T>>,
  )

/** Order of day, month and year; ISO dates and Excel serials are read under each. */
const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** Names and ids that a mapping may allow. */
const SOURCES_ALLOWED_MAX = 1_000
/**
 * What a mapping lets a file say of its sources: the names or ids that its column may hold, and the most trust that a column
 * may claim (by default that of the operator for the whole input).
 */
const Sources = z.strictObject({
  allow: z.union([z.literal('any'), z.array(z.string().min(1).max(200)).min(1).max(SOURCES_ALLOWED_MAX)], {
    error: 'expected any, or a list of names or ids of sources',
  }),
  trust_max: z.int().min(0).max(100).optional(),
})
export type SourcesRule = z.infer<typeof Sources>

/** Names that a mapping lists of sheets or members. */
const NAMES_MAX = 50
const FileGlob = z.string().min(1).max(200)
const SheetName = z.union([z.string().min(1).max(200), z.int().min(1)])
/** Lines above a table: some lists begin with a page of notes. */
const LINES_MAX = 10_000
const HEADING_LINES_MAX = 5
const Line = z.int().min(1).max(LINES_MAX)
/** The line of the heading, several lines that make it together, or none. */
const HeaderRow = z.union([z.literal('none'), Line, z.array(Line).min(1).max(HEADING_LINES_MAX)], {
  error: 'expected the number of a line, a list of them, or none',
})

/** How the rows of a file are read. */
const READING = {
  delimiter: z
    .string()
    .length(1, 'expected one character')
    .refine((text) => text !== '"' && text !== '\n')
    .optional(),
  encoding: z
    .string()
    .transform((label, context) => {
      const encoding = charsetNamed(label)
      if (encoding !== null) return encoding
      context.addIssue({
        code: 'custom',
        message:
          'expected utf-8, utf-16le, utf-16be, windows-1252, cp850, cp437, or a charset of another language such as windows-1251',
      })
      return z.NEVER
    })
    .optional(),
  decimal: z.enum([',', '.']).optional(),
  date_format: z
    .string()
    .transform((text, context) => {
      const order = dateOrderOf(text)
      if (order !== null) return order
      context.addIssue({ code: 'custom', message: 'expected an order such as DD/MM/YYYY, MM/DD/YYYY or YYYY-MM-DD' })
      return z.NEVER
    })
    .optional(),
  member: z.union([FileGlob, z.array(FileGlob).min(1).max(NAMES_MAX)]).optional(),
  sheet: z.union([SheetName, z.array(SheetName).min(1).max(NAMES_MAX)]).optional(),
  skip_rows: z.int().min(1).max(LINES_MAX).optional(),
  header_row: HeaderRow.optional(),
  short_rows: z.boolean().optional(),
  records: z
    .string()
    .max(500)
    .regex(
      /^(\.|(\[\*\])+(\.[^.]+)*|[^.]+(\.[^.]+)*)$/,
      'expected a path such as data.items or results[*].hits[*], "." for the document itself, or elements such as Contents/Item',
    )
    .optional(),
  ...STEP_KEYS,
}
/**
 * The mapping file: columns and constants by key, and the path of the `records` in a JSON document. Several columns of
 * `vendor_ref` are joined with "|", those of `category_path` are its levels, and all others are joined with a blank.
 */
const MappingFields = z.strictObject({
  ...READING,
  round: z.int().min(0).max(PLACES_MAX).optional(),
  edition: Edition.optional(),
  columns: keyed(Columns).optional(),
  constants: keyed(Constant).optional(),
  units: Units.optional(),
  sources: Sources.optional(),
  recipes: recipeMapping(READING).optional(),
})
export const Mapping = MappingFields.superRefine(({ columns, constants, sources, recipes }, context) => {
  const problem = recipes === undefined ? null : priceTablesProblem(recipes)
  if (problem !== null) context.addIssue({ code: 'custom', ...problem, path: ['recipes', ...problem.path] })
  const validity = constants?.validity
  if (validity !== undefined && validity !== UNTIL_SUPERSEDED) {
    const message = `'${validity.slice(0, 40)}': expected ${UNTIL_SUPERSEDED}, or validity_days alone`
    context.addIssue({ code: 'custom', path: ['constants', 'validity'], message })
  }
  if (columns?.source_id !== undefined) {
    const message = `a file never chooses the id of a source: expected columns.source, whose names sources.allow lists, or constants.source_id`
    context.addIssue({ code: 'custom', path: ['columns', 'source_id'], message })
  }
  if (columns?.source === undefined || sources !== undefined) return
  const message =
    'columns.source lets the file name its sources: expected also sources: { allow: [names or ids] }, or sources: { allow: any }'
  context.addIssue({ code: 'custom', path: ['sources'], message })
})
export type Mapping = z.infer<typeof Mapping>

/** "DD/MM/YYYY", "dd.mm.yy", "mdy", "ISO" → the order of the parts; null for any other text. */
export function dateOrderOf(text: string): DateOrder | null {
  const letters = text
    .toLowerCase()
    .replace(/[^dmyaj]/g, '')
    .replace(/[aj]/g, (letter) => (letter === 'a' ? 'y' : 'd'))
  if (/^(iso|iso ?8601)$/i.test(text.trim())) return 'ymd'
  const order = [...new Set(letters)].join('')
  return DATE_ORDERS.find((known) => known === order) ?? null
}

/** Parses a mapping file, JSON or YAML. Throws BadMapping with each invalid key and its expectation. */
export function parseMapping(text: string, place: string): Mapping {
  let value: unknown
  try {
    // YAML aliases can multiply a small text; a mapping needs none.
    value = parseYaml(text, { maxAliasCount: 0 })
  } catch (cause) {
    throw new BadMapping(`${place}: expected JSON or YAML: ${(cause as Error).message.split('\n')[0]}`, { cause })
  }
  const parsed = Mapping.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'mapping'}: ${message}`)
  throw new BadMapping(`${place}: ${problems.join('; ')}. Keys: ${MAPPING_KEYS.join(', ')}`, { cause: parsed.error })
}

export class BadMapping extends Error {
  override name = 'BadMapping'
}
