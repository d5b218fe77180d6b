import { setTimeout as delay } from 'node:timers/promises'
import { affectsRow, type Queryable, type Store } from './db.ts'

export type LeaseOptions = Readonly<{
  name: string
  /** Unique per process. */
  holder: string
  ttlMs: number
}>

/** The lease of every process that appends to catalog.items: runs of the aggregator, and the flip of a replay. */
export const AGGREGATOR_LEASE = { name: 'aggregator', ttlMs: 30_000 } as const

/**
 * Takes the lease if it is free or has expired, by the database's clock; returns whether the caller holds it now.
 * Leases are rows, because the embedded store leaks advisory locks between clients, and connection poolers lose them.
 */
export async function acquireLease(store: Queryable, { name, holder, ttlMs }: LeaseOptions): Promise<boolean> {
  return affectsRow(
    store,
    `insert into leases (name, holder, expires_at) values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
     where leases.holder = excluded.holder or leases.expires_at < clock_timestamp()
     returning name`,
    [name, holder, ttlMs],
  )
}

/** The database's clock, by which all processes agree on who leads. */
export async function storeClock(store: Queryable): Promise<Date> {
  const [row] = await store.query<{ at: string }>('select clock_timestamp() as at')
  return new Date((row as { at: string }).at)
}

/** Who holds which lease now, by name. */
export const readLeases = (store: Queryable): Promise<{ name: string; holder: string }[]> =>
  store.query(`select name, holder from leases where expires_at > clock_timestamp() order by name collate "C"`)

/**
 * Extends the lease of its holder, also an expired one that nobody took; returns whether it is still the holder's. Law: a
 * lease that another process took since is lost, also when that process has released it.
 */
async function renewLease(store: Queryable, { name, holder, ttlMs }: LeaseOptions): Promise<boolean> {
  return affectsRow(
    store,
    `update leases set expires_at = clock_timestamp() + $3 * interval '1 millisecond'
     where name = $1 and holder = $2 returning name`,
    [name, holder, ttlMs],
  )
}

export async function releaseLease(store: Queryable, { name, holder }: Omit<LeaseOptions, 'ttlMs'>): Promise<void> {
  await store.query(`delete from leases where name = $1 and holder = $2`, [name, holder])
}

/** The lease went to another process: this one was frozen, or away from the store, for longer than it lasts. */
class LeaseLost extends Error {
  override name = 'LeaseLost'
  constructor(name: string) {
    super(`lease '${name}' was lost to another process`)
  }
}

/**
 * Waits for the lease, and runs the work while renewing it every third of its lifetime. The signal of the work aborts
 * when the lease is lost (a process frozen for longer than ttlMs), or when the caller's signal aborts. A process that
 * wakes up may go on before its timers say so: `held` asks the store, renews, and throws LeaseLost.
 */
export async function withLease<T>(
  store: Store,
  lease: LeaseOptions,
  work: (signal: AbortSignal, held: () => Promise<void>) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  while (!(await acquireLease(store, lease))) {
    signal?.throwIfAborted()
    await delay(Math.min(lease.ttlMs / 10, 500), undefined, signal && { signal })
  }
  const lost = new AbortController()
  const held = async () => {
    if (await renewLease(store, lease)) return
    lost.abort(new LeaseLost(lease.name))
    lost.signal.throwIfAborted()
  }
  const renewal = setInterval(() => {
    // The next renewal tries again; the lease expires by itself while the store is unreachable.
    held().catch(() => {})
  }, lease.ttlMs / 3)
  try {
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal, held)
  } finally {
    clearInterval(renewal)
    await releaseLease(store, lease).catch(() => {})
  }
}
