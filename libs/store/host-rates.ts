import type { Queryable } from './db.ts'

export type HostTurn = Readonly<{ host: string; intervalMs: number }>

/** Hosts of crawls that ended; a turn is never so far away. */
const KEPT_HOURS = 48

/**
 * Takes the next turn to send a request to a host, whichever process asks, by the database's clock: turns lie `intervalMs`
 * apart. Returns the milliseconds until it comes; 0 for now.
 */
export async function takeHostTurn(store: Queryable, { host, intervalMs }: HostTurn): Promise<number> {
  const [turn] = await store.query<{ wait_ms: number }>(
    `insert into host_rates as turn (host, next_at) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
     on conflict (host) do update
       set next_at = greatest(turn.next_at, clock_timestamp()) + $2 * interval '1 millisecond'
     returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 - $2 as wait_ms`,
    [host, intervalMs],
  )
  return Math.max(0, turn?.wait_ms ?? 0)
}

/** Forgets hosts that nobody has asked for lately. */
export async function forgetHostTurns(store: Queryable): Promise<void> {
  await store.query(`delete from host_rates where next_at < clock_timestamp() - $1 * interval '1 hour'`, [KEPT_HOURS])
}
