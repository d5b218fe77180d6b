import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { Api } from '@catalog/api/server.ts'
import { chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { ItemPublished } from '@catalog/core/events/items.ts'
import {
  entriesOf,
  idOf,
  linksOf,
  type Parsed,
  channelOf as parsedChannel,
  feedOf as parsedFeed,
} from '@catalog/stack/mirror/feed-xml.ts'
import { memoryReplica } from '@catalog/stack/store/replica.ts'
import { BASE_URL, markRun, publish, publishAll, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const clock = testClock()
let store: Store
let api: Api
let gen: string
/** SQL statements of the API, without those that read checkpoints or count requests. */
const statements: string[] = []

/** Opens one store per group, because sequence numbers only grow. */
function onEmptyStore() {
  beforeAll(async () => {
    store = await openTestStore()
    gen = (await readFeedState(store)).gen
    const query: Store['query'] = (sql, parameters) => {
      if (!/limit_windows|from checkpoints/.test(sql)) statements.push(sql)
      return store.query(sql, parameters)
    }
    api = testApi({ ...store, query }, clock)
  })
  afterAll(async () => {
    await api.close()
    await store[Symbol.asyncDispose]()
  })
}

async function get(url: string, headers: Record<string, string> = {}) {
  clock.advance(250)
  return await api.inject({ url: `/v1/feeds/${url}`, headers })
}

/** Throws on XML that is not well-formed, or has a character that it must not have. */
function checked(xml: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  return xml
}
const feedOf = (xml: string) => parsedFeed(checked(xml))
const channelOf = (xml: string) => parsedChannel(checked(xml))

describe('the three feeds', () => {
  onEmptyStore()
  const [cement, steel, pipe, left, removed] = ['cement', 'steel', 'pipe', 'left', 'removed'].map((name) =>
    testId('ci_', name),
  ) as [string, string, string, string, string]

  test('are valid and empty before the first change', async () => {
    const feed = feedOf((await get('items.atom')).body)
    expect([feed.entry, feed.updated, feed['ccm:last']]).toEqual([undefined, '1970-01-01T00:00:00.000000Z', '0'])
    expect(channelOf((await get('items.rss')).body).item).toBeUndefined()
  })

  test('show in Atom each changed item once, newest first, with its price, link and regions', async () => {
    await publish(store, { id: removed, name: 'Removed later' })
    await publish(store, {
      id: cement,
      name: 'An older name',
      median_price: { cents: 470, currency: 'EUR', recorded_at: '2026-11-02T02:00:00Z' },
    })
    await publish(store, { id: left, name: 'Leaves Spain', regions: ['ES'] })
    await publish(store, { id: steel, name: 'Steel <B500S> & "bars" ]]> \u0001', unit: null, median_price: null })
    await publish(store, {
      id: pipe,
      name: 'Pipe',
      unit: 'm',
      median_price: { cents: 12_990, currency: 'CLP', recorded_at: null },
      regions: ['CL', 'LATAM'],
    })
    await publish(store, {
      id: cement,
      name: 'Portland cement CEM II 42.5 R',
      regions: ['EU', 'ES'],
      vendor_sku_ids: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => testId('vsku_', name)),
    })
    await publish(store, { id: removed, name: 'Removed later', state: 'merged', merged_into: cement })
    await publish(store, { id: left, name: 'Leaves Spain', regions: ['PE'] })

    const response = await get('items.atom')
    expect([response.statusCode, response.headers['content-type'], response.headers.vary]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
      'Authorization, Accept, Accept-Encoding',
    ])
    const feed = feedOf(response.body)
    expect(feed.entry.map(({ id, title }: Parsed) => [idOf(id), title])).toEqual([
      [left, 'Leaves Spain, 25 kg: 4.85 EUR, 0 vendors'],
      [cement, 'Portland cement CEM II 42.5 R, 25 kg: 4.85 EUR, +3.2 % since 2 Nov, 7 vendors'],
      [pipe, 'Pipe, m: 12990 CLP, new, 0 vendors'],
      [steel, 'Steel <B500S> & "bars" ]]> \ufffd: no price, new, 0 vendors'],
    ])
    const entry = feed.entry[1]
    expect(entry.link[0]['@href']).toBe(`https://catalog.example.org/items/${cement}`)
    expect(entry.category.map((category: Parsed) => category['@term'])).toEqual(['region:ES', 'region:EU'])
    expect(entry.updated).toBe('2026-11-20T12:00:00.000005Z')
    expect([entry['ccm:version'], sha256Hex(entry['ccm:state'])]).toEqual(['2', entry['ccm:sha256']])
    expect(feed['at:deleted-entry'].map((tomb: Parsed) => [idOf(tomb['@ref']), tomb['ccm:merged-into']])).toEqual([
      [removed, cement],
    ])
    expect(feed['ccm:superseded'].map((element: Parsed) => [element['@seq'], element['@id']])).toEqual([
      ['3', left],
      ['2', cement],
      ['1', removed],
    ])
    expect(linksOf(feed).self).toBe(`${BASE_URL}/feeds/items.atom`)
    expect(feed.id).toBe('tag:catalog.example.org,2026:feed/items')
  })

  test('include a feed per region, in any case, with tombstones for items that left it', async () => {
    const ids = async (region: string) => {
      const { entry = [], ...feed } = feedOf((await get(`region/${region}`)).body)
      return [
        entry.map(({ id }: Parsed) => idOf(id)),
        (feed['at:deleted-entry'] ?? []).map((tomb: Parsed) => tomb['ccm:op']),
      ]
    }
    expect(await ids('ES')).toEqual([
      [cement, steel],
      ['leave', 'delete'],
    ])
    expect(await ids('es')).toEqual(await ids('ES'))
    expect(await ids('pe')).toEqual([[left], []])
    expect(await ids('UY')).toEqual([[], []])
  })

  test.each(['XX', 'ESP', '%00', 'items'])('answer 404 with the known regions for the region %s', async (region) => {
    for (const url of [`region/${region}`, `region/${region}?since=0`, `archive/${gen}/region/${region}/0.atom`]) {
      const response = await get(url)
      expect([response.statusCode, response.json().error]).toEqual([404, 'feed_not_found'])
      expect(response.json().details).toContain('LATAM')
    }
  })

  test('answer 304 without SQL until the next publication', async () => {
    for (const url of [
      'items.atom',
      'items.rss',
      'region/es',
      'region/es?limit=2',
      'state.json',
      'items.atom?since=3',
    ]) {
      clock.advance(5_000)
      await get(url)
      clock.advance(5_000)
      const { headers } = await get(url)
      const conditional = { 'if-none-match': String(headers.etag) }
      // Once a minute the keys of the feeds are read again beside some request.
      await vi.waitFor(async () => {
        statements.length = 0
        expect((await get(url, conditional)).statusCode).toBe(304)
        expect(statements).toEqual([])
      })
      await publish(store, { id: cement, name: `Cement, changed for ${url}`, regions: ['ES'] })
      expect((await get(url, conditional)).statusCode).toBe(200)
      // All changes of a run share one instant; Last-Modified advances all the same.
      expect((await get(url, { 'if-modified-since': String(headers['last-modified']) })).statusCode).toBe(200)
    }
  })
})

