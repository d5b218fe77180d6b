import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS, HOUR_MS, instant } from '@catalog/core/time.ts'
import {
  giveBackWindows,
  type Lease,
  type LeaseRequest,
  leaseWindows,
  purgeWindows,
  readAddressSecret,
  readWindow,
  type WindowId,
} from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'

/**
 * Limits that several processes share. Each window of time of each bucket is one row of the database; a process leases a
 * few requests of it at once and admits from what it holds without asking anybody.
 *
 * Law: in one window never more than the limit are admitted by all processes together, however they start and end. What a
 * process holds when it is killed is lost, and that is all: at most one lease of a window.
 */

/** Windows follow the clock (UTC): a minute begins at second 0, a month on its first day. */
export type Period = 'minute' | 'hour' | 'day' | 'month'

const PERIOD_MS = { minute: 60_000, hour: HOUR_MS, day: DAY_MS } as const

/** The window of an instant: from its beginning, inclusive, to its end, exclusive. */
export function windowAt(period: Period, nowMs: number): { startMs: number; endMs: number } {
  if (period === 'month') {
    const now = new Date(nowMs)
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
    return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
  }
  const startMs = Math.floor(nowMs / PERIOD_MS[period]) * PERIOD_MS[period]
  return { startMs, endMs: startMs + PERIOD_MS[period] }
}

/**
 * Requests in one lease: what a process that is killed may cost, so at most 10 and at most a tenth of the limit. An
 * operator who sets a limit above 1,000 gets hundredths, or a limit of a million would ask the database 100,000 times.
 */
export function leaseSize(limit: number): number {
  return Math.max(1, Math.floor(limit <= LARGE_LIMIT ? Math.min(10, limit / 10) : limit / 100))
}
const LARGE_LIMIT = 1_000

/** Whose requests are counted together. Addresses and e-mails reach the database only as an HMAC. */
export type Owner = {
  readonly kind: 'ip' | 'key' | 'workspace' | 'email' | 'everybody'
  readonly id: string
  /** How the database calls it; made when it is first needed. */
  stored?: string
}

/** One bucket as this process sees it. Its numbers are those of the window that it was last asked about. */
export type Counter = {
  readonly owner: Owner
  /** What is counted, first word of the bucket's name: 'minute', 'search', 'month' ... */
  readonly counts: string
  readonly period: Period
  readonly limit: number
  readonly lease: number
  startMs: number
  endMs: number
  /** Leased and not used. */
  held: number
  /** What everybody used as the database last said; what any process holds is in it. */
  used: number
  /** Until then the window is known to be full, and the database is not asked. */
  fullUntilMs: number
  /** Sweeps since it was last taken from. */
  idleSweeps: number
  /** The lease that is on its way, which all who need one wait for. */
  leasing: PromiseWithResolvers<void> | undefined
}

export function counterOf(of: Pick<Counter, 'owner' | 'counts' | 'period' | 'limit'> & { lease?: number }): Counter {
  return {
    owner: of.owner,
    counts: of.counts,
    period: of.period,
    limit: of.limit,
    lease: Math.min(of.lease ?? leaseSize(of.limit), Math.max(1, Math.floor(of.limit / 10))),
    startMs: 0,
    endMs: 0,
    held: 0,
    used: 0,
    fullUntilMs: 0,
    idleSweeps: 0,
    leasing: undefined,
  }
}

/** Requests left in the window as far as this process knows: never negative, and exact while it is alone. */
export const remainingOf = ({ limit, used, held }: Counter): number => Math.max(0, limit - used + held)

/** Moves the counter to the window of now. What it held of another window is worth nothing any more. */
export function turn(counter: Counter, nowMs: number): void {
  if (nowMs >= counter.startMs && nowMs < counter.endMs) return
  const { startMs, endMs } = windowAt(counter.period, nowMs)
  counter.startMs = startMs
  counter.endMs = endMs
  counter.held = 0
  counter.used = 0
  counter.fullUntilMs = counter.limit <= 0 ? endMs : 0
}

/** Until a window ends, at least 1: whoever comes back after so long meets the next one. */
export const secondsUntil = (endMs: number, nowMs: number): number => Math.max(1, Math.ceil((endMs - nowMs) / 1000))

/** Whether the window is known to have nothing left. */
export const isFull = (counter: Counter, nowMs: number): boolean =>
  counter.held === 0 && nowMs >= counter.startMs && nowMs < counter.fullUntilMs

/**
 * Takes one request out of the counter, and out of the second where there is one: of both or of none. Answers undefined
 * when it is taken, the counter whose window is full, or 'ask' when only the database can tell.
 */
export function takeHeld(nowMs: number, first: Counter, second: Counter | undefined): Counter | 'ask' | undefined {
  turn(first, nowMs)
  if (second !== undefined) {
    turn(second, nowMs)
    // The longer window goes first: whoever is told to come back in a minute must not hear of the month then.
    if (isFull(second, nowMs)) return second
    if (isFull(first, nowMs)) return first
    if (first.held === 0 || second.held === 0) return 'ask'
    second.held--
    second.idleSweeps = 0
  } else {
    if (isFull(first, nowMs)) return first
    if (first.held === 0) return 'ask'
  }
  first.held--
  first.idleSweeps = 0
  return undefined
}

