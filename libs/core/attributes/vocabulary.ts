import { divide, multiply, parseDecimal, parseRational, type Rational, toText } from '@catalog/core/money/rational.ts'
import { ATTRIBUTE_UNITS } from '@catalog/core/units/unit-tables.ts'
import { z } from 'zod'

/**
 * The attributes of one trade and how names write them, from a file of this folder. The schema below is
 * the reference for who extends it: add a form with examples, and the test of this folder reads them back.
 */

const Text = z.string().trim().min(1)
const Word = z.string().regex(/^[a-z0-9+]+$/, 'expected a word in small letters without accents')
const Written = z.union([Text, z.number()]).transform(String)

const Form = z
  .strictObject({
    /** A regular expression in folded text: `{n}`, `{m}` and `{k}` are numbers, `{code}` a letter or
     * numeral, `{codes}` several with a slash between; a blank stands for any separator or none. */
    write: Text.optional(),
    /** Single words, any of which has the value `is`. */
    words: z.array(Word).min(1).optional(),
    /** The value, where the written text is not the value itself. */
    is: Written.optional(),
    /** Values by the written number or code. */
    table: z.record(Text, Written).optional(),
    /** Unit of the written numbers; the unit of the role without one. */
    unit: Text.optional(),
    /** A mark before three digits groups thousands: nobody writes thousandths of this unit. */
    thousands: z.boolean().default(false),
    /** Names with the values that they hold. */
    examples: z.record(Text, Written).refine((examples) => Object.keys(examples).length > 0, 'expected an example'),
  })
  .refine(({ write, words }) => (write === undefined) !== (words === undefined), 'expected write or words')
  .refine(({ words, is }) => words === undefined || is !== undefined, 'expected words with is')

const Role = z.strictObject({
  /** What the value says of the product; `about` of a contradiction. */
  role: Text,
  /** Unit of the values; none for codes. */
  unit: Text.optional(),
  /** Numbers agree within this share of the larger one: rounding between systems. Exact without it. */
  tolerance: z.number().positive().max(0.05).optional(),
  /** What a name says that holds none of the forms; without it, such a name leaves the role open. */
  unstated: Text.optional(),
  /** The text stays readable for the other roles and for plain sizes. */
  keeps: z.boolean().default(false),
  forms: z.array(Form).min(1),
  /** Values that a standard takes as one, each with its unit where it is another one than the role's. */
  equal: z.array(z.strictObject({ values: z.array(Written).min(2), by: Text })).default([]),
})

const VocabularyFile = z.strictObject({
  trade: Text,
  /** Beginnings of words, one of which the name or its category has to hold; any name without them. */
  words: z.array(Word).min(1).optional(),
  roles: z.array(Role).min(1),
})
type VocabularyFile = z.infer<typeof VocabularyFile>

/** A form, ready to read. */
export type ReadForm = Readonly<{
  pattern: RegExp | null
  words: readonly string[]
  is: string | null
  table: ReadonlyMap<string, string> | null
  factor: Rational | null
  thousands: boolean
  examples: Readonly<Record<string, string>>
}>
export type ReadRole = Readonly<{
  role: string
  unit: string | null
  tolerance: number
  unstated: string | null
  keeps: boolean
  forms: readonly ReadForm[]
  /** Value → the value that stands for all that a standard takes as one with it. */
  standsFor: ReadonlyMap<string, string>
}>
export type Vocabulary = Readonly<{
  trade: string
  /** Beginnings of words; null for any text. */
  words: readonly string[] | null
  /** Every pattern of its forms at once, so that most texts are searched once; null where it has none. */
  pattern: RegExp | null
  roles: readonly ReadRole[]
}>

/** A vocabulary breaks its schema. The message names the file, the place and the expectation. */
export class InvalidVocabulary extends Error {
  override name = 'InvalidVocabulary'
}

