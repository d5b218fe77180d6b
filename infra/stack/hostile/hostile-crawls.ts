import { mkdtempDisposable, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addressOf, answerOf, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { peakBytesOf, serveHttp } from '@catalog/stack/servers/machine.ts'
import { type HostileFile, hostileFiles } from './hostile-files.ts'

/** The figures of hostile files that `catalog up` crawled while a client asked whether it lives. */
export type HostileCrawls = Readonly<{
  files: readonly string[]
  bytes: number
  seconds: number
  /** Milliseconds of an answer while nothing is crawled, and during the crawls. */
  idle: Answers
  livez: Answers
  /** Memory of the greatest parser process, at most. */
  parserMb: number
  logBytes: number
  /** Codes of the crawls' problems. */
  problems: readonly string[]
}>

type Answers = Readonly<{ answers: number; p50: number; p99: number; max: number }>

/** Laws: a crawl never slows an answer, a parser process keeps to its memory, and the log grows by twice the file at most. */
const LIVEZ_P99_MS_MAX = 50
export const PARSER_MB_MAX = 512
export const LOG_PER_BYTE_MAX = 2

const POLL_MS = 10
/** Answers before the first crawl begins. */
const IDLE_ANSWERS = 300
const CRAWLS_MS_MAX = 180_000

/** Crawls these files as a source each, in one `catalog up` on data of its own. */
export async function crawlHostile(files: readonly HostileFile[]): Promise<HostileCrawls> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'hostile-'))
  await using shop = await openShop(files)
  const sources = join(folder.path, 'catalog.sources.yaml')
  await writeFile(sources, sourcesFile(files, shop.url))
  const data = join(folder.path, 'data')
  const env = { FETCH_ALLOWED_NETWORKS: '127.0.0.0/8', CATALOG_SOURCES: sources, LOG_LEVEL: 'info' }
  const figures = await whileUp({ data, env }, async (up, address) => {
    const livez = new URL('/livez', address)
    const isDone = () => up.output().split('source crawled').length > files.length
    const ms: number[] = []
    let parserBytes = 0
    const poll = async (times: () => boolean, into: number[]) => {
      while (times()) {
        const begun = performance.now()
        const response = await fetch(livez)
        await response.arrayBuffer()
        into.push(performance.now() - begun)
        parserBytes = Math.max(
          parserBytes,
          peakBytesOf(up.pid, (command) => command.includes('parser.worker')),
        )
        await delay(POLL_MS)
      }
    }
    const idleMs: number[] = []
    await poll(() => idleMs.length < IDLE_ANSWERS, idleMs)
    const begunMs = performance.now()
    shop.begin()
    await poll(() => !isDone() && performance.now() - begunMs < CRAWLS_MS_MAX, ms)
    if (!isDone()) throw new Error(`expected ${files.length} crawls in ${CRAWLS_MS_MAX} ms: ${up.output()}`)
    return {
      seconds: Math.round((performance.now() - begunMs) / 1000),
      idle: answersOf(idleMs),
      livez: answersOf(ms),
      parserMb: Math.round(parserBytes / 1024 ** 2),
      problems: [...up.output().matchAll(/"code":"([A-Z_]+)"/g)].map(([, code]) => code as string).sort(),
    }
  })
  const exported = join(folder.path, 'log.jsonl')
  await answerOf(['log', 'export', '--out', exported], { data })
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  return { files: files.map(({ name }) => name), bytes, ...figures, logBytes: (await stat(exported)).size }
}

function answersOf(ms: readonly number[]): Answers {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] as number)
  return { answers: ms.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Sources of one file, so that its crawls last for hundreds of answers. */
const COPIES = 5

/** Crawls each hostile file by itself, in several sources; throws where one breaks a law. */
export async function crawlEachHostile({
  runs,
  say,
}: Readonly<{ runs: number; say: (line: string) => unknown }>): Promise<object> {
  const results: HostileCrawls[] = []
  for (let run = 0; run < runs; run++) {
    for (const { name, bytes } of hostileFiles()) {
      const copies = Array.from({ length: COPIES }, (_, copy) => ({ name: `${copy}-${name}`, bytes }))
      const figures = await crawlHostile(copies)
      say(JSON.stringify(figures))
      results.push(figures)
    }
  }
  const broken = results.filter(
    ({ livez, parserMb, logBytes, bytes }) =>
      livez.p99 > LIVEZ_P99_MS_MAX || parserMb > PARSER_MB_MAX || logBytes > LOG_PER_BYTE_MAX * bytes,
  )
  if (broken.length > 0) throw new Error(`expected every file to keep the laws: ${JSON.stringify(broken)}`)
  return { files: results.length, p99: Math.max(...results.map(({ livez }) => livez.p99)) }
}

/** Runs `catalog up` and stops it with SIGTERM, so that its data can be opened again. */
async function whileUp<T>(
  { data, env }: { data: string; env: Record<string, string> },
  work: (up: Running, address: string) => Promise<T>,
): Promise<T> {
  await using up = startCatalog(['up', '--port', '0', '--json'], { data, env, timeoutMs: 2 * CRAWLS_MS_MAX })
  const result = await work(up, await addressOf(up))
  up.kill('SIGTERM')
  await up.finished
  return result
}

function sourcesFile(files: readonly HostileFile[], origin: string): string {
  const sources = files.map(({ name }) =>
    [
      `  - source: ${name}`,
      '    kind: shop',
      '    region: ES',
      '    currency: EUR',
      '    schedule: "0 4 * * *"',
      `    entry_points: ["${origin}/${name}"]`,
    ].join('\n'),
  )
  return `contact: https://example.org/crawler\nrequests_per_second: 10\nat_once: 8\nsources:\n${sources.join('\n')}\n`
}

/** A shop that serves nothing before `begin`. */
async function openShop(files: readonly HostileFile[]) {
  const begun = Promise.withResolvers<void>()
  const server = await serveHttp(async (request, response) => {
    await begun.promise
    const file = files.find(({ name }) => request.url === `/${name}`)
    if (file === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.bytes)
  })
  return { ...server, begin: begun.resolve }
}
