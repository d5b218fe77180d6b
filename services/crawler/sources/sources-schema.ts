import { Right, SourceKind, SourceRef, UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import { isSourceRegion, regionsExpected } from '@catalog/core/median/regions.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { URL_CHARS_MAX } from '@catalog/crawler/fetch/retry.ts'
import { FORMATS } from '@catalog/formats/format.ts'
import { regionOf } from '@catalog/formats/mapping/record-source.ts'
import { Units } from '@catalog/formats/mapping/unit-names.ts'
import { Selectors } from '@catalog/formats/pages/selectors.ts'
import { z } from 'zod'
import { LOOKBACK_MAX, PERIODS } from './address-template.ts'
import { globProblem } from './globs.ts'
import { scheduleProblem } from './schedule.ts'

/** The schema of each key of `catalog.sources.yaml`. Messages say the expectation. */

export const SOURCES_MAX = 10_000
export const ENTRY_POINTS_MAX = 1_000
const GLOBS_MAX = 100
const PAGES_MAX = 1_000_000

const text = (max: number, expectation: string) =>
  z.string().min(1, { error: expectation }).max(max, { error: expectation })
const between = (min: number, max: number, expectation = `expected a number from ${min} to ${max}`) =>
  z.number({ error: expectation }).min(min, { error: expectation }).max(max, { error: expectation })
function integer(min: number, max: number) {
  const expectation = `expected a whole number from ${min} to ${max}`
  return between(min, max, expectation).int({ error: expectation })
}
/** A text that a function reads, or refuses with a problem. */
const parsed = <T>(reading: (text: string) => { as: T } | { problem: string }) =>
  z.string().transform((text, context) => {
    const result = reading(text)
    if ('as' in result) return result.as
    context.addIssue({ code: 'custom', message: result.problem })
    return z.NEVER
  })
/** A text that stays as it is, unless it has a problem. */
const checked = (problemOf: (text: string) => string | null) =>
  parsed((text) => {
    const problem = problemOf(text)
    return problem === null ? { as: text } : { problem }
  })

export const Address = parsed((text) => {
  const url = /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  if (url === null) return { problem: 'expected an address that begins with http:// or https://' }
  if (url.username !== '' || url.password !== '') return { problem: 'expected an address without user and password' }
  url.hash = ''
  const isShort = url.href.length <= URL_CHARS_MAX
  return isShort ? { as: url.href } : { problem: `expected an address of at most ${URL_CHARS_MAX} characters` }
})

const CONTACT = 'expected the address of a page (https://...) or of mail'
/** Fits into a header, between brackets. */
const Contact = text(200, CONTACT)
  .regex(/^[!-~]+$/, { error: CONTACT })
  .regex(/^(https?:\/\/[^()@]+|[^()@:/]+@[^()@:/]+\.[^()@:/]+)$/i, { error: CONTACT })

const Name = z
  .string()
  .transform((text) => text.replace(/\s+/g, ' ').trim().normalize('NFC'))
  .pipe(SourceRef.shape.name)
const Id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/i, { error: 'expected at most 80 of the letters a to z, digits, . _ and -' })

const Region = z
  .string()
  .transform(regionOf)
  .pipe(z.string().refine(isSourceRegion, { error: ({ input }) => regionsExpected(String(input)) }))
const Currency = parsed((text) => {
  const code = text.toUpperCase()
  return exponentOf(code) === null ? { problem: 'expected a currency of ISO 4217, such as EUR' } : { as: code }
})

const share = between(0, 1, 'expected a share from 0 to 1').optional()
const Health = z.strictObject({
  records_min: integer(0, 100_000_000).optional(),
  parse_rate_min: share,
  parse_rate_fall: share,
  vanished_max: share,
  changed_max: share,
  price_ratio_max: between(1, 1_000_000).optional(),
  drift_max: share,
})

const Quality = z.strictObject({
  unknown_units_max: share,
  parked_max: share,
  tax_not_stated_max: share,
  dispersion_max: share,
  staleness_max_days: integer(0, 3_650).optional(),
})

const Globs = z
  .array(checked(globProblem))
  .max(GLOBS_MAX, { error: `expected at most ${GLOBS_MAX}` })
  .optional()
