import { CCM_NAMESPACE } from '@catalog/core/changes/protocol.ts'
import { isAbsolute, isRfc2822, isRfc3339, isTag } from './value-formats.ts'
import { all, type Element, NotWellFormed, readXml, textOf, within } from './xml.ts'

/** A document as received. */
export type FetchedDocument = Readonly<{
  /** The requested absolute address. */
  url: string
  contentType: string
  bytes: Uint8Array
  /** Texts of vendors that it shows, for a document without states; they may contain markup characters. */
  vendorTexts?: readonly string[]
}>
export type Fault = Readonly<{ rule: string; says: string }>

/** A parsed document. */
export type Feed = Readonly<{
  document: FetchedDocument
  kind: Kind
  /** The element `feed` of Atom, or `channel` of RSS. */
  head: Element
  /** Elements `entry` of Atom, or `item` of RSS. */
  entries: readonly Element[]
}>
type Kind = 'atom' | 'rss'
type Rule = Readonly<{ name: string; of: Kind | 'both'; faults: (feed: Feed, now: Date) => Iterable<string> }>

export const ATOM = 'http://www.w3.org/2005/Atom'
export const TOMBSTONES = 'http://purl.org/atompub/tombstones/1.0'
const HISTORY = 'http://purl.org/syndication/history/1.0'
const MEDIA_TYPES = { atom: 'application/atom+xml', rss: 'application/rss+xml' }

/** Parses a document; answers a fault when it is not well-formed or not a feed of Atom or RSS. */
export function readFeed(document: FetchedDocument): Feed | Fault {
  try {
    const root = readXml(document.bytes)
    if (root.ns === ATOM && root.name === 'feed') {
      return { document, kind: 'atom', head: root, entries: all(root, ATOM, 'entry') }
    }
    const [channel] = all(root, '', 'channel')
    if (root.name === 'rss' && root.attributes.get('version') === '2.0' && channel !== undefined) {
      return { document, kind: 'rss', head: channel, entries: all(channel, '', 'item') }
    }
    return { rule: 'WellFormed', says: `the root is {${root.ns}}${root.name}, expected feed of Atom or rss 2.0` }
  } catch (error) {
    if (error instanceof NotWellFormed) return { rule: 'WellFormed', says: error.message }
    throw error
  }
}

/** Checks all rules; `now` is the latest instant that the document may name. */
export function faultsOf(document: FetchedDocument, { now }: { now: Date }): readonly Fault[] {
  const feed = readFeed(document)
  if ('rule' in feed) return [feed]
  return RULES.filter(({ of }) => of === 'both' || of === feed.kind).flatMap(({ name, faults }) =>
    [...faults(feed, now)].map((says) => ({ rule: name, says })),
  )
}

/**
 * The rules of the W3C feed validator that apply to our documents, under its names where it has one. Its warnings are
 * faults here. Three of its warnings do not apply. An id may come twice with different dates (RFC 4287, 4.1.1), as for
 * an item that changed in two runs. A name appears as its vendor wrote it, with markup characters. And the validator
 * does not know the namespace of RFC 6721.
 */
