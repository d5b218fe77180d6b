import { counterOf } from '@catalog/access/counter.ts'
import { newId } from '@catalog/access/keys.ts'
import { openLimiter } from '@catalog/access/rate-limiter.ts'
import type { Context, Stage } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
import { emailProblem } from '@catalog/console/pages/form.ts'
import { monthsUntil } from '@catalog/console/sessions/membership.ts'
import { auditText } from '@catalog/console/workspace/audit.ts'
import { createInvitation } from '@catalog/console/workspace/invitation.ts'
import { allowanceOf } from '@catalog/console/workspace/workspace.ts'
import { instant } from '@catalog/core/time.ts'
import {
  createWorkspace as addWorkspace,
  type KeyRow,
  listKeys,
  type Plan,
  readUsage,
  listWorkspaces as readWorkspaces,
  setPlan,
} from '@catalog/store/accounts/accounts.ts'
import { type AgentRow, listAgents } from '@catalog/store/accounts/agents.ts'
import { appendAudit, membersOf, type Role, readAudit } from '@catalog/store/accounts/members.ts'
import { openInvitations } from '@catalog/store/accounts/people.ts'
import type { Transaction } from '@catalog/store/db.ts'
import { consoleOriginOf } from './console-origin.ts'
import { keyJson, keyLine, OPERATOR, validName, workspaceNamed } from './keys.ts'
import { limitsOf } from './rate-limits.ts'

/** Operators' commands on workspaces. The audit log shows them to the members. */

const KEYS_SHOWN_MAX = 1_000
const AGENTS_SHOWN_MAX = 1_000
/** Months of usage to show, the present one included. */
const MONTHS_SHOWN = 3

/** Creates a workspace, and an invitation if it has an owner. */
export async function createWorkspace(
  { catalog, terminal, env }: Context,
  given: string,
  { plan, owner }: { plan: Plan; owner?: string },
): Promise<void> {
  const origin = consoleOriginOf(env, owner === undefined ? undefined : terminal)
  const name = validName(given, 'workspace')
  const email = owner === undefined ? undefined : validEmail(owner)
  const workspaceId = newId('ws_')
  const at = instant(catalog.now())
  const invitation = await catalog.store.transaction(async (tx) => {
    if (!(await addWorkspace(tx, { workspaceId, name, plan, at }))) {
      throw new Error(`workspace '${name}': expected a name that no other workspace has`)
    }
    const details = { plan }
    await appendAudit(tx, { workspaceId, at, actor: OPERATOR, action: 'workspace.created', target: name, details })
    return email === undefined ? undefined : await invite(tx, { workspaceId, email, role: 'owner', origin, at })
  })
  const value = { workspace_id: workspaceId, name, plan, created_at: at }
  terminal.answer({ ...value, ...(invitation && { invitation }) }, () =>
    [
      `${name} is ${workspaceId}, on the ${plan} plan`,
      ...(invitation ? ['', ...invitationLines(invitation)] : []),
    ].join('\n'),
  )
  terminal.next(
    plan === 'paid'
      ? `catalog keys issue --workspace ${workspaceId} --name "..."`
      : `catalog workspace plan ${workspaceId} paid`,
  )
}

export async function listWorkspaces({ catalog, terminal }: Stage): Promise<void> {
  const workspaces = await readWorkspaces(catalog.store, { at: instant(catalog.now()) })
  terminal.answer({ workspaces }, () => table(workspaces))
  terminal.next('catalog workspace show WORKSPACE')
}

/**
 * Shows limits, people, agents, keys and their usage. Requests that a running process has not yet saved count seconds
 * later.
 */
export async function showWorkspace({ catalog, terminal, env }: Context, named: string): Promise<void> {
  const { store } = catalog
  const now = catalog.now()
  const { workspace_id, name, plan, created_at } = await workspaceNamed(catalog, named)
  const keys = await listKeys(store, { workspaceId: workspace_id, validAt: instant(now), limit: KEYS_SHOWN_MAX })
  const agents = await listAgents(store, { workspaceId: workspace_id, limit: AGENTS_SHOWN_MAX })
  const members = await membersOf(store, workspace_id)
  const { perMinute, perMonth } = allowanceOf(plan, limitsOf(env))
  const month = counterOf({
    owner: { kind: 'workspace', id: workspace_id },
    counts: 'month',
    period: 'month',
    limit: perMonth,
  })
  const used = await openLimiter(catalog).used(month)
  const months = monthsUntil(now, MONTHS_SHOWN)
  const subjects = [...keys.map(({ key_id }) => key_id), ...agents.map(({ agent_id }) => agent_id)]
  const uses = await readUsage(store, subjects, months[0] as string)
  const requestsOf = (id: string) => uses.filter(({ subject }) => subject === id)
  const usage = (id: string) => requestsOf(id).map(({ month, requests }) => ({ month, requests }))
  const value = {
    workspace_id,
    name,
    plan,
    created_at,
    rate_limit_per_min: perMinute,
    monthly_cap: perMonth,
    monthly_used: used,
    monthly_remaining: Math.max(0, perMonth - used),
    reset_at: instant(new Date(month.endMs)),
    members,
    agents: agents.map((agent) => ({ ...agentJson(agent), usage: usage(agent.agent_id) })),
    keys: keys.map((key) => ({ ...keyJson(key), usage: usage(key.key_id) })),
  }
  const columns = (id: string) =>
    Object.fromEntries(months.map((month) => [month, requestsOf(id).find((use) => use.month === month)?.requests ?? 0]))
  const keyOf = (key: KeyRow) => ({ ...keyLine(key, now), ...columns(key.key_id) })
  const agentOf = (agent: AgentRow) => ({ ...agentLine(agent), ...columns(agent.agent_id) })
  terminal.answer(value, () =>
    [
      `${name}, ${workspace_id}, on the ${plan} plan, since ${created_at}`,
      `${used} of ${perMonth} requests this month, reset at ${value.reset_at}; ${perMinute} a minute`,
      '',
      'Members',
      table(members.map(memberLine)),
      '',
      'Agents',
      table(agents.map(agentOf)),
      '',
      'Keys',
      table(keys.map(keyOf)),
    ].join('\n'),
  )
  terminal.next(`catalog workspace audit ${workspace_id}`)
}