describe('the documents of a mirror', () => {
  onEmptyStore()

  const ITEMS = 200
  /** Publishes each item, moves it in and out of regions, and removes some from the catalog. */
  const round = (version: number): ItemPublished[] =>
    Array.from({ length: ITEMS }, (_, i) =>
      published({
        id: testId('ci_', `item${i}`),
        cents: 100 + version * 10 + (i % 3),
        version,
        regions: (i + version) % 2 === 0 ? ['ES', 'EU'] : ['EU'],
        state: (i + version) % 50 === 0 ? 'gone' : 'active',
      }),
    )
  const ROUNDS = 6
  /** Head of the whole catalog: 6 rounds of 200 changes, of which two ended a run. */
  const HEAD = 1_200

  beforeAll(async () => {
    for (let version = 1; version <= ROUNDS; version++) {
      await publishAll(store, round(version))
      if (version % 3 === 0) await markRun(store)
    }
  })

  /** Replays documents from the start of a scope; checks numbers, hashes and chain; returns the items at its end. */
  function fold(scope: string, feeds: readonly Parsed[]): Map<string, string> {
    let chain = chainStart(gen, scope)
    let last = 0
    const items = new Map<string, string>()
    for (const feed of feeds) {
      expect([feed['ccm:gen'], feed['ccm:scope'], Number(feed['ccm:first'])]).toEqual([gen, scope, last + 1])
      const entries = entriesOf(feed)
      for (const { seq, op, id, sha, state } of entries) {
        expect(seq).toBe(++last)
        if (state !== undefined) expect(sha256Hex(state)).toBe(sha)
        const bytes = Buffer.from(sha, 'hex')
        chain = chainNext({ chain, rseq: BigInt(seq), op, itemId: id, sha: bytes })
        if (op !== 'upsert') items.delete(id)
        else if (state !== undefined) items.set(id, state)
      }
      expect([Number(feed['ccm:last']), feed['ccm:chain']]).toEqual([last, chain.toString('hex')])
    }
    return items
  }

  async function stored(region: string | null): Promise<Map<string, string>> {
    const rows = await store.query<{ id: string; state: string }>(
      `select item_id as id, public_state as state from items i where state = 'active'
         and ($1::text is null or exists (select from item_regions r where r.item_id = i.item_id and region = $1))`,
      [region],
    )
    return new Map(rows.map(({ id, state }) => [id, state]))
  }

  test.each(['items', 'region/ES', 'region/EU', 'region/PE'])(
    'the pages of %s rebuild its items when read in order',
    async (scope) => {
      const state = (await get('state.json')).json()
      const { head, closed, chain, archive, subscription } = state.scopes[scope]
      const pages = []
      for (let page = 0; page < closed; page++) pages.push((await get(archive.replace('{page}', page))).body)
      const feeds = pages.map(feedOf)
      const newest = feedOf((await get(subscription)).body)
      // The subscription begins with the page before the open one.
      const upTo = feeds.slice(0, Math.max(0, closed - 1))
      const items = fold(scope, [...upTo, newest])
      expect(items).toEqual(await stored(scope === 'items' ? null : scope.slice(7)))
      expect([newest['ccm:head'], newest['ccm:chain']]).toEqual([String(head), chain])
      if (closed > 0) fold(scope, feeds)
      expect(feeds.map((feed) => [feed['ccm:first'], feed['ccm:last']])).toEqual(
        feeds.map((_, page) => [String(page * 50 + 1), String(page * 50 + 50)]),
      )
    },
  )

  test('state.json lists all thirteen scopes and counts their closed pages', async () => {
    const { statusCode, headers, body } = await get('state.json')
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'public, no-cache',
    ])
    const state = JSON.parse(body)
    expect([state.protocol, state.gen, state.page_size]).toEqual(['ccm/1', gen, 50])
    expect(Object.keys(state.scopes)).toHaveLength(13)
    expect(state.scopes.items).toMatchObject({ head: HEAD, floor: 0, closed: HEAD / 50 })
    expect([state.digest, state.snapshot]).toEqual([null, null])
  })

  test('links lead from the subscription to every archive', async () => {
    const seen: string[] = []
    const newest = feedOf((await get('items.atom')).body)
    for (let next = linksOf(newest)['prev-archive']; next !== undefined; ) {
      seen.push(next)
      const response = await api.inject(next)
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      const links = linksOf(feedOf(response.body))
      expect(links.self).toBe(next)
      next = links['prev-archive']
    }
    const earlier = Array.from({ length: HEAD / 50 - 1 }, (_, i) => HEAD / 50 - 2 - i)
    expect(seen).toEqual(earlier.map((page) => `${BASE_URL}/feeds/archive/${gen}/items/${page}.atom`))
    expect(linksOf(feedOf((await api.inject(seen.at(-1) as string)).body))['next-archive']).toBe(
      `${BASE_URL}/feeds/archive/${gen}/items/1.atom`,
    )
  })

  test('an archive that was asked for twice is in memory, and never changes afterwards', async () => {
    const urls = [`archive/${gen}/items/0.atom`, `archive/${gen}/items/0.rss`, `archive/${gen}/region/eu/0.atom`]
    const before = await Promise.all(urls.map((url) => get(url)))
    for (const url of urls) await get(url)
    expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    await publishAll(store, round(ROUNDS + 1).slice(0, 20))
    await markRun(store)
    statements.length = 0
    for (const [i, url] of urls.entries()) {
      const again = await get(url)
      const current = { etag: again.headers.etag, bytes: again.rawPayload }
      expect(current).toEqual({ etag: before[i]?.headers.etag, bytes: before[i]?.rawPayload })
      // A 304 repeats the immutable cache policy.
      const unchanged = await get(url, { 'if-none-match': String(again.headers.etag) })
      expect([unchanged.statusCode, unchanged.headers['cache-control']]).toEqual([
        304,
        'public, max-age=31536000, immutable',
      ])
    }
    expect(statements.filter((sql) => sql.includes('"isMarked"'))).toEqual([])
    // Another process renders the same bytes from the current tables.
    const other = testApi(store, clock)
    for (const [i, url] of urls.entries()) {
      expect((await other.inject(`/v1/feeds/${url}`)).rawPayload).toEqual(before[i]?.rawPayload)
    }
    await other.close()
  })

  test('shared caches must not store answers to requests with a key', async () => {
    const { headers } = await get('state.json')
    const { key } = (
      await api.inject({ method: 'POST', url: '/v1/keys/signup', payload: { email: 'a@example.org' } })
    ).json()
    const keyed = await get(`archive/${gen}/items/0.atom`, { authorization: `Bearer ${key}` })
    expect(keyed.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    expect(headers['cache-control']).toBe('public, no-cache')
  })
})

