/** Headers of all answers. */

/** For an HTML page with inline style: it runs no script and loads nothing. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** For answers that are not pages: a browser that shows one runs and loads nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
const ONE_YEAR_SECONDS = 31_536_000

/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Age',
  'ETag',
  'Link',
  'Content-Location',
  'Deprecation',
  'Sunset',
  'Allow',
  'WWW-Authenticate',
]

/**
 * Headers of every answer: any web page may read it; no page may sniff its type, frame it, or track readers by it. An
 * HTML page also sets {@link PAGE_HEADERS}.
 */
export function standingHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': DATA_POLICY,
    'cross-origin-resource-policy': 'cross-origin',
    // Over plain HTTP, browsers ignore this header or lock readers out.
    ...(publicBaseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` } : {}),
  }
}

/** Headers of an HTML page without scripts. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
} as const

/** The request headers on which every answer below /v1 depends; some depend on others too. */
export const V1_VARY = 'Authorization, Accept-Encoding'

/** Preflight answers to other origins: all methods and headers that the API accepts, for a day. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Accept, If-None-Match, If-Modified-Since',
  'access-control-max-age': '86400',
} as const
