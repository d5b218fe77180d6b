import { mkdtempDisposableSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import * as contract from '@catalog/api/contract/contract.ts'
import { SPECIFIED } from '@catalog/api/docs/openapi.ts'
import { ERRORS } from '@catalog/api/http/errors.ts'
import { LOAD_MAX } from '@catalog/api/http/load-shedding.ts'
import { FEED_VERSION, pageChangesOf } from '@catalog/core/changes/protocol.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import { EmbedderUnavailable } from '@catalog/embed/embed.ts'
import {
  BASE_URL,
  embedderOf,
  observe,
  publish,
  publishAll,
  revoke,
  signUp,
  stamp,
  testApi,
  testId,
  writeSnapshotFiles,
} from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { recordRecipe } from '@catalog/stack/testing/recipes.ts'
import { makeDigest } from '@catalog/store/catalog/digests.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import { freezeEditions } from '@catalog/store/history/editions.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Api } from './server.ts'

// The validator that Fastify itself bundles.
const ofFastify = createRequire(createRequire(import.meta.url).resolve('fastify'))
const brought = createRequire(ofFastify.resolve('@fastify/ajv-compiler'))
type Validator = ((body: unknown) => boolean) & { errors: unknown }
type Ajv = { addSchema(schema: object, id: string): void; getSchema(reference: string): Validator | undefined }
const { Ajv2020 } = brought('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv }
const addFormats = brought('ajv-formats') as (ajv: Ajv) => void

const store = await storeOfFile()
const clock = testClock()
let api: Api
let gen: string
const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-served-'))
const id = testId('ci_', 'item')
const merged = testId('ci_', 'merged')

beforeAll(async () => {
  await observe(store, { vendor_sku_id: testId('vsku_', 'a'), observed_at: '2026-11-01T00:00:00Z', cents: 1 })
  await observe(store, { vendor_sku_id: testId('vsku_', 'b'), observed_at: '2026-11-01T00:00:00Z', cents: 1 })
  const recipe = await recordRecipe(store, 'A', [['M', 'material', '1', '1', '2']], { price: '2' })
  await publish(store, { id, name: 'Cement', vendor_sku_ids: [testId('vsku_', 'a'), recipe] })
  await publish(store, { id: testId('ci_', 'second'), name: 'Second' })
  await publish(store, { id: merged, state: 'merged', merged_into: id })
  await store.query(
    `insert into index_points select repeat(n::text, 64), 'idx_' || l, 'office', 'Office', null, l, 'Index ' || l, 'ES', null,
       'month', '2026-0' || n, '100.' || n, 'import', '2026-11-01', '2026-11-01', 0, n from (values (1, 'a'), (2, 'b')) s (n, l)`,
  )
  await store.query(`insert into categories values ('cat_a', null, 'A', 0), ('cat_b', null, 'B', 0)`)
  await store.query(`insert into run_marks values ('run', '2026-11-20T02:00:00Z', 1, 1, 1)`)
  await store.query(
    `insert into price_points values ($1, '', '2026-11-01T02:00:00Z', 485, 'EUR'),
                                    ($1, '', '2026-11-08T02:00:00Z', 490, 'EUR')`,
    [id],
  )
  // Fills one feed page with changes of an item that then leaves.
  const pageOfChanges = Array.from({ length: pageChangesOf(`t${FEED_VERSION}`) }, (_, i) =>
    published({ id: testId('ci_', 'churned'), cents: 100 + i, version: 1 + i, regions: ['ES'] }),
  )
  await publishAll(store, [...pageOfChanges, published({ id: testId('ci_', 'churned'), version: 501, state: 'gone' })])
  gen = (await readCatalogVersion(store)).gen
  await makeDigest(store, { gen, mark: 1n })
  await store.query(`insert into run_marks values ('later', '2026-12-01T02:00:00Z', 2, 2, 1)`)
  await freezeEditions(store, { licence: null })
  await store.query(`delete from run_marks where run_id = 'later'`)
  await store.query(`truncate feed_floors`)
  writeSnapshotFiles(folder.path, { gen, seq: 1 })
  await stamp(store, clock)
  api = testApi(store, clock, { snapshotDir: folder.path })
  clock.advance(60_000)
})
afterAll(async () => {
  await api.close()
  folder.remove()
})

describe('the OpenAPI document', () => {
  const failing = embedderOf(async () => {
    throw new EmbedderUnavailable('over budget', 17)
  })
  /** One request per operation and status of the document; a missing one fails the test. */
  type SampleRequest = {
    url: string
    method?: 'POST'
    payload?: object
    headers?: Record<string, string>
    key?: 'valid' | 'revoked'
    failing?: true
    /** Goes to a server without snapshots. */
    withoutSnapshots?: true
    /** Goes to a server that takes no more requests. */
    busy?: true
  }
  const feed = (name: string): Record<number, SampleRequest> => ({
    200: { url: `/v1/feeds/${name}?since=0&limit=1` },
    400: { url: `/v1/feeds/${name}?since=x` },
    409: { url: `/v1/feeds/${name}?since=999999` },
    410: { url: `/v1/feeds/${name}?since=0` },
  })
  const archive = (scope: string, format: string): Record<number, SampleRequest> => ({
    200: { url: `/v1/feeds/archive/GEN/${scope}/0.${format}` },
    307: { url: `/v1/feeds/archive/GEN/${scope}/1.${format}` },
    400: { url: `/v1/feeds/archive/GEN/${scope}/x.${format}` },
    404: { url: `/v1/feeds/archive/GEN/${scope}/99.${format}` },
    410: { url: `/v1/feeds/archive/another/${scope}/0.${format}` },
  })
  const digest = (scope: string): Record<number, SampleRequest> => ({
    200: { url: `/v1/feeds/digest/GEN/${scope}/1.json` },
    400: { url: `/v1/feeds/digest/GEN/${scope}/x.json` },
    404: { url: `/v1/feeds/digest/another/${scope}/1.json` },
  })
  const requests: Record<string, Record<number, SampleRequest>> = {
    listItems: {
      200: { url: '/v1/items?limit=1' },
      400: { url: '/v1/items?limit=0' },
      404: { url: '/v1/items?source=no' },
    },
    getItem: {
      200: { url: `/v1/items/${merged}` },
      400: { url: `/v1/items/${id}?price_region=XX` },
      404: { url: `/v1/items/${testId('ci_', 'no')}` },
    },
    exportItemsCsv: {
      200: { url: '/v1/items.csv?limit=1' },
      400: { url: '/v1/items.csv?after=x' },
      404: { url: '/v1/items.csv?category=no' },
    },
    exportItemsNdjson: {
      200: { url: '/v1/items.ndjson?limit=1' },
      400: { url: '/v1/items.ndjson?limit=0' },
      404: { url: '/v1/items.ndjson?source=no' },
    },
    search: {
      200: { url: '/v1/search?q=cement&limit=1' },
      400: { url: '/v1/search' },
      404: { url: '/v1/search?q=cement&category=no' },
      503: { url: '/v1/search?q=cement', failing: true },
    },
    matchLines: {
      200: { method: 'POST', url: '/v1/match', payload: { lines: [{ text: 'cement' }] } },
      400: { method: 'POST', url: '/v1/match', payload: { lines: [] } },
      413: { method: 'POST', url: '/v1/match', payload: { lines: 'a'.repeat(2_000_000) } },
      415: { method: 'POST', url: '/v1/match', headers: { 'content-type': 'text/plain' }, payload: {} },
      503: { method: 'POST', url: '/v1/match', payload: { lines: [{ text: 'cement' }] }, failing: true },
    },
    listCategories: {
      200: { url: '/v1/categories?limit=1' },
      400: { url: '/v1/categories?cursor=x' },
      404: { url: '/v1/categories?parent=no' },
    },
    getCategory: { 200: { url: '/v1/categories/cat_a' }, 404: { url: '/v1/categories/no' } },
    getCategoryBc3: { 200: { url: '/v1/categories/cat_a.bc3' }, 404: { url: '/v1/categories/no.bc3' } },
    getCategoryTree: { 200: { url: '/v1/categories/tree' } },
    getCategoryChanges: {
      200: { url: '/v1/categories/changes?days=30' },
      400: { url: '/v1/categories/changes?days=31' },
    },
    getItemBasis: { 200: { url: `/v1/items/${merged}/basis` }, 404: { url: '/v1/items/ci_no/basis' } },
    getItemHistory: {
      200: { url: `/v1/items/${merged}/history?limit=1` },
      400: { url: `/v1/items/${id}/history?limit=0` },
      404: { url: '/v1/items/ci_no/history' },
    },
    getItemDecomposition: {
      200: { url: `/v1/items/${merged}/decomposition` },
      400: { url: `/v1/items/${id}/decomposition?depth=0` },
      404: { url: '/v1/items/ci_no/decomposition' },
    },
    getItemDecompositionBc3: {
      200: { url: `/v1/items/${merged}/decomposition.bc3` },
      400: { url: `/v1/items/${id}/decomposition.bc3?region=XX` },
      404: { url: '/v1/items/ci_no/decomposition.bc3' },
    },
    listSources: { 200: { url: '/v1/sources?limit=1' }, 400: { url: '/v1/sources?limit=0' } },
    listIndices: { 200: { url: '/v1/indices?limit=1' }, 400: { url: '/v1/indices?region=France' } },
    getIndex: {
      200: { url: '/v1/indices/idx_a' },
      400: { url: '/v1/indices/idx_a?from=now' },
      404: { url: '/v1/indices/idx_no' },
    },
    getSource: { 200: { url: `/v1/sources/src_${testId('vsku_', 'a')}` }, 404: { url: '/v1/sources/no' } },
    getItemsAtom: feed('items.atom'),
    getItemsRss: feed('items.rss'),
    getItemsJsonFeed: { 200: { url: '/v1/feeds/items.json?limit=1' }, 400: { url: '/v1/feeds/items.json?limit=0' } },
    getRegionJsonFeed: {
      200: { url: '/v1/feeds/region/ES.json' },
      400: { url: '/v1/feeds/region/ES.json?limit=0' },
      404: { url: '/v1/feeds/region/XX.json' },
    },
    getRegionAtom: { ...feed('region/ES'), 404: { url: '/v1/feeds/region/XX' } },
    getItemFeed: {
      200: { url: `/v1/feeds/item/${merged}` },
      400: { url: `/v1/feeds/item/${id}?limit=0` },
      404: { url: '/v1/feeds/item/ci_no' },
    },
    getCategoryFeed: {
      200: { url: '/v1/feeds/category/cat_a' },
      400: { url: '/v1/feeds/category/cat_a?price_region=XX' },
      404: { url: '/v1/feeds/category/no' },
    },
    getFeedState: { 200: { url: '/v1/feeds/state.json' } },
    getFeedKeys: { 200: { url: '/v1/feeds/keys.json' } },
    getItemsArchiveAtom: archive('items', 'atom'),
    getItemsArchiveRss: archive('items', 'rss'),
    getRegionArchiveAtom: archive('region/ES', 'atom'),
    getItemsDigest: digest('items'),
    getRegionDigest: digest('region/ES'),
    listEditions: { 200: { url: '/v1/editions' } },
    getEdition: { 200: { url: '/v1/editions/2026-11' }, 404: { url: '/v1/editions/2026-12' } },
    listEditionItems: {
      200: { url: '/v1/editions/2026-11/items?limit=1' },
      400: { url: '/v1/editions/2026-11/items?limit=0' },
      404: { url: '/v1/editions/last/items' },
    },
    getEditionItem: {
      200: { url: `/v1/editions/2026-11/items/${id}` },
      400: { url: `/v1/editions/2026-11/items/${id}?price_region=XX` },
      404: { url: '/v1/editions/2026-11/items/ci_no' },
    },
    listSnapshots: {
      200: { url: '/v1/feeds/snapshots/index.json' },
      404: { url: '/v1/feeds/snapshots/index.json', withoutSnapshots: true },
    },
    getSnapshotFile: {
      200: { url: '/v1/feeds/snapshots/GEN/1/manifest.json' },
      206: { url: '/v1/feeds/snapshots/GEN/1/00.ndjson.gz', headers: { range: 'bytes=0-3' } },
      400: { url: '/v1/feeds/snapshots/GEN/x/manifest.json' },
      404: { url: '/v1/feeds/snapshots/GEN/2/manifest.json' },
      412: { url: '/v1/feeds/snapshots/GEN/1/manifest.json', headers: { 'if-match': '"another"' } },
      416: { url: '/v1/feeds/snapshots/GEN/1/00.ndjson.gz', headers: { range: 'bytes=999-' } },
    },
    createDeveloperKey: {
      201: { method: 'POST', url: '/v1/keys/signup', payload: { email: 'a@example.org', name: 'mine' } },
      400: { method: 'POST', url: '/v1/keys/signup', payload: { email: 'a' } },
      413: { method: 'POST', url: '/v1/keys/signup', payload: { name: 'a'.repeat(20_000) } },
      415: { method: 'POST', url: '/v1/keys/signup', headers: { 'content-type': 'text/plain' }, payload: {} },
    },
    revokeKey: {
      200: { method: 'POST', url: '/v1/keys/revoke', key: 'valid' },
      404: { method: 'POST', url: '/v1/keys/revoke', key: 'revoked' },
    },
    getUsage: { 200: { url: '/v1/usage', key: 'valid' } },
    getPricing: { 200: { url: '/v1/pricing' } },
    getStatus: { 200: { url: '/v1/status' }, 503: { url: '/v1/status', busy: true } },
    getOpenApi: { 200: { url: '/v1/openapi.json' } },
  }
  const NOTHING = { anonPerMinute: 0, publicDevPerMinute: 0, searchPerMinute: 0 }
  const shapes = new Map<string, z.ZodType>(
    Object.values(contract).flatMap((shape) => {
      const name = typeof shape === 'object' && 'meta' in shape ? (shape as z.ZodType).meta()?.id : undefined
      return name === undefined ? [] : [[name, shape as z.ZodType]]
    }),
  )

  test('documents exactly the live API: every status, header, media type and schema', async () => {
    const document = (await api.inject('/v1/openapi.json')).json()
    expect([document.openapi, document.info.version, document.servers]).toEqual([
      '3.1.0',
      '1.0.0',
      [expect.objectContaining({ url: BASE_URL })],
    ])
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object))
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(requests).sort())
    // Checks answers against the schemas of the document itself, as a generated client would.
    const ajv = new Ajv2020({ strict: false })
    addFormats(ajv)
    ajv.addSchema(document, 'openapi')
    const validate = (place: string, schema: { $ref?: string }, body: unknown) => {
      const name = schema.$ref?.split('/').at(-1)
      if (name === undefined) return
      const isValid = ajv.getSchema(`openapi#/components/schemas/${name}`)
      expect([place, isValid?.(body), isValid?.errors]).toEqual([place, true, null])
      // The Zod schemas are strict, so a field outside the contract fails as a missing one does.
      expect([place, shapes.get(name)?.safeParse(body).error]).toEqual([place, undefined])
    }
    const unseen = new Set<string>()
    for (const { operationId, responses } of operations) {
      for (const [status, documented] of Object.entries<Documented>(responses)) {
        const response = await live(operationId, Number(status))
        const place = `${operationId} ${status}`
        expect([place, response.statusCode]).toEqual([place, Number(status)])
        const names = Object.keys(documented.headers)
        for (const name of names) {
          if (response.headers[name.toLowerCase()] !== undefined) continue
          expect([place, name, contract.isOptional(name, Number(status))]).toEqual([place, name, true])
          if (name !== 'Content-Encoding' && Number(status) < 300) unseen.add(`${place} ${name}`)
        }
        const known = new Set([...USUAL_HEADERS, ...names.map((name) => name.toLowerCase())])
        expect([place, Object.keys(response.headers).filter((name) => !known.has(name))]).toEqual([place, []])
        if (documented.content === undefined) {
          expect(response.body).toBe('')
          continue
        }
        const type = String(response.headers['content-type']).split(';')[0] as string
        const content = documented.content[type]
        expect([place, type, content]).toEqual([place, type, expect.anything()])
        if (type === 'application/json') validate(place, content?.schema ?? {}, response.json())
        for (const [type, { schema, example }] of Object.entries(documented.content)) {
          expect([place, type, example]).toEqual([place, type, expect.anything()])
          validate(`the example of ${place}`, schema, example)
        }
      }
    }
    expect([...unseen]).toEqual([])
  })
  /** Headers that every answer carries, or that HTTP itself defines; operations need not document them. */
  const USUAL_HEADERS = [
    'content-type',
    'content-length',
    'date',
    'connection',
    'transfer-encoding',
    'vary',
    'cache-control',
    'access-control-allow-origin',
    'access-control-expose-headers',
    'x-content-type-options',
    'referrer-policy',
    'content-security-policy',
    'cross-origin-resource-policy',
    'strict-transport-security',
  ]
  type Documented = { headers: object; content?: Record<string, { schema: { $ref?: string }; example?: unknown }> }

  async function live(operationId: string, status: number) {
    clock.advance(250)
    const usual = requests[operationId]?.[200] ?? requests[operationId]?.[201]
    const named = requests[operationId]?.[status] ?? (usual as SampleRequest)
    const request = { ...named, url: named.url.replace('GEN', gen) }
    if (request.key !== undefined && status !== 401) {
      const key = await signUp(api)
      if (request.key === 'revoked') await revoke(api, key)
      request.headers = { ...request.headers, authorization: `Bearer ${key}` }
    }
    if (status === 400 && named === usual) {
      const url = `${request.url}${request.url.includes('?') ? '&' : '?'}strict=maybe`
      return await api.inject({ ...request, url })
    }
    if (status === 401) return await api.inject({ ...request, headers: { authorization: 'Bearer svc_pub_x' } })
    if (status === 406) return await api.inject({ ...request, headers: { ...request.headers, accept: 'image/png' } })
    if (request.busy)
      return await testApi(store, clock, { loadMax: { ...LOAD_MAX, requestsInFlight: 0 } }).inject(request.url)
    if (status === 503 && !('failing' in request)) {
      const away = async () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
      return await testApi({ ...store, query: away, transaction: away }, clock).inject(request)
    }
    if (status === 304) {
      const { headers } = await api.inject(request)
      return await api.inject({ ...request, headers: { 'if-none-match': String(headers.etag) } })
    }
    if (status === 429) {
      const busy = testApi(store, clock, { limits: { ...LIMITS, ...NOTHING } })
      return await busy.inject(request)
    }
    if (status === 404 && request.withoutSnapshots) return await testApi(store, clock).inject(request.url)
    if ('failing' in request) return await testApi(store, clock, { embedder: failing }).inject(request)
    if (status === 410 && request.url.includes('since')) {
      // The other one does not look again until its clock advances.
      await api.inject(request)
      await store.query(`insert into feed_floors values ('items', 500), ('region/ES', 500)`)
      const expired = await testApi(store, clock).inject(request)
      await store.query(`truncate feed_floors`)
      return expired
    }
    // An answer on sources is as new as its counts.
    if (operationId === 'listSources' || operationId === 'getSource') {
      await api.inject(request)
      clock.advance(5_000)
    }
    return await api.inject(request)
  }

  test('has each component once, none unused, and only intended bounds', async () => {
    const { body } = await api.inject('/v1/openapi.json')
    const { components } = JSON.parse(body)
    for (const name of Object.keys(components.schemas)) {
      expect(name).not.toMatch(/Input$/)
      expect(body).toContain(`"#/components/schemas/${name}"`)
    }
    expect(body).not.toContain('9007199254740991')
    // Answers to the specification's parameters alone keep its keys; other shapes may grow.
    const isClosed = (schema: unknown) => JSON.stringify(schema).includes('"additionalProperties":false')
    expect(
      Object.keys(components.schemas)
        .filter((name) => isClosed(components.schemas[name]))
        .sort(),
    ).toEqual(SPECIFIED.toSorted())
    expect(components.schemas.VendorObservation.properties.source.additionalProperties).toBe(false)
    expect(components.schemas.CanonicalItem.properties.updated_at).toEqual({ type: 'string', format: 'date-time' })
    expect(components.schemas.CanonicalItem.required).toEqual([
      'id',
      'name',
      'vendor_count',
      'observation_count',
      'updated_at',
    ])
  })

  test('has a CanonicalItem that matches the published type', () => {
    const published: PublicItem = {
      id,
      name: 'Cement',
      unit: null,
      cpv: null,
      category_id: null,
      vendor_count: 0,
      observation_count: 0,
      median_price: null,
      updated_at: '2026-11-20T12:00:00Z',
    }
    const item: z.infer<typeof contract.CanonicalItem> = published
    expect(contract.CanonicalItem.parse(item)).toEqual(published)
  })
})

