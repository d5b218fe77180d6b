import * as contract from '@catalog/api/contract/contract.ts'
import { EXAMPLE } from '@catalog/api/contract/shared/fields.ts'
import { atomOf, type FeedPage, ndjsonOf, rssOf, stateJson } from '@catalog/api/feeds/feed-documents.ts'
import { categoryPriceFeed, itemPriceFeed } from '@catalog/api/feeds/price-feed.ts'
import { readerChanges } from '@catalog/api/feeds/reader-changes.ts'
import { type ReaderFeed, readerFeedOf } from '@catalog/api/feeds/reader-feed.ts'
import { chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { digestJson } from '@catalog/core/changes/digest-document.ts'
import type { FeedChange, FeedState } from '@catalog/core/changes/protocol.ts'
import { stateSha } from '@catalog/core/changes/public-state.ts'
import { type FeedKeys, signingKeyOf } from '@catalog/core/changes/signature.ts'
import { bucketHashes, canonicalJson, rootOf } from '@catalog/core/digest.ts'
import type { PublicItem } from '@catalog/core/events/items.ts'
import type { z } from 'zod'
import { category, item as exampleItem, ITEM_ID, market, NIGHT } from './example-data.ts'

/** Example feeds, state and digests of one change, made by the code that serves them. */

const GEN = EXAMPLE.gen
const item = exampleItem as PublicItem
const state = canonicalJson({
  item: exampleItem,
  kind: 'material',
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
export const ATOM = atomOf(feed)
export const RSS = rssOf(feed)
export const NDJSON = ndjsonOf(feed.changes)
export const ARCHIVE: FeedPage = { ...feed, kind: 'archive', page: 0 }

const { baseUrl } = feed
const priceChange = {
  item_id: ITEM_ID,
  recorded_at: NIGHT,
  ...market,
  former: { recorded_at: '2026-11-02T02:00:00Z', cents: 472, currency: 'EUR' },
  updated_us: change.updatedUs,
}
const region = 'ES'
const itemFeed = itemPriceFeed({
  baseUrl,
  region,
  self: `${baseUrl}/feeds/item/${ITEM_ID}?price_region=ES`,
  item,
  changes: [priceChange],
  merge: null,
})
const categoryFeed = categoryPriceFeed({
  baseUrl,
  region,
  self: `${baseUrl}/feeds/category/${category.id}?price_region=ES`,
  category,
  changes: [{ item, change: priceChange }],
})
const readerExamples = (feed: ReaderFeed) => ({
  'application/atom+xml': readerFeedOf(feed, 'atom'),
  'application/rss+xml': readerFeedOf(feed, 'rss'),
  'application/feed+json': JSON.parse(readerFeedOf(feed, 'json')) as z.infer<typeof contract.JsonFeed>,
})
export const ITEM_FEED = readerExamples(itemFeed)
export const CATEGORY_FEED = readerExamples(categoryFeed)
/** The newest items, of all and of a region. */
export const jsonFeedOf = (scope: string) =>
  readerExamples(
    readerChanges({
      baseUrl: feed.baseUrl,
      gen: feed.gen,
      scope,
      format: 'json',
      limit: contract.READER_ENTRIES,
      floor: 0n,
      news: { changes: [{ change, former: null }], after: 0n },
      successors: new Map(),
    }),
  )['application/feed+json']
/** The first key of RFC 8032 §7.1, whose secret everybody knows. */
const pair = {
  id: '21fe31dfa154a261626bf854046fd227',
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  secret: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
}
const catalog = '9f86d081884c7d659a2feaa0c55ad015'
export const feedKeys: FeedKeys = {
  catalog,
  keys: [{ id: pair.id, public_key: pair.publicKey, created_at: NIGHT, signs_until: null, endorsements: [] }],
}
const feedState: FeedState = {
  gen: GEN,
  updatedUs: change.updatedUs,
  scopes: [{ scope: 'items', head: 1n, chain: change.chain, floor: 0n }],
  digest: null,
  snapshot: null,
}
const signer = { catalog, keys: [signingKeyOf(pair)] }
export const STATE = JSON.parse(stateJson(feedState, { signer, generatedMs: Date.parse(NIGHT) })) as z.infer<
  typeof contract.FeedStateResponse
>

export function digestOf(scope: string): z.infer<typeof contract.DigestResponse> {
  const buckets = bucketHashes([{ id: ITEM_ID, sha: stateSha(state) }])
  const digest = { gen: GEN, scope, seq: 1n, count: 1, buckets, stateRoot: rootOf(buckets) }
  return JSON.parse(digestJson(digest)) as z.infer<typeof contract.DigestResponse>
}
