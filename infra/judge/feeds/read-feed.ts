import { XMLParser } from 'fast-xml-parser'

/** A document as received. */
export type FetchedDocument = Readonly<{
  /** The requested absolute address. */
  url: string
  contentType: string
  bytes: Uint8Array
}>

/** A parsed document. The grammars check that its prefixes name the expected namespaces. */
export type Feed = Readonly<{
  document: FetchedDocument
  kind: FeedKind
  /** The element `feed` of Atom, or `channel` of RSS. */
  head: Element
  /** Elements `entry` of Atom, or `item` of RSS. */
  entries: readonly Element[]
}>
export type FeedKind = 'atom' | 'rss'

/** Children by name, attributes by `@name`, and text as `#text`. */
export type Element = Readonly<{ [name: string]: unknown }>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  alwaysCreateTextNode: true,
  // Hashes cover the text.
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
})

/** Throws for a document that is not well-formed, or is neither Atom nor RSS. */
export function readFeed(document: FetchedDocument): Feed {
  const root = parser.parse(Buffer.from(document.bytes), true) as Element
  const [feed] = all(root, 'feed')
  if (feed !== undefined) return { document, kind: 'atom', head: feed, entries: all(feed, 'entry') }
  const [channel] = all(root, 'rss').flatMap((rss) => all(rss, 'channel'))
  if (channel !== undefined) return { document, kind: 'rss', head: channel, entries: all(channel, 'item') }
  throw new Error(`${document.url}: expected Atom or RSS, found ${Object.keys(root).join(', ')}`)
}

/** Children with this name. */
export function all(element: Element, name: string): readonly Element[] {
  const found = (element[name] ?? []) as Element | readonly Element[]
  return [found].flat()
}

/** Text of the first child with this name; undefined without one. */
export const textOf = (element: Element, name: string): string | undefined =>
  all(element, name)[0]?.['#text'] as string | undefined

export const attributeOf = (element: Element, name: string): string => String(element[`@${name}`] ?? '')