describe('an address that ends early, late or nearly right', () => {
  test.each(['/', '/v1', '/v1/feeds'])('%s lists addresses, each of which answers', async (url) => {
    const index = await api.inject(url)
    expect(index.statusCode).toBe(200)
    // Templates name no item.
    const addresses = [...index.body.matchAll(/https:[^"{]+(?=")/g)].map(([address]) => new URL(address))
    expect(addresses.length).toBeGreaterThan(8)
    for (const { pathname, search } of addresses) {
      if (pathname.includes('/snapshots/')) continue
      expect([pathname, (await api.inject(pathname + search)).statusCode]).toEqual([pathname, 200])
    }
  })

  test.each([
    ['/openapi.json', '/v1/openapi.json'],
    ['/docs/', '/docs'],
    ['/v1/', '/v1'],
    ['/v1/feeds/', '/v1/feeds'],
    ['/v1//', '/v1'],
    ['/v1/items/?limit=2', '/v1/items?limit=2'],
    ['/v1/search//?q=cement', '/v1/search?q=cement'],
    ['/v1//feeds//region///ES', '/v1/feeds/region/ES'],
    [`/v1/items/${id}/`, `/v1/items/${id}`],
    [`/v1/items/${id}/basis/`, `/v1/items/${id}/basis`],
  ])('%s leads to %s', async (url, expected) => {
    const { statusCode, headers } = await api.inject(url)
    expect(statusCode).toBe(308)
    const target = new URL(String(headers.location), `${BASE_URL.replace(/\/v1$/, '')}${url}`)
    expect(target.pathname + target.search).toBe(expected)
    expect((await api.inject(expected)).statusCode).toBe(200)
  })

  test.each([
    ['/v1/itmes', '/v1/items?'],
    ['/v1/serach?q=x', '/v1/search?'],
    [`/v1/items/${id}/basi`, `/v1/items/${id}/basis?`],
    ['/v1/category', 'GET / lists what is'],
    ['/doc', '/docs?'],
    [`/${'a'.repeat(3_000)}`, 'GET / lists what is'],
  ])('%s is not found, with the nearest path', async (url, expected) => {
    const { statusCode, body } = await api.inject(url)
    expect(statusCode).toBe(404)
    expect(JSON.parse(body).details).toContain(expected)
  })

  test('a body sent to a path with a last slash is not found, with the path without it', async () => {
    const { statusCode, body } = await api.inject({ method: 'POST', url: '/v1/match/', payload: { lines: [] } })
    expect([statusCode, JSON.parse(body).details]).toEqual([404, expect.stringContaining('expected /v1/match?')])
  })
})

