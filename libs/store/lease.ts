import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable, Store } from './db.ts'

export type LeaseOptions = Readonly<{
  name: string
  /** Unique to the process that asks. */
  holder: string
  ttlMs: number
}>

/** The lease of every process that appends to catalog.items: runs of the aggregator, and the flip of a replay. */
export const AGGREGATOR_LEASE = { name: 'aggregator', ttlMs: 30_000 } as const

/**
 * Takes the lease if it is free or has run out, by the database's own clock; answers whether it is held now. Leases are
 * rows, because the embedded store leaks advisory locks between clients and poolers lose them.
 */
export async function takeLease(store: Queryable, { name, holder, ttlMs }: LeaseOptions): Promise<boolean> {
  const taken = await store.query(
    `insert into leases (name, holder, expires_at) values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
     where leases.holder = excluded.holder or leases.expires_at < clock_timestamp()
     returning name`,
    [name, holder, ttlMs],
  )
  return taken.length === 1
}

export async function releaseLease(store: Queryable, { name, holder }: Omit<LeaseOptions, 'ttlMs'>): Promise<void> {
  await store.query(`delete from leases where name = $1 and holder = $2`, [name, holder])
}

/**
 * Runs the work while holding the lease, renewing it at a third of its time. Waits for the lease; the signal that the
 * work gets aborts when the lease was lost (a process frozen for longer than ttlMs) or the caller's signal aborts.
 */
export async function withLease<T>(
  store: Store,
  lease: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  while (!(await takeLease(store, lease))) {
    signal?.throwIfAborted()
    await delay(Math.min(lease.ttlMs / 10, 500), undefined, signal && { signal })
  }
  const lost = new AbortController()
  const renewal = setInterval(() => {
    takeLease(store, lease).then(
      (held) => held || lost.abort(new Error(`lease '${lease.name}' was lost to another process`)),
      // The next renewal tries again; the lease runs out by itself when the store stays away.
      () => {},
    )
  }, lease.ttlMs / 3)
  try {
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    clearInterval(renewal)
    await releaseLease(store, lease).catch(() => {})
  }
}
