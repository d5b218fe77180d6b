import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { LOAD_MAX } from '@catalog/api/http/load-shedding.ts'
import { type Api, type ApiDeps, buildApi } from '@catalog/api/server.ts'
import { canonicalJson, type JsonValue, sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
import type { ItemEvent } from '@catalog/core/events/events.ts'
import type { Basis, ItemPublished, PublicState } from '@catalog/core/events/items.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { foldText } from '@catalog/core/text.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { memoryReplica } from '@catalog/stack/store/replica.ts'
import { saveSnapshot } from '@catalog/store/catalog/snapshots.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import type { Queryable, Store } from '@catalog/store/db.ts'
import { insertRetractions } from '@catalog/store/vendor/retraction.ts'
import type { TestClock } from './clock.ts'
import { event } from './events.ts'

/** Test helpers: rows as the projector writes them, a word index, and an API with a clock that the test advances. */

export const BASE_URL = 'https://catalog.example.org/v1'

/** The clock by which rows are stamped in place of the database's: that of the last API, while one is open. */
const NO_API: Pick<TestClock, 'at'> = { at: new Date('2026-11-20T12:00:00Z') }
let storeClock = NO_API
let openApis = 0

/**
 * Dates by the test's clock what the transaction wrote, and what is later than that. A file that another one's open API
 * may precede in its process names its own clock.
 */
export async function stamp(tx: Queryable, clock: Pick<TestClock, 'at'> = storeClock): Promise<void> {
  for (const [table, column] of [
    ['checkpoints', 'moved_at'],
    ['scope_heads', 'moved_at'],
    ['digests', 'made_at'],
    ['snapshots', 'saved_at'],
    ['feed_floors', 'moved_at'],
  ])
    await tx.query(`update ${table} set ${column} = $1 where ${column} > least(now(), $1)`, [clock.at])
}

/** Builds an API with a replica of its own, whose limits are out of reach unless a test sets its own. */
export function testApi(store: Store, clock: TestClock, deps: Partial<ApiDeps> = {}): Api {
  storeClock = clock
  openApis++
  const replica = memoryReplica(store)
  const api = buildApi({
    store,
    replica,
    index: wordIndex(store),
    embedder: null,
    publicBaseUrl: 'https://catalog.example.org',
    limits: {
      ...LIMITS,
      anonPerMinute: 100_000,
      searchPerMinute: 100_000,
      signupsPerHour: 100_000,
      signupsPerDay: 100_000,
      signupsPerEmailPerDay: 100_000,
    },
    // The event loop is that of the tests, whose own work must refuse nothing.
    loadMax: { ...LOAD_MAX, eventLoopDelayMs: Number.POSITIVE_INFINITY },
    trustedProxies: [],
    now: () => clock.at,
    ...deps,
  })
  api.addHook('onClose', async () => {
    if (--openApis === 0) storeClock = NO_API
    await replica[Symbol.asyncDispose]()
  })
  return api
}

/** Signs up and returns the new public developer key. */
export async function signUp(api: Api, email = 'builder@example.org'): Promise<string> {
  const response = await api.inject({ method: 'POST', url: '/v1/keys/signup', payload: { email } })
  return (response.json() as { key: string }).key
}

export const revoke = (api: Api, key: string) =>
  api.inject({ method: 'POST', url: '/v1/keys/revoke', headers: { authorization: `Bearer ${key}` } })

/** Makes a well-formed id: lowercase base32 letters after the prefix. */
export function testId(prefix: string, name: string | number): string {
  return `${prefix}${String(name).replace(/[^a-z2-7]/g, (letter) => 'abcdefghij'[letter.charCodeAt(0) % 10] as string)}${'a'.repeat(20)}`
}

type Median = { cents: number; currency: string; recorded_at: string | null } | null
export type TestItem = {
  id: string
  name?: string
  unit?: string | null
  cpv?: string | null
  category_id?: string | null
  median_price?: Median
  updated_at?: string
  regions?: string[]
  markets?: Record<string, Median>
  vendor_sku_ids?: string[]
  kind?: PublicState['kind']
  names?: PublicState['names']
  category?: PublicState['category']
  state?: 'active' | 'merged' | 'gone'
  merged_into?: string | null
  basis?: Partial<Basis>
}

const NOON = '2026-11-20T12:00:00Z'

/** Publishes an item. It is a change also where the state is the same as before. */
export async function publish(store: Store, given: TestItem): Promise<PublicState> {
  const { regions = ['ES'], markets = {}, state = 'active', merged_into = null, vendor_sku_ids = [] } = given
  const published: PublicState = {
    item: {
      id: given.id,
      name: given.name ?? 'Portland cement CEM II 42.5 R',
      unit: given.unit === undefined ? '25 kg' : given.unit,
      cpv: given.cpv ?? null,
      category_id: given.category_id ?? null,
      vendor_count: vendor_sku_ids.length,
      observation_count: vendor_sku_ids.length,
      median_price:
        given.median_price === undefined ? { cents: 485, currency: 'EUR', recorded_at: NOON } : given.median_price,
      updated_at: given.updated_at ?? NOON,
    },
    regions: [...regions].sort(),
    markets: Object.entries(markets)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([region, median_price]) => ({ region, median_price, vendor_count: 1 })),
    state,
    merged_into,
    ...(given.kind && { kind: given.kind }),
    ...(given.names && { names: given.names }),
    ...(given.category && { category: given.category }),
  }
  const basis: Basis = {
    method_version: 'twm/1',
    currency: published.item.median_price?.currency ?? null,
    votes: [],
    excluded: [],
    voters: 2,
    trust_total: 100,
    p25: null,
    p75: null,
    last_observed_at: null,
    ...given.basis,
  }
  // By another hash of its material every state is a new one.
  const [old] = await store.query<{ version: number }>(
    `update items set material_sha = '' where item_id = $1 returning version`,
    [given.id],
  )
  const version = (old?.version ?? 0) + 1
  const about = { item_id: given.id, version, vendor_sku_ids, category_path: null, run_id: 'run', as_of: NOON }
  await apply(store, () => [event({ type: 'ItemPublished', state: published, basis, ...about })])
  return published
}

