import { disconnectAll } from '@catalog/console/agents/agents.ts'
import { mailLink, mailNotice } from '@catalog/console/mail/email-templates.ts'
import { emailProblem, formPassword, formText, queryText } from '@catalog/console/pages/form.ts'
import { emailField, emailOfAccountField, sendPage } from '@catalog/console/pages/html.ts'
import { consumeLink, verifyLink } from '@catalog/console/sessions/link-token.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { newPasswordField, passwordProblem } from '@catalog/console/sessions/password.ts'
import { admit } from '@catalog/console/sessions/second-factor.ts'
import { HOME } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { html } from '@catalog/pages/markup.ts'
import { form } from '@catalog/pages/parts.ts'
import { forgetDevices } from '@catalog/store/accounts/devices.ts'
import { workspacesOf } from '@catalog/store/accounts/members.ts'
import { endLinks, endSessions, findUser, setPassword } from '@catalog/store/accounts/people.ts'
import { endPendingSignIns } from '@catalog/store/accounts/second-factors.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Resets a password by a mailed link. The link also signs in, so that wrong passwords entered by others cannot lock a
 * person out: attempt limits count passwords only. Where a second factor is on, its code is asked for as well.
 */
export function resetRoutes(pages: FastifyInstance, context: PagesContext): void {
  const { store, origin, now, attemptLimits, passwords } = context

  pages.get('/forgot', async (_request, reply) => sendForgot(reply, {}))

  pages.post('/forgot', async (request, reply) => {
    const email = formText(request, 'email')
    const problem = emailProblem(email)
    if (problem !== undefined) return sendForgot(reply, { email, problem }, 400)
    await attemptLimits.mailLink(request, email)
    const at = instant(now())
    await store.transaction(async (tx) => {
      const user = await findUser(tx, { email })
      // A known address costs two more statements, about a millisecond. Twenty requests a day make that unmeasurable.
      if (user !== undefined) await mailLink(tx, 'reset', { origin, userId: user.user_id, email: user.email, at })
    })
    return sendPage(reply, {
      title: 'Check your mail',
      body: html`<p>If there is an account of <strong>${email}</strong>, a mail is on its way. The link in it sets a new password.</p>`,
    })
  })

  pages.get('/reset', async (request, reply) => {
    const token = queryText(request, 'token')
    const { email } = await verifyLink(store, { token, purpose: 'reset', now })
    return sendReset(reply, { token, email })
  })

  pages.post('/reset', async (request, reply) => {
    const token = formText(request, 'token')
    const { email, user_id: userId } = await verifyLink(store, { token, purpose: 'reset', now })
    const password = formPassword(request, 'new_password')
    const problem = await passwordProblem(password, email)
    if (problem !== undefined) return sendReset(reply, { token, email, problem }, 400)
    const passwordHash = await passwords.hash(password)
    const at = instant(now())
    const path = await store.transaction(async (tx) => {
      await consumeLink(tx, { token, purpose: 'reset', at })
      await setPassword(tx, { userId, passwordHash, at })
      await endLinks(tx, { userId, at })
      await endSessions(tx, userId)
      await endPendingSignIns(tx, userId)
      await forgetDevices(tx, userId)
      // Who knew the old password may have connected them.
      for (const { workspace_id: workspaceId } of await workspacesOf(tx, userId))
        await disconnectAll(tx, { workspaceId, userId }, { actor: email, at })
      await mailNotice(tx, 'password_changed', { origin, userId, email, at })
      return await admit(tx, request, reply, { userId, at, next: HOME })
    })
    return reply.redirect(path, 303)
  })
}

type Forgot = Readonly<{ email?: string; problem?: string }>

function sendForgot(reply: FastifyReply, { email = '', problem }: Forgot, status = 200): FastifyReply {
  const fields = emailField({ value: email, error: problem })
  const body = html`!${form({ action: '/console/forgot', submit: 'Send the link', fields })}
    <p><a href="/console/sign-in">Back to signing in</a></p>`
  return sendPage(reply, { title: 'Forgot the password', body }, status)
}

type Reset = Readonly<{ token: string; email: string; problem?: string }>

function sendReset(reply: FastifyReply, { token, email, problem }: Reset, status = 200): FastifyReply {
  const fields = emailOfAccountField(email) + newPasswordField({ error: problem })
  const body = html`<p>This signs out all other browsers, and disconnects the agents that you connected.</p>
    !${form({ action: '/console/reset', submit: 'Set the password and sign in', fields, hidden: { token } })}`
  return sendPage(reply, { title: 'Set a new password', body }, status)
}
