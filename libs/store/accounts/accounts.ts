import { affectsRow, type Queryable, queryRows, rowsParameter } from '@catalog/store/db.ts'
import { claimSecret } from './secrets.ts'

/**
 * Callers of the API and their usage: workspaces, keys and rate limit windows. The API and operators' commands write
 * them, never the projector. Instants are arguments, ISO 8601 with Z: the caller owns the clock.
 */

// Workspaces ----------------------------------------------------------------------------------------------------------

/** 'free': no organization keys; agents get the limits of a free developer key. Operators set the plan. */
export type Plan = 'free' | 'paid'

export type WorkspaceRow = Readonly<{
  workspace_id: string
  name: string
  plan: Plan
  created_at: string
  valid_keys: number
}>

/** Returns false, and writes nothing, when a workspace already has that name. */
export async function createWorkspace(
  db: Queryable,
  { workspaceId, name, plan, at }: { workspaceId: string; name: string; plan: Plan; at: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `insert into workspaces (workspace_id, name, plan, created_at) values ($1, $2, $3, $4)
     on conflict (name) do nothing returning workspace_id`,
    [workspaceId, name, plan, at],
  )
}

export async function findWorkspace(
  db: Queryable,
  workspaceId: string,
): Promise<Pick<WorkspaceRow, 'workspace_id' | 'name' | 'plan'> | undefined> {
  const [row] = await db.query<Pick<WorkspaceRow, 'workspace_id' | 'name' | 'plan'>>(
    `select workspace_id, name, plan from workspaces where workspace_id = $1`,
    [workspaceId],
  )
  return row
}

/**
 * Running servers notice within 30 seconds. Returns false when the workspace already has that plan or does not exist.
 */
export async function setPlan(
  db: Queryable,
  { workspaceId, plan }: { workspaceId: string; plan: Plan },
): Promise<boolean> {
  return affectsRow(
    db,
    `update workspaces set plan = $2 where workspace_id = $1 and plan <> $2 returning workspace_id`,
    [workspaceId, plan],
  )
}

/** Ascending by name; limited to one id or name if given. Counts keys that are valid at the instant. */
export async function listWorkspaces(
  db: Queryable,
  { named, at }: { named?: string; at: string },
): Promise<WorkspaceRow[]> {
  return await db.query<WorkspaceRow>(
    `select workspace_id, name, plan, created_at,
            (select count(*)::int from api_keys k where k.workspace_id = w.workspace_id and k.revoked_at is null
                and (k.expires_at is null or k.expires_at > $2)) as valid_keys
       from workspaces w where $1::text is null or $1 in (workspace_id, name) order by name`,
    [named ?? null, at],
  )
}

// Keys ----------------------------------------------------------------------------------------------------------------

/** The stored identification of a key; no row holds the key itself. */
export type KeyRecord = Readonly<{ keyId: string; keySha: Buffer; displayPrefix: string }>

export type NewKey = KeyRecord &
  Readonly<{ name: string | null; at: string }> &
  ({ kind: 'pub'; email: string } | { kind: 'org'; workspaceId: string })

/** Throws when the workspace does not exist. */
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
    | { kind: 'pub'; workspace_id: null; plan: null }
    | { kind: 'org'; workspace_id: string; plan: Plan }
  )
>

/** The key with this SHA-256, valid or not; undefined when none exists. */
export async function findKey(db: Queryable, keySha: Buffer): Promise<FoundKey | undefined> {
  const [row] = await db.query<FoundKey>(
    `select key_id, kind, workspace_id, plan, expires_at, revoked_at
       from api_keys left join workspaces using (workspace_id) where key_sha = $1`,
    [keySha],
  )
  return row
}

/** Usage of a key or an agent that a process has seen since its last write. */
export type UsageCount = Readonly<{
  /** Id of a key or of an agent. */
  subject: string
  lastUsedAt: string
  /** First day of the calendar month, UTC; `requests` counts that month. */
  month: string
  requests: number
}>

/** Adds requests to the stored counts; each subject and month at most once per call. */
export async function addUsage(db: Queryable, uses: readonly UsageCount[]): Promise<void> {
  // Every process locks rows in the same order: see leaseWindows.
  await queryRows(
    db,
    `with seen as (
       select * from jsonb_to_recordset($1::jsonb)
         as s (subject text, last_used_at timestamptz, month date, requests bigint)
     ), last as (
       select subject, max(last_used_at) as at from seen group by subject
     ), keys as (
       select key_id, at from api_keys join last on subject = key_id order by key_id for update of api_keys
     ), used_keys as (
       update api_keys k set last_used_at = greatest(last_used_at, at) from keys where k.key_id = keys.key_id
     ), those as (
       select agent_id, at from agents join last on subject = agent_id order by agent_id for update of agents
     ), used_agents as (
       update agents a set last_used_at = greatest(last_used_at, at) from those where a.agent_id = those.agent_id
     )
     insert into usage_counts as u (subject, month, requests)
     select subject, month, requests from seen where requests > 0 order by subject, month
     on conflict (subject, month) do update set requests = u.requests + excluded.requests`,
    uses.map(({ subject, lastUsedAt, month, requests }) => ({
      subject,
      month,
      requests,
      last_used_at: lastUsedAt,
    })),
  )
}

export type UsageRow = Readonly<{ subject: string; month: string; requests: number }>

