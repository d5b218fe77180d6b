import { isDeepStrictEqual } from 'node:util'
import { startLoadGenerator } from '@catalog/bench/harness/load-generator.ts'
import { type Bench, type Comparison, speedup } from '@catalog/bench/harness/report.ts'
import { installPeers, startOurs, startPeer } from '@catalog/bench/harness/servers.ts'
import { perThousand, type RequestPlan, repeated, unrepeated } from '@catalog/bench/harness/throughput.ts'
import { makeItems } from '@catalog/bench/workload/items.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'

export const readBench: Bench = {
  title: 'the API beside bare node:http, fastify, NestJS with pg, Hono with Drizzle, and itself with fewer items',
  async run(say, { isBrief = false } = {}) {
    const sizes = isBrief ? BRIEF : WHOLE
    installPeers(say)
    await using running = new AsyncDisposableStack()
    const origins = await startServers(running, { say, sizes })
    const starts = await startsOf(origins, sizes)
    const checked = starts.all.splice(0, CHECKED)
    const [start] = checked as [PageStart]
    const etag = await requireSame(origins, checked)
    say('pages and items are the same in all of them')

    const load = running.use(startLoadGenerator())
    const measure: Measure = async (title, plans) => {
      const ms = await perThousand(load, plans, { isBrief })
      const rates = Object.entries<number>(ms).map(([name, ms]) => `${name} ${Math.round(1e6 / ms)}/s`)
      say(`${title}: ${rates.join(', ')}`)
      return ms
    }
    return [
      ...(await comparePages(measure, { origins, start, starts: starts.all })),
      ...(await compareItems(measure, { origins, start, starts: starts.all })),
      ...(await compareCached(measure, { origins, start, etag })),
      ...(await compareGrowth(measure, { origins, starts, sizes })),
    ]
  },
}

type Origins = Readonly<Record<'ours' | 'few' | 'many' | 'bare' | 'hello' | 'nest' | 'hono' | 'threeQueries', string>>

async function startServers(
  running: AsyncDisposableStack,
  { say, sizes }: { say: (line: string) => void; sizes: Sizes },
): Promise<Origins> {
  const { all, few, many } = sizes
  const server = running.use(await startPostgres(SERVER_SETTINGS))
  say(`${all} items with their prices, ${few} and ${many} without are being made ...`)
  const make = (database: string, items: number, { prices }: { prices: boolean }) =>
    makeItems({ url: server.url, database, items, prices })
  const [url, fewUrl, manyUrl] = await Promise.all([
    make('catalog', all, { prices: true }),
    make('few', few, { prices: false }),
    make('many', many, { prices: false }),
  ])
  const ours = running.use(await startOurs(url)).origin
  const peer = async (file: string, ...args: string[]) => running.use(await startPeer(file, { url, args })).origin
  return {
    ours,
    few: running.use(await startOurs(fewUrl)).origin,
    many: running.use(await startOurs(manyUrl)).origin,
    bare: await peer('same-bytes.js', ours),
    hello: await peer('hello.js'),
    nest: await peer('nest.js'),
    hono: await peer('hono.js'),
    threeQueries: await peer('three-queries.js'),
  }
}

type PageStarts = Readonly<Record<'all' | 'few' | 'many', PageStart[]>>

async function startsOf({ ours, few, many }: Origins, sizes: Sizes): Promise<PageStarts> {
  const [all, ofFew, ofMany] = await Promise.all([
    walk(ours, { limit: Math.ceil(sizes.all / STARTS_MAX) }),
    walk(few, { limit: 1 }),
    // As many places as among the few.
    walk(many, { limit: Math.ceil(sizes.many / sizes.few) }),
  ])
  return { all, few: ofFew, many: ofMany }
}

type Measure = <Name extends string>(
  title: string,
  plans: Readonly<Record<Name, RequestPlan>>,
) => Promise<Record<Name, number>>

