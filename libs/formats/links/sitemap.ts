import { decodeStream } from '@catalog/formats/bytes/encoding.ts'
import { lines } from '@catalog/formats/bytes/lines.ts'
import { BATCH_RECORDS, type BrokenRecord, type ByteSource } from '@catalog/formats/bytes/record.ts'
import { webAddress } from '@catalog/formats/pages/page.ts'
import { localName, textOf, type XmlElement } from '@catalog/formats/xml/element.ts'
import { brokenRecord, xmlRecords } from '@catalog/formats/xml/records.ts'

/** Reads sitemaps and sitemap indexes (sitemaps.org 0.9), and plain lists of addresses. */

/** A page of the site. */
export type SitemapUrl = Readonly<{ kind: 'url'; position: string; url: string; lastmod: string | null }>
/** A further sitemap of an index. */
export type SitemapRef = Readonly<{ kind: 'sitemap'; position: string; url: string; lastmod: string | null }>
export type SitemapFound = SitemapUrl | SitemapRef | BrokenRecord

/** Limits of the protocol, for a sitemap and for an index. */
export const SITEMAP_URLS_MAX = 50_000
export const SITEMAP_BYTES_MAX = 52_428_800
/** Longest entry; one with images and translations has some ten thousand characters. */
const ENTRY_CHARS_MAX = 262_144

export type SitemapOptions = Readonly<{
  /** Address of the sitemap: entries must share its scheme and host, or its `www` twin. Without it, any web address is valid. */
  url?: string | undefined
}>

/**
 * Reads the entries of a sitemap (XML or text), of an index, or the sitemaps that a robots.txt names, in order, in batches. The caller undoes gzip. `lastmod`
 * is the last instant that the entry allows, ISO text in UTC: a page fetched later has not changed since. "2026-11-20"
 * means the end of that day, and a bare year its end. Null when missing or unreadable.
 *
 * Broken are entries without a web address (BAD_URL), or with another host (OTHER_HOST) or scheme (OTHER_SCHEME) than
 * the sitemap; and damaged XML. These end the file: TOO_MANY_URLS, SITEMAP_TOO_LONG (the protocol's limits) and
 * NOT_A_SITEMAP. Never throws for the content of the bytes.
 */
export async function* readSitemap(
  source: ByteSource,
  options: SitemapOptions = {},
): AsyncGenerator<readonly SitemapFound[], void, undefined> {
  const limited = new Limited(source)
  const entries = (await isMarkup(source)) ? xmlEntries(limited.source, options) : textEntries(limited, options)
  let count = 0
  for await (const batch of entries) {
    // An end of the document that the limit caused is reported as the limit.
    const whole = limited.isCut ? batch.filter((one) => !('reason' in one && one.endsFile)) : batch
    const found = whole.slice(0, SITEMAP_URLS_MAX - count)
    count += found.length
    if (found.length > 0) yield found
    if (found.length < whole.length) {
      return yield [ending(source, 'TOO_MANY_URLS', `expected at most ${SITEMAP_URLS_MAX} addresses`)]
    }
  }
  if (limited.isCut) yield [ending(source, 'SITEMAP_TOO_LONG', `expected at most ${SITEMAP_BYTES_MAX} bytes`)]
}

function ending(source: ByteSource, reason: string, detail: string): BrokenRecord {
  return { position: source.name, raw: '', reason, detail, endsFile: true }
}

/** A source cut at the protocol's limit; `isCut` reports the cut. */
class Limited {
  isCut = false
  readonly source: ByteSource

  constructor(source: ByteSource) {
    const open = async function* (this: Limited) {
      let length = 0
      for await (const chunk of source.open()) {
        const rest = SITEMAP_BYTES_MAX - length
        length += chunk.length
        yield chunk.subarray(0, rest)
        this.isCut = length > SITEMAP_BYTES_MAX
        if (this.isCut) return
      }
    }
    this.source = { ...source, open: () => open.call(this) }
  }
}

/** Whether the first character is `<`, after byte order marks, blanks and the zeros of UTF-16. */
async function isMarkup(source: ByteSource): Promise<boolean> {
  for await (const chunk of source.open()) {
    for (const byte of chunk) if (!NO_CHARACTERS.has(byte)) return byte === 0x3c
  }
  return false
}
const NO_CHARACTERS: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf, 0xff, 0xfe, 0x00, 0x20, 0x09, 0x0a, 0x0d])

async function* xmlEntries(source: ByteSource, options: SitemapOptions): AsyncGenerator<SitemapFound[]> {
  let root = ''
  const isRecord = (name: string, path: readonly string[]) => {
    if (path.length === 0) root = localName(name)
    return path.length === 1 && ENTRY_OF.get(root) === localName(name)
  }
  for await (const batch of xmlRecords(source, { isRecord, recordCharsMax: ENTRY_CHARS_MAX })) {
    if (!ENTRY_OF.has(root) && root !== '') break
    const found: SitemapFound[] = []
    for (const one of batch) {
      const position = `${source.name} entry ${one.number}`
      if (one.kind === 'record') found.push(entryOf(one.element, { root, position, raw: one.raw, options }))
      else if (one.kind === 'broken') found.push(brokenRecord(one, position))
    }
    if (found.length > 0) yield found
  }
  if (!ENTRY_OF.has(root) && root !== '') {
    yield [ending(source, 'NOT_A_SITEMAP', `<${root.slice(0, 40)}>: expected urlset or sitemapindex`)]
  }
}
/** Entry elements by root element. */
const ENTRY_OF: ReadonlyMap<string, string> = new Map([
  ['urlset', 'url'],
  ['sitemapindex', 'sitemap'],
])

