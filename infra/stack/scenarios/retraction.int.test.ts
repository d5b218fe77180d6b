import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import type { Api } from '@catalog/api/server.ts'
import { reproduceRun } from '@catalog/cli/aggregate/aggregate.ts'
import { explain } from '@catalog/cli/inspect/explain.ts'
import { exportLog } from '@catalog/cli/log/export.ts'
import { importLog } from '@catalog/cli/log/import.ts'
import { bucketHashes, rootOf, sha256Bytes } from '@catalog/core/digest.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { observationPayload, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import { type RetractOptions, retract } from '@catalog/operations/decisions/retract.ts'
import { feedIndex } from '@catalog/projector/search-feeder.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { takeSnapshot } from '@catalog/snapshot/snapshot.ts'
import { catalogOf, heardBy } from '@catalog/stack/path/commands.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { signUp, testApi } from '@catalog/stack/testing/api.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { event, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { createViews } from '@catalog/store/builds/analyst.ts'
import { queryViews } from '@catalog/store/builds/analyst-query.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import { readSkuNames } from '@catalog/store/catalog/detail.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** A retraction removes its facts from everything that readers, mirrors and later runs see, for good. */

const CEMENT_GTIN = '4006381333931'
const BRICK_GTIN = '4006381333948'
const CEMENT_REF = 'ACM-4711'
const SUR = sourceNamed('Sur').id

const norteCement = observation({
  vendor: 'Norte',
  ref: 'N1',
  name: 'Portland cement',
  cents: 100,
  crawl: 'crawl-norte',
  more: { gtin: CEMENT_GTIN },
})
/** Two vendors sell cement; Sur's price has more weight. */
const surCement = observation({
  vendor: 'Sur',
  ref: 'S1',
  name: 'Acme fortified cement',
  cents: 120,
  crawl: 'crawl-sur',
  more: { gtin: CEMENT_GTIN, manufacturer_ref: CEMENT_REF, category_path: ['Walls', 'Cement'] },
})
/** Only Sur sells bricks. */
const surBrick = observation({
  vendor: 'Sur',
  ref: 'S2',
  name: 'Ladrillo perforado',
  unit: 'u',
  cents: 45,
  crawl: 'crawl-sur',
  more: { gtin: BRICK_GTIN, category_path: ['Walls', 'Brick'] },
})
const surRecipe = event({
  type: 'RecipeRecorded',
  source: sourceNamed('Sur'),
  vendor_ref: 'S1',
  unit: 'kg',
  declared_price: '1.20',
  currency: 'EUR',
  components: [
    {
      position: 1,
      kind: 'material',
      vendor_ref: 'M1',
      name: 'Clinker',
      unit: 'kg',
      factor: '1',
      yield: '1',
      price: '1',
    },
  ],
  observed_at: '2026-01-05T06:00:00Z',
  crawl_id: 'crawl-sur',
  position: 'book.bc3 line 1',
} as never) as CatalogEvent
const market: readonly CatalogEvent[] = [
  registration({ vendor: 'Norte', trust: 60 }),
  registration({ vendor: 'Sur', trust: 80 }),
  norteCement,
  surCement,
  surBrick,
  surRecipe,
]
/** Enough to close the feed's first page of 500 changes before any retraction. */
const tiles = Array.from({ length: 510 }, (_, i) =>
  observation({
    vendor: 'Norte',
    ref: `T${i}`,
    name: `Tile number ${i}`,
    unit: 'm2',
    cents: 1_000 + i,
    crawl: 'crawl-norte',
    at: '2026-01-10T06:00:00Z',
    more: { category_path: ['Floors'] },
  }),
)
const FIRST_RUN = '2026-01-06T00:00:00Z'
const LAST_RUN = '2026-01-12T00:00:00Z'

type Taken = { dry_run: boolean; covered: number; hidden: number; items: number; recipes: number }
/** The command's answer, for machines and for people. */
async function take(path: Path, options: Partial<RetractOptions>): Promise<Taken & { text: string }> {
  const asked = { reason: 'list of another shop', dryRun: false, ...options }
  const heard = await heardBy(catalogOf(path), (catalog) => retract(catalog, asked))
  return { ...(heard.answers[0] as Taken), text: heard.text }
}

/**
 * Three ways to retract the same facts: everything of Sur. A recipe is no observation, so it stays when observations go
 * one by one.
 */
const SCOPES: readonly { scope: string; targets: readonly Partial<RetractOptions>[]; recipeStays: boolean }[] = [
  {
    scope: 'observation',
    targets: [{ observation: surBrick.event_id }, { observation: surCement.event_id }],
    recipeStays: true,
  },
  { scope: 'crawl', targets: [{ crawl: 'crawl-sur' }], recipeStays: false },
  { scope: 'source', targets: [{ source: 'Sur' }], recipeStays: false },
]

/** The item that holds the SKU of an observation. */
async function itemOf(path: Path, { source, vendor_ref }: ObservationRecorded): Promise<string> {
  const [row] = await path.store.query<{ id: string }>(
    `select item_id as id from item_keys join memberships using (item) join vendor_skus using (sku) where vendor_sku_id = $1`,
    [vendorSkuIdOf(source.id, vendor_ref)],
  )
  return row?.id as string
}

/** The vendor root of exactly these observations. */
const rootOfAll = (observations: readonly ObservationRecorded[]) =>
  rootOf(bucketHashes(observations.map((one) => ({ id: one.event_id, sha: sha256Bytes(observationPayload(one)) }))))

describe.each(SCOPES)('a retraction by $scope', ({ targets, recipeStays }) => {
  const stack = new AsyncDisposableStack()
  const clock = testClock()
  const mirrored = new DatabaseSync(':memory:')
  let path: Path
  let api: Api
  let key: string
  let index: SearchIndex
  let folder: string
  let gen: string
  let cement: string
  let brick: string
  /** State before any retraction. */
  let former: { archive: Buffer; seq: number; run: string; medians: string[]; explained: unknown; documents: number }

  beforeAll(async () => {
    path = stack.use(await openPath())
    folder = stack.adopt(mkdtempDisposableSync(join(tmpdir(), 'retraction-')), (made) => made.remove()).path
    const embedder = openBuiltinEmbedder()
    index = openExactIndex({ store: path.store, embedder, now: () => performance.now() })
    api = stack.adopt(testApi(path.store, clock, { index, embedder, snapshotDir: folder }), (made) => made.close())
    const publish = async () => {
      await feedIndex({ store: path.store, index, embedder })
      await takeSnapshot({ store: path.store, folder, licence: null, now: () => new Date(path.nowMs) })
      clock.advance(60_000)
      await mirror().sync()
    }
    key = await signUp(api)
    gen = (await readMeta(path.store, 'gen')) as string

    await path.append(market)
    await path.run(FIRST_RUN)
    await path.append(tiles)
    const [run] = await path.run('2026-01-11T00:00:00Z')
    await publish()
    ;[cement, brick] = [await itemOf(path, surCement), await itemOf(path, surBrick)]
    const runId = run?.runId as string
    former = {
      archive: (await get(archive())).rawPayload,
      seq: await path.seq(),
      run: runId,
      medians: await reproduced(runId),
      explained: await explained(brick, runId),
      documents: (await index.state()).documents,
    }

    for (const target of targets) await take(path, target)
    await path.run(LAST_RUN)
    await publish()
  })
  afterAll(() => stack.disposeAsync())

  const archive = () => `/v1/feeds/archive/${gen}/items/0.atom`
  async function get(url: string, headers: Record<string, string> = {}) {
    clock.advance(250)
    return await api.inject({ url, headers: { authorization: `Bearer ${key}`, ...headers } })
  }
  const json = async (url: string) => (await get(url)).json()
  /** A mirror of the catalog that asks the API without a network. */
  const mirror = () =>
    openMirror({
      url: 'https://catalog.example.org/v1',
      scope: 'items',
      into: mirrored,
      now: () => clock.at,
      wait: async () => {},
      async fetch(input, init) {
        const { pathname, search } = new URL(String(input))
        // Nothing here decodes an answer.
        const headers = { ...Object.fromEntries(new Headers(init?.headers)), 'accept-encoding': 'identity' }
        const { statusCode, headers: answered, rawPayload } = await get(`${pathname}${search}`, headers)
        const told = Object.entries(answered).map(([name, value]) => [name, String(value)] as [string, string])
        return new Response(statusCode === 304 ? null : new Uint8Array(rawPayload), {
          status: statusCode,
          headers: told,
        })
      },
    })
  async function reproduced(runId: string): Promise<string[]> {
    const { answers } = await heardBy(catalogOf(path), (catalog, terminal) => reproduceRun(catalog, terminal, runId))
    const { items } = answers[0] as { items: { item_id: string; cents: number; currency: string }[] }
    return items.map(({ item_id, cents, currency }) => `${item_id} ${cents} ${currency}`)
  }
  async function explained(itemId: string, runId: string): Promise<unknown> {
    const asked = { itemId, runId }
    return (await heardBy(catalogOf(path), (catalog, terminal) => explain(catalog, terminal, asked))).answers[0]
  }

  test('removes its facts from the tables, which equal the log', async () => {
    expect(await readCounts(path.store)).toMatchObject({ observations: 511, items: 511 })
    expect((await path.roots()).vendor).toBe(rootOfAll([norteCement, ...tiles]))
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
    await createViews(path.store)
    const rows: Record<string, unknown>[] = []
    const sql = `select name, hidden from observations where source_id = '${SUR}' order by name`
    await queryViews(path.store, { sql, timeoutMs: 60_000, rowsMax: 10 }, (page) => void rows.push(...page))
    expect(rows).toEqual([
      { name: 'Acme fortified cement', hidden: true },
      { name: 'Ladrillo perforado', hidden: true },
    ])
  })

  test('removes an item that no other vendor has: every address of it is 404, for agents too', async () => {
    for (const below of ['', '/history', '/basis', '/decomposition', '/decomposition.bc3']) {
      expect([below, (await get(`/v1/items/${brick}${below}`)).statusCode]).toEqual([below, 404])
    }
    const call = await api.inject({
      method: 'POST',
      url: '/api/mcp',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_item', arguments: { id: brick } },
      },
    })
    expect(call.body).toContain('item_not_found')
    const listed: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { items, cursor } = await json(`/v1/items?limit=100${next && `&cursor=${encodeURIComponent(next)}`}`)
      listed.push(...items.map(({ id }: { id: string }) => id))
      next = cursor
    }
    expect([listed.length, listed.includes(cement), listed.includes(brick)]).toEqual([511, true, false])
    const { categories } = (await json('/v1/categories')) as { categories: { name: string; item_count: number }[] }
    expect(categories.map(({ name, item_count }) => [name, item_count])).toEqual([['Materials', 511]])
  })

  test('leaves an item with its other vendors, to the cent, and history says since when', async () => {
    const { item, vendors } = await json(`/v1/items/${cement}`)
    expect(item).toMatchObject({ name: 'Portland cement', vendor_count: 1, observation_count: 1 })
    expect(item.median_price).toEqual({ cents: 100, currency: 'EUR', recorded_at: LAST_RUN })
    expect(vendors.map(({ source }: { source: { name: string } }) => source.name)).toEqual(['Norte'])
    const { basis, category } = await json(`/v1/items/${cement}/basis`)
    expect(basis.votes.map((vote: { observation_id: string }) => vote.observation_id)).toEqual([norteCement.event_id])
    expect([basis.voters, basis.trust_total, basis.excluded]).toEqual([1, 60, []])
    // Only the retracted vendor gave a path.
    expect(category).toMatchObject({ path: ['Materials', 'Cement and binders'], by: 'name' })
    const { points } = await json(`/v1/items/${cement}/history?from=2026-01-01T00:00:00Z`)
    expect(points.map(({ price_cents }: { price_cents: number }) => price_cents)).toEqual([120, 100])
    const recipe = await get(`/v1/items/${cement}/decomposition`)
    expect(recipe.statusCode).toBe(recipeStays ? 200 : 404)
  })

  test('does not refresh its source', async () => {
    const { sources } = (await json('/v1/sources')) as { sources: { id: string; last_observed_at: string | null }[] }
    expect(sources.find(({ id }) => id === SUR)?.last_observed_at).toBeNull()
    expect((await json(`/v1/sources/${SUR}`)).last_observed_at).toBeNull()
    expect((await json(`/v1/sources/${norteCement.source.id}`)).last_observed_at).toBe('2026-01-10T06:00:00Z')
  })

  test('is found by no word, code or line, and the rest is found by its remaining name', async () => {
    const found = async (q: string) =>
      ((await json(`/v1/search?q=${encodeURIComponent(q)}`)) as { results: { id: string; score: number }[] }).results
    const ids = async (q: string) => (await found(q)).map(({ id }) => id)
    expect(await ids('Ladrillo perforado')).not.toContain(brick)
    expect(await ids(BRICK_GTIN)).not.toContain(brick)
    expect(await ids('Portland cement')).toContain(cement)
    expect((await ids(CEMENT_GTIN))[0]).toBe(cement)
    // A code scores ten or more, and only retracted records held this one.
    expect((await found(CEMENT_REF)).filter(({ score }) => score >= 10)).toEqual([])
    const words = await index.lexical('Acme fortified ladrillo', 10)
    expect(words.map(({ itemId }) => itemId)).toEqual([])
    expect((await index.state()).documents).toBe(former.documents - 1)
    const { lines } = (
      await api.inject({
        method: 'POST',
        url: '/v1/match',
        headers: { authorization: `Bearer ${key}` },
        payload: { lines: [{ text: 'Ladrillo perforado' }, { text: BRICK_GTIN }, { text: 'Portland cement' }] },
      })
    ).json()
    expect(JSON.stringify(lines)).not.toContain(brick)
    expect(lines[2].item.id).toBe(cement)
  })

  test('leaves a tombstone in the feeds, which mirrors and snapshots follow, and changes no closed page', async () => {
    expect(await path.seq()).toBe(former.seq + 2)
    const atom = (await get('/v1/feeds/items.atom')).body
    expect(atom).toContain(`<at:deleted-entry ref="tag:catalog.example.org,2026:item/${brick}"`)
    const lines = (await get(`/v1/feeds/items.atom?since=${former.seq}`, { accept: 'application/x-ndjson' })).body
    const changes = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(changes.map(({ id, op }) => [id, op]).sort()).toEqual(
      [
        [brick, 'delete'],
        [cement, 'upsert'],
      ].sort(),
    )
    expect((await get(archive())).rawPayload.equals(former.archive)).toBe(true)
    expect(former.archive.includes(brick)).toBe(true)

    const { state_root, count } = await json(`/v1/feeds/digest/${gen}/items/${former.seq + 2}.json`)
    expect({ state_root, count }).toEqual({ state_root: (await path.roots()).catalog, count: 511 })
    const copies = [...mirror().items()]
    expect(copies.map(({ id }) => id)).not.toContain(brick)
    expect(rootOf(bucketHashes(copies.map(({ id, state }) => ({ id, sha: sha256Bytes(state) }))))).toBe(state_root)

    const place = join(folder, gen, String(former.seq + 2))
    const manifest = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({ count: 511, state_root })
    const shards = manifest.shards.map(({ file }: { file: string }) => gunzipSync(readFileSync(join(place, file))))
    expect(Buffer.concat(shards).includes(cement)).toBe(true)
    for (const text of [brick, 'Acme', 'Ladrillo']) expect(Buffer.concat(shards).includes(text)).toBe(false)
  })

  test('is in no price book', async () => {
    const { categories } = (await json('/v1/categories')) as { categories: { id: string }[] }
    const books = await Promise.all(categories.map(({ id }) => get(`/v1/categories/${id}.bc3`)))
    const text = books.map(({ body }) => body).join('')
    expect(text).toContain('Tile number 7')
    expect(text).not.toMatch(/Ladrillo|Acme/)
  })

  test('still shows where an earlier run is reproduced or explained', async () => {
    expect(former.medians).toContain(`${cement} 120 EUR`)
    expect(former.medians).toContain(`${brick} 45 EUR`)
    expect(await reproduced(former.run)).toEqual(former.medians)
    expect(await explained(brick, former.run)).toEqual(former.explained)
    expect(former.explained).toMatchObject({ name: 'Ladrillo perforado', median: { cents: 45 } })
  })

  test('makes an incremental run equal a full one, and neither publishes anything again', async () => {
    const { catalog } = await path.roots()
    for (const full of [true, false]) {
      const [report] = await path.run(LAST_RUN, { full })
      expect(report).toMatchObject({ changed: 0, basisOnly: 0 })
      const medians = await reproduced(report?.runId as string)
      expect(medians).toContain(`${cement} 100 EUR`)
      expect(medians.join()).not.toContain(brick)
    }
    expect((await path.roots()).catalog).toBe(catalog)
  })

  test('stays away after a full replay of the log', async () => {
    const before = { ...(await path.roots()), seq: await path.seq() }
    await path.rebuild()
    expect({ ...(await path.roots()), seq: await path.seq() }).toEqual(before)
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
    expect((await get(`/v1/items/${brick}`)).statusCode).toBe(404)
  })
})

