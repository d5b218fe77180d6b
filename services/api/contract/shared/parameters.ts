import { EXAMPLE } from '@catalog/api/contract/shared/fields.ts'
import { KINDS } from '@catalog/core/events/items.ts'
import { isRegion, REGIONS, upperCode } from '@catalog/core/events/sources.ts'
import { expandedRegions, regionsExpected } from '@catalog/core/median/regions.ts'
import { isSubdivision, SUBDIVIDED } from '@catalog/core/median/subdivisions.ts'
import { expectedName } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { z } from 'zod'
import { described } from './described.ts'

/**
 * Each parameter has a description that says why one uses it, and `examples`, of which the document shows the first ones;
 * a test holds both.
 */

/**
 * The regions that documents list. UY and the subdivisions extend them: a list of hundreds would help nobody, and clients
 * generated from the document take what it lists for all there is.
 */
const LISTED_REGIONS = REGIONS.filter((region) => region !== 'UY')
/** What a parameter takes beside the listed regions. */
export const EXTENSION = `Also UY, or a subdivision by ISO 3166-2, such as BR-SP, of ${SUBDIVIDED.join(', ')}`

/** A region, or a subdivision of a country by ISO 3166-2, in either case of letters. */
export const Market = (description: string) => {
  const expected = (given: unknown) => {
    const code = String(given).toUpperCase()
    if (/^[A-Z]{2}-/.test(code)) return regionsExpected(code)
    // A country of the EU is a region of sources, and no market of its own.
    const markets = expandedRegions(code).join(', ')
    const known = `expected one of ${REGIONS.join(', ')}, or a subdivision such as BR-SP`
    return markets === '' ? known : `prices of ${code} count for ${markets}; ${known}`
  }
  return z
    .string('expected the code of a region')
    .transform(upperCode)
    .refine((code) => isRegion(code) || isSubdivision(code), { error: ({ input }) => expected(input) })
    .meta({
      description: `${description}. ${EXTENSION}`,
      enum: [...LISTED_REGIONS],
      examples: ['ES'],
    })
}

const KIND_EXPECTED = `expected one of ${KINDS.join(', ')}`
const kind = z.enum(KINDS, KIND_EXPECTED).optional()

type Range = { min: number; max: number }

/** An integer: a number, or the digits of one, as parameters arrive. Signs, exponents and fractions are none. */
export const IntegerIn = (range: Range) => fromDigits(range, integerIn(range))
export const Integer = ({ ifAbsent, ...range }: Range & { ifAbsent: number }) =>
  fromDigits(range, integerIn(range).default(ifAbsent))

function integerIn({ min, max }: Range) {
  const expected = `expected an integer from ${min} to ${max}`
  return z.number(expected).int(expected).min(min, expected).max(max, expected)
}
const fromDigits = <Schema extends z.ZodType>({ min, max }: Range, schema: Schema) =>
  z
    .preprocess(
      (value) => (typeof value !== 'string' ? value : /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN),
      schema,
    )
    .meta({ type: 'integer', minimum: min, maximum: max })

/** Counts code points, as JSON Schema does. */
export const Text = ({ min, max }: Range) => {
  const expected = `expected ${min} to ${max} characters`
  return z
    .string(expected)
    .refine((value) => {
      const length = [...value].length
      return length >= min && length <= max
    }, expected)
    .meta({ minLength: min, maxLength: max })
}
/** A text of so many characters without the blanks around it; the document counts those too, as the service once did. */
export const Words = (given: Range) => {
  const text = Text(given)
  return text
    .refine(
      (value) => [...value.trim()].length >= given.min,
      `expected ${given.min} characters that are not blanks around`,
    )
    .meta(text.meta() ?? {})
}
export const { Cursor } = described('parameters', { Cursor: z.string('expected one cursor').optional() })

/** `limit` of an operation that answers in pages. */
export const pageLimit = ({ max, ifAbsent, counted }: { max: number; ifAbsent: number; counted: string }) =>
  Integer({ min: 1, max, ifAbsent }).meta({
    description: `Most ${counted} on a page, 1 to ${max}: more on a page need fewer requests. Absent: ${ifAbsent}`,
    examples: [Math.min(max, 20)],
  })

/** An integer parameter. It arrives as text, and empty text is no number. */
export const WholeNumber = (max: number) => {
  const expected = `expected an integer from 0 to ${max}`
  return z
    .string(expected)
    .refine((value) => /^\d{1,16}$/.test(value) && Number(value) <= max, expected)
    .transform(Number)
    .meta({ type: 'integer', format: 'int64', minimum: 0, maximum: max })
}
/** Above any number of changes, and exact as a number. */
export const SEQ_MAX = 1_000_000_000_000_000

/**
 * An ISO 8601 instant with an offset, or a date, which is its first instant in UTC; clamped to the years 1 to 9999. Instants
 * of the catalog have milliseconds: finer digits are dropped, or with `isLowest` raise it to the next one, so that nothing
 * before the given instant counts. Generated clients do not read `if`, and take a text.
 */
export const InstantParameter = ({ isLowest = false } = {}) => {
  const expected = 'expected an instant such as 2026-11-01T00:00:00Z, or a date'
  return z
    .string(expected)
    .superRefine((value, context) => {
      if (z.iso.datetime({ offset: true }).safeParse(value).success || z.iso.date().safeParse(value).success) return
      const isPlusLost = / \d{2}:\d{2}$/.test(value)
      context.addIssue(isPlusLost ? `${expected}; write the + of an offset as %2B` : expected)
    })
    .transform((value) => {
      const wholeMs = Date.parse(value) + (isLowest && FINER_THAN_MS.test(value) ? 1 : 0)
      return instant(new Date(Math.min(Math.max(wholeMs, YEAR_1_MS), YEAR_9999_MS)))
    })
    .meta({ if: { format: 'date' }, else: { format: 'date-time' }, examples: ['2026-11-01T00:00:00Z'] })
}
const YEAR_1_MS = Date.parse('0001-01-01T00:00:00Z')
const YEAR_9999_MS = Date.parse('9999-12-31T23:59:59Z')
/** A digit other than zero behind the milliseconds. */
const FINER_THAN_MS = /\.\d{3}\d*[1-9]/

