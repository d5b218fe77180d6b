import { DAY_MS } from '@catalog/core/time.ts'
import { affectsRow, type Queryable } from '@catalog/store/db.ts'
import { DEVICE_MAX_MS, LOCKOUT_KEPT_MS } from './devices.ts'
import type { Role } from './members.ts'

/**
 * People, their browser sessions, and the links mailed to them. Instants are arguments, ISO 8601 with Z: the caller
 * owns the clock. E-mails compare case-insensitively.
 */

// People --------------------------------------------------------------------------------------------------------------

export type UserRow = Readonly<{
  user_id: string
  email: string
  password_hash: string
  /** Null: the e-mail is not verified. */
  verified_at: string | null
  created_at: string
}>

/** Returns false, and writes nothing, when the e-mail exists. */
export async function insertUser(
  db: Queryable,
  { userId, email, passwordHash, at }: { userId: string; email: string; passwordHash: string; at: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `insert into users (user_id, email, password_hash, created_at) values ($1, $2, $3, $4)
     on conflict (lower(email)) do nothing returning user_id`,
    [userId, email, passwordHash, at],
  )
}

export async function findUser(
  db: Queryable,
  who: Readonly<{ email: string } | { userId: string }>,
): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>(
    `select user_id, email, password_hash, verified_at, created_at from users
      where ${'email' in who ? 'lower(email) = lower($1)' : 'user_id = $1'}`,
    ['email' in who ? who.email : who.userId],
  )
  return row
}

/**
 * Verifies the e-mail, so that the person may sign in by that password. Returns false, and changes nothing, when the
 * password has changed since. The reader of the mail may then not be the one who chose it.
 */
export async function verifyUser(
  db: Queryable,
  { userId, passwordHash, at }: { userId: string; passwordHash: string; at: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `update users set verified_at = coalesce(verified_at, $3) where user_id = $1 and password_hash = $2 returning user_id`,
    [userId, passwordHash, at],
  )
}

/** Returns false, and changes nothing, when the password is no longer `former`. */
export async function changePassword(
  db: Queryable,
  { userId, former, passwordHash }: { userId: string; former: string; passwordHash: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `update users set password_hash = $3 where user_id = $1 and password_hash = $2 returning user_id`,
    [userId, former, passwordHash],
  )
}

/** For a person who proved to read the mail: also verifies the e-mail. */
export async function setPassword(
  db: Queryable,
  { userId, passwordHash, at }: { userId: string; passwordHash: string; at: string },
): Promise<void> {
  await db.query(`update users set password_hash = $2, verified_at = coalesce(verified_at, $3) where user_id = $1`, [
    userId,
    passwordHash,
    at,
  ])
}

/** For a repeated sign-up before the e-mail is verified; changes nothing afterwards. */
export async function setPendingPassword(
  db: Queryable,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await db.query(`update users set password_hash = $2 where user_id = $1 and verified_at is null`, [
    userId,
    passwordHash,
  ])
}

// Sessions ------------------------------------------------------------------------------------------------------------

/** Maximum age of a session. */
export const SESSION_MAX_MS = 30 * DAY_MS
/** Maximum idle time of a session. */
const SESSION_IDLE_MS = 7 * DAY_MS

export async function insertSession(
  db: Queryable,
  { sessionSha, userId, browser, at }: { sessionSha: Buffer; userId: string; browser: string; at: string },
): Promise<void> {
  await db.query(
    `insert into sessions (session_sha, user_id, browser, created_at, seen_at, expires_at)
     values ($1, $2, $3, $4, $4, $4::timestamptz + $5 * interval '1 ms')`,
    [sessionSha, userId, browser, at, SESSION_MAX_MS],
  )
}

const LASTS = `expires_at > $2 and seen_at > $2::timestamptz - ${SESSION_IDLE_MS} * interval '1 ms'`

/** Undefined when it has expired or does not exist. */
export async function findSession(
  db: Queryable,
  { sessionSha, at }: { sessionSha: Buffer; at: string },
): Promise<Readonly<{ user_id: string; email: string; seen_at: string }> | undefined> {
  const [row] = await db.query<{ user_id: string; email: string; seen_at: string }>(
    `select user_id, email, seen_at from sessions join users using (user_id) where session_sha = $1 and ${LASTS}`,
    [sessionSha, at],
  )
  return row
}