describe('the newest items for feed readers', () => {
  onEmptyStore()
  const ITEMS = 700
  const id = (n: number) => testId('ci_', `reader${n}`)
  beforeAll(async () => {
    const items = Array.from({ length: ITEMS }, (_, n) => published({ id: id(n), cents: 100 + n }))
    await publishAll(store, items)
    await markRun(store)
    const again = Array.from({ length: 400 }, (_, n) =>
      published({ id: id(n), cents: 200 + n, version: 2, state: n === 399 ? 'gone' : 'active' }),
    )
    await publishAll(store, again)
  })

  test('are smaller than the whole document, which holds at most 100 entries', async () => {
    for (const path of ['items.atom', 'items.rss', 'region/ES']) {
      const [whole, newest] = [await get(path), await get(`${path}?limit=20`)]
      expect(newest.rawPayload.length).toBeLessThan(whole.rawPayload.length / 2)
      const entries = whole.body.match(/<(entry|item|at:deleted-entry|ccm:superseded)\b/g) ?? []
      expect(entries.length).toBeGreaterThanOrEqual(50)
      expect(entries.length).toBeLessThan(100)
    }
  })

  test('stand once each, newest first, in words alone', async () => {
    const { body } = await get('items.atom?limit=3')
    const feed = feedOf(body)
    expect(body).not.toContain('ccm')
    expect(feed.entry.map(({ id, title }: Parsed) => [idOf(id), title])).toEqual([
      [id(398), `Item ${id(398)}, kg: 5.98 EUR, +20.1 % since 5 Jan, 1 vendor`],
      [id(397), `Item ${id(397)}, kg: 5.97 EUR, +20.1 % since 5 Jan, 1 vendor`],
    ])
    expect(feed['at:deleted-entry'].map((tomb: Parsed) => idOf(tomb['@ref']))).toEqual([id(399)])
    expect(linksOf(feed).self).toBe(`${BASE_URL}/feeds/items.atom?limit=3`)
    const channel = channelOf((await get('items.rss?limit=3')).body)
    expect(channel.item.map(({ title }: Parsed) => title)).toEqual([
      `Item ${id(399)}, kg left the catalog`,
      ...feed.entry.map(({ title }: Parsed) => title),
    ])
    const region = feedOf((await get('region/es?limit=2')).body)
    expect(region.entry.map(({ title }: Parsed) => title)).toEqual([
      `Item ${id(398)}, kg: 5.98 EUR in ES, +20.1 % since 5 Jan, 1 vendor`,
    ])
  })

  test('lead to all others by their links', async () => {
    const seen = new Set<string>()
    let url: string | undefined = `${BASE_URL}/feeds/items.atom?limit=5`
    for (let documents = 1; url !== undefined; documents++) {
      expect(documents).toBeLessThan(90)
      let response = await api.inject(url)
      if (response.statusCode === 307) response = await api.inject(String(response.headers.location))
      const feed = feedOf(response.body)
      for (const { id } of feed.entry) seen.add(idOf(id))
      url = linksOf(feed)['prev-archive']
    }
    // The item that is gone stands in the first page, as it was.
    expect(seen.size).toBe(ITEMS)
  })

  test('leave the documents of mirrors as they are', async () => {
    const other = testApi(store, clock)
    for (const path of ['items.atom', 'items.rss', 'region/ES', `archive/${gen}/region/ES/0.atom`]) {
      const before = await get(path)
      await get(`${path}?limit=7`)
      const after = await other.inject(`/v1/feeds/${path}`)
      expect([path, after.headers.etag]).toEqual([path, before.headers.etag])
      expect(after.rawPayload).toEqual(before.rawPayload)
    }
    await other.close()
    expect((await get(`items.atom?gen=${gen}`)).rawPayload).toEqual((await get('items.atom')).rawPayload)
  })

  test('come as JSON Feed with the entries of RSS', async () => {
    for (const [path, xml] of [
      ['items.json?limit=3', 'items.rss?limit=3'],
      ['region/es.json?limit=1', 'region/ES?limit=1'],
    ] as const) {
      const { headers, body } = await get(path)
      const { body: other } = await get(xml)
      const expected = xml.includes('rss') ? channelOf(other).item : feedOf(other)['at:deleted-entry']
      expect(headers['content-type']).toBe('application/feed+json')
      const json = JSON.parse(body)
      expect(json.items.map(({ title }: Parsed) => title)).toEqual(
        expected.map((entry: Parsed) => entry.title ?? entry['at:comment']),
      )
      expect(json).toMatchObject({
        version: 'https://jsonfeed.org/version/1.1',
        home_page_url: 'https://catalog.example.org/',
        feed_url: `${BASE_URL}/feeds/${path.replace('es', 'ES')}`,
        authors: [{ name: 'Construction Cost Catalog' }],
      })
    }
    const { items } = JSON.parse((await get('items.json')).body)
    expect(items).toHaveLength(20)
    expect(items[1]).toEqual({
      id: `tag:catalog.example.org,2026:item/${id(398)}`,
      url: `https://catalog.example.org/items/${id(398)}`,
      title: `Item ${id(398)}, kg: 5.98 EUR, +20.1 % since 5 Jan, 1 vendor`,
      content_html: expect.stringContaining('5.98 EUR, before that 4.98 EUR since 5 Jan.'),
      date_modified: expect.stringMatching(/^2026-.*Z$/),
      tags: expect.arrayContaining(['region:ES']),
    })
    expect((await get('region/XX.json')).json().error).toBe('feed_not_found')
    for (const path of ['', '.json'])
      expect((await get(`region/es-md${path}?limit=1`)).body).toBe((await get(`region/ES${path}?limit=1`)).body)
    expect((await get('region/ES-XX')).statusCode).toBe(404)
    expect((await get('items.json?limit=101')).json().error).toBe('invalid_parameter')
  })

  test('come as NDJSON whole and ascending', async () => {
    const lines = (await get('items.atom?limit=2', { accept: 'application/x-ndjson' })).body.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([ITEMS + 399, ITEMS + 400])
  })

  test.each([
    ['limit=0', 400, 'invalid_parameter'],
    ['limit=101', 400, 'invalid_parameter'],
    ['gen=another', 409, 'generation_changed'],
    ['gen=another&limit=2', 409, 'generation_changed'],
  ])('are refused for %s', async (query, status, error) => {
    for (const path of ['items.atom', 'items.rss', 'region/ES']) {
      const response = await get(`${path}?${query}`)
      expect([response.statusCode, response.json().error]).toEqual([status, error])
    }
  })
})

