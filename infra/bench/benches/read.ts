import { isDeepStrictEqual } from 'node:util'
import { type Bench, type Comparison, interleaved, RUNS_PER_TASK } from '@catalog/bench/harness/report.ts'
import { installPeers, startOurs, startPeer } from '@catalog/bench/harness/servers.ts'
import { makeItems } from '@catalog/bench/workload/items.ts'
import { type Asked, type Load, startLoad } from '@catalog/bench/harness/load-generator.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'

export const readBench: Bench = {
  title: 'the API beside bare node:http, fastify, NestJS with pg, Hono with Drizzle, and itself with fewer items',
  async run(say) {
    installPeers(say)
    await using server = await startPostgres(SERVER_SETTINGS)
    say(`${ITEMS} items with their prices, ${FEW_ITEMS} and ${MANY_ITEMS} without are being made ...`)
    const make = (database: string, items: number, { prices }: { prices: boolean }) =>
      makeItems({ url: server.url, database, items, prices })
    const [url, fewUrl, manyUrl] = await Promise.all([
      make('catalog', ITEMS, { prices: true }),
      make('few', FEW_ITEMS, { prices: false }),
      make('many', MANY_ITEMS, { prices: false }),
    ])

    await using running = new AsyncDisposableStack()
    const ours = running.use(await startOurs(url)).origin
    const few = running.use(await startOurs(fewUrl)).origin
    const many = running.use(await startOurs(manyUrl)).origin
    const peer = async (file: string, ...args: string[]) => running.use(await startPeer(file, { url, args })).origin
    const bare = await peer('same-bytes.js', ours)
    const hello = await peer('hello.js')
    const nest = await peer('nest.js')
    const hono = await peer('hono.js')
    const threeQueries = await peer('three-queries.js')

    const [places, fewPlaces, manyPlaces] = await Promise.all([
      walk(ours, { limit: Math.ceil(ITEMS / PLACES_MAX) }),
      walk(few, { limit: 1 }),
      // As many places as there are among the few.
      walk(many, { limit: Math.ceil(MANY_ITEMS / FEW_ITEMS) }),
    ])
    const checked = places.splice(0, CHECKED)
    const [place] = checked as [Place]
    const etag = await requireSame({ ours, bare, nest, hono, threeQueries }, checked)
    say('pages and items are the same in all of them')

    const load = running.use(startLoad())
    const timed = async <Name extends string>(what: string, questions: Readonly<Record<Name, Question>>) => {
      const ms = await perThousand(load, questions)
      const rates = Object.entries<number>(ms).map(([name, ms]) => `${name} ${Math.round(1e6 / ms)}/s`)
      say(`${what}: ${rates.join(', ')}`)
      return ms
    }
    const path = pagePath(place)
    const again = await timed('a page again', {
      ours: repeated({ origin: ours, path }),
      bare: repeated({ origin: bare, path }),
      nest: repeated({ origin: nest, path: peerPagePath(place) }),
      hono: repeated({ origin: hono, path: peerPagePath(place) }),
    })
    const anew = await timed('pages that nobody asked for before', {
      ours: unrepeated({ origin: ours, paths: places.map(pagePath) }),
      nest: unrepeated({ origin: nest, paths: places.map(peerPagePath) }),
      hono: unrepeated({ origin: hono, paths: places.map(peerPagePath) }),
    })
    const items = await timed('items', {
      again: repeated({ origin: ours, path: itemPath(place) }),
      bare: repeated({ origin: bare, path: itemPath(place) }),
      anew: unrepeated({ origin: ours, paths: places.map(itemPath) }),
      threeQueries: unrepeated({ origin: threeQueries, paths: places.map(peerItemPath) }),
    })
    const held = await timed('a page that the caller has', {
      ours: repeated({ origin: ours, path, headers: { 'if-none-match': etag }, status: 304 }),
      hello: repeated({ origin: hello, path: '/' }),
    })
    const compressed = await timed('a page, compressed', {
      ours: repeated({ origin: ours, path, headers: COMPRESSED }),
      live: repeated({ origin: bare, path, headers: COMPRESSED }),
    })
    const growth = await timed('pages of small and large catalogs', {
      many: unrepeated({ origin: many, paths: manyPlaces.map(pagePath) }),
      few: unrepeated({ origin: few, paths: fewPlaces.map(pagePath) }),
    })
    return [
      compare('a page of 50 items, again', again.ours, [BARE, again.bare], atLeast(0.8)),
      compare('a page of 50 items, again', again.ours, bestOf(again), atLeast(12)),
      compare('a page of 50 items, first', anew.ours, bestOf(anew), atLeast(4)),
      compare('an item, again', items.again, [BARE, items.bare], atLeast(0.8)),
      compare('an item, again', items.again, [THREE, items.threeQueries], atLeast(8)),
      compare('an item, first', items.anew, [THREE, items.threeQueries], atLeast(8)),
      compare('304 to whoever has the page', held.ours, ['fastify, hello', held.hello], atLeast(0.9)),
      compare('a page, compressed', compressed.ours, ['the same bytes, gzip live', compressed.live], atLeast(6)),
      compare(`a page of ${MANY_ITEMS} items, first`, growth.many, [`of ${FEW_ITEMS} items`, growth.few], 1.2),
    ]
  },
}