/** Validates a parsed file. Throws InvalidVocabulary. */
export function readVocabulary(content: unknown, file: string): Vocabulary {
  const parsed = VocabularyFile.safeParse(content)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new InvalidVocabulary(`${file}: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { trade, words, roles } = parsed.data
  const written = roles.flatMap(({ forms }) =>
    forms.flatMap(({ write }) => (write === undefined ? [] : [`(?:${write})`])),
  )
  return {
    trade,
    words: words ?? null,
    pattern: written.length === 0 ? null : patternOf(written.join('|'), file),
    roles: roles.map((role) => readRole(role, `${file}: ${role.role}`)),
  }
}

function readRole(role: VocabularyFile['roles'][number], place: string): ReadRole {
  const unit = role.unit ?? null
  const standard = (written: string) => {
    const [, number, of] = /^([\d./]+) (.+)$/.exec(written) ?? []
    return number === undefined || unit === null
      ? plainValue(written)
      : inUnit(number, { from: of as string, unit, place })
  }
  const standsFor = new Map<string, string>()
  for (const { values } of role.equal) {
    const [first, ...others] = values.map(standard) as [string, ...string[]]
    for (const other of others) standsFor.set(other, first)
  }
  return {
    role: role.role,
    unit,
    tolerance: role.tolerance ?? 0,
    unstated: role.unstated ?? null,
    keeps: role.keeps,
    standsFor,
    forms: role.forms.map((form) => ({
      pattern: form.write === undefined ? null : patternOf(form.write, place),
      words: form.words ?? [],
      is: form.is === undefined ? null : plainValue(form.is),
      table: form.table ? new Map(Object.entries(form.table).map(([key, value]) => [key, plainValue(value)])) : null,
      factor: form.unit === undefined || unit === null ? null : unitFactor(form.unit, unit, place),
      thousands: form.thousands,
      examples: form.examples,
    })),
  }
}

function inUnit(number: string, { from, unit, place }: { from: string; unit: string; place: string }): string {
  return toText(multiply(rationalOf(number), unitFactor(from, unit, place)))
}

/** "12.5" and "1/2" as exact numbers. */
function rationalOf(number: string): Rational {
  if (!number.includes('/')) return parseDecimal(number)
  const [n = '', d = ''] = number.split('/')
  return n.includes('.') ? divide(parseDecimal(n), parseDecimal(d)) : parseRational(number)
}

/** Numbers in their one spelling; codes as they are. */
function plainValue(value: string): string {
  return /^\d+(?:\.\d+)?$/.test(value) ? toText(parseDecimal(value)) : value
}

/** A letter, a numeral or a short number, with at most a digit or letter behind it: C, H1, II, 12, 1L. */
const CODE = '(?:[ivx]{1,4}|[a-z]\\d{0,2}|\\d{1,3}[a-z]?)'
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  n: '(?<n>\\d+(?:[.,]\\d+)*)',
  m: '(?<m>\\d+(?:[.,]\\d+)*)',
  k: '(?<k>\\d+(?:[.,]\\d+)*)',
  code: `(?<code>${CODE})`,
  codes: `(?<codes>${CODE}(?: ?[/&-] ?${CODE})*)`,
}

/** What stands between two words of a form. */
const SEPARATOR = '[ .:=-]*'

/** A whole word or several; nothing of a longer number. The plain boundary spares most places the costly look behind. */
function patternOf(write: string, place: string): RegExp {
  const spelled = write
    .replace(/\{([a-z]+)\}/g, (_, name: string) => {
      const found = PLACEHOLDERS[name]
      if (found === undefined)
        throw new InvalidVocabulary(`${place}: {${name}}: expected {n}, {m}, {k}, {code} or {codes}`)
      return found
    })
    .replace(/(\[[^\]]*\])| \??/g, (_, letters: string | undefined) => letters ?? SEPARATOR)
  try {
    return new RegExp(
      `${/#/.test(write) ? '' : '\\b'}(?<![\\p{L}\\p{N}]|\\d[.,/](?=\\d))(?:${spelled})(?![\\p{L}\\p{N}]|[.,/]\\d)`,
      'gu',
    )
  } catch (cause) {
    throw new InvalidVocabulary(`${place}: '${write}': expected a regular expression`, { cause })
  }
}

/** How many of `to` one of `from` is, exactly. Throws for units of two quantities and for unknown ones. */
function unitFactor(from: string, to: string, place: string): Rational {
  for (const units of ATTRIBUTE_UNITS) {
    const [one, other] = [units.get(from), units.get(to)]
    if (one !== undefined && other !== undefined) return divide(exact(one), exact(other))
  }
  const known = ATTRIBUTE_UNITS.map((units) => [...units.keys()].join(', ')).join('; ')
  throw new Error(`${place}: '${from}' in '${to}': expected two units of one quantity of ${known}`)
}

function exact(text: string): Rational {
  return text.includes('/') ? parseRational(text) : parseDecimal(text)
}
