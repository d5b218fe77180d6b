import { randomBytes } from 'node:crypto'
import { claimMeta } from './checkpoints.ts'
import { type Queryable, rowsParameter } from './db.ts'

/**
 * Who calls the API, and how much of it: workspaces, keys and the windows of limits (0002.sql). Written by the API and by
 * operators' commands, never by the projector. Instants are arguments, ISO 8601 with Z: the clock is the caller's.
 */

// Workspaces ----------------------------------------------------------------------------------------------------------

export type WorkspaceRow = Readonly<{ workspace_id: string; name: string; created_at: string; valid_keys: number }>

/** Answers false, and writes nothing, when a workspace has that name already. */
export async function createWorkspace(
  db: Queryable,
  { workspaceId, name, at }: { workspaceId: string; name: string; at: string },
): Promise<boolean> {
  const made = await db.query(
    `insert into workspaces (workspace_id, name, created_at) values ($1, $2, $3)
     on conflict (name) do nothing returning workspace_id`,
    [workspaceId, name, at],
  )
  return made.length === 1
}

/** Ascending by name; of one id or name where one is given. Keys count as valid as of the instant. */
export async function listWorkspaces(
  db: Queryable,
  { named, at }: { named?: string; at: string },
): Promise<WorkspaceRow[]> {
  return await db.query<WorkspaceRow>(
    `select workspace_id, name, created_at,
            (select count(*)::int from api_keys k where k.workspace_id = w.workspace_id and k.revoked_at is null
                and (k.expires_at is null or k.expires_at > $2)) as valid_keys
       from workspaces w where $1::text is null or $1 in (workspace_id, name) order by name`,
    [named ?? null, at],
  )
}

// Keys ----------------------------------------------------------------------------------------------------------------

/** What recognises a key; the key itself is in no row. */
export type KeyMark = Readonly<{ keyId: string; keySha: Buffer; displayPrefix: string }>

export type NewKey = KeyMark &
  Readonly<{ name: string | null; at: string }> &
  ({ kind: 'pub'; email: string } | { kind: 'org'; workspaceId: string })

/** Throws when there is no such workspace. */
export async function insertKey(db: Queryable, key: NewKey): Promise<void> {
  await db.query(
    `insert into api_keys (key_id, kind, key_sha, display_prefix, workspace_id, email, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      key.keyId,
      key.kind,
      key.keySha,
      key.displayPrefix,
      key.kind === 'org' ? key.workspaceId : null,
      key.kind === 'pub' ? key.email : null,
      key.name,
      key.at,
    ],
  )
}

export type FoundKey = Readonly<
  { key_id: string; expires_at: string | null; revoked_at: string | null } & (
    | { kind: 'pub'; workspace_id: null }
    | { kind: 'org'; workspace_id: string }
  )
>

/** The key with this SHA-256, valid or not; undefined when there never was one. */
export async function findKey(db: Queryable, keySha: Buffer): Promise<FoundKey | undefined> {
  const [row] = await db.query<FoundKey>(
    `select key_id, kind, workspace_id, expires_at, revoked_at from api_keys where key_sha = $1`,
    [keySha],
  )
  return row
}

/** A key's last use is written when it is so much later than the one that stands there, whichever process saw it. */
const LAST_USED_STEP = '1 minute'

export async function noteUse(db: Queryable, { keyId, at }: { keyId: string; at: string }): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = $2
      where key_id = $1 and (last_used_at is null or last_used_at <= $2::timestamptz - interval '${LAST_USED_STEP}')`,
    [keyId, at],
  )
}

/** For ever. Answers false when there is no such key, or it was revoked before. */
export async function revokeKey(db: Queryable, { keyId, at }: { keyId: string; at: string }): Promise<boolean> {
  const revoked = await db.query(
    `update api_keys set revoked_at = $2 where key_id = $1 and revoked_at is null returning key_id`,
    [keyId, at],
  )
  return revoked.length === 1
}

/**
 * A new key in the place of an organization key, which stays valid until `until`. Answers false, and changes nothing, when
 * there is no such key, or it is revoked or rotated already.
 */
export async function rotateKey(
  db: Queryable,
  { keyId, until, successor, at }: { keyId: string; until: string; successor: KeyMark; at: string },
): Promise<boolean> {
  const made = await db.query(
    `with rotated as (
       update api_keys set expires_at = $2
        where key_id = $1 and kind = 'org' and revoked_at is null and expires_at is null
        returning workspace_id, name
     )
     insert into api_keys (key_id, kind, key_sha, display_prefix, workspace_id, name, created_at)
     select $3, 'org', $4, $5, workspace_id, name, $6 from rotated returning key_id`,
    [keyId, until, successor.keyId, successor.keySha, successor.displayPrefix, at],
  )
  return made.length === 1
}

export type KeyRow = Readonly<{
  key_id: string
  kind: 'pub' | 'org'
  display_prefix: string
  workspace_id: string | null
  email: string | null
  name: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}>