/** Requests of keys and agents by calendar month, 'YYYY-MM', from a month on; leaves out months without any. */
export async function readUsage(db: Queryable, subjects: readonly string[], sinceMonth: string): Promise<UsageRow[]> {
  return await db.query<UsageRow>(
    `select subject, to_char(month, 'YYYY-MM') as month, requests::float8 as requests
       from usage_counts where subject = any($1::text[]) and month >= ($2 || '-01')::date order by subject, month`,
    [subjects, sinceMonth],
  )
}

/** Final. Returns false when the key does not exist or was revoked before. */
export async function revokeKey(db: Queryable, { keyId, at }: { keyId: string; at: string }): Promise<boolean> {
  return affectsRow(
    db,
    `update api_keys set revoked_at = $2 where key_id = $1 and revoked_at is null returning key_id`,
    [keyId, at],
  )
}

/**
 * Issues the successor of an organization key, which stays valid until `until`. Returns false, and changes nothing,
 * when the key does not exist, or is already revoked or rotated.
 */
export async function rotateKey(
  db: Queryable,
  { keyId, until, successor, at }: { keyId: string; until: string; successor: KeyRecord; at: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `with rotated as (
       update api_keys set expires_at = $2
        where key_id = $1 and kind = 'org' and revoked_at is null and expires_at is null
        returning workspace_id, name
     )
     insert into api_keys (key_id, kind, key_sha, display_prefix, workspace_id, name, created_at)
     select $3, 'org', $4, $5, workspace_id, name, $6 from rotated returning key_id`,
    [keyId, until, successor.keyId, successor.keySha, successor.displayPrefix, at],
  )
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

/**
 * Newest first; with an instant, the keys valid then come first. Filters by id, workspace or e-mail (case-insensitive)
 * where given.
 */
export async function listKeys(
  db: Queryable,
  filter: { keyId?: string; workspaceId?: string; email?: string; validAt?: string; limit: number },
): Promise<KeyRow[]> {
  const { keyId, workspaceId, email, validAt, limit } = filter
  return await db.query<KeyRow>(
    `select key_id, kind, display_prefix, workspace_id, email, name, created_at, expires_at, revoked_at, last_used_at
       from api_keys
      where ($1::text is null or key_id = $1) and ($2::text is null or workspace_id = $2)
        and ($3::text is null or lower(email) = lower($3))
      order by $5::timestamptz is not null and (revoked_at is not null or coalesce(expires_at <= $5, false)),
               created_at desc, key_id limit $4`,
    [keyId ?? null, workspaceId ?? null, email ?? null, limit, validAt ?? null],
  )
}

/** Keys of a workspace that are neither revoked nor rotated. */
export async function countActiveKeys(db: Queryable, workspaceId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from api_keys where workspace_id = $1 and revoked_at is null and expires_at is null`,
    [workspaceId],
  )
  return row?.count ?? 0
}

// Windows of limits ---------------------------------------------------------------------------------------------------

export type WindowId = Readonly<{ bucket: string; startsAt: string }>
export type LeaseRequest = WindowId & Readonly<{ want: number; limit: number; keepUntil: string }>
/** `granted` is at most the requested number; `used` is the total of all processes, this lease included. */
export type Lease = Readonly<{ granted: number; used: number }>

/**
 * Takes up to `want` from each window, never more in all than its limit. The leases come in the order of the requests,
 * whose windows must all differ. One statement, so concurrent processes each get their own part.
 */
export async function leaseWindows(db: Queryable, requests: readonly LeaseRequest[]): Promise<Lease[]> {
  const rows = await queryRows<{ place: number; granted: number | null; used: number }>(
    db,
    // Every process locks rows in this order, here and below, which rules out deadlocks.
    `with requested as (
       select * from jsonb_to_recordset($1::jsonb)
         as a (place int, bucket text, starts_at timestamptz, want int, cap int, keep_until timestamptz)
     ), leased as (
       insert into limit_windows as w (bucket, starts_at, used, granted, cap, keep_until)
       select bucket, starts_at, least(want, cap), least(want, cap), cap, keep_until
         from requested order by bucket collate "C", starts_at
       on conflict (bucket, starts_at) do update
         set used = w.used + least(excluded.granted, excluded.cap - w.used),
             granted = least(excluded.granted, excluded.cap - w.used),
             cap = excluded.cap
         where w.used < excluded.cap
       returning bucket, starts_at, granted, used
     )
     -- A window without a row in leased is full.
     select a.place, l.granted, coalesce(l.used, a.cap) as used
       from requested a left join leased l using (bucket, starts_at) order by a.place`,
    requests.map(({ bucket, startsAt, want, limit, keepUntil }, place) => ({
      place,
      bucket,
      starts_at: startsAt,
      want,
      cap: limit,
      keep_until: keepUntil,
    })),
  )
  return rows.map(({ granted, used }) => ({ granted: granted ?? 0, used }))
}

/** Returns the unused part of leases; the windows must all differ. */
export async function returnWindowLeases(
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

/** The used part of the window, including the leases that processes hold. */
export async function readWindow(db: Queryable, { bucket, startsAt }: WindowId): Promise<number> {
  const [row] = await db.query<{ used: number }>(
    `select used from limit_windows where bucket = $1 and starts_at = $2`,
    [bucket, startsAt],
  )
  return row?.used ?? 0
}

/** Deletes expired windows, at most `max`; returns how many. */
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

/** The secret for hashing addresses and e-mails, hex; the first caller creates it. */
export async function readAddressSecret(db: Queryable): Promise<string> {
  return await claimSecret(db, 'address_secret')
}
