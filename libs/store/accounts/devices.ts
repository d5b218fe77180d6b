import { DAY_MS, MINUTE_MS } from '@catalog/core/time.ts'
import { affectsRow, type Queryable } from '@catalog/store/db.ts'

/**
 * Browsers in which people signed in before, and the lockout between attempts to sign in. Instants are arguments, ISO 8601
 * with Z: the caller owns the clock.
 */

// Known devices -------------------------------------------------------------------------------------------------------

/** A browser is known for this time after the last sign-in. */
export const DEVICE_MAX_MS = 180 * DAY_MS

type Device = Readonly<{ deviceSha: Buffer; userId: string; at: string }>

export async function insertDevice(db: Queryable, { deviceSha, userId, at }: Device): Promise<void> {
  await db.query(`insert into known_devices (device_sha, user_id, seen_at) values ($1, $2, $3)`, [
    deviceSha,
    userId,
    at,
  ])
}

/** Whether the person signed in with this device before; it then stays known. */
export async function touchDevice(db: Queryable, { deviceSha, userId, at }: Device): Promise<boolean> {
  return affectsRow(
    db,
    `update known_devices set seen_at = greatest(seen_at, $3)
      where device_sha = $1 and user_id = $2 and seen_at > $3::timestamptz - $4 * interval '1 ms' returning user_id`,
    [deviceSha, userId, at, DEVICE_MAX_MS],
  )
}

/** The one of these hashes by which the person of the e-mail is known. */
export async function findDevice(
  db: Queryable,
  { shas, email, at }: { shas: readonly Buffer[]; email: string; at: string },
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ device_sha: Buffer }>(
    `select device_sha from known_devices join users using (user_id)
      where device_sha in (select decode(sha, 'hex') from unnest($1::text[]) as s (sha))
        and lower(email) = lower($2) and seen_at > $3::timestamptz - $4 * interval '1 ms'
      order by seen_at desc limit 1`,
    [shas.map((sha) => sha.toString('hex')), email, at, DEVICE_MAX_MS],
  )
  return row?.device_sha
}

/** Forgets all devices of a person, or all but one. */
export async function forgetDevices(
  db: Queryable,
  userId: string,
  { except }: { except?: Buffer | undefined } = {},
): Promise<void> {
  await db.query(`delete from known_devices where user_id = $1 and ($2::bytea is null or device_sha <> $2)`, [
    userId,
    except ?? null,
  ])
}

// Lockout -------------------------------------------------------------------------------------------------------------

/** The lockout in milliseconds after the first attempt, the second ...: people mistype, and submit a form twice. */
const LOCKOUT_MS = [0, 0, ...Array.from({ length: 10 }, (_, doublings) => 1_000 * 2 ** doublings), 15 * MINUTE_MS]
/** Attempts are forgotten so long after their lockout. */
export const LOCKOUT_KEPT_MS = DAY_MS

/**
 * Counts an attempt to sign in before its password is checked, so that concurrent ones count too. Returns undefined when it
 * is due; else the end of the lockout, and counts nothing: more attempts make no lockout longer.
 */
export async function lockedOutUntil(
  db: Queryable,
  { bucket, at }: { bucket: string; at: string },
): Promise<string | undefined> {
  const isDue = await affectsRow(
    db,
    `insert into sign_in_waits as w (bucket, attempts, next_at)
     values ($1, 1, $2::timestamptz + ($3::int[])[1] * interval '1 ms')
     on conflict (bucket) do update
       set attempts = w.attempts + 1,
           next_at = $2::timestamptz + ($3::int[])[least(w.attempts + 1, cardinality($3::int[]))] * interval '1 ms'
       where w.next_at <= $2 returning bucket`,
    [bucket, at, LOCKOUT_MS],
  )
  if (isDue) return undefined
  const [row] = await db.query<{ next_at: string }>(`select next_at from sign_in_waits where bucket = $1`, [bucket])
  // The right password came in between.
  return row?.next_at ?? at
}

/** After the right password: the next attempt is the first one again. */
export async function endLockout(db: Queryable, bucket: string): Promise<void> {
  await db.query(`delete from sign_in_waits where bucket = $1`, [bucket])
}
