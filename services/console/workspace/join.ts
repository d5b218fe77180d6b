import { newId } from '@catalog/access/keys.ts'
import { PageError } from '@catalog/console/pages/page-error.ts'
import { asked, typed, typedPassword } from '@catalog/console/pages/form.ts'
import { field, form, knownEmailField, type Markup, notice, sendPage } from '@catalog/console/pages/html.ts'
import { openLink, useLink } from '@catalog/console/sessions/link-token.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { newPasswordField, passwordFault } from '@catalog/console/sessions/password.ts'
import { startSession } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { findWorkspace } from '@catalog/store/accounts/accounts.ts'
import { addMember, appendAudit } from '@catalog/store/accounts/members.ts'
import {
  endLinks,
  findUser,
  insertUser,
  type LinkRow,
  setPassword,
  type UserRow,
} from '@catalog/store/accounts/people.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'

type Invitation = Extract<LinkRow, { purpose: 'invite' }>

/**
 * Joining a workspace by an invitation. The link proves the e-mail: whoever has no account gets one by a password, whoever
 * has one enters its password or is signed in already.
 */
export function joinRoutes(pages: FastifyInstance, { store, now, attempts, passwords }: PagesContext): void {
  pages.get('/invite', async (request, reply) => {
    const token = asked(request, 'token')
    const invitation = await openLink(store, { token, purpose: 'invite', now })
    return await sendInvitation(request, reply, { token, invitation })
  })

  pages.post('/invite', async (request, reply) => {
    const token = typed(request, 'token')
    const invitation = await openLink(store, { token, purpose: 'invite', now })
    const { email } = invitation
    const refuse = (fault: string, status: number) =>
      sendInvitation(request, reply, { token, invitation, fault }, status)
    const guest = await guestOf(request, invitation)
    if (guest.kind === 'other') return await refuse('', 403)

    let passwordHash = ''
    if (guest.kind === 'account') {
      await attempts.signIn(request, email)
      const isRight = await passwords.matches(typedPassword(request), guest.user.password_hash)
      if (!isRight) return await refuse('This is not your password.', 403)
    }
    if (guest.kind === 'stranger') {
      const password = typedPassword(request, 'new_password')
      const fault = passwordFault(password, email)
      if (fault !== undefined) return await refuse(fault, 400)
      passwordHash = await passwords.hash(password)
    }

    const at = instant(now())
    const workspaceId = await store.transaction(async (tx) => {
      const { workspace_id, role } = await useLink(tx, { token, purpose: 'invite', at })
      const userId = guest.kind === 'stranger' ? await makeUser(tx, { email, passwordHash, at }) : guest.userId
      if (await addMember(tx, { workspaceId: workspace_id, userId, role, at })) {
        const audited = { workspaceId: workspace_id, at, actor: email, target: email, details: { role } }
        await appendAudit(tx, { ...audited, action: 'member.joined' })
      }
      if (guest.kind !== 'signed in') await startSession(tx, request, reply, { userId, at })
      return workspace_id
    })
    return reply.redirect(`/console/workspaces/${workspaceId}`, 303)
  })
  /** Who the browser is to the one that was invited. */
  async function guestOf({ session }: FastifyRequest, { email }: Invitation): Promise<Guest> {
    if (session !== null) {
      const isInvited = session.email.toLowerCase() === email.toLowerCase()
      return isInvited ? { kind: 'signed in', userId: session.userId } : { kind: 'other', email: session.email }
    }
    const user = await findUser(store, { email })
    // A password that was chosen before anybody proved to read the mail is perhaps a stranger's.
    if (user === undefined || user.verified_at === null) return { kind: 'stranger' }
    return { kind: 'account', userId: user.user_id, user }
  }

  async function sendInvitation(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, invitation, fault }: Readonly<{ token: string; invitation: Invitation; fault?: string }>,
    status = 200,
  ): Promise<FastifyReply> {
    const { workspace_id, email, role } = invitation
    const workspace = await findWorkspace(store, workspace_id)
    const guest = await guestOf(request, invitation)
    const body = html`<p>You are invited to the workspace <strong>${workspace?.name}</strong> as ${WORDS[role]}.</p>
      !${guest.kind === 'other' ? otherMarkup(guest.email, email) : joinForm({ guest, token, email, fault })}`
    return sendPage(reply, { title: 'Join a workspace', body }, status)
  }
}

type Guest = Readonly<
  | { kind: 'signed in'; userId: string }
  | { kind: 'account'; userId: string; user: UserRow }
  | { kind: 'stranger' }
  | { kind: 'other'; email: string }
>

const WORDS: Readonly<Record<Invitation['role'], string>> = { owner: 'an owner', admin: 'an admin', member: 'a member' }

type Join = Readonly<{ guest: Guest; token: string; email: string; fault?: string | undefined }>

function joinForm({ guest, token, email, fault }: Join): Markup {
  const fields = {
    'signed in': '',
    other: '',
    stranger: knownEmailField(email) + newPasswordField({ error: fault }),
    account:
      knownEmailField(email) +
      field({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        hint: 'Of your account here.',
        error: fault,
      }),
  }[guest.kind]
  const submit = guest.kind === 'stranger' ? 'Sign up and join' : 'Join'
  const forgot = guest.kind === 'account' ? html`<p><a href="/console/forgot">Forgot the password?</a></p>` : ''
  return form({ action: '/console/invite', submit, fields, hidden: { token } }) + forgot
}

function otherMarkup(email: string, invited: string): Markup {
  return html`!${notice('error', `The invitation is for ${invited}, and you are signed in as ${email}.`)}
    <p>Sign out, then open the link in the mail again.</p>
    !${form({ action: '/console/sign-out', submit: 'Sign out', fields: '' })}`
}

/** An account whose e-mail the invitation proves; answers its id. */
async function makeUser(
  tx: Queryable,
  { email, passwordHash, at }: { email: string; passwordHash: string; at: string },
): Promise<string> {
  await insertUser(tx, { userId: newId('usr_'), email, passwordHash, at })
  const user = (await findUser(tx, { email })) as UserRow
  if (user.verified_at !== null) {
    throw new PageError(409, 'You have an account', 'It was made a moment ago. Open the link in the mail again.')
  }
  const { user_id: userId } = user
  await setPassword(tx, { userId, passwordHash, at })
  await endLinks(tx, { userId, at })
  return userId
}
