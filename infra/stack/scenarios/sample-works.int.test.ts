import { type Decomposition, DecompositionResponse } from '@catalog/api/contract/contract.ts'
import type { Api } from '@catalog/api/server.ts'
import { sourceIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { loadSample, sampleTexts } from '@catalog/sample-files/sample.ts'
import type { SampleVendor } from '@catalog/sample-files/vendors.ts'
import { itemsOfSkus, openSampleDay } from '@catalog/stack/path/sample-catalog.ts'
import { signUp, testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const NOW = new Date('2026-11-20T06:00:00Z')
const sample = loadSample(sampleTexts())
const books = sample.vendors.filter(({ book }) => book !== null)

let stack: AsyncDisposableStack
let api: Api
/** Item id by vendor SKU id. */
let items: ReadonlyMap<string, string>

beforeAll(async () => {
  stack = new AsyncDisposableStack()
  const regions = new Set(books.map(({ region }) => region))
  const { catalog } = stack.use(await openSampleDay({ day: '2026-11-20', now: NOW, regions }))
  items = await itemsOfSkus(catalog)
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