async function comparePages(
  measure: Measure,
  { origins, start, starts }: { origins: Origins; start: PageStart; starts: readonly PageStart[] },
): Promise<Comparison[]> {
  const { ours, bare, nest, hono } = origins
  const again = await measure('a page again', {
    ours: repeated({ origin: ours, path: pagePath(start) }),
    bare: repeated({ origin: bare, path: pagePath(start) }),
    nest: repeated({ origin: nest, path: peerPagePath(start) }),
    hono: repeated({ origin: hono, path: peerPagePath(start) }),
  })
  const first = await measure('pages for the first time', {
    ours: unrepeated({ origin: ours, paths: starts.map(pagePath) }),
    nest: unrepeated({ origin: nest, paths: starts.map(peerPagePath) }),
    hono: unrepeated({ origin: hono, paths: starts.map(peerPagePath) }),
  })
  return [
    compare('a page of 50 items, again', again.ours, [BARE, again.bare], speedup(0.8)),
    compare('a page of 50 items, again', again.ours, fasterOf(again), speedup(12)),
    compare('a page of 50 items, first', first.ours, fasterOf(first), speedup(4)),
  ]
}

async function compareItems(
  measure: Measure,
  { origins, start, starts }: { origins: Origins; start: PageStart; starts: readonly PageStart[] },
): Promise<Comparison[]> {
  const { ours, bare, threeQueries } = origins
  const items = await measure('items', {
    again: repeated({ origin: ours, path: itemPath(start) }),
    bare: repeated({ origin: bare, path: itemPath(start) }),
    first: unrepeated({ origin: ours, paths: starts.map(itemPath) }),
    threeQueries: unrepeated({ origin: threeQueries, paths: starts.map(peerItemPath) }),
  })
  return [
    compare('an item, again', items.again, [BARE, items.bare], speedup(0.8)),
    compare('an item, again', items.again, [THREE, items.threeQueries], speedup(8)),
    compare('an item, first', items.first, [THREE, items.threeQueries], speedup(8)),
  ]
}

async function compareCached(
  measure: Measure,
  { origins: { ours, bare, hello }, start, etag }: { origins: Origins; start: PageStart; etag: string },
): Promise<Comparison[]> {
  const path = pagePath(start)
  const notModified = await measure('a page that the caller has', {
    ours: repeated({ origin: ours, path, headers: { 'if-none-match': etag }, status: 304 }),
    hello: repeated({ origin: hello, path: '/' }),
  })
  const compressed = await measure('a page, compressed', {
    ours: repeated({ origin: ours, path, headers: COMPRESSED }),
    live: repeated({ origin: bare, path, headers: COMPRESSED }),
  })
  return [
    compare('304 to a caller with the page', notModified.ours, ['fastify, hello', notModified.hello], speedup(0.9)),
    compare('a page, compressed', compressed.ours, ['the same bytes, gzip live', compressed.live], speedup(6)),
  ]
}

async function compareGrowth(
  measure: Measure,
  { origins, starts, sizes: { few, many } }: { origins: Origins; starts: PageStarts; sizes: Sizes },
): Promise<Comparison[]> {
  const growth = await measure('pages of small and large catalogs', {
    many: unrepeated({ origin: origins.many, paths: starts.many.map(pagePath) }),
    few: unrepeated({ origin: origins.few, paths: starts.few.map(pagePath) }),
  })
  return [compare(`a page of ${many} items, first`, growth.many, [`of ${few} items`, growth.few], 1.2)]
}

const BARE = 'bare node:http, same bytes'
const THREE = 'three queries, fastify with pg'
const fasterOf = ({ nest, hono }: { nest: number; hono: number }): [beside: string, ms: number] =>
  nest < hono ? ['NestJS with pg', nest] : ['Hono with Drizzle', hono]
function compare(stage: string, oursMs: number, [beside, besideMs]: [string, number], ratioMax: number): Comparison {
  return { stage: `1,000 times ${stage}`, beside, oursMs, besideMs, ratioMax }
}

/** Items with their prices, and few and many without. */
type Sizes = Readonly<Record<'all' | 'few' | 'many', number>>
const WHOLE: Sizes = { all: 100_000, few: 10_000, many: 1_000_000 }
const BRIEF: Sizes = { all: 3_000, few: 1_500, many: 3_000 }
/** All data stays in memory. Filling the tables skips the write-ahead log. */
const SERVER_SETTINGS = {
  shared_buffers: '3GB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
}