export interface Limiter {
  /**
   * As {@link takeHeld}, with the database asked where that is needed; without it nothing is awaited. `conclude` gets the
   * counter that is full, or undefined, before anybody else takes: what remains then is what this request left.
   */
  take<T>(first: Counter, second: Counter | undefined, conclude: (full: Counter | undefined) => T): T | Promise<T>
  /** Undoes a take, if the window that it was taken from still lasts. */
  putBack(counter: Counter, startMs: number): void
  /**
   * Takes one out of every window, or of none: without a lease, for what is rare. Answers the end of the window that is
   * full, of several the last.
   */
  takeOnce(wanted: readonly Pick<Counter, 'owner' | 'counts' | 'period' | 'limit'>[]): Promise<number | undefined>
  /** Requests of the present window that were admitted by this process, or leased by any other. */
  used(counter: Counter): Promise<number>
  /** Gives back what the counter holds; it may be thrown away. */
  forget(counter: Counter): void
  /** Gives everything back. Nothing may be taken any more. */
  close(): Promise<void>
}

/** A full window is looked at again after this: by then another process may have given something of a month back. */
const FULL_MS = 60_000
/** What was not taken from during two sweeps goes back, so that others and /usage see it within about a second. */
const SWEEP_MS = 500
const IDLE_SWEEPS = 2
/** Windows in one statement: their rows stay locked until it ends. */
const WINDOWS_MAX = 500
/** A database that does not answer holds up no process that stops: what it holds is then lost. */
const CLOSE_MS = 2_000
const PURGE_EVERY_MS = 60_000
const PURGE_MAX = 5_000
/** Windows are kept longer than clocks of processes differ; months for whoever asks what last year was like. */
const KEEP_MS = { minute: HOUR_MS, hour: DAY_MS, day: DAY_MS, month: 400 * DAY_MS } as const

