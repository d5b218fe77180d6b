import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregate } from '@catalog/aggregator/run.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { canonicalJson } from '@catalog/core/digest.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { type EventLog, endOf } from '@catalog/log/log.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { crawlDays } from '@catalog/sample-market/calendar.ts'
import { movedDays, sampleLog } from '@catalog/sample-market/log/sample-log.ts'
import { vendorFile } from '@catalog/sample-market/price-list.ts'
import { loadSample, sampleTexts } from '@catalog/sample-market/sample.ts'
import { finishedCrawlIds, registeredSources } from '@catalog/store/builds/status.ts'
import { lastFinishedRun } from '@catalog/store/vendor/runs.ts'
import { crawlerPorts } from './crawl-inputs.ts'

/** Days from the first crawled day to the first start (see crawlDays). */
const HISTORY_DAYS = 90

/**
 * Brings the sample up to today: an empty catalog gets the sample's log, in which every price has a history. Another one crawls
 * what is missing: see {@link crawlSample}.
 */
export async function loadSampleDays(
  catalog: Catalog,
  terminal: Terminal,
  onShare: (share: number) => void = () => {},
): Promise<void> {
  const heads = await Promise.all(Object.values(TOPICS).map((topic) => catalog.log.partitions(topic)))
  const isEmpty = heads.flat().every(({ next }) => next === 0n)
  await (isEmpty ? appendSampleLog(catalog, terminal, onShare) : crawlSample(catalog, terminal))
}

async function appendSampleLog(catalog: Catalog, terminal: Terminal, onShare: (share: number) => void): Promise<void> {
  const { log } = catalog
  const positions = async () => canonicalJson(await endOf(log, TOPICS.observations))
  const progress = terminal.progress('sample records loaded')
  let [loaded, all] = [0, 0]
  // Each record is appended, and then projected.
  const to = (steps: number) => {
    progress.to(Math.floor(steps / 2), all)
    onShare(steps / 2 / all)
  }
  for await (const { topic, events, of } of sampleLog(dayOf(catalog), positions)) {
    await log.append(topic, events)
    all = of
    loaded += events.length
    to(loaded)
  }
  await catalog.catchUp((records) => to(loaded + records))
  progress.done()
}

const dayOf = ({ now }: Pick<Catalog, 'now'>) => now().toISOString().slice(0, 10)

/**
 * Crawls the missing list of every vendor for every due day, then runs at each of these days. Lists and runs are as of
 * 00:00 UTC. Prices go on as in the sample's log.
 *
 * Idempotent and safe to kill: the store tells what is done, and the first crawled day tells what is due.
 */
export async function crawlSample(catalog: Catalog, terminal: Terminal): Promise<void> {
  const today = dayOf(catalog)
  const former = await finishedCrawlIds(catalog.store, FORMER_PREFIX)
  const prefix = former.length > 0 ? FORMER_PREFIX : CRAWL_PREFIX
  const done = new Set(former.length > 0 ? former : await finishedCrawlIds(catalog.store, prefix))
  const firstDay = firstStartDay(done, prefix) ?? today
  const moved = prefix === CRAWL_PREFIX ? movedDays(firstDay) : 0
  const days = crawlDays({ firstStartDay: firstDay, today })
  const sample = loadSample(sampleTexts())
  const due = days.flatMap((day) =>
    sample.vendors.map((vendor) => ({ vendor, day, crawlId: `${prefix}${day}/${vendor.key}` })),
  )
  const missing = due.filter(({ crawlId }) => !done.has(crawlId))
  const progress = terminal.progress('sample lists crawled')
  mkdirSync(catalog.spoolDir, { recursive: true })
  const registered = new Set<string>()
  let crawled = 0
  let appending = Promise.resolve()
  for (const [day, lists] of Map.groupBy(missing, (list) => list.day)) {
    // Append a day's lists together: hundreds of small appends would take longest of all. The store projects one day
    // while the next is read.
    const log = bufferedLog(catalog.log)
    for (const { vendor, crawlId } of lists) {
      const { fileName, bytes, mapping } = vendorFile({ sample, vendor: vendor.key, day, moved })
      const path = join(catalog.spoolDir, fileName)
      writeFileSync(path, bytes)
      const [report] = await crawl([{ path, options: { mapping } }], {
        ...crawlerPorts(catalog),
        // Our own lists, in this process: a day has dozens of small ones.
        readFile: undefined,
        log,
        newCrawlId: () => crawlId,
        // This loop's registrations may still be on their way to the tables.
        registeredSources: async (ids) =>
          ids.every((id) => registered.has(id)) ? registered : registeredSources(catalog.store, ids),
      })
      for (const { sourceId } of report?.sources ?? []) registered.add(sourceId)
      rmSync(path)
      progress.to(++crawled, missing.length)
    }
    await appending
    appending = log.flush().then(() => catalog.aggregator.catchUp())
    appending.catch(() => {})
  }
  await appending
  progress.done()
  await catalog.catchUp()

  const last = await lastFinishedRun(catalog.store)
  const running = terminal.progress('sample runs')
  const asOfs = days
    .map((day) => `${day}T00:00:00Z`)
    .filter((asOf) => !last || Date.parse(asOf) > Date.parse(last.asOf))
  for (const [index, asOf] of asOfs.entries()) {
    await aggregate(catalog.aggregator, { asOf })
    running.to(index + 1, asOfs.length)
  }
  running.done()
  await catalog.catchUp()
}

/** A log that buffers appends in order until flushed. */
function bufferedLog(log: EventLog): Pick<EventLog, 'append'> & { flush(): Promise<void> } {
  const held = new Map<Topic, { key: string; value: string }[]>()
  return {
    async append(topic, events) {
      held.set(topic, [...(held.get(topic) ?? []), ...events])
    },
    // Registrations first: each crawl appended them before its observations.
    async flush() {
      for (const topic of [TOPICS.decisions, TOPICS.observations]) await log.append(topic, held.get(topic) ?? [])
    },
  }
}

const CRAWL_PREFIX = 'sample-market/'
/** Of catalogs from before the sample's log, whose prices were never moved. */
const FORMER_PREFIX = 'sample/'

/** The day of the first start, from the earliest finished sample crawl; undefined before there is one. */
function firstStartDay(crawlIds: ReadonlySet<string>, prefix: string): string | undefined {
  const oldest = [...crawlIds].sort()[0]?.slice(prefix.length, prefix.length + 10)
  if (oldest === undefined) return undefined
  return new Date(Date.parse(`${oldest}T00:00:00Z`) + HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10)
}
