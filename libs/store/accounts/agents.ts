import type { Queryable } from '@catalog/store/db.ts'
import type { Plan } from './accounts.ts'

/**
 * Agents that people connected: OAuth clients, each acting for one person in one workspace. Instants are arguments, ISO
 * 8601 with Z.
 */

export type AgentRow = Readonly<{
  agent_id: string
  workspace_id: string
  user_id: string
  /** The person's e-mail. */
  email: string
  client_id: string
  client_name: string
  redirect_host: string
  /** Space-separated. */
  scope: string
  grant_id: string
  created_at: string
  /** At most a minute behind. */
  last_used_at: string | null
  revoked_at: string | null
}>

const COLUMNS = `agent_id, a.workspace_id, a.user_id, email, client_id, client_name, redirect_host, scope, grant_id,
  a.created_at, last_used_at, revoked_at`

/** Connected agents first, then newest first; limited to one person if given. */
export async function listAgents(
  db: Queryable,
  { workspaceId, userId, limit }: { workspaceId: string; userId?: string; limit: number },
): Promise<AgentRow[]> {
  return await db.query<AgentRow>(
    `select ${COLUMNS} from agents a join users using (user_id)
      where a.workspace_id = $1 and ($2::text is null or a.user_id = $2)
      order by revoked_at is not null, a.created_at desc, agent_id limit $3`,
    [workspaceId, userId ?? null, limit],
  )
}

/** The connected agent of this client, person and workspace. */
export async function findConnected(
  db: Queryable,
  { userId, clientId, workspaceId }: { userId: string; clientId: string; workspaceId: string },
): Promise<AgentRow | undefined> {
  const [row] = await db.query<AgentRow>(
    `select ${COLUMNS} from agents a join users using (user_id)
      where a.user_id = $1 and client_id = $2 and a.workspace_id = $3 and revoked_at is null`,
    [userId, clientId, workspaceId],
  )
  return row
}

/** Connects an agent, or gives the connected one a new grant and more scopes; returns its id. */
export async function connectAgent(
  db: Queryable,
  agent: Readonly<{
    agentId: string
    workspaceId: string
    userId: string
    clientId: string
    clientName: string
    redirectHost: string
    scope: string
    grantId: string
    at: string
  }>,
): Promise<string> {
  const [row] = await db.query<{ agent_id: string }>(
    `insert into agents (agent_id, workspace_id, user_id, client_id, client_name, redirect_host, scope, grant_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (user_id, client_id, workspace_id) where revoked_at is null do update
       set client_name = excluded.client_name, redirect_host = excluded.redirect_host, scope = excluded.scope,
           grant_id = excluded.grant_id
     returning agent_id`,
    [
      agent.agentId,
      agent.workspaceId,
      agent.userId,
      agent.clientId,
      agent.clientName,
      agent.redirectHost,
      agent.scope,
      agent.grantId,
      agent.at,
    ],
  )
  return (row as { agent_id: string }).agent_id
}

/** The data that a request needs about its agent. */
export type FoundAgent = Readonly<{
  agent_id: string
  workspace_id: string
  plan: Plan
  revoked_at: string | null
}>

/** The agent with this id. It counts as revoked once its person has left the workspace. */
export async function findAgent(db: Queryable, agentId: string): Promise<FoundAgent | undefined> {
  const [row] = await db.query<FoundAgent>(
    `select agent_id, a.workspace_id, plan,
            case when m.user_id is null then coalesce(revoked_at, a.created_at) else revoked_at end as revoked_at
       from agents a join workspaces using (workspace_id)
       left join workspace_members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
      where agent_id = $1`,
    [agentId],
  )
  return row
}

/** The claims of a grant's tokens; undefined for a grant that is no longer connected. */
export async function agentOfGrant(
  db: Queryable,
  grantId: string,
): Promise<{ agent_id: string; workspace_id: string } | undefined> {
  const [row] = await db.query<{ agent_id: string; workspace_id: string }>(
    `select agent_id, workspace_id from agents where grant_id = $1 and revoked_at is null`,
    [grantId],
  )
  return row
}

/**
 * Final; also revokes everything that could renew its tokens. Returns false when it does not exist or was revoked
 * before.
 */
export async function revokeAgent(db: Queryable, { agentId, at }: { agentId: string; at: string }): Promise<boolean> {
  const [row] = await db.query<{ grant_id: string }>(
    `with revoked as (
       update agents set revoked_at = $2 where agent_id = $1 and revoked_at is null returning grant_id
     ), gone as (
       delete from oauth_payloads p using revoked r where p.grant_id = r.grant_id or (p.model = 'Grant' and p.id = r.grant_id)
     )
     select grant_id from revoked`,
    [agentId, at],
  )
  return row !== undefined
}
