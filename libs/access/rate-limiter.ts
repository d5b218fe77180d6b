import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '@catalog/core/time.ts'
import {
  type Lease,
  type LeaseRequest,
  leaseWindows,
  purgeWindows,
  readWindow,
  returnWindowLeases,
  type WindowId,
} from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import { isWriteRefusal } from '@catalog/store/failure.ts'
import { bucketName, openBucketNames } from './bucket-names.ts'
import { type Bucket, type Counter, enterWindow, takeLeased } from './counter.ts'
import { windowAt } from './windows.ts'

/**
 * Rate limits that several processes share. One row of the database counts one window of one bucket. A process leases
 * a few requests at once and admits them without further queries.
 *
 * Law: all processes together never admit more than the limit in one window, however they start and end. A killed
 * process loses its leases, at most one a window.
 */
export interface Limiter {
  /**
   * Takes one request, as {@link takeLeased}, and leases more where needed; without a lease to wait for it is synchronous.
   * `conclude` gets the full counter, or undefined, before the next caller takes: the remaining numbers are this request's.
   */
  take<T>(counters: Counters, conclude: (full: Counter | undefined) => T): T | Promise<T>
  /** Undoes a take, unless its window has ended. */
  putBack(counter: Counter, startMs: number): void
  /**
   * Takes one request from every window or from none, without a lease: for rare actions. Answers the latest end of the
   * full windows, or undefined on success. `onWindows` gets the windows as they are then, in the order of the buckets.
   */
  takeOnce(
    buckets: readonly Bucket[],
    onWindows?: (windows: readonly BucketWindow[]) => void,
  ): Promise<number | undefined>
  /** Requests of the present window that this process admitted or any other process leased. */
  used(counter: Counter): Promise<number>
  /** Returns the counter's lease; the caller may then drop the counter. */
  release(counter: Counter): void
  /** Returns all leases. Take nothing afterwards. */
  close(): Promise<void>
}

/** The counters of one request, the longest window last. */
export type Counters = readonly (Counter | undefined)[]

/** The present window of a bucket, with the requests that are left in it for all processes. */
export type BucketWindow = Pick<Bucket, 'counts' | 'limit'> &
  Readonly<{ startMs: number; endMs: number; remaining: number }>

/** A full window is read again after this time: another process may have returned requests of a month. */
const FULL_MS = MINUTE_MS
/** A lease that is idle for two sweeps goes back, so that other processes and /usage see it within about a second. */
const SWEEP_MS = 500
const IDLE_SWEEPS = 2
/** Windows in one statement: their rows stay locked until it ends. */
const WINDOWS_MAX = 500
/** A database that does not answer must not hold up a stopping process; its leases are then lost. */
const CLOSE_MS = 2_000
const PURGE_EVERY_MS = MINUTE_MS
const PURGE_MAX = 5_000
/** Retention exceeds the clock skew between processes; months stay for comparisons with last year. */
const KEEP_MS = { minute: HOUR_MS, hour: DAY_MS, day: DAY_MS, month: 400 * DAY_MS } as const

export function openLimiter(options: LimiterOptions): Limiter {
  return new LeasingLimiter(options)
}

type LimiterOptions = Readonly<{
  store: Store
  now: () => Date
  /**
   * Whether the database is known not to answer; undefined, or absent, where nothing can be read without it: then a failed
   * lease is an error. Otherwise, while it does not answer, and wherever it takes no writes, each process admits a quarter of every limit by itself, once a
   * window, so that four processes together still keep it.
   */
  isAway?: (() => boolean | undefined) | undefined
}>

/** The part of a limit that one process takes without the database. */
const OWN_SHARE = 1 / 4
/** A process whose share is used up asks the database again after this time. */
const OWN_RETRY_MS = 1_000
const ANSWER_MAX_MS = 1_000

class LeasingLimiter implements Limiter {
  readonly #store: Store
  readonly #now: () => Date
  readonly #isAway: (() => boolean | undefined) | undefined
  readonly #bucketOf: ReturnType<typeof openBucketNames>
  /** Counters with a lease, now or at the last sweep. */
  readonly #leased = new Set<Counter>()
  readonly #needingLease = new Set<Counter>()
  /** Leases to return, by the name of their window. */
  readonly #returning = new Map<string, WindowId & { unused: number }>()
  #sweepTimer: NodeJS.Timeout | undefined
  #exchange: Promise<void> | undefined
  #purgeAtMs = 0

  constructor({ store, now, isAway }: LimiterOptions) {
    this.#store = store
    this.#now = now
    this.#isAway = isAway
    this.#bucketOf = openBucketNames(store)
  }