/** Publishes many events in one transaction. */
export const publishAll = (store: Store, events: readonly ItemPublished[]): Promise<void> => apply(store, () => events)

/** Marks the end of a run. */
export const markRun = (store: Store, asOf = NOON): Promise<void> =>
  apply(store, (offset) => {
    const mark = event({ type: 'RunMarked', run_id: `run_${offset}`, as_of: asOf, items_published: 0 })
    return [{ ...mark, recorded_at: asOf }]
  })

/** Applies events as the projector does. The points of prices are for tests to write. */
async function apply(store: Store, eventsAt: (offset: bigint) => readonly ItemEvent[]): Promise<void> {
  await store.transaction(async (tx) => {
    const at = { topic: TOPICS.items, partition: 0, offset: await nextOffset(tx, 'items') }
    const placed = eventsAt(at.offset).map((event) => ({ ...at, event }))
    await itemsProjection.apply(tx, placed)
    await tx.query('delete from price_points where xmin = pg_current_xact_id()::xid')
    await moveCheckpoint(tx, 'items', 'catalog.items')
  })
}

/** Adds SKUs to an item that lacks them, as a publication that changes no more than its basis. */
export async function addSkus(store: Store, itemId: string, skuIds: readonly string[]): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(
      `update items set "offset" = $3, vendor_sku_ids = vendor_sku_ids ||
         array(select unnest($2::text[]) except select unnest(vendor_sku_ids)) where item_id = $1`,
      [itemId, skuIds, await nextOffset(tx, 'items')],
    )
    await moveCheckpoint(tx, 'items', 'catalog.items')
  })
}

