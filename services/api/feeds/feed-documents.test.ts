import { chainNext, chainStart, evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { type FeedChange, type FeedState, SCOPES } from '@catalog/core/changes/protocol.ts'
import { publicStateJson, stateSha } from '@catalog/core/changes/public-state.ts'
import { canonicalJson, sha256Hex } from '@catalog/core/digest.ts'
import type { ItemPublished, PublicState } from '@catalog/core/events/items.ts'
import { channelOf, entriesOf, feedOf, linksOf, type Parsed } from '@catalog/stack/mirror/feed-xml.ts'
import { published } from '@catalog/stack/testing/events.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atomOf, type FeedPage, ndjsonOf, rssOf, stateJson, subscriptionStart } from './feed-documents.ts'

const BASE_URL = 'https://catalog.example.org/v1'
const GEN = 'g1'

type Median = PublicState['item']['median_price']
const euros = (cents: number, recordedAt = '2026-11-20T02:00:00Z'): Median => ({
  cents,
  currency: 'EUR',
  recorded_at: recordedAt,
})

type ChangeFields = Partial<Omit<FeedChange, 'state'>> & {
  name?: string
  unit?: string | null
  median?: Median
  former?: Median
  vendors?: number
  regions?: string[]
  /** The median of every region; absent: as the headline. */
  regional?: Median
}

/** Builds a change with the item's state after it; `numbered` adds the hash chain. */
function change(given: ChangeFields = {}): FeedChange {
  const { name = 'Portland cement', unit = '25 kg', median = euros(485), former = null, vendors = 7, ...more } = given
  const { regions = ['ES'], regional = median, itemId = 'ci_a', op = 'upsert', ...fields } = more
  const state = publicStateJson({
    item: {
      id: itemId,
      name,
      unit,
      cpv: null,
      category_id: null,
      vendor_count: vendors,
      observation_count: 31,
      median_price: median,
      updated_at: '2026-11-20T02:00:00Z',
    },
    markets: regions.map((region) => ({ region, median_price: regional, vendor_count: vendors })),
    regions,
    state: 'active',
    merged_into: null,
  })
  return {
    seq: 1n,
    itemId,
    op,
    version: 2,
    updatedUs: 1_795_140_000_000_017n,
    stateSha: stateSha(state),
    state: op === 'upsert' ? state : null,
    mergedInto: null,
    formerMedian: former && canonicalJson(former),
    chain: new Uint8Array(32),
    isMarked: false,
    ...fields,
  }
}

/** Numbers the changes from `after` on, one microsecond apart, and adds the hash chain of their scope. */
function numbered(changes: readonly FeedChange[], { scope = 'items', after = 0n } = {}): FeedChange[] {
  let chain = chainStart(GEN, scope)
  return changes.map((change, i) => {
    const seq = after + BigInt(i + 1)
    chain = chainNext({ chain, rseq: seq, op: change.op, itemId: change.itemId, sha: change.stateSha })
    return { ...change, seq, chain, updatedUs: change.updatedUs + BigInt(i) }
  })
}

const page = (changes: readonly FeedChange[], more: Partial<FeedPage> = {}): FeedPage => ({
  baseUrl: BASE_URL,
  gen: GEN,
  scope: 'items',
  kind: 'subscription',
  floor: 0n,
  changes,
  ...more,
})

const titleOf = (given: ChangeFields): string => feedOf(atomOf(page(numbered([change(given)])))).entry[0].title

describe('the text of a change', () => {
  const cement = { name: 'Portland cement CEM II 42.5 R' }
  test.each<[string, ChangeFields, string]>([
    ['a price that rose', { former: euros(470, '2026-11-02T02:00:00Z') }, '4.85 EUR, +3.2 % since 2 Nov, 7 vendors'],
    ['a price that fell', { former: euros(970, '2026-11-02T02:00:00Z') }, '4.85 EUR, -50.0 % since 2 Nov, 7 vendors'],
    [
      'a price of last year',
      { former: euros(470, '2025-12-31T23:59:59Z') },
      '4.85 EUR, +3.2 % since 31 Dec 2025, 7 vendors',
    ],
    [
      'a tenth, halves away from zero',
      { median: euros(2001), former: euros(2000) },
      '20.01 EUR, +0.1 % since 20 Nov, 7 vendors',
    ],
    [
      'less than a tenth',
      { median: euros(9_999), former: euros(10_000) },
      '99.99 EUR, down by less than 0.1 % since 20 Nov, 7 vendors',
    ],
    [
      'a price of unknown age',
      { former: { cents: 970, currency: 'EUR', recorded_at: null } },
      '4.85 EUR, -50.0 %, 7 vendors',
    ],
    [
      'another currency',
      { former: { cents: 520, currency: 'USD', recorded_at: null } },
      '4.85 EUR, before 5.20 USD, 7 vendors',
    ],
    ['the same price', { former: euros(485, '2026-11-02T02:00:00Z'), vendors: 1 }, '4.85 EUR, 1 vendor'],
    ['a new item', { version: 1 }, '4.85 EUR, new, 7 vendors'],
    ['a first price', {}, '4.85 EUR, before without a price, 7 vendors'],
    ['a lost price', { median: null, former: euros(470), vendors: 0 }, 'no price, before 4.70 EUR, 0 vendors'],
    ['never a price', { median: null }, 'no price, 7 vendors'],
    [
      'a currency without cents',
      { median: { cents: 4850, currency: 'CLP', recorded_at: null } },
      '4850 CLP, before without a price, 7 vendors',
    ],
  ])('%s', (_what, given, expected) => {
    expect(titleOf({ ...cement, ...given })).toBe(`Portland cement CEM II 42.5 R, 25 kg: ${expected}`)
  })

  test('omits a missing unit', () => {
    expect(titleOf({ unit: null, median: null })).toBe('Portland cement: no price, 7 vendors')
  })

  test('summarizes the previous price, the observation count and each region', () => {
    const given = { former: euros(470, '2026-11-02T02:00:00Z'), regions: ['ES', 'EU'] }
    const { summary } = feedOf(atomOf(page(numbered([change(given)])))).entry[0]
    expect(summary).toBe(
      '4.85 EUR, before that 4.70 EUR since 2 Nov. 7 vendors, 31 observations. Sold in ES, EU. By region: ES 4.85 EUR, EU 4.85 EUR.',
    )
  })
})

describe('the texts of a generation', () => {
  const dollars = { cents: 520, currency: 'USD', recorded_at: null }
  const changes = numbered(
    [change({ median: dollars, former: { ...dollars, cents: 500 }, regional: euros(485), regions: ['ES', 'US'] })],
    { scope: 'region/ES' },
  )
  const entryOf = (gen: string, scope = 'region/ES') =>
    feedOf(atomOf(page(changes, { gen, scope, kind: 'archive', page: 0 }))).entry[0]

  test('stay those of the headline while a generation without a version runs', () => {
    const { title, summary } = entryOf('019aa6b1c2d30001')
    expect([title, summary]).toEqual([
      'Portland cement, 25 kg: 5.20 USD, +4.0 %, 7 vendors',
      '5.20 USD, before that 5.00 USD. 7 vendors, 31 observations. Sold in ES, US. By region: ES 4.85 EUR, US 4.85 EUR.',
    ])
  })

  test("say a region's median first and the headline after it, from a generation of version 2 on", () => {
    const { title, summary } = entryOf('019aa6b1c2d30001t2')
    expect([title, summary]).toEqual([
      'Portland cement, 25 kg: 4.85 EUR in ES, headline 5.20 USD, +4.0 %, 7 vendors',
      'In ES 4.85 EUR. Headline: 5.20 USD, before that 5.00 USD. 7 vendors, 31 observations. Sold in ES, US. By region: ES 4.85 EUR, US 4.85 EUR.',
    ])
    const all = entryOf('019aa6b1c2d30001t2', 'items')
    expect(all).toEqual(entryOf('019aa6b1c2d30001', 'items'))
  })

  test("link the item's page in the market of the feed, from a generation of version 3 on", () => {
    const gens = ['019aa6b1c2d30001t2', '019aa6b1c2d30001t3']
    const linksIn = (scope: string) => gens.map((gen) => entryOf(gen, scope).link[0]['@href'])
    expect(linksIn('items')).toEqual([`${BASE_URL}/items/ci_a`, 'https://catalog.example.org/items/ci_a'])
    expect(linksIn('region/ES')[1]).toBe('https://catalog.example.org/items/ci_a?price_region=ES')
  })

  test('keep every byte of documents that mirrors may have', () => {
    const generations = ['019aa6b1c2d30001', '019aa6b1c2d30001t2', '019aa6b1c2d30001t3']
    const documents = generations.flatMap((gen) =>
      ['items', 'region/ES'].flatMap((scope) =>
        (['subscription', 'archive'] as const).flatMap((kind) => {
          const document = page(changes, { gen, scope, kind, ...(kind === 'archive' ? { page: 0 } : {}) })
          return [atomOf(document), rssOf(document)]
        }),
      ),
    )
    expect(documents.map((text) => sha256Hex(text).slice(0, 16))).toEqual(KEPT_BYTES)
  })
})

/** Of three generations, scopes, kinds and formats. Another text needs another version, beside these. */
const KEPT_BYTES = [
  '317028688e2f04b4',
  'c5c14b6fc8ff1513',
  'ff83d6507bd76bf9',
  '02e71668c28c0d6f',
  '4e935fb18599966f',
  '479c61ad3d2c06b0',
  '6eaebf445e0b04ea',
  'f0e12e33172e10d6',
  '546479c3cbf48c4c',
  '868eaaa1ba808bfe',
  '5a546d0d2ce7985c',
  '305bc54432218c25',
  'cd7ba61bced4d2cc',
  '5f453eaa496ec06a',
  'c59b30b17a31ee80',
  '20cef5c8cb6e8f7e',
  'b64cd43c15ea5618',
  '9ebc38ac68715f7d',
  '2af32d4fb1276e8a',
  '1c9697c0d2ec4218',
  'c3135bde913012cb',
  '8c536b8e962ea6fd',
  'b33ff808e60a6658',
  '1effad8685beea6d',
]

describe('Atom', () => {
  test('matches this document byte for byte', () => {
    const changes = numbered([
      change({ itemId: 'ci_b', median: null }),
      change({ itemId: 'ci_a', name: 'Steel <B500S> & "bars"\u0001', former: euros(470, '2026-11-02T02:00:00Z') }),
      change({ itemId: 'ci_c', op: 'delete', mergedInto: 'ci_a' }),
      change({ itemId: 'ci_b', op: 'delete' }),
    ])
    const [b, a, , last] = changes as [FeedChange, FeedChange, FeedChange, FeedChange]
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
    expect(atomOf(page(changes))).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:ccm="urn:construction-cost-catalog:ccm:1">
<id>tag:catalog.example.org,2026:feed/items</id>
<title>Construction Cost Catalog</title>
<subtitle>Items whose price or description changed, newest first</subtitle>
<updated>2026-11-20T02:00:00.000020Z</updated>
<author>
<name>Construction Cost Catalog</name>
</author>
<link rel="self" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/items.atom"/>
<link rel="alternate" href="https://catalog.example.org/"/>
<link rel="current" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/items.atom"/>
<ccm:gen>g1</ccm:gen>
<ccm:scope>items</ccm:scope>
<ccm:first>1</ccm:first>
<ccm:last>4</ccm:last>
<ccm:chain>${hex(last.chain)}</ccm:chain>
<ccm:head>4</ccm:head>
<at:deleted-entry ref="tag:catalog.example.org,2026:item/ci_b" when="2026-11-20T02:00:00.000020Z">
<ccm:seq>4</ccm:seq>
<ccm:op>delete</ccm:op>
</at:deleted-entry>
<at:deleted-entry ref="tag:catalog.example.org,2026:item/ci_c" when="2026-11-20T02:00:00.000019Z">
<ccm:seq>3</ccm:seq>
<ccm:op>delete</ccm:op>
<ccm:merged-into>ci_a</ccm:merged-into>
</at:deleted-entry>
<ccm:superseded seq="1" op="upsert" id="ci_b" sha256="${hex(b.stateSha)}"/>
<entry>
<id>tag:catalog.example.org,2026:item/ci_a</id>
<title>Steel &lt;B500S&gt; &amp; "bars"\ufffd, 25 kg: 4.85 EUR, +3.2 % since 2 Nov, 7 vendors</title>
<summary>4.85 EUR, before that 4.70 EUR since 2 Nov. 7 vendors, 31 observations. Sold in ES. By region: ES 4.85 EUR.</summary>
<updated>2026-11-20T02:00:00.000018Z</updated>
<link rel="alternate" href="https://catalog.example.org/v1/items/ci_a"/>
<category term="region:ES"/>
<ccm:seq>2</ccm:seq>
<ccm:op>upsert</ccm:op>
<ccm:version>2</ccm:version>
<ccm:sha256>${hex(a.stateSha)}</ccm:sha256>
<ccm:state>${(a.state as string).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</ccm:state>
</entry>
</feed>
`)
  })

  test('carries a state byte for byte, whatever characters its names have', () => {
    const name = '< > & " \' ]]> &amp; \t \r\n \u0001 \u2028 \u0085 𝄞 é'
    const changes = numbered([change({ name })])
    const [entry] = feedOf(atomOf(page(changes))).entry
    expect(entry['ccm:state']).toBe(changes[0]?.state)
    expect(sha256Hex(entry['ccm:state'])).toBe(entry['ccm:sha256'])
  })

  const linksIn = (xml: string) => linksOf(feedOf(xml))
  const at = (path: string) => `${BASE_URL}/feeds/${path}`

  test('of an archive links to its neighbours, even expired or future ones', () => {
    const changes = numbered([change()], { after: 500n })
    const archive = page(changes, { kind: 'archive', page: 1, scope: 'region/ES' })
    const links = {
      self: at('archive/g1/region/ES/1.atom'),
      alternate: 'https://catalog.example.org/',
      current: at('region/ES'),
      'prev-archive': at('archive/g1/region/ES/0.atom'),
      'next-archive': at('archive/g1/region/ES/2.atom'),
    }
    expect(linksIn(atomOf(archive))).toEqual(links)
    // A closed page never changes its bytes.
    expect(atomOf({ ...archive, floor: 500n })).toBe(atomOf(archive))
    expect(feedOf(atomOf(archive))).toMatchObject({ 'fh:archive': '' })
    expect(feedOf(atomOf(archive))['ccm:head']).toBeUndefined()
    expect(linksIn(atomOf(page(changes, { kind: 'archive', page: 0 })))['prev-archive']).toBeUndefined()
  })

  test('of a subscription links to the previous archive unless it expired', () => {
    const changes = numbered([change()], { after: 1000n })
    expect(linksIn(atomOf(page(changes)))['prev-archive']).toBe(at('archive/g1/items/1.atom'))
    expect(linksIn(atomOf(page(changes, { floor: 500n })))['prev-archive']).toBe(at('archive/g1/items/1.atom'))
    expect(linksIn(atomOf(page(changes, { floor: 1000n })))['prev-archive']).toBeUndefined()
    expect(linksIn(atomOf(page(changes)))['next-archive']).toBeUndefined()
  })

  test('of changes after a number is ascending and links to the next page', () => {
    const changes = numbered([change({ itemId: 'ci_a' }), change({ itemId: 'ci_b' })], { after: 6n })
    const since = { self: 'items.atom?since=6', next: 'items.atom?since=8&gen=g1' }
    const xml = atomOf(page(changes, { kind: 'since', since }))
    expect(feedOf(xml).entry.map((entry: Parsed) => entry['ccm:seq'])).toEqual(['7', '8'])
    expect(linksIn(xml)).toMatchObject({ self: at(since.self), next: at(since.next) })
    expect(linksIn(xml)['prev-archive']).toBeUndefined()
  })
})

describe('an item that changes twice', () => {
  const twice = (isMarked: boolean) =>
    numbered([change({ vendors: 1, isMarked }), change({ itemId: 'ci_b' }), change({ vendors: 2 })])

  test('shows both changes if a run ended between them, so that a mirror can rebuild the state at its end', () => {
    const feed = feedOf(atomOf(page(twice(true))))
    expect(feed.entry.map((entry: Parsed) => entry['ccm:seq'])).toEqual(['3', '2', '1'])
    expect(feed['ccm:superseded']).toBeUndefined()
    const guids = channelOf(rssOf(page(twice(true)))).item.map((item: Parsed) => item.guid['#text'])
    expect(guids).toEqual([
      'tag:catalog.example.org,2026:item/ci_a',
      'tag:catalog.example.org,2026:item/ci_b',
      'tag:catalog.example.org,2026:feed/items/1',
    ])
  })
})

test('RSS shows the same changes, with tombstones as items and plain text', () => {
  const changes = numbered([
    change({ itemId: 'ci_a', name: 'Steel <B500S> & bars' }),
    change({ itemId: 'ci_b', op: 'delete', mergedInto: 'ci_a' }),
    change({ itemId: 'ci_c', op: 'delete' }),
    change({ itemId: 'ci_d', op: 'leave' }),
  ])
  const channel = channelOf(rssOf(page(changes)))
  expect([channel['ccm:first'], channel['ccm:last'], channel['ccm:head']]).toEqual(['1', '4', '4'])
  expect(channel.item.map(({ title, link }: Parsed) => [title, link])).toEqual([
    ['ci_d is no longer sold in items', [`${BASE_URL}/items/ci_d`]],
    ['ci_c left the catalog', undefined],
    ['ci_b was merged into ci_a', [`${BASE_URL}/items/ci_a`]],
    ['Steel <B500S> & bars, 25 kg: 4.85 EUR, before without a price, 7 vendors', [`${BASE_URL}/items/ci_a`]],
  ])
  const last = channel.item.at(-1)
  expect(last.description).toMatch(/^Steel &lt;B500S&gt; &amp; bars, 25 kg\. /)
  expect(last.pubDate).toBe('Fri, 20 Nov 2026 02:00:00 GMT')
  expect(last.guid).toEqual({ '#text': 'tag:catalog.example.org,2026:item/ci_a', '@isPermaLink': 'false' })
  expect(sha256Hex(last['ccm:state'])).toBe(last['ccm:sha256'])
  expect(channel['atom:link'].map((link: Parsed) => link['@rel'])).toEqual(['self', 'current'])
})

test('NDJSON shows one change a line, with the exact bytes of its state last', () => {
  const changes = numbered([
    change({ vendors: 1 }),
    change(),
    change({ itemId: 'ci_b', op: 'delete', mergedInto: 'ci_a' }),
  ])
  const lines = ndjsonOf(changes).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines[1]?.slice((lines[1]?.indexOf('"state":') as number) + 8, -1)).toBe(changes[1]?.state)
  const { chain, sha256, state, ...rest } = JSON.parse(lines[0] as string)
  expect(rest).toEqual({ seq: 1, op: 'upsert', id: 'ci_a', version: 2, updated: '2026-11-20T02:00:00.000017Z' })
  expect([sha256Hex(canonicalJson(state)), state.item.vendor_count]).toEqual([sha256, 1])
  expect(JSON.parse(lines[2] as string)).toEqual({
    seq: 3,
    op: 'delete',
    id: 'ci_b',
    version: 2,
    updated: '2026-11-20T02:00:00.000019Z',
    chain: Buffer.from(changes[2]?.chain as Uint8Array).toString('hex'),
    merged_into: 'ci_a',
  })
  expect(chain).toHaveLength(64)
})

test('state.json gives the head of every scope, with relative addresses', () => {
  const state: FeedState = {
    gen: GEN,
    updatedUs: 1_795_140_000_000_017n,
    scopes: [
      { scope: 'items', head: 1499n, chain: Buffer.alloc(32, 1), floor: 500n },
      { scope: 'region/ES', head: 0n, chain: chainStart(GEN, 'region/ES'), floor: 0n },
    ],
    digest: {
      mark: 1200n,
      scopes: [
        { scope: 'items', seq: 1200n, chain: Buffer.alloc(32, 2), stateRoot: 'ab' },
        { scope: 'region/ES', seq: 0n, chain: chainStart(GEN, 'region/ES'), stateRoot: 'cd' },
      ],
    },
    snapshot: { seq: 1000n, createdAt: '2026-11-20T03:30:00Z', count: 2100, bytes: 400_000, manifestSha: 'ef' },
  }
  expect(JSON.parse(stateJson(state))).toEqual({
    protocol: 'ccm/1',
    gen: 'g1',
    page_size: 500,
    updated: '2026-11-20T02:00:00.000017Z',
    scopes: {
      items: {
        head: 1499,
        chain: '01'.repeat(32),
        floor: 500,
        closed: 2,
        subscription: 'items.atom',
        archive: 'archive/g1/items/{page}.atom',
      },
      'region/ES': {
        head: 0,
        chain: chainStart(GEN, 'region/ES').toString('hex'),
        floor: 0,
        closed: 0,
        subscription: 'region/ES',
        archive: 'archive/g1/region/ES/{page}.atom',
      },
    },
    digest: {
      mark: 1200,
      scopes: {
        items: { seq: 1200, chain: '02'.repeat(32), state_root: 'ab', url: 'digest/g1/items/1200.json' },
        'region/ES': {
          seq: 0,
          chain: chainStart(GEN, 'region/ES').toString('hex'),
          state_root: 'cd',
          url: 'digest/g1/region/ES/0.json',
        },
      },
    },
    snapshot: {
      seq: 1000,
      created_at: '2026-11-20T03:30:00Z',
      count: 2100,
      bytes: 400_000,
      url: 'snapshots/g1/1000/manifest.json',
      sha256: 'ef',
    },
  })
  const empty = JSON.parse(stateJson({ ...state, updatedUs: null, digest: null, snapshot: null }))
  expect([empty.updated, empty.digest, empty.snapshot]).toEqual([null, null, null])
})

test.each([
  ['019aa6b1c2d30001t3', 0n, 0n, 0n],
  ['019aa6b1c2d30001t3', 499n, 0n, 0n],
  ['019aa6b1c2d30001t3', 999n, 0n, 0n],
  ['019aa6b1c2d30001t3', 1000n, 0n, 500n],
  ['019aa6b1c2d30001t3', 1499n, 0n, 500n],
  ['019aa6b1c2d30001t3', 1499n, 1000n, 1000n],
  ['019aa6b1c2d30001t4', 99n, 0n, 0n],
  ['019aa6b1c2d30001t4', 100n, 0n, 50n],
  ['019aa6b1c2d30001t4', 149n, 100n, 100n],
])('in generation %s with head %i and floor %i a subscription begins after %i', (gen, head, floor, expected) => {
  expect(subscriptionStart({ gen, head, floor })).toBe(expected)
})

describe('any history', () => {
  /** Generates changes of items and ends of runs. */
  const arbitraryHistory = fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          id: fc.constantFrom('ci_a', 'ci_b', 'ci_c'),
          cents: fc.integer({ min: 1, max: 4 }),
          regions: fc.subarray(['ES', 'EU', 'US']),
          state: fc.constantFrom('active', 'active', 'active', 'gone', 'merged'),
        }),
      },
      { weight: 1, arbitrary: fc.constant('run ends' as const) },
    ),
    { maxLength: 60 },
  )
  type History = typeof arbitraryHistory extends fc.Arbitrary<infer T> ? T : never

  /** Folds the history into the changes of every scope, with the fold of the projector. */
  function changesOf(history: History): Map<string, FeedChange[]> {
    let heads: Heads = { gen: GEN, updatedUs: 0n, scopes: new Map() }
    const rows = new Map<string, ItemRow>()
    const changes = new Map<string, FeedChange[]>(SCOPES.map((scope) => [scope, []]))
    let version = 0
    for (const step of history) {
      if (step === 'run ends') {
        for (const [scope, scopeChanges] of changes) {
          const last = scopeChanges.pop()
          if (last !== undefined) changes.set(scope, [...scopeChanges, { ...last, isMarked: true }])
        }
        continue
      }
      const { state, ...given } = step
      const event: ItemPublished = published({
        ...given,
        state,
        version: ++version,
        ...(state === 'merged' ? { mergedInto: 'ci_z' } : {}),
      })
      const outcome = evolve(rows.get(step.id) ?? null, heads, event)
      if (outcome.kind !== 'change') continue
      heads = outcome.heads
      rows.set(step.id, outcome.row)
      for (const { scope, rseq, op, chain } of outcome.scopes) {
        changes.get(scope)?.push({
          seq: rseq,
          itemId: step.id,
          op,
          version,
          updatedUs: outcome.updatedUs,
          stateSha: outcome.row.stateSha,
          state: op === 'upsert' ? outcome.publicState : null,
          mergedInto: event.state.merged_into,
          formerMedian: null,
          chain,
          isMarked: false,
        })
      }
    }
    return changes
  }

  test('gives documents that number every change once and continue the previous chain', () => {
    fc.assert(
      fc.property(
        arbitraryHistory,
        fc.nat(),
        fc.constantFrom('subscription', 'archive', 'since'),
        (history, at, kind) => {
          for (const [scope, changes] of changesOf(history)) {
            const from = changes.length === 0 ? 0 : at % changes.length
            const pageChanges = changes.slice(from)
            const start = changes[from - 1]?.chain ?? chainStart(GEN, scope)
            const document = page(pageChanges, { scope, kind, page: 0, floor: BigInt(from), startChain: start })
            const feed = feedOf(atomOf(document))
            const [first, last] = [BigInt(feed['ccm:first']), BigInt(feed['ccm:last'])]
            expect([first, last]).toEqual([BigInt(from + 1), BigInt(changes.length)])
            const numbers = entriesOf(feed)
            const expected = pageChanges.map(({ seq }) => Number(seq))
            expect(numbers.map(({ seq }) => seq)).toEqual(expected)
            const chain = numbers.reduce<Buffer>(
              (chain, { seq, op, id, sha }) =>
                chainNext({ chain, rseq: BigInt(seq), op, itemId: id, sha: Buffer.from(sha, 'hex') }),
              Buffer.from(start),
            )
            expect(chain.toString('hex')).toBe(feed['ccm:chain'])
            const channel = channelOf(rssOf(document))
            expect(entriesOf(channel).map(({ seq }) => seq)).toEqual(expected)
            expect([channel['ccm:first'], channel['ccm:last'], channel['ccm:chain']]).toEqual([
              feed['ccm:first'],
              feed['ccm:last'],
              feed['ccm:chain'],
            ])
          }
        },
      ),
    )
  })

  test('supersedes a change exactly where a later one of its item follows before the next end of a run', () => {
    const kinds = fc.constantFrom('subscription', 'archive', 'since')
    fc.assert(
      fc.property(arbitraryHistory, fc.nat(), kinds, (history, at, kind) => {
        for (const [scope, changes] of changesOf(history)) {
          const shown = changes.slice(changes.length === 0 ? 0 : at % changes.length)
          const expected = shown.flatMap(({ seq, itemId }, i) => {
            const end = shown.findIndex(({ isMarked }, k) => k >= i && isMarked)
            const ofRun = shown.slice(i + 1, end < 0 ? undefined : end + 1)
            return ofRun.some((later) => later.itemId === itemId) ? [String(seq)] : []
          })
          const document = page(shown, { scope, kind, page: 0 })
          for (const parsed of [feedOf(atomOf(document)), channelOf(rssOf(document))]) {
            const superseded = (parsed['ccm:superseded'] ?? []).map((element: Parsed) => element['@seq'])
            expect(superseded.sort()).toEqual(expected.sort())
          }
        }
      }),
    )
  })

  test('keeps every state that an item has at the end of a run', () => {
    fc.assert(
      fc.property(arbitraryHistory, (history) => {
        for (const [scope, changes] of changesOf(history)) {
          const entries = entriesOf(feedOf(atomOf(page(changes, { scope }))))
          const fold = (entries: readonly { op: string; itemId: string; state: string | null }[]) => {
            const present = new Map<string, string | null>()
            for (const { op, itemId, state } of entries)
              op === 'upsert' ? present.set(itemId, state) : present.delete(itemId)
            return present
          }
          const ends = [...changes.filter(({ isMarked }) => isMarked), changes.at(-1)].filter(
            (end) => end !== undefined,
          )
          for (const { seq } of ends) {
            const expected = fold(changes.filter((change) => change.seq <= seq))
            const rebuilt = fold(
              entries
                .filter((entry) => entry.seq <= seq && (entry.op !== 'upsert' || entry.state !== undefined))
                .map((entry) => ({ ...entry, itemId: entry.id, state: entry.state ?? null })),
            )
            expect([...rebuilt].sort()).toEqual([...expected].sort())
          }
        }
      }),
    )
  })
})
