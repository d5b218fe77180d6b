import { setTimeout as delay } from 'node:timers/promises'
import { type RunMarked as Mark, RunMarked } from '@catalog/core/events/runs.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { randomOf } from '@catalog/core/random.ts'
import { instant, MINUTE_MS } from '@catalog/core/time.ts'
import { openKafkaLog } from '@catalog/log/kafka.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import { answerOf } from '@catalog/stack/servers/command.ts'
import { untilHolds } from '@catalog/stack/servers/waiting.ts'
import { catalogRoot } from '@catalog/store/builds/status.ts'
import { INJECTIONS, type Injection } from './injections.ts'
import { askedIn } from './price-lists.ts'
import { isFound, isReady, type Reads, readAlways, readPrices } from './readers.ts'
import { openSystem, type System } from './system.ts'
import { appliedOnce, type Evidence, missesOf, readApplied } from './verdict.ts'

type RecoveryOptions = Readonly<{
  /** Faults go on until so much time has passed, and each came once. */
  minutes: number
  seed: number
  say: (line: string) => unknown
}>

/** Seconds since the start: of the fault, of the end of its cause, and of the catalog's recovery. */
type Row = Readonly<{ fault: string; injected_at: number; ended_at: number; recovered_after: number; note: string }>

/** From the end of a cause to the catalog's recovery, on a busy machine. */
const RECOVERED_MS_MAX = 240_000
const POLL_MS = 500
/** Between two faults. */
const CALM_MS = { min: 2_000, max: 10_000 }

/**
 * Six processes of the catalog, and a mirror, on real servers, under every fault of {@link INJECTIONS} in a seeded order.
 * Nobody but the supervisor, which starts ended processes again, does anything.
 *
 * Law: {@link missesOf} finds nothing, and every process stops when it is asked to. Returns the misses with the figures;
 * throws when the catalog does not recover at all.
 */
export async function recovery({ minutes, seed, say }: RecoveryOptions): Promise<object> {
  await using system = await openSystem(say)
  await until(
    system,
    'a first run is published',
    async () => (await readPrices(system.base).catch(() => new Map())).size > 0,
  )
  await until(system, 'everything is ready', () => isCalm(system, 0))
  const firstDueMs = Date.now()
  say(`${system.elapsed()} s: six processes run, with a mirror and a reader`)
  const reading = new AbortController()
  const reads = readAlways(system.base, { signal: reading.signal, elapsed: system.elapsed })
  const rows: Row[] = []
  const random = randomOf(seed)
  try {
    while (rows.length === 0 || system.nowMs() < minutes * MINUTE_MS) {
      for (const injection of shuffled(INJECTIONS, random)) {
        await delay(CALM_MS.min + random() * (CALM_MS.max - CALM_MS.min))
        rows.push(await strike(system, injection))
        say(lineOf(rows.at(-1) as Row))
      }
    }
    await settle(system)
    say(`${system.elapsed()} s: everything is published; the evidence is gathered`)
  } finally {
    reading.abort()
  }
  const evidence = await gather(system, { reads: await reads, firstDueMs })
  const restarts = Object.fromEntries(system.processes.map((process) => [process.name, process.restarts()]))
  const misses = [...missesOf(evidence), ...(await unstopped(system))]
  const { acknowledged, applied, due, published, roots } = evidence
  const once = appliedOnce(evidence)
  const result = {
    seed,
    seconds: system.elapsed(),
    faults: rows,
    restarts,
    crawls: system.crawls.crawled.length,
    crawls_tried_again: system.crawls.crawled.filter(({ attempts }) => attempts > 1).length,
    acknowledged: acknowledged.length,
    applied: applied.length,
    due: due.length,
    published: published.length,
    reads: evidence.reads.answered,
    searches_refused: (await reads).refusedSearches,
    lost: once.lost.length,
    doubled: once.doubled.length,
    root: roots.origin,
    misses,
  }
  say(['', ...rows.map(lineOf), misses.length === 0 ? 'nothing is missing' : misses.join('\n')].join('\n'))
  return result
}

async function strike(system: System, { name, inject }: Injection): Promise<Row> {
  let injectedMs = Number.NaN
  const note = await inject(system, () => {
    injectedMs = system.nowMs()
  })
  const endedMs = system.nowMs()
  await until(system, `recovery from '${name}'`, () => isCalm(system, endedMs))
  const seconds = (ms: number) => Math.round(ms / 1000)
  return {
    fault: name,
    injected_at: seconds(injectedMs),
    ended_at: seconds(endedMs),
    recovered_after: seconds(system.nowMs() - injectedMs),
    note,
  }
}

const lineOf = (row: Row) =>
  `${row.fault.padEnd(45)} at ${row.injected_at} s, over at ${row.ended_at} s, recovered after ${row.recovered_after} s: ${row.note}`

/**
 * Whether the server is ready, a crawl that began later is applied with all before it, every due run is published, and
 * search finds a product in an index that holds every change.
 */