export const RULES: readonly Rule[] = [
  {
    name: 'UnexpectedContentType',
    of: 'both',
    *faults({ kind, document: { contentType } }) {
      const expected = `${MEDIA_TYPES[kind]}; charset=utf-8`
      if (contentType.toLowerCase() !== expected) yield `Content-Type '${contentType}', expected '${expected}'`
    },
  },
  {
    name: 'MissingSelf',
    of: 'both',
    *faults({ head }) {
      const selves = linksOf(head, 'self')
      if (selves.length !== 1) yield `${selves.length} links of rel="self", expected 1`
    },
  },
  {
    name: 'SelfDoesntMatchLocation',
    of: 'both',
    *faults({ head, document: { url } }) {
      for (const href of linksOf(head, 'self')) if (href !== url) yield `self is ${href}, expected ${url}`
    },
  },
  {
    name: 'InvalidFullLink',
    of: 'both',
    *faults({ head }) {
      for (const element of within(head)) {
        for (const href of addressesOf(element))
          if (!isAbsolute(href)) yield `${element.name}: '${href}' is not absolute`
      }
    },
  },
  {
    name: 'ContainsHTML',
    of: 'both',
    *faults({ kind, head, entries, document: { vendorTexts } }) {
      for (const element of [head, ...entries]) yield* htmlIn(element, { kind, vendorTexts })
    },
  },
  {
    name: 'InvalidTAG',
    of: 'both',
    *faults({ kind, head, entries }) {
      const ids =
        kind === 'rss'
          ? entries.map((item) => textOf(item, '', 'guid'))
          : [
              ...[head, ...entries].map((element) => textOf(element, ATOM, 'id')),
              ...all(head, TOMBSTONES, 'deleted-entry').map(({ attributes }) => attributes.get('ref')),
            ]
      for (const id of ids) if (!isTag(id ?? '')) yield `'${id}', expected a tag URI of RFC 4151`
    },
  },
  {
    name: 'InvalidRFC3339Date',
    of: 'atom',
    *faults({ head }) {
      for (const date of atomDates(head)) if (!isRfc3339(date)) yield `'${date}'`
    },
  },
  {
    name: 'InvalidRFC2822Date',
    of: 'rss',
    *faults({ head }) {
      for (const date of rssDates(head)) if (!isRfc2822(date)) yield `'${date}', expected Fri, 20 Nov 2026 12:00:00 GMT`
    },
  },
  {
    name: 'ImplausibleDate',
    of: 'both',
    *faults({ kind, head }, now) {
      for (const date of kind === 'atom' ? atomDates(head) : rssDates(head)) {
        if (Date.parse(date) > now.getTime()) yield `${date} is in the future`
      }
    },
  },
  {
    name: 'MissingElement',
    of: 'atom',
    *faults({ head, entries }) {
      yield* missing(head, ATOM, ['id', 'title', 'updated', 'author'])
      for (const entry of entries) yield* missing(entry, ATOM, ['id', 'title', 'updated'])
    },
  },
  {
    name: 'MissingElement',
    of: 'rss',
    *faults({ head, entries }) {
      yield* missing(head, '', ['title', 'link', 'description'])
      for (const item of entries) yield* missing(item, '', ['title', 'guid', 'pubDate'])
    },
  },
  {
    name: 'UndefinedElement',
    of: 'rss',
    *faults({ head, entries }) {
      yield* undefinedIn(head, CHANNEL_ELEMENTS)
      for (const item of entries) yield* undefinedIn(item, ITEM_ELEMENTS)
    },
  },
  {
    name: 'MissingTextualContent',
    of: 'atom',
    *faults({ entries }) {
      for (const entry of entries) yield* missing(entry, ATOM, ['summary'])
    },
  },
  {
    name: 'MissingContentOrAlternate',
    of: 'atom',
    *faults({ entries }) {
      for (const entry of entries) {
        if (linksOf(entry, 'alternate').length !== 1) yield `${idOf(entry)}: expected one link of rel="alternate"`
      }
    },
  },
  {
    name: 'NotBase64',
    of: 'atom',
    *faults({ entries }) {
      for (const content of entries.flatMap((entry) => all(entry, ATOM, 'content'))) {
        const type = content.attributes.get('type') ?? 'text'
        const isText = !type.includes('/') || /^text\/|[+/]xml$/.test(type)
        if (!isText && !/^[A-Za-z0-9+/\s]*=?=?\s*$/.test(content.text)) yield `content of type ${type}`
      }
    },
  },
  {
    name: 'DuplicateEntries',
    of: 'atom',
    *faults({ entries }) {
      yield* twice(entries.map((entry) => `${idOf(entry)} of ${textOf(entry, ATOM, 'updated')}`))
    },
  },
  {
    name: 'DuplicateUpdated',
    of: 'atom',
    *faults({ entries }) {
      yield* twice(entries.map((entry) => textOf(entry, ATOM, 'updated') ?? ''))
    },
  },
  {
    name: 'DuplicateValue',
    of: 'rss',
    *faults({ entries }) {
      yield* twice(entries.map((item) => textOf(item, '', 'guid') ?? ''))
    },
  },
  {
    name: 'InvalidPermalink',
    of: 'rss',
    *faults({ entries }) {
      for (const guid of entries.flatMap((item) => all(item, '', 'guid'))) {
        if (guid.attributes.get('isPermaLink') !== 'false') yield `${guid.text}: expected isPermaLink="false"`
      }
    },
  },
  {
    name: 'InvalidCategory',
    of: 'both',
    *faults({ kind, entries }) {
      for (const entry of entries) {
        const terms =
          kind === 'atom'
            ? all(entry, ATOM, 'category').map(({ attributes }) => attributes.get('term') ?? '')
            : all(entry, '', 'category').map(({ text }) => text)
        const state = stateOf(entry)
        const expected = (state?.regions ?? []).map((region) => `region:${region}`)
        if (state !== null && terms.join() !== expected.join()) yield `${terms.join()}, expected ${expected.join()}`
      }
    },
  },
  {
    name: 'ArchiveIncomplete',
    of: 'both',
    *faults({ head }) {
      if (!isArchive(head)) return
      const links = [...linksOf(head, 'prev-archive'), ...linksOf(head, 'next-archive')]
      if (links.length === 0) yield 'no link to the archive before or after'
    },
  },
  {
    name: 'MissingCurrentInArchive',
    of: 'both',
    *faults({ head }) {
      if (linksOf(head, 'current').length !== 1) yield 'expected one link of rel="current"'
    },
  },
  {
    name: 'MarkedAsArchive',
    of: 'both',
    *faults({ head, document: { url } }) {
      const isExpected = url.includes('/archive/')
      if (isArchive(head) !== isExpected) yield `fh:archive is ${isArchive(head)}, expected ${isExpected}`
    },
  },
  {
    name: 'FeedHistoryRelInEntry',
    of: 'both',
    *faults({ entries }) {
      for (const link of entries.flatMap((entry) => all(entry, ATOM, 'link'))) {
        const rel = link.attributes.get('rel') ?? ''
        if (HISTORY_RELS.includes(rel)) yield `a link of rel="${rel}" in an entry`
      }
    },
  },
]

