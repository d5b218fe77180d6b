import { affectsRow, type Queryable, type Transaction } from '@catalog/store/db.ts'
import type { Plan } from './accounts.ts'

/**
 * Members of a workspace, their roles, and the audit log. Instants are arguments, ISO 8601 with Z: the caller owns the
 * clock.
 */

// Memberships ---------------------------------------------------------------------------------------------------------

/** Descending: each role includes the rights of those after it. */
export const ROLES = ['owner', 'admin', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Returns false, and keeps the role, when the person is already a member. */
export async function addMember(
  db: Queryable,
  { workspaceId, userId, role, at }: { workspaceId: string; userId: string; role: Role; at: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (workspace_id, user_id) do nothing returning user_id`,
    [workspaceId, userId, role, at],
  )
}

export type MemberRow = Readonly<{ user_id: string; email: string; role: Role; created_at: string }>

/** Owners first, then admins, then members; each ascending by e-mail. */
export async function membersOf(db: Queryable, workspaceId: string): Promise<MemberRow[]> {
  return await db.query<MemberRow>(
    `select user_id, email, role, m.created_at from workspace_members m join users using (user_id)
      where workspace_id = $1
      order by case role when 'owner' then 1 when 'admin' then 2 else 3 end, lower(email)`,
    [workspaceId],
  )
}

/** A workspace as one of its members sees it. */
export type MembershipRow = Readonly<{ workspace_id: string; name: string; plan: Plan; role: Role }>

/** Ascending by name. */
export async function workspacesOf(db: Queryable, userId: string): Promise<MembershipRow[]> {
  return await db.query<MembershipRow>(
    `select workspace_id, name, plan, role from workspace_members join workspaces using (workspace_id)
      where user_id = $1 order by name`,
    [userId],
  )
}

type Membership = Readonly<{ workspaceId: string; userId: string }>

/** Undefined when the person is not a member, or the workspace does not exist. */
export async function findMembership(
  db: Queryable,
  { workspaceId, userId }: Membership,
): Promise<MembershipRow | undefined> {
  const [row] = await db.query<MembershipRow>(
    `select workspace_id, name, plan, role from workspace_members join workspaces using (workspace_id)
      where workspace_id = $1 and user_id = $2`,
    [workspaceId, userId],
  )
  return row
}

export async function roleIn(db: Queryable, { workspaceId, userId }: Membership): Promise<Role | undefined> {
  const [row] = await db.query<{ role: Role }>(
    `select role from workspace_members where workspace_id = $1 and user_id = $2`,
    [workspaceId, userId],
  )
  return row?.role
}

/**
 * Blocks other holders of this lock until the transaction ends: roles read now still hold at the commit. Readers and
 * the issuing of keys do not wait.
 */
export async function lockWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(`select 1 from workspaces where workspace_id = $1 for no key update`, [workspaceId])
}

/**
 * Returns false, and changes nothing, when the workspace would lose its last owner, or the member does not exist.
 *
 * Law: a workspace that has an owner always keeps one, whatever runs at the same time.
 */
export async function setMemberRole(
  tx: Transaction,
  { workspaceId, userId, role }: Membership & Readonly<{ role: Role }>,
): Promise<boolean> {
  // Lock first: the next statement then sees all changes of owners committed before.
  await lockWorkspace(tx, workspaceId)
  return affectsRow(
    tx,
    `update workspace_members m set role = $3 where workspace_id = $1 and user_id = $2 and ($3 = 'owner' or ${ANOTHER_OWNS})
     returning user_id`,
    [workspaceId, userId, role],
  )
}

/** Returns and guarantees the same as {@link setMemberRole}. */
export async function removeMember(tx: Transaction, { workspaceId, userId }: Membership): Promise<boolean> {
  await lockWorkspace(tx, workspaceId)
  return affectsRow(
    tx,
    `delete from workspace_members m where workspace_id = $1 and user_id = $2 and ${ANOTHER_OWNS} returning user_id`,
    [workspaceId, userId],
  )
}

const ANOTHER_OWNS = `(m.role <> 'owner' or exists (
  select from workspace_members o where o.workspace_id = m.workspace_id and o.user_id <> m.user_id and o.role = 'owner'))`

// What was done -------------------------------------------------------------------------------------------------------

export type AuditAction =
  | 'workspace.created'
  | 'member.invited'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'member.second_factor_off'
  | 'invitation.withdrawn'
  | 'key.issued'
  | 'key.rotated'
  | 'key.revoked'
  | 'agent.connected'
  | 'agent.revoked'
  | 'plan.set'

/** Details such as 'role' or 'name'; never a secret. */
type Details = Readonly<Record<string, string>>

type Audited = Readonly<{
  /** An e-mail, the name of an agent, or 'operator'. */
  actor: string
  action: AuditAction
  /** As people know it: the first characters of a key, an e-mail, the name of an agent. */
  target: string
}>

/** Writes in the caller's transaction: the entry exists exactly if the change does. */
export async function appendAudit(
  db: Queryable,
  {
    workspaceId,
    at,
    actor,
    action,
    target,
    details = {},
  }: Audited & Readonly<{ workspaceId: string; at: string; details?: Details }>,
): Promise<void> {
  await db.query(
    `insert into audit_log (workspace_id, at, actor, action, target, details) values ($1, $2, $3, $4, $5, $6)`,
    [workspaceId, at, actor, action, target, JSON.stringify(details)],
  )
}

export type AuditRow = Audited & Readonly<{ audit_id: bigint; at: string; details: Details }>

/** Newest first; with `before`, only entries older than that audit_id. */
export async function readAudit(
  db: Queryable,
  { workspaceId, before, limit }: { workspaceId: string; before?: bigint | undefined; limit: number },
): Promise<AuditRow[]> {
  return await db.query<AuditRow>(
    `select audit_id, at, actor, action, target, details from audit_log
      where workspace_id = $1 and ($2::bigint is null or audit_id < $2) order by audit_id desc limit $3`,
    [workspaceId, before ?? null, limit],
  )
}
