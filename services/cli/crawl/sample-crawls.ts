import { aggregate } from '@catalog/aggregator/run.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { canonicalJson } from '@catalog/core/digest.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { endOf } from '@catalog/log/log.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { crawlDays, dayNumberOf, dayText, HISTORY_DAYS } from '@catalog/sample-market/calendar.ts'
import { CRAWL_PREFIX, openSampleLog, type SampleEvents } from '@catalog/sample-market/log/sample-log.ts'
import { finishedCrawlIds } from '@catalog/store/builds/status.ts'
import { lastFinishedRun } from '@catalog/store/vendor/runs.ts'

/**
 * Brings the sample up to today. An empty catalog gets the sample's log, in which every price has a history. Another one gets
 * the lists of the days that are due, and a run at each of them. Lists and runs are as of 00:00 UTC.
 *
 * Idempotent and safe to kill: the store tells what is done, and the first crawled day tells what is due.
 */
export async function loadSampleDays(
  catalog: Catalog,
  terminal: Terminal,
  onShare: (share: number) => void = () => {},
): Promise<void> {
  const { log, store, aggregator } = catalog
  const today = catalog.now().toISOString().slice(0, 10)
  const sample = openSampleLog()
  const heads = await Promise.all(Object.values(TOPICS).map((topic) => log.partitions(topic)))
  if (heads.flat().every(({ next }) => next === 0n)) {
    const positions = async () => canonicalJson(await endOf(log, TOPICS.observations))
    return append(sample.all(today, positions), { catalog, terminal, onShare })
  }
  const done = new Set(await finishedCrawlIds(store, CRAWL_PREFIX))
  const days = crawlDays({ firstStartDay: firstStartDay(done) ?? today, today })
  if (done.size === 0) await append(sample.sources(today), { catalog, terminal, onShare })
  for (const [number, day] of days.entries()) {
    const crawled = done.values().filter((id) => id.startsWith(`${CRAWL_PREFIX}${day}/`))
    if (crawled.toArray().length < sample.crawlsOfDay) {
      await append(sample.list(number, day), { catalog, terminal, onShare })
    }
  }
  const last = await lastFinishedRun(store)
  const running = terminal.progress('sample runs')
  const asOfs = days
    .map((day) => `${day}T00:00:00Z`)
    .filter((asOf) => !last || Date.parse(asOf) > Date.parse(last.asOf))
  for (const [index, asOf] of asOfs.entries()) {
    await aggregate(aggregator, { asOf })
    running.to(index + 1, asOfs.length)
  }
  running.done()
  await catalog.catchUp()
}

type Loading = Readonly<{ catalog: Catalog; terminal: Terminal; onShare: (share: number) => void }>

async function append(
  all: AsyncIterable<SampleEvents> | Iterable<SampleEvents>,
  { catalog, terminal, onShare }: Loading,
): Promise<void> {
  const progress = terminal.progress('sample records loaded')
  let [appended, total] = [0, 0]
  // Each record is appended, and then projected.
  const to = (steps: number) => {
    progress.to(Math.floor(steps / 2), total)
    onShare(steps / 2 / total)
  }
  for await (const { topic, events, of } of all) {
    await catalog.log.append(topic, events)
    total = of
    appended += events.length
    to(appended)
  }
  await catalog.catchUp((records) => to(appended + records))
  progress.done()
}

/** The day of the first start, from the earliest finished sample crawl; undefined before there is one. */
function firstStartDay(crawlIds: ReadonlySet<string>): string | undefined {
  const oldest = [...crawlIds].sort()[0]?.slice(CRAWL_PREFIX.length, CRAWL_PREFIX.length + 10)
  return oldest === undefined ? undefined : dayText(dayNumberOf(oldest) + HISTORY_DAYS)
}
