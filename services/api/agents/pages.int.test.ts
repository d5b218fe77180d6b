import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { toolCall } from '@catalog/stack/testing/agent.ts'
import { markRun, observe, publish, signUp, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { joinSkus, publishWithSkus, type RecipeLine, recordRecipe } from '@catalog/stack/testing/recipes.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { BillOutput, CategoriesOutput, DecompositionOutput, ItemOutput, SearchOutput } from './mcp-schemas.ts'
import { TOOLS } from './mcp-tools.ts'

/** The widest answers that events allow: texts at the limits of their fields, and hundreds of rows. */

const NOON = '2026-11-20T12:00:00Z'
const store = await storeOfFile()
const clock = testClock()
const MANY = 100_000
const limits = { ...LIMITS, anonPerMinute: MANY, publicDevPerMinute: MANY, searchPerMinute: MANY }
const api = closedAfterAll(testApi(store, clock, { limits }))
let key: string

/** Text of a length in UTF-16 units, of three bytes each. */
const long = (name: string, chars: number) => `${name} ${'水泥'.repeat(chars)}`.slice(0, chars)
const address = (name: string) => `https://shop.example.org/${name}/${'a'.repeat(2_000)}`.slice(0, 2_000)
const sourceOf = (name: string) => ({
  id: `src_${name}`,
  name: long(name, 200),
  region: 'ES',
  url: address(name),
})
const medianOf = (cents: number) => ({ cents, currency: 'EUR', recorded_at: NOON })

const BIDDERS = 120
const item = testId('ci_', 'wide')
let work: string

beforeAll(async () => {
  key = await signUp(api)
  const skus = Array.from({ length: BIDDERS }, (_, i) => testId('vsku_', `bidder${i}`))
  for (const [i, vendor_sku_id] of skus.entries()) {
    const given = { source: sourceOf(`bidder${i}`), unit: long('bag', 100), cents: 400 + i }
    await observe(store, { vendor_sku_id, observed_at: NOON, ...given })
  }
  const markets = Object.fromEntries(REGIONS.map((region, i) => [region, medianOf(500 + i)]))
  const name = long('Wide slab', 2_000)
  await publish(store, { id: item, name, unit: long('bag', 100), vendor_sku_ids: skus, regions: [...REGIONS], markets })
  await store.query(
    `insert into price_points select $1, '', timestamptz '2026-11-20T12:00:00Z' - hour * interval '1 hour', 400 + hour, 'EUR'
       from generate_series(0, 2000) hour`,
    [item],
  )
  for (let i = 0; i < 60; i++) await publish(store, { id: testId('ci_', `slab${i}`), name: long(`slab ${i}`, 2_000) })
  await store.query(`insert into categories select 'cat_' || n, null, $1 || n, 0 from generate_series(1, 250) n`, [
    long('Category', 290),
  ])
  work = await wideWork()
  await markRun(store, NOON)
  clock.advance(1_000)
}, 120_000)

/** A work of 120 lines, among them auxiliaries with a hundred lines below, in the price books of 30 sources. */
async function wideWork(): Promise<string> {
  const codes = Array.from({ length: 120 }, (_, i) => long(`L${i}`, 290))
  const lines = codes.map((code, i): RecipeLine => [code, i % 40 === 0 ? 'auxiliary' : 'material', '1', '2', '3.10'])
  const books = Array.from({ length: 30 }, (_, i) => sourceOf(`book${i}`))
  const skus: string[] = []
  for (const source of books)
    skus.push(
      await recordRecipe(store, long('W1', 290), lines, {
        source,
        price: '6.20',
        trust: source === books[0] ? 90 : 60,
      }),
    )
  for (const source of books.slice(0, 1)) {
    for (const [i, code] of codes.entries()) {
      if (i % 40 === 0)
        await recordRecipe(
          store,
          code,
          lines.filter(([, kind]) => kind === 'material'),
          { source },
        )
      else if (i < 60) await publishWithSkus(store, [code], { source: source.id, name: long(`Linked ${i}`, 2_000) })
    }
  }
  const id = await publishWithSkus(store, [long('W1', 290)], { source: 'src_book0', name: long('Work', 2_000) })
  await joinSkus(store, id, skus)
  return id
}

type Called = { content: { type: string; text: string }[]; structuredContent: unknown }

async function call(tool: string, args: object): Promise<Called> {
  const { headers, body } = toolCall({ tool, args }, key)
  const response = await api.inject({ method: 'POST', url: '/api/mcp', headers: { ...headers }, payload: body })
  const { result } = response.json()
  expect([response.statusCode, result.isError, result.content[0].text.slice(0, 200)]).toEqual([
    200,
    undefined,
    expect.anything(),
  ])
  return result
}
const rest = async (path: string) => (await api.inject({ url: `/v1${path}` })).json()

/** A page of a tool: less than 25,000 tokens at two bytes each, and a text of less than `textMax` characters. */
async function pageOf(tool: string, args: object, textMax = 10_000) {
  const { content, structuredContent } = await call(tool, args)
  expect(Buffer.byteLength(JSON.stringify({ content, structuredContent })) / 2).toBeLessThan(25_000)
  const text = content[0]?.text ?? ''
  expect(text.length).toBeLessThan(textMax)
  const { next_cursor, cursor = next_cursor } = structuredContent as Record<string, string | null | undefined>
  expect(text).toContain(cursor ?? '')
  return { structuredContent, cursor: cursor ?? undefined }
}

async function pagesOf<Structured>(tool: string, args: object = {}, textMax?: number): Promise<Structured[]> {
  const pages: Structured[] = []
  let next: string | undefined
  do {
    const { structuredContent, cursor } = await pageOf(tool, { ...args, ...(next && { cursor: next }) }, textMax)
    pages.push(structuredContent as Structured)
    next = cursor
  } while (next !== undefined)
  return pages
}

describe('every answer fits an agent', () => {
  test('of get_item: its pages together are the answer of REST', async () => {
    const whole = await rest(`/items/${item}?include=edition`)
    expect([whole.vendors.length, whole.price_history.length]).toEqual([BIDDERS, 2_001])
    for (const args of [{}, { limit: 100 }, { limit: 7 }]) {
      const pages = await pagesOf<z.infer<typeof ItemOutput>>('get_item', { id: item, ...args })
      expect(pages.flatMap(({ vendors }) => vendors)).toEqual(whole.vendors)
      expect(pages.toReversed().flatMap(({ price_history }) => price_history)).toEqual(whole.price_history)
      for (const page of pages) expect(page.item).toEqual(whole.item)
      expect(pages[0]?.price_history.at(-1)).toEqual(whole.price_history.at(-1))
    }
    for (const region of REGIONS) await pageOf('get_item', { id: item, region, limit: 100 })
  })

  test('of search_catalog: each result once', async () => {
    for (const limit of [undefined, 50]) {
      const pages = await pagesOf<z.infer<typeof SearchOutput>>('search_catalog', { q: 'slab', limit })
      const ids = pages.flatMap(({ results }) => results.map(({ id }) => id))
      expect([ids.length, new Set(ids).size]).toEqual([61, 61])
      for (const { results, citations } of pages)
        expect(citations.map(({ id }) => id)).toEqual(results.map(({ id }) => id))
    }
  })

  test('of list_categories: each category once', async () => {
    for (const limit of [undefined, 100]) {
      const pages = await pagesOf<z.infer<typeof CategoriesOutput>>('list_categories', { limit }, 40_000)
      expect(new Set(pages.flatMap(({ categories }) => categories.map(({ id }) => id))).size).toBe(250)
    }
  })

  test('of get_decomposition: each line and each other recipe, without what is below the largest lines', async () => {
    const whole = await rest(`/items/${work}/decomposition?depth=50`)
    const pages = await pagesOf<z.infer<typeof DecompositionOutput>>('get_decomposition', { id: work, depth: 50 })
    const lines = pages.flatMap((page) => page.lines)
    expect([lines.length, whole.lines.length]).toEqual([120, 120])
    const cut = lines.filter(({ omitted }) => omitted === 'size')
    expect(cut).toHaveLength(3)
    for (const [at, { children: _, omitted: __, ...line }] of lines.entries())
      expect(whole.lines[at]).toMatchObject(line)
    expect(pages.flatMap(({ alternatives }) => alternatives)).toEqual(whole.alternatives)
    expect(pages[0]?.truncated).toBe(true)
  })

  test('of price_bill: each line once', async () => {
    const lines = Array.from({ length: 60 }, (_, i) => ({ text: long(`slab ${i}`, 512), quantity: i + 1 }))
    const args = { lines, alternatives: 3, limit: 50 }
    const pages = await pagesOf<z.infer<typeof BillOutput>>('price_bill', args, 40_000)
    expect(pages.flatMap((page) => page.lines.map(({ text }) => text))).toEqual(lines.map(({ text }) => text))
    expect(pages.length).toBeGreaterThan(1)
  })

  test('of every tool that there is', () => {
    expect(TOOLS.map(({ name }) => name)).toEqual([
      'search_catalog',
      'get_item',
      'list_categories',
      'get_decomposition',
      'price_bill',
    ])
  })
})

describe('get_item in pages', () => {
  const narrow = testId('ci_', 'narrow')
  const skus = Array.from({ length: 45 }, (_, i) => testId('vsku_', `shop${i}`))
  const page = async (args: object = {}) => {
    const { content, structuredContent } = await call('get_item', { id: narrow, ...args })
    return { text: content[0]?.text ?? '', ...(structuredContent as z.infer<typeof ItemOutput>) }
  }

  beforeAll(async () => {
    for (const [i, vendor_sku_id] of skus.entries()) {
      await observe(store, { vendor_sku_id, observed_at: NOON, cents: 400 + i })
    }
    await publish(store, { id: narrow, name: 'Brick', unit: 'u', vendor_sku_ids: skus })
    clock.advance(1_000)
  })

  test('has 20 vendors of a page, and a text of headline facts alone, with the address of the whole', async () => {
    const first = await page()
    expect([first.vendors.length, (await page({ cursor: first.next_cursor })).vendors.length]).toEqual([20, 20])
    const address = `https://catalog.example.org/v1/items/${narrow}?include=edition`
    for (const words of [
      '# Brick\n',
      '4.85 EUR per u, net of tax',
      'Vendors: 45',
      address,
      `cursor ${first.next_cursor}`,
    ]) {
      expect(first.text).toContain(words)
    }
    for (const { vendor_sku_id, source } of first.vendors) {
      expect(first.text).not.toContain(vendor_sku_id)
      expect(first.text).not.toContain(source.name)
    }
    const last = await page({ limit: 100 })
    expect([last.vendors.length, last.next_cursor, last.text.includes('cursor')]).toEqual([45, undefined, false])
  })

  test('refuses the cursor of another item, of another region, and of vendors that changed since', async () => {
    const { next_cursor: cursor } = await page()
    const refused = async (args: object) => {
      const { headers, body } = toolCall({ tool: 'get_item', args }, key)
      const response = await api.inject({ method: 'POST', url: '/api/mcp', headers: { ...headers }, payload: body })
      return response.json().result.content[0].text as string
    }
    expect(await refused({ id: item, cursor })).toMatch(/^invalid_cursor: .*without cursor/)
    expect(await refused({ id: narrow, region: 'ES', cursor })).toMatch(/^invalid_cursor/)
    await publish(store, { id: narrow, name: 'Brick', unit: 'u', vendor_sku_ids: skus.slice(1) })
    clock.advance(1_000)
    expect(await refused({ id: narrow, cursor })).toMatch(/^invalid_cursor/)
  })
})
