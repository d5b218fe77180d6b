import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { answerOrder } from '@catalog/bench/harness/worker.ts'
import { openFetcher, userAgentOf } from '@catalog/crawler/fetch/fetcher.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { openRequest } from '@catalog/runtime/fetch.ts'
import { keepHeapSmall, peakResidentBytes } from '@catalog/runtime/heap.ts'
import { Parser } from 'htmlparser2'

/**
 * A process that does one thing with a merchant feed, so that its memory and compiled code belong to that alone. It
 * fetches and crawls the feed, reads it as observations, or counts its items with an XML reader. Messages: {@link
 * CrawlerOrder} in, {@link Crawled} or {@link Read} out.
 */
export type CrawlerOrder =
  | Readonly<{ work: 'crawl'; url: string; path: string; folder: string }>
  | Readonly<{ work: 'read' | 'count'; path: string }>

export type Read = Readonly<{ records: number; ms: number }>
export type Crawled = Read & Readonly<{ bytes: number; fetchMs: number; events: number; rssBytes: number }>

/** The day after the feed's date. */
const NOW = new Date('2026-11-03T00:00:00Z')
const SOURCE = { source: 'Materiales del Sur', region: 'ES' }
/** Bytes of one read from disk, as in the crawler. */
const READ_BYTES = 64 * 1024
/** Excludes the wait between two requests to a host. */
const POLITENESS = { perSecond: 1_000 }

/** The log only counts events: other benches measure appends. */
async function fetchAndCrawl({ url, path, folder }: Extract<CrawlerOrder, { work: 'crawl' }>): Promise<Crawled> {
  keepHeapSmall()
  const request = openRequest({ allowed: ['127.0.0.0/8'] })
  const userAgent = userAgentOf('https://catalog.example/crawler')
  const begun = performance.now()
  const fetched = await openFetcher({ request, userAgent, politeness: POLITENESS }).get(url, { into: path })
  const fetchMs = performance.now() - begun
  if (fetched.status !== 'fetched') throw new Error(fetched.sentence)

  let events = 0
  const crawling = performance.now()
  const [report] = await crawl([{ path, options: SOURCE }], {
    log: {
      async append(_topic, appended) {
        events += appended.length
      },
    },
    now: () => NOW,
    newCrawlId: () => 'bench',
    spoolDir: join(folder, 'spill'),
    registeredSources: async () => new Set(),
  })
  const ms = performance.now() - crawling
  if (!report?.complete) throw new Error(`${path} was not crawled to its end`)
  const rssBytes = peakResidentBytes()
  return { records: report.read, ms, bytes: fetched.bytes, fetchMs, events, rssBytes }
}

async function read(path: string): Promise<Read> {
  const source: ByteSource = {
    name: path,
    open: () => createReadStream(path, { highWaterMark: READ_BYTES }),
    whole: async () => path,
  }
  let records = 0
  const begun = performance.now()
  for await (const { outcomes } of readOutcomes(source, { defaults: { ...SOURCE, notAfter: NOW } })) {
    records += outcomes.length
  }
  return { records, ms: performance.now() - begun }
}

/** The XML reader underneath ours, with the same options. */
async function count(path: string): Promise<Read> {
  let records = 0
  const callbacks = {
    onopentagname(name: string) {
      if (name === 'item') records++
    },
  }
  const begun = performance.now()
  const parser = new Parser(callbacks, { xmlMode: true, decodeEntities: false, recognizeSelfClosing: true })
  const chunks: AsyncIterable<string> = createReadStream(path, { encoding: 'utf8', highWaterMark: READ_BYTES })
  for await (const chunk of chunks) parser.write(chunk)
  parser.end()
  return { records, ms: performance.now() - begun }
}

answerOrder(
  (order: CrawlerOrder): Promise<Read> =>
    order.work === 'crawl' ? fetchAndCrawl(order) : order.work === 'read' ? read(order.path) : count(order.path),
)