describe('errors', () => {
  test('an unsupported method answers 405 whatever its body', async () => {
    for (const headers of [{ 'content-type': 'text/xml' }, { 'content-type': 'application/json' }]) {
      const response = await api.inject({ method: 'POST', url: '/v1/items', headers, payload: '<x>' })
      expect([response.statusCode, response.json().error]).toEqual([405, 'method_not_allowed'])
    }
  })

  test('an unavailable store answers 503 with Retry-After, and a fault 500 without details', async () => {
    const failures: object[] = []
    const log = { error: (details: object) => failures.push(details) }
    const away = testApi(store, clock, {
      log,
      store: {
        ...store,
        query: async () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
      },
    })
    const response = await away.inject('/v1/items')
    expect([response.statusCode, response.json().error, response.headers['retry-after']]).toEqual([
      503,
      'store_unavailable',
      '5',
    ])
    expect(response.json().retry_after_seconds).toBe(5)
    expect((await away.inject('/readyz')).statusCode).toBe(503)
    const broken = testApi(store, clock, {
      log,
      store: { ...store, query: async () => Promise.reject(new Error('secret')) },
    })
    const fault = await broken.inject('/v1/items')
    expect([fault.statusCode, fault.json().error]).toEqual([500, 'internal_error'])
    expect(fault.body).not.toContain('secret')
    expect(failures).toEqual([
      expect.objectContaining({ requestId: response.headers['x-request-id'] }),
      expect.objectContaining({
        requestId: fault.headers['x-request-id'],
        err: expect.objectContaining({ message: 'secret' }),
      }),
    ])
  })

  test('every code is in snake case and has a status of its class', () => {
    for (const [code, { status }] of Object.entries(ERRORS)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('limits', () => {
  const limited = (deps = {}) =>
    testApi(store, clock, { limits: { ...LIMITS, anonPerMinute: 3, searchPerMinute: 2 }, ...deps })
  const startOfMinute = () => {
    clock.at = new Date(Math.ceil((clock.at.getTime() + 1) / 60_000) * 60_000)
  }

  test('count each address separately, and believe only a trusted proxy', async () => {
    startOfMinute()
    const remaining = async (api: Api, remoteAddress: string, forwarded: string) =>
      (await api.inject({ url: '/v1/items', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).headers[
        'x-ratelimit-remaining'
      ]
    const open = limited()
    expect(await remaining(open, '192.0.2.1', '6.6.6.6')).toBe('2')
    expect(await remaining(open, '192.0.2.1', '7.7.7.7')).toBe('1')
    expect(await remaining(open, '192.0.2.2', '6.6.6.6')).toBe('2')
    const behind = limited({ trustedProxies: ['10.0.0.0/8'] })
    expect(await remaining(behind, '10.1.1.1', '6.6.6.6, 203.0.113.9')).toBe('2')
    expect(await remaining(behind, '10.1.1.1', '7.7.7.7, 203.0.113.9')).toBe('1')
    expect(await remaining(behind, '198.51.100.7', '203.0.113.9')).toBe('2')
  })

  test('exempt health and the root document', async () => {
    const api = limited()
    for (let i = 0; i < 5; i++) {
      for (const [url, status] of [
        ['/livez', 200],
        ['/readyz', 200],
        ['/', 200],
        ['/v1', 200],
        ['/v1/', 308],
        ['/v1/feeds', 200],
        ['/v1/feeds/', 308],
      ] as const) {
        const response = await api.inject(url)
        expect([url, response.statusCode, response.headers['x-ratelimit-limit']]).toEqual([url, status, undefined])
      }
    }
  })
})

describe('the service', () => {
  test("returns free-tier answers in the contract's shape", async () => {
    const pricing = contract.PricingResponse.parse((await api.inject('/v1/pricing')).json())
    expect(pricing.tiers).toEqual([
      expect.objectContaining({
        tier: 'free',
        price_usd_month: 0,
        rate_limit_per_min: 120,
        monthly_request_cap: 50_000,
      }),
    ])
  })

  test('builds links from the configured address, with or without its /v1', async () => {
    for (const publicBaseUrl of ['https://a.example/', 'https://a.example/v1', 'https://a.example']) {
      const response = await testApi(store, clock, { publicBaseUrl }).inject({
        url: '/v1/items?limit=1',
        headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      })
      expect(String(response.headers.link)).toMatch(/^<https:\/\/a\.example\/v1\/items\?cursor=/)
    }
  })

  test('is not ready with a schema of another version', async () => {
    const other = testApi(store, clock, { store: { ...store, query: async () => [{ version: 99_999 }] as never } })
    const response = await other.inject('/readyz')
    expect([response.statusCode, response.json().error]).toEqual([503, 'not_ready'])
    expect(response.json().details).toContain('99999')
    expect((await other.inject('/livez')).statusCode).toBe(200)
  })
})