/** The start of a page: after an item, which also serves for the detail. */
type PageStart = Readonly<{ id: string; cursor: string }>

const PAGE_ITEMS = 50
const pagePath = ({ cursor }: PageStart) => `/v1/items?limit=${PAGE_ITEMS}&cursor=${cursor}`
const itemPath = ({ id }: PageStart) => `/v1/items/${id}`
const peerPagePath = ({ id }: PageStart) => `/items?limit=${PAGE_ITEMS}&after=${id}`
const peerItemPath = ({ id }: PageStart) => `/items/${id}`

/** More pages than the fastest server without a cache reads in all rounds. */
const STARTS_MAX = 25_000
/** A prime that does not divide the number of places. */
const STRIDE = 7_919

/** Walks the catalog and returns places `limit` items apart, each with a whole page after it, in shuffled order. */
async function walk(origin: string, { limit }: { limit: number }): Promise<PageStart[]> {
  const starts: PageStart[] = []
  for (let next = ''; ; ) {
    const { items, cursor } = await readJson<Page>(`${origin}/v1/items?limit=${limit}${next}`)
    if (cursor === null) break
    starts.push({ id: (items.at(-1) as { id: string }).id, cursor })
    next = `&cursor=${cursor}`
  }
  starts.splice(-Math.ceil(PAGE_ITEMS / limit))
  return starts.map((_, i) => starts[(i * STRIDE) % starts.length] as PageStart)
}

type Page = { items: readonly { id: string }[]; cursor: string | null; meta: object }
const CHECKED = 20
/** As browsers send it. */
const COMPRESSED = { 'accept-encoding': 'gzip, deflate, br' }

/**
 * Throws unless every server gives the same answers at these places. Ours must answer as for everybody: counted, with
 * an ETag, and compressed on request. Returns the ETag of the first page.
 */
async function requireSame(
  { ours, bare, nest, hono, threeQueries }: Origins,
  starts: readonly PageStart[],
): Promise<string> {
  for (const start of starts) {
    const page = await readJson<Page>(`${ours}${pagePath(start)}`)
    if (page.items.length !== PAGE_ITEMS) throw new Error(`expected ${PAGE_ITEMS} items, found ${page.items.length}`)
    for (const peer of [nest, hono]) {
      const theirs = await readJson<Page>(`${peer}${peerPagePath(start)}`)
      // Limits and the spelling of cursors may differ.
      requireEqual(`${peer}${peerPagePath(start)}`, Object.keys(theirs), Object.keys(page))
      requireEqual(`${peer}${peerPagePath(start)}`, theirs.items, page.items)
    }
    const item = await readJson(`${ours}${itemPath(start)}`)
    requireEqual(`${threeQueries}${peerItemPath(start)}`, await readJson(`${threeQueries}${peerItemPath(start)}`), item)
    for (const path of [pagePath(start), itemPath(start)]) {
      const compressed = await read(`${ours}${path}`, COMPRESSED)
      if (!compressed.headers.has('content-encoding')) throw new Error(`${path}: expected it compressed`)
      const expected = await (await read(`${ours}${path}`)).text()
      requireEqual(path, await compressed.text(), expected)
      requireEqual(`${bare}${path}`, await (await read(`${bare}${path}`)).text(), expected)
    }
  }
  const { headers } = await read(`${ours}${pagePath(starts[0] as PageStart)}`)
  const etag = headers.get('etag')
  if (etag === null || !headers.has('x-ratelimit-remaining')) throw new Error(`${ours}: expected ETag and X-RateLimit`)
  return etag
}

function requireEqual(name: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new Error(`${name}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
}

async function read(url: string, headers: Readonly<Record<string, string>> = { 'accept-encoding': 'identity' }) {
  const response = await fetch(url, { headers })
  if (response.status !== 200)
    throw new Error(`${url}: expected 200, found ${response.status} ${await response.text()}`)
  return response
}

const readJson = async <T>(url: string): Promise<T> => (await (await read(url)).json()) as T
