import { XMLParser } from 'fast-xml-parser'

/** Reads documents of the feeds as a mirror or a feed reader does. */

// biome-ignore lint/suspicious/noExplicitAny: documents are looked into by the names of their elements
export type Parsed = Record<string, any>

const MANY = ['entry', 'item', 'at:deleted-entry', 'ccm:superseded', 'link', 'atom:link', 'category']
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => MANY.includes(name),
})

/** Throws on XML that is not well-formed. */
export const feedOf = (xml: string): Parsed => parser.parse(xml, true).feed
export const channelOf = (xml: string): Parsed => parser.parse(xml, true).rss.channel

/** The last part of an id of an item. */
export const idOf = (tag: string) => tag.split('/').at(-1) as string
export const linksOf = ({ link }: Parsed): Record<string, string> =>
  Object.fromEntries(link.map((one: Parsed) => [one['@rel'], one['@href']]))

/** The state is absent for a superseded change and a tombstone, the hash empty for a tombstone. */
export type FeedEntry = Readonly<{
  seq: number
  op: 'upsert' | 'delete' | 'leave'
  id: string
  sha: string
  state?: string
}>

/** Every change of an Atom document or an RSS channel, ascending. */
export function entriesOf(document: Parsed): FeedEntry[] {
  const { entry = [], item = [], 'at:deleted-entry': tombs = [], 'ccm:superseded': superseded = [] } = document
  const shown = [...entry, ...item].map((one: Parsed) => ({
    seq: Number(one['ccm:seq']),
    op: one['ccm:op'],
    id: one['ccm:state'] === undefined ? '' : JSON.parse(one['ccm:state']).item.id,
    sha: one['ccm:sha256'] ?? '',
    state: one['ccm:state'],
  }))
  const removed = tombs.map((one: Parsed) => ({
    seq: Number(one['ccm:seq']),
    op: one['ccm:op'],
    id: idOf(one['@ref']),
    sha: '',
  }))
  const replaced = superseded.map((one: Parsed) => ({
    seq: Number(one['@seq']),
    op: one['@op'],
    id: one['@id'],
    sha: one['@sha256'] ?? '',
  }))
  return [...shown, ...removed, ...replaced].toSorted((a, b) => a.seq - b.seq)
}
