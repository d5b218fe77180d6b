import { SCOPES, type Scope } from '@catalog/api/agents/mcp-tools.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { queryText } from '@catalog/console/pages/form.ts'
import { sendPage } from '@catalog/console/pages/html.ts'
import { notFound } from '@catalog/console/pages/page-error.ts'
import {
  confirmation,
  formatCount,
  isAtLeast,
  type Membership,
  monthsUntil,
  pathId,
  requireMember,
  workspaceNav,
  workspacePath,
} from '@catalog/console/sessions/membership.ts'
import { instant } from '@catalog/core/time.ts'
import { html } from '@catalog/pages/markup.ts'
import { form, notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { readUsage } from '@catalog/store/accounts/accounts.ts'
import { type AgentRow, listAgents, revokeAgent } from '@catalog/store/accounts/agents.ts'
import { appendAudit } from '@catalog/store/accounts/members.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyInstance } from 'fastify'

/** More than people read; connected agents come first. */
const AGENTS_SHOWN_MAX = 200

/** Lists and disconnects connected agents. Members manage their own, admins all. */
export function agentRoutes(app: FastifyInstance, { store, now }: ConsoleContext): void {
  app.get('/workspaces/:id/agents', async (request, reply) => {
    const membership = await requireMember(store, request)
    const { workspace } = membership
    const agents = await connectedAgents(store, membership)
    const [month] = monthsUntil(now(), 1) as [string]
    const ids = agents.map(({ agent_id }) => agent_id)
    const uses = new Map((await readUsage(store, ids, month)).map(({ subject, requests }) => [subject, requests]))
    return sendPage(reply, {
      title: 'Agents',
      nav: workspaceNav(workspace, 'Agents'),
      body: html`
<p>Agents in the workspace ${workspace.name}${isAtLeast(workspace.role, 'admin') ? '' : ' that you connected'}.
The <a href="${workspacePath(workspace)}">overview</a> explains how to connect another one.</p>
!${queryText(request, 'done') === 'revoked' ? notice('done', 'The agent is disconnected. It is refused within 30 seconds.') : ''}
!${agents.length === 0 ? html`<p>No agent is connected.</p>` : agentTable(agents, uses, workspacePath(workspace))}`,
    })
  })

  app.post('/workspaces/:id/agents/:agentId/revoke', async (request, reply) => {
    const membership = await requireMember(store, request)
    const agentId = pathId(request, 'agentId')
    const agent = (await connectedAgents(store, membership)).find(({ agent_id }) => agent_id === agentId)
    if (agent === undefined) throw notFound('No such agent is connected, or it is not yours.')
    const at = instant(now())
    await store.transaction(async (tx) => {
      await disconnect(tx, agent, { actor: membership.session.email, at })
    })
    return reply.redirect(`${workspacePath(membership.workspace)}/agents?done=revoked`, 303)
  })
}

/** Agents that this member may disconnect: all of the workspace for admins and owners, otherwise their own. */
export async function connectedAgents(db: Queryable, { workspace, session }: Membership): Promise<AgentRow[]> {
  const { workspace_id: workspaceId, role } = workspace
  const agents = await listAgents(db, {
    workspaceId,
    limit: AGENTS_SHOWN_MAX,
    ...(isAtLeast(role, 'admin') ? {} : { userId: session.userId }),
  })
  return agents.filter(({ revoked_at }) => revoked_at === null)
}

/** Disconnects permanently; does nothing for an agent that is disconnected already. */
async function disconnect(
  tx: Queryable,
  { agent_id: agentId, workspace_id: workspaceId, client_name: target, email }: AgentRow,
  { actor, at }: { actor: string; at: string },
): Promise<void> {
  if (!(await revokeAgent(tx, { agentId, at }))) return
  await appendAudit(tx, { workspaceId, at, actor, action: 'agent.revoked', target, details: { of: email } })
}

/** Disconnects all agents of a person in a workspace: of one who leaves it, or whose password was reset. */
export async function disconnectAll(
  tx: Queryable,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  by: { actor: string; at: string },
): Promise<void> {
  for (;;) {
    const agents = await listAgents(tx, { workspaceId, userId, limit: AGENTS_SHOWN_MAX })
    const connected = agents.filter(({ revoked_at }) => revoked_at === null)
    if (connected.length === 0) return
    for (const agent of connected) await disconnect(tx, agent, by)
  }
}

function agentTable(agents: readonly AgentRow[], uses: ReadonlyMap<string, number>, path: string) {
  return table({
    caption: 'Connected agents',
    columns: ['Agent', 'Connected by', 'May', 'Since', 'Last used', 'Requests this month', 'Action'],
    rows: agents.map(({ agent_id, client_name, redirect_host, email, scope, created_at, last_used_at }) => [
      html`${client_name}<br><small>at ${redirect_host}</small>`,
      html`${email}`,
      html`${scopeText(scope)}`,
      timeElement(created_at),
      timeElement(last_used_at),
      html`${formatCount(uses.get(agent_id) ?? 0)}`,
      confirmation(
        'Disconnect',
        client_name,
        html`<p>The agent is refused from then on and must ask again to reconnect.</p>
          !${form({ action: `${path}/agents/${agent_id}/revoke`, submit: 'Disconnect it', about: client_name, isDangerous: true })}`,
      ),
    ]),
  })
}

/** Describes the permissions of the scopes; unknown scopes appear by name. */
function scopeText(scope: string): string {
  const names = scope.split(' ').filter((name) => name !== '')
  const isKnown = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name)
  return names.map((name) => (isKnown(name) ? SCOPE_TEXT[name] : name)).join(', ')
}
const SCOPE_TEXT: Readonly<Record<Scope, string>> = {
  'catalog:read': 'read items, categories and recipes',
  'catalog:search': 'search',
}
