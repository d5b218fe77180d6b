import type { FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'

/**
 * Content negotiation of media types and content codings (RFC 9110 §12).
 *
 * Hand-written, although `negotiator` exists: that library cannot let application/xml cover application/atom+xml. It
 * also reads an invalid quality as absent rather than 0, and it cannot prefer identity for small bodies.
 */

type Range = Readonly<{ name: string; quality: number; place: number }>

/** The ranges of an Accept field in lower case, without parameters; an invalid quality is 0. */
function rangesOf(field: string): Range[] {
  return field.split(',').map((member, place) => {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { name, quality: quality === undefined ? 1 : Number(quality) || 0, place }
  })
}

/**
 * The offered media type that an Accept header prefers: by quality, then by precision, then by position. Ties and
 * absent headers give the first offered one; undefined when the header excludes all. A range without a structured
 * suffix covers the types that have it: application/xml covers application/atom+xml.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = rangesOf(accept)
  const ranked = offered.flatMap((type) => {
    // Only the most precise range counts.
    for (const [imprecision, names] of coveringRanges(type).entries()) {
      const range = ranges.find(({ name }) => names.includes(name))
      if (range !== undefined) return range.quality > 0 ? [{ type, imprecision, ...range }] : []
    }
    return []
  })
  ranked.sort((a, b) => b.quality - a.quality || a.imprecision - b.imprecision || a.place - b.place)
  return ranked[0]?.type
}

/**
 * The language tags of an Accept-Language header, such as "pt" or "pt-BR", the preferred first (RFC 9110 §12.5.4).
 * Drops scripts and other subtags.
 */
export function preferredLanguages(acceptLanguage: string | undefined): string[] {
  return rangesOf((acceptLanguage ?? '').slice(0, LANGUAGES_CHARS_MAX))
    .filter(({ name, quality }) => quality > 0 && LANGUAGE.test(name))
    .sort((a, b) => b.quality - a.quality || a.place - b.place)
    .slice(0, LANGUAGES_MAX)
    .map(({ name }) => {
      const [language, ...subtags] = name.split('-') as [string, ...string[]]
      const place = subtags.find((subtag) => /^([a-z]{2}|419)$/.test(subtag))
      return place === undefined ? language : `${language}-${place.toUpperCase()}`
    })
}
const LANGUAGE = /^[a-z]{2}(-[a-z0-9]{2,8})*$/
const LANGUAGES_CHARS_MAX = 200
const LANGUAGES_MAX = 5

/** The ranges that cover a media type, most precise first. */
function coveringRanges(type: string): readonly (readonly string[])[] {
  const [kind, subtype = ''] = type.split('/')
  const suffix = subtype.split('+')[1]
  return [[type], suffix === undefined ? [] : [`application/${suffix}`, `text/${suffix}`], [`${kind}/*`], ['*/*']]
}

/**
 * Throws not_acceptable when the Accept header excludes every media type of the route. A wildcard, as browsers
 * send it, accepts the first one. Errors are JSON for every Accept header, and so generated clients accept JSON alone
 * where the answer has another type: they get it.
 */
export function refuseUnacceptable(request: FastifyRequest): void {
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*') return
  const responses = Object.entries((request.routeOptions.schema?.response ?? {}) as Record<string, Described>)
  const offered = Object.keys(responses.find(([status]) => status.startsWith('2'))?.[1].content ?? {})
  if (offered.length > 0 && preferredType(accept, ['application/json', ...offered]) === undefined) {
    throw new ApiError('not_acceptable', `Accept: expected ${offered.join(' or ')}, found ${accept.slice(0, 100)}`)
  }
}
type Described = { content?: Record<string, unknown> }

export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** A caller that names codings, but not identity, accepts identity as a last resort. */
const IDENTITY_QUALITY = 0.0001

/**
 * The coding that an Accept-Encoding header prefers: by quality, then by compressed size. Identity without the header,
 * and for a `small` body unless it is refused; undefined when the header excludes all.
 */
export function preferredCoding(
  acceptEncoding: string | undefined,
  { small }: { small: boolean },
): Coding | 'identity' | undefined {
  if (acceptEncoding === undefined) return 'identity'
  const qualities = codingQualities(acceptEncoding)
  const { identity } = qualities
  if (small && identity > 0) return 'identity'
  let best: { coding: Coding | 'identity'; quality: number } = { coding: 'identity', quality: identity }
  for (const coding of CODINGS.toReversed()) {
    if (qualities[coding] > 0 && qualities[coding] >= best.quality) best = { coding, quality: qualities[coding] }
  }
  return best.quality > 0 ? best.coding : undefined
}

/** Whether an Accept-Encoding header admits the coding; without the header any is (RFC 9110 §12.5.3). */
export const acceptsCoding = (acceptEncoding: string | undefined, coding: Coding | 'identity'): boolean =>
  acceptEncoding === undefined || codingQualities(acceptEncoding)[coding] > 0

function codingQualities(acceptEncoding: string): Readonly<Record<Coding | 'identity', number>> {
  const ranges = rangesOf(acceptEncoding)
  const named = (...names: string[]) => ranges.find(({ name }) => names.includes(name))?.quality
  const others = named('*')
  return {
    identity: named('identity') ?? (others === 0 ? 0 : IDENTITY_QUALITY),
    br: named('br') ?? others ?? 0,
    gzip: named('gzip', 'x-gzip') ?? others ?? 0,
  }
}