export async function touchSession(
  db: Queryable,
  { sessionSha, at }: { sessionSha: Buffer; at: string },
): Promise<void> {
  await db.query(`update sessions set seen_at = greatest(seen_at, $2) where session_sha = $1`, [sessionSha, at])
}

export async function endSession(db: Queryable, sessionSha: Buffer): Promise<void> {
  await db.query(`delete from sessions where session_sha = $1`, [sessionSha])
}

/** Ends all sessions of a person, or all but one. */
export async function endSessions(db: Queryable, userId: string, { except }: { except?: Buffer } = {}): Promise<void> {
  await db.query(`delete from sessions where user_id = $1 and ($2::bytea is null or session_sha <> $2)`, [
    userId,
    except ?? null,
  ])
}

export type SessionRow = Readonly<{ session_sha: Buffer; browser: string; created_at: string; seen_at: string }>

/** Live sessions, the last used first. */
export async function listSessions(
  db: Queryable,
  { userId, at, limit }: { userId: string; at: string; limit: number },
): Promise<SessionRow[]> {
  return await db.query<SessionRow>(
    `select session_sha, browser, created_at, seen_at from sessions
      where user_id = $1 and ${LASTS} order by seen_at desc, session_sha limit $3`,
    [userId, at, limit],
  )
}

// Links ---------------------------------------------------------------------------------------------------------------

export type NewLink = Readonly<{ linkSha: Buffer; email: string; at: string; expiresAt: string }> &
  ({ purpose: 'verify' | 'reset'; userId: string } | { purpose: 'invite'; workspaceId: string; role: Role })

