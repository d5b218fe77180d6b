import { connect, type Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { type Bench, type Brevity, interleaved, quantile, type Row, speedup } from '@catalog/bench/harness/report.ts'
import { startOurs } from '@catalog/bench/harness/servers.ts'
import { makeItems } from '@catalog/bench/workload/items.ts'
import { fillIndex } from '@catalog/bench/workload/search-items.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { type Era, LEGACY, MCP_ENDPOINT, MODERN, toolCall } from '@catalog/stack/testing/agent.ts'
import { openStore } from '@catalog/store/db.ts'

/** Tools of agents beside the routes of readers: the same items and words, with the same key. */
export const mcpBench: Bench = {
  title: 'the tools of agents beside the same reads by REST, at 50 callers at once',
  async run(say, { isBrief = false } = {}) {
    const sizes = isBrief ? BRIEF : WHOLE
    await using postgres = await startPostgres()
    say(`${sizes.items} items with their prices are being made ...`)
    const url = await makeItems({ url: postgres.url, database: 'catalog', items: sizes.items, prices: true })
    const catalogItems = await readItems(url, sizes.searched)
    await using ours = await startOurs(url)
    const caller = { origin: ours.origin, key: await signUp(ours.origin) }
    const items = catalogItems.map(({ id }) => ({ tool: 'get_item', args: { id }, path: `/v1/items/${id}` }))
    const words = catalogItems.map(({ name }) => searchOf(name))
    const checked = items.splice(0, CHECKED)
    await requireSame(caller, [...checked, ...words.slice(0, CHECKED)])
    const to = { say, caller, isBrief }
    say('tools and routes answer the same')

    // First, because a long-running server has compiled everything.
    const again = (encode: RequestEncoder, times: number) => () =>
      Array.from({ length: times }, (_, i) => encode(caller, checked[i % CHECKED] as Read))
    const known = await timed(to, {
      what: 'items, again',
      ways: {
        rest: again(byRest, sizes.againByRest),
        tool: again(byTool(MODERN), sizes.again),
        older: again(byTool(LEGACY), sizes.again),
      },
    })
    const fresh = (encode: RequestEncoder) => () => items.splice(0, sizes.first).map((read) => encode(caller, read))
    const first = await timed(to, {
      what: 'items, first',
      ways: { rest: fresh(byRest), tool: fresh(byTool(MODERN)), older: fresh(byTool(LEGACY)) },
    })
    const asked = (encode: RequestEncoder) => () => words.slice(0, sizes.searches).map((read) => encode(caller, read))
    const searches = await timed(to, {
      what: 'searches',
      ways: { rest: asked(byRest), tool: asked(byTool(MODERN)) },
    })
    return [
      ...compared('get_item, first time', first.tool, ['GET /items/ID, first time', first.rest], speedup(0.5)),
      ...compared(`get_item, first time, in ${LEGACY}`, first.older, ['GET /items/ID, first time', first.rest], null),
      ...compared('get_item, again', known.tool, ['GET /items/ID, answered before', known.rest], speedup(0.3)),
      ...compared(`get_item, again, in ${LEGACY}`, known.older, ['GET /items/ID, answered before', known.rest], null),
      ...compared('search_catalog', searches.tool, ['GET /search', searches.rest], speedup(0.5)),
    ]
  },
}

const WHOLE = {
  items: 15_000,
  /** Few, so that a search costs about as much as the tool around it: an exact scan of many would hide that. */
  searched: 2_000,
  /** Requests in a round. All rounds of the three ways together take 12,000 different items. */
  first: 1_000,
  again: 2_000,
  /** Cached answers are so fast that fewer could not be measured. */
  againByRest: 20_000,
  searches: 300,
}
const BRIEF: typeof WHOLE = { items: 700, searched: 100, first: 50, again: 50, againByRest: 50, searches: 10 }
/** Concurrent callers, with one request at a time each. */
const AGENTS = 50
const CHECKED = 20

type Item = Readonly<{ id: string; name: string }>

/** The items by id; some of them are put into the index. */
async function readItems(url: string, searchedCount: number): Promise<readonly Item[]> {
  await using store = await openStore({ kind: 'postgres', connection: { url } })
  await fillIndex(store, searchedCount)
  return await store.query<Item>('select item_id as id, name from items order by item_id')
}

type Caller = Readonly<{ origin: string; key: string }>

async function signUp(origin: string): Promise<string> {
  const response = await fetch(`${origin}/v1/keys/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.org' }),
  })
  return ((await response.json()) as { key: string }).key
}

/** One request, for a tool and for a route. */
type Read = Readonly<{ tool: string; args: object; path: string }>

function searchOf(name: string): Read {
  const q = name.replace(/, no\..*/, '')
  return { tool: 'search_catalog', args: { q }, path: `/v1/search?q=${encodeURIComponent(q)}&include=cursor,explain` }
}

/** Encodes a whole request in advance. */
type RequestEncoder = (caller: Caller, read: Read) => Buffer

const byRest: RequestEncoder = (caller, { path }) =>
  requestOf(caller, `GET ${path}`, { accept: 'application/json' }, '')

const byTool =
  (era: Era): RequestEncoder =>
  (caller, read) => {
    const { headers, body } = toolCall({ ...read, era }, caller.key)
    const length = String(Buffer.byteLength(body))
    return requestOf(caller, `POST ${MCP_ENDPOINT}`, { ...headers, 'content-length': length }, body)
  }

function requestOf({ origin, key }: Caller, line: string, headers: Readonly<Record<string, string>>, body: string) {
  const all = { host: new URL(origin).host, authorization: `Bearer ${key}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** Throws unless tools and routes give the same answers, in both protocol revisions. */
async function requireSame({ origin, key }: Caller, reads: readonly Read[]): Promise<void> {
  const authorization = `Bearer ${key}`
  for (const read of reads) {
    const response = await fetch(origin + read.path, { headers: { authorization } })
    // A tool tells how it read a search, and not why it found a result.
    const expected = JSON.parse(await response.text(), (name, value) => (name === 'why' ? undefined : value))
    for (const era of [MODERN, LEGACY] as const) {
      const response = await fetch(origin + MCP_ENDPOINT, toolCall({ ...read, era }, key))
      // The older revision answers with a stream of one event. Tools cite.
      const [message = ''] = /\{.*\}/.exec(await response.text()) ?? []
      const { citations: _, ...found } = JSON.parse(message).result.structuredContent
      if (isDeepStrictEqual(found, expected)) continue
      throw new Error(`${read.path}: expected ${JSON.stringify(expected)}, found ${message}`)
    }
  }
}

/** Time for a thousand requests, and the 99th percentile of one; medians of the rounds. */
type Timing = Readonly<{ perThousandMs: number; p99Ms: number }>

/** Times every way in turn; each round sends the next requests. */
async function timed<Name extends string>(
  { say, caller: { origin }, isBrief }: Brevity & Readonly<{ say: (line: string) => void; caller: Caller }>,
  { what, ways }: { what: string; ways: Readonly<Record<Name, () => readonly Buffer[]>> },
): Promise<Record<Name, Timing>> {
  const names = Object.keys(ways) as Name[]
  const p99s = new Map(names.map((name) => [name, [] as number[]]))
  const tasks = names.map((name) => [
    name,
    async () => {
      const requests = ways[name]()
      const begun = performance.now()
      const tookMs = await send(origin, requests)
      const ms = performance.now() - begun
      p99s.get(name)?.push(quantile(tookMs, 0.99))
      return (ms / requests.length) * 1_000
    },
  ])
  const perThousandMs = await interleaved(Object.fromEntries(tasks) as Record<Name, () => Promise<number>>, { isBrief })
  const timings = names.map((name) => {
    // The first round is a warm-up, as for the rates.
    const p99Ms = quantile(p99s.get(name)?.slice(1) ?? [], 0.5)
    return [name, { perThousandMs: perThousandMs[name], p99Ms }] as const
  })
  const rates = timings.map(([name, { perThousandMs }]) => `${name} ${Math.round(1e6 / perThousandMs)}/s`)
  say(`${what}: ${rates.join(', ')}`)
  return Object.fromEntries(timings) as Record<Name, Timing>
}

function compared(
  tool: string,
  ours: Timing,
  [route, theirs]: [route: string, theirs: Timing],
  ratioMax: number | null,
): Row[] {
  const rate = { stage: `1,000 times ${tool}`, oursMs: ours.perThousandMs, besideMs: theirs.perThousandMs, ratioMax }
  const p99 = { stage: `p99 of ${AGENTS} at once, ${tool}`, oursMs: ours.p99Ms, besideMs: theirs.p99Ms, ratioMax: null }
  return [rate, p99].map((row) => ({ ...row, beside: route }))
}

const HEAD_END = Buffer.from('\r\n\r\n')
/** The end of a chunked answer. */
const CHUNKS_END = Buffer.from('\r\n0\r\n\r\n')

/**
 * Sends the requests over the callers' connections, one at a time on each, and returns the milliseconds of each. Like
 * load-generator.ts it writes bytes and only detects the end of an answer. Throws on the first that is not 200, or in
 * which a tool reports an error.
 */
async function send(origin: string, requests: readonly Buffer[]): Promise<readonly number[]> {
  const { hostname, port } = new URL(origin)
  const tookMs: number[] = []
  const left = requests.values()
  const callers = Array.from({ length: AGENTS }, async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    try {
      for (const request of left) {
        const begun = performance.now()
        await answered(socket, request)
        tookMs.push(performance.now() - begun)
      }
    } finally {
      socket.destroy()
    }
  })
  await Promise.all(callers)
  return tookMs
}

function answered(socket: Socket, request: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let answer: Buffer = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    answer = answer.length === 0 ? chunk : Buffer.concat([answer, chunk])
    const end = answer.indexOf(HEAD_END)
    if (end < 0) return
    const head = answer.toString('latin1', 0, end)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    const isWhole =
      length === undefined
        ? answer.subarray(-CHUNKS_END.length).equals(CHUNKS_END)
        : answer.length >= end + HEAD_END.length + Number(length)
    if (!isWhole) return
    const isGood = head.startsWith('HTTP/1.1 200 ') && !answer.includes('"isError":true')
    if (isGood) resolve()
    else reject(new Error(`expected an answer, found ${answer.toString()}`))
  }
  const onClose = () => reject(new Error('the connection was closed before its answer'))
  socket.on('data', onData).on('error', reject).on('close', onClose)
  socket.write(request)
  return promise.finally(() => socket.off('data', onData).off('error', reject).off('close', onClose))
}