describe('the news for feed readers', () => {
  onEmptyStore()
  const id = (name: string) => testId('ci_', name)
  const titles = async (url: string) => {
    const { item = [] } = channelOf((await get(url)).body)
    return item.map(({ title }: Parsed) => title)
  }

  test('leave out what means nothing to people, and say more of what does', async () => {
    await publish(store, { id: id('a'), name: 'Cement' })
    await publish(store, { id: id('b'), name: 'Lime' })
    await publish(store, { id: id('a'), name: 'Cement', vendor_sku_ids: [testId('vsku_', 'a')] })
    expect((await titles('items.rss?limit=1'))[0]).toContain('Lime')
    expect(await titles('items.rss?limit=9')).toEqual([
      'Lime, 25 kg: 4.85 EUR, new, 0 vendors',
      'Cement, 25 kg: 4.85 EUR, new, 0 vendors',
    ])
    const lines = (await get('items.atom?limit=9', { accept: 'application/x-ndjson' })).body.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2])
    // Mirrors miss no change.
    expect((await get('state.json')).json().scopes.items.head).toBe(3)
  })

  test('name what was merged into what is there now', async () => {
    await publish(store, { id: id('c'), name: 'Portland cement' })
    await publish(store, { id: id('a'), name: 'Cement', state: 'merged', merged_into: id('b') })
    await publish(store, { id: id('b'), name: 'Lime', state: 'merged', merged_into: id('c') })
    clock.advance(250)
    const feed = feedOf((await api.inject('/v1/feeds/items.atom?limit=2')).body)
    expect(feed['at:deleted-entry'].map((tomb: Parsed) => [tomb['at:comment'], tomb.link[0]['@href']])).toEqual([
      ['Lime, 25 kg was merged into Portland cement, 25 kg', `https://catalog.example.org/items/${id('c')}`],
      ['Cement, 25 kg was merged into Portland cement, 25 kg', `https://catalog.example.org/items/${id('c')}`],
    ])
  })
})