export async function insertLink(db: Queryable, link: NewLink): Promise<void> {
  const isInvite = link.purpose === 'invite'
  await db.query(
    `insert into mailed_links (link_sha, purpose, email, user_id, workspace_id, role, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      link.linkSha,
      link.purpose,
      link.email,
      ...(isInvite ? [null, link.workspaceId, link.role] : [link.userId, null, null]),
      link.at,
      link.expiresAt,
    ],
  )
}

export type LinkRow = Readonly<
  { email: string; created_at: string; expires_at: string } & (
    | { purpose: 'verify' | 'reset'; user_id: string; workspace_id: null; role: null }
    | { purpose: 'invite'; user_id: null; workspace_id: string; role: Role }
  )
>
const LINK_COLUMNS = `purpose, email, user_id, workspace_id, role, created_at, expires_at`

/** Undefined when it was used, has expired or does not exist. */
export async function findLink(
  db: Queryable,
  { linkSha, at }: { linkSha: Buffer; at: string },
): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `select ${LINK_COLUMNS} from mailed_links where link_sha = $1 and used_at is null and expires_at > $2`,
    [linkSha, at],
  )
  return row
}

/** Like {@link findLink}, and marks the link as used: of concurrent callers one gets it. */
export async function redeemLink(
  db: Queryable,
  { linkSha, at }: { linkSha: Buffer; at: string },
): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `update mailed_links set used_at = $2 where link_sha = $1 and used_at is null and expires_at > $2
     returning ${LINK_COLUMNS}`,
    [linkSha, at],
  )
  return row
}

/** Invalidates all links mailed to a person, because the password has changed. Invitations stay. */
export async function endLinks(db: Queryable, { userId, at }: { userId: string; at: string }): Promise<void> {
  await db.query(`update mailed_links set used_at = $2 where user_id = $1 and used_at is null`, [userId, at])
}

export type InvitationRow = Readonly<{
  link_sha: Buffer
  email: string
  role: Role
  created_at: string
  expires_at: string
}>

/** Invitations that are neither accepted nor expired, newest first. */
export async function openInvitations(
  db: Queryable,
  { workspaceId, at }: { workspaceId: string; at: string },
): Promise<InvitationRow[]> {
  return await db.query<InvitationRow>(
    `select link_sha, email, role, created_at, expires_at from mailed_links
      where workspace_id = $1 and used_at is null and expires_at > $2 order by created_at desc, link_sha`,
    [workspaceId, at],
  )
}

/** Returns the invited e-mail; undefined, with nothing changed, when the invitation is not open. */
export async function withdrawInvitation(
  db: Queryable,
  { workspaceId, linkSha, at }: { workspaceId: string; linkSha: Buffer; at: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(
    `update mailed_links set used_at = $3
      where workspace_id = $1 and link_sha = $2 and used_at is null and expires_at > $3 returning email`,
    [workspaceId, linkSha, at],
  )
  return row?.email
}

/** Withdraws the open invitations that a person sent; returns the invited e-mails. */
export async function withdrawInvitationsOf(
  db: Queryable,
  { workspaceId, sender, at }: { workspaceId: string; sender: string; at: string },
): Promise<readonly string[]> {
  // The audit has an invitation's sender, at the very instant of its link.
  const rows = await db.query<{ email: string }>(
    `update mailed_links l set used_at = $3 from audit_log a
      where l.workspace_id = $1 and l.purpose = 'invite' and l.used_at is null and l.expires_at > $3
        and a.workspace_id = l.workspace_id and a.action = 'member.invited' and a.target = l.email
        and a.at = l.created_at and a.actor = $2 returning l.email`,
    [workspaceId, sender, at],
  )
  return rows.map(({ email }) => email)
}

// What has ended ------------------------------------------------------------------------------------------------------

/** An unverified sign-up expires after this time; the person can sign up again. */
const UNVERIFIED_KEPT_MS = 7 * DAY_MS

/**
 * Deletes expired sessions, links, devices, waits and unfinished sign-ins, and people who never verified their e-mail and have no link left to do so. At
 * most `max` of each; returns the total.
 */
export async function purgePeople(db: Queryable, { at, max }: { at: string; max: number }): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(
    `with old_sessions as (
       select session_sha from sessions
        where expires_at <= $1 or seen_at <= $1::timestamptz - $3 * interval '1 ms'
        order by expires_at limit $2 for update skip locked
     ), ended as (
       delete from sessions s using old_sessions o where s.session_sha = o.session_sha returning 1
     ), old_links as (
       select link_sha from mailed_links where expires_at <= $1 order by expires_at limit $2 for update skip locked
     ), over as (
       delete from mailed_links l using old_links o where l.link_sha = o.link_sha returning 1
     ), old_devices as (
       select device_sha from known_devices where seen_at <= $1::timestamptz - $5 * interval '1 ms'
        order by seen_at limit $2 for update skip locked
     ), unknown as (
       delete from known_devices d using old_devices o where d.device_sha = o.device_sha returning 1
     ), old_waits as (
       select bucket from sign_in_waits where next_at <= $1::timestamptz - $6 * interval '1 ms'
        order by next_at limit $2 for update skip locked
     ), waited as (
       delete from sign_in_waits w using old_waits o where w.bucket = o.bucket returning 1
     ), old_pending as (
       select token_sha from pending_sign_ins where expires_at <= $1
        order by expires_at limit $2 for update skip locked
     ), unfinished as (
       delete from pending_sign_ins p using old_pending o where p.token_sha = o.token_sha returning 1
     ), strangers as (
       select user_id from users u
        where verified_at is null and created_at <= $1::timestamptz - $4 * interval '1 ms'
          and not exists (select from mailed_links l where l.user_id = u.user_id)
        order by created_at limit $2 for update skip locked
     ), forgotten as (
       delete from users u using strangers s where u.user_id = s.user_id returning 1
     )
     select (select count(*) from ended) + (select count(*) from over) + (select count(*) from unknown)
              + (select count(*) from waited) + (select count(*) from unfinished)
              + (select count(*) from forgotten) as deleted`,
    [at, max, SESSION_IDLE_MS, UNVERIFIED_KEPT_MS, DEVICE_MAX_MS, LOCKOUT_KEPT_MS],
  )
  return Number(row?.deleted ?? 0)
}
