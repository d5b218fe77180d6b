import { chmodSync, mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SERVER_SETTINGS } from '@catalog/bench/benches/project.ts'
import { type Bench, interleaved, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { sumOf, watchedCommand } from '@catalog/bench/harness/watched-command.ts'
import { resultOf } from '@catalog/bench/harness/worker.ts'
import type { Crawled, CrawlerOrder, Read } from '@catalog/bench/workload/crawler.ts'
import { merchantFeed } from '@catalog/bench/workload/merchant-feed.ts'
import { writeVendorLists } from '@catalog/bench/workload/vendor-lists.ts'
import { processorSecondsOf, serveHttp } from '@catalog/stack/servers/machine.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import pg from 'pg'

/** `--megabytes N` crawls a feed of that size. */
export const crawlBench: Bench = {
  title: 'a merchant feed beside the bare XML reader, and ten price lists in one command beside COPY',
  async run(say, { isBrief = false, megabytes = isBrief ? BRIEF_MEGABYTES : MEGABYTES } = {}) {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-crawl-'))
    const path = join(folder.path, 'feed.xml')
    await using shop = await openShop(megabytes * 1e6)
    say(`${megabytes} MB are being fetched and crawled ...`)
    const crawled = await inProcess<Crawled>({
      work: 'crawl',
      url: `${shop.url}/feed.xml`,
      path,
      folder: folder.path,
    })

    say('they are being read beside the bare XML reader ...')
    const timed = async (work: 'read' | 'count') => {
      const { records, ms } = await inProcess<Read>({ work, path })
      if (records !== crawled.records) throw new Error(`${records} records, expected ${crawled.records}`)
      return ms
    }
    const ms = await interleaved({ reader: () => timed('read'), bare: () => timed('count') }, { isBrief })

    const lists = await crawlLists(say, { folder: folder.path, rows: isBrief ? BRIEF_ROWS : ROWS })
    const size = `${Math.round(crawled.bytes / 1e6)} MB`
    const perSecond = (time: number) => Math.round(crawled.records / (time / 1000))
    return [
      { stage: `${size} read as observations`, beside: BARE, ...times(ms.reader, ms.bare), ratioMax: RATIO_MAX },
      { stage: `${size} crawled`, beside: BARE, ...times(crawled.ms, ms.bare), ratioMax: null },
      { stage: 'fetched', figure: crawled.bytes, unit: 'bytes', max: null },
      { stage: 'records', figure: crawled.records, unit: 'records', max: null },
      { stage: 'events appended', figure: crawled.events, unit: 'events', max: null },
      { stage: 'fetched to disk', figure: Math.round(crawled.bytes / 1e3 / crawled.fetchMs), unit: 'MB/s', max: null },
      { stage: BARE, figure: perSecond(ms.bare), unit: 'records/s', max: null },
      { stage: 'read as observations', figure: perSecond(ms.reader), unit: 'records/s', max: null },
      { stage: 'crawled', figure: perSecond(crawled.ms), unit: 'records/s', max: null },
      {
        stage: 'memory of fetching and crawling, at most',
        figure: Math.round(crawled.rssBytes / 1e6),
        unit: 'MB',
        max: MEMORY_MAX_MB,
      },
      ...lists,
    ]
  },
}

/** `catalog crawl *.csv` until the prices are in the tables, beside COPY of the same files into one table without keys. */
async function crawlLists(
  say: (line: string) => void,
  { folder, rows }: Readonly<{ folder: string; rows: number }>,
): Promise<Row[]> {
  await using server = await startPostgres(SERVER_SETTINGS)
  const data = join(folder, 'data')
  mkdirSync(data)
  const paths = writeVendorLists(folder, rows)
  say(`${rows} rows of ${paths.length} lists are being crawled ...`)
  const watch = { server, stage: 'lists', data, program: undefined }
  const args = ['crawl', ...paths, '--observed-at', '2026-11-01']
  const { answer, costs } = await watchedCommand<{ inputs: readonly { appended: number }[] }>(args, watch)
  const appended = answer.inputs.reduce((sum, input) => sum + input.appended, 0)
  if (appended !== rows) throw new Error(`${appended} rows were appended, expected ${rows}`)
  const { processorS, postgresS, seconds } = sumOf(costs, 'lists')

  const copiedS = processorSecondsOf(server.pid?.())
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(
    'create table lists (ref text, name text, unit text, price text, currency text, category text, url text)',
  )
  // PostgreSQL reads the files itself, as a user of its own.
  chmodSync(folder, 0o755)
  for (const path of paths) await client.query(`copy lists from '${path}' (format csv, header, delimiter ';')`)
  const copyMs = (processorSecondsOf(server.pid?.()) - copiedS) * 1e3
  await client.end()
  const stage = `${rows} rows of ${paths.length} lists, one command`
  return [
    { stage, beside: 'COPY, processor', oursMs: (processorS + postgresS) * 1e3, besideMs: copyMs, ratioMax: null },
    { stage: `${stage}: time`, figure: tenths(seconds), unit: 's', max: null },
    { stage: `${stage}: processor`, figure: tenths(processorS), unit: 's', max: rows === ROWS ? LISTS_MAX_S : null },
    { stage: `${stage}: a core`, figure: Math.round(rows / processorS), unit: 'rows/s', max: null },
    { stage: `${stage}: processor of PostgreSQL`, figure: tenths(postgresS), unit: 's', max: null },
  ]
}

const ROWS = 200_000
const BRIEF_ROWS = 1_000
/** 25,000 rows a second of a core. */
const LISTS_MAX_S = 8

/** A gigabyte: more than any shop's feed that we know of. */
const MEGABYTES = 1_000
const BRIEF_MEGABYTES = 1
const BARE = 'htmlparser2, items counted'
const times = (oursMs: number, besideMs: number) => ({ oursMs, besideMs })
/** At least 0.4 of the peer's records a second. */
const RATIO_MAX = 2.5
/** A small machine has it to spare, whatever the size of the feed. */
const MEMORY_MAX_MB = 300

/** A shop that generates its feed while sending it, with backpressure. */
const openShop = (bytes: number) =>
  serveHttp((request, response) => {
    if (request.url !== '/feed.xml') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/xml; charset=utf-8' })
    // The client reports when it disconnects early.
    pipeline(Readable.from(merchantFeed(bytes), { objectMode: true }), response).catch(() => {})
  })

const inProcess = <Result>(order: CrawlerOrder) =>
  resultOf<Result>(new URL('../workload/crawler.ts', import.meta.url), order)
