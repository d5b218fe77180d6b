import robotsParser from 'robots-parser'

/**
 * What a robots.txt allows one crawler (RFC 9309). Matching, precedence and records are robots-parser's. Three things that
 * it reads otherwise than the RFC are put right before it sees them: a line of another record (Sitemap, Crawl-delay) ends
 * no list of user agents (2.2.4), a user agent is the token that its line begins with (2.2.1), and rules and addresses are
 * compared in one spelling of their percent-encoding (2.2.2).
 */
export type Robots = Readonly<{
  /** Of this origin only. /robots.txt itself always is. */
  isAllowed: (url: URL) => boolean
  /** Between two requests; 0 when none is asked for. */
  crawlDelayMs: number
  /** As they are written; they may be no addresses. */
  sitemaps: readonly string[]
}>

/** RFC 9309 2.5: at least 500 KiB are read; what comes after them has no say. */
export const ROBOTS_BYTES_MAX = 500 * 1024
const SITEMAPS_MAX = 1_000

/** `text` is what stands at /robots.txt of `origin`; `product` is the token by which it names us, without a version. */
export function readRobots(text: string, { origin, product }: { origin: string; product: string }): Robots {
  const parsed = parse(`${origin}/robots.txt`, canonical(text))
  return {
    isAllowed(url) {
      if (url.origin !== origin) throw new Error(`robots.txt of ${origin} was asked about ${url.origin}`)
      if (url.pathname === '/robots.txt') return true
      // Undefined would mean another origin.
      return parsed.isAllowed(`${origin}${spelling(url.pathname + url.search, 'address')}`, product) === true
    },
    // NaN and negative delays are none.
    crawlDelayMs: Math.max(0, parsed.getCrawlDelay(product) || 0) * 1000,
    sitemaps: parsed.getSitemaps().slice(0, SITEMAPS_MAX),
  }
}

/** RFC 9309 2.3.1.3: no robots.txt, no rules. */
export const EVERYTHING_ALLOWED: Robots = { isAllowed: () => true, crawlDelayMs: 0, sitemaps: [] }
/** RFC 9309 2.3.1.4: a robots.txt that cannot be read forbids everything, as long as that lasts. */
export const NOTHING_ALLOWED: Robots = { isAllowed: () => false, crawlDelayMs: 0, sitemaps: [] }

/** The text of a robots.txt; what is past the limit goes with the line that it cuts, whose rest would be another rule. */
export function robotsText(bytes: Uint8Array): string {
  const isCut = bytes.length > ROBOTS_BYTES_MAX
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, ROBOTS_BYTES_MAX))
  return isCut ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text
}

// Its types have a default export, its code is one function: Node gives the function, the types a module.
const parse = robotsParser as unknown as (url: string, text: string) => ReturnType<typeof robotsParser.default>

const RECORD = /^([^:#]+):([^#]*)/
/** RFC 9309 2.2.1: letters, - and _; what follows, as a version, is no part of it. */
const AGENT = /^(?:\*|[a-z_-]+)/i

/** The same robots.txt in the form that the library reads as RFC 9309 has it. */
function canonical(text: string): string {
  const sitemaps: string[] = []
  const lines: string[] = []
  /** Of a list of user agents that may go on; they come after it. */
  let delays: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = RECORD.exec(line)?.map((part) => part.trim()) ?? []
    switch (name.toLowerCase()) {
      case 'user-agent':
        lines.push(...(isRule(lines.at(-1)) ? delays.splice(0) : []), `user-agent:${AGENT.exec(value)?.[0] ?? ''}`)
        break
      case 'allow':
      case 'disallow':
        lines.push(...delays, `${name}:${spelling(value, 'rule')}`)
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
 * One spelling for all that mean the same path: octets that need no encoding are plain, others are %XX in upper case. In
 * the query, where they separate nothing, : / ? @ and , are plain as well. A rule's * and its last $ stay signs; every
 * other $, and an address's * and $, are letters like others.
 */
function spelling(path: string, of: 'rule' | 'address'): string {
  const query = path.indexOf('?')
  const [before, after] = query === -1 ? [path, ''] : [path.slice(0, query + 1), path.slice(query + 1)]
  const spelled = plain(before, /[A-Za-z0-9._~-]/) + plain(after, /[A-Za-z0-9._~\-:/?@,]/)
  if (of === 'address') return spelled.replaceAll('*', '%2A').replaceAll('$', '%24')
  // Many stars in a row are one, and matching them costs as many passes.
  return spelled.replace(/\$(?=.)/g, '%24').replace(/\*{2,}/g, '*')
}

/** One spelling of percent-encoding: `unreserved` characters are plain, all others that need it %XX in upper case. */
export function plain(text: string, unreserved: RegExp): string {
  const decoded = text.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const letter = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
    return unreserved.test(letter) ? letter : octet.toUpperCase()
  })
  // Lone surrogates have no UTF-8; a % that encodes nothing stays one.
  return encodeURI(decoded.toWellFormed()).replaceAll('%25', '%')
}