const BARE = 'bare node:http, same bytes'
const THREE = 'three queries, fastify with pg'
const bestOf = ({ nest, hono }: { nest: number; hono: number }): [beside: string, ms: number] =>
  nest < hono ? ['NestJS with pg', nest] : ['Hono with Drizzle', hono]
/** Of the peer's throughput so many times: of its time that fraction at most. */
export const atLeast = (times: number) => 1 / times

function compare(stage: string, oursMs: number, [beside, besideMs]: [string, number], ratioMax: number): Comparison {
  return { stage: `1,000 times ${stage}`, beside, oursMs, besideMs, ratioMax }
}

const ITEMS = 100_000
const FEW_ITEMS = 10_000
const MANY_ITEMS = 1_000_000
/** All of the data stays in memory. The tables are filled without a write-ahead log, which nobody needs here. */
const SERVER_SETTINGS = {
  shared_buffers: '3GB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
}

/** Where a page begins: after an item, which is also the one whose detail is asked for. */
type Place = Readonly<{ id: string; cursor: string }>

const PAGE_ITEMS = 50
const pagePath = ({ cursor }: Place) => `/v1/items?limit=${PAGE_ITEMS}&cursor=${cursor}`
const itemPath = ({ id }: Place) => `/v1/items/${id}`
const peerPagePath = ({ id }: Place) => `/items?limit=${PAGE_ITEMS}&after=${id}`
const peerItemPath = ({ id }: Place) => `/items/${id}`

/** More pages than are asked for in all rounds by the fastest server without a cache. */
const PLACES_MAX = 25_000
/** Prime, and no divisor of how many places there are. */
const STRIDE = 7_919

/** Places all over the catalog, `limit` items apart and with a whole page after each, as a walk finds them; in no order. */
async function walk(origin: string, { limit }: { limit: number }): Promise<Place[]> {
  const places: Place[] = []
  for (let next = ''; ; ) {
    const { items, cursor } = await readJson<Page>(`${origin}/v1/items?limit=${limit}${next}`)
    if (cursor === null) break
    places.push({ id: (items.at(-1) as { id: string }).id, cursor })
    next = `&cursor=${cursor}`
  }
  places.splice(-Math.ceil(PAGE_ITEMS / limit))
  return places.map((_, i) => places[(i * STRIDE) % places.length] as Place)
}

type Origins = Readonly<Record<'ours' | 'bare' | 'nest' | 'hono' | 'threeQueries', string>>
type Page = { items: readonly { id: string }[]; cursor: string | null; meta: object }
const CHECKED = 20
/** What browsers send. */
const COMPRESSED = { 'accept-encoding': 'gzip, deflate, br' }

