import { setTimeout as delay } from 'node:timers/promises'
import { MCP_ENDPOINT, toolCall } from '@catalog/stack/testing/agent.ts'
import type { NamedPrice, Read } from './history.ts'
import { PRODUCT } from './market.ts'
import type { System } from './system.ts'

const READ_EVERY_MS = 250
/** A reader gives up later than any answer may take. */
const ANSWER_MS_MAX = 15_000
/** Prices of one answer that go into the history. */
const NOTED = 5
const KINDS = ['items', 'search', 'feed', 'items'] as const

type Answer = Readonly<{ status: number; text: string }>
type ListedItem = Readonly<{ name: string; median_price: { cents: number } | null }>

/** Reads pages, searches and feeds one after the other until the signal aborts, and notes what it met. */
export async function readAlways(system: Readable, signal: AbortSignal): Promise<void> {
  const { base, history, nowMs } = system
  for (let n = 0; !signal.aborted; n++) {
    const asked = KINDS[n % KINDS.length] as Read['asked']
    // Numbers that differ keep a response cache from answering.
    const path = {
      search: `/search?limit=${1 + (n % 50)}&q=${encodeURIComponent(PRODUCT)}`,
      feed: '/feeds/items.atom',
      items: `/items?limit=${1 + (n % 100)}`,
    }[asked]
    const beganMs = nowMs()
    const answer = await answerTo(`${base}${path}`)
    history.add({ kind: 'read', client: 'reader', beganMs, atMs: nowMs(), asked, ...noted(asked, answer) })
    await delay(READ_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** An agent searches over MCP (revision 2026-07-28, without a handshake) until the signal aborts. */
export async function askAlways(system: Readable & Pick<System, 'agentKey'>, signal: AbortSignal): Promise<void> {
  const { base, agentKey, history, nowMs } = system
  const request = toolCall({ tool: 'search_catalog', args: { q: PRODUCT } }, agentKey)
  while (!signal.aborted) {
    const beganMs = nowMs()
    const answer = await answerTo(base.replace(/\/v1$/, MCP_ENDPOINT), request)
    history.add({ kind: 'read', client: 'agent', beganMs, atMs: nowMs(), asked: 'search', ...notedOfTool(answer) })
    await delay(READ_EVERY_MS * 8, undefined, { signal }).catch(() => {})
  }
}

type Readable = Pick<System, 'base' | 'history' | 'nowMs'>
type Noted = Pick<Read, 'status' | 'isEmpty' | 'prices' | 'failure'>

function noted(asked: Read['asked'], { status, text }: Answer): Noted {
  if (status !== 200) return failed({ status, text })
  if (asked === 'feed') return { status, isEmpty: !text.includes('<entry>'), prices: [] }
  const { items, results } = JSON.parse(text) as { items?: ListedItem[]; results?: ListedItem[] }
  const found = items ?? results ?? []
  return { status, isEmpty: found.length === 0, prices: pricesOf(found).slice(0, NOTED) }
}

/** A tool that fails says so in its result. */
function notedOfTool(answer: Answer): Noted {
  if (answer.status !== 200) return failed(answer)
  const { result } = JSON.parse(answer.text) as {
    result?: { isError?: boolean; structuredContent?: { results?: ListedItem[] } }
  }
  if (result === undefined || result.isError === true) {
    return failed({ status: /unavailable|503/i.test(answer.text) ? 503 : 500, text: answer.text })
  }
  const found = result.structuredContent?.results ?? []
  return { status: 200, isEmpty: found.length === 0, prices: pricesOf(found).slice(0, NOTED) }
}

const failed = ({ status, text }: Answer): Noted => ({
  status,
  isEmpty: false,
  prices: [],
  failure: text.slice(0, 200),
})

const pricesOf = (items: readonly ListedItem[]): NamedPrice[] =>
  items.flatMap(({ name, median_price: price }) => (price == null ? [] : [[name, price.cents] as const]))

async function answerTo(url: string, request: RequestInit = {}): Promise<Answer> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: (error as Error).message }
  }
}

/** Whether search finds products. */
export async function isFound(base: string): Promise<boolean> {
  const { status, text } = await answerTo(`${base}/search?limit=5&q=${encodeURIComponent(PRODUCT)}`)
  if (status !== 200) return false
  const { results } = JSON.parse(text) as { results: { name: string }[] }
  return results.length === 5 && results.every(({ name }) => name.startsWith(PRODUCT))
}

/** Whether the server answers at all. */
const isAlive = async (base: string) => (await answerTo(base.replace(/\/v1$/, '/livez'))).status === 200

/** Notes from when to when the server was away; `work` kills it. */
export async function whileAway<T>({ base, history, nowMs }: Readable, work: () => Promise<T>): Promise<T> {
  const fromMs = nowMs()
  const done = await work()
  while (!(await isAlive(base))) await delay(READ_EVERY_MS)
  history.add({ kind: 'away', fromMs, toMs: nowMs() })
  return done
}

/** Whether the server is ready, with nothing degraded. */
export async function isReady(base: string): Promise<boolean> {
  const { status, text } = await answerTo(base.replace(/\/v1$/, '/readyz'))
  return status === 200 && (JSON.parse(text) as { status: string }).status === 'ok'
}

/** Cents by name of every item that the API lists. */
export async function readPrices(base: string): Promise<NamedPrice[]> {
  const prices: NamedPrice[] = []
  for (let after = ''; ; ) {
    const { status, text } = await answerTo(`${base}/items?limit=100${after}`)
    if (status !== 200) throw new Error(`/items: ${status} ${text.slice(0, 200)}`)
    const page = JSON.parse(text) as { items: ListedItem[]; cursor: string | null }
    prices.push(...pricesOf(page.items))
    if (page.cursor === null) return prices
    after = `&cursor=${encodeURIComponent(page.cursor)}`
  }
}