/** The newest keys first; only those of an id, a workspace or an e-mail (in any case of letters) where one is given. */
export async function listKeys(
  db: Queryable,
  { keyId, workspaceId, email, limit }: { keyId?: string; workspaceId?: string; email?: string; limit: number },
): Promise<KeyRow[]> {
  return await db.query<KeyRow>(
    `select key_id, kind, display_prefix, workspace_id, email, name, created_at, expires_at, revoked_at, last_used_at
       from api_keys
      where ($1::text is null or key_id = $1) and ($2::text is null or workspace_id = $2)
        and ($3::text is null or lower(email) = lower($3))
      order by created_at desc, key_id limit $4`,
    [keyId ?? null, workspaceId ?? null, email ?? null, limit],
  )
}

// Windows of limits ---------------------------------------------------------------------------------------------------

export type WindowId = Readonly<{ bucket: string; startsAt: string }>
export type LeaseRequest = WindowId & Readonly<{ want: number; limit: number; keepUntil: string }>
/** `granted` is what was got, at most what was wanted; `used` is everybody's, this lease included. */
export type Lease = Readonly<{ granted: number; used: number }>

/**
 * Takes up to `want` out of each window, never more in all than its limit. The leases come in the order of the requests,
 * whose windows must all be different. One statement, so processes that ask at once each get their own.
 */
export async function leaseWindows(db: Queryable, requests: readonly LeaseRequest[]): Promise<Lease[]> {
  const rows = await db.query<{ place: number; granted: number | null; used: number }>(
    // Every process locks rows in this order, here and below, so none waits for one that waits for it.
    `with asked as (
       select * from jsonb_to_recordset($1::jsonb)
         as a (place int, bucket text, starts_at timestamptz, want int, cap int, keep_until timestamptz)
     ), leased as (
       insert into limit_windows as w (bucket, starts_at, used, granted, cap, keep_until)
       select bucket, starts_at, least(want, cap), least(want, cap), cap, keep_until
         from asked order by bucket collate "C", starts_at
       on conflict (bucket, starts_at) do update
         set used = w.used + least(excluded.granted, excluded.cap - w.used),
             granted = least(excluded.granted, excluded.cap - w.used),
             cap = excluded.cap
         where w.used < excluded.cap
       returning bucket, starts_at, granted, used
     )
     -- A window without a row in leased is full.
     select a.place, l.granted, coalesce(l.used, a.cap) as used
       from asked a left join leased l using (bucket, starts_at) order by a.place`,
    [
      rowsParameter(
        requests.map(({ bucket, startsAt, want, limit, keepUntil }, place) => ({
          place,
          bucket,
          starts_at: startsAt,
          want,
          cap: limit,
          keep_until: keepUntil,
        })),
      ),
    ],
  )
  return rows.map(({ granted, used }) => ({ granted: granted ?? 0, used }))
}

/** Gives back what was leased and not used; the windows must all be different. */
export async function giveBackWindows(
  db: Queryable,
  leases: readonly (WindowId & Readonly<{ unused: number }>)[],
): Promise<void> {
  await db.query(
    `with given as (
       select w.bucket, w.starts_at, g.unused
         from jsonb_to_recordset($1::jsonb) as g (bucket text, starts_at timestamptz, unused int)
         join limit_windows w using (bucket, starts_at)
        order by w.bucket, w.starts_at for update of w
     )
     update limit_windows w set used = greatest(0, w.used - given.unused)
       from given where w.bucket = given.bucket and w.starts_at = given.starts_at`,
    [rowsParameter(leases.map(({ bucket, startsAt, unused }) => ({ bucket, starts_at: startsAt, unused })))],
  )
}

/** What is used of the window by everybody, with what processes hold. */
export async function readWindow(db: Queryable, { bucket, startsAt }: WindowId): Promise<number> {
  const [row] = await db.query<{ used: number }>(
    `select used from limit_windows where bucket = $1 and starts_at = $2`,
    [bucket, startsAt],
  )
  return row?.used ?? 0
}

/** Deletes windows that nobody will ask for, at most `max`; answers how many. */
export async function purgeWindows(db: Queryable, { at, max }: { at: string; max: number }): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(
    `with old as (
       select bucket, starts_at from limit_windows where keep_until < $1
        order by keep_until limit $2 for update skip locked
     ), deleted as (
       delete from limit_windows w using old where w.bucket = old.bucket and w.starts_at = old.starts_at returning 1
     )
     select count(*)::int as deleted from deleted`,
    [at, max],
  )
  return row?.deleted ?? 0
}

/** The secret with which addresses and e-mails are hashed, hex; drawn by the first that asks. */
export async function readAddressSecret(db: Queryable): Promise<string> {
  return await claimMeta(db, 'address_secret', randomBytes(32).toString('hex'))
}
