import type * as contract from '@catalog/api/contract/contract.ts'
import { citeEdition } from '@catalog/api/editions/citation.ts'
import { CSV, NDJSON as NDJSON_FORMAT } from '@catalog/api/exports/item-rows.ts'
import { atomOf, rssOf } from '@catalog/api/feeds/feed-documents.ts'
import { itemMarkdown } from '@catalog/api/items/markdown.ts'
import { decompositionMarkdown } from '@catalog/api/price-books/decomposition-markdown.ts'
import { statusHtml } from '@catalog/api/status/status-page.ts'
import { keysJson } from '@catalog/core/changes/signature.ts'
import type { z } from 'zod'
import {
  basis,
  CURSOR,
  category,
  decomposition,
  detail,
  exportEnd,
  ITEM_ID,
  index,
  indexDetail,
  item,
  PRICE_BOOK,
  source,
  status,
} from './catalog-examples.ts'
import { EDITION, EDITION_SHA, EDITION_URL, editionItem, editionState } from './edition-examples.ts'
import {
  ARCHIVE,
  ATOM,
  CATEGORY_FEED,
  digestOf,
  feedKeys,
  GEN,
  ITEM_FEED,
  jsonFeedOf,
  NDJSON,
  RSS,
  STATE,
} from './feed-examples.ts'

/** Example successes by operation and media type. */
export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  listItems: {
    'application/json': {
      items: [item],
      cursor: CURSOR,
      meta: { tier: 'anon', rate_limit_per_min: 60 },
      total: { count: 42, exact: true },
      facets: {
        count: 42,
        exact: true,
        categories: [{ id: category.id, name: category.name, count: 40 }],
        kinds: [{ kind: 'material', count: 42 }],
        units: [{ unit: 'm²', count: 31 }],
        currencies: [{ currency: 'EUR', count: 39, price_min: 320, price_max: 1_890 }],
        regions: [{ region: 'ES', count: 42 }],
      },
    } satisfies z.infer<typeof contract.ListItemsResponse>,
  },
  exportItemsCsv: { 'text/csv': CSV.head + CSV.row(JSON.stringify(item), {}) },
  exportItemsNdjson: {
    'application/x-ndjson': NDJSON_FORMAT.row(JSON.stringify(item), {}) + NDJSON_FORMAT.tail?.(exportEnd),
  },
  getItem: { 'application/json': detail, 'text/markdown': itemMarkdown(detail, { kind: 'material' }) },
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
  getItemDecompositionBc3: { 'application/x-fiebdc3': PRICE_BOOK },
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
  getCategoryBc3: { 'application/x-fiebdc3': PRICE_BOOK },
  getCategoryTree: {
    'application/json': {
      categories: [
        {
          id: 'cat_z7kq4hwx2mjd5ty3',
          name: 'Yesos',
          names: {},
          item_count: 42,
          children: [
            {
              id: category.id,
              name: category.name,
              names: category.names,
              item_count: category.item_count,
              children: [],
            },
          ],
        },
      ],
      count: 2,
    } satisfies z.infer<typeof contract.CategoryTreeResponse>,
  },
  getCategoryChanges: {
    'application/json': {
      days: 90,
      price_region: 'ES',
      since: '2026-08-22T02:00:00.000Z',
      until: '2026-11-20T02:00:00.000Z',
      categories: [{ id: category.id, compared_count: 38, rise_count: 21, fall_count: 6, change_percent: 2.75 }],
    } satisfies z.infer<typeof contract.CategoryChangesResponse>,
  },
  listSources: {
    'application/json': { sources: [source], cursor: null } satisfies z.infer<typeof contract.ListSourcesResponse>,
  },
  getSource: { 'application/json': source },
  listIndices: {
    'application/json': { indices: [index], cursor: null } satisfies z.infer<typeof contract.ListIndicesResponse>,
  },
  getIndex: { 'application/json': indexDetail },
  search: {
    'application/json': {
      query: 'drywall 13 mm',
      results: [{ ...item, score: 0.8731, page_url: `https://catalog.example.org/items/${item.id}` }],
      mode: 'vector',
    } satisfies z.infer<typeof contract.SearchResponse>,
  },
  getItemsAtom: { 'application/atom+xml': ATOM, 'application/x-ndjson': NDJSON },
  getItemsRss: { 'application/rss+xml': RSS, 'application/x-ndjson': NDJSON },
  getRegionAtom: { 'application/atom+xml': ATOM, 'application/x-ndjson': NDJSON },
  getItemsJsonFeed: { 'application/feed+json': jsonFeedOf('items') },
  getRegionJsonFeed: { 'application/feed+json': jsonFeedOf('region/ES') },
  getItemFeed: ITEM_FEED,
  getCategoryFeed: CATEGORY_FEED,
  getFeedState: { 'application/json': STATE },
  getFeedKeys: {
    'application/json': JSON.parse(keysJson(feedKeys)) as z.infer<typeof contract.FeedKeysResponse>,
  },
  getItemsArchiveAtom: { 'application/atom+xml': atomOf(ARCHIVE) },
  getItemsArchiveRss: { 'application/rss+xml': rssOf(ARCHIVE) },
  getRegionArchiveAtom: { 'application/atom+xml': atomOf({ ...ARCHIVE, scope: 'region/ES' }) },
  getItemsDigest: { 'application/json': digestOf('items') },
  getRegionDigest: { 'application/json': digestOf('region/ES') },
  listEditions: {
    'application/json': {
      editions: [
        {
          edition: '2026-10',
          id: 'ccc:2026-10',
          as_of: EDITION.as_of,
          count: 1,
          sha256: EDITION_SHA,
          url: EDITION_URL,
          cite_as: citeEdition({ edition: '2026-10', asOf: EDITION.as_of, url: EDITION_URL }),
        },
      ],
    } satisfies z.infer<typeof contract.ListEditionsResponse>,
  },
  getEdition: { 'application/json': EDITION },
  listEditionItems: {
    'application/json': {
      edition: '2026-10',
      states: [editionState],
      cursor: null,
    } satisfies z.infer<typeof contract.EditionItemsResponse>,
  },
  getEditionItem: { 'application/json': editionItem },
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
          decided_by: 'search',
          item: { ...item, score: 0.93 },
          evidence: { words: 1, meaning: 0.72, sizes: 'equal', unit: 'equal' },
          item_units: 1,
          cost: { cents: 14_550, currency: 'EUR' },
          alternatives: [],
        },
        {
          text: 'asdf qwer',
          status: 'unmatched',
          reason: 'nothing_near',
          decided_by: 'search',
          item: null,
          evidence: null,
          item_units: null,
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
  getStatus: {
    'application/json': status,
    'text/html': statusHtml(status, 'https://catalog.example.org/v1'),
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
