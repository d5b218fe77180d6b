import { disconnectAll } from '@catalog/console/agents/agents.ts'
import type { Attempts } from '@catalog/console/pages/attempt-limits.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { notFound, PageError } from '@catalog/console/pages/page-error.ts'
import { asked, emailFault, typed } from '@catalog/console/pages/form.ts'
import {
  choice,
  field,
  form,
  type Markup,
  notice,
  type Page,
  sendPage,
  table,
  when,
} from '@catalog/console/pages/html.ts'
import {
  idIn,
  isAtLeast,
  memberOf,
  navOf,
  notAllowed,
  noteDone,
  pathOf,
  twoSteps,
  type Visit,
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
import { inviteInto } from './invitation.ts'

/** Who belongs to a workspace. All members see it and may leave; admins invite, change and remove whom they may. */
export function memberRoutes(
  app: FastifyInstance,
  { store, origin, now, attempts }: ConsoleContext & Readonly<{ attempts: Pick<Attempts, 'invite'> }>,
): void {
  const at = () => instant(now())

  app.get('/workspaces/:id/members', async (request, reply) => {
    const visit = await memberOf(store, request)
    return sendPage(reply, await membersPage(visit, { done: asked(request, 'done') }))
  })

  app.post('/workspaces/:id/invitations', async (request, reply) => {
    const visit = await memberOf(store, request, 'admin')
    const { workspace_id: workspaceId } = visit.workspace
    const email = typed(request, 'email')
    const role = roleTyped(typed(request, 'role'))
    if (!givable(visit.workspace.role).includes(role)) throw notAllowed(`Only owners invite somebody as ${role}.`)
    const refuse = async (fault: string, status: number) =>
      sendPage(reply, await membersPage(visit, { fault, email, role }), status)
    const fault = emailFault(email)
    if (fault !== undefined) return await refuse(fault, 400)
    await attempts.invite(email, workspaceId)
    const invitation = { workspaceId, email, role, actor: visit.session.email, origin, at: at() }
    const invited = await store.transaction((tx) => inviteInto(tx, invitation))
    if ('refused' in invited) return await refuse(invited.refused, 409)
    return reply.redirect(`${pathOf(visit.workspace)}/members?done=invited`, 303)
  })

  app.post('/workspaces/:id/invitations/:invitation/withdraw', async (request, reply) => {
    const visit = await memberOf(store, request, 'admin')
    const { workspace_id: workspaceId } = visit.workspace
    const linkSha = Buffer.from(idIn(request, 'invitation'), 'hex')
    await store.transaction(async (tx) => {
      const target = await withdrawInvitation(tx, { workspaceId, linkSha, at: at() })
      if (target === undefined) throw notFound('This invitation is not open any more.')
      await noteDone(tx, visit, { at: at(), action: 'invitation.withdrawn', target })
    })
    return reply.redirect(`${pathOf(visit.workspace)}/members?done=withdrawn`, 303)
  })

  app.post('/workspaces/:id/members/:userId/role', async (request, reply) => {
    const visit = await memberOf(store, request, 'admin')
    const role = roleTyped(typed(request, 'role'))
    const userId = idIn(request, 'userId')
    const { workspace_id: workspaceId } = visit.workspace
    await store.transaction(async (tx) => {
      const { own, member } = await meet(tx, visit, userId)
      if (!mayChange(own, member.role) || !givable(own).includes(role)) throw notAllowed(OWNERS_ONLY)
      if (member.role === role) return
      if (!(await setMemberRole(tx, { workspaceId, userId, role }))) throw LAST_OWNER
      const details = { from: member.role, to: role }
      await noteDone(tx, visit, { at: at(), action: 'member.role_changed', target: member.email, details })
    })
    return reply.redirect(`${pathOf(visit.workspace)}/members?done=changed`, 303)
  })

  app.post('/workspaces/:id/members/:userId/remove', async (request, reply) => {
    const visit = await memberOf(store, request)
    const userId = idIn(request, 'userId')
    const isLeaving = userId === visit.session.userId
    const { workspace_id: workspaceId } = visit.workspace
    await store.transaction(async (tx) => {
      const { own, member } = await meet(tx, visit, userId)
      if (!isLeaving && !mayChange(own, member.role)) throw notAllowed(OWNERS_ONLY)
      if (!(await removeMember(tx, { workspaceId, userId }))) throw LAST_OWNER
      await noteDone(tx, visit, { at: at(), action: 'member.removed', target: member.email })
      await disconnectAll(tx, { workspaceId, userId }, { actor: visit.session.email, at: at() })
    })
    return reply.redirect(isLeaving ? '/console' : `${pathOf(visit.workspace)}/members?done=removed`, 303)
  })

  /** The visitor's role and the member as they stay until the transaction ends, whoever else changes roles meanwhile. */
  async function meet(tx: Transaction, visit: Visit, userId: string): Promise<{ own: Role; member: MemberRow }> {
    const { workspace_id: workspaceId } = visit.workspace
    await lockWorkspace(tx, workspaceId)
    const own = await roleIn(tx, { workspaceId, userId: visit.session.userId })
    if (own === undefined) throw notFound()
    const member = (await membersOf(tx, workspaceId)).find(({ user_id }) => user_id === userId)
    if (member === undefined) throw notFound('The workspace has no such member.')
    return { own, member }
  }

  async function membersPage(visit: Visit, shown: Shown): Promise<Page> {
    const { workspace_id: workspaceId, role } = visit.workspace
    const members = await membersOf(store, workspaceId)
    const isAdmin = isAtLeast(role, 'admin')
    const open = isAdmin ? await openInvitations(store, { workspaceId, at: at() }) : []
    return {
      title: 'Members',
      nav: navOf(visit.workspace, 'Members'),
      body: html`
<p>People in the workspace ${visit.workspace.name}. Owners may do all; admins manage keys, agents, members and admins; members
look, and connect agents of their own.</p>
!${noticeOf(shown.done)}
!${listOf(members, visit)}
!${open.length === 0 ? '' : invitationsOf(open, visit)}
!${isAdmin ? inviteForm(visit, shown) : ''}`,
    }
  }
}

// Who may change whom -------------------------------------------------------------------------------------------------

const mayChange = (own: Role, other: Role) => own === 'owner' || (own === 'admin' && other !== 'owner')

/** The roles that a person in a role gives to others. */
const givable = (own: Role): readonly Role[] => ROLES.filter((role) => mayChange(own, role))

const OWNERS_ONLY = 'Only owners change owners, and make some.'
const LAST_OWNER = new PageError(
  409,
  'The last owner',
  'A workspace has an owner always. Make another member an owner first.',
)

function roleTyped(given: string): Role {
  const role = ROLES.find((known) => known === given)
  if (role === undefined) throw new PageError(400, 'Not understood', 'Choose one of the roles.')
  return role
}

// Its parts -----------------------------------------------------------------------------------------------------------

type Shown = Readonly<{ done?: string; fault?: string; email?: string; role?: Role }>

const DONE: Readonly<Record<string, string>> = {
  invited: 'The invitation is on its way by mail.',
  withdrawn: 'The invitation is withdrawn. Its link does not work any more.',
  changed: 'The role is changed.',
  removed: 'The person is removed, and its agents are disconnected.',
}

const noticeOf = (done = ''): Markup => (Object.hasOwn(DONE, done) ? notice('done', DONE[done] as string) : '')

function listOf(members: readonly MemberRow[], visit: Visit): Markup {
  return table({
    caption: 'Members',
    columns: ['Member', 'Role', 'Since', 'Action'],
    rows: members.map((member) => [
      html`${member.email}${member.user_id === visit.session.userId ? ' (you)' : ''}`,
      html`${member.role}`,
      when(member.created_at),
      actions(member, visit),
    ]),
  })
}

function actions({ user_id, email, role }: MemberRow, { workspace, session }: Visit): Markup {
  const isSelf = user_id === session.userId
  const of = `${pathOf(workspace)}/members/${user_id}`
  const changes = isAtLeast(workspace.role, 'admin') && mayChange(workspace.role, role)
  const fields = choice({
    name: 'role',
    label: 'Role',
    id: `role-${user_id}`,
    value: role,
    options: optionsOf(givable(workspace.role)),
  })
  const change = twoSteps('Change role', email, form({ action: `${of}/role`, submit: 'Change', about: email, fields }))
  const remove = isSelf
    ? twoSteps(
        'Leave',
        '',
        html`<p>You need an invitation to come back, and your agents here are disconnected.</p>
          !${form({ action: `${of}/remove`, submit: 'Leave the workspace', isDangerous: true })}`,
      )
    : twoSteps(
        'Remove',
        email,
        html`<p>The person loses the workspace at once, and its agents here are disconnected. Keys stay as they are.</p>
          !${form({ action: `${of}/remove`, submit: 'Remove', about: email, isDangerous: true })}`,
      )
  if (!changes && !isSelf) return html`none`
  return html`!${changes ? change : ''}!${remove}`
}

const optionsOf = (roles: readonly Role[]) => roles.map((value) => ({ value, text: value }))

function invitationsOf(open: readonly InvitationRow[], { workspace }: Visit): Markup {
  return table({
    caption: 'Open invitations',
    columns: ['Invited', 'As', 'Until', 'Action'],
    rows: open.map(({ link_sha, email, role, expires_at }) => [
      html`${email}`,
      html`${role}`,
      when(expires_at),
      form({
        action: `${pathOf(workspace)}/invitations/${link_sha.toString('hex')}/withdraw`,
        submit: 'Withdraw',
        about: email,
        isDangerous: true,
      }),
    ]),
  })
}

function inviteForm({ workspace }: Visit, { fault, email = '', role = 'member' }: Shown): Markup {
  const fields = [
    field({
      name: 'email',
      label: 'E-mail',
      type: 'email',
      value: email,
      autocomplete: 'off',
      error: fault,
      hint: 'The person gets a mail with a link that works for a week.',
    }),
    choice({ name: 'role', label: 'Role', value: role, options: optionsOf(givable(workspace.role)) }),
  ]
  const action = `${pathOf(workspace)}/invitations`
  return html`<h2>Invite somebody</h2>!${form({ action, submit: 'Invite', fields: fields.join('') })}`
}
