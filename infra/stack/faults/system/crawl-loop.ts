import { setTimeout as delay } from 'node:timers/promises'
import { type CommandOptions, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import type { History } from './history.ts'
import { CRAWLED, crawlArguments, type PriceList, writePriceList } from './market.ts'

export type CrawlLoop = Readonly<{
  /** The process of the crawl that runs now, and since when in milliseconds of the run; undefined between two. */
  running: () => Readonly<{ process: Running; sinceMs: number }> | undefined
  /** Ends after a list of each vendor that was recorded. */
  finish: () => Promise<void>
}>

type LoopOptions = Readonly<{
  folder: string
  nowMs: () => number
  history: History
  random: () => number
  say: (line: string) => void
}>

/** As a scheduler starts a failed crawl again. */
const RETRY_MS = 1_000
/** Two cores carry nine processes and three servers. */
const PAUSE_MS = 4_000
/** Of failed crawls, this share is given up: whether they recorded anything stays unknown. */
const GIVEN_UP = 0.3

/** Crawls one list after the other by `catalog crawl`. Throws when a crawl says other figures than the list has. */
export function crawlForever(options: CommandOptions, { folder, nowMs, history, random, say }: LoopOptions): CrawlLoop {
  let running: { process: Running; sinceMs: number } | undefined
  let isFinishing = false

  /** Whether the list was recorded. */
  async function crawl(list: PriceList, { mayGiveUp }: { mayGiveUp: boolean }): Promise<boolean> {
    const beganMs = nowMs()
    for (;;) {
      running = { process: startCatalog([...crawlArguments(list), '--json'], options), sinceMs: nowMs() }
      const { code, stdout, stderr } = await running.process.finished
      running = undefined
      const { observations } = list
      const told = { kind: 'append', client: 'crawl', observations, beganMs, endedMs: nowMs() } as const
      if (code === 0) {
        requireWhole(list, stdout)
        history.add({ ...told, result: 'acknowledged' })
        return true
      }
      history.add({ ...told, result: code === null ? 'unknown' : 'failed' })
      if (code !== null) say(`a crawl failed: ${`${stdout}${stderr}`.trim().slice(0, 300)}`)
      if (mayGiveUp && random() < GIVEN_UP) return false
      await delay(RETRY_MS)
    }
  }

  const loop = (async () => {
    let recorded = 0
    for (let n = 0; ; n++) {
      const isLast = isFinishing
      const isRecorded = await crawl(writePriceList(folder, n, new Date()), { mayGiveUp: !isLast })
      // All vendors in turn, after the last fault.
      recorded = isLast && isRecorded ? recorded + 1 : 0
      if (recorded === CRAWLED.length) return
      if (!isFinishing) await delay(PAUSE_MS)
    }
  })()
  // Awaited by finish; until then a failure must not count as unhandled.
  loop.catch(() => {})
  return {
    running: () => running,
    finish() {
      isFinishing = true
      return loop
    },
  }
}

/** A crawl that was tried again may find its records in the log already; none may be held or parked. */
function requireWhole({ observations }: PriceList, stdout: string): void {
  const { inputs } = JSON.parse(stdout) as { inputs: { read: number; appended: number; duplicates: number }[] }
  const [input] = inputs
  if (input?.read === observations.length && input.appended + input.duplicates === observations.length) return
  throw new Error(`expected a crawl of ${observations.length} records: ${stdout}`)
}
