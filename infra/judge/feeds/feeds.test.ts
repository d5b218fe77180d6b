import { atomOf, type FeedPage, rssOf } from '@catalog/api/feeds/feed-documents.ts'
import { chainStart, evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { type FeedChange, pageChangesOf } from '@catalog/core/changes/protocol.ts'
import { publicStateJson } from '@catalog/core/changes/public-state.ts'
import type { ItemEvent } from '@catalog/core/events/events.ts'
import { event, published } from '@catalog/stack/testing/events.ts'
import { describe, expect, test } from 'vitest'
import { type FetchedDocument, readFeed } from './read-feed.ts'
import { sequenceFaults, startChains } from './sequence-rules.ts'

const BASE = 'https://catalog.example.org/v1'
const PLACE = { gen: 'gen-1', scope: 'items' }

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
const ARCHIVED = changesOf(Array.from({ length: pageChangesOf(PLACE.gen) }, (_, n) => published({ id: `ci_${n}` })))
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
describe('the numbers of a document', () => {
  const broken = (document: FetchedDocument, chains = startChains(PLACE)) => {
    return [...new Set(sequenceFaults(readFeed(document), { ...PLACE, chains }).map(({ rule }) => rule))]
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
