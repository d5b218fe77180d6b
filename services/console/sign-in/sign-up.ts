import { newId } from '@catalog/access/keys.ts'
import { mailLink, mailNotice } from '@catalog/console/mail/email-templates.ts'
import {
  EMAIL_CHARS_MAX,
  emailProblem,
  formPassword,
  formText,
  nameProblem,
  queryText,
} from '@catalog/console/pages/form.ts'
import { emailField, emailOfAccountField, passwordField, sendPage } from '@catalog/console/pages/html.ts'
import { Redirect } from '@catalog/console/pages/page-error.ts'
import { consumeLink, verifyLink } from '@catalog/console/sessions/link-token.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { newPasswordField, passwordProblem } from '@catalog/console/sessions/password.ts'
import { admit } from '@catalog/console/sessions/second-factor.ts'
import { HOME } from '@catalog/console/sessions/session.ts'
import { createOwnedWorkspace, workspaceField } from '@catalog/console/workspace/new-workspace.ts'
import { instant } from '@catalog/core/time.ts'
import { html } from '@catalog/pages/markup.ts'
import { form } from '@catalog/pages/parts.ts'
import { findUser, insertUser, setPendingPassword, type UserRow, verifyUser } from '@catalog/store/accounts/people.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Signing up: an e-mail and a password, then a mailed link whose page asks for the password again.
 *
 * Law: an account belongs to the person who reads the mail and knows the password. Anybody may sign up with another
 * person's e-mail, before or after; a mailed link alone would hand the account to both, with the stranger's password.
 */
export function signUpRoutes(pages: FastifyInstance, context: PagesContext): void {
  const { store, origin, now, attemptLimits, passwords } = context

  pages.get('/sign-up', async (request, reply) => {
    if (request.session !== null) throw new Redirect(HOME)
    return sendSignUp(reply, {})
  })

  pages.post('/sign-up', async (request, reply) => {
    const email = formText(request, 'email')
    const password = formPassword(request, 'new_password')
    const problems = { email: emailProblem(email), password: await passwordProblem(password, email) }
    if (problems.email ?? problems.password) return sendSignUp(reply, { email, problems }, 400)
    await attemptLimits.signUp(request, email)
    const passwordHash = await passwords.hash(password)
    const at = instant(now())
    await store.transaction(async (tx) => {
      const userId = newId('usr_')
      if (await insertUser(tx, { userId, email, passwordHash, at })) {
        return await mailLink(tx, 'verify', { origin, userId, email, at })
      }
      const known = (await findUser(tx, { email })) as UserRow
      const to = { origin, userId: known.user_id, email: known.email, at }
      if (known.verified_at !== null) return await mailNotice(tx, 'account_exists', to)
      await setPendingPassword(tx, { userId: known.user_id, passwordHash })
      await mailLink(tx, 'verify', to)
    })
    return sendPage(reply, {
      title: 'Check your mail',
      body: html`<p>A mail is on its way to <strong>${email}</strong>. Open the link in it to go on.</p>
        <p>Nothing there after some minutes? Look among the unwanted mail, or <a href="/console/sign-up">try again</a>.</p>`,
    })
  })

  pages.get('/verify', async (request, reply) => {
    const token = queryText(request, 'token')
    const { email } = await verifyLink(store, { token, purpose: 'verify', now })
    return sendVerify(reply, { token, email })
  })

  pages.post('/verify', async (request, reply) => {
    const token = formText(request, 'token')
    const { email, user_id: userId } = await verifyLink(store, { token, purpose: 'verify', now })
    const name = formText(request, 'workspace')
    const problem = nameProblem(name)
    if (problem !== undefined) return sendVerify(reply, { token, email, name, problem }, 400)
    const attempt = await attemptLimits.signIn(request, email)
    const user = await findUser(store, { userId })
    const isRight = await passwords.matches(formPassword(request), user?.password_hash, attempt)
    if (!isRight || user === undefined) return sendVerify(reply, { token, email, name, isWrong: true }, 403)
    await attempt.succeed()
    const at = instant(now())
    const path = await store.transaction(async (tx) => {
      // Another sign-up with this e-mail replaced the password meanwhile.
      if (!(await verifyUser(tx, { userId, passwordHash: user.password_hash, at }))) return undefined
      await consumeLink(tx, { token, purpose: 'verify', at })
      await createOwnedWorkspace(tx, { userId, email: user.email, name, at })
      return await admit(tx, request, reply, { userId, at, next: HOME })
    })
    if (path === undefined) return sendVerify(reply, { token, email, name, isWrong: true }, 403)
    return reply.redirect(path, 303)
  })
}

type SignUp = Readonly<{ email?: string; problems?: { email?: string | undefined; password?: string | undefined } }>

function sendSignUp(reply: FastifyReply, { email = '', problems = {} }: SignUp, status = 200): FastifyReply {
  const fields = [
    emailField({ value: email, maxLength: EMAIL_CHARS_MAX, error: problems.email }),
    newPasswordField({ error: problems.password }),
  ]
  const body = html`<p>With an account you connect agents to the catalog and share workspaces. Reading needs none.</p>
    !${form({ action: '/console/sign-up', submit: 'Sign up', fields: fields.join('') })}
    <p>You have an account? <a href="/console/sign-in">Sign in</a></p>`
  return sendPage(reply, { title: 'Sign up', body }, status)
}

type Verify = Readonly<{ token: string; email: string; name?: string; problem?: string; isWrong?: boolean }>

function sendVerify(reply: FastifyReply, { token, email, name = '', problem, isWrong = false }: Verify, status = 200) {
  const fields = [
    emailOfAccountField(email),
    passwordField({
      hint: 'The password that you chose at sign-up.',
      error: isWrong ? 'This is not the password chosen last for this e-mail.' : undefined,
    }),
    workspaceField({ value: name, error: problem }),
  ]
  const body = html`!${form({
    action: '/console/verify',
    submit: 'Verify and sign in',
    fields: fields.join(''),
    hidden: { token },
  })}
    <p>Not the password? <a href="/console/forgot">Set a new one</a></p>`
  return sendPage(reply, { title: 'Verify your e-mail', body }, status)
}
