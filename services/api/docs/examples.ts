import type * as contract from '@catalog/api/contract/contract.ts'
import { atomOf, type FeedPage, ndjsonOf, rssOf, stateJson } from '@catalog/api/feeds/feed-documents.ts'
import type { ErrorCode } from '@catalog/api/http/errors.ts'
import { itemMarkdown } from '@catalog/api/items/markdown.ts'
import { decompositionMarkdown } from '@catalog/api/price-books/decomposition-markdown.ts'
import { chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { digestJson, type FeedChange, type FeedState } from '@catalog/core/changes/protocol.ts'
import { stateSha } from '@catalog/core/changes/public-state.ts'
import { bucketHashes, canonicalJson, rootOf } from '@catalog/core/digest.ts'
import type { z } from 'zod'

/** One item of the catalog as every operation shows it, for the OpenAPI document; a test holds it to the shapes. */

const ITEM_ID = 'ci_4pkz6qjxw2h7mtd3ruvy5cnaeo'
const SKU_ID = 'vsku_r3k6hzqf5m2xwtjd7cnyvboua4'
const SOURCE_ID = 'src_7yqk2mzh4xwd6tjr'
const RUN_ID = 'run_20261120020000_5f0c1a2b3d'
const NIGHT = '2026-11-20T02:00:00Z'
const CURSOR = 'AWNpXzRwa3o2cWp4dzJoN210ZDNydXZ5NWNuYWVvh0Jm2nqX5Zs'

const item: z.infer<typeof contract.CanonicalItem> = {
  id: ITEM_ID,
  name: 'Placa de yeso laminado 13 mm',
  unit: 'm²',
  cpv: '44112300',
  category_id: 'cat_m5xwq2zk7hjd4ty6',
  vendor_count: 3,
  observation_count: 12,
  median_price: { cents: 485, currency: 'EUR', recorded_at: NIGHT },
  updated_at: NIGHT,
}
const detail: contract.ItemDetail = {
  item,
  vendors: [
    {
      vendor_sku_id: SKU_ID,
      source: { name: 'Materiales Norte', region: 'ES', trust_score: 70, url: 'https://materiales-norte.example' },
      price: { cents: 485, currency: 'EUR' },
      unit: 'm²',
      observed_at: '2026-11-19T08:30:00Z',
    },
  ],
  price_history: [
    { recorded_at: '2026-08-22T02:00:00Z', price_cents: 472, currency: 'EUR' },
    { recorded_at: NIGHT, price_cents: 485, currency: 'EUR' },
  ],
}
const market = { cents: 485, currency: 'EUR' }
const category: z.infer<typeof contract.Category> = {
  id: 'cat_m5xwq2zk7hjd4ty6',
  name: 'Placas de yeso',
  parent_id: 'cat_z7kq4hwx2mjd5ty3',
  item_count: 42,
}
const crawl: z.infer<typeof contract.Crawl> = {
  id: 'crawl_20261119083000_0a1b2c3d4e',
  started_at: '2026-11-19T08:30:00Z',
  finished_at: '2026-11-19T08:31:12Z',
  outcome: 'recorded',
  complete: true,
  partial: false,
  read: 1_850,
  appended: 1_612,
  duplicates: 230,
  parked: 8,
  parse_rate: 0.9957,
  missed: 0,
  known: 1_840,
  vanished: 4,
  changed: 51,
  changed_share: 0.0278,
  drift: 0.002,
  problems: [],
}
const source: z.infer<typeof contract.Source> = {
  id: SOURCE_ID,
  name: 'Materiales Norte',
  region: 'ES',
  url: 'https://materiales-norte.example',
  kind: 'shop',
  trust_score: 70,
  validity_days: 30,
  enabled: true,
  vendor_sku_count: 1_840,
  observation_count: 22_310,
  last_observed_at: '2026-11-19T08:30:00Z',
  last_crawl: {
    ...crawl,
    id: 'crawl_20261120083000_5f6a7b8c9d',
    started_at: '2026-11-20T08:30:00Z',
    finished_at: '2026-11-20T08:30:01Z',
    outcome: 'unchanged',
    read: 0,
    appended: 0,
    duplicates: 0,
    parked: 0,
    parse_rate: null,
    known: null,
    vanished: null,
    changed: null,
    changed_share: null,
    drift: null,
  },
  last_complete_crawl: crawl,
  held_crawl: null,
}
const named = {
  vendor_ref: 'PYL-13',
  vendor_sku_name: 'Placa yeso laminado 13 mm',
  source_id: SOURCE_ID,
  source_name: 'Materiales Norte',
}

const basis: contract.ItemBasis = {
  item_id: ITEM_ID,
  name: item.name,
  unit: 'm²',
  merged_into: null,
  run_id: RUN_ID,
  as_of: NIGHT,
  median: market,
  markets: [{ region: 'ES', median: market, vendor_count: 3 }],
  vendor_sku_ids: [SKU_ID],
  basis: {
    method_version: 'twm/1',
    currency: 'EUR',
    voters: 1,
    single_voter: true,
    note: 'rests on one vendor alone',
    trust_total: 70,
    p25: 485,
    p75: 485,
    last_observed_at: '2026-11-19T08:30:00Z',
    votes: [
      {
        vendor_sku_id: SKU_ID,
        ...named,
        observation_id: '5b0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614',
        price: '58685/121',
        price_cents: 485,
        currency: 'EUR',
        trust: 70,
        observed_at: '2026-11-19T08:30:00Z',
        markets: ['ES'],
      },
    ],
    excluded: [{ id: 'vsku_q5xw2zk7hjd4ty6m3rncvboua2', reason: 'EXPIRED', vendor_sku_id: null, ...named }],
  },
}

/** A line of a recipe, of one thing that is bought. */
const bought = {
  factor: '1',
  quantity: '1',
  price_basis: 'file' as const,
  base_amount: null,
  item: null,
  now: null,
  children: [],
  omitted: null,
}
const decomposition: contract.Decomposition = {
  item: { id: ITEM_ID, name: 'Tabique de placa de yeso', unit: 'm²', median_price: item.median_price },
  recipe: {
    vendor_sku_id: SKU_ID,
    vendor_ref: 'TAB013',
    unit: 'm2',
    currency: 'EUR',
    declared_price: '15.10',
    observed_at: '2026-11-01T00:00:00Z',
    source: { id: SOURCE_ID, name: 'Banco de precios', region: 'ES', trust_score: 80, url: null },
  },
  alternatives: [],
  region: null,
  quantity: '1',
  lines: [
    {
      ...bought,
      position: 1,
      kind: 'material',
      code: 'PYL-13',
      name: 'Placa de yeso laminado 13 mm',
      unit: 'm2',
      factor: '1.05',
      yield: '2',
      quantity: '2.1',
      unit_price: '4.60',
      amount: '9.66',
      item: { id: ITEM_ID, name: item.name, unit: 'm²', median_price: item.median_price },
      now: { basis: 'item', unit_price: '4.85', amount: '10.19' },
    },
    {
      ...bought,
      position: 2,
      kind: 'labor',
      code: 'MO001',
      name: 'Montador',
      unit: 'h',
      yield: '0.25',
      quantity: '0.25',
      unit_price: '20.56',
      amount: '5.14',
    },
    {
      ...bought,
      position: 3,
      kind: 'percentage',
      code: '%',
      name: 'Costes complementarios',
      unit: '%',
      yield: '0.02',
      quantity: '0.02',
      unit_price: null,
      price_basis: null,
      base_amount: '14.80',
      amount: '0.30',
    },
  ],
  totals: {
    labor: '5.14',
    machinery: '0.00',
    material: '9.66',
    auxiliary: '0.00',
    percentage: '0.30',
    waste: '0.00',
    unclassified: '0.00',
    indirect: '0.00',
    total: '15.10',
  },
  resources: {
    labor: '5.14',
    machinery: '0.00',
    material: '9.66',
    auxiliary: '0.00',
    percentage: '0.30',
    waste: '0.00',
    unclassified: '0.00',
  },
  computed_price: '15.10',
  difference: '0.00',
  reconciles: true,
  rule: 'line_rounded_2',
  now: { total: '15.64', at_file_prices: '5.24', priced_lines: 1, lines: 2 },
  warnings: [],
  truncated: false,
}
const PRICE_BOOK = '~V|Construction Cost Catalog|FIEBDC-3/2020\\20112026|catalog|Median price\\EUR|ANSI||1|'

const GEN = '5f0c1a2b3d4e6f70'
const state = canonicalJson({
  item,
  markets: [{ region: 'ES', median_price: item.median_price ?? null, vendor_count: 3 }],
  merged_into: null,
  regions: ['ES'],
  state: 'active',
})
const change: FeedChange = {
  seq: 1n,
  itemId: ITEM_ID,
  op: 'upsert',
  version: 2,
  updatedUs: BigInt(Date.parse(NIGHT)) * 1000n,
  stateSha: stateSha(state),
  state,
  mergedInto: null,
  formerMedian: canonicalJson({ ...market, cents: 472, recorded_at: '2026-11-02T02:00:00Z' }),
  chain: chainNext({
    chain: chainStart(GEN, 'items'),
    rseq: 1n,
    op: 'upsert',
    itemId: ITEM_ID,
    sha: stateSha(state),
  }),
  isMarked: true,
}
const feed: FeedPage = {
  baseUrl: 'https://catalog.example.org/v1',
  gen: GEN,
  scope: 'items',
  kind: 'subscription',
  floor: 0n,
  changes: [change],
}
const ATOM = atomOf(feed)
const RSS = rssOf(feed)
const NDJSON = ndjsonOf(feed.changes)
const ARCHIVE: FeedPage = { ...feed, kind: 'archive', page: 0 }
const feedState: FeedState = {
  gen: GEN,
  updatedUs: change.updatedUs,
  scopes: [{ scope: 'items', head: 1n, chain: change.chain, floor: 0n }],
  digest: null,
  snapshot: null,
}

function digestOf(scope: string): z.infer<typeof contract.DigestResponse> {
  const buckets = bucketHashes([{ id: ITEM_ID, sha: stateSha(state) }])
  const digest = { gen: GEN, scope, seq: 1n, count: 1, buckets, stateRoot: rootOf(buckets) }
  return JSON.parse(digestJson(digest)) as z.infer<typeof contract.DigestResponse>
}

/** By operation and media type, what an answer of success looks like. */
export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  listItems: {
    'application/json': {
      items: [item],
      cursor: CURSOR,
      meta: { tier: 'anon', rate_limit_per_min: 60 },
    } satisfies z.infer<typeof contract.ListItemsResponse>,
  },
  getItem: { 'application/json': detail, 'text/markdown': itemMarkdown(detail) },
  getItemMarkets: {
    'application/json': {
      item_id: ITEM_ID,
      run_id: RUN_ID,
      as_of: NIGHT,
      markets: [
        {
          region: 'ES',
          median_price: { ...market, recorded_at: NIGHT },
          vendor_count: 3,
          voters: 1,
          single_voter: true,
        },
      ],
    } satisfies z.infer<typeof contract.ItemMarketsResponse>,
  },
  getItemBasis: { 'application/json': basis },
  getItemHistory: {
    'application/json': {
      item_id: ITEM_ID,
      price_region: null,
      points: [...detail.price_history, { recorded_at: '2026-11-21T02:00:00Z', price_cents: null, currency: null }],
      cursor: null,
    } satisfies z.infer<typeof contract.ItemHistoryResponse>,
  },
  getItemDecomposition: {
    'application/json': decomposition,
    'text/markdown': decompositionMarkdown(decomposition),
    'application/x-fiebdc3': PRICE_BOOK,
  },
  listCategories: {
    'application/json': { categories: [category], cursor: null } satisfies z.infer<
      typeof contract.ListCategoriesResponse
    >,
  },
  getCategory: {
    'application/json': {
      ...category,
      path: [{ id: 'cat_z7kq4hwx2mjd5ty3', name: 'Yesos' }],
      children: [],
      children_cursor: null,
    } satisfies z.infer<typeof contract.CategoryDetail>,
    'application/x-fiebdc3': PRICE_BOOK,
  },
  listSources: {
    'application/json': { sources: [source], cursor: null } satisfies z.infer<typeof contract.ListSourcesResponse>,
  },
  getSource: { 'application/json': source },
  search: {
    'application/json': {
      query: 'drywall 13 mm',
      results: [{ ...item, score: 0.8731 }],
      mode: 'vector',
    } satisfies z.infer<typeof contract.SearchResponse>,
  },
  getItemsAtom: { 'application/atom+xml': ATOM, 'application/x-ndjson': NDJSON },
  getItemsRss: { 'application/rss+xml': RSS, 'application/x-ndjson': NDJSON },
  getRegionAtom: { 'application/atom+xml': ATOM, 'application/x-ndjson': NDJSON },
  getFeedState: {
    'application/json': JSON.parse(stateJson(feedState)) as z.infer<typeof contract.FeedStateResponse>,
  },
  getItemsArchiveAtom: { 'application/atom+xml': atomOf(ARCHIVE) },
  getItemsArchiveRss: { 'application/rss+xml': rssOf(ARCHIVE) },
  getRegionArchiveAtom: { 'application/atom+xml': atomOf({ ...ARCHIVE, scope: 'region/ES' }) },
  getItemsDigest: { 'application/json': digestOf('items') },
  getRegionDigest: { 'application/json': digestOf('region/ES') },
  listSnapshots: {
    'application/json': {
      protocol: 'ccm/1',
      snapshots: [
        {
          gen: GEN,
          seq: 1,
          created_at: '2026-11-20T03:30:00Z',
          edition: '2026-11',
          count: 1,
          bytes: 5_310,
          url: `${GEN}/1/manifest.json`,
          sha256: '5b0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614',
        },
      ],
    } satisfies z.infer<typeof contract.SnapshotIndexResponse>,
  },
  getSnapshotFile: {
    'application/json': { protocol: 'ccm/1', gen: GEN, seq: 1, count: 1, scopes: {}, shards: [], files: [] },
    'application/gzip': 'The bytes of 00.ndjson.gz',
    'application/vnd.apache.parquet': 'The bytes of items.parquet',
  },
  matchLines: {
    'application/json': {
      lines: [
        {
          text: 'pladur 13 mm',
          status: 'matched',
          reason: null,
          item: { ...item, score: 0.93 },
          evidence: { words: 1, meaning: 0.72, sizes: 'equal', unit: 'equal' },
          cost: { cents: 14_550, currency: 'EUR' },
          alternatives: [],
        },
        {
          text: 'asdf qwer',
          status: 'unmatched',
          reason: 'nothing_near',
          item: null,
          evidence: null,
          cost: null,
          alternatives: [],
        },
      ],
      matched: 1,
      ambiguous: 0,
      unmatched: 1,
      mode: 'vector' as const,
    } satisfies contract.MatchResponse,
  },
  getPricing: {
    'application/json': {
      tiers: [
        {
          tier: 'free',
          display_name: 'Developer',
          price_usd_month: 0,
          rate_limit_per_min: 120,
          monthly_request_cap: 50_000,
          features: ['Items, details with vendors and 90 days of price history, feeds'],
        },
      ],
      plan_url: 'https://catalog.example.org/plans',
      note: 'Reads need no key: 60 requests a minute and address.',
      docs: 'https://catalog.example.org/docs',
    } satisfies z.infer<typeof contract.PricingResponse>,
  },
  getUsage: {
    'application/json': {
      tier: 'public_dev',
      rate_limit_per_min: 120,
      monthly_cap: 50_000,
      monthly_used: 1_204,
      monthly_remaining: 48_796,
      reset_at: '2026-12-01T00:00:00Z',
      upgrade_url: 'https://catalog.example.org/plans',
    } satisfies z.infer<typeof contract.UsageResponse>,
  },
  createDeveloperKey: {
    'application/json': {
      key: 'svc_pub_7Jq2XbT0c9LmZrV4kYpWn8sGdHf1aE3eo2Bq',
      rate_limit_per_min: 120,
      tier: 'public_dev',
      docs: 'https://catalog.example.org/docs',
      note: 'Send it as "Authorization: Bearer <key>". It is shown only this once and cannot be recovered.',
    } satisfies z.infer<typeof contract.CreateDeveloperKeyResponse>,
  },
  revokeKey: {
    'application/json': { revoked: true, id: 'key_w2h7mtd3ruvy5cnaeo4pkz6qjx' } satisfies z.infer<
      typeof contract.RevokeKeyResponse
    >,
  },
  getOpenApi: {
    'application/json': { openapi: '3.1.0', info: { title: 'Construction Cost Catalog', version: '1.0.0' }, paths: {} },
  },
}

