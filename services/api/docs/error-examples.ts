import type * as contract from '@catalog/api/contract/contract.ts'
import type { ErrorCode } from '@catalog/api/http/errors.ts'
import type { z } from 'zod'
import { ITEM_ID } from './catalog-examples.ts'

type ErrorExample = Omit<z.infer<typeof contract.ErrorBody>, 'error'> & { error: ErrorCode }

/** Example errors by status, or by operation and status where that one has a likelier error. */
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
  'getIndex 404': { error: 'index_not_found', details: "index 'idx_none' does not exist" },
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
