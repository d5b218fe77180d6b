import { type Period, windowAt } from './windows.ts'

/**
 * Requests in one lease. A killed process loses its lease, so a lease is at most 10 and at most a tenth of the limit.
 * Above a limit of 1,000 a lease is a hundredth, or a limit of a million would need 100,000 statements.
 */
export function leaseSize(limit: number): number {
  return Math.max(1, Math.floor(limit <= LARGE_LIMIT ? Math.min(10, limit / 10) : limit / 100))
}
const LARGE_LIMIT = 1_000

/** Whose requests count together. Addresses and e-mails reach the database only as an HMAC. */
export type Owner = {
  readonly kind: 'ip' | 'key' | 'workspace' | 'email' | 'device' | 'everybody'
  readonly id: string
  /** Its name in the database; the limiter fills it in on first use. */
  storedName?: string
}

/** The name of one bucket: what it counts, for whom. */
export type Bucket = Readonly<{
  owner: Owner
  /** The counted kind, first word of the bucket's name: 'minute', 'search', 'month' ... */
  counts: string
  period: Period
  limit: number
}>

/** One bucket in this process. Its numbers describe the window of the last call. */
export type Counter = Bucket & {
  readonly lease: number
  startMs: number
  endMs: number
  /** Requests that are leased and not yet used. */
  leased: number
  /** Requests used by all processes at the last read of the database; every leased request counts as used. */
  used: number
  /** The window is full until then, so the limiter skips the database. */
  fullUntilMs: number
  /** Sweeps since the last request. */
  idleSweeps: number
  /**
   * Whether `leased` is a share that this process took for the window without the database, which must not be returned
   * there.
   */
  isOwnShare: boolean
  /** The lease under way; every request that needs one waits for it. */
  leasing: PromiseWithResolvers<void> | undefined
}

export function counterOf({ owner, counts, period, limit, lease }: Bucket & { lease?: number }): Counter {
  return {
    owner,
    counts,
    period,
    limit,
    lease: Math.min(lease ?? leaseSize(limit), Math.max(1, Math.floor(limit / 10))),
    startMs: 0,
    endMs: 0,
    leased: 0,
    used: 0,
    fullUntilMs: 0,
    idleSweeps: 0,
    isOwnShare: false,
    leasing: undefined,
  }
}

/** Requests left in the window as far as this process knows: never negative, and exact for a single process. */
export const remainingOf = ({ limit, used, leased }: Counter): number => Math.max(0, limit - used + leased)

/** Moves the counter to the present window. A lease of an earlier window expires. */
export function enterWindow(counter: Counter, nowMs: number): void {
  if (nowMs >= counter.startMs && nowMs < counter.endMs) return
  const { startMs, endMs } = windowAt(counter.period, nowMs)
  counter.startMs = startMs
  counter.endMs = endMs
  counter.leased = 0
  counter.used = 0
  counter.isOwnShare = false
  counter.fullUntilMs = counter.limit <= 0 ? endMs : 0
}

/** Whether the window is known to have nothing left. */
export const isFull = (counter: Counter, nowMs: number): boolean =>
  counter.leased === 0 && nowMs >= counter.startMs && nowMs < counter.fullUntilMs

/**
 * Takes one request from each counter that is there: from all or from none. Answers undefined on success, the counter whose
 * window is full, or 'needs_lease' when only the database can tell. Of full windows it names the last one: put the longest
 * there, so that a client that waits a minute does not then learn of the month.
 */
export function takeLeased(
  nowMs: number,
  ...counters: readonly (Counter | undefined)[]
): Counter | 'needs_lease' | undefined {
  let full: Counter | undefined
  let isLeased = true
  for (const counter of counters) {
    if (counter === undefined) continue
    enterWindow(counter, nowMs)
    if (isFull(counter, nowMs)) full = counter
    isLeased &&= counter.leased > 0
  }
  if (full !== undefined || !isLeased) return full ?? 'needs_lease'
  for (const counter of counters) {
    if (counter === undefined) continue
    counter.leased--
    counter.idleSweeps = 0
  }
  return undefined
}
