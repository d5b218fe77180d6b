import { setTimeout as delay } from 'node:timers/promises'
import { type CommandOptions, startCatalog } from '@catalog/stack/servers/command.ts'
import { type PriceList, writePriceList } from './price-lists.ts'

/** A list whose crawl ended with success; times in milliseconds of the run's clock. */
type CrawledList = Readonly<{ list: PriceList; begunMs: number; endedMs: number; attempts: number }>

export type CrawlLoop = Readonly<{
  /** Lists in the order of their crawls; each is crawled until a crawl of it ends with success. */
  crawled: readonly CrawledList[]
  /** When the crawl that runs now was begun; undefined between two. */
  runningSinceMs: () => number | undefined
  /** Ends after a list with which all vendors ask the same prices. */
  finish: () => Promise<void>
}>

/** As a scheduler starts a failed crawl again. */
const RETRY_MS = 1_000
/** Two cores carry nine processes and three servers. */
const PAUSE_MS = 5_000

/** Crawls one list after the other by `catalog crawl`. Throws when a crawl says other figures than the list has. */
export function crawlForever(
  options: CommandOptions,
  { folder, nowMs, onRetry }: { folder: string; nowMs: () => number; onRetry: (said: string) => void },
): CrawlLoop {
  const crawled: CrawledList[] = []
  let runningSinceMs: number | undefined
  let isFinishing = false

  async function crawlUntilDone(list: PriceList): Promise<CrawledList> {
    const asked = ['--source', list.vendor, '--region', 'ES', '--currency', 'EUR', '--observed-at', list.observedAt]
    for (let attempts = 1; ; attempts++) {
      const begunMs = nowMs()
      runningSinceMs = begunMs
      const { code, stdout, stderr } = await startCatalog(['crawl', list.path, ...asked, '--json'], options).finished
      runningSinceMs = undefined
      if (code === 0) {
        requireWhole(list, stdout)
        return { list, begunMs, endedMs: nowMs(), attempts }
      }
      onRetry(`${stdout}${stderr}`)
      await delay(RETRY_MS)
    }
  }

  const loop = (async () => {
    for (let n = 0; ; n++) {
      const done = await crawlUntilDone(writePriceList(folder, n, new Date()))
      crawled.push(done)
      if (isFinishing && done.list.endsTurn) return
      await delay(PAUSE_MS)
    }
  })()
  // Awaited by finish; until then a failure must not count as unhandled.
  loop.catch(() => {})
  return {
    crawled,
    runningSinceMs: () => runningSinceMs,
    finish() {
      isFinishing = true
      return loop
    },
  }
}

/** A crawl that was tried again may find its records in the log already; none may be held or parked. */
function requireWhole({ prices }: PriceList, stdout: string): void {
  const { inputs } = JSON.parse(stdout) as { inputs: { read: number; appended: number; duplicates: number }[] }
  const [input] = inputs
  if (input?.read === prices.length && input.appended + input.duplicates === prices.length) return
  throw new Error(`expected a crawl of ${prices.length} records: ${stdout}`)
}
