import type { FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'

/** What a request accepts, by RFC 9110 §12: media types and content codings with their qualities. */

type Range = Readonly<{ name: string; quality: number; place: number }>

/** The members of an Accept header field, in lower case; a quality that is no number is 0. Parameters are passed over. */
function rangesOf(field: string): Range[] {
  return field.split(',').map((member, place) => {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { name, quality: quality === undefined ? 1 : Number(quality) || 0, place }
  })
}

/**
 * Which of the offered media types an Accept header asks for: by quality, then by how precisely it was named, then by
 * which was named first; where nothing decides, and without the header, the first offered. Undefined when the header
 * excludes them all. A range without a structured suffix covers the types that have it: application/xml covers
 * application/atom+xml.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = rangesOf(accept)
  const ranked = offered.flatMap((type) => {
    // The most precise range decides, whatever the others say.
    for (const [imprecision, names] of coveringRanges(type).entries()) {
      const range = ranges.find(({ name }) => names.includes(name))
      if (range !== undefined) return range.quality > 0 ? [{ type, imprecision, ...range }] : []
    }
    return []
  })
  ranked.sort((a, b) => b.quality - a.quality || a.imprecision - b.imprecision || a.place - b.place)
  return ranked[0]?.type
}

/** The ranges that cover a media type, the most precise first. */
function coveringRanges(type: string): readonly (readonly string[])[] {
  const [kind, subtype = ''] = type.split('/')
  const suffix = subtype.split('+')[1]
  return [[type], suffix === undefined ? [] : [`application/${suffix}`, `text/${suffix}`], [`${kind}/*`], ['*/*']]
}

/**
 * Throws not_acceptable when an Accept header excludes every media type that its route answers with. Whoever accepts
 * anything, if only at last, as browsers do, gets what there is; errors are JSON whatever is accepted.
 */
export function refuseUnacceptable(request: FastifyRequest): void {
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*') return
  const responses = Object.entries((request.routeOptions.schema?.response ?? {}) as Record<string, Described>)
  const offered = Object.keys(responses.find(([status]) => status.startsWith('2'))?.[1].content ?? {})
  if (offered.length > 0 && preferredType(accept, offered as [string, ...string[]]) === undefined) {
    throw new ApiError('not_acceptable', `Accept: expected ${offered.join(' or ')}, found ${accept.slice(0, 100)}`)
  }
}
type Described = { content?: Record<string, unknown> }

export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** Whoever names codings and not identity takes it as a last resort. */
const IDENTITY_QUALITY = 0.0001

/**
 * The coding that an Accept-Encoding header asks for: the one of highest quality, and of equals the smallest one. Identity
 * without the header, and for a body that is `small` unless identity is refused; undefined when nothing is left.
 */
export function preferredCoding(
  acceptEncoding: string | undefined,
  { small }: { small: boolean },
): Coding | 'identity' | undefined {
  if (acceptEncoding === undefined) return 'identity'
  const ranges = rangesOf(acceptEncoding)
  const named = (...names: string[]) => ranges.find(({ name }) => names.includes(name))?.quality
  const others = named('*')
  const identity = named('identity') ?? (others === 0 ? 0 : IDENTITY_QUALITY)
  if (small && identity > 0) return 'identity'
  let best: { coding: Coding | 'identity'; quality: number } = { coding: 'identity', quality: identity }
  const qualities = { br: named('br') ?? others ?? 0, gzip: named('gzip', 'x-gzip') ?? others ?? 0 }
  for (const coding of CODINGS.toReversed()) {
    if (qualities[coding] > 0 && qualities[coding] >= best.quality) best = { coding, quality: qualities[coding] }
  }
  return best.quality > 0 ? best.coding : undefined
}
