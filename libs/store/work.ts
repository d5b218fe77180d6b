import type { Queryable } from './db.ts'
import type { LeaseOptions } from './lease.ts'

/** How far a piece of work is; `total` is null where nobody knows it yet. */
export type Progress = Readonly<{ stage: string; done: number; total: number | null }>

/**
 * The work under the lease `name`, as its holder noted it last: after so many `seconds` of the stage, and then silent. It is stale
 * when the holder renews its lease no more: it was killed, or lost the store.
 */
export type Work = Progress & Readonly<{ name: string; seconds: number; silent_seconds: number; stale: boolean }>

const NOTE_EVERY_MS = 1_000

/**
 * Returns a function that keeps the progress of work beside its lease: each new stage, and within a stage once a second. The
 * work does not wait for it, and goes on when the store refuses it. The note goes with the lease.
 */
export function workNotes(
  store: Queryable,
  { name, holder }: Pick<LeaseOptions, 'name' | 'holder'>,
  nowMs: () => number,
): (progress: Progress) => void {
  let [noted, notedMs, isNoting] = ['', 0, false]
  return ({ stage, done, total }) => {
    if (isNoting || (stage === noted && nowMs() < notedMs + NOTE_EVERY_MS)) return
    ;[noted, notedMs, isNoting] = [stage, nowMs(), true]
    const written = store.query(
      `update leases set worker = $2, stage = $3, done = $4, total = $5, noted_at = clock_timestamp(),
         stage_began_at = case when worker = $2 and stage = $3 then stage_began_at else clock_timestamp() end
       where name = $1 and holder = $2`,
      [name, holder, stage, done, total],
    )
    written.catch(() => {}).finally(() => (isNoting = false))
  }
}

/** What holders of leases do, by the name of the lease. */
export const readWork = (store: Queryable): Promise<Work[]> =>
  store.query<Work>(
    `select name, stage, done::float8 as done, total::float8 as total,
       extract(epoch from noted_at - stage_began_at)::float8 as seconds,
       extract(epoch from clock_timestamp() - noted_at)::float8 as silent_seconds, expires_at < clock_timestamp() as stale
     from leases where worker = holder and noted_at > clock_timestamp() - interval '1 day'
     order by name collate "C"`,
  )

/** Units a second, and the seconds that are left; null where nobody can tell. */
export function paceOf({ done, total }: Pick<Progress, 'done' | 'total'>, seconds: number) {
  const rate = seconds > 0 && done > 0 ? done / seconds : null
  return {
    per_second: rate && Math.round(rate),
    seconds_left: rate === null || total === null ? null : Math.ceil(Math.max(0, total - done) / rate),
  }
}
