import { cursorsOf } from '@catalog/api/http/cursor.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { FILTER_IDS_MAX, type SearchDocument } from '@catalog/search/search.ts'
import { observe, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { joinSkus } from '@catalog/stack/testing/recipes.ts'
import { readCursorSecret } from '@catalog/store/catalog/queries.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const QUERY = 'pintura plástica'
const builtin = openBuiltinEmbedder()
const clock = testClock()
const store = await storeOfFile()
const index = openExactIndex({ store, embedder: builtin, now: () => clock.at.getTime() })
const api = closedAfterAll(testApi(store, clock, { index, embedder: builtin }))

type Given = Partial<Parameters<typeof publish>[1]>
const price = (cents: number, currency = 'EUR') => ({ cents, currency, recorded_at: null })
/** Paints, by name. */
const PAINTS: Readonly<Record<string, Given>> = Object.fromEntries(
  Array.from({ length: 30 }, (_, i): [string, Given] => [
    `Pintura plástica interior color ${i}`,
    {
      unit: i % 2 === 0 ? '15 l' : 'kg',
      median_price: i % 3 === 0 ? null : price(1_000 + i),
      category_id: 'cat_paint',
    },
  ]),
)
const ITEMS: Readonly<Record<string, Given>> = {
  ...PAINTS,
  'Pintura plástica exterior': {
    median_price: price(9_000, 'USD'),
    markets: { ES: price(700), 'ES-MD': price(690) },
    kind: 'material',
  },
}
const NAMES = Object.keys(ITEMS)
const idOf = (name: string) => testId('ci_', `i${NAMES.indexOf(name)}`)

/** The documents of items; a later `seq` puts one back that was removed. */
async function documentsOf(names: readonly string[], seq = 1n): Promise<SearchDocument[]> {
  const vectors = await builtin.embed(names, 'document')
  return names.map((name, i) => {
    const { category_id = null, kind = null } = ITEMS[name] as Given
    const texts = { name, body: '', kind, categoryId: category_id ?? null }
    return { itemId: idOf(name), seq: seq + BigInt(i), regions: ['ES'], vector: vectors[i] ?? null, ...texts }
  })
}

beforeAll(async () => {
  await store.query(`insert into categories values ('cat_paint', null, 'Paint', 0)`)
  for (const name of NAMES) await publish(store, { id: idOf(name), name, regions: ['ES'], ...ITEMS[name] })
  await index.put(await documentsOf(NAMES))
  await observe(store, {
    vendor_sku_id: 'vsku_a',
    source: { id: 'src_north' },
    observed_at: '2026-11-01T00:00:00Z',
    cents: 1,
  })
  await joinSkus(store, idOf('Pintura plástica interior color 4'), ['vsku_a'])
})

async function get(query: string, of = api) {
  clock.advance(250)
  return of.inject(`/v1/search?q=${encodeURIComponent(QUERY)}&${query}`)
}
type Page = { results: { id: string; name: string; score: number }[]; cursor?: string; facets?: unknown; mode: string }
async function page(query: string, of = api): Promise<Page> {
  const response = await get(query, of)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const names = async (query: string, of = api) =>
  (await page(`limit=50&${query}`, of)).results.map(({ name }) => name).sort()
const paints = (keep: (i: number) => boolean) => Object.keys(PAINTS).filter((_, i) => keep(i))

describe('filters of GET /v1/search', () => {
  test.each<[string, string[]]>([
    ['unit=kg', paints((i) => i % 2 === 1)],
    ['unit=15%20l&currency=eur', paints((i) => i % 2 === 0 && i % 3 !== 0)],
    ['currency=EUR&price_min=1004&price_max=1005', paints((i) => i === 4 || i === 5)],
    ['currency=EUR&price_max=800&price_region=ES', ['Pintura plástica exterior']],
    ['currency=USD', ['Pintura plástica exterior']],
    ['source=src_north', paints((i) => i === 4)],
    ['source=src_north&unit=kg', []],
    ['category=cat_paint&unit=kg&currency=EUR', paints((i) => i % 2 === 1 && i % 3 !== 0)],
  ])('%s keeps exactly the items that pass', async (query, expected) => {
    expect(await names(query)).toEqual(expected.sort())
  })

  test('of which no item passes find nothing, and say so', async () => {
    expect(await page('source=src_north&unit=kg')).toMatchObject({ results: [], mode: 'vector_no_match' })
  })

  test.each([
    ['price_min=1', 400, 'invalid_parameter', 'price_min'],
    ['currency=EUR&price_min=2&price_max=1', 400, 'invalid_parameter', 'price_max'],
    ['currency=euro', 400, 'invalid_parameter', 'currency'],
    ['source=src_nowhere', 404, 'source_not_found', 'src_nowhere'],
    ['cursor=abc', 400, 'invalid_cursor', 'cursor'],
  ])('%s is refused', async (query, status, code, says) => {
    const response = await get(query)
    expect([response.statusCode, response.json().error]).toEqual([status, code])
    expect(response.body).toContain(says)
  })

  test('a filter that passes more items than the index takes finds the same items', async () => {
    const many = FILTER_IDS_MAX + 1
    await store.query(
      `insert into items select (jsonb_populate_record(i, jsonb_build_object(
           'item_id', id, 'seq', 1000000 + n, 'public_state', replace(i.public_state, i.item_id, id)))).*
         from items i, generate_series(1, $2::int) n, lateral (select 'ci_' || lpad(n::text, 20, 'z') as id) copy
        where i.item_id = $1`,
      [idOf('Pintura plástica interior color 1'), many],
    )
    const full = testApi(store, clock, { index, embedder: builtin })
    const counted = await full.inject('/v1/items?unit=kg&currency=EUR&include=total&limit=1')
    expect(counted.json().total.count).toBeGreaterThan(many)
    expect(await names('unit=kg&currency=EUR', full)).toEqual(paints((i) => i % 2 === 1 && i % 3 !== 0).sort())
    await full.close()
    await store.query(`delete from items where seq > 1000000`)
  })
})

test('a subdivision is a market of its own, in either case of letters', async () => {
  for (const region of ['ES-MD', 'es-md'])
    expect(await names(`region=${region}`)).toEqual(['Pintura plástica exterior'])
  expect((await page('region=ES-MD')).results[0]).toMatchObject({ median_price: { cents: 690 } })
  expect(await names('region=ES-CT')).toEqual([])
  const refused = await get('region=ES-XX')
  expect([refused.statusCode, refused.json().details]).toEqual([400, expect.stringContaining('ES-MD')])
})

describe('pages of GET /v1/search', () => {
  test('hold every result once, in one order, and link to each other', async () => {
    const all = await page('limit=50')
    expect([all.results.length, all.cursor]).toEqual([31, undefined])
    const walked: Page['results'][number][] = []
    let next = 'limit=7&include=cursor'
    for (let i = 0; i < 5; i++) {
      const response = await get(next)
      const { results, cursor } = response.json<Page>()
      walked.push(...results)
      expect(response.headers.link === undefined).toBe(cursor === undefined)
      if (cursor === undefined) break
      expect(String(response.headers.link)).toContain(`cursor=${cursor}`)
      next = `limit=7&include=cursor&cursor=${cursor}`
    }
    expect(walked.map(({ id }) => id)).toEqual(all.results.map(({ id }) => id))
    const scores = walked.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  })

  test('a cursor continues where its item was, after it left', async () => {
    const first = await page('limit=7&include=cursor')
    const [left, following] = (await page('limit=8')).results.slice(6)
    await index.remove([{ itemId: String(left?.id), seq: 100n }])
    const { results } = await page(`limit=7&cursor=${first.cursor}`)
    expect(results[0]?.id).toBe(following?.id)
    await index.put(
      await documentsOf(
        NAMES.filter((name) => idOf(name) === left?.id),
        101n,
      ),
    )
  })

  test('a cursor of another query or filter is refused', async () => {
    const { cursor } = await page('limit=7&include=cursor')
    expect((await get(`unit=kg&cursor=${cursor}`)).statusCode).toBe(400)
    const priced = await page('limit=7&currency=EUR&include=cursor')
    expect((await get(`currency=EUR&price_region=ES&cursor=${priced.cursor}`)).statusCode).toBe(400)
  })

  test('a cursor fits whatever shows the same results otherwise, and those of earlier releases as they were', async () => {
    const first = await page('limit=7&include=cursor')
    const next = (await page(`limit=7&cursor=${first.cursor}`)).results.map(({ id }) => id)
    for (const shown of ['price_region=ES', 'lang=es', 'price_region=MX&include=explain'])
      expect((await page(`limit=7&${shown}&cursor=${first.cursor}`)).results.map(({ id }) => id)).toEqual(next)
    const { score, id } = first.results[6] as Page['results'][number]
    const former = cursorsOf(await readCursorSecret(store)).encode(`${score} ${id}`, [
      'search',
      'price_region=ES',
      `q=${QUERY}`,
    ])
    expect((await page(`limit=7&price_region=ES&cursor=${former}`)).results.map(({ id }) => id)).toEqual(next)
  })
})

test('facets count the results of all pages by what they have in common', async () => {
  const { facets } = await page('limit=1&include=facets&currency=EUR')
  expect(facets).toEqual({
    found: 20,
    categories: [{ id: 'cat_paint', name: 'Paint', count: 20 }],
    kinds: [],
    units: [
      { unit: '15 l', count: 10 },
      { unit: 'kg', count: 10 },
    ],
    currencies: [{ currency: 'EUR', count: 20, price_min: 1_001, price_max: 1_029 }],
    sources: [{ id: 'src_north', name: 'Source of vsku_a', count: 1 }],
  })
})
