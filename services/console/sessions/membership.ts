import type { Session } from '@catalog/console/pages/context.ts'
import type { Page } from '@catalog/console/pages/html.ts'
import { notFound, PageError } from '@catalog/console/pages/page-error.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { appendAudit, findMembership, type MembershipRow, ROLES, type Role } from '@catalog/store/accounts/members.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyRequest } from 'fastify'
import { requireSession } from './session.ts'

/** Shared by all pages of a workspace: membership checks, navigation and formats. */

// Membership checks ---------------------------------------------------------------------------------------------------

/** A signed-in person and one workspace with the person's role. */
export type Membership = Readonly<{ session: Session; workspace: MembershipRow }>

/**
 * Checks that the sender belongs to the workspace in the path, with at least this role. Throws a redirect to sign-in;
 * "not found" for a missing workspace as for a stranger's; "not allowed" for a lower role.
 */
export async function requireMember(
  db: Queryable,
  request: FastifyRequest,
  atLeast: Role = 'member',
): Promise<Membership> {
  const session = requireSession(request)
  const workspaceId = pathId(request, 'id')
  const workspace = await findMembership(db, { workspaceId, userId: session.userId })
  if (workspace === undefined) throw notFound()
  if (!isAtLeast(workspace.role, atLeast)) throw notAllowed(`Only ${ROLE_NAMES[atLeast]} may do this.`)
  return { session, workspace }
}
const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'owners of the workspace',
  admin: 'owners and admins of the workspace',
  member: 'members of the workspace',
}

export const isAtLeast = (role: Role, atLeast: Role) => ROLES.indexOf(role) <= ROLES.indexOf(atLeast)

export const notAllowed = (message: string) => new PageError(403, 'Not allowed', message)

/**
 * A parameter of the path. Throws "not found" for text that cannot be an id, without a query that the database might
 * reject.
 */
export function pathId(request: FastifyRequest, name: string): string {
  const { [name]: id } = request.params as Readonly<Record<string, string>>
  if (id === undefined || !/^\w{1,64}$/.test(id)) throw notFound()
  return id
}

/** Records an action of the member in the audit log, within the transaction that performs it. */
export async function recordAudit(
  tx: Queryable,
  { session, workspace }: Membership,
  done: Omit<Parameters<typeof appendAudit>[1], 'workspaceId' | 'actor'>,
): Promise<void> {
  await appendAudit(tx, { ...done, workspaceId: workspace.workspace_id, actor: session.email })
}

// Navigation and formats ----------------------------------------------------------------------------------------------

export const workspacePath = ({ workspace_id }: Pick<MembershipRow, 'workspace_id'>) =>
  `/console/workspaces/${workspace_id}`

type PageName = 'Overview' | 'Keys' | 'Agents' | 'Members' | 'Audit log'

/** The pages of a workspace that the member may see. */
export function workspaceNav(workspace: MembershipRow, current: PageName): NonNullable<Page['nav']> {
  const path = workspacePath(workspace)
  const pages: [PageName, string][] = [
    ['Overview', path],
    ['Keys', `${path}/keys`],
    ['Agents', `${path}/agents`],
    ['Members', `${path}/members`],
  ]
  if (isAtLeast(workspace.role, 'admin')) pages.push(['Audit log', `${path}/audit`])
  return pages.map(([text, href]) => ({ text, href, isCurrent: text === current }))
}

/** A button behind a disclosure, so that irreversible actions take two steps. */
export function confirmation(word: string, about: string, body: Markup): Markup {
  return html`<details><summary>${word} <span class="unseen">${about}</span></summary>!${body}</details>`
}

export const formatCount = (value: number) => value.toLocaleString('en-US')

/** The last `months` calendar months in UTC as 'YYYY-MM', ascending. */
export function monthsUntil(now: Date, months: number): string[] {
  const first = now.getUTCMonth() - months + 1
  return Array.from({ length: months }, (_, i) =>
    new Date(Date.UTC(now.getUTCFullYear(), first + i)).toISOString().slice(0, 7),
  )
}
