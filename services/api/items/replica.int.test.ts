import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Api } from '@catalog/api/server.ts'
import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { openReplica, type Replica } from '@catalog/replica/follow/replica.ts'
import { memoryReplica } from '@catalog/stack/store/replica.ts'
import { markRun, observe, publish, retract, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { makeDigest, readNewestMark } from '@catalog/store/catalog/digests.ts'
import { beginGeneration, nextGeneration } from '@catalog/store/catalog/generation.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const store = await storeOfFile()
const clock = testClock('2026-11-25T12:00:00Z')
/** Answers from a replica that follows everything, and why it could not. */
let followed: Api
const failures: unknown[] = []
/** Answers from one that is filled anew for each version. */
let filled: Api
beforeAll(async () => {
  await store.query(
    `insert into categories values ('cat_r', null, 'Root', 0), ('cat_a', 'cat_r', 'A', 1), ('cat_b', 'cat_r', 'B', 1)`,
  )
  followed = testApi(store, clock, { replica: memoryReplica(store, (error) => failures.push(error)) })
  filled = testApi(store, clock, { replica: filledAnew(store) })
})
afterAll(async () => {
  await followed.close()
  await filled.close()
})

function filledAnew(store: Store): Replica {
  let filled = memoryReplica(store)
  return {
    async reach(version) {
      const next = memoryReplica(store)
      const isReached = await next.reach(version)
      await filled[Symbol.asyncDispose]()
      filled = next
      return isReached
    },
    last: () => filled.last(),
    filling: () => filled.filling(),
    damages: () => 0,
    [Symbol.asyncDispose]: () => filled[Symbol.asyncDispose](),
  }
}

const ID = (n: number) => testId('ci_', `replica${'abcdefgh'[n]}`)
const SKU = (n: number) => `vsku_${'abcdefghij'[n]}`
const median = fc.option(
  fc.record({
    cents: fc.integer({ min: 1, max: 9 }),
    currency: fc.constantFrom('EUR', 'USD'),
    recorded_at: fc.constant(null),
  }),
  { nil: null },
)
const NAMES = [
  { name: 'Cemento', lang: 'es' },
  { name: 'Cement "grey"', lang: 'en' },
]

type Step = (store: Store) => Promise<unknown>
const publication: fc.Arbitrary<Step> = fc
  .record({
    n: fc.nat(7),
    name: fc.constantFrom('Grey cement', 'White "cement" no. 5', 'Sand 100%_x'),
    unit: fc.constantFrom('kg', 'm²', null),
    cpv: fc.constantFrom('44110000-4', '44112000', '45000000', null),
    category_id: fc.constantFrom('cat_r', 'cat_a', 'cat_b', null),
    kind: fc.constantFrom('material' as const, 'work' as const, undefined),
    median_price: median,
    updated_at: fc.constantFrom('2026-11-20T12:00:00Z', '2026-11-23T02:00:00.500Z'),
    regions: fc.constantFrom('ES', 'ES EU', 'UY'),
    spanish: median,
    skus: fc.uniqueArray(fc.nat(9), { maxLength: 3 }),
    names: fc.constantFrom(undefined, NAMES),
    end: fc.constantFrom('active', 'active', 'active', 'gone', 'merged' as const),
    into: fc.nat(7),
  })
  .map(
    ({ n, spanish, skus, end, into, kind, names, regions, ...item }) =>
      (store: Store) =>
        publish(store, {
          ...item,
          ...(kind && { kind }),
          ...(names && { names: names as never }),
          id: ID(n),
          regions: regions.split(' '),
          markets: { ES: spanish },
          vendor_sku_ids: skus.map(SKU),
          state: end === 'merged' && into === n ? 'gone' : (end as 'active'),
          merged_into: end === 'merged' && into !== n ? ID(into) : null,
        }),
  )
const observation: fc.Arbitrary<Step> = fc
  .record({
    sku: fc.nat(9),
    day: fc.integer({ min: 1, max: 5 }),
    cents: fc.integer({ min: 1, max: 99 }),
    per_quantity: fc.constantFrom(1, 100),
    registered: fc.boolean(),
    min_quantity: fc.constantFrom(undefined, '10'),
    crawl_id: fc.constantFrom('crawl-a', 'crawl-b'),
  })
  .map(
    ({ sku, day, min_quantity, ...given }) =>
      (store: Store) =>
        observe(store, {
          ...given,
          ...(min_quantity && { min_quantity }),
          vendor_sku_id: SKU(sku),
          source: { id: `src_${sku % 3}` },
          observed_at: `2026-11-0${day}T00:00:00Z`,
        }),
  )
const retraction: fc.Arbitrary<Step> = fc
  .record({ source_id: fc.constantFrom('src_0', 'src_1', 'src_2'), scope: fc.constantFrom('crawl', 'source') })
  .map(
    ({ source_id, scope }) =>
      (store: Store) =>
        retract(store, {
          source_id,
          recorded_at: '2026-11-03T00:00:00Z',
          ...(scope === 'crawl' ? { scope, crawl_id: 'crawl-a' } : { scope: 'source' }),
        }),
  )
/** A run ends, later than all before, and a point of the price joins the history. */
const run: fc.Arbitrary<Step> = fc
  .record({ n: fc.nat(7), market: fc.constantFrom('', 'ES'), days: fc.constantFrom(1, 1, 60), gap: fc.boolean() })
  .map(({ n, market, days, gap }) => async (store: Store) => {
    lastRunMs += days * DAY_MS
    const asOf = instant(new Date(lastRunMs))
    await store.query(`insert into price_points select item_id, $2, $3, $4, $5 from items where item_id = $1`, [
      ID(n),
      market,
      asOf,
      gap ? null : days,
      gap ? null : 'EUR',
    ])
    await store.query(
      `update items set "offset" = (select next from checkpoints where projection = 'items') where item_id = $1`,
      [ID(n)],
    )
    await markRun(store, asOf)
  })
let lastRunMs = Date.parse('2025-01-01T02:00:00Z')
const digest: fc.Arbitrary<Step> = fc.constant(async (store: Store) => {
  await markRun(store, instant(new Date(lastRunMs)))
  const newest = await readNewestMark(store)
  if (newest !== undefined && !newest.hasDigest) await makeDigest(store, newest)
})
const trust: fc.Arbitrary<Step> = fc.record({ n: fc.nat(2), score: fc.nat(100) }).map(
  ({ n, score }) =>
    (store: Store) =>
      store.transaction(async (tx) => {
        await tx.query(
          `insert into decisions select coalesce(max("offset") + 1, 0), 'TrustChanged', $1, '2026-11-20', $2 from decisions`,
          [`src_${n}`, canonicalJson({ trust_score: score } as JsonValue)],
        )
        await tx.query(
          `insert into checkpoints values ('vendor', 'catalog.decisions', 0, 1, null)
       on conflict (projection, topic, partition) do update set next = checkpoints.next + 1`,
        )
      }),
)
const generation: fc.Arbitrary<Step> = fc.constant(async (store: Store) => {
  const gen = nextGeneration((await readMeta(store, 'gen')) ?? null, clock.at)
  await beginGeneration(store, { gen })
})

const LISTS = [
  '',
  '&limit=2',
  '&limit=3&sort=updated',
  '&region=ES',
  '&region=UY&q=cement',
  '&q=100%25_',
  '&category_id=cat_r',
  '&category_id=cat_a&sort=updated',
  '&kind=work',
  '&unit=m2',
  '&unit=kg&sort=updated',
  '&price_region=ES&lang=es',
  '&lang=en',
  '&currency=EUR&price_min=3&price_max=7',
  '&price_region=ES&currency=USD&price_max=5',
  '&updated_since=2026-11-22T00:00:00Z',
  '&updated_since=2026-11-22T00:00:00Z&sort=updated&kind=material',
  '&limit=3&sort=-updated',
  '&limit=2&sort=name',
  '&sort=name&region=ES&lang=es&fields=name,unit',
  '&limit=2&sort=price&price_region=ES',
  '&limit=3&sort=-price&price_region=ES',
  '&limit=1&sort=price&currency=EUR&price_min=3&price_max=7&price_region=ES',
  '&limit=1&sort=-price&currency=EUR&unit=kg',
  '&cpv=4411',
  '&cpv=44110000-4&sort=name',
  '&limit=2&include=total,facets',
  '&limit=2&include=total,facets&price_region=ES&kind=material',
  '&include=total,facets&region=UY&q=cement&cpv=44',
  '&include=total,facets&category_id=cat_a&updated_since=2026-11-22T00:00:00Z',
  `&ids=${[7, 3, 0, 5, 3, 1].map(ID).join(',')},ci_none,none&lang=en`,
]
const DETAILS = [
  '',
  '?price_region=ES',
  '?lang=es',
  '/history',
  '/history?price_region=ES&limit=1',
  '/history?from=2025-01-03T02:00:00Z',
]
const DOCUMENTS = [
  '/v1/categories',
  '/v1/categories?tree=true&limit=2',
  '/v1/categories/tree',
  '/v1/categories?parent=cat_r',
  '/v1/categories/cat_a',
  '/v1/categories/cat_none',
  '/v1/feeds/state.json',
  '/v1/feeds/items.atom',
  '/v1/feeds/items.rss?since=1',
  '/v1/feeds/items.atom?since=2&limit=3',
  '/v1/feeds/region/es',
  '/v1/feeds/items.atom?limit=3',
  '/v1/feeds/region/es?limit=2',
  '/v1/feeds/category/cat_r?limit=3',
  '/v1/feeds/category/cat_a?price_region=ES',
  '/v1/feeds/category/cat_none',
]

/** Compares every answer with that of a replica which was filled anew. */
async function expectEqual(): Promise<void> {
  clock.advance(250)
  const ask = async (api: Api, url: string, headers = {}) => {
    const { statusCode, body, headers: answered } = await api.inject({ url, headers })
    // Details and request ids of errors may differ.
    const shown = statusCode < 400 ? body : (JSON.parse(body) as { error: string }).error
    return { url, statusCode, etag: answered.etag, link: answered.link, shown }
  }
  const both = async (url: string, headers = {}) => {
    const [expected, found] = [await ask(filled, url, headers), await ask(followed, url, headers)]
    expect([found, failures]).toEqual([expected, []])
    return expected
  }
  for (const list of LISTS) {
    let url: string | undefined = `/v1/items?limit=4${list}`.replace('limit=4&limit', 'limit')
    while (url !== undefined) {
      const { link } = await both(url)
      url = /^<https:\/\/catalog\.example\.org(.*)>/.exec(String(link ?? ''))?.[1]
    }
  }
  for (const url of DOCUMENTS) await both(url)
  const { gen, digest } = JSON.parse((await filled.inject('/v1/feeds/state.json')).body)
  for (const [scope, { seq }] of Object.entries<{ seq: number }>(digest?.scopes ?? {}))
    await both(`/v1/feeds/digest/${gen}/${scope}/${seq}.json`)
  for (let n = 0; n < 8; n++) {
    for (const detail of DETAILS) await both(`/v1/items/${ID(n)}${detail}`)
    await both(`/v1/items/${ID(n)}`, { accept: 'text/markdown' })
    await both(`/v1/feeds/item/${ID(n)}?price_region=ES`)
  }
}

test('rows that are no JSON any more get a 503 until the file is filled again', async () => {
  await publish(store, { id: ID(0), name: 'Damaged cement', names: NAMES as never })
  const folder = mkdtempSync(join(tmpdir(), 'catalog-replica-'))
  // Only a row that cannot be shown causes a check.
  const scrubPace = { everyMs: DAY_MS, sliceRows: 100, pauseMs: 0, watchMs: 5 }
  const writer = openReplica({ store, folder, scrubPace })
  const reader = openReplica({ store, folder, scrubPace })
  const api = testApi(store, clock, { replica: reader })
  try {
    await vi.waitFor(async () => {
      await writer.reach(await readCatalogVersion(store))
      expect(writer.last()).toBeDefined()
    })
    const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) as string)
    using db = new DatabaseSync(file)
    db.exec('pragma wal_checkpoint(truncate)')
    const text = readFileSync(file, 'latin1').replaceAll('"name":"Damaged', '"name";"Damaged')
    writeFileSync(file, text, { encoding: 'latin1', flag: 'r+' })
    await vi.waitFor(async () => {
      clock.advance(250)
      expect((await api.inject('/readyz')).statusCode).toBe(200)
    })
    const urls = [
      '/v1/items?fields=name',
      '/v1/items?lang=en',
      `/v1/items/${ID(0)}`,
      '/v1/items',
      '/v1/feeds/items.atom',
    ]
    const answersOf = async (api: Api) => Promise.all(urls.map(async (url) => (await api.inject(url)).body))
    const expected = await answersOf(followed)
    const { statusCode, headers, body } = await api.inject(urls[0] as string)
    expect([statusCode, headers['retry-after'], JSON.parse(body).error]).toEqual([503, '5', 'not_ready'])
    await vi.waitFor(() => expect([writer.damages(), reader.damages()]).toEqual([1, 1]))
    await vi.waitFor(async () => {
      clock.advance(250)
      await writer.reach(await readCatalogVersion(store))
      expect(await answersOf(api)).toEqual(expected)
    })
  } finally {
    await api.close()
    await reader[Symbol.asyncDispose]()
    await writer[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
})

test('a replica that followed any events answers, byte for byte, as one that is filled anew, in any generation', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(
          fc.oneof(
            { weight: 6, arbitrary: publication },
            { weight: 4, arbitrary: observation },
            { weight: 2, arbitrary: run },
            { weight: 1, arbitrary: retraction },
            { weight: 1, arbitrary: trust },
            { weight: 1, arbitrary: digest },
            { weight: 1, arbitrary: generation },
          ),
          { minLength: 1, maxLength: 6 },
        ),
        { minLength: 1, maxLength: 4 },
      ),
      async (batches) => {
        for (const batch of batches) {
          for (const step of batch) await step(store)
          await expectEqual()
        }
      },
    ),
    { numRuns: 8 },
  )
})