describe('changes after a number', () => {
  onEmptyStore()
  const id = (name: string) => testId('ci_', name)
  beforeAll(async () => {
    await publish(store, { id: id('a'), name: 'A' })
    await publish(store, { id: id('b'), name: 'B', regions: ['EU'] })
    await publish(store, { id: id('a'), name: 'A again' })
    await publish(store, { id: id('b'), state: 'merged', merged_into: id('a'), regions: ['EU'] })
    await publish(store, { id: id('c'), name: 'C' })
  })
  const ndjson = { accept: 'application/x-ndjson' }
  const linesOf = (body: string): Parsed[] =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('ascend in every format, and come one a line in NDJSON', async () => {
    const atom = await get('items.atom?since=1')
    const feed = feedOf(atom.body)
    expect([feed['ccm:first'], feed['ccm:last'], linksOf(feed).self]).toEqual([
      '2',
      '5',
      `${BASE_URL}/feeds/items.atom?since=1`,
    ])
    expect(feed.entry.map((entry: Parsed) => entry['ccm:seq'])).toEqual(['3', '5'])
    const channel = channelOf((await get('items.rss?since=1')).body)
    expect(channel.item.map((item: Parsed) => item['ccm:seq'])).toEqual(['3', '4', '5'])
    const response = await get('items.atom?since=1', ndjson)
    expect(response.headers['content-type']).toBe('application/x-ndjson')
    expect(linesOf(response.body).map(({ seq, op, id, merged_into }) => [seq, op, id, merged_into])).toEqual([
      [2, 'upsert', id('b'), undefined],
      [3, 'upsert', id('a'), undefined],
      [4, 'delete', id('b'), id('a')],
      [5, 'upsert', id('c'), undefined],
    ])
    expect((await get('items.rss?since=1', ndjson)).body).toBe(response.body)
    expect(linesOf((await get('region/eu?since=0', ndjson)).body).map(({ seq, op }) => [seq, op])).toEqual([
      [1, 'upsert'],
      [2, 'delete'],
    ])
    // Without a number, the answer has the changes of the subscription.
    expect(linesOf((await get('items.atom', ndjson)).body).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  })

  test('page through Link, each change once', async () => {
    const seen: number[] = []
    let url = `${BASE_URL}/feeds/items.atom?since=0&limit=2`
    for (let pages = 1; ; pages++) {
      const response = await api.inject({ url, headers: ndjson })
      seen.push(...linesOf(response.body).map(({ seq }) => seq))
      const next = /^<(.*)>; rel="next"$/.exec(String(response.headers.link))?.[1]
      if (next === undefined) {
        expect([pages, response.headers.link]).toEqual([3, undefined])
        break
      }
      const feed = feedOf((await api.inject(url)).body)
      expect([linksOf(feed).self, linksOf(feed).next]).toEqual([url, next])
      expect(new URL(next).searchParams.get('gen')).toBe(gen)
      url = next
    }
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  test.each([
    ['since=5', 304, undefined],
    ['since=6', 409, 'future_cursor'],
    ['since=0&gen=another', 409, 'generation_changed'],
    ['since=6&gen=another', 409, 'generation_changed'],
    ['since=-1', 400, 'invalid_parameter'],
    ['since=', 400, 'invalid_parameter'],
    ['since=1.5', 400, 'invalid_parameter'],
    ['since=0&limit=0', 400, 'invalid_parameter'],
    ['since=0&limit=1001', 400, 'invalid_parameter'],
  ])('?%s answers %i', async (query, status, error) => {
    for (const feed of ['items.atom', 'items.rss']) {
      const response = await get(`${feed}?${query}`)
      expect([response.statusCode, response.body === '' ? undefined : response.json().error]).toEqual([status, error])
    }
  })

  test('accept a number from another process after one fresh read', async () => {
    const other = testApi(store, clock)
    await other.inject('/v1/feeds/items.atom?since=0')
    await publish(store, { id: id('d'), name: 'D' })
    // This process does not poll for publications by itself within that time.
    expect((await other.inject('/v1/feeds/items.atom?since=6')).statusCode).toBe(304)
    expect((await other.inject('/v1/feeds/items.atom?since=5')).statusCode).toBe(304)
    await other.close()
  })
})

describe('an expired page or number', () => {
  onEmptyStore()
  beforeAll(async () => {
    const items = Array.from({ length: 1_501 }, (_, i) => published({ id: testId('ci_', `item${i}`), regions: ['ES'] }))
    await publishAll(store, items)
    await get(`archive/${gen}/items/0.atom`)
    await store.query(`insert into feed_floors values ('items', 500)`)
    await store.query(`delete from change_scopes where scope = 'items' and rseq < 500`)
  })
  const HELP = '<https://catalog.example.org/docs/errors#changes_expired>; rel="help"'

  test('answers 410, even if it was cached', async () => {
    for (const url of ['items.atom?since=499', `archive/${gen}/items/0.atom`, `archive/another/items/2.atom`]) {
      const response = await get(url)
      expect([url, response.statusCode, response.json().error]).toEqual([url, 410, 'changes_expired'])
      expect(response.headers.link).toBe(HELP)
    }
    expect((await get('items.atom?since=500')).statusCode).toBe(200)
    expect((await get(`archive/${gen}/items/10.atom`)).statusCode).toBe(200)
    expect((await get(`archive/${gen}/region/ES/0.atom`)).statusCode).toBe(200)
    expect((await get('state.json')).json().scopes.items.floor).toBe(500)
  })

  test('answers 410 too if it expires during the request', async () => {
    // This process has not seen the new floor, but the changes are gone.
    await using replica = memoryReplica(store)
    const plain = testApi(store, clock, { replica })
    await plain.inject('/v1/feeds/state.json')
    replica.last()?.tables.run(`delete from change_scopes where scope = 'region/ES' and rseq < 700`)
    for (const url of [`archive/${gen}/region/ES/1.atom`, 'region/ES?since=500']) {
      const response = await plain.inject(`/v1/feeds/${url}`)
      expect([url, response.statusCode, response.json().error]).toEqual([url, 410, 'changes_expired'])
    }
    await plain.close()
  })

  test('links to the snapshot to start from, if there is one', async () => {
    await store.query(`insert into snapshots values ($1, 1400, '2026-11-20T03:30:00Z', 1400, 1, 'ab', null)`, [gen])
    const response = await get('items.atom?since=7')
    expect(response.headers.link).toBe(
      `${HELP}, <${BASE_URL}/feeds/snapshots/${gen}/1400/manifest.json>; rel="snapshot"`,
    )
    const { snapshot } = (await get('state.json')).json()
    expect(snapshot).toMatchObject({ seq: 1400, url: `snapshots/${gen}/1400/manifest.json`, sha256: 'ab' })
  })

  test('the open page redirects to the subscription, and later pages are not found', async () => {
    for (const [url, subscription] of [
      ['items/30.atom', 'items.atom'],
      ['items/30.rss', 'items.rss'],
      ['region/es/30.atom', 'region/ES'],
    ]) {
      const response = await get(`archive/${gen}/${url}`)
      expect([response.statusCode, response.headers.location]).toEqual([307, `${BASE_URL}/feeds/${subscription}`])
      expect([response.headers['cache-control'], response.body]).toEqual(['no-store', ''])
    }
    for (const url of ['items/31.atom', 'items/99999.rss']) {
      const response = await get(`archive/${gen}/${url}`)
      expect([response.statusCode, response.json().error]).toEqual([404, 'feed_not_found'])
    }
    for (const page of ['-1', 'x', '1.5', '']) {
      expect((await get(`archive/${gen}/items/${page}.atom`)).statusCode).toBe(400)
    }
    expect((await get(`archive/${gen}/items/%0D.atom`)).json().error).toBe('not_found')
  })

  test('a scope with all changes expired has an empty subscription at its head', async () => {
    const plain = testApi(store, clock)
    await store.query(`update feed_floors set floor = 1500 where scope = 'items'`)
    await store.query(`delete from change_scopes where scope = 'items' and rseq < 1500`)
    expect(feedOf((await plain.inject('/v1/feeds/items.atom')).body)['ccm:first']).toBe('1501')
    await plain.close()
    await store.query(`update scope_heads set rseq = 1500, chain = decode('07', 'hex') where scope = 'items'`)
    await store.query(`delete from change_scopes where scope = 'items' and rseq > 1500`)
    const head = testApi(store, clock)
    const feed = feedOf((await head.inject('/v1/feeds/items.atom')).body)
    await head.close()
    expect([feed['ccm:first'], feed['ccm:last'], feed['ccm:head'], feed['ccm:chain']]).toEqual([
      '1501',
      '1500',
      '1500',
      '07',
    ])
  })
})

describe('the feed limits', () => {
  onEmptyStore()

  test('count archives and state.json as revalidations, whatever the answer, and only so', async () => {
    await publishAll(
      store,
      Array.from({ length: 50 }, (_, i) => published({ id: testId('ci_', `item${i}`) })),
    )
    const limited = testApi(store, clock, { limits: { ...LIMITS, anonPerMinute: 2 } })
    clock.advance(60_000)
    const getLimited = async (url: string, headers: Record<string, string> = {}) => {
      const response = await limited.inject({ url: `/v1/feeds/${url}`, headers })
      const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = response.headers
      return [response.statusCode, Number(limit), Number(remaining)]
    }
    const { etag } = (await limited.inject('/v1/feeds/state.json')).headers
    expect(await getLimited('state.json', { 'if-none-match': String(etag) })).toEqual([304, 20, 18])
    expect(await getLimited(`archive/${gen}/items/0.atom`)).toEqual([200, 20, 17])
    expect(await getLimited(`archive/${gen}/items/1.atom`)).toEqual([307, 20, 16])
    expect(await getLimited(`archive/${gen}/items/2.atom`)).toEqual([404, 20, 15])
    expect(await getLimited('items.atom?since=50')).toEqual([304, 20, 14])
    expect(await getLimited('items.atom?since=49')).toEqual([200, 2, 1])
    expect(await getLimited('items.atom?since=51')).toEqual([409, 2, 0])
    expect((await getLimited('items.atom?since=1'))[0]).toBe(429)
    for (let i = 0; i < 14; i++) await getLimited('state.json')
    const [status, limit] = await getLimited('state.json')
    expect([status, limit]).toEqual([429, 20])
    await limited.close()
  })

  test('of long documents: other requests are answered between them, and too many at once are refused', async () => {
    await publishAll(
      store,
      Array.from({ length: 500 }, (_, i) => published({ id: testId('ci_', `more${i}`) })),
    )
    const busy = testApi(store, clock)
    await busy.inject('/v1/feeds/state.json')
    const order: string[] = []
    const answerOf = async (name: string, url: string) => {
      const response = await busy.inject({ url, headers: { 'accept-encoding': 'identity' } })
      order.push(name)
      return response
    }
    const long = Array.from({ length: 20 }, (_, n) => answerOf('long', `/v1/feeds/items.atom?since=${n}`))
    await Promise.race(long)
    await answerOf('short', '/v1/items?limit=1')
    for (const { statusCode } of await Promise.all(long)) expect(statusCode).toBe(200)
    expect(order.indexOf('short')).toBeLessThan(10)

    const many = await Promise.all(
      Array.from({ length: 100 }, (_, n) => answerOf('long', `/v1/feeds/items.rss?since=${n}&gen=${gen}`)),
    )
    const refused = many.filter(({ statusCode }) => statusCode !== 200)
    expect(refused.length).toBeGreaterThan(20)
    for (const { statusCode, headers, body } of refused)
      expect([statusCode, JSON.parse(body).error, headers['retry-after']]).toEqual([503, 'overloaded', '5'])
    await busy.close()
  })
})
