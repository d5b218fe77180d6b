import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Decomposition, DecompositionResponse } from '@catalog/api/contract/contract.ts'
import type { Api } from '@catalog/api/server.ts'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { crawlerPorts } from '@catalog/cli/crawl/crawl-inputs.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { sourceIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { vendorFile } from '@catalog/sample-market/price-list.ts'
import { loadSample, sampleTexts } from '@catalog/sample-market/sample.ts'
import type { SampleVendor } from '@catalog/sample-market/vendors.ts'
import { signUp, testApi } from '@catalog/stack/testing/api.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const DAY = '2026-11-20'
const NOW = new Date('2026-11-20T06:00:00Z')
const sample = loadSample(sampleTexts())
const books = sample.vendors.filter(({ book }) => book !== null)

let stack: AsyncDisposableStack
let catalog: Catalog
let api: Api
/** Item id by vendor SKU id. */
let items: ReadonlyMap<string, string>

beforeAll(async () => {
  stack = new AsyncDisposableStack()
  const opened = stack.use(await openTestCatalog())
  const now = () => NOW
  catalog = { ...opened.catalog, now, aggregator: { ...opened.catalog.aggregator, now, newRunId: () => 'run_1' } }
  const markets = new Set(books.map(({ region }) => region))
  mkdirSync(catalog.spoolDir, { recursive: true })
  for (const { key } of sample.vendors.filter(({ region }) => markets.has(region))) {
    const { fileName, bytes, mapping } = vendorFile({ sample, vendor: key, day: DAY })
    const path = join(catalog.spoolDir, fileName)
    writeFileSync(path, bytes)
    await crawl([{ path, options: { mapping } }], { ...crawlerPorts(catalog), newCrawlId: () => key })
  }
  await catalog.catchUp()
  await aggregateRuns(catalog, listening().terminal, { asOfs: [`${DAY}T00:00:00Z`], full: false })
  const rows = await catalog.store.query(
    `select vendor_sku_id, item_id from memberships join item_keys using (item) join vendor_skus using (sku)`,
  )
  items = new Map(rows.map((row) => [row.vendor_sku_id as string, row.item_id as string]))
  api = testApi(catalog.store, testClock(NOW.toISOString()))
  stack.defer(() => api.close())
})
afterAll(() => stack.disposeAsync())

const sourceOf = ({ name, region }: SampleVendor) => sourceIdOf({ name, region })
const itemOf = (vendor: SampleVendor, ref: string) => items.get(vendorSkuIdOf(sourceOf(vendor), ref)) as string

async function decompositionOf(vendor: SampleVendor, ref: string): Promise<Decomposition> {
  const query = `source=${sourceOf(vendor)}&region=${vendor.region}`
  const response = await api.inject({ url: `/v1/items/${itemOf(vendor, ref)}/decomposition?${query}` })
  expect(response.statusCode, `${ref}: ${response.body}`).toBe(200)
  return DecompositionResponse.parse(response.json())
}

describe.each(books.map((vendor) => [vendor.key, vendor] as const))('the works of %s', (_key, vendor) => {
  const recipes = vendor.book?.recipes ?? new Map()

  test('answer with a recipe that reconciles to the cent', async () => {
    for (const ref of recipes.keys()) {
      const answer = await decompositionOf(vendor, ref)
      expect([answer.reconciles, answer.difference, answer.warnings], ref).toEqual([true, '0.00', []])
      expect(answer.recipe.vendor_ref).toBe(ref)
    }
  })

  test('name an item of the catalog, with a median in the market, for nearly every component', async () => {
    let lines = 0
    let priced = 0
    for (const ref of recipes.keys()) {
      const { now } = await decompositionOf(vendor, ref)
      lines += now?.lines ?? 0
      priced += now?.priced_lines ?? 0
    }
    process.stdout.write(`${vendor.key}: ${recipes.size} recipes, ${priced} of ${lines} lines priced by medians\n`)
    expect(priced / lines).toBeGreaterThan(0.95)
  })

  test('show labour, machinery, materials and percentages apart', async () => {
    const ref = vendor.skus.find(({ product }) => product.key === 'work-footing-rc')?.ref as string
    const { totals } = await decompositionOf(vendor, ref)
    for (const kind of ['labor', 'machinery', 'material', 'percentage'] as const) {
      expect(Number(totals[kind]), kind).toBeGreaterThan(0)
    }
  })

  test('are answered by get_decomposition as by REST', async () => {
    const ref = vendor.skus.find(({ product }) => product.key === 'work-block-wall-20')?.ref as string
    const params = {
      name: 'get_decomposition',
      arguments: { id: itemOf(vendor, ref), source: sourceOf(vendor), region: vendor.region },
    }
    const response = await api.inject({
      method: 'POST',
      url: '/api/mcp',
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        authorization: `Bearer ${await signUp(api, `${vendor.region.toLowerCase()}@example.org`)}`,
      },
    })
    // The answer is an event stream of one event.
    const { result } = JSON.parse(/^data: (.*)$/m.exec(response.body)?.[1] ?? response.body)
    const { citations: _citations, ...answer } = result.structuredContent
    expect(answer).toEqual(await decompositionOf(vendor, ref))
    expect(answer.lines.map(({ kind }: { kind: string }) => kind)).toContain('auxiliary')
  })
})
