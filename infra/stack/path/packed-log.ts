import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregate } from '@catalog/aggregator/run.ts'
import { crawlerPorts } from '@catalog/cli/crawl/crawl-inputs.ts'
import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { observationPayload } from '@catalog/core/events/ids.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { vendorFile } from '@catalog/sample-files/price-list.ts'
import { loadSample, sampleTexts } from '@catalog/sample-files/sample.ts'
import {
  CRAWL_PREFIX,
  LOG_DAY,
  logDays,
  MARKS,
  NUMBER_BASE,
  numberLetter,
  spellingsOf,
} from '@catalog/sample-market/log/sample-log.ts'
import { openTestCatalog } from '@catalog/stack/testing/cli.ts'

type Logged = Readonly<{ topic: Topic; key: string; event: CatalogEvent }>

/** The log that crawling, matching and publishing the sample's files on its day gives, by topic, then partition. */
async function crawledLog(): Promise<readonly Logged[]> {
  await using opened = await openTestCatalog()
  const now = () => new Date(`${LOG_DAY}T00:00:00Z`)
  const catalog = { ...opened.catalog, now }
  const sample = loadSample(sampleTexts())
  mkdirSync(catalog.spoolDir, { recursive: true })
  for (const day of logDays(LOG_DAY)) {
    const log = bufferedLog(catalog.log)
    for (const { key } of sample.vendors) {
      const { fileName, bytes, mapping } = vendorFile({ sample, vendor: key, day })
      const path = join(catalog.spoolDir, fileName)
      writeFileSync(path, bytes)
      const newCrawlId = () => `${CRAWL_PREFIX}${day}/${key}`
      await crawl([{ path, options: { mapping } }], { ...crawlerPorts(catalog), readFile: undefined, log, newCrawlId })
    }
    await log.flush()
    await catalog.catchUp()
  }
  for (const day of logDays(LOG_DAY)) {
    const newRunId = () => `run_${day.replaceAll('-', '')}000000_sample`
    await aggregate({ ...catalog.aggregator, now, newRunId }, { asOf: `${day}T00:00:00Z` })
  }
  return await readLog(catalog)
}

/** Appends the lists of a day together: hundreds of small appends would take longest of all. */
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

async function readLog({ log }: Pick<Catalog, 'log'>): Promise<readonly Logged[]> {
  const all: Logged[] = []
  for (const topic of Object.values(TOPICS)) {
    for (const { partition, next } of await log.partitions(topic)) {
      for (let from = 0n; from < next; ) {
        const records = await log.read(topic, partition, from, Number(next - from))
        all.push(...records.map(({ key, value }) => ({ topic, key, event: JSON.parse(value) })))
        from += BigInt(records.length)
      }
    }
  }
  return all
}

/** The text of the sample's log as a start reads it. */
export async function packedLog(): Promise<string> {
  const logged = await crawledLog()
  const of = (topic: Topic) => logged.filter((record) => record.topic === topic)
  const ids = new Map<string, string>()
  const lineOf = ({ topic, key, event }: Logged) => {
    if (event.recorded_at !== `${LOG_DAY}T00:00:00Z`)
      throw new Error(`${event.type} of ${key}: recorded at ${event.recorded_at}`)
    if (event.type === 'ObservationRecorded') {
      ids.set(event.event_id, ids.size.toString(NUMBER_BASE))
      return `o${key}\t${marked(event.crawl_id)}\t${marked(observationPayload(event))}`
    }
    const { event_id: _e, recorded_at: _r, ...content } = event
    const kind = { [TOPICS.observations]: 'v', [TOPICS.decisions]: 'd', [TOPICS.items]: 'i' }[topic]
    return `${kind}${key}\t${marked(canonicalJson(content as unknown as JsonValue))}`
  }
  const days = logDays(LOG_DAY).flatMap((day, at) =>
    spellingsOf(day).map((text, spelling) => ({
      text,
      mark: `${MARKS.day}${numberLetter(at)}${numberLetter(spelling)}`,
    })),
  )
  const marks = new Map(days.map(({ text, mark }) => [text, mark]))
  const anyDay = new RegExp([...marks.keys()].map((text) => text.replaceAll(/[/.]/g, '\\$&')).join('|'), 'g')
  const marked = (text: string) =>
    text
      .replaceAll(anyDay, (day) => marks.get(day) as string)
      .replaceAll(/[0-9a-f]{64}/g, (id) => (ids.has(id) ? `${MARKS.observation}${ids.get(id)}${MARKS.end}` : id))
      .replace(/(?<="vendor\.observations":)\{[^}]*\}/, MARKS.positions)

  const decisions = of(TOPICS.decisions)
  const registered = decisions.filter(({ event }) => event.type === 'SourceRegistered')
  const lines = [...registered, ...of(TOPICS.observations)].map(lineOf)
  // Each run's decisions precede what it published.
  const decided = decisions
    .filter(({ event }) => event.type !== 'SourceRegistered')
    .map((record) => ({ record, line: lineOf(record) }))
  const published = of(TOPICS.items).map((record) => ({ record, line: lineOf(record) }))
  for (let [at, to] = [0, 0]; at < decided.length || to < published.length; ) {
    for (let started = false; at < decided.length && !started; at++) {
      lines.push(decided[at]?.line as string)
      started = decided[at]?.record.event.type === 'RunStarted'
    }
    for (let ended = false; to < published.length && !ended; to++) {
      lines.push(published[to]?.line as string)
      ended = published[to]?.record.event.type === 'RunMarked'
    }
  }
  return lines.join('\n')
}