type Place = Readonly<{ root: string; position: string; raw: string; options: SitemapOptions }>

function entryOf(element: XmlElement, { root, position, raw, options }: Place): SitemapFound {
  const url = addressOf(textOf(element, 'loc'), { position, raw, options })
  if (typeof url !== 'string') return url
  return {
    kind: root === 'urlset' ? 'url' : 'sitemap',
    position,
    url,
    lastmod: lastInstantOf(textOf(element, 'lastmod')),
  }
}

async function* textEntries(limited: Limited, options: SitemapOptions): AsyncGenerator<SitemapFound[]> {
  const { source } = limited
  const { text } = decodeStream(source.open(), {})
  let isFirst = true
  let isRobots = false
  for await (const batch of lines(text)) {
    // The rest may be half an address, which is another address.
    if (limited.isCut) return
    const found: SitemapFound[] = []
    for (const { text: line, number, isCut } of batch) {
      const raw = line.trim()
      if (raw === '') continue
      if (isFirst && ROBOTS.test(raw)) isRobots = true
      if (isRobots) {
        isFirst = false
        const [, named] = SITEMAP_RULE.exec(raw) ?? []
        if (named === undefined) continue
        const position = `${source.name} line ${number}`
        const url = addressOf(named, { position, raw, options })
        found.push(typeof url === 'string' ? { kind: 'sitemap', position, url, lastmod: null } : url)
        continue
      }
      if (isFirst && (isCut || webAddress(raw) === null)) {
        yield [ending(source, 'NOT_A_SITEMAP', `'${raw.slice(0, 80)}': expected markup or one address on each line`)]
        return
      }
      isFirst = false
      const position = `${source.name} line ${number}`
      const url = addressOf(raw, { position, raw, options })
      found.push(typeof url === 'string' ? { kind: 'url', position, url, lastmod: null } : url)
    }
    for (let at = 0; at < found.length; at += BATCH_RECORDS) yield found.slice(at, at + BATCH_RECORDS)
  }
  if (isFirst) yield [ending(source, 'NOT_A_SITEMAP', 'the file is empty: expected markup or addresses')]
}

/** A robots.txt names the sitemaps of its site. */
const ROBOTS = /^(?:#|(?:user-agent|sitemap|allow|disallow|crawl-delay|host)\s*:)/i
const SITEMAP_RULE = /^sitemap\s*:\s*(\S+)/i

function addressOf(written: string, { position, raw, options }: Omit<Place, 'root'>): string | BrokenRecord {
  const broken = (reason: string, detail: string): BrokenRecord => ({ position, raw, reason, detail })
  const shown = `'${written.slice(0, 200)}'`
  const address = webAddress(written)
  if (address === null) return broken('BAD_URL', `${shown}: expected a full address of http or https`)
  if (options.url === undefined) return address
  const [url, own] = [new URL(address), new URL(options.url)]
  if (bareHost(url) !== bareHost(own)) return broken('OTHER_HOST', `${shown}: expected one of ${own.host}`)
  return url.protocol === own.protocol ? address : broken('OTHER_SCHEME', `${shown}: expected ${own.protocol}//`)
}

/** Shops serve `www` and the bare host as one, and their sitemaps name either. */
function bareHost({ host }: URL): string {
  return host.replace(/^www\./, '')
}

/**
 * The last instant of a W3C date with a year, a month, a day, or a time; null for any other text. A time without a zone
 * takes the zone where it comes last on Earth.
 */
function lastInstantOf(text: string): string | null {
  const match = W3C_DATE.exec(text.trim())?.groups
  if (!match) return null
  const { year = '', month, day, time, second, zone } = match
  const from = new Date(`${year}-${month ?? '01'}-${day ?? '01'}T00:00:00Z`)
  if (Number.isNaN(from.getTime()) || (day !== undefined && from.getUTCDate() !== Number(day))) return null
  const end =
    time !== undefined
      ? new Date(`${year}-${month}-${day}T${time}${second ?? ':59'}${zone ?? LAST_ZONE}`)
      : month === undefined
        ? new Date(Date.UTC(Number(year) + 1, 0) - 1)
        : new Date(Date.UTC(Number(year), Number(month) - 1 + (day === undefined ? 1 : 0), Number(day ?? 0) + 1) - 1)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}
const W3C_DATE =
  /^(?<year>\d{4})(-(?<month>\d\d)(-(?<day>\d\d)([T ](?<time>\d\d:\d\d)(?<second>:\d\d(\.\d{1,9})?)?(?<zone>Z|[+-]\d\d:\d\d)?)?)?)?$/
const LAST_ZONE = '-12:00'