const JSON_PATH = 'expected keys with points between them, such as data.items'
const JsonPath = text(200, JSON_PATH).regex(/^[^.\s]+(\.[^.\s]+)*$/, { error: JSON_PATH })
/** "." means the document itself. */
const Records = z.union([z.literal('.'), JsonPath], { error: `${JSON_PATH}, or .` })
const PARAMETER = 'expected the name of a parameter'
const Parameter = text(100, PARAMETER).regex(/^[^\s&=#?]+$/, { error: PARAMETER })

/** Entry points by the key of their address. */
export const POINTS = {
  url: z.strictObject({
    url: Address,
    format: z.enum(FORMATS).optional(),
    period: z.enum(PERIODS, { error: `expected ${PERIODS.join(', ')}` }).optional(),
    lookback: integer(0, LOOKBACK_MAX).optional(),
  }),
  sitemap: z.strictObject({ sitemap: Address, include: Globs, exclude: Globs }),
  site: z.strictObject({ site: Address, follow: Globs, include: Globs, exclude: Globs }),
  file: z.strictObject({ file: text(1_000, 'expected the path of a file'), format: z.enum(FORMATS).optional() }),
  api: z.strictObject({ api: Address, records: Records.optional(), paging: z.unknown().optional() }),
}
export type PointKey = keyof typeof POINTS
export const POINT_KEYS = Object.keys(POINTS) as PointKey[]

export const PAGINGS = {
  next: z.strictObject({ next: JsonPath }),
  cursor: z.strictObject({ parameter: Parameter, cursor: JsonPath }),
  page: z.strictObject({
    parameter: Parameter,
    from: integer(0, 1_000_000_000),
    step: integer(1, 1_000_000).optional(),
  }),
}

/** Headers by which the crawler names itself, asks for what changed, or speaks HTTP; cookies belong to sessions of people. */
const NOT_OWN =
  /^(?:host|user-agent|from|cookie|accept-encoding|range|if-.*|content-.*|connection|transfer-encoding|te|upgrade|expect|proxy-.*|sec-.*)$/i
/** Headers of one source. */
const HEADERS_MAX = 10
const HEADER = 'expected the name of a header that the crawler does not set itself, such as Authorization'
const HEADER_FROM = 'expected { env: NAME } or { file: PATH }: the value stands elsewhere'
const Headers = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/)
      .refine((name) => !NOT_OWN.test(name)),
    z.union([z.strictObject({ env: text(200, HEADER_FROM) }), z.strictObject({ file: text(1_000, HEADER_FROM) })], {
      error: HEADER_FROM,
    }),
    { error: ({ code }) => (code === 'invalid_key' ? HEADER : undefined) },
  )
  .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, { error: `expected at most ${HEADERS_MAX}` })
  .optional()

const RIGHT = 'expected yes, no or unknown'
// YAML 1.2 reads yes and no as texts; JSON and habit write true and false.
const SaidRight = z.preprocess(
  (value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : value),
  z.enum(Right.options, { error: RIGHT }),
)
/** As `Licence` of the events, where what is left out is not known. */
export const SourceLicence = z.strictObject({
  name: text(100, 'expected an SPDX identifier or a name').nullable().default(null),
  terms: text(1_000, 'expected at most 1000 characters').nullable().default(null),
  url: Address.nullable().default(null),
  redistribution: SaidRight.default('unknown'),
  commercial_use: SaidRight.default('unknown'),
  attribution: text(500, 'expected at most 500 characters').nullable().default(null),
  checked_on: z.iso.date({ error: 'expected the day on which the terms were read, such as 2026-11-23' }),
})

export const Source = z.strictObject({
  source: Name,
  id: Id.optional(),
  region: Region.optional(),
  kind: SourceKind,
  trust: integer(0, 100).optional(),
  validity: z.literal(UNTIL_SUPERSEDED, { error: `expected ${UNTIL_SUPERSEDED}, or validity_days alone` }).optional(),
  validity_days: integer(1, 3_650).optional(),
  schedule: checked(scheduleProblem).optional(),
  enabled: z.boolean().optional(),
  url: Address.optional(),
  currency: Currency.optional(),
  lang: z
    .string()
    .regex(/^[a-z]{2}$/, { error: 'expected two small letters of ISO 639, such as es' })
    .optional(),
  entry_points: z
    .array(z.unknown())
    .min(1, { error: 'expected at least one' })
    .max(ENTRY_POINTS_MAX, { error: `expected at most ${ENTRY_POINTS_MAX}` }),
  mapping: z.unknown().optional(),
  selectors: Selectors.optional(),
  units: Units.optional(),
  headers: Headers,
  cookies: z.boolean().optional(),
  pages_max: integer(1, PAGES_MAX).optional(),
  health: Health.optional(),
  quality: Quality.optional(),
  licence: SourceLicence.optional(),
})

export const File = z.strictObject({
  contact: Contact.optional(),
  requests_per_second: between(0.01, 10).optional(),
  at_once: integer(1, 8).optional(),
  // Required even when empty: an editor may have just emptied the file, which must not stop all crawls.
  sources: z.array(z.unknown()).max(SOURCES_MAX, { error: `expected at most ${SOURCES_MAX}` }),
})
