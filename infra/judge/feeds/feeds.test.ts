import { atomOf, type FeedPage, rssOf } from '@catalog/api/feeds/feed-documents.ts'
import { chainStart, evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { type FeedChange, PAGE_CHANGES } from '@catalog/core/changes/protocol.ts'
import { publicStateJson } from '@catalog/core/changes/public-state.ts'
import type { ItemEvent } from '@catalog/core/events/events.ts'
import { event, published } from '@catalog/stack/testing/events.ts'
import { describe, expect, test } from 'vitest'
import { sequenceFaults, startChains } from './sequence-rules.ts'
import { type Feed, type FetchedDocument, faultsOf, RULES, readFeed } from './validator-rules.ts'
import { readXml } from './xml.ts'

const BASE = 'https://catalog.example.org/v1'
const PLACE = { gen: 'gen-1', scope: 'items' }
const NOW = new Date('2026-02-01T00:00:00Z')

/** The changes of scope items that these events cause. */
function changesOf(events: readonly ItemEvent[]): FeedChange[] {
  let heads: Heads = { gen: PLACE.gen, updatedUs: 0n, scopes: new Map() }
  const rows = new Map<string, ItemRow>()
  const changes: FeedChange[] = []
  for (const event of events) {
    const last = changes.at(-1)
    if (event.type === 'RunMarked' && last !== undefined) changes.splice(-1, 1, { ...last, isMarked: true })
    if (event.type !== 'ItemPublished') continue
    const outcome = evolve(rows.get(event.item_id) ?? null, heads, event)
    if (outcome.kind !== 'change') throw new Error(`${event.item_id}: expected a change, found ${outcome.kind}`)
    heads = outcome.heads
    rows.set(event.item_id, outcome.row)
    const { seq, op, updatedUs } = outcome
    changes.push({
      seq,
      itemId: event.item_id,
      op,
      version: event.version,
      updatedUs,
      stateSha: outcome.row.stateSha,
      state: op === 'upsert' ? publicStateJson(event.state) : null,
      mergedInto: event.state.merged_into,
      formerMedian: null,
      chain: outcome.scopes[0]?.chain as Buffer,
      isMarked: false,
    })
  }
  return changes
}

/** Items on both sides of a mark, superseded, merged, and with markup characters in the name. */
const CHANGES = changesOf([
  published({ id: 'ci_a', name: 'Sand <0-4> & gravel </b>' }),
  published({ id: 'ci_b', cents: null }),
  event({ type: 'RunMarked', run_id: 'run_1', as_of: '2026-01-05T00:00:00Z', items_published: 2 }),
  published({ id: 'ci_a', version: 2, cents: 7 }),
  published({ id: 'ci_c' }),
  published({ id: 'ci_c', version: 2, cents: 8 }),
  published({ id: 'ci_b', version: 2, state: 'merged', mergedInto: 'ci_a' }),
])
const PAGE: FeedPage = { baseUrl: BASE, ...PLACE, kind: 'subscription', floor: 0n, changes: CHANGES }
const fetched = (path: string, text: string, contentType: string): FetchedDocument => ({
  url: `${BASE}/feeds/${path}`,
  contentType,
  bytes: Buffer.from(text),
})
const atom = fetched('items.atom', atomOf(PAGE), 'application/atom+xml; charset=utf-8')
const rss = fetched('items.rss', rssOf(PAGE), 'application/rss+xml; charset=utf-8')
const ARCHIVED = changesOf(Array.from({ length: PAGE_CHANGES }, (_, n) => published({ id: `ci_${n}` })))
const archive = fetched(
  'archive/gen-1/items/0.atom',
  atomOf({ ...PAGE, kind: 'archive', page: 0, changes: ARCHIVED }),
  'application/atom+xml; charset=utf-8',
)

/** The document with one replacement, which must match once. */
function planted(document: FetchedDocument, from: string | RegExp, to: string): FetchedDocument {
  const text = Buffer.from(document.bytes).toString()
  const changed = text.replace(from, to)
  expect(changed, `${from} is in the document`).not.toBe(text)
  return { ...document, bytes: Buffer.from(changed) }
}
const rulesBroken = (document: FetchedDocument) => [
  ...new Set(faultsOf(document, { now: NOW }).map(({ rule }) => rule)),
]

test.each([
  ['the subscription', atom],
  ['RSS', rss],
  ['an archive', archive],
])('%s breaks no rule', (_what, document) => {
  expect(faultsOf(document, { now: NOW })).toEqual([])
})

/** A rule, and the mutation that breaks it. */
const PLANTED: readonly [string, FetchedDocument, string | RegExp, string][] = [
  ['WellFormed', atom, '</feed>', ''],
  ['WellFormed', atom, '&amp;', '&'],
  ['WellFormed', rss, 'version="2.0"', 'version="0.91"'],
  ['MissingSelf', atom, 'rel="self"', 'rel="related"'],
  ['MissingSelf', rss, 'rel="self"', 'rel="related"'],
  ['SelfDoesntMatchLocation', atom, /(rel="self"[^>]*)items.atom/, '$1items.rss'],
  ['InvalidFullLink', atom, `${BASE}/items/ci_a`, '/v1/items/ci_a'],
  ['InvalidFullLink', rss, `<link>${BASE}/items/ci_a`, '<link>ci_a'],
  ['ContainsHTML', atom, '<title>Construction', '<title>&lt;b&gt;Construction&lt;/b&gt;'],
  ['ContainsHTML', atom, '<title>Construction', '<title type="html">Construction'],
  ['ContainsHTML', atom, 'Sand &lt;0-4&gt; &amp; gravel', 'Sand &amp;lt;0-4&amp;gt; &amp;amp; gravel'],
  ['ContainsHTML', rss, /<description>Sand.*?</s, '<description>Sand &lt;0-4&gt;<'],
  ['InvalidTAG', atom, ',2026:feed', ',26:feed'],
  ['InvalidTAG', atom, 'tag:catalog.example.org,2026:item', 'tag:catalog_example.org,2026:item'],
  ['InvalidTAG', atom, /ref="tag:[^"]*/, 'ref="ci_b'],
  ['InvalidTAG', rss, '<guid isPermaLink="false">tag:', '<guid isPermaLink="false">item:'],
  ['InvalidRFC3339Date', atom, /<updated>2026-01-05T/, '<updated>2026-01-05 '],
  ['InvalidRFC3339Date', atom, /when="2026-01-05/, 'when="2026-02-30'],
  ['InvalidRFC2822Date', rss, /<pubDate>Mon/, '<pubDate>Tue'],
  ['InvalidRFC2822Date', rss, /<pubDate>[^<]*/, '<pubDate>2026-01-05T00:00:00Z'],
  ['ImplausibleDate', atom, /<updated>2026-01/, '<updated>2027-01'],
  ['ImplausibleDate', rss, /<lastBuildDate>[^<]*/, '<lastBuildDate>Tue, 05 Jan 2027 00:00:00 GMT'],
  ['MissingElement', atom, /<author>.*<\/author>/s, ''],
  ['MissingElement', atom, /(<entry>.*?<title>)[^<]*/s, '$1'],
  ['MissingElement', rss, /<pubDate>[^<]*<\/pubDate>/, ''],
  ['UndefinedElement', rss, '<item>', '<item><updated>2026-01-05T00:00:00Z</updated>'],
  ['MissingTextualContent', atom, /<summary>[^<]*<\/summary>/, ''],
  ['MissingContentOrAlternate', atom, /(<entry>.*?)rel="alternate"/s, '$1rel="related"'],
  ['NotBase64', atom, '<entry>', '<entry><content type="application/json">{"a":1}</content>'],
  ['DuplicateEntries', atom, /(<entry>.*?<\/entry>)/s, '$1$1'],
  ['DuplicateUpdated', atom, /(<entry>.*?<updated>)([^<]*)(.*?<entry>.*?<updated>)[^<]*/s, '$1$2$3$2'],
  ['DuplicateValue', rss, /(<item>.*?<\/item>)/s, '$1$1'],
  ['InvalidPermalink', rss, ' isPermaLink="false"', ''],
  ['InvalidCategory', atom, 'region:EU', 'region:FR'],
  ['InvalidCategory', rss, '<category>region:EU</category>', ''],
  ['ArchiveIncomplete', archive, 'rel="next-archive"', 'rel="next"'],
  ['MissingCurrentInArchive', archive, 'rel="current"', 'rel="related"'],
  ['MarkedAsArchive', archive, '<fh:archive/>', ''],
  ['MarkedAsArchive', atom, '<ccm:gen>', '<fh:archive/><ccm:gen>'],
  ['FeedHistoryRelInEntry', atom, '<entry>', `<entry><link rel="current" href="${BASE}/"/>`],
]

test.each(PLANTED)('%s is found after a mutation', (rule, document, from, to) => {
  expect(rulesBroken(planted(document, from, to))).toContain(rule)
})

test('a wrong media type or charset is found', () => {
  for (const contentType of ['application/xml; charset=utf-8', 'application/atom+xml', 'text/html']) {
    expect(rulesBroken({ ...atom, contentType })).toEqual(['UnexpectedContentType'])
  }
})

test('every rule has a mutation that breaks it', () => {
  const tried = new Set([...PLANTED.map(([rule]) => rule), 'UnexpectedContentType', 'WellFormed'])
  expect([...new Set(['WellFormed', ...RULES.map(({ name }) => name)])].sort()).toEqual([...tried].sort())
})

describe('the numbers of a document', () => {
  const broken = (document: FetchedDocument, chains = startChains(PLACE)) => {
    const feed = readFeed(document) as Feed
    return [...new Set(sequenceFaults(feed, { ...PLACE, chains }).map(({ rule }) => rule))]
  }

  test('are correct, and the chain continues from document to document', () => {
    const chains = startChains(PLACE)
    expect(broken(atom, chains)).toEqual([])
    expect(chains.get(CHANGES.length)).toEqual(CHANGES.at(-1)?.chain)
    expect(broken(rss, chains)).toEqual([])
    expect(broken(archive)).toEqual([])
  })

  test('of an empty feed are 1 to 0, with the first chain of the scope', () => {
    const empty = { ...atom, bytes: Buffer.from(atomOf({ ...PAGE, changes: [] })) }
    expect(faultsOf(empty, { now: NOW })).toEqual([])
    expect(broken(empty)).toEqual([])
    const first = Buffer.from(chainStart(PLACE.gen, PLACE.scope)).toString('hex')
    expect(broken(planted(empty, first, 'a'.repeat(64)))).toEqual(['WrongChain'])
  })

  const faults: readonly [string, FetchedDocument, string | RegExp, string][] = [
    ['MissingProtocol', atom, /<ccm:chain>[^<]*<\/ccm:chain>/, ''],
    ['WrongPlace', atom, '<ccm:gen>gen-1', '<ccm:gen>gen-2'],
    ['WrongPlace', atom, '<ccm:scope>items', '<ccm:scope>region/ES'],
    ['WrongPage', atom, '<ccm:head>6', '<ccm:head>5'],
    ['WrongPage', archive, '<ccm:chain>', '<ccm:head>500</ccm:head><ccm:chain>'],
    ['Gap', atom, /<entry>.*?<\/entry>/s, ''],
    ['Gap', atom, /<ccm:superseded[^>]*>/, ''],
    ['Gap', atom, '<ccm:last>6', '<ccm:last>7'],
    ['SupersededByNothing', atom, /(<ccm:superseded [^>]*id=")ci_c/, '$1ci_d'],
    ['WrongState', atom, '"cents":7', '"cents":6'],
    ['WrongState', rss, '"cents":7', '"cents":6'],
    ['WrongState', atom, '<ccm:op>upsert', '<ccm:op>delete'],
    ['WrongOrder', atom, /(<entry>.*?<\/entry>)\s*(<entry>.*?<\/entry>)/s, '$2$1'],
    ['WrongOrder', atom, /(<entry>.*?<updated>)2026-01-05/s, '$12026-01-04'],
    ['WrongChain', atom, /(<ccm:superseded [^>]*sha256=").{4}/, '$10000'],
    ['WrongChain', atom, /(<ccm:chain>).{4}/, '$10000'],
    ['WrongChain', archive, /(<ccm:chain>).{4}/, '$10000'],
  ]
  test.each(faults)('%s is found after a mutation', (rule, document, from, to) => {
    const chains = startChains(PLACE)
    // RSS is compared with the chains of Atom.
    if (document === rss) broken(atom, chains)
    expect(broken(planted(document, from, to), chains)).toContain(rule)
  })
})

describe('XML', () => {
  const read = (text: string) => readXml(Buffer.from(text))

  test('gives names, attributes and text', () => {
    const root = read(`<?xml version="1.0" encoding="utf-8"?>
      <!-- one --><a xmlns="urn:a" xmlns:b="urn:b" b:c='1 &lt; "2"' d="&#x1F9F1;">x &amp; <b:e/>y<![CDATA[<z>]]></a>
      `)
    expect([root.ns, root.name, root.text]).toEqual(['urn:a', 'a', 'x & y<z>'])
    expect([...root.attributes]).toEqual([
      ['{urn:b}c', '1 < "2"'],
      ['d', '🧱'],
    ])
    expect(root.children.map(({ ns, name }) => [ns, name])).toEqual([['urn:b', 'e']])
  })

  test.each([
    ['<a>', 'line 1, character 4: <a> is not closed'],
    ['<a></b>', '</b> where </a> was expected'],
    ['<a/><b/>', 'a second root'],
    ['<a/>x', 'text outside the root'],
    ['', 'no element'],
    ['<a>]]></a>', '"]]>" in text'],
    ['<a>&nbsp;</a>', 'the entity &nbsp;'],
    ['<a>&</a>', 'the reference &'],
    ['<a>&#1;</a>', 'the reference &#1;'],
    ['<a>\u0001</a>', 'the character U+0001'],
    ['<a b="1" b="2"/>', 'the attribute b twice'],
    ['<a xmlns:x="urn:a" xmlns:y="urn:a" x:b="1" y:b="2"/>', 'the attribute {urn:a}b twice'],
    ['<a b="<"/>', '<a is not closed'],
    ['<a b=1/>', '<a is not closed'],
    ['<x:a/>', 'the prefix x has no namespace'],
    ['<a>< b/></a>', 'a "<" that begins no markup'],
    ['<a><!-- -- --></a>', '"--" inside a comment'],
    ['<!DOCTYPE a><a/>', 'a "<" that begins no markup'],
    [' <?xml version="1.0"?><a/>', 'an XML declaration that is not first'],
    ['<?xml version="1.0" encoding="latin1"?><a/>', 'the declaration says latin1'],
  ])('%j is refused', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  test('is refused when its bytes are not UTF-8', () => {
    expect(() => readXml(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]))).toThrow('no UTF-8')
  })
})
