import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { randomOf as fractionsOf } from '@catalog/core/random.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { brokenFilesAreRead, endlessBank, newFuzzTally, ownSeeds } from '@catalog/stack/bc3/fuzz.ts'
import { bc3Samples } from '@catalog/stack/bc3/samples.ts'
import { crawlEachHostile } from '@catalog/stack/hostile/hostile-crawls.ts'
import { mirrorsAreEqual, newTally } from '@catalog/stack/mirror/mirror-run.ts'
import { liveThreeWeeks } from '@catalog/stack/path/history.ts'
import { openPath } from '@catalog/stack/path/path.ts'
import { readThroughReplays } from '@catalog/stack/replay/flips.ts'
import { killReplays } from '@catalog/stack/replay/kills.ts'
import type { Tally } from '@catalog/stack/replay/readers.ts'
import { logContents, PARTITIONS, replayedAgain } from '@catalog/stack/replay/replays.ts'
import { liveLong, openReplayServer, placesOf } from '@catalog/stack/replay/server.ts'
import { outage } from '@catalog/stack/replica/outage.ts'
import { readHosts } from '@catalog/stack/replica/read-hosts.ts'
import { itemId, itemsOf, openServed } from '@catalog/stack/replica/server.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import fc from 'fast-check'

/**
 * Long runs against `catalog serve` on a real PostgreSQL, bounded and on loopback only.
 *
 * `publications`: readers poll while publications commit. Law: a request that begins 250 ms after a commit shows it,
 * and every answer shows whole publications. `memory`: readers ask for pages, items, searches, feeds and for what they
 * already have. Law: memory stays level once the caches are full. `mirror`: mirrors around an origin in memory over
 * random histories. Law: mirrors miss no update, and roots are equal. `bc3`: files with random mutations, and one of
 * 100 MB. Law: each is read, repriced, written and read again within its second, and the process stays below 512 MB.
 * `replay`: replays one after the other under a server with constant readers. Law: every answer succeeds unchanged.
 * `replay-kills`: the same with kill -9 at random moments. Law: the same, and a begun replay resumes or leaves nothing
 * behind. `replays`: one history in other orders, partitions and batches, killed anywhere. Law: one pair of roots.
 * `hostile`: `catalog up` crawls hostile files, one after the other. Law: `/livez` answers in 50 ms (p99), the parser stays
 * below 512 MB, and the log grows by twice the file at most. `outage`: PostgreSQL is stopped under constant readers. Law: no
 * public read fails or changes, and a publication shows soon after the database is back. `read-hosts`: three servers, each
 * with a replica of its own, follow a publication of 100,000 changes. Law: mirrors of all three have one root.
 */
const SOAKS = {
  publications,
  memory,
  mirror,
  bc3,
  replay: replayed,
  'replay-kills': replayKills,
  replays,
  hostile: crawlEachHostile,
  outage,
  'read-hosts': readHosts,
}
/** Runs by default. */
const RUNS = {
  publications: 1,
  memory: 1,
  mirror: 10_000,
  bc3: 100_000,
  replay: 20,
  'replay-kills': 30,
  replays: 200,
  hostile: 1,
  outage: 1,
  'read-hosts': 1,
}

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

/** Runs between two lines of progress. */
const SAY_RUNS = 250

async function mirror({ runs, say }: Options): Promise<object> {
  const tally = newTally()
  const begun = performance.now()
  for (let done = 0; done < runs; done += SAY_RUNS) {
    const numRuns = Math.min(SAY_RUNS, runs - done)
    const { failed, seed, counterexamplePath, errorInstance } = await fc.check(mirrorsAreEqual(tally), {
      numRuns,
      endOnFailure: true,
    })
    if (failed) {
      const message = `a mirror is not its origin: seed ${seed}, path ${counterexamplePath}`
      throw new Error(message, { cause: errorInstance })
    }
    say(`${done + numRuns} histories, ${JSON.stringify(tally)}`)
  }
  return { runs, lost: 0, ...tally, seconds: Math.round((performance.now() - begun) / 1000) }
}

const BC3_BYTES = 100_000_000
const BC3_RESIDENT_BYTES_MAX = 512_000_000
const BC3_SAY_RUNS = 2_000

async function bc3({ runs, say }: Options): Promise<object> {
  const begun = performance.now()
  // The young generation grows with the machine's memory; this run measures what the files need.
  setFlagsFromString('--semi-space-growth-factor=1')
  const peakBytes = () => process.resourceUsage().maxRSS * 1024
  const log = new DiagnosticLog()
  const { entries } = await openBc3(endlessBank(BC3_BYTES), { log })
  let written = 0
  for await (const piece of writeBc3(entries, { charset: 'UTF-8', log })) written += piece.length
  if (written < BC3_BYTES || log.kept.length > 0) {
    throw new Error(`expected ${BC3_BYTES} bytes without oddities, ${written} written: ${JSON.stringify(log.kept[0])}`)
  }
  const streamed = { written_mb: megabytes(written), peak_mb: megabytes(peakBytes()) }
  say(`streamed: ${JSON.stringify(streamed)}`)
  const tally = newFuzzTally()
  const seeds = [...ownSeeds(), ...bc3Samples().map(({ bytes }) => bytes)]
  for (let done = 0; done < runs; done += BC3_SAY_RUNS) {
    const numRuns = Math.min(BC3_SAY_RUNS, runs - done)
    const { failed, seed, counterexamplePath, errorInstance } = await fc.check(brokenFilesAreRead(seeds, tally), {
      numRuns,
    })
    if (failed) throw new Error(`seed ${seed}, path ${counterexamplePath}`, { cause: errorInstance })
    if (peakBytes() > BC3_RESIDENT_BYTES_MAX) {
      throw new Error(
        `expected at most ${megabytes(BC3_RESIDENT_BYTES_MAX)} MB, ${megabytes(peakBytes())} MB: seed ${seed}`,
      )
    }
    say(`${done + numRuns} files, ${megabytes(peakBytes())} MB at most, ${JSON.stringify(tally)}`)
  }
  const seconds = Math.round((performance.now() - begun) / 1000)
  return { runs, ...tally, streamed, peak_mb: megabytes(peakBytes()), seconds }
}

