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

/** Pages to which shops redirect before they show anything, by host or path. */
const GATES: readonly (readonly [host: RegExp | null, path: RegExp, name: string])[] = [
  [/^consent\./i, /\/(?:cookie-?|privacy-?)?consent(?:\/|$)/i, 'a page that asks for consent'],
  [
    /^(?:login|signin|sso)\./i,
    /\/(?:wp-)?(?:log-?in|logon|sign[-_]?in|anmelden|anmeldung|connexion|iniciar-sesion|acceder|accedi|inloggen)(?:\.\w{2,5})?(?:\/|$)/i,
    'a page that asks to sign in',
  ],
  [null, /^(?:\/[a-z]{2}(?:-[a-z]{2})?)?\/password$/i, "a page that asks for the shop's password (Shopify)"],
]

/** What a page asks for before the shop shows anything, by its address; null for any other page. */
export function gateOf({ hostname, pathname }: URL): string | null {
  return GATES.find(([host, path]) => host?.test(hostname) || path.test(pathname))?.[2] ?? null
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
