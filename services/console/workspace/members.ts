import { disconnectAll } from '@catalog/console/agents/agents.ts'
import type { AttemptLimits } from '@catalog/console/pages/attempt-limits.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { emailProblem, formText, queryText } from '@catalog/console/pages/form.ts'
import { type Page, sendPage } from '@catalog/console/pages/html.ts'
import { notFound, PageError, refusal } from '@catalog/console/pages/page-error.ts'
import {
  isAtLeast,
  type Membership,
  notAllowed,
  pathId,
  recordAudit,
  requireMember,
  workspacePath,
} from '@catalog/console/sessions/membership.ts'
import { instant } from '@catalog/core/time.ts'
import {
  lockWorkspace,
  type MemberRow,
  membersOf,
  ROLES,
  type Role,
  removeMember,
  roleIn,
  setMemberRole,
} from '@catalog/store/accounts/members.ts'
import { openInvitations, withdrawInvitation, withdrawInvitationsOf } from '@catalog/store/accounts/people.ts'
import type { Transaction } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createInvitation } from './invitation.ts'
import { memberListPage, type Shown } from './members-page.ts'
import { assignableRoles, canChange } from './roles.ts'

type MembersContext = ConsoleContext & Readonly<{ attemptLimits: Pick<AttemptLimits, 'invite'> }>

/**
 * Members of a workspace. All see the list and may leave; admins invite, change and remove people as their role allows.
 */
export function memberRoutes(app: FastifyInstance, context: MembersContext): void {
  const { store } = context
  app.get('/workspaces/:id/members', async (request, reply) => {
    const membership = await requireMember(store, request)
    return sendPage(reply, await membersPage(context, membership, { done: queryText(request, 'done') }))
  })
  app.post('/workspaces/:id/invitations', async (request, reply) => invite(context, request, reply))
  app.post('/workspaces/:id/invitations/:invitation/withdraw', async (request, reply) =>
    withdraw(context, request, reply),
  )
  app.post('/workspaces/:id/members/:userId/role', async (request, reply) => changeRole(context, request, reply))
  app.post('/workspaces/:id/members/:userId/remove', async (request, reply) => remove(context, request, reply))
}

async function invite(context: MembersContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { store, origin, now, attemptLimits } = context
  const membership = await requireMember(store, request, 'admin')
  const { workspace_id: workspaceId, role: ownRole } = membership.workspace
  const email = formText(request, 'email')
  const role = parseRole(formText(request, 'role'))
  if (!assignableRoles(ownRole).includes(role)) throw notAllowed(`Only owners invite somebody as ${role}.`)
  const refuse = async (problem: string, status: number) =>
    sendPage(reply, await membersPage(context, membership, { problem, email, role }), status)
  const problem = emailProblem(email)
  if (problem !== undefined) return await refuse(problem, 400)
  await attemptLimits.invite(email, workspaceId)
  const invitation = { workspaceId, email, role, actor: membership.session.email, origin, at: instant(now()) }
  const invited = await store.transaction((tx) => createInvitation(tx, invitation))
  if ('refused' in invited) return await refuse(invited.refused, 409)
  return redirectToMembers(reply, membership, 'invited')
}

async function withdraw({ store, now }: MembersContext, request: FastifyRequest, reply: FastifyReply) {
  const membership = await requireMember(store, request, 'admin')
  const { workspace_id: workspaceId } = membership.workspace
  const linkSha = Buffer.from(pathId(request, 'invitation'), 'hex')
  const at = instant(now())
  await store.transaction(async (tx) => {
    const target = await withdrawInvitation(tx, { workspaceId, linkSha, at })
    if (target === undefined) throw notFound('This invitation is no longer open.')
    await recordAudit(tx, membership, { at, action: 'invitation.withdrawn', target })
  })
  return redirectToMembers(reply, membership, 'withdrawn')
}

async function changeRole({ store, now }: MembersContext, request: FastifyRequest, reply: FastifyReply) {
  const membership = await requireMember(store, request, 'admin')
  const role = parseRole(formText(request, 'role'))
  const userId = pathId(request, 'userId')
  const { workspace_id: workspaceId } = membership.workspace
  await store.transaction(async (tx) => {
    const { own, member } = await lockMember(tx, membership, userId)
    if (!canChange(own, member.role) || !assignableRoles(own).includes(role)) throw notAllowed(OWNERS_ONLY)
    if (member.role === role) return
    if (!(await setMemberRole(tx, { workspaceId, userId, role }))) throw refusal('last_owner')
    const details = { from: member.role, to: role }
    const at = instant(now())
    await recordAudit(tx, membership, { at, action: 'member.role_changed', target: member.email, details })
    if (role === 'member') await withdrawOf(tx, membership, { sender: member.email, at })
  })
  return redirectToMembers(reply, membership, 'changed')
}

async function remove({ store, now }: MembersContext, request: FastifyRequest, reply: FastifyReply) {
  const membership = await requireMember(store, request)
  const { session, workspace } = membership
  const userId = pathId(request, 'userId')
  const isLeaving = userId === session.userId
  const { workspace_id: workspaceId } = workspace
  await store.transaction(async (tx) => {
    const { own, member } = await lockMember(tx, membership, userId)
    if (!isLeaving && !canChange(own, member.role)) throw notAllowed(OWNERS_ONLY)
    if (!(await removeMember(tx, { workspaceId, userId }))) throw refusal('last_owner')
    const at = instant(now())
    await recordAudit(tx, membership, { at, action: 'member.removed', target: member.email })
    await withdrawOf(tx, membership, { sender: member.email, at })
    await disconnectAll(tx, { workspaceId, userId }, { actor: session.email, at })
  })
  return isLeaving ? reply.redirect('/console', 303) : redirectToMembers(reply, membership, 'removed')
}

/** An invitation ends with the right of its sender to invite. */
async function withdrawOf(tx: Transaction, membership: Membership, { sender, at }: { sender: string; at: string }) {
  const { workspace_id: workspaceId } = membership.workspace
  for (const target of await withdrawInvitationsOf(tx, { workspaceId, sender, at }))
    await recordAudit(tx, membership, { at, action: 'invitation.withdrawn', target })
}

const redirectToMembers = (reply: FastifyReply, { workspace }: Membership, done: string) =>
  reply.redirect(`${workspacePath(workspace)}/members?done=${done}`, 303)

/** Locks the workspace until the transaction ends, and reads the sender's role and the member under that lock. */
async function lockMember(
  tx: Transaction,
  { workspace, session }: Membership,
  userId: string,
): Promise<{ own: Role; member: MemberRow }> {
  const { workspace_id: workspaceId } = workspace
  await lockWorkspace(tx, workspaceId)
  const own = await roleIn(tx, { workspaceId, userId: session.userId })
  if (own === undefined) throw notFound()
  const member = (await membersOf(tx, workspaceId)).find(({ user_id }) => user_id === userId)
  if (member === undefined) throw notFound('The workspace has no such member.')
  return { own, member }
}

async function membersPage({ store, now }: MembersContext, membership: Membership, shown: Shown): Promise<Page> {
  const { workspace_id: workspaceId, role } = membership.workspace
  const members = await membersOf(store, workspaceId)
  const open = isAtLeast(role, 'admin') ? await openInvitations(store, { workspaceId, at: instant(now()) }) : []
  return memberListPage(membership, { members, open, shown })
}

const OWNERS_ONLY = 'Only owners may change or appoint owners.'

function parseRole(given: string): Role {
  const role = ROLES.find((known) => known === given)
  if (role === undefined) throw new PageError(400, 'Invalid request', 'Choose one of the roles.')
  return role
}
