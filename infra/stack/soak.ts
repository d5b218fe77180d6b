import { setTimeout as delay } from 'node:timers/promises'
import { crawlEachHostile } from '@catalog/stack/hostile/hostile-crawls.ts'
import { outage } from '@catalog/stack/replica/outage.ts'
import { readHosts } from '@catalog/stack/replica/read-hosts.ts'
import { itemId, itemsOf, openServed } from '@catalog/stack/replica/server.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'
import { readOptions, refuseUsage } from '@catalog/stack/servers/options.ts'

const HELP = `npm run soak -- NAME [options]
Long runs against \`catalog serve\` on a real PostgreSQL, bounded and on loopback only.

  publications  readers poll while publications commit: a request that begins 250 ms after a commit shows it, whole
  memory        readers ask for pages, items, searches and feeds: memory stays level once the caches are full
  hostile       \`catalog up\` crawls hostile files: /livez answers in 50 ms (p99), the parser stays below 512 MB, and the
                log grows by twice the file at most
  outage        PostgreSQL is stopped under readers: no public read fails or changes, and a publication shows soon after
  read-hosts    three servers follow a publication of 100,000 changes: mirrors of all three have one root

  --publications N  of the first (1000)
  --minutes M       of memory and outage, at most 60 (10)
  --runs N          rounds of hostile files (1)
  --json            one JSON value on stdout
`
const SOAKS = { publications, memory, hostile: crawlEachHostile, outage, 'read-hosts': readHosts }

type Options = Readonly<{
  publications: number
  minutes: number
  runs: number
  say: (line: string) => unknown
}>

/** Longest delay from a commit to its first visible answer. */
const VISIBLE_MS_MAX = 250
const ITEMS_AT_ONCE = 20
const READERS = 4
/** Pause between two publications, so that readers see most of them. */
const PUBLICATION_PAUSE_MS = 50

async function publications({ publications, say }: Options): Promise<object> {
  await using served = await openServed()
  const { publish, base } = served
  await publish(itemsOf(0, 0, ITEMS_AT_ONCE))
  const committedAtMs = [performance.now()]
  // Readers begin when the first publication must be visible.
  await delay(VISIBLE_MS_MAX)
  let stop = false
  const staleMs: number[] = []
  let torn = 0
  const readers = Array.from({ length: READERS }, async () => {
    while (!stop) {
      const begunMs = performance.now()
      const { items } = (await (await fetch(`${base}/items?limit=${ITEMS_AT_ONCE}`)).json()) as {
        items: { name: string }[]
      }
      const shown = new Set(items.map(({ name }) => Number(name.split(' ').at(-1))))
      if (shown.size !== 1 || items.length !== ITEMS_AT_ONCE) torn += 1
      // Age of the first committed publication that this answer lacks.
      const missing = committedAtMs[Math.min(...shown) + 1]
      staleMs.push(missing === undefined ? 0 : Math.max(0, begunMs - missing))
    }
  })
  for (let n = 1; n <= publications; n++) {
    await publish(itemsOf(n, 0, ITEMS_AT_ONCE))
    committedAtMs.push(performance.now())
    if (n % 100 === 0) say(`${n} publications, ${staleMs.length} answers`)
    await delay(PUBLICATION_PAUSE_MS)
  }
  stop = true
  await Promise.all(readers)
  staleMs.sort((a, b) => a - b)
  const at = (share: number) => Math.round(staleMs[Math.floor((staleMs.length - 1) * share)] as number)
  const result = { publications, answers: staleMs.length, torn, stale_ms: { p50: at(0.5), p99: at(0.99), max: at(1) } }
  if (torn > 0 || at(1) > VISIBLE_MS_MAX)
    throw new Error(`expected no torn answer and at most ${VISIBLE_MS_MAX} ms: ${JSON.stringify(result)}`)
  return result
}

const CATALOG_ITEMS = 20_000
const CLIENTS = 8
const SAMPLE_MS = 5_000
/** Share of the run after which the bounded caches are full. */
const WARM_SHARE = 0.3
/** Last tenth of the run compared with the first tenth after warming up. */
const GROWTH_MAX = 1.1

async function memory({ minutes, say }: Options): Promise<object> {
  await using served = await openServed()
  const { publish, base, residentBytes } = served
  for (let from = 0; from < CATALOG_ITEMS; from += 1_000) await publish(itemsOf(0, from, from + 1_000))
  const endMs = performance.now() + minutes * 60_000
  let requests = 0
  const failed: string[] = []
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    let etag = '""'
    for (let n = client; performance.now() < endMs; n += CLIENTS) {
      const id = itemId((n * 7919) % CATALOG_ITEMS)
      const path = [
        `items?limit=50&q=item+${n % 1000}`,
        `items/${id}`,
        `items?limit=${1 + (n % 100)}&region=ES`,
        `search?q=item+${n % 5000}`,
        'feeds/items.atom',
        `items/${id}?price_region=${n % 2 === 0 ? 'ES' : 'MX'}`,
        'items?limit=50',
      ][n % 7] as string
      const response = await fetch(`${base}/${path}`, { headers: { 'if-none-match': etag } })
      await response.arrayBuffer()
      if (path === 'items?limit=50') etag = response.headers.get('etag') ?? etag
      requests += 1
      if (response.status !== 200 && response.status !== 304) failed.push(`${response.status} ${path}`)
    }
  })
  const samples: number[] = []
  let version = 0
  while (performance.now() < endMs) {
    samples.push(residentBytes())
    // Versions change under the caches throughout.
    version += 1
    await publish(itemsOf(version, 0, 100))
    if (samples.length % 12 === 0) say(`${requests} requests, ${megabytes(samples.at(-1) as number)} MB resident`)
    await delay(Math.min(SAMPLE_MS, Math.max(0, endMs - performance.now())))
  }
  await Promise.all(clients)
  const warm = samples.slice(Math.floor(samples.length * WARM_SHARE))
  const tenth = Math.max(1, Math.floor(warm.length / 10))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [before, after] = [mean(warm.slice(0, tenth)), mean(warm.slice(-tenth))]
  const result = {
    minutes,
    requests,
    failed: failed.length,
    warm_mb: megabytes(before),
    end_mb: megabytes(after),
    max_mb: megabytes(Math.max(...samples)),
  }
  if (failed.length > 0)
    throw new Error(`expected no failure: ${JSON.stringify(result)}, the first ${failed.slice(0, 3)}`)
  if (after > before * GROWTH_MAX)
    throw new Error(`expected growth of at most ${GROWTH_MAX}: ${JSON.stringify(result)}`)
  return result
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6)

exitOnSignals()
const { positionals, values } = readOptions(HELP, {
  publications: { type: 'string', default: '1000' },
  minutes: { type: 'string', default: '10' },
  runs: { type: 'string', default: '1' },
  json: { type: 'boolean' },
})
const soak = SOAKS[positionals[0] as keyof typeof SOAKS]
const [publicationCount, minutes, runs] = [values.publications, values.minutes, values.runs].map(Number) as [
  number,
  number,
  number,
]
if (soak === undefined || !(publicationCount >= 1) || !(minutes > 0 && minutes <= 60) || !(runs >= 1)) {
  refuseUsage(
    `soak '${positionals.join(' ')}': expected one of ${Object.keys(SOAKS).join(', ')}, and numbers in their range`,
    HELP,
  )
} else {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const result = await soak({ publications: publicationCount, minutes, runs, say })
  process.stdout.write(`${values.json ? '' : 'held: '}${JSON.stringify(result)}\n`)
}