export async function setWorkspacePlan({ catalog, terminal }: Stage, workspace: string, plan: Plan): Promise<void> {
  const { workspace_id: workspaceId, name, valid_keys: validKeys } = await workspaceNamed(catalog, workspace)
  const at = instant(catalog.now())
  await catalog.store.transaction(async (tx) => {
    if (!(await setPlan(tx, { workspaceId, plan }))) {
      throw new Error(`workspace '${workspace}': it is on the ${plan} plan already`)
    }
    await appendAudit(tx, { workspaceId, at, actor: OPERATOR, action: 'plan.set', target: name, details: { plan } })
  })
  terminal.answer({ workspace_id: workspaceId, name, plan, valid_keys: validKeys }, () =>
    [
      `${name} is on the ${plan} plan; servers that know it follow within 30 seconds`,
      ...(plan === 'free' && validKeys > 0 ? [`its ${validKeys} keys are refused on this plan`] : []),
    ].join('\n'),
  )
  terminal.next(plan === 'paid' ? `catalog keys issue --workspace ${workspaceId} --name "..."` : 'catalog workspace')
}

/** Shows the link too, for catalogs without a mail server. */
export async function inviteMember(
  { catalog, terminal, env }: Context,
  workspace: string,
  given: string,
  { role }: { role: Role },
): Promise<void> {
  const origin = consoleOriginOf(env, terminal)
  const { workspace_id: workspaceId, name } = await workspaceNamed(catalog, workspace)
  const email = validEmail(given)
  const at = instant(catalog.now())
  const invitation = await catalog.store.transaction((tx) => invite(tx, { workspaceId, email, role, origin, at }))
  terminal.answer({ workspace_id: workspaceId, name, invitation }, () => invitationLines(invitation).join('\n'))
  terminal.next(`catalog workspace members ${workspaceId}`)
}

export async function listMembers({ catalog, terminal }: Stage, named: string): Promise<void> {
  const { workspace_id: workspaceId } = await workspaceNamed(catalog, named)
  const members = await membersOf(catalog.store, workspaceId)
  const open = await openInvitations(catalog.store, { workspaceId, at: instant(catalog.now()) })
  // The stored hash of the link stays private.
  const invitations = open.map(({ email, role, created_at, expires_at }) => ({ email, role, created_at, expires_at }))
  terminal.answer({ workspace_id: workspaceId, members, invitations }, () =>
    [table(members.map(memberLine)), '', 'Invited', table(invitations)].join('\n'),
  )
  terminal.next(`catalog workspace invite ${workspaceId} EMAIL --role member`)
}

/** Shows the newest entries first. */
export async function showAudit(
  { catalog, terminal }: Stage,
  workspace: string,
  { limit }: { limit: string },
): Promise<void> {
  const { workspace_id: workspaceId } = await workspaceNamed(catalog, workspace)
  const audit = await readAudit(catalog.store, { workspaceId, limit: rowLimit(limit) })
  terminal.answer({ workspace_id: workspaceId, audit }, () =>
    table(audit.map((row) => ({ at: row.at, who: row.actor, what: auditText(row) }))),
  )
  terminal.next(`catalog workspace show ${workspaceId}`)
}

type Invitation = Readonly<{ email: string; role: Role; link: string; expires_at: string }>

async function invite(
  tx: Transaction,
  invitation: { workspaceId: string; email: string; role: Role; origin: string; at: string },
): Promise<Invitation> {
  const made = await createInvitation(tx, { ...invitation, actor: OPERATOR })
  const { email, role } = invitation
  if ('refused' in made) throw new Error(`invitation of '${email}': ${made.refused}`)
  return { email, role, link: made.link, expires_at: made.expiresAt }
}

const invitationLines = ({ email, role, link, expires_at }: Invitation): string[] => [
  `${email} is invited as ${role}, until ${expires_at}; a running catalog up or serve sends the mail`,
  link,
  'Anyone with the link can join as this person. It is shown only once.',
]

export function validEmail(given: string): string {
  const email = given.trim()
  if (emailProblem(email) === undefined) return email
  throw new Error(`e-mail ${JSON.stringify(email)}: expected one address, as name@example.org`)
}

const memberLine = ({ email, role, created_at }: { email: string; role: Role; created_at: string }) => ({
  email,
  role,
  since: created_at,
})

const agentJson = ({ agent_id, client_name, redirect_host, email, scope, ...times }: AgentRow) => ({
  agent_id,
  name: client_name,
  redirect_host,
  email,
  scope,
  created_at: times.created_at,
  last_used_at: times.last_used_at,
  revoked_at: times.revoked_at,
})

const agentLine = ({ agent_id, client_name, email, scope, revoked_at, last_used_at }: AgentRow) => ({
  agent_id,
  name: client_name,
  of: email,
  scope,
  state: revoked_at === null ? 'connected' : `revoked ${revoked_at}`,
  last_used: last_used_at ?? 'never',
})