/**
 * Throws unless every server answers the same for these places, and ours answers as it does to everybody: counted, with an
 * entity tag, compressed where that is asked for. Answers the entity tag of the first page.
 */
async function requireSame(
  { ours, bare, nest, hono, threeQueries }: Origins,
  places: readonly Place[],
): Promise<string> {
  for (const place of places) {
    const page = await readJson<Page>(`${ours}${pagePath(place)}`)
    if (page.items.length !== PAGE_ITEMS) throw new Error(`expected ${PAGE_ITEMS} items, found ${page.items.length}`)
    for (const peer of [nest, hono]) {
      const theirs = await readJson<Page>(`${peer}${peerPagePath(place)}`)
      // Limits and the spelling of cursors are each server's own.
      requireEqual(`${peer}${peerPagePath(place)}`, Object.keys(theirs), Object.keys(page))
      requireEqual(`${peer}${peerPagePath(place)}`, theirs.items, page.items)
    }
    const item = await readJson(`${ours}${itemPath(place)}`)
    requireEqual(`${threeQueries}${peerItemPath(place)}`, await readJson(`${threeQueries}${peerItemPath(place)}`), item)
    for (const path of [pagePath(place), itemPath(place)]) {
      const compressed = await read(`${ours}${path}`, COMPRESSED)
      if (!compressed.headers.has('content-encoding')) throw new Error(`${path}: expected it compressed`)
      const expected = await (await read(`${ours}${path}`)).text()
      requireEqual(path, await compressed.text(), expected)
      requireEqual(`${bare}${path}`, await (await read(`${bare}${path}`)).text(), expected)
    }
  }
  const { headers } = await read(`${ours}${pagePath(places[0] as Place)}`)
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

export type Question = Readonly<{
  asked: (count: number) => Asked
  /** How many requests there are in all rounds. */
  countMax: number
}>

export const repeated = ({ path, ...to }: Omit<Asked, 'paths' | 'count'> & { path: string }): Question => ({
  asked: (count) => ({ ...to, paths: [path], count }),
  countMax: Number.POSITIVE_INFINITY,
})

/** Each path is asked for once in all rounds together. */
function unrepeated({ origin, paths }: Pick<Asked, 'origin' | 'paths'>): Question {
  let taken = 0
  return {
    asked(count) {
      taken += count
      if (taken > paths.length) throw new Error(`expected at most ${paths.length} requests, found ${taken}`)
      return { origin, paths: paths.slice(taken - count, taken), count }
    },
    countMax: paths.length,
  }
}

/** Long enough for hundreds of requests of the slowest server, short enough for all of this in a few minutes. */
const ROUND_MS = 2_000
/** How many requests that is tells the last of some tries: each sends more, until one lasts long enough. */
const TRY_REQUESTS = 200
const TRY_GROWTH = 5
const TRY_MS_MIN = 100

/** Milliseconds that each server takes for a thousand requests. */
export async function perThousand<Name extends string>(
  load: Load,
  questions: Readonly<Record<Name, Question>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(questions) as Name[]
  const counts = new Map<Name, number>()
  const send = (name: Name, count: number) => load.send(questions[name].asked(count))
  for (const name of names) {
    let left = questions[name].countMax
    for (let count = TRY_REQUESTS; ; count *= TRY_GROWTH) {
      const begun = performance.now()
      await send(name, count)
      const tookMs = performance.now() - begun
      left -= count
      counts.set(name, Math.floor(Math.min((count * ROUND_MS) / tookMs, left / RUNS_PER_TASK)))
      if (tookMs >= TRY_MS_MIN) break
    }
  }
  const countOf = (name: Name) => counts.get(name) as number
  const tasks = names.map((name) => [name, () => send(name, countOf(name))])
  const ms = await interleaved(Object.fromEntries(tasks) as Record<Name, () => Promise<void>>)
  return Object.fromEntries(names.map((name) => [name, (ms[name] / countOf(name)) * 1000])) as Record<Name, number>
}
