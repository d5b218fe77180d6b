import { channelOf, feedOf, linksOf, type Parsed } from '@catalog/stack/mirror/feed-xml.ts'
import { BASE_URL, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, expect, test } from 'vitest'

const clock = testClock()
const store = await storeOfFile()
const api = closedAfterAll(testApi(store, clock))
const [cement, merged, sand, far] = ['cement', 'merged', 'sand', 'far'].map((name) => testId('ci_', name)) as [
  string,
  string,
  string,
  string,
]

beforeAll(async () => {
  await store.query(
    `insert into categories values ('cat_a', null, 'Materials', 0), ('cat_b', 'cat_a', 'Cements', 1),
       ('cat_empty', null, 'Empty', 0)`,
  )
  const names = [
    { lang: 'en', name: 'Cement', regions: ['GB'] },
    { lang: 'es', name: 'Cemento <gris>', regions: ['ES'] },
  ]
  await publish(store, { id: cement, name: 'Cement <grey>', category_id: 'cat_b', names })
  await publish(store, { id: sand, name: 'Sand', unit: null, category_id: 'cat_a' })
  await publish(store, { id: far, name: 'Elsewhere', category_id: 'cat_empty' })
  await publish(store, { id: merged, state: 'merged', merged_into: cement })
  await points(cement, '', ['2026-11-01T02:00:00Z', 470], ['2026-11-10T02:00:00Z', null], ['2026-11-15T02:00:00Z', 470])
  await points(cement, '', ['2026-11-20T12:00:00Z', 485])
  await points(cement, 'ES', ['2026-11-01T02:00:00Z', 700], ['2026-11-12T02:00:00Z', 665])
  await points(sand, '', ['2026-11-19T02:00:00Z', 20])
})

async function points(item: string, market: string, ...given: [at: string, cents: number | null][]): Promise<void> {
  for (const [at, cents] of given) {
    await store.query(`insert into price_points values ($1, $2, $3, $4, $5)`, [
      item,
      market,
      at,
      cents,
      cents === null ? null : 'EUR',
    ])
  }
}

async function get(url: string, headers: Record<string, string> = {}) {
  clock.advance(250)
  return api.inject({ url: `/v1/feeds/${url}`, headers })
}
const entriesOf = (xml: string): Parsed[] => feedOf(xml).entry ?? []

test('the feed of an item has each change of its price with the price before it, newest first', async () => {
  const { statusCode, headers, body } = await get(`item/${cement}`)
  expect([statusCode, headers['content-type'], headers['price-region']]).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
    'headline',
  ])
  const feed = feedOf(body)
  expect(feed.entry.map(({ title, summary }: Parsed) => [title, summary])).toEqual([
    [
      'Cement <grey>, 25 kg: 4.85 EUR, before 4.70 EUR, +3.2 %',
      'Cement <grey>, 25 kg. 4.85 EUR, before that 4.70 EUR since 15 Nov.',
    ],
    [
      'Cement <grey>, 25 kg: 4.70 EUR, before without a price',
      'Cement <grey>, 25 kg. 4.70 EUR, before without a price.',
    ],
    [
      'Cement <grey>, 25 kg: no price, before 4.70 EUR',
      'Cement <grey>, 25 kg. No price any more, before that 4.70 EUR since 1 Nov.',
    ],
    ['Cement <grey>, 25 kg: 4.70 EUR, new', 'Cement <grey>, 25 kg. New, at 4.70 EUR.'],
  ])
  // The newest has the date by which the other feeds know the change; the changes of the others are not kept.
  expect(feed.entry.map(({ updated }: Parsed) => updated)).toEqual([
    '2026-11-20T12:00:00.000000Z',
    '2026-11-15T02:00:00.000000Z',
    '2026-11-10T02:00:00.000000Z',
    '2026-11-01T02:00:00.000000Z',
  ])
  expect(linksOf(feed.entry[0]).alternate).toBe(`https://catalog.example.org/items/${cement}`)
  expect([feed.id, linksOf(feed).self, feed.updated]).toEqual([
    `tag:catalog.example.org,2026:feed/item/${cement}`,
    `${BASE_URL}/feeds/item/${cement}`,
    feed.entry[0].updated,
  ])
})

test('a market has prices, names and links of its own', async () => {
  const { headers, body } = await get(`item/${cement}?price_region=es`)
  expect(headers['price-region']).toBe('ES')
  const [newest, ...more] = entriesOf(body)
  expect([newest?.title, newest?.summary, more.length]).toEqual([
    'Cemento <gris>, 25 kg: 6.65 EUR in ES, before 7.00 EUR, -5.0 %',
    'Cemento <gris>, 25 kg. In ES 6.65 EUR, before that 7.00 EUR since 1 Nov.',
    1,
  ])
  expect(newest?.category[0]['@term']).toBe('region:ES')
  expect(linksOf(newest as Parsed).alternate).toBe(`https://catalog.example.org/items/${cement}?price_region=ES`)
  expect(entriesOf((await get(`item/${cement}?price_region=GB`)).body)).toEqual([])
})

