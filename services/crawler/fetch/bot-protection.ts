import type { IncomingHttpHeaders } from 'node:http'

/**
 * Bot protection that shops buy, by the header with which it says so. The crawler does not pretend to
 * be a browser: its operator asks the shop for a feed.
 */
const PROTECTIONS: readonly (readonly [header: string, value: RegExp, name: string])[] = [
  ['cf-mitigated', /./, 'a challenge of Cloudflare'],
  ['x-amzn-waf-action', /./, 'a challenge of AWS WAF'],
  ['x-datadome', /./, 'DataDome'],
  ['x-px-block', /./, 'HUMAN (PerimeterX)'],
  ['x-sucuri-block', /./, 'Sucuri'],
  ['x-iinfo', /./, 'Imperva'],
  ['server', /^akamaighost/i, 'Akamai'],
  ['server', /^cloudflare/i, 'Cloudflare'],
]
/** With other statuses these servers only pass on what the shop answers. */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403, 405, 429, 503])

/** The protection that answered with this status; null where the shop itself may have. */
function botProtectionOf(statusCode: number, headers: IncomingHttpHeaders): string | null {
  if (!TURNED_AWAY.has(statusCode)) return null
  return PROTECTIONS.find(([header, value]) => value.test([headers[header]].flat()[0] ?? ''))?.[2] ?? null
}

/** Whether a redirect leads to a page that asks for consent before it shows anything. */
export function isConsentPage(url: URL): boolean {
  return /^consent\./i.test(url.hostname) || /\/(?:cookie-?|privacy-?)?consent(?:\/|$)/i.test(url.pathname)
}

/** The status as a sentence, with the protection that turned the crawler away and what helps. */
export function statusSentence(statusCode: number, headers: IncomingHttpHeaders): string {
  const protection = botProtectionOf(statusCode, headers)
  const sentence = `status ${statusCode}, expected 200`
  return protection === null
    ? sentence
    : `${sentence}: ${protection} turns the crawler away; ask the shop for a feed, or to let it in`
}

/** A status other than 200 as a failure to fetch. `protection`: the bot protection that answered; null where the shop itself may have. */
export const statusFailure = (httpStatus: number, headers: IncomingHttpHeaders) => ({
  sentence: statusSentence(httpStatus, headers),
  httpStatus,
  protection: botProtectionOf(httpStatus, headers),
})
