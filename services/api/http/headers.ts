/** Headers that say nothing of one answer and stand on all of them. */

/** A page of HTML that runs no script and loads nothing; its style stands in it. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Answers that are no page: a browser that is made to show one runs and loads nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
const ONE_YEAR_SECONDS = 31_536_000

/** What pages of other origins may read of an answer beside its body. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Link',
  'Content-Location',
  'Deprecation',
  'Sunset',
  'Allow',
  'WWW-Authenticate',
]

/**
 * What every answer carries: any page of the web may read it, and nobody may sniff, frame or track by it. A page sets
 * {@link PAGE_HEADERS} besides.
 */
export function standingHeaders(publicBaseUrl: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': DATA_POLICY,
    'cross-origin-resource-policy': 'cross-origin',
    // Where readers come by plain HTTP the header would be ignored, or lock them out.
    ...(publicBaseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` } : {}),
  }
}

/** For an answer of HTML without scripts. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
} as const

/** What a browser is told before a request of another origin: everything that the API takes, for a day. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Accept, If-None-Match, If-Modified-Since',
  'access-control-max-age': '86400',
} as const
