import { randomUUID } from 'node:crypto'
import NAMES from './headers.json' with { type: 'json' }

/**
 * Headers of all answers. headers.json names those that pages of other origins may read, and those that differ from answer to
 * answer.
 */

/** For an HTML page with inline style: it runs no script and loads nothing. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** For answers that are not pages: a browser that shows one runs and loads nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
const ONE_YEAR_SECONDS = 31_536_000

/**
 * Headers of every answer: any web page may read it; no page may sniff its type, frame it, or track readers by it. An
 * HTML page also sets {@link PAGE_HEADERS}.
 */
export function standingHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': NAMES.exposed.join(', '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': DATA_POLICY,
    'cross-origin-resource-policy': 'cross-origin',
    // Over plain HTTP, browsers ignore this header or lock readers out.
    ...(publicBaseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` } : {}),
  }
}

/** `req_` and a UUID of version 7 (RFC 9562), which sorts by time and so speeds up a search of the log. */
export function requestId(at: Date): string {
  const atMs = at.getTime()
  if (atMs !== stamped.atMs) {
    const milliseconds = atMs.toString(16).padStart(12, '0')
    stamped = { atMs, stamp: `req_${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7` }
  }
  return stamped.stamp + randomUUID().slice(15)
}
/** The part of request ids that all requests of a millisecond share. */
let stamped = { atMs: Number.NaN, stamp: '' }

/** Headers of an HTML page without scripts. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
} as const

/**
 * Says whose medians an answer shows: a region asked for by `price_region`, in its money; or `headline`, for each item
 * the median in the currency with the most trust, so that a list may hold several currencies.
 */
export const priceRegionHeader = (priceRegion: string | undefined) => ({ 'price-region': priceRegion ?? 'headline' })

/** The request headers on which every answer below /v1 depends; some depend on others too. */
export const V1_VARY = 'Authorization, Accept-Encoding'

/** Preflight answers to other origins: all methods and headers that the API accepts, for a day. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Accept, If-None-Match, If-Modified-Since',
  'access-control-max-age': '86400',
} as const

const VOLATILE_HEADERS: ReadonlySet<string> = new Set(NAMES.volatile)

type Headers = Readonly<Record<string, string | number | string[] | undefined>>

/** Names and values in turn of the headers that differ from answer to answer. */
export function volatileFields(headers: Headers): (string | number)[] {
  return fieldsOf(headers, (name) => VOLATILE_HEADERS.has(name))
}

/** Names and values in turn of the other headers, which many answers share. */
export function sharedFields(headers: Headers): (string | number)[] {
  return fieldsOf(headers, (name) => !VOLATILE_HEADERS.has(name))
}

const fieldsOf = (headers: Headers, isOne: (name: string) => boolean) =>
  Object.entries(headers).flatMap(([name, value]) => (isOne(name) ? [name, value as string | number] : []))