/** Longest wait of a reader around a flip, which itself takes a tenth of that. */
const FLIP_MS_MAX = 100
const STALL_MS_MAX = 1_000

async function replayed({ runs, say }: Options): Promise<object> {
  await using postgres = await startPostgres()
  await using server = await openReplayServer(postgres.url)
  await liveLong(server.path)
  const { tally, flips } = await readThroughReplays({ server, places: await placesOf(server), replays: runs, say })
  const flipMs = flips.map((flip) => flip.flipMs).sort((a, b) => a - b)
  const [p50, max] = [flipMs[flipMs.length >> 1] as number, flipMs.at(-1) as number]
  const stallMs = Math.round(Math.max(...flips.map((flip) => flip.stallMs)))
  const figures = { flips: runs, flip_ms: { p50: Math.round(p50), max: Math.round(max) }, longest_stall_ms: stallMs }
  return held(tally, figures, max <= FLIP_MS_MAX && stallMs <= STALL_MS_MAX)
}

async function replayKills({ runs, say }: Options): Promise<object> {
  const results: object[] = []
  for (const name of ['embedded', 'postgres']) {
    await using stack = new AsyncDisposableStack()
    const url = name === 'embedded' ? null : stack.use(await startPostgres()).url
    const server = stack.use(await openReplayServer(url))
    await liveLong(server.path)
    const asked = { server, places: await placesOf(server), kills: Math.ceil(runs / 2), random: fractionsOf(SEED), say }
    const { kills, flips, tally } = await killReplays(asked)
    results.push(held(tally, { store: name, kills, flips }, true))
  }
  return { seed: SEED, results }
}

function held({ reads, shed, failed, mixed }: Tally, figures: object, isInTime: boolean): object {
  const result = { reads, shed, failed: failed.length, mixed: mixed.length, ...figures }
  if (failed.length + mixed.length > 0 || !isInTime) {
    throw new Error(
      `expected no failed and no mixed answer: ${JSON.stringify(result)} ${[...failed, ...mixed][0] ?? ''}`,
    )
  }
  return result
}

const SEED = Math.floor(Math.random() * 2 ** 31)

async function replays({ runs, say }: Options): Promise<object> {
  await using postgres = await startPostgres()
  const begun = performance.now()
  const openSchema = async (schema: string) => {
    const store = await openStore({ kind: 'postgres', connection: { url: postgres.url }, schema })
    await migrate(store)
    return store
  }
  const store = await openSchema('first')
  await using path = await openPath({ parts: { store, log: await openTableLog(store, { observationPartitions: 1 }) } })
  await liveThreeWeeks(path)
  const contents = await logContents(path)
  const roots = new Set([JSON.stringify(contents.roots)])
  const random = fractionsOf(SEED)
  let [done, deaths] = [0, 0]
  for (let n = 0; done < runs; n++) {
    const partitions = PARTITIONS[n % PARTITIONS.length] as number
    const asked = { contents, partitions, replays: Math.min(runs - done, REPLAYS_OF_ONE), random, say }
    const found = await replayedAgain({ ...asked, store: await openSchema(`order_${n}`) })
    done += found.replays
    deaths += found.deaths
    for (const pair of found.roots) roots.add(JSON.stringify(pair))
    if (roots.size > 1 || found.shown.length > 0) {
      throw new Error(`expected one pair of roots: seed ${SEED}, ${[...roots].join(', ')} ${found.shown[0] ?? ''}`)
    }
  }
  return {
    replays: done,
    deaths,
    roots: roots.size,
    seed: SEED,
    seconds: Math.round((performance.now() - begun) / 1000),
  }
}
const REPLAYS_OF_ONE = 10

const megabytes = (bytes: number) => Math.round(bytes / 1e6)

exitOnSignals()
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    publications: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '10' },
    runs: { type: 'string' },
    json: { type: 'boolean' },
  },
})
const soak = SOAKS[positionals[0] as keyof typeof SOAKS]
const runsOfSoak = values.runs ?? RUNS[positionals[0] as keyof typeof RUNS]
const [publicationCount, minutes, runs] = [values.publications, values.minutes, runsOfSoak].map(Number) as [
  number,
  number,
  number,
]
if (soak === undefined || !(publicationCount >= 1) || !(minutes > 0 && minutes <= 60) || !(runs >= 1)) {
  process.stderr.write(
    'usage: npm run soak -- publications [--publications N] | memory [--minutes M, at most 60] | mirror [--runs N] | bc3 [--runs N] | replay [--runs N] | replay-kills [--runs N] | replays [--runs N] | hostile [--runs N] | outage [--minutes M] | read-hosts [--json]\n',
  )
  process.exitCode = 2
} else {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const result = await soak({ publications: publicationCount, minutes, runs, say })
  process.stdout.write(`${values.json ? '' : 'held: '}${JSON.stringify(result)}\n`)
}
