import { setTimeout as delay } from 'node:timers/promises'
import { instant, MINUTE_MS } from '@catalog/core/time.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { askAlways, isFound, isReady, readAlways, readPrices } from '@catalog/stack/faults/system/readers.ts'
import { openSystem, type System, type SystemOptions } from '@catalog/stack/faults/system/system.ts'
import { readObservations } from '@catalog/stack/model/tables.ts'
import { compared } from '@catalog/stack/model/verdict.ts'
import { untilHolds } from '@catalog/stack/servers/machine.ts'
import { gather, readServedDigest } from './gather.ts'
import { appendedIn, judge, type Verdict } from './judge.ts'
import { type Plan, planText, type Step } from './plan.ts'

/** What one fault of a run did, in milliseconds of the run; recovery counts from the end of its cause. */
export type Struck = Readonly<{
  seed: number
  name: string
  kind: string
  at_ms: number
  healed_ms: number
  /** Until all observations of a later append are applied. */
  applying_after_ms: number
  bound_ms: number
  /** The longest that an append took until it was applied while the fault lasted; for faults that must not delay any. */
  lag_ms: number | null
  /** Until also the server is ready, and search finds products. */
  whole_after_ms: number
  note: string
}>

/** What a plan left, read when its last fault was recovered from, while clients go on. */
export type PlanVerdict = Readonly<{ seed: number; acknowledged: number; misses: readonly string[] }>

export type RunReport = Readonly<{
  /** In their order; one system ran them all. */
  plans: readonly PlanVerdict[]
  seconds: number
  brokers: number
  faults: readonly Struck[]
  restarts: Readonly<Record<string, number>>
  verdict: Verdict
  misses: readonly string[]
}>

/** From the end of a cause to the catalog's recovery, on a busy machine. */
const RECOVERED_MS_MAX = 240_000
const POLL_MS = 100
/** A run of this catalog takes some seconds from its instant to its mark. */
const RUN_TAKES_MS_MAX = 30_000

type FaultOptions = Omit<SystemOptions, 'random' | 'hasClocks'> & Readonly<{ plans: readonly [Plan, ...Plan[]] }>

/**
 * Runs plans of faults, one after the other, against one distributed catalog. Nobody but the supervisor, which starts ended
 * processes again, does anything. Law: the model finds nothing lost, doubled or wrong, neither after each plan in the tables
 * nor at the end anywhere; every fault is recovered from within its bound; every process stops when it is asked to. Throws
 * when the catalog does not recover at all.
 */