/** The offset of the next record that the projection applies to partition 0 of its topic. */
async function nextOffset(tx: Queryable, projection: 'items' | 'vendor'): Promise<bigint> {
  const [row] = await tx.query<{ next: bigint }>(
    `select next from checkpoints where projection = $1 and partition = 0 and topic <> 'catalog.decisions'`,
    [projection],
  )
  return row?.next ?? 0n
}

async function moveCheckpoint(tx: Queryable, projection: string, topic: string): Promise<void> {
  await tx.query(
    `insert into checkpoints values ($1, $2, 0, 1, null)
     on conflict (projection, topic, partition) do update set next = checkpoints.next + 1, moved_at = clock_timestamp()`,
    [projection, topic],
  )
  await stamp(tx)
}

export type TestObservation = {
  vendor_sku_id: string
  name?: string
  source?: { id: string; name?: string; region?: string | null; url?: string | null; trust_score?: number }
  registered?: boolean
  observed_at: string
  cents: number
  currency?: string
  per_quantity?: number
  min_quantity?: string
  tax_included?: boolean
  tax_rate?: string
  unit?: string | null
  crawl_id?: string
  recorded_at?: string
}

/** Records one observation and its delivery; returns the observation id in hex. */
export async function observe(store: Store, given: TestObservation): Promise<string> {
  const source = { name: `Source of ${given.vendor_sku_id}`, region: 'ES', url: null, trust_score: 50, ...given.source }
  const sourceId = given.source?.id ?? `src_${given.vendor_sku_id}`
  const { crawl_id = 'crawl', recorded_at = given.observed_at, registered = true, unit = '25 kg' } = given
  const { crawl_id: _c, recorded_at: _r, ...content } = given
  const payload = canonicalJson({ ...content, source } as unknown as JsonValue)
  const observationId = sha256Bytes(payload)
  await store.transaction(async (tx) => {
    const offset = await nextOffset(tx, 'vendor')
    await tx.query(
      registered
        ? `insert into sources (source_id, registered_offset, name, region, url, trust_score, validity_days, kind, enabled)
           values ($1, 0, $2, $3, $4, $5, 30, 'shop', true) on conflict do nothing`
        : `insert into sources (source_id) values ($1) on conflict do nothing`,
      registered ? [sourceId, source.name, source.region, source.url, source.trust_score] : [sourceId],
    )
    await tx.query(
      `insert into vendor_skus (vendor_sku_id, source, vendor_ref)
       select $1, source, $1 from sources where source_id = $2 on conflict do nothing`,
      [given.vendor_sku_id, sourceId],
    )
    await tx.query(`insert into crawls (crawl_id) values ($1) on conflict do nothing`, [crawl_id])
    await tx.query(
      `with terms as (
         insert into price_terms (terms_key, currency, per_quantity, min_quantity, tax_included, tax_rate, kind, unit)
         values (json_build_array($5::text, $6::bigint, $7::numeric, $8::boolean, $9::numeric, $10::text)::text,
           $5, $6, $7, $8, $9, 'list', $10)
         on conflict (terms_key) do update set kind = excluded.kind returning terms
       )
       insert into observations (observation, observation_id, sku, terms, crawl, recorded_at, observed_at, cents, payload)
       select $14, $1, sku, terms, crawl, $13, $3, $4, $11
       from vendor_skus, terms, crawls where vendor_sku_id = $2 and crawl_id = $12
       on conflict do nothing`,
      [
        observationId,
        given.vendor_sku_id,
        given.observed_at,
        given.cents,
        given.currency ?? 'EUR',
        given.per_quantity ?? 1,
        given.min_quantity ?? null,
        given.tax_included ?? null,
        given.tax_rate ?? null,
        unit,
        payload,
        crawl_id,
        recorded_at,
        offset,
      ],
    )
    await tx.query(
      `insert into redeliveries select observation, crawls.crawl, 0, $4, $3 from observations o, crawls
        where observation_id = $1 and crawl_id = $2 and o.crawl <> crawls.crawl on conflict do nothing`,
      [observationId, crawl_id, recorded_at, offset],
    )
    await moveCheckpoint(tx, 'vendor', 'vendor.observations')
  })
  return observationId.toString('hex')
}

