import { counterOf } from '@catalog/access/counter.ts'
import { openLimiter } from '@catalog/access/rate-limiter.ts'
import type { Limits } from '@catalog/api/callers/rate-limits.ts'
import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import { connectedAgents } from '@catalog/console/agents/agents.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { type Page, sendPage } from '@catalog/console/pages/html.ts'
import {
  formatCount,
  isAtLeast,
  requireMember,
  workspaceNav,
  workspacePath,
} from '@catalog/console/sessions/membership.ts'
import { requireSession } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { copyField, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { countActiveKeys, type Plan } from '@catalog/store/accounts/accounts.ts'
import { type MembershipRow, membersOf, workspacesOf } from '@catalog/store/accounts/members.ts'
import { isOperator } from '@catalog/store/accounts/operators.ts'
import type { FastifyInstance } from 'fastify'
import { curlLine, FREE_PLAN_NOTE } from './keys-page.ts'

/** A person's workspaces, and the limits, usage and counts of one of them. */
export function workspaceRoutes(app: FastifyInstance, { store, origin, limits, now }: ConsoleContext): void {
  const limiter = openLimiter({ store, now })

  app.get('/', async (request, reply) => {
    const { userId, email } = requireSession(request)
    const workspaces = await workspacesOf(store, userId)
    const [only] = workspaces
    if (only !== undefined && workspaces.length === 1) return reply.redirect(workspacePath(only), 303)
    if (only === undefined && (await isOperator(store, userId))) return reply.redirect('/console/operator', 303)
    return sendPage(reply, only === undefined ? noWorkspace(email) : workspaceList(workspaces))
  })

  app.get('/workspaces/:id', async (request, reply) => {
    const membership = await requireMember(store, request)
    const { workspace } = membership
    const { workspace_id: workspaceId, plan } = workspace
    const { perMonth } = allowanceOf(plan, limits)
    const month = counterOf({
      owner: { kind: 'workspace', id: workspaceId },
      counts: 'month',
      period: 'month',
      limit: perMonth,
    })
    const used = await limiter.used(month)
    const counts = {
      keys: await countActiveKeys(store, workspaceId),
      agents: (await connectedAgents(store, membership)).length,
      members: (await membersOf(store, workspaceId)).length,
    }
    return sendPage(reply, {
      title: workspace.name,
      nav: workspaceNav(workspace, 'Overview'),
      body: overview(workspace, { limits, origin, used, resetAt: instant(new Date(month.endMs)), counts }),
    })
  })
}

// Parts of the pages --------------------------------------------------------------------------------------------------

/** Request limits of all keys and agents of a workspace together; a free plan has agents only. */
export function allowanceOf(plan: Plan, limits: Limits): { perMinute: number; perMonth: number } {
  switch (plan) {
    case 'paid':
      return { perMinute: limits.orgPerMinute, perMonth: limits.orgPerMonth }
    case 'free':
      return { perMinute: limits.publicDevPerMinute, perMonth: limits.publicDevPerMonth }
  }
}

function noWorkspace(email: string): Page {
  return {
    title: 'No workspace yet',
    body: html`<p>You are signed in as <strong>${email}</strong>, and this address belongs to no workspace.</p>
      <p>Ask an owner or admin of a workspace to invite it: the invitation comes by mail, with a link that works for a week.
      Or <a href="/console/new">create a workspace of your own</a>.</p>`,
  }
}

function workspaceList(workspaces: readonly MembershipRow[]): Page {
  const rows = workspaces.map((workspace) => [
    html`<a href="${workspacePath(workspace)}">${workspace.name}</a>`,
    html`${PLANS[workspace.plan]}`,
    html`${workspace.role}`,
  ])
  return {
    title: 'Workspaces',
    body: html`!${table({ caption: 'Yours', columns: ['Workspace', 'Plan', 'You are'], rows })}
      <p><a href="/console/new">Create another workspace</a></p>`,
  }
}
const PLANS: Readonly<Record<Plan, string>> = { free: 'Free', paid: 'Paid' }

type Overview = Readonly<{
  limits: Limits
  origin: string
  used: number
  resetAt: string
  counts: Readonly<{ keys: number; agents: number; members: number }>
}>

function overview(workspace: MembershipRow, { limits, origin, used, resetAt, counts }: Overview): Markup {
  const { perMinute, perMonth } = allowanceOf(workspace.plan, limits)
  const path = workspacePath(workspace)
  const usage = `${formatCount(used)} of ${formatCount(perMonth)} requests`
  return html`
<h2 id="month">This month</h2>
<p><strong>${usage}</strong>; the count resets at !${timeElement(resetAt)}.</p>
<p><meter min="0" max="${perMonth}" value="${Math.min(used, perMonth)}" aria-labelledby="month">${usage}</meter></p>
<p>All keys and agents of the workspace count together. At the cap requests are refused until the next month.</p>

<h2>Plan</h2>
<p>${PLANS[workspace.plan]}: ${formatCount(perMinute)} requests and ${formatCount(limits.searchPerMinute)} searches a minute,
${formatCount(perMonth)} requests a month. ${workspace.plan === 'free' ? FREE_PLAN_NOTE : 'The plan is set by the operator of this catalog.'}</p>
<ul>
  <li><a href="${path}/keys">${pluralized(counts.keys, 'key')}</a></li>
  <li><a href="${path}/agents">${pluralized(counts.agents, 'connected agent')}${isAtLeast(workspace.role, 'admin') ? '' : ' of yours'}</a></li>
  <li><a href="${path}/members">${pluralized(counts.members, 'member')}</a></li>
</ul>

<h2>Connect an agent</h2>
<p>Give this address to a client of the Model Context Protocol. It sends you back here, where you choose its permissions.</p>
!${copyField('Address', `${origin}${MCP_PATH}`)}

!${workspace.plan === 'free' ? '' : html`<h2>Call the API</h2><p>With a key of the workspace:</p>!${copyField('Command', curlLine(origin, '$KEY'))}`}
<p><a href="/docs">Documentation</a></p>`
}

const pluralized = (value: number, what: string) => `${formatCount(value)} ${what}${value === 1 ? '' : 's'}`