/** The words for on and off: the documents name the first two. */
export const SWITCH_WORDS = ['true', 'false', '1', '0'] as const
export const SWITCH_EXPECTED = 'expected true or false'
export const isOn = (value: unknown): boolean => value === 'true' || value === '1'

export const Flag = z
  .enum(SWITCH_WORDS, SWITCH_EXPECTED)
  .optional()
  .transform(isOn)
  .meta({ type: 'boolean', enum: [true, false], examples: [true] })

/**
 * Additions to an answer by name, each with what it adds: without them an answer has the fields of the specification alone.
 * Reads as the names asked for, each once and sorted.
 */
export const include = <Name extends string>(additions: Readonly<Record<Name, string>>) => {
  const names = (Object.keys(additions) as Name[]).sort()
  const listed = Object.entries<string>(additions).map(([name, adds]) => `\`${name}\`: ${adds}`)
  const name = `(${names.join('|')})`
  return z
    .string('expected names of additions')
    .transform((value, context) => {
      const asked = value.split(',').map((part) => part.trim())
      const unknown = asked.find((part) => !names.some((known) => known === part))
      if (unknown !== undefined) {
        context.addIssue(`addition ${JSON.stringify(unknown.slice(0, 100))}: ${expectedName(unknown, names)}`)
      }
      return names.filter((known) => asked.includes(known))
    })
    .meta({
      description: `Ask for more than the specification gives, by names separated by commas. ${listed.join('; ')}`,
      type: 'string',
      pattern: `^${name}(,${name})*$`,
      examples: [names.join(',')],
    })
    .optional()
}

/** Replaces U+0000, which Postgres cannot store, by a character that no id or unit contains either. */
const KeyText = Text({ min: 1, max: 100 })
export const Key = KeyText.transform((value) => value.replaceAll('\0', '\uffff')).meta({ ...KeyText.meta() })

export const priceRegion = Market(
  'Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and ' +
    '`name` the one that its vendors use. Absent: the market of `region`, where that is a parameter; without one, the ' +
    'headline, in the currency with the most trust',
).optional()

/** A query with the money of its `region`, unless it asks for the money of another market. */
export const inItsMoney = <Query extends { region?: string | undefined; price_region?: string | undefined }>(
  query: Query,
): Query => (query.price_region === undefined ? { ...query, price_region: query.region } : query)

const LANG_EXPECTED = 'expected a language such as pt or pt-BR'
export const lang = z
  .string(LANG_EXPECTED)
  .regex(/^[A-Za-z]{2}(-[A-Za-z]{2})?$/, LANG_EXPECTED)
  .meta({
    description:
      'Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if ' +
      'there is one. Absent, or no such name: the headline',
    examples: ['pt', 'pt-BR'],
  })
  .optional()
const idParams = (description: string, example: string) =>
  z.object({ id: z.string().meta({ description, examples: [example] }) })
export const IdParams = idParams('Id of an item, as `/search` and `/items` give it', EXAMPLE.item)
export const CategoryParams = idParams('Id of a category, as `/categories` gives it', EXAMPLE.category)
export const IndexParams = idParams('Id of an index, as `/indices` gives it', EXAMPLE.index)
export const SourceParams = idParams('Id of a source, as `/sources` gives it', EXAMPLE.source)

export const RegionParams = z.object({
  region: z.string().meta({
    description: `The market to follow, in any case of letters. ${EXTENSION}, which has the feed of its region`,
    enum: [...LISTED_REGIONS],
    examples: ['ES'],
  }),
})

const CURRENCY_EXPECTED = 'expected an ISO 4217 code such as EUR'
/** Above any real price, and exact as a number. */
const PRICE_CENTS_MAX = 1_000_000_000_000_000

/** Filters by what lists show of an item; with {@link refusePriceRange}. */
export const shownFilters = described('shownFilters', {
  category_id: Key.optional(),
  kind,
  unit: Key.transform((value) => soldUnit({ unit: value }).label ?? value).optional(),
  currency: z
    .string(CURRENCY_EXPECTED)
    .regex(/^[A-Za-z]{3}$/, CURRENCY_EXPECTED)
    .transform((value) => value.toUpperCase())
    .optional(),
  source: Key.optional(),
  price_min: WholeNumber(PRICE_CENTS_MAX).optional(),
  price_max: WholeNumber(PRICE_CENTS_MAX).optional(),
})

/** Refuses a price range without a currency, and an empty one. */
export function refusePriceRange(
  {
    currency,
    price_min,
    price_max,
  }: Readonly<{ currency?: string | undefined; price_min?: number | undefined; price_max?: number | undefined }>,
  context: z.RefinementCtx,
): void {
  const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
  if (currency === undefined) {
    if (price_min !== undefined) refuse('price_min', 'expected a currency beside it')
    else if (price_max !== undefined) refuse('price_max', 'expected a currency beside it')
  } else if (price_min !== undefined && price_max !== undefined && price_max < price_min) {
    refuse('price_max', `expected at least price_min, ${price_min}`)
  }
}

/** Other names of parameters, for operations that know the name on the right. */
export const QUERY_ALIASES: Readonly<Record<string, string>> = { category: 'category_id' }
/** `strict=false` ignores unknown parameters. */
export const STRICT = 'strict'
