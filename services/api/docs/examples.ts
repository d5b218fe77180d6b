import { citeEdition } from '@catalog/api/editions/citation.ts'
import { CSV, NDJSON as NDJSON_FORMAT } from '@catalog/api/exports/item-rows.ts'
import { atomOf, rssOf } from '@catalog/api/feeds/feed-documents.ts'
import { itemMarkdown } from '@catalog/api/items/markdown.ts'
import { decompositionMarkdown } from '@catalog/api/price-books/decomposition-markdown.ts'
import { statusHtml } from '@catalog/api/status/status-page.ts'
import { keysJson } from '@catalog/core/changes/signature.ts'
import { EDITION, EDITION_SHA, EDITION_URL, editionItem, editionState } from './edition-examples.ts'
import { answers, decomposition, detail, exportEnd, item, status } from './example-data.ts'
import {
  ARCHIVE,
  ATOM,
  CATEGORY_FEED,
  digestOf,
  feedKeys,
  ITEM_FEED,
  jsonFeedOf,
  NDJSON,
  RSS,
  STATE,
} from './feed-examples.ts'

/** Examples that the code of the server renders. */
const RENDERED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  exportItemsCsv: { 'text/csv': CSV.head + CSV.row(JSON.stringify(item), {}) },
  exportItemsNdjson: {
    'application/x-ndjson': NDJSON_FORMAT.row(JSON.stringify(item), {}) + NDJSON_FORMAT.tail?.(exportEnd),
  },
  getItem: { 'text/markdown': itemMarkdown(detail, { kind: 'material' }) },
  getItemDecomposition: { 'text/markdown': decompositionMarkdown(decomposition) },
  getItemsAtom: { 'application/atom+xml': ATOM, 'application/x-ndjson': NDJSON },
  getItemsRss: { 'application/rss+xml': RSS, 'application/x-ndjson': NDJSON },
  getRegionAtom: { 'application/atom+xml': ATOM, 'application/x-ndjson': NDJSON },
  getItemsJsonFeed: { 'application/feed+json': jsonFeedOf('items') },
  getRegionJsonFeed: { 'application/feed+json': jsonFeedOf('region/ES') },
  getItemFeed: ITEM_FEED,
  getCategoryFeed: CATEGORY_FEED,
  getFeedState: { 'application/json': STATE },
  getFeedKeys: { 'application/json': JSON.parse(keysJson(feedKeys)) },
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
    },
  },
  getEdition: { 'application/json': EDITION },
  listEditionItems: { 'application/json': { edition: '2026-10', states: [editionState], cursor: null } },
  getEditionItem: { 'application/json': editionItem },
  getStatus: { 'text/html': statusHtml(status, 'https://catalog.example.org/v1') },
}

/** The example success of an operation in a media type. */
export const successExample = (operationId: string, type: string): unknown =>
  RENDERED[operationId]?.[type] ?? answers[operationId]?.[type]
