import { emailField, type Page } from '@catalog/console/pages/html.ts'
import {
  confirmation,
  isAtLeast,
  type Membership,
  workspaceNav,
  workspacePath,
} from '@catalog/console/sessions/membership.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { choice, form, notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import type { MemberRow, Role } from '@catalog/store/accounts/members.ts'
import type { InvitationRow } from '@catalog/store/accounts/people.ts'
import { assignableRoles, canChange } from './roles.ts'

/** The page of a workspace's members and open invitations. */

export type Shown = Readonly<{ done?: string; problem?: string; email?: string; role?: Role }>

export function memberListPage(
  membership: Membership,
  { members, open, shown }: { members: readonly MemberRow[]; open: readonly InvitationRow[]; shown: Shown },
): Page {
  const { workspace } = membership
  return {
    title: 'Members',
    nav: workspaceNav(workspace, 'Members'),
    body: html`
<p>People in the workspace ${workspace.name}. Owners may do everything; admins manage keys, agents, members and admins; members
look, and connect agents of their own.</p>
!${noticeOf(shown.done)}
!${memberTable(members, membership)}
!${open.length === 0 ? '' : invitationsOf(open, membership)}
!${isAtLeast(workspace.role, 'admin') ? inviteForm(membership, shown) : ''}`,
  }
}

const DONE: Readonly<Record<string, string>> = {
  invited: 'The invitation is on its way by mail.',
  withdrawn: 'The invitation is withdrawn. Its link no longer works.',
  changed: 'The role is changed.',
  removed: 'The person is removed, and their agents are disconnected.',
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
        html`<p>The person loses access at once, and their agents here are disconnected. Keys stay valid.</p>
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
    emailField({
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