export type TestRetraction = { source_id: string; recorded_at: string } & (
  | { scope: 'observation'; observation_id: string }
  | { scope: 'crawl'; crawl_id: string }
  | { scope: 'source' }
)

export async function retract(store: Store, given: TestRetraction): Promise<void> {
  const { source_id, recorded_at, ...target } = given
  const retracted = { ...event({ type: 'ObservationRetracted', source_id, target, reason: 'wrong' }), recorded_at }
  await store.transaction(async (tx) => {
    await insertRetractions(tx, [{ partition: 0, offset: await nextOffset(tx, 'vendor'), event: retracted }])
    await moveCheckpoint(tx, 'vendor', 'vendor.observations')
  })
}

/** Finds documents that hold a word of the query, read from the items table; has no vectors. */
export function wordIndex(store: Store): SearchIndex {
  const documents = async () =>
    await store.query<{ itemId: string; name: string; regions: string[] }>(
      `select item_id as "itemId", name,
         array(select region from item_regions r where r.item_id = items.item_id) as regions from items`,
    )
  return {
    adapter: 'words',
    identity: 'words',
    async put() {},
    async remove() {},
    async nearest() {
      return []
    },
    async lexical(query, k, filter) {
      const words = foldText(query).split(' ')
      return (await documents())
        .filter(({ name, regions }) => {
          const nameWords = foldText(name).split(/[ ,]+/)
          return words.some((word) => nameWords.includes(word)) && (!filter?.region || regions.includes(filter.region))
        })
        .slice(0, k)
        .map(({ itemId, name }) => ({ itemId, name, body: '', cosine: null }))
    },
    async frequencies(tokens) {
      const names = (await documents()).map(({ name }) => foldText(name).split(/[ ,]+/))
      return {
        documents: names.length,
        counts: tokens.map((token) => names.filter((name) => name.includes(token)).length),
      }
    },
    async isEmbedded() {
      return false
    },
    async drop() {
      return false
    },
    async state() {
      return { seq: 0n, documents: (await documents()).length, vectors: 0 }
    },
  }
}

/** Creates an embedder that returns the vectors of the given function. */
export function embedderOf(embed: Embedder['embed']): Embedder {
  return { model: 'test', dims: 2, fingerprint: 'test', embed }
}

/** Records a snapshot, so that state.json names it. */
export async function noteSnapshot(store: Store, { seq }: { seq: bigint }): Promise<void> {
  const gen = (await readMeta(store, 'gen')) as string
  const snapshot = { gen, seq, createdAt: NOON, count: 0, bytes: 0, edition: null }
  await saveSnapshot(store, { ...snapshot, manifestSha: '0'.repeat(64) })
}

/**
 * Writes a snapshot folder with a manifest, one shard, one file and the list; returns the bytes. The caller removes it.
 */
export function writeSnapshotFiles(folder: string, { gen, seq }: { gen: string; seq: number }) {
  const shard = Buffer.from('the bytes of a shard, which nobody unpacks here')
  const place = join(folder, gen, String(seq))
  const manifest = JSON.stringify({
    protocol: 'ccm/1',
    gen,
    seq,
    shards: [{ bucket: 0, file: '00.ndjson.gz', count: 0, bytes: shard.length, sha256: sha256Hex(shard) }],
    files: [{ file: 'items.parquet', rows: 0, bytes: 7, sha256: sha256Hex('parquet') }],
  })
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'manifest.json'), manifest)
  writeFileSync(join(place, '00.ndjson.gz'), shard)
  writeFileSync(join(place, 'items.parquet'), 'parquet')
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ protocol: 'ccm/1', snapshots: [] }))
  return { shard, manifest }
}