test('ids name the change alone, so that no later change and no other limit moves them', async () => {
  const idsOf = async (url: string) => entriesOf((await get(url)).body).map(({ id }) => id)
  const before = await idsOf(`item/${cement}`)
  expect(before[0]).toBe(`tag:catalog.example.org,2026:item/${cement}/price/headline/2026-11-20T12:00:00Z`)
  expect(await idsOf(`item/${cement}?limit=2`)).toEqual(before.slice(0, 2))
  expect(await idsOf('category/cat_b')).toEqual(before.slice(0, 1))
})

test('a merged item says so, and goes on with the one that it was merged into', async () => {
  const { headers, body } = await get(`item/${merged}?limit=1&price_region=ES`)
  expect(headers['content-location']).toBe(`${BASE_URL}/feeds/item/${cement}?price_region=ES&limit=1`)
  const feed = feedOf(body)
  expect(feed.subtitle).toContain(`${merged} was merged into ${cement}`)
  expect(feed.entry.map(({ id, title }: Parsed) => [id, title])).toEqual([
    [`tag:catalog.example.org,2026:item/${merged}/merged`, `${merged} was merged into ${cement}`],
    [expect.stringContaining('/price/ES/'), expect.stringContaining('6.65 EUR in ES')],
  ])
})

test('a category has the last change of each item in it and below it', async () => {
  const feed = feedOf((await get('category/cat_a')).body)
  expect([feed.title, linksOf(feed).alternate]).toEqual([
    'Construction Cost Catalog: Materials',
    'https://catalog.example.org/categories/cat_a',
  ])
  expect(feed.entry.map(({ title }: Parsed) => title)).toEqual([
    'Cement <grey>, 25 kg: 4.85 EUR, before 4.70 EUR, +3.2 %',
    'Sand: 0.20 EUR, new',
  ])
  expect(entriesOf((await get('category/cat_a?limit=1')).body)).toHaveLength(1)
  expect(entriesOf((await get('category/cat_a?price_region=ES')).body).map(({ title }) => title)).toEqual([
    'Cemento <gris>, 25 kg: 6.65 EUR in ES, before 7.00 EUR, -5.0 %',
  ])
  expect(entriesOf((await get('category/cat_empty')).body)).toEqual([])
})

test('JSON Feed comes by suffix and by Accept, with the texts of the Atom feed escaped once for HTML', async () => {
  for (const path of [`item/${cement}`, 'category/cat_a']) {
    const bySuffix = await get(`${path}.json`)
    expect((await get(path, { accept: 'application/feed+json' })).body).toBe(bySuffix.body)
    expect(bySuffix.headers['content-type']).toBe('application/feed+json')
    const { feed_url, items } = bySuffix.json()
    expect(feed_url).toBe(`${BASE_URL}/feeds/${path}.json`)
    const entries = entriesOf((await get(path)).body)
    expect(items.map(({ id, title }: Parsed) => [id, title])).toEqual(entries.map(({ id, title }) => [id, title]))
    expect(items[0].content_html).toBe(entries[0]?.summary.replace('<grey>', '&lt;grey&gt;'))
  }
})

test('RSS comes by suffix and by Accept, and an answer that did not change is 304 until the next publication', async () => {
  const bySuffix = await get(`item/${cement}.rss`)
  expect(bySuffix.headers['content-type']).toBe('application/rss+xml; charset=utf-8')
  expect((await get(`item/${cement}`, { accept: 'application/rss+xml' })).body).toBe(bySuffix.body)
  const channel = channelOf(bySuffix.body)
  expect(channel.item[0].description).toBe('Cement &lt;grey&gt;, 25 kg. 4.85 EUR, before that 4.70 EUR since 15 Nov.')
  expect(channel['atom:link'].find((link: Parsed) => link['@rel'] === 'self')['@href']).toBe(
    `${BASE_URL}/feeds/item/${cement}.rss`,
  )
  const known = { 'if-none-match': String(bySuffix.headers.etag) }
  expect((await get(`item/${cement}.rss`, known)).statusCode).toBe(304)
  await publish(store, { id: cement, name: 'Cement, renamed', category_id: 'cat_b' })
  expect((await get(`item/${cement}.rss`, known)).statusCode).toBe(200)
})

test.each([
  [`item/${testId('ci_', 'none')}`, 404, 'item_not_found'],
  ['item/none.rss', 404, 'item_not_found'],
  ['category/cat_none', 404, 'category_not_found'],
  ['category/%00', 404, 'category_not_found'],
  [`item/${cement}?limit=0`, 400, 'invalid_parameter'],
  [`item/${cement}?limit=101`, 400, 'invalid_parameter'],
  ['category/cat_a?price_region=XX', 400, 'invalid_parameter'],
])('%s answers %i', async (url, status, error) => {
  const response = await get(url)
  expect([response.statusCode, response.json().error]).toEqual([status, error])
})