export function openLimiter({ store, now }: { store: Store; now: () => Date }): Limiter {
  /** Counters that hold something, or did at the last sweep. */
  const holding = new Set<Counter>()
  const lacking = new Set<Counter>()
  /** By name of the window. */
  const returning = new Map<string, WindowId & { unused: number }>()
  let secret: Promise<string> | undefined
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let purgeAtMs = 0

  async function takeLater<T>(
    first: Counter,
    second: Counter | undefined,
    conclude: (full: Counter | undefined) => T,
  ): Promise<T> {
    for (;;) {
      const lacks = [first, second].filter((counter) => counter?.held === 0) as Counter[]
      await Promise.all(lacks.map(lease))
      const taken = takeHeld(now().getTime(), first, second)
      if (taken !== 'ask') return conclude(taken)
    }
  }

  function lease(counter: Counter): Promise<void> {
    counter.leasing ??= Promise.withResolvers()
    lacking.add(counter)
    work()
    return counter.leasing.promise
  }

  /** One statement at a time, so that what this process gives back is there when it asks next. */
  function work(): void {
    working ??= (async () => {
      // Whatever else this turn of the event loop brings goes into the same statement.
      await undefined
      while (returning.size + lacking.size > 0) {
        await giveBack()
        await leaseLacking()
      }
    })().finally(() => {
      working = undefined
      if (returning.size + lacking.size > 0) work()
    })
  }

  async function leaseLacking(): Promise<void> {
    const batch = new Map<string, { counter: Counter; startMs: number; endMs: number }>()
    let counters = [...lacking].slice(0, WINDOWS_MAX)
    if (counters.length === 0) return
    try {
      const nowMs = now().getTime()
      for (const counter of counters) {
        turn(counter, nowMs)
        const bucket = await bucketOf(counter)
        // Of a counter that was forgotten and made anew the second waits for the next statement.
        if (!batch.has(bucket)) batch.set(bucket, { counter, startMs: counter.startMs, endMs: counter.endMs })
      }
      counters = [...batch.values()].map(({ counter }) => counter)
      const leases = await leaseWindows(
        store,
        [...batch].map(([bucket, { counter, startMs, endMs }]) => ({
          bucket,
          startsAt: instantOf(startMs),
          want: counter.lease,
          limit: counter.limit,
          keepUntil: instantOf(endMs + KEEP_MS[counter.period]),
        })),
      )
      const answeredMs = now().getTime()
      for (const [i, { counter, startMs }] of [...batch.values()].entries()) {
        const { granted, used } = leases[i] as Lease
        // The window ended while it was asked about.
        if (counter.startMs !== startMs) continue
        counter.held += granted
        counter.used = used
        if (used >= counter.limit) counter.fullUntilMs = Math.min(counter.endMs, answeredMs + FULL_MS)
        if (granted > 0) hold(counter)
      }
      for (const counter of counters) settle(counter).resolve()
    } catch (error) {
      for (const counter of counters) settle(counter).reject(error)
    }
  }

  function settle(counter: Counter): PromiseWithResolvers<void> {
    const { leasing } = counter
    counter.leasing = undefined
    lacking.delete(counter)
    return leasing as PromiseWithResolvers<void>
  }

  async function giveBack(): Promise<void> {
    const leases = [...returning].slice(0, WINDOWS_MAX)
    if (leases.length === 0) return
    for (const [name] of leases) returning.delete(name)
    // What fails here is lost: whether the database took it is not known, and too many must never be admitted.
    await giveBackWindows(
      store,
      leases.map(([, lease]) => lease),
    ).catch(() => {})
  }

  function hold(counter: Counter): void {
    counter.idleSweeps = 0
    holding.add(counter)
    timer ??= setTimeout(sweep, SWEEP_MS).unref()
  }

  function release(counter: Counter): void {
    holding.delete(counter)
    if (counter.held === 0 || now().getTime() >= counter.endMs) return
    // It was leased, so its owner has a name.
    const bucket = nameOf(counter)
    const startsAt = instantOf(counter.startMs)
    const unused = counter.held + (returning.get(`${bucket} ${startsAt}`)?.unused ?? 0)
    returning.set(`${bucket} ${startsAt}`, { bucket, startsAt, unused })
    counter.used -= counter.held
    counter.held = 0
    work()
  }

  function sweep(): void {
    timer = undefined
    const nowMs = now().getTime()
    for (const counter of holding) {
      if (counter.held === 0 || nowMs >= counter.endMs) holding.delete(counter)
      else if (++counter.idleSweeps >= IDLE_SWEEPS) release(counter)
    }
    if (nowMs >= purgeAtMs) {
      purgeAtMs = nowMs + PURGE_EVERY_MS
      purgeWindows(store, { at: instantOf(nowMs), max: PURGE_MAX }).then(
        (deleted) => {
          if (deleted === PURGE_MAX) purgeAtMs = 0
        },
        // The next one makes up for it.
        () => {},
      )
    }
    if (holding.size > 0) timer = setTimeout(sweep, SWEEP_MS).unref()
  }

  async function bucketOf(counter: Pick<Counter, 'owner' | 'counts'>): Promise<string> {
    const { owner } = counter
    owner.stored ??= owner.kind === 'ip' || owner.kind === 'email' ? await hashed(owner) : owner.id
    return nameOf(counter)
  }

  async function hashed({ kind, id }: Owner): Promise<string> {
    secret ??= readAddressSecret(store).catch((error: unknown) => {
      secret = undefined
      throw error
    })
    const hmac = createHmac('sha256', await secret).update(`${kind} ${id}`)
    return hmac.digest('base64url').slice(0, HMAC_CHARS)
  }

  return {
    take(first, second, conclude) {
      const taken = takeHeld(now().getTime(), first, second)
      return taken === 'ask' ? takeLater(first, second, conclude) : conclude(taken)
    },
    putBack(counter, startMs) {
      if (counter.startMs !== startMs || now().getTime() >= counter.endMs) return
      counter.held++
      hold(counter)
    },
    async takeOnce(wanted) {
      const nowMs = now().getTime()
      const requests: (LeaseRequest & { endMs: number })[] = []
      for (const asked of wanted) {
        const { startMs, endMs } = windowAt(asked.period, nowMs)
        const keepUntil = instantOf(endMs + KEEP_MS[asked.period])
        const bucket = await bucketOf(asked)
        requests.push({ bucket, startsAt: instantOf(startMs), want: 1, limit: asked.limit, keepUntil, endMs })
      }
      const leases = await leaseWindows(store, requests)
      const isTaken = (_: unknown, i: number) => leases[i]?.granted === 1
      const taken = requests.filter(isTaken)
      if (taken.length === requests.length) return undefined
      if (taken.length > 0) {
        await giveBackWindows(
          store,
          taken.map(({ bucket, startsAt }) => ({ bucket, startsAt, unused: 1 })),
        )
      }
      return Math.max(...requests.filter((request) => !taken.includes(request)).map(({ endMs }) => endMs))
    },
    async used(counter) {
      await working
      turn(counter, now().getTime())
      const used = await readWindow(store, {
        bucket: await bucketOf(counter),
        startsAt: instantOf(counter.startMs),
      })
      return Math.max(0, used - counter.held)
    },
    forget: release,
    async close() {
      clearTimeout(timer)
      for (const counter of holding) release(counter)
      const settled = (async () => {
        while (working !== undefined) await working
      })()
      await Promise.race([settled, delay(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

/** 132 bits. */
const HMAC_CHARS = 22
const nameOf = ({ counts, owner }: Pick<Counter, 'owner' | 'counts'>) => `${counts} ${owner.kind} ${owner.stored}`
const instantOf = (ms: number) => instant(new Date(ms))