export async function runFaults({ plans, ...options }: FaultOptions): Promise<RunReport> {
  const { say, runEveryMs } = options
  for (const plan of plans) say(planText(plan))
  const [{ seed }] = plans
  const hasClocks = plans.some(({ needs }) => needs.has('clocks'))
  await using system = await openSystem({ ...options, random: randomOf(seed), hasClocks })
  await until(
    system,
    'a first run is published',
    async () => (await readPrices(system.base).catch(() => [])).length > 0,
  )
  await until(system, 'everything is ready', () => isWhole(system))
  const schedule = { runEveryMs, isEveryInstant: runEveryMs === MINUTE_MS, afterMs: Date.now() }
  say(`${system.elapsed()} s: ${system.processes.length} processes run, with readers`)
  const reading = new AbortController()
  const clients = [
    readAlways(system, reading.signal),
    askAlways(system, reading.signal),
    watchMirror(system, reading.signal),
  ]
  const struck: Struck[] = []
  const verdicts: PlanVerdict[] = []
  try {
    for (const plan of plans) {
      struck.push(...(await strikeAll(system, plan)))
      const left = await leftBy(system, plan)
      verdicts.push(left)
      const found = left.misses.length === 0 ? 'all applied once' : left.misses.join('; ')
      say(`${system.elapsed()} s: seed ${left.seed}: ${left.acknowledged} acknowledged, ${found}`)
    }
    await settle(system, runEveryMs)
    say(`${system.elapsed()} s: everything is published; the evidence is gathered`)
  } finally {
    reading.abort()
    await Promise.all(clients)
  }
  const verdict = judge(system.history.records, await gather(system), schedule)
  const late = struck
    .filter((row) => Math.max(row.applying_after_ms, row.lag_ms ?? 0) > row.bound_ms)
    .map(
      (row) =>
        `applying again ${seconds(row.applying_after_ms)} s after '${row.name}'${lagOf(row)}, expected ${seconds(row.bound_ms)} s`,
    )
  const lasted = system.elapsed()
  const restarts = Object.fromEntries(system.processes.map((process) => [process.name, process.restarts()]))
  const broken = verdicts.flatMap(({ seed, misses }) => misses.map((miss) => `after seed ${seed}: ${miss}`))
  const misses = [...verdict.misses, ...broken, ...late, ...(await unstopped(system))]
  return {
    plans: verdicts,
    seconds: lasted,
    brokers: Math.max(1, system.servers.proxies.kafka.length),
    faults: struck,
    restarts,
    verdict,
    misses,
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

const lagOf = ({ lag_ms: lag }: Struck) => (lag === null ? '' : `, in ${seconds(lag)} s meanwhile`)

const lineOf = (row: Struck) =>
  `${seconds(row.at_ms)} s: ${row.name} until ${seconds(row.healed_ms)} s; applying after ${seconds(row.applying_after_ms)} s ` +
  `(at most ${seconds(row.bound_ms)} s)${lagOf(row)}, whole after ${seconds(row.whole_after_ms)} s: ${row.note}`

async function strikeAll(system: System, { seed, steps }: Plan): Promise<Struck[]> {
  const struck: Struck[] = []
  for (const step of steps) {
    await delay(step.pauseMs)
    const rows = (await strike(system, step)).map((row) => ({ seed, ...row }))
    for (const row of rows) system.say(lineOf(row))
    struck.push(...rows)
  }
  return struck
}

/**
 * Waits until the tables have an append that begins now, and counts what they lost or doubled. The append stands in every
 * partition, behind all records that were acknowledged before.
 */
async function leftBy(system: System, { seed }: Plan): Promise<PlanVerdict> {
  const sinceMs = system.nowMs()
  await until(system, `an append after seed ${seed} is applied`, () => isApplying(system, sinceMs))
  const { acknowledged } = appendedIn(system.history.records, sinceMs)
  const applied = await readObservations((sql) => system.store().query(sql))
  const misses = compared('observations', applied, acknowledged, new Set(applied))
  return { seed, acknowledged: acknowledged.size, misses }
}

/** Injects the faults of a step together, and measures how long the catalog takes to recover from the last one. */
async function strike(system: System, { faults }: Step): Promise<Omit<Struck, 'seed'>[]> {
  const healed = new AbortController()
  // The store never waits for the index.
  const isDelayed = faults.some(({ injection }) => injection.kind !== 'index')
  const lag = isDelayed ? null : longestLagMs(system, healed.signal)
  const ended = await Promise.all(
    faults.map(async ({ injection, seed }) => {
      let atMs = Number.NaN
      const injected = () => {
        atMs = system.nowMs()
      }
      const note = await injection.inject(system, { random: randomOf(seed), injected })
      return { injection, atMs, healedMs: system.nowMs(), note }
    }),
  )
  healed.abort()
  const healedMs = Math.max(...ended.map((fault) => fault.healedMs))
  const lag_ms = await lag
  const names = ended.map(({ injection }) => injection.name).join(' and ')
  await until(system, `observations are applied after '${names}'`, () => isApplying(system, healedMs))
  const applyingMs = system.nowMs()
  await until(system, `recovery from '${names}'`, () => isWhole(system))
  const wholeMs = system.nowMs()
  const bound_ms = Math.max(...ended.map(({ injection }) => injection.boundSeconds * 1000))
  const dateOf = (ms: number) => instant(new Date(Date.now() - system.nowMs() + ms))
  for (const { injection, atMs } of ended) {
    system.history.add({ kind: 'fault', name: injection.name, from: dateOf(atMs), to: dateOf(healedMs + bound_ms) })
  }
  return ended.map(({ injection, atMs, healedMs: at, note }) => ({
    name: injection.name,
    kind: injection.kind,
    at_ms: Math.round(atMs),
    healed_ms: Math.round(at),
    applying_after_ms: Math.round(applyingMs - healedMs),
    bound_ms,
    lag_ms,
    whole_after_ms: Math.round(wholeMs - healedMs),
    note,
  }))
}

/** Follows one append after the other until it is applied, until the signal aborts. */
async function longestLagMs(system: System, signal: AbortSignal): Promise<number> {
  let longestMs = 0
  while (!signal.aborted) {
    const sinceMs = system.nowMs()
    while (!signal.aborted && !(await isApplying(system, sinceMs))) await delay(POLL_MS)
    longestMs = Math.max(longestMs, system.nowMs() - sinceMs)
  }
  return Math.round(longestMs)
}

/** Whether every observation is applied of the first append that began after this time: they stand in all partitions. */
async function isApplying({ stream, store }: System, sinceMs: number): Promise<boolean> {
  const later = stream.acknowledgedSince(sinceMs)
  if (later === undefined) return false
  const rows = await store()
    .query<{ n: number }>(
      `select count(*)::int as n from observations o join vendor_skus k using (sku) join sources s using (source)
       where s.name = $1 and o.observed_at = $2`,
      [later.vendor, later.observedAt],
    )
    .catch(() => [])
  return rows[0]?.n === later.records
}

const isWhole = async ({ base }: System) => (await isReady(base)) && (await isFound(base))

/** Notes how far the mirror says that it has come. */
async function watchMirror({ mirror, history, nowMs }: System, signal: AbortSignal): Promise<void> {
  let noted = 0
  while (!signal.aborted) {
    const said = [...mirror.output().matchAll(/changes, seq (\d+)/g)].map(([, seq]) => Number(seq))
    for (const seq of said.slice(noted)) history.add({ kind: 'mirror', atMs: nowMs(), seq })
    noted = Math.max(noted, said.length)
    await delay(1_000, undefined, { signal }).catch(() => {})
  }
}

/** Ends the clients that append, and waits until a run has published what all of them observed, up to the search index. */
async function settle(system: System, runEveryMs: number): Promise<void> {
  const { crawls, stream, store } = system
  await Promise.all([crawls.finish(), stream.finish()])
  const settledMs = Date.now()
  const lastRun = async () => {
    const rows = await store()
      .query<{ as_of: string }>('select max(as_of) as as_of from run_marks')
      .catch(() => [])
    return Date.parse(String(rows[0]?.as_of))
  }
  await until(system, 'a run after the last append', async () => (await lastRun()) > settledMs)
  await until(system, 'the last run is recent, digested, indexed and served', async () => {
    if (Date.now() - (await lastRun()) > runEveryMs + RUN_TAKES_MS_MAX) return false
    const [marked] = await store()
      .query<{ seq: number }>(
        `select max(seq) as seq from run_marks
         where (select coalesce(max(seq), 0) + 1 from changes) <= (select coalesce(max(next), 0) from search_indexes)
         having max(seq) is not null`,
      )
      .catch(() => [])
    // A served digest is a stored one, some tenths of a second later.
    return (
      marked !== undefined && (await isWhole(system)) && (await readServedDigest(system.base)).seq >= Number(marked.seq)
    )
  })
}

/** Processes that do not end with code 0 when they are asked to stop. */
async function unstopped({ processes }: System): Promise<string[]> {
  const ended = await Promise.all(processes.map(async (process) => ({ process, ...(await process.stop()) })))
  return ended.flatMap(({ process, code, stderr }) =>
    code === 0 ? [] : `${process.name} ended with ${code} when it was asked to stop: ${stderr.slice(-500)}`,
  )
}

const until = (system: System, what: string, holds: () => Promise<boolean>) =>
  untilHolds(what, holds, {
    timeoutMs: RECOVERED_MS_MAX,
    pollMs: POLL_MS,
    said: () => system.processes.map((process) => `\n${process.name}: ${process.output().slice(-600)}`).join(''),
  })
