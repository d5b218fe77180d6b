/** What every kind of feed spells alike: names, ids, dates and namespaces. */

export const CATALOG = 'Construction Cost Catalog'

export type FeedFormat = 'atom' | 'rss'
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml',
  rss: 'application/rss+xml',
}

/** Of feeds for people's readers, which mirrors never read. */
export type ReaderFormat = FeedFormat | 'json'
export const READER_TYPES: Readonly<Record<ReaderFormat, string>> = { ...FEED_TYPES, json: 'application/feed+json' }
/** Content-Type of a feed; JSON is UTF-8 by its definition. */
export const contentTypeOf = (format: ReaderFormat): string =>
  format === 'json' ? READER_TYPES.json : `${FEED_TYPES[format]}; charset=utf-8`

/** Tag URIs (RFC 4151) of this host. */
const tagAuthority = (baseUrl: string) => `tag:${new URL(baseUrl).hostname},2026:`
export const itemTag = (itemId: string, baseUrl: string) => `${tagAuthority(baseUrl)}item/${itemId}`
/** Of a feed by its path below /feeds/, without a format. */
export const feedTag = (path: string, baseUrl: string) => `${tagAuthority(baseUrl)}feed/${path}`

export type Link = Readonly<{ rel: string; href: string; type: string | undefined }>

const ATOM = 'http://www.w3.org/2005/Atom'
const TOMBSTONES = 'http://purl.org/atompub/tombstones/1.0'
export const HISTORY = 'http://purl.org/syndication/history/1.0'
export const ATOM_NAMESPACES = { xmlns: ATOM, 'xmlns:at': TOMBSTONES }
export const RSS_NAMESPACES = { version: '2.0', 'xmlns:atom': ATOM }

/** RSS descriptions are HTML, and this text has no markup. */
export const htmlOf = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** RFC 3339 with microseconds. */
export function isoMicroseconds(us: bigint): string {
  const seconds = new Date(Number(us / 1000n)).toISOString().slice(0, 19)
  return `${seconds}.${String(us % 1_000_000n).padStart(6, '0')}Z`
}

export const rfc822 = (us: bigint) => new Date(Number(us / 1000n)).toUTCString()