const HISTORY_RELS = ['prev-archive', 'next-archive', 'current']
const CHANNEL_ELEMENTS = [
  'title',
  'link',
  'description',
  'language',
  'copyright',
  'managingEditor',
  'webMaster',
  'pubDate',
  'lastBuildDate',
  'category',
  'generator',
  'docs',
  'cloud',
  'ttl',
  'image',
  'rating',
  'textInput',
  'skipHours',
  'skipDays',
  'item',
]
const ITEM_ELEMENTS = [
  'title',
  'link',
  'description',
  'author',
  'category',
  'comments',
  'enclosure',
  'guid',
  'pubDate',
  'source',
]

/** Addresses of the links with this relation, which RSS borrows from Atom. */
function linksOf(element: Element, rel: string): readonly string[] {
  return all(element, ATOM, 'link').flatMap(({ attributes }) =>
    (attributes.get('rel') ?? 'alternate') === rel ? [attributes.get('href') ?? ''] : [],
  )
}

const idOf = (entry: Element) => textOf(entry, ATOM, 'id') ?? 'an entry without an id'
const isArchive = (head: Element) => all(head, HISTORY, 'archive').length > 0

function addressesOf({ ns, name, attributes, text }: Element): readonly string[] {
  if (ns === ATOM && name === 'link') return [attributes.get('href') ?? '']
  const isAddress = (ns === '' && name === 'link') || (ns === ATOM && ['uri', 'logo', 'icon'].includes(name))
  return isAddress ? [text] : []
}

type State = Readonly<{ item: Readonly<{ name: string; unit: string | null }>; regions: readonly string[] }>

/** The public state in an entry; null for a tombstone. */
function stateOf(entry: Element): State | null {
  const state = textOf(entry, CCM_NAMESPACE, 'state')
  return state === undefined ? null : (JSON.parse(state) as State)
}

/**
 * Text that readers would show as markup, or that was escaped twice. Names may contain markup characters themselves.
 */
function* htmlIn(
  element: Element,
  { kind, vendorTexts = [] }: { kind: Kind; vendorTexts?: readonly string[] | undefined },
): Generator<string> {
  const state = stateOf(element)
  const own = state === null ? vendorTexts : [state.item.name, state.item.unit ?? '']
  for (const { ns, name, attributes, text, children } of element.children) {
    if (!(ns === (kind === 'atom' ? ATOM : '') && TEXTS.includes(name))) continue
    const type = attributes.get('type') ?? 'text'
    if (type !== 'text' || children.length > 0) yield `${name} of type ${type}, expected text`
    // RSS readers interpret the description of an item as HTML, so only there the text is escaped twice.
    const isHtml = kind === 'rss' && name === 'description' && element.name === 'item'
    const begins = isHtml ? BAD_HTML.exec(text)?.[0] : undefined
    if (begins !== undefined) yield `${name} has ${begins}, expected HTML without markup`
    let others = isHtml ? text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') : text
    for (const part of own) if (part !== '') others = others.replaceAll(part, '')
    const found = MARKUP.exec(others)?.[0]
    if (found !== undefined) yield `${name} has ${found}: ${text.slice(0, SHOWN_CHARS_MAX)}`
  }
}
const TEXTS = ['title', 'subtitle', 'summary', 'description']
const MARKUP = /<\/?[a-z][^>]*>|&(?:#\w+|[a-z]+);/i
const BAD_HTML = /<|&(?!(?:amp|lt|gt);)/
const SHOWN_CHARS_MAX = 120

function* missing(element: Element, ns: string, names: readonly string[]): Generator<string> {
  for (const name of names) {
    const found = all(element, ns, name)
    const [only] = found
    const isBlank = only !== undefined && only.text.trim() === '' && only.children.length === 0
    if (found.length !== 1 || isBlank)
      yield `${found.length} elements ${name} in ${element.name}, expected 1 that says something`
  }
}

function* undefinedIn(element: Element, known: readonly string[]): Generator<string> {
  for (const { ns, name } of element.children)
    if (ns === '' && !known.includes(name)) yield `${name} in ${element.name}`
}

function* twice(values: readonly string[]): Generator<string> {
  const seen = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) yield `${value} twice`
    seen.add(value)
  }
}

function atomDates(head: Element): readonly string[] {
  return [...within(head)].flatMap(({ ns, name, attributes, text }) => {
    if (ns === ATOM && (name === 'updated' || name === 'published')) return [text]
    return ns === TOMBSTONES && name === 'deleted-entry' ? [attributes.get('when') ?? ''] : []
  })
}

function rssDates(head: Element): readonly string[] {
  return [...within(head)].flatMap(({ ns, name, text }) =>
    ns === '' && (name === 'pubDate' || name === 'lastBuildDate') ? [text] : [],
  )
}
