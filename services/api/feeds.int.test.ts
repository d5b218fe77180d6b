import { createRequire } from 'node:module'
import type { Store } from '@catalog/store/db.ts'
import { openTestStore } from '@catalog/store/testing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from './server.ts'
import { BASE_URL, publish, testApi, testClock, testId } from './testing.ts'

let store: Store
const clock = testClock()
let api: Api
const [cement, steel, pipe, left, removed] = ['cement', 'steel', 'pipe', 'left', 'removed'].map((name) =>
  testId('ci_', name),
) as [string, string, string, string, string]

beforeAll(async () => {
  store = await openTestStore()
  api = testApi(store, clock)
})
afterAll(async () => {
  await api.close()
  await store[Symbol.asyncDispose]()
})

async function get(url: string, headers: Record<string, string> = {}) {
  clock.advance(250)
  return await api.inject({ url, headers })
}

type Element = {
  elements?: Element[]
  name?: string
  text?: string
  cdata?: string
  attributes?: Record<string, string>
}
// The strict parser that the feed writer itself brings; it throws on anything that is not well-formed.
const { xml2js } = createRequire(createRequire(import.meta.url).resolve('feed'))('xml-js') as {
  xml2js: (xml: string) => Element
}

function parsed(xml: string): Element {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  expect(xml.startsWith('<?xml version="1.0" encoding="utf-8"?>')).toBe(true)
  return xml2js(xml).elements?.[0] as Element
}
const all = (element: Element, name: string) => (element.elements ?? []).filter((child) => child.name === name)
const textOf = (element: Element, name: string) => {
  const inner = all(element, name)[0]?.elements?.[0]
  return inner?.cdata ?? inner?.text
}

test('a feed without changes is a valid, empty feed', async () => {
  const feed = parsed((await get('/v1/feeds/items.atom')).body)
  expect([feed.name, all(feed, 'entry')]).toEqual(['feed', []])
  expect(textOf(feed, 'updated')).toBe('1970-01-01T00:00:00.000Z')
  expect(parsed((await get('/v1/feeds/items.rss')).body).name).toBe('rss')
})

test('Atom shows each changed item once, newest first, with its price, link and regions', async () => {
  await publish(store, { id: removed, name: 'Removed later' })
  await publish(store, { id: cement, name: 'An older name' })
  await publish(store, { id: left, name: 'Leaves Spain', regions: ['ES'] })
  await publish(store, { id: steel, name: 'Steel <B500S> & "bars" ]]> \u0001', unit: null, median_price: null })
  await publish(store, {
    id: pipe,
    name: 'Pipe',
    unit: 'm',
    median_price: { cents: 12_990, currency: 'CLP', recorded_at: null },
    regions: ['CL', 'LATAM'],
  })
  await publish(store, { id: cement, name: 'Portland cement CEM II 42.5 R', regions: ['EU', 'ES'] })
  await publish(store, { id: removed, name: 'Removed later', state: 'gone' })
  await publish(store, { id: left, name: 'Leaves Spain', regions: ['PE'] })

  const response = await get('/v1/feeds/items.atom')
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  const feed = parsed(response.body)
  const entries = all(feed, 'entry')
  expect(entries.map((entry) => textOf(entry, 'id'))).toEqual(
    [left, cement, pipe, steel].map((id) => `tag:catalog.example.org,2026:item/${id}`),
  )
  expect(entries.map((entry) => textOf(entry, 'title'))).toEqual([
    'Leaves Spain, 25 kg: 4.85 EUR',
    'Portland cement CEM II 42.5 R, 25 kg: 4.85 EUR',
    'Pipe, m: 12990 CLP',
    'Steel &#60;B500S&#62; &#38; &#34;bars&#34; ]]&#62; \ufffd: no price',
  ])
  const [, entry] = entries as [Element, Element]
  expect(all(entry, 'link')[0]?.attributes?.href).toBe(`${BASE_URL}/items/${cement}`)
  expect(all(entry, 'category').map((category) => category.attributes?.term)).toEqual(['region:ES', 'region:EU'])
  expect(textOf(entry, 'updated')).toBe('2026-11-20T12:00:00.000Z')
  expect(all(feed, 'link').find((link) => link.attributes?.rel === 'self')?.attributes?.href).toBe(
    `${BASE_URL}/feeds/items.atom`,
  )
  expect(textOf(feed, 'id')).toBe('tag:catalog.example.org,2026:feed/items')
})

test('RSS shows the same items, its dates in the form of RFC 822', async () => {
  const response = await get('/v1/feeds/items.rss')
  expect(response.headers['content-type']).toBe('application/rss+xml; charset=utf-8')
  const channel = all(parsed(response.body), 'channel')[0] as Element
  const items = all(channel, 'item')
  expect(items.map((item) => textOf(item, 'guid'))).toEqual(
    [left, cement, pipe, steel].map((id) => `tag:catalog.example.org,2026:item/${id}`),
  )
  expect(all(items[0] as Element, 'guid')[0]?.attributes).toEqual({ isPermaLink: 'false' })
  expect(textOf(items[0] as Element, 'pubDate')).toBe('Fri, 20 Nov 2026 12:00:00 GMT')
  expect(textOf(items[1] as Element, 'title')).toBe('Portland cement CEM II 42.5 R, 25 kg: 4.85 EUR')
})

test('a region has a feed of its own, in any case of letters, without the items that left it', async () => {
  const ids = async (region: string) =>
    all(parsed((await get(`/v1/feeds/region/${region}`)).body), 'entry').map((entry) =>
      textOf(entry, 'id')?.split('/').at(-1),
    )
  expect(await ids('ES')).toEqual([cement, steel])
  expect(await ids('es')).toEqual(await ids('ES'))
  expect(await ids('pe')).toEqual([left])
  expect(await ids('UY')).toEqual([])
})

test.each(['XX', 'ESP', '%00', 'items'])('the region %s has no feed: 404 that lists the regions', async (region) => {
  const response = await get(`/v1/feeds/region/${region}`)
  expect([response.statusCode, response.json().error]).toEqual([404, 'feed_not_found'])
  expect(response.json().details).toContain('LATAM')
})

test('a feed answers 304 until something is published', async () => {
  for (const url of ['/v1/feeds/items.atom', '/v1/feeds/items.rss', '/v1/feeds/region/es']) {
    clock.advance(5_000)
    await get(url)
    clock.advance(5_000)
    const { headers } = await get(url)
    const held = { 'if-none-match': String(headers.etag) }
    expect((await get(url, held)).statusCode).toBe(304)
    await publish(store, { id: cement, name: `Cement, changed for ${url}`, regions: ['ES'] })
    expect((await get(url, held)).statusCode).toBe(200)
    // All changes of a run have one instant; the date of the answer moves all the same.
    expect((await get(url, { 'if-modified-since': String(headers['last-modified']) })).statusCode).toBe(200)
  }
})