async function isCalm({ base, store, crawls: { crawled } }: System, sinceMs: number): Promise<boolean> {
  if (!crawled.some(({ begunMs }) => begunMs >= sinceMs)) return false
  const expected = crawled.reduce((sum, { list }) => sum + list.prices.length, 0)
  try {
    const [row] = await store.query<{ applied: number; unfed: number; as_of: Date }>(
      `select (select count(*)::int from observations) as applied, (select max(as_of) from run_marks) as as_of,
         (select coalesce(max(seq), 0) from changes)::int + 1 - (select coalesce(max(next), 0) from search_indexes)::int as unfed`,
    )
    const lastMs = Date.parse(String(row?.as_of))
    const isPublished = Date.now() - lastMs < MINUTE_MS + RUN_TAKES_MS_MAX
    return (
      (row?.applied ?? 0) >= expected &&
      row?.unfed === 0 &&
      isPublished &&
      (await isReady(base)) &&
      (await isFound(base))
    )
  } catch {
    return false
  }
}
/** A run of this catalog takes some seconds from its instant to its mark. */
const RUN_TAKES_MS_MAX = 30_000

/** Ends the crawls, and waits until a run has published what all of them observed. */
async function settle(system: System): Promise<void> {
  await system.crawls.finish()
  const settledMs = Date.now()
  await until(system, 'a run after the last crawl', async () => {
    const rows = await system.store.query<{ as_of: Date }>('select max(as_of) as as_of from run_marks').catch(() => [])
    return Date.parse(String(rows[0]?.as_of)) > settledMs
  })
  await until(
    system,
    'the last run is served, indexed and digested',
    async () => (await isCalm(system, 0)) && (await isDigested(system)),
  )
}

const isDigested = async ({ store }: System) => {
  const rows = await store.query(
    `select from digests where scope = 'items' and seq = (select max(seq) from run_marks) limit 1`,
  )
  return rows.length > 0
}

async function gather(system: System, { reads, firstDueMs }: { reads: Reads; firstDueMs: number }): Promise<Evidence> {
  const { base, store, crawls, options, mirrorFolder } = system
  const marks = await readMarks(system)
  const last = marks.at(-1)?.as_of as string
  const { ok } = (await answerOf(['verify'], options)) as { ok: boolean }
  const [feed] = await store.query<{ holes: number }>(
    `select (coalesce(max(seq) - min(seq) + 1, 0) - count(*))::int as holes from changes`,
  )
  return {
    acknowledged: crawls.crawled.flatMap(({ list }) => list.prices),
    applied: await readApplied(store),
    due: instantsBetween(firstDueMs, Date.parse(last)),
    published: marks.map(({ as_of }) => as_of).filter((asOf) => Date.parse(asOf) > firstDueMs),
    asked: askedIn(crawls.crawled.at(-1)?.list as never),
    shown: await readPrices(base),
    feedHoles: feed?.holes ?? -1,
    roots: { origin: await catalogRoot(store), mirror: await mirrorRoot(mirrorFolder, base) },
    isVerified: ok,
    reads,
    isSearchBack: await isFound(base),
  }
}

/** Every ended run of the log, once for each run: a retried send may repeat a record. */
async function readMarks({ kafka }: System): Promise<readonly Mark[]> {
  await using log = await openKafkaLog({ brokers: kafka.brokers })
  const marks = new Map<string, Mark>()
  for (let from = 0n; ; ) {
    const records = await log.read(TOPICS.items, 0, from, 1_000)
    for (const { value } of records) {
      const mark = value.includes('"RunMarked"') ? RunMarked.safeParse(JSON.parse(value)) : undefined
      if (mark?.success) marks.set(mark.data.run_id, mark.data)
    }
    const end = records.at(-1)
    if (end === undefined) return [...marks.values()]
    from = end.offset + 1n
  }
}

/** The root that the mirror which followed all the time has proved, after one more pass. */
async function mirrorRoot(into: string, url: string): Promise<string> {
  using mirror = openMirror({ url, scope: 'items', into })
  const { state } = await mirror.sync()
  return state.proved?.seq === state.seq ? state.proved.root : `unproved at ${state.seq}`
}

/** Whole minutes after one instant, and up to another. */
function instantsBetween(fromMs: number, toMs: number): string[] {
  const first = (Math.floor(fromMs / MINUTE_MS) + 1) * MINUTE_MS
  return Array.from({ length: Math.max(0, Math.floor((toMs - first) / MINUTE_MS) + 1) }, (_, n) =>
    instant(new Date(first + n * MINUTE_MS)),
  )
}

/** Processes that do not end with code 0 when they are asked to stop. */
async function unstopped({ processes }: System): Promise<string[]> {
  const ended = await Promise.all(processes.map(async (process) => ({ process, ...(await process.stop()) })))
  return ended.flatMap(({ process, code, stderr }) =>
    code === 0 ? [] : `${process.name} ended with ${code} when it was asked to stop: ${stderr.slice(-500)}`,
  )
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const left = [...values]
  return values.map(() => left.splice(Math.floor(random() * left.length), 1)[0] as T)
}

const until = (system: System, what: string, holds: () => Promise<boolean>) =>
  untilHolds(what, holds, {
    timeoutMs: RECOVERED_MS_MAX,
    pollMs: POLL_MS,
    said: () => system.processes.map((process) => `\n${process.name}: ${process.output().slice(-600)}`).join(''),
  })