  take<T>(counters: Counters, conclude: (full: Counter | undefined) => T): T | Promise<T> {
    const taken = takeLeased(this.#nowMs(), ...counters)
    return taken === 'needs_lease' ? this.#takeAfterLease(counters, conclude) : conclude(taken)
  }

  putBack(counter: Counter, startMs: number): void {
    if (counter.startMs !== startMs || this.#nowMs() >= counter.endMs) return
    counter.leased++
    this.#trackLease(counter)
  }

  async takeOnce(
    buckets: readonly Bucket[],
    onWindows: (windows: readonly BucketWindow[]) => void = () => {},
  ): Promise<number | undefined> {
    const nowMs = this.#nowMs()
    const requests: (LeaseRequest & { startMs: number; endMs: number })[] = []
    for (const bucket of buckets) {
      const { startMs, endMs } = windowAt(bucket.period, nowMs)
      requests.push({ ...(await this.#leaseRequest(bucket, { startMs, endMs }, 1)), startMs, endMs })
    }
    const leases = await leaseWindows(this.#store, requests)
    const taken = requests.filter((_, i) => leases[i]?.granted === 1)
    const isTaken = taken.length === requests.length
    const windows = buckets.map(({ counts, limit }, i) => {
      const { startMs, endMs } = requests[i] as (typeof requests)[number]
      const { granted, used } = leases[i] as Lease
      return { counts, limit, startMs, endMs, remaining: Math.max(0, limit - used + (isTaken ? 0 : granted)) }
    })
    onWindows(windows)
    if (isTaken) return undefined
    if (taken.length > 0) {
      const unused = taken.map(({ bucket, startsAt }) => ({ bucket, startsAt, unused: 1 }))
      await returnWindowLeases(this.#store, unused)
    }
    return Math.max(...requests.filter((request) => !taken.includes(request)).map(({ endMs }) => endMs))
  }

  async used(counter: Counter): Promise<number> {
    await this.#exchange
    enterWindow(counter, this.#nowMs())
    const window = { bucket: await this.#bucketOf(counter), startsAt: instantOf(counter.startMs) }
    return Math.max(0, (await readWindow(this.#store, window)) - counter.leased)
  }

  release(counter: Counter): void {
    this.#leased.delete(counter)
    if (counter.leased === 0 || counter.isOwnShare || this.#nowMs() >= counter.endMs) return
    // The lease has given its owner a stored name.
    const bucket = bucketName(counter)
    const startsAt = instantOf(counter.startMs)
    const unused = counter.leased + (this.#returning.get(`${bucket} ${startsAt}`)?.unused ?? 0)
    this.#returning.set(`${bucket} ${startsAt}`, { bucket, startsAt, unused })
    counter.used -= counter.leased
    counter.leased = 0
    this.#startExchange()
  }

  async close(): Promise<void> {
    clearTimeout(this.#sweepTimer)
    for (const counter of this.#leased) this.release(counter)
    const settled = (async () => {
      while (this.#exchange !== undefined) await this.#exchange
    })()
    await Promise.race([settled, delay(CLOSE_MS, undefined, { ref: false })])
  }

  async #takeAfterLease<T>(counters: Counters, conclude: (full: Counter | undefined) => T): Promise<T> {
    for (;;) {
      const empty = counters.filter((counter) => counter?.leased === 0) as Counter[]
      await Promise.all(empty.map((counter) => this.#lease(counter)))
      const taken = takeLeased(this.#nowMs(), ...counters)
      if (taken !== 'needs_lease') return conclude(taken)
    }
  }

  #lease(counter: Counter): Promise<void> {
    counter.leasing ??= Promise.withResolvers()
    this.#needingLease.add(counter)
    this.#startExchange()
    return counter.leasing.promise
  }

  /** Runs one statement at a time, so that the next lease sees what this process has returned. */
  #startExchange(): void {
    this.#exchange ??= (async () => {
      // Batch everything that arrives in this turn of the event loop.
      await undefined
      while (this.#hasWork()) {
        await this.#returnLeases()
        await this.#renewLeases()
      }
    })().finally(() => {
      this.#exchange = undefined
      if (this.#hasWork()) this.#startExchange()
    })
  }

  #hasWork(): boolean {
    return this.#returning.size + this.#needingLease.size > 0
  }

  async #returnLeases(): Promise<void> {
    const leases = [...this.#returning].slice(0, WINDOWS_MAX)
    if (leases.length === 0) return
    for (const [name] of leases) this.#returning.delete(name)
    const unused = leases.map(([, lease]) => lease)
    // Drop a failed return: the database may have taken it, and a second one would admit too many.
    await this.#inTime(returnWindowLeases(this.#store, unused)).catch(() => {})
  }

  async #renewLeases(): Promise<void> {
    let counters = [...this.#needingLease].slice(0, WINDOWS_MAX)
    if (counters.length === 0) return
    if (this.#isAway?.()) {
      for (const counter of counters) this.#takeOwnShare(counter)
      return
    }
    try {
      const nowMs = this.#nowMs()
      const batch = new Map<string, { counter: Counter; startMs: number; request: LeaseRequest }>()
      for (const counter of counters) {
        enterWindow(counter, nowMs)
        const { startMs } = counter
        const request = await this.#leaseRequest(counter, counter, counter.lease)
        // Two counters may share a bucket (one released, one new): the second waits for the next statement.
        if (!batch.has(request.bucket)) batch.set(request.bucket, { counter, startMs, request })
      }
      counters = [...batch.values()].map(({ counter }) => counter)
      const requests = [...batch.values()].map(({ request }) => request)
      const leases = await this.#inTime(leaseWindows(this.#store, requests))
      const answeredMs = this.#nowMs()
      for (const [i, { counter, startMs }] of [...batch.values()].entries()) {
        // Skip a window that ended during the statement.
        if (counter.startMs === startMs) this.#addLease(counter, leases[i] as Lease, answeredMs)
      }
      for (const counter of counters) this.#endLeasing(counter).resolve()
    } catch (error) {
      for (const counter of counters) {
        if (this.#isAway?.() === undefined && !isWriteRefusal(error)) this.#endLeasing(counter).reject(error)
        else this.#takeOwnShare(counter)
      }
    }
  }

  /** Where a share of its own is the alternative, nobody waits long for a database that hangs. */
  async #inTime<T>(answer: Promise<T>): Promise<T> {
    if (this.#isAway?.() === undefined) return answer
    const waiting = new AbortController()
    const late = delay(ANSWER_MAX_MS, undefined, { signal: waiting.signal, ref: false }).then(() => {
      throw new Error(`no answer within ${ANSWER_MAX_MS} ms`)
    })
    late.catch(() => {})
    // A lease that comes later is lost, as that of a killed process.
    answer.catch(() => {})
    try {
      return await Promise.race([answer, late])
    } finally {
      waiting.abort()
    }
  }

  /** Admits a part of the limit without the database, once a window; afterwards the window counts as full. */
  #takeOwnShare(counter: Counter): void {
    const nowMs = this.#nowMs()
    enterWindow(counter, nowMs)
    if (counter.isOwnShare) counter.fullUntilMs = Math.min(counter.endMs, nowMs + OWN_RETRY_MS)
    else counter.leased = Math.max(1, Math.floor(counter.limit * OWN_SHARE))
    counter.isOwnShare = true
    counter.used = counter.limit
    this.#endLeasing(counter).resolve()
  }

  #addLease(counter: Counter, { granted, used }: Lease, nowMs: number): void {
    counter.leased += granted
    counter.used = used
    if (used >= counter.limit) counter.fullUntilMs = Math.min(counter.endMs, nowMs + FULL_MS)
    if (granted > 0) this.#trackLease(counter)
  }

  #endLeasing(counter: Counter): PromiseWithResolvers<void> {
    const { leasing } = counter
    counter.leasing = undefined
    this.#needingLease.delete(counter)
    return leasing as PromiseWithResolvers<void>
  }

  #trackLease(counter: Counter): void {
    counter.idleSweeps = 0
    this.#leased.add(counter)
    this.#scheduleSweep()
  }

  #scheduleSweep(): void {
    this.#sweepTimer ??= setTimeout(() => this.#sweep(), SWEEP_MS).unref()
  }

  #sweep(): void {
    this.#sweepTimer = undefined
    const nowMs = this.#nowMs()
    for (const counter of this.#leased) {
      if (counter.leased === 0 || nowMs >= counter.endMs) this.#leased.delete(counter)
      else if (++counter.idleSweeps >= IDLE_SWEEPS) this.release(counter)
    }
    if (nowMs >= this.#purgeAtMs) this.#purge(nowMs)
    if (this.#leased.size > 0) this.#scheduleSweep()
  }

  #purge(nowMs: number): void {
    this.#purgeAtMs = nowMs + PURGE_EVERY_MS
    purgeWindows(this.#store, { at: instantOf(nowMs), max: PURGE_MAX }).then(
      (deleted) => {
        if (deleted === PURGE_MAX) this.#purgeAtMs = 0
      },
      // The next purge catches up.
      () => {},
    )
  }

  async #leaseRequest(
    bucket: Bucket,
    { startMs, endMs }: { startMs: number; endMs: number },
    want: number,
  ): Promise<LeaseRequest> {
    const keepUntil = instantOf(endMs + KEEP_MS[bucket.period])
    const name = await this.#bucketOf(bucket)
    return { bucket: name, startsAt: instantOf(startMs), want, limit: bucket.limit, keepUntil }
  }

  #nowMs(): number {
    return this.#now().getTime()
  }
}

const instantOf = (ms: number) => instant(new Date(ms))
