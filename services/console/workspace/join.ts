import { newId } from '@catalog/access/keys.ts'
import { formPassword, formText, queryText } from '@catalog/console/pages/form.ts'
import { emailOfAccountField, passwordField, sendPage } from '@catalog/console/pages/html.ts'
import { refusal } from '@catalog/console/pages/page-error.ts'
import { consumeLink, verifyLink } from '@catalog/console/sessions/link-token.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { newPasswordField, passwordProblem } from '@catalog/console/sessions/password.ts'
import { admit } from '@catalog/console/sessions/second-factor.ts'
import { instant } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { form, notice } from '@catalog/pages/parts.ts'
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

type Invitation = Extract<LinkRow, { purpose: 'invite' }>

/**
 * Joins a workspace by an invitation, which proves the e-mail. A person without an account chooses a password; others
 * enter theirs or are signed in already.
 */
export function joinRoutes(pages: FastifyInstance, { store, now, attemptLimits, passwords }: PagesContext): void {
  pages.get('/invite', async (request, reply) => {
    const token = queryText(request, 'token')
    const invitation = await verifyLink(store, { token, purpose: 'invite', now })
    return await sendInvitation(request, reply, { token, invitation })
  })

  pages.post('/invite', async (request, reply) => {
    const token = formText(request, 'token')
    const invitation = await verifyLink(store, { token, purpose: 'invite', now })
    const { email } = invitation
    const refuse = (problem: string, status: number) =>
      sendInvitation(request, reply, { token, invitation, problem }, status)
    const guest = await identifyGuest(request, invitation)
    if (guest.kind === 'other') return await refuse('', 403)

    let passwordHash = ''
    if (guest.kind === 'account') {
      const attempt = await attemptLimits.signIn(request, email)
      const isRight = await passwords.matches(formPassword(request), guest.user.password_hash, attempt)
      if (!isRight) return await refuse('This is not your password.', 403)
      await attempt.succeed()
    }
    if (guest.kind === 'stranger') {
      const password = formPassword(request, 'new_password')
      const problem = await passwordProblem(password, email)
      if (problem !== undefined) return await refuse(problem, 400)
      passwordHash = await passwords.hash(password)
    }

    const at = instant(now())
    const path = await store.transaction(async (tx) => {
      const { workspace_id, role } = await consumeLink(tx, { token, purpose: 'invite', at })
      const userId = guest.kind === 'stranger' ? await createInvitedUser(tx, { email, passwordHash, at }) : guest.userId
      if (await addMember(tx, { workspaceId: workspace_id, userId, role, at })) {
        const audited = { workspaceId: workspace_id, at, actor: email, target: email, details: { role } }
        await appendAudit(tx, { ...audited, action: 'member.joined' })
      }
      const next = `/console/workspaces/${workspace_id}`
      return guest.kind === 'signed in' ? next : await admit(tx, request, reply, { userId, at, next })
    })
    return reply.redirect(path, 303)
  })
  /** Compares the browser's person with the invited one. */
  async function identifyGuest({ session }: FastifyRequest, { email }: Invitation): Promise<Guest> {
    if (session !== null) {
      const isInvited = session.email.toLowerCase() === email.toLowerCase()
      return isInvited ? { kind: 'signed in', userId: session.userId } : { kind: 'other', email: session.email }
    }
    const user = await findUser(store, { email })
    // A stranger may have chosen the password of an unverified account.
    if (user === undefined || user.verified_at === null) return { kind: 'stranger' }
    return { kind: 'account', userId: user.user_id, user }
  }

  async function sendInvitation(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, invitation, problem }: Readonly<{ token: string; invitation: Invitation; problem?: string }>,
    status = 200,
  ): Promise<FastifyReply> {
    const { workspace_id, email, role } = invitation
    const workspace = await findWorkspace(store, workspace_id)
    const guest = await identifyGuest(request, invitation)
    const body = html`<p>You are invited to the workspace <strong>${workspace?.name}</strong> as ${ROLE_TEXT[role]}.</p>
      !${guest.kind === 'other' ? wrongAccount(guest.email, email) : joinForm({ guest, token, email, problem })}`
    return sendPage(reply, { title: 'Join a workspace', body }, status)
  }
}

type Guest = Readonly<
  | { kind: 'signed in'; userId: string }
  | { kind: 'account'; userId: string; user: UserRow }
  | { kind: 'stranger' }
  | { kind: 'other'; email: string }
>

const ROLE_TEXT: Readonly<Record<Invitation['role'], string>> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
}

type Join = Readonly<{ guest: Guest; token: string; email: string; problem?: string | undefined }>

function joinForm({ guest, token, email, problem }: Join): Markup {
  const fields = {
    'signed in': '',
    other: '',
    stranger: emailOfAccountField(email) + newPasswordField({ error: problem }),
    account: emailOfAccountField(email) + passwordField({ hint: 'The password of your account here.', error: problem }),
  }[guest.kind]
  const submit = guest.kind === 'stranger' ? 'Sign up and join' : 'Join'
  const forgot = guest.kind === 'account' ? html`<p><a href="/console/forgot">Forgot the password?</a></p>` : ''
  return form({ action: '/console/invite', submit, fields, hidden: { token } }) + forgot
}

function wrongAccount(email: string, invited: string): Markup {
  return html`!${notice('error', `The invitation is for ${invited}, and you are signed in as ${email}.`)}
    <p>Sign out, then open the link in the mail again.</p>
    !${form({ action: '/console/sign-out', submit: 'Sign out', fields: '' })}`
}

/** Creates an account whose e-mail the invitation proves; answers its id. */
async function createInvitedUser(
  tx: Queryable,
  { email, passwordHash, at }: { email: string; passwordHash: string; at: string },
): Promise<string> {
  await insertUser(tx, { userId: newId('usr_'), email, passwordHash, at })
  const user = (await findUser(tx, { email })) as UserRow
  if (user.verified_at !== null) {
    throw refusal('account_exists')
  }
  const { user_id: userId } = user
  await setPassword(tx, { userId, passwordHash, at })
  await endLinks(tx, { userId, at })
  return userId
}
