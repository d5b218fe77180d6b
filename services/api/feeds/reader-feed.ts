import { Feed } from 'feed'
import {
  ATOM_NAMESPACES,
  CATALOG,
  FEED_TYPES,
  htmlOf,
  isoMicroseconds,
  type Link,
  type ReaderFormat,
  RSS_NAMESPACES,
  rfc822,
} from './feed-fields.ts'
import { container, element, XML_DECLARATION } from './xml.ts'

/**
 * Feeds for people's readers, as pure functions: a few entries in words, without the states, numbers and chains that mirrors
 * check. Feeds for mirrors: feed-documents.ts.
 */
export type ReaderFeed = Readonly<{
  /** A tag URI. */
  id: string
  title: string
  subtitle: string
  /** An absolute address for people. */
  site: string
  /** `self` and other links within the feed; absolute. */
  links: readonly Omit<Link, 'type'>[]
  /** Newest first. */
  entries: readonly ReaderEntry[]
}>

export type ReaderEntry = Readonly<{
  /** A tag URI, unique in the feed. */
  id: string
  title: string
  /** Null: the item left, as the title says, and its id is `id`. */
  summary: string | null
  /** Absolute address of the item, or of the one that it was merged into; null where it has none any more. */
  link: string | null
  /** Microseconds since 1970. */
  updatedUs: bigint
  categories: readonly string[]
}>

/** Atom (RFC 4287), RSS 2.0 or JSON Feed 1.1; items that left are tombstones (RFC 6721) in Atom, and ordinary items elsewhere. */
export function readerFeedOf(feed: ReaderFeed, format: ReaderFormat): string {
  if (format === 'json') return jsonOf(feed)
  return format === 'atom' ? atomOf(feed) : rssOf(feed)
}

function jsonOf({ title, subtitle, site, links, entries }: ReaderFeed): string {
  const json = links.find(({ rel }) => rel === 'self')?.href ?? ''
  const feed = new Feed({ title, description: subtitle, link: site, feedLinks: { json } })
  for (const { id, title, summary, link, updatedUs, categories } of entries)
    feed.addItem({
      id,
      title,
      link: link ?? '',
      // Every item needs content.
      description: htmlOf(summary ?? title),
      date: new Date(Number(updatedUs / 1000n)),
      category: categories.map((name) => ({ name })),
    })
  // The package writes version 1, of which 1.1 renamed the author alone.
  return JSON.stringify({ ...JSON.parse(feed.json1()), version: JSON_FEED, authors: [{ name: CATALOG }] })
}

const JSON_FEED = 'https://jsonfeed.org/version/1.1'

function atomOf({ id, title, subtitle, site, links, entries }: ReaderFeed): string {
  const type = FEED_TYPES.atom
  const head = [
    element('id', id),
    element('title', title),
    element('subtitle', subtitle),
    element('updated', isoMicroseconds(entries[0]?.updatedUs ?? 0n)),
    container('author', [element('name', CATALOG)]),
    element('link', undefined, { rel: 'alternate', href: site }),
    ...links.map(({ rel, href }) => element('link', undefined, { rel, type, href })),
  ]
  // The grammar of RFC 4287 allows no extension element after the first entry.
  const gone = entries.flatMap((entry) => (entry.summary === null ? [deletedEntry(entry)] : []))
  const shown = entries.flatMap((entry) => (entry.summary === null ? [] : [atomEntry(entry)]))
  return `${XML_DECLARATION}${container('feed', [...head, ...gone, ...shown], ATOM_NAMESPACES)}\n`
}

function deletedEntry({ id: ref, title, link, updatedUs }: ReaderEntry): string {
  const related = link === null ? [] : [element('link', undefined, { rel: 'related', href: link })]
  return container('at:deleted-entry', [element('at:comment', title), ...related], {
    ref,
    when: isoMicroseconds(updatedUs),
  })
}

function atomEntry({ id, title, summary, link, updatedUs, categories }: ReaderEntry): string {
  return container('entry', [
    element('id', id),
    element('title', title),
    element('summary', summary ?? ''),
    element('updated', isoMicroseconds(updatedUs)),
    element('link', undefined, { rel: 'alternate', href: link ?? '' }),
    ...categories.map((term) => element('category', undefined, { term })),
  ])
}

function rssOf({ title, subtitle, site, links, entries }: ReaderFeed): string {
  const type = FEED_TYPES.rss
  const [newest] = entries
  const channel = container('channel', [
    element('title', title),
    element('link', site),
    element('description', subtitle),
    ...(newest === undefined ? [] : [element('lastBuildDate', rfc822(newest.updatedUs))]),
    ...links.map(({ rel, href }) => element('atom:link', undefined, { rel, type, href })),
    ...entries.map(rssItem),
  ])
  return `${XML_DECLARATION}${container('rss', [channel], RSS_NAMESPACES)}\n`
}

function rssItem({ id, title, summary, link, updatedUs, categories }: ReaderEntry): string {
  return container('item', [
    element('title', title),
    ...(link === null ? [] : [element('link', link)]),
    element('guid', id, { isPermaLink: 'false' }),
    element('pubDate', rfc822(updatedUs)),
    ...categories.map((category) => element('category', category)),
    ...(summary === null ? [] : [element('description', htmlOf(summary))]),
  ])
}