type ErrorExample = Omit<z.infer<typeof contract.ErrorBody>, 'error'> & { error: ErrorCode }

/** By status, what an error looks like; by operation and status where another one is more likely. */
const ERROR_EXAMPLES: Readonly<Record<string, ErrorExample>> = {
  400: { error: 'invalid_parameter', details: 'limit: expected an integer from 1 to 100, found "0"' },
  401: {
    error: 'invalid_key',
    details: 'Authorization: expected "Bearer" and a valid API key, or no such header',
  },
  404: { error: 'item_not_found', details: "item 'ci_none' does not exist" },
  406: { error: 'not_acceptable', details: 'Accept: expected application/json, found text/html' },
  413: { error: 'payload_too_large', details: 'Request body is too large' },
  415: { error: 'unsupported_media_type', details: 'Content-Type: expected application/json' },
  429: { error: 'rate_limited_minute', details: 'expected at most 60 requests a minute', retry_after_seconds: 42 },
  503: { error: 'store_unavailable', details: 'the database does not answer', retry_after_seconds: 5 },
  'search 400': { error: 'invalid_parameter', details: 'q: expected 2 to 256 characters, found "a"' },
  'search 404': { error: 'category_not_found', details: "category 'cat_none' does not exist" },
  'search 429': {
    error: 'search_rate_limited',
    details: 'expected at most 60 searches a minute',
    retry_after_seconds: 42,
  },
  'search 503': { error: 'search_unavailable', details: 'the query cannot be embedded', retry_after_seconds: 17 },
  'matchLines 400': {
    error: 'invalid_parameter',
    details: 'lines[2].quantity: expected a number above 0, found -1',
  },
  'matchLines 429': {
    error: 'search_rate_limited',
    details: 'expected at most 60 searches a minute',
    retry_after_seconds: 42,
  },
  'matchLines 503': { error: 'search_unavailable', details: 'the query cannot be embedded', retry_after_seconds: 17 },
  409: { error: 'future_cursor', details: 'since 21301: expected at most 21300, the newest change' },
  410: { error: 'changes_expired', details: 'changes after 40: expected 500 or later, since older ones are not kept' },
  'getItemsArchiveAtom 404': { error: 'feed_not_found', details: 'page 43: expected at most 42, the open one' },
  'getItemsArchiveRss 404': { error: 'feed_not_found', details: 'page 43: expected at most 42, the open one' },
  'getRegionArchiveAtom 404': { error: 'feed_not_found', details: 'page 2: expected at most 1, the open one' },
  412: { error: 'precondition_failed', details: 'If-Unmodified-Since: the file is newer' },
  416: { error: 'range_not_satisfiable', details: 'Range: expected bytes that the file has' },
  'getItemsDigest 404': { error: 'file_not_found', details: "no digest of items at 7 in generation '5f0c'" },
  'getRegionDigest 404': { error: 'file_not_found', details: "no digest of region/ES at 7 in generation '5f0c'" },
  'listSnapshots 404': { error: 'file_not_found', details: 'no list of snapshots: none was taken' },
  'getSnapshotFile 404': { error: 'file_not_found', details: 'no file 5f0c/7/manifest.json' },
  'getRegionAtom 404': { error: 'feed_not_found', details: "region 'XX': expected one of ES, US, AR" },
  'getCategory 404': { error: 'category_not_found', details: "category 'cat_none' does not exist" },
  'listCategories 404': { error: 'category_not_found', details: "category 'cat_none' does not exist" },
  'getSource 404': { error: 'source_not_found', details: "source 'src_none' does not exist" },
  'getItemDecomposition 400': {
    error: 'invalid_parameter',
    details: 'depth: expected an integer from 1 to 50, found "0"',
  },
  'getItemDecomposition 404': {
    error: 'recipe_not_found',
    details: `item '${ITEM_ID}': expected a recipe of any of its vendors, found none`,
  },
  'revokeKey 404': { error: 'key_not_found', details: 'this key was revoked before' },
  'createDeveloperKey 400': { error: 'invalid_parameter', details: 'email: expected an e-mail address, found "a"' },
}

export function errorExample(operationId: string, status: number): ErrorExample | undefined {
  return ERROR_EXAMPLES[`${operationId} ${status}`] ?? ERROR_EXAMPLES[status]
}
