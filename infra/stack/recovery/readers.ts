import { setTimeout as delay } from 'node:timers/promises'
import { PRODUCT } from './price-lists.ts'

/** What a reader of the API met, from the first publication on. */
export type Reads = {
  answered: number
  failed: string[]
  empty: string[]
  /** Searches that said 503, which they may while the index is away. */
  refusedSearches: number
}

const READ_EVERY_MS = 200
/** Every so many reads, one is a search. */
const SEARCH_EVERY = 4
/** A reader gives up later than any answer may take. */
const ANSWER_MS_MAX = 15_000

/** Reads pages, items and searches one after the other until the signal aborts. `elapsed` names moments. */
export async function readAlways(
  base: string,
  { signal, elapsed }: { signal: AbortSignal; elapsed: () => number },
): Promise<Reads> {
  const reads: Reads = { answered: 0, failed: [], empty: [], refusedSearches: 0 }
  for (let n = 0; !signal.aborted; n++) {
    const kind = n % SEARCH_EVERY === 0 ? 'search' : n % SEARCH_EVERY === 1 ? 'feed' : 'items'
    // Numbers that differ keep a response cache from answering.
    const path = {
      search: `/search?limit=${1 + (n % 50)}&q=${encodeURIComponent(PRODUCT)}`,
      feed: '/feeds/items.atom',
      items: `/items?limit=${1 + (n % 100)}`,
    }[kind]
    const found = await answerTo(`${base}${path}`)
    const moment = `${path} at ${elapsed()} s`
    if (kind === 'search' && found.status === 503) reads.refusedSearches += 1
    else if (found.status !== 200) reads.failed.push(`${found.status} for ${moment}: ${found.text.slice(0, 200)}`)
    else if (holdsNothing(kind, found.text)) reads.empty.push(moment)
    else reads.answered += 1
    await delay(READ_EVERY_MS, undefined, { signal }).catch(() => {})
  }
  return reads
}

async function answerTo(url: string): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: (error as Error).message }
  }
}

function holdsNothing(kind: 'search' | 'feed' | 'items', text: string): boolean {
  if (kind === 'feed') return !text.includes('<entry>')
  const { items, results } = JSON.parse(text) as { items?: unknown[]; results?: unknown[] }
  return (items ?? results ?? []).length === 0
}

/** Whether search finds products. */
export async function isFound(base: string): Promise<boolean> {
  const { status, text } = await answerTo(`${base}/search?limit=5&q=${encodeURIComponent(PRODUCT)}`)
  if (status !== 200) return false
  const { results } = JSON.parse(text) as { results: { name: string }[] }
  return results.length === 5 && results.every(({ name }) => name.startsWith(PRODUCT))
}

/** Whether the server is ready, with nothing degraded. */
export async function isReady(base: string): Promise<boolean> {
  const { status, text } = await answerTo(base.replace(/\/v1$/, '/readyz'))
  return status === 200 && (JSON.parse(text) as { status: string }).status === 'ok'
}

/** Cents by name of every item that the API lists. */
export async function readPrices(base: string): Promise<Map<string, number>> {
  const prices = new Map<string, number>()
  for (let after = ''; ; ) {
    const { status, text } = await answerTo(`${base}/items?limit=100${after}`)
    if (status !== 200) throw new Error(`/items: ${status} ${text.slice(0, 200)}`)
    const page = JSON.parse(text) as {
      items: { name: string; median_price: { cents: number } | null }[]
      cursor: string | null
    }
    for (const { name, median_price: price } of page.items) if (price !== null) prices.set(name, price.cents)
    if (page.cursor === null) return prices
    after = `&cursor=${encodeURIComponent(page.cursor)}`
  }
}
