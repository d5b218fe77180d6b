import type { Client } from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { CatalogError, errorOf, linkOf } from './errors.ts'
import type { Call, Get, Query } from './operations.ts'
import { waitFor } from './retry.ts'

type Region = NonNullable<Query<Get<'/items'>>['region']>

/** Where a reader of changes stands. Numbers of two generations say nothing about one another. */
export type Position = Readonly<{ gen: string; seq: number }>

/** An item as the feeds show it. */
export type ItemState = Readonly<{
  item: components['schemas']['CanonicalItem']
  /** Regions in which it is sold. */
  regions: readonly string[]
  /** The median of each region in that region's money; null while nobody's price counts. */
  markets: readonly Readonly<{
    region: string
    median_price: components['schemas']['CanonicalItem']['median_price']
    vendor_count: number
  }>[]
  state: 'active' | 'merged' | 'gone'
  merged_into: string | null
}>

/** One change of one item. With its `gen` and `seq` it is also the position behind itself. */
export type Change = Position &
  Readonly<{
    /** upsert: the item is as in `state`; delete: it left the catalog; leave: it left this region. */
    op: 'upsert' | 'delete' | 'leave'
    /** The item, `ci_…`. */
    id: string
    version: number
    /** Instant, RFC 3339. */
    updated: string
    /** SHA-256 of the canonical state, in hexadecimal digits; of an upsert only. */
    sha256?: string
    /** The chain of hashes up to this change, in hexadecimal digits. */
    chain: string
    /** Of an upsert only. */
    state?: ItemState
    /** The item that took its place; of a delete by a merge only. */
    merged_into?: string
  }>

export type ChangesOptions = Call &
  Readonly<{
    /** Yields all changes after this number, or after this position or change; absent: all that are kept. */
    since?: number | Position
    /** Changes of this region only, which have numbers of their own. */
    region?: Region
    /** Goes on for ever: at the newest change it asks again after so many seconds, at least 1. Absent: ends there. */
    pollSeconds?: number
  }>

/** More often than this nobody needs to ask: runs publish at night. */
export const POLL_SECONDS_MIN = 1

type Http = Client<paths>

/** Where the feed of the whole catalog, or of one region, stands now. */
export async function readPosition(http: Http, { region, signal }: { region?: Region } & Call): Promise<Position> {
  const { data, error, response } = await http.GET('/feeds/state.json', signal ? { signal } : {})
  if (data === undefined) throw errorOf(response, error, 'GET /feeds/state.json')
  const scope = region === undefined ? 'items' : `region/${region}`
  return { gen: data.gen, seq: data.scopes[scope]?.head ?? 0 }
}

/**
 * Yields the changes after `since`, ascending, each once and none left out. Throws CatalogError `generation_changed` or
 * `changes_expired` when a copy has to begin again, and `changes_missing` when a number is left out.
 */
export async function* readChanges(http: Http, options: ChangesOptions): AsyncGenerator<Change, void, undefined> {
  const { region, pollSeconds, signal } = options
  const since = options.since ?? 0
  const from = typeof since === 'number' ? since : since.seq
  // A number without its generation is taken to be of the present one; from here on it may not change unnoticed.
  const gen = typeof since === 'number' ? (await readPosition(http, options)).gen : since.gen
  let seq = from
  for (;;) {
    const page = await readPage(http, { gen, seq, region, signal })
    for (const change of page.changes) {
      if (change.seq !== seq + 1) throw missing(seq + 1, change.seq)
      seq = change.seq
      yield { ...change, gen }
    }
    if (page.hasNext) continue
    if (pollSeconds === undefined) return
    await waitFor(Math.max(POLL_SECONDS_MIN, pollSeconds), signal)
  }
}

type Asked = Readonly<{ gen: string; seq: number; region: Region | undefined; signal: AbortSignal | undefined }>

async function readPage(
  http: Http,
  { gen, seq, region, signal }: Asked,
): Promise<{ changes: readonly Omit<Change, 'gen'>[]; hasNext: boolean }> {
  const query = { since: seq, gen }
  const init = { headers: { accept: 'application/x-ndjson' }, parseAs: 'text' as const, ...(signal && { signal }) }
  const { data, error, response } =
    region === undefined
      ? await http.GET('/feeds/items.atom', { ...init, params: { query } })
      : await http.GET('/feeds/region/{region}', { ...init, params: { path: { region }, query } })
  if (response.status === 304) return { changes: [], hasNext: false }
  const path = region === undefined ? '/feeds/items.atom' : `/feeds/region/${region}`
  if (data === undefined) throw errorOf(response, error, `GET ${path}?since=${seq}&gen=${gen}`)
  const lines = data.split('\n').filter((line) => line !== '')
  return { changes: lines.map((line) => JSON.parse(line)), hasNext: linkOf(response.headers, 'next') !== null }
}

function missing(expected: number, found: number): CatalogError {
  const details = `expected change ${expected}, found ${found}`
  return new CatalogError({ status: null, code: 'changes_missing', details, request: 'GET /feeds' })
}
