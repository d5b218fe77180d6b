import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { READER_ENTRIES, READER_ENTRIES_MAX } from '@catalog/api/contract/contract.ts'
import { freePort } from '@catalog/stack/servers/command.ts'
import { itemsInto } from '@catalog/stack/store/items-into.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { HOSTILE_CATEGORY_ID, HOSTILE_ITEMS, hostileEvents } from './hostile-catalog.ts'
import type { FetchedDocument } from './read-feed.ts'

/** Our feeds on loopback. Disposing it removes them and their data. */
export interface FeedsUnderTest extends AsyncDisposable {
  /** Folder for the judges' files. */
  readonly folder: string
  readonly state: FeedsState
  /** All kinds of documents of ccm/1, those of each scope in the order of their numbers. */
  readonly documents: readonly FeedFile[]
  /** Feeds for people's readers, which are no part of ccm/1. */
  readonly forReaders: readonly FetchedDocument[]
  /** The same as JSON Feed. */
  readonly jsonFeeds: readonly FetchedDocument[]
}
export type FeedFile = FetchedDocument & { readonly scope: string }

/** Content of state.json. */
export type FeedsState = Readonly<{
  gen: string
  scopes: Readonly<
    Record<string, Readonly<{ head: number; chain: string; closed: number; subscription: string; archive: string }>>
  >
}>

/** Starts the feeds of the hostile catalog, projected as the projector does it. */
export async function startFeedsUnderTest(): Promise<FeedsUnderTest> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.use(mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-')))
  const store = starting.use(await openTestStore())
  const [events, apply] = [hostileEvents(), itemsInto(store)]
  for (let from = 0; from < events.length; from += EVENTS_PER_BATCH) {
    await apply(events.slice(from, from + EVENTS_PER_BATCH))
  }
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const now = { at: new Date(), advance() {} }
  const api = testApi(store, now, { publicBaseUrl: origin })
  starting.defer(() => api.close())
  await api.listen({ host: '127.0.0.1', port })

  const base = `${origin}/v1/feeds/`
  const state = (await (await answerOf(`${base}state.json`)).json()) as FeedsState
  const documents: FeedFile[] = []
  for (const { scope, path } of pathsOf(state)) documents.push({ scope, ...(await fetched(base + path)) })
  const forReaders: FetchedDocument[] = []
  for (const path of readerPaths(state)) forReaders.push(await fetched(base + path))
  const jsonFeeds: FetchedDocument[] = []
  for (const path of jsonPaths(state)) jsonFeeds.push(await fetched(base + path))
  const running = starting.move()
  return {
    folder: folder.path,
    state,
    documents,
    forReaders,
    jsonFeeds,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function fetched(url: string): Promise<FetchedDocument> {
  const response = await answerOf(url)
  return { url, contentType: response.headers.get('content-type') ?? '', bytes: await response.bytes() }
}

/** The newest items of each scope, and the prices of items that moved, were merged or have none, and of categories. */
function* readerPaths({ scopes }: FeedsState): Generator<string> {
  for (const { subscription } of Object.values(scopes)) yield `${subscription}?limit=${READER_ENTRIES_MAX}`
  yield `items.atom?limit=${READER_ENTRIES}`
  yield `items.rss?limit=${READER_ENTRIES}`
  for (const item of HOSTILE_ITEMS) {
    yield `item/${item}`
    yield `item/${item}.rss?price_region=ES`
  }
  yield `category/${HOSTILE_CATEGORY_ID}?limit=${READER_ENTRIES_MAX}`
  yield `category/${HOSTILE_CATEGORY_ID}.rss?price_region=ES`
}

function* jsonPaths({ scopes }: FeedsState): Generator<string> {
  for (const scope of Object.keys(scopes)) yield `${scope}.json?limit=${READER_ENTRIES_MAX}`
  for (const item of HOSTILE_ITEMS) yield `item/${item}.json`
  yield `category/${HOSTILE_CATEGORY_ID}.json?price_region=ES`
}

/** About a batch of the projector. */
const EVENTS_PER_BATCH = 500
/** For a region with few changes. */
const SINCE_LIMIT = 100

function* pathsOf({ scopes }: FeedsState): Generator<{ scope: string; path: string }> {
  for (const [scope, { head, closed, subscription, archive }] of Object.entries(scopes)) {
    for (let page = 0; page < closed; page++) yield { scope, path: archive.replace('{page}', String(page)) }
    yield { scope, path: subscription }
    if (head === 0) continue
    yield { scope, path: `${subscription}?since=${Math.max(0, head - SINCE_LIMIT)}` }
    yield { scope, path: `${subscription}?since=0&limit=${SINCE_LIMIT}` }
    if (scope !== 'items') continue
    // RSS comes last, because its chains are compared with those of Atom.
    for (let page = 0; page < closed; page++) {
      yield { scope, path: archive.replace('{page}', String(page)).replace(/atom$/, 'rss') }
    }
    yield { scope, path: 'items.rss' }
    yield { scope, path: `items.rss?since=${head - SINCE_LIMIT}` }
  }
}

async function answerOf(url: string): Promise<Response> {
  const response = await fetch(url)
  if (response.status !== 200)
    throw new Error(`${url}: expected 200, found ${response.status} ${await response.text()}`)
  return response
}