describe('on a small market', () => {
  let path: Path
  let onePartition: Path
  beforeAll(async () => {
    path = await openPath()
    const store = await openTestStore()
    onePartition = await openPath({ parts: { store, log: await openTableLog(store, { observationPartitions: 1 }) } })
  })
  afterAll(async () => {
    await path[Symbol.asyncDispose]()
    await onePartition[Symbol.asyncDispose]()
  })
  beforeEach(() => path.reset())

  const taken = (target: object, recordedAt = '2026-01-08T00:00:00Z', reason = 'wrong') => ({
    ...event({
      type: 'ObservationRetracted',
      source_id: SUR,
      target: target as never,
      reason: `${reason} ${recordedAt}`,
    }),
    recorded_at: recordedAt,
  })
  const priceOf = async (one: ObservationRecorded) => {
    const [row] = await path.store.query<{ state: string; cents: number | null; version: number }>(
      `select state, (item_json::jsonb->'median_price'->>'cents')::int as cents, version::int from items where item_id = $1`,
      [await itemOf(path, one)],
    )
    return row && (row.state === 'active' ? row.cents : row.state)
  }
  const again = (crawl: string, recordedAt: string) => ({ ...surBrick, crawl_id: crawl, recorded_at: recordedAt })

  describe('a repeated observation', () => {
    test.each([
      ['by its id stays away, whoever brings it', { scope: 'observation', observation_id: surBrick.event_id }, 'gone'],
      ['by its crawl is back with another crawl, in its item', { scope: 'crawl', crawl_id: 'crawl-sur' }, 45],
      ['by its source is back with what is recorded later', { scope: 'source' }, 45],
    ] as const)('after its retraction %s', async (_what, target, expected) => {
      await path.append(market)
      await path.run(FIRST_RUN)
      const item = await itemOf(path, surBrick)
      await path.append([taken(target), taken(target)])
      await path.run('2026-01-08T00:00:00Z')
      expect(await priceOf(surBrick)).toBe('gone')

      // Neither the same crawl again nor records from before a source's retraction bring anything back.
      await path.append([again('crawl-sur', '2026-01-09T00:00:00Z')])
      if (target.scope === 'source') await path.append([again('crawl-slow', '2026-01-08T00:00:00Z')])
      await path.run('2026-01-09T00:00:00Z')
      expect(await priceOf(surBrick)).toBe('gone')

      await path.append([again('crawl-next', '2026-01-10T00:00:00Z')])
      await path.run('2026-01-10T00:00:00Z')
      expect([await priceOf(surBrick), await itemOf(path, surBrick)]).toEqual([expected, item])
      expect(await path.run('2026-01-10T00:00:00Z', { full: true })).toMatchObject([{ changed: 0, basisOnly: 0 }])
      const before = await path.roots()
      await path.rebuild()
      expect(await path.roots()).toEqual(before)
    })
  })

  /** Deliveries of a few prices by crawls, and retractions of them. A crawl is recorded at one instant. */
  const CRAWLS = ['c1', 'c2', 'c3']
  const recordedAt = (crawl: string) => `2026-01-0${CRAWLS.indexOf(crawl) + 5}T07:00:00Z`
  const delivered = fc.record({
    ref: fc.constantFrom('A', 'B'),
    day: fc.integer({ min: 1, max: 2 }),
    crawl: fc.constantFrom(...CRAWLS),
  })
  const delivery = ({ ref, day, crawl }: { ref: string; day: number; crawl: string }) =>
    observation({
      vendor: 'Sur',
      ref,
      name: `Product ${ref}`,
      cents: 100 + day,
      at: `2026-01-0${day}T06:00:00Z`,
      crawl,
      recordedAt: recordedAt(crawl),
    })
  const retraction = fc.oneof(
    delivered.map((say) => taken({ scope: 'observation', observation_id: delivery(say).event_id })),
    fc.constantFrom(...CRAWLS).map((crawl_id) => taken({ scope: 'crawl', crawl_id })),
    fc.constantFrom(...CRAWLS).map((crawl) => taken({ scope: 'source' }, recordedAt(crawl))),
  )
  /** The retraction law word for word, as the oracle. */
  function standing(events: readonly CatalogEvent[]): ObservationRecorded[] {
    const observations = events.filter((one): one is ObservationRecorded => one.type === 'ObservationRecorded')
    const retractions = events.flatMap((one) => (one.type === 'ObservationRetracted' ? [one] : []))
    const covers = ({ crawl_id, recorded_at }: ObservationRecorded) =>
      retractions.some(
        ({ target, recorded_at: until }) =>
          (target.scope === 'crawl' && target.crawl_id === crawl_id) ||
          (target.scope === 'source' && recorded_at <= until),
      )
    const byId = new Map(observations.map((one) => [one.event_id, one]))
    return [...byId.values()].filter(
      ({ event_id }) =>
        !retractions.some(({ target }) => target.scope === 'observation' && target.observation_id === event_id) &&
        !observations.every((one) => one.event_id !== event_id || covers(one)),
    )
  }

  test('any order, repetition and number of partitions gives the same state and publication', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(delivered, { minLength: 1, maxLength: 6 }),
        fc.array(retraction, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(1_000), { minLength: 12, maxLength: 12 }),
        fc.boolean(),
        async (deliveries, retractions, order, isOnePartition) => {
          const tried = isOnePartition ? onePartition : path
          await tried.reset()
          const told: CatalogEvent[] = [...deliveries.map(delivery), ...retractions, retractions[0] as CatalogEvent]
          const shuffled = told
            .map((one, i) => [order[i] as number, one] as const)
            .sort(([a], [b]) => a - b)
            .map(([, one]) => one)
          const half = Math.ceil(shuffled.length / 2)
          await tried.append([registration({ vendor: 'Sur' }), ...shuffled.slice(0, half)])
          await tried.run('2026-01-11T00:00:00Z')
          await tried.append(shuffled.slice(half))
          await tried.run('2026-01-12T00:00:00Z')
          expect(await tried.run('2026-01-12T00:00:00Z', { full: true })).toMatchObject([{ changed: 0, basisOnly: 0 }])

          const stands = standing(told)
          const prices = new Map(
            stands.sort((a, b) => a.price.cents - b.price.cents).map((one) => [one.name, one.price.cents]),
          )
          const shown = await tried.store.query<{ name: string; cents: number }>(
            `select name, (item_json::jsonb->'median_price'->>'cents')::int as cents from items where state = 'active'`,
          )
          expect(new Map(shown.map(({ name, cents }) => [name, cents]))).toEqual(prices)
          const before = await tried.roots()
          expect(before.vendor).toBe(rootOfAll(stands))
          await tried.rebuild()
          expect(await tried.roots()).toEqual(before)

          // The command retracts exactly what its dry run announced.
          const [first] = stands
          const crawls = CRAWLS.filter((crawl) => told.some((one) => 'crawl_id' in one && one.crawl_id === crawl))
          const asked = [...crawls.map((crawl) => ({ crawl })), { source: 'Sur' }]
          for (const options of first === undefined ? asked : [{ observation: first.event_id }, ...asked]) {
            const count = async () => (await readCounts(tried.store)).observations
            const had = await count()
            const { hidden } = await take(tried, { ...options, dryRun: true })
            expect(await count()).toBe(had)
            expect(await take(tried, options)).toMatchObject({ hidden })
            expect(await count()).toBe(had - hidden)
          }
        },
      ),
      { numRuns: 8 },
    )
  })

  test('a log file carries its retractions along: neither copied nor merged it brings anything back', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'retraction-'))
    const signal = new AbortController().signal
    const file = join(folder.path, 'log')
    await using copy = await openPath()
    for (const { targets } of SCOPES) {
      await path.reset()
      await path.append([...market, again('crawl-norte', '2026-01-06T00:00:00Z')])
      for (const target of [...targets, { observation: surBrick.event_id }]) await take(path, target)
      await exportLog({ catalog: catalogOf(path), terminal: listening().terminal, signal }, { out: file })
      for (const files of [[file], [file, file]]) {
        await copy.reset()
        const place = { ...catalogOf(copy), spoolDir: folder.path }
        await importLog({ catalog: place, terminal: listening().terminal, signal }, files, {})
        expect((await copy.roots()).vendor).toBe(rootOfAll([norteCement]))
        await copy.run(LAST_RUN)
        expect(await copy.store.query(`select name from items where state = 'active'`)).toEqual([
          { name: norteCement.name },
        ])
      }
    }
  })

  describe('catalog retract', () => {
    const ends = async () => (await path.log.partitions('vendor.observations')).map(({ next }) => Number(next))
    beforeEach(async () => {
      await path.append(market)
      await path.run(FIRST_RUN)
    })

    test.each(SCOPES)(
      'by $scope previews, appends nothing, and then retracts exactly the preview',
      async ({ targets }) => {
        const held = await ends()
        const byId = { covered: 1, hidden: 1, items: 1, recipes: 0 }
        const all = { covered: 2, hidden: 2, items: 2, recipes: 1 }
        for (const target of targets) {
          const expected = 'observation' in target ? byId : all
          const would = await take(path, { ...target, dryRun: true })
          expect(would).toMatchObject({ dry_run: true, ...expected })
          expect(would.text).toMatch(
            /^would retract (1 of 1 observation in 1 item|2 of 2 observations in 2 items and 1 recipe)$/,
          )
        }
        expect(await ends()).toEqual(held)
        for (const target of targets) {
          expect(await take(path, target)).toMatchObject({ dry_run: false, ...('observation' in target ? byId : all) })
          const twice = await take(path, target)
          expect(twice).toMatchObject({ hidden: 0, items: 0, recipes: 0 })
          expect(twice.text).toMatch(
            /^retracted nothing more: all [12] observations were delivered by other crawls too, or are retracted already$/,
          )
        }
        expect(await readCounts(path.store)).toMatchObject({ observations: 1 })
      },
    )

    test("counts another crawl's deliveries only when that crawl is gone as well", async () => {
      await path.append([again('crawl-next', '2026-01-06T00:00:00Z')])
      expect(await take(path, { crawl: 'crawl-sur', dryRun: true })).toMatchObject({ covered: 2, hidden: 1, items: 1 })
      expect(await take(path, { crawl: 'crawl-next' })).toMatchObject({ covered: 1, hidden: 0, items: 0 })
      expect(await take(path, { crawl: 'crawl-sur', dryRun: true })).toMatchObject({ covered: 2, hidden: 2, items: 2 })
    })

    test('retracts what a killed crawl left in the log, and a crawl that brought only recipes', async () => {
      const left = observation({ vendor: 'Sur', ref: 'S9', name: 'Gravel', crawl: 'crawl-killed' })
      await path.log.append('vendor.observations', [{ key: 'S9', value: JSON.stringify(left) }])
      expect(await take(path, { crawl: 'crawl-killed' })).toMatchObject({ covered: 1, hidden: 1 })
      const book = {
        ...surRecipe,
        vendor_ref: 'S2',
        event_id: 'a recipe of bricks',
        crawl_id: 'crawl-book',
      } as CatalogEvent
      await path.append([book])
      const took = await take(path, { crawl: 'crawl-book' })
      expect(took).toMatchObject({ covered: 0, hidden: 0, recipes: 1 })
      expect(took.text).toBe('retracted 0 of 0 observations in 0 items and 1 recipe')
    })

    test.each<[Partial<RetractOptions>, RegExp]>([
      [{ observation: 'abc' }, /observation 'abc': expected the id of a stored one, 64 hexadecimal digits/],
      [{ observation: '0'.repeat(64) }, /observation '0+': expected the id of a stored one/],
      [{ crawl: 'crawl-none' }, /crawl 'crawl-none': expected one that delivered records, as catalog crawl shows it/],
      [{ source: 'Este' }, /source 'Este': expected an id or a name: .*Sur \(src_/],
      [{ source: 'Sur', reason: '' }, /expected --reason "..."; a retraction is permanent/],
      [{ source: 'Sur', crawl: 'crawl-sur' }, /expected exactly one of --observation, --crawl, --source and --run/],
    ])('of %j appends nothing and says what it expected', async (options, refusal) => {
      const held = await ends()
      await expect(take(path, options)).rejects.toThrow(refusal)
      expect(await ends()).toEqual(held)
    })
  })

  test('a SKU takes the name of its remaining observations, and of retracted ones where none remain', async () => {
    const later = observation({
      vendor: 'Sur',
      ref: 'S2',
      name: 'Wrong line',
      at: '2026-01-06T06:00:00Z',
      crawl: 'crawl-late',
    })
    await path.append([...market, later])
    const skuId = vendorSkuIdOf(SUR, 'S2')
    const nameOf = async () =>
      (await readSkuNames(path.store, { skuIds: [skuId], observationIds: [] })).get(skuId)?.name
    expect(await nameOf()).toBe('Wrong line')
    await take(path, { crawl: 'crawl-late' })
    expect(await nameOf()).toBe('Ladrillo perforado')
    await take(path, { source: 'Sur' })
    expect(await nameOf()).toBe('Wrong line')
  })
})
