import robotsParser from 'robots-parser'

/**
 * The rules of a robots.txt for one crawler (RFC 9309). robots-parser matches paths and decides precedence. Three
 * deviations from the RFC are corrected before it reads the text. A Sitemap or Crawl-delay line ends no list of user
 * agents (2.2.4). A user agent is the token at the beginning of its line (2.2.1). Rules and addresses are compared in
 * one percent-encoding (2.2.2).
 */
export type Robots = Readonly<{
  /** Takes addresses of this origin only. /robots.txt itself is always allowed. */
  isAllowed: (url: URL) => boolean
  /** Between two requests; 0 without a crawl-delay. */
  crawlDelayMs: number
  /** As written; they may be invalid addresses. */
  sitemaps: readonly string[]
}>

/** RFC 9309 2.5: a crawler reads at least 500 KiB. The rest is ignored. */
export const ROBOTS_BYTES_MAX = 500 * 1024
const SITEMAPS_MAX = 1_000

/** `text` is the robots.txt of `origin`; `product` is the crawler's token without a version. */
export function readRobots(text: string, { origin, product }: { origin: string; product: string }): Robots {
  const parsed = parse(`${origin}/robots.txt`, canonical(text))
  return {
    isAllowed(url) {
      if (url.origin !== origin)
        throw new Error(`robots.txt of ${origin} does not apply to ${url.origin}, expected an address of its origin`)
      if (url.pathname === '/robots.txt') return true
      // Undefined would mean another origin.
      return parsed.isAllowed(`${origin}${normalisedPath(url.pathname + url.search, 'address')}`, product) === true
    },
    // NaN and negative delays count as none.
    crawlDelayMs: Math.max(0, parsed.getCrawlDelay(product) || 0) * 1000,
    sitemaps: parsed.getSitemaps().slice(0, SITEMAPS_MAX),
  }
}

/** RFC 9309 2.3.1.3: without a robots.txt everything is allowed. */
export const EVERYTHING_ALLOWED: Robots = { isAllowed: () => true, crawlDelayMs: 0, sitemaps: [] }
/** RFC 9309 2.3.1.4: an unreadable robots.txt forbids everything while it is unreadable. */
export const NOTHING_ALLOWED: Robots = { isAllowed: () => false, crawlDelayMs: 0, sitemaps: [] }

/** The text of a robots.txt. Drops the line that the limit cuts, since its rest would be another rule. */
export function robotsText(bytes: Uint8Array): string {
  const isCut = bytes.length > ROBOTS_BYTES_MAX
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, ROBOTS_BYTES_MAX))
  return isCut ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text
}

// The module's types declare a default export, and at run time Node returns the function itself.
const parse = robotsParser as unknown as (url: string, text: string) => ReturnType<typeof robotsParser.default>

const RECORD = /^([^:#]+):([^#]*)/
/** RFC 9309 2.2.1: letters, - and _. A version after it is no part of the token. */
const AGENT = /^(?:\*|[a-z_-]+)/i

/** Rewrites a robots.txt so that the library reads it as RFC 9309 does. */
function canonical(text: string): string {
  const sitemaps: string[] = []
  const lines: string[] = []
  /** Crawl-delays within a list of user agents that may continue. They go behind it. */
  let delays: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = RECORD.exec(line)?.map((part) => part.trim()) ?? []
    switch (name.toLowerCase()) {
      case 'user-agent':
        lines.push(...(isRule(lines.at(-1)) ? delays.splice(0) : []), `user-agent:${AGENT.exec(value)?.[0] ?? ''}`)
        break
      case 'allow':
      case 'disallow':
        lines.push(...delays, `${name}:${normalisedPath(value, 'rule')}`)
        delays = []
        break
      case 'crawl-delay':
        delays.push(`crawl-delay:${value}`)
        break
      case 'sitemap':
        sitemaps.push(`sitemap:${value}`)
        break
    }
  }
  return [...lines, ...delays, ...sitemaps].join('\n')
}

const isRule = (line: string | undefined) => line !== undefined && !line.startsWith('user-agent:')

/**
 * Normalises the percent-encoding of a path: unreserved octets are plain, others %XX in upper case. In a query : / ? @
 * and , separate nothing and are plain too. A rule's * and final $ stay wildcards; every other $, and the * and $ of an
 * address, are ordinary characters.
 */
function normalisedPath(path: string, of: 'rule' | 'address'): string {
  const query = path.indexOf('?')
  const [before, after] = query === -1 ? [path, ''] : [path.slice(0, query + 1), path.slice(query + 1)]
  const spelled = normalisedEncoding(before, /[A-Za-z0-9._~-]/) + normalisedEncoding(after, /[A-Za-z0-9._~\-:/?@,]/)
  if (of === 'address') return spelled.replaceAll('*', '%2A').replaceAll('$', '%24')
  // Many stars match like one and cost a pass each.
  return spelled.replace(/\$(?=.)/g, '%24').replace(/\*{2,}/g, '*')
}

/** Normalises percent-encoding: `unreserved` characters are plain, all others that need it are %XX in upper case. */
export function normalisedEncoding(text: string, unreserved: RegExp): string {
  const decoded = text.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const letter = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
    return unreserved.test(letter) ? letter : octet.toUpperCase()
  })
  // Lone surrogates have no UTF-8. A % that encodes nothing stays.
  return encodeURI(decoded.toWellFormed()).replaceAll('%25', '%')
}
