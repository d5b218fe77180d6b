import { disconnectAll } from '@catalog/console/agents/agents.ts'
import type { AttemptLimits } from '@catalog/console/pages/attempt-limits.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { emailProblem, formText, queryText } from '@catalog/console/pages/form.ts'
import {
  choice,
  field,
  form,
  type Markup,
  notice,
  type Page,
  sendPage,
  table,
  timeElement,
} from '@catalog/console/pages/html.ts'
import { notFound, PageError } from '@catalog/console/pages/page-error.ts'
import {
  confirmation,
  isAtLeast,
  type Membership,
  notAllowed,
  pathId,
  recordAudit,
  requireMember,
  workspaceNav,
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
import { type InvitationRow, openInvitations, withdrawInvitation } from '@catalog/store/accounts/people.ts'
import type { Transaction } from '@catalog/store/db.ts'
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { createInvitation } from './invitation.ts'

/** Who belongs to a workspace. All members see it and may leave; admins invite, change and remove whom they may. */
export function memberRoutes(
  app: FastifyInstance,
  { store, origin, now, attemptLimits }: ConsoleContext & Readonly<{ attemptLimits: Pick<AttemptLimits, 'invite'> }>,
): void {
  const at = () => instant(now())

  app.get('/workspaces/:id/members', async (request, reply) => {
    const membership = await requireMember(store, request)
    return sendPage(reply, await membersPage(membership, { done: queryText(request, 'done') }))
  })

  app.post('/workspaces/:id/invitations', async (request, reply) => {
    const membership = await requireMember(store, request, 'admin')
    const { workspace_id: workspaceId } = membership.workspace
    const email = formText(request, 'email')
    const role = parseRole(formText(request, 'role'))
    if (!assignableRoles(membership.workspace.role).includes(role))
      throw notAllowed(`Only owners invite somebody as ${role}.`)
    const refuse = async (problem: string, status: number) =>
      sendPage(reply, await membersPage(membership, { problem, email, role }), status)
    const problem = emailProblem(email)
    if (problem !== undefined) return await refuse(problem, 400)
    await attemptLimits.invite(email, workspaceId)
    const invitation = { workspaceId, email, role, actor: membership.session.email, origin, at: at() }
    const invited = await store.transaction((tx) => createInvitation(tx, invitation))
    if ('refused' in invited) return await refuse(invited.refused, 409)
    return reply.redirect(`${workspacePath(membership.workspace)}/members?done=invited`, 303)
  })

  app.post('/workspaces/:id/invitations/:invitation/withdraw', async (request, reply) => {
    const membership = await requireMember(store, request, 'admin')
    const { workspace_id: workspaceId } = membership.workspace
    const linkSha = Buffer.from(pathId(request, 'invitation'), 'hex')
    await store.transaction(async (tx) => {
      const target = await withdrawInvitation(tx, { workspaceId, linkSha, at: at() })
      if (target === undefined) throw notFound('This invitation is not open any more.')
      await recordAudit(tx, membership, { at: at(), action: 'invitation.withdrawn', target })
    })
    return reply.redirect(`${workspacePath(membership.workspace)}/members?done=withdrawn`, 303)
  })

  app.post('/workspaces/:id/members/:userId/role', async (request, reply) => {
    const membership = await requireMember(store, request, 'admin')
    const role = parseRole(formText(request, 'role'))
    const userId = pathId(request, 'userId')
    const { workspace_id: workspaceId } = membership.workspace
    await store.transaction(async (tx) => {
      const { own, member } = await lockMember(tx, membership, userId)
      if (!canChange(own, member.role) || !assignableRoles(own).includes(role)) throw notAllowed(OWNERS_ONLY)
      if (member.role === role) return
      if (!(await setMemberRole(tx, { workspaceId, userId, role }))) throw LAST_OWNER
      const details = { from: member.role, to: role }
      await recordAudit(tx, membership, { at: at(), action: 'member.role_changed', target: member.email, details })
    })
    return reply.redirect(`${workspacePath(membership.workspace)}/members?done=changed`, 303)
  })

  app.post('/workspaces/:id/members/:userId/remove', async (request, reply) => {
    const membership = await requireMember(store, request)
    const userId = pathId(request, 'userId')
    const isLeaving = userId === membership.session.userId
    const { workspace_id: workspaceId } = membership.workspace
    await store.transaction(async (tx) => {
      const { own, member } = await lockMember(tx, membership, userId)
      if (!isLeaving && !canChange(own, member.role)) throw notAllowed(OWNERS_ONLY)
      if (!(await removeMember(tx, { workspaceId, userId }))) throw LAST_OWNER
      await recordAudit(tx, membership, { at: at(), action: 'member.removed', target: member.email })
      await disconnectAll(tx, { workspaceId, userId }, { actor: membership.session.email, at: at() })
    })
    return reply.redirect(isLeaving ? '/console' : `${workspacePath(membership.workspace)}/members?done=removed`, 303)
  })

  /** The visitor's role and the member as they stay until the transaction ends, whoever else changes roles meanwhile. */
  async function lockMember(
    tx: Transaction,
    membership: Membership,
    userId: string,
  ): Promise<{ own: Role; member: MemberRow }> {
    const { workspace_id: workspaceId } = membership.workspace
    await lockWorkspace(tx, workspaceId)
    const own = await roleIn(tx, { workspaceId, userId: membership.session.userId })
    if (own === undefined) throw notFound()
    const member = (await membersOf(tx, workspaceId)).find(({ user_id }) => user_id === userId)
    if (member === undefined) throw notFound('The workspace has no such member.')
    return { own, member }
  }

  async function membersPage(membership: Membership, shown: Shown): Promise<Page> {
    const { workspace_id: workspaceId, role } = membership.workspace
    const members = await membersOf(store, workspaceId)
    const isAdmin = isAtLeast(role, 'admin')
    const open = isAdmin ? await openInvitations(store, { workspaceId, at: at() }) : []
    return {
      title: 'Members',
      nav: workspaceNav(membership.workspace, 'Members'),
      body: html`
<p>People in the workspace ${membership.workspace.name}. Owners may do all; admins manage keys, agents, members and admins; members
look, and connect agents of their own.</p>
!${noticeOf(shown.done)}
!${memberTable(members, membership)}
!${open.length === 0 ? '' : invitationsOf(open, membership)}
!${isAdmin ? inviteForm(membership, shown) : ''}`,
    }
  }
}

// Who may change whom -------------------------------------------------------------------------------------------------

const canChange = (own: Role, other: Role) => own === 'owner' || (own === 'admin' && other !== 'owner')

/** The roles that a person in a role gives to others. */
const assignableRoles = (own: Role): readonly Role[] => ROLES.filter((role) => canChange(own, role))

const OWNERS_ONLY = 'Only owners change owners, and make some.'
const LAST_OWNER = new PageError(
  409,
  'The last owner',
  'A workspace has an owner always. Make another member an owner first.',
)

function parseRole(given: string): Role {
  const role = ROLES.find((known) => known === given)
  if (role === undefined) throw new PageError(400, 'Not understood', 'Choose one of the roles.')
  return role
}

// Its parts -----------------------------------------------------------------------------------------------------------

type Shown = Readonly<{ done?: string; problem?: string; email?: string; role?: Role }>

const DONE: Readonly<Record<string, string>> = {
  invited: 'The invitation is on its way by mail.',
  withdrawn: 'The invitation is withdrawn. Its link does not work any more.',
  changed: 'The role is changed.',
  removed: 'The person is removed, and its agents are disconnected.',
}

const noticeOf = (done = ''): Markup => (Object.hasOwn(DONE, done) ? notice('done', DONE[done] as string) : '')

function memberTable(members: readonly MemberRow[], membership: Membership): Markup {
  return table({
    caption: 'Members',
    columns: ['Member', 'Role', 'Since', 'Action'],
    rows: members.map((member) => [
      html`${member.email}${member.user_id === membership.session.userId ? ' (you)' : ''}`,
      html`${member.role}`,
      timeElement(member.created_at),
      actions(member, membership),
    ]),
  })
}

function actions({ user_id, email, role }: MemberRow, { workspace, session }: Membership): Markup {
  const isSelf = user_id === session.userId
  const of = `${workspacePath(workspace)}/members/${user_id}`
  const changes = isAtLeast(workspace.role, 'admin') && canChange(workspace.role, role)
  const fields = choice({
    name: 'role',
    label: 'Role',
    id: `role-${user_id}`,
    value: role,
    options: optionsOf(assignableRoles(workspace.role)),
  })
  const change = confirmation(
    'Change role',
    email,
    form({ action: `${of}/role`, submit: 'Change', about: email, fields }),
  )
  const remove = isSelf
    ? confirmation(
        'Leave',
        '',
        html`<p>You need an invitation to come back, and your agents here are disconnected.</p>
          !${form({ action: `${of}/remove`, submit: 'Leave the workspace', isDangerous: true })}`,
      )
    : confirmation(
        'Remove',
        email,
        html`<p>The person loses the workspace at once, and its agents here are disconnected. Keys stay as they are.</p>
          !${form({ action: `${of}/remove`, submit: 'Remove', about: email, isDangerous: true })}`,
      )
  if (!changes && !isSelf) return html`none`
  return html`!${changes ? change : ''}!${remove}`
}

const optionsOf = (roles: readonly Role[]) => roles.map((value) => ({ value, text: value }))

function invitationsOf(open: readonly InvitationRow[], { workspace }: Membership): Markup {
  return table({
    caption: 'Open invitations',
    columns: ['Invited', 'As', 'Until', 'Action'],
    rows: open.map(({ link_sha, email, role, expires_at }) => [
      html`${email}`,
      html`${role}`,
      timeElement(expires_at),
      form({
        action: `${workspacePath(workspace)}/invitations/${link_sha.toString('hex')}/withdraw`,
        submit: 'Withdraw',
        about: email,
        isDangerous: true,
      }),
    ]),
  })
}

function inviteForm({ workspace }: Membership, { problem, email = '', role = 'member' }: Shown): Markup {
  const fields = [
    field({
      name: 'email',
      label: 'E-mail',
      type: 'email',
      value: email,
      autocomplete: 'off',
      error: problem,
      hint: 'The person gets a mail with a link that works for a week.',
    }),
    choice({ name: 'role', label: 'Role', value: role, options: optionsOf(assignableRoles(workspace.role)) }),
  ]
  const action = `${workspacePath(workspace)}/invitations`
  return html`<h2>Invite somebody</h2>!${form({ action, submit: 'Invite', fields: fields.join('') })}`
}
