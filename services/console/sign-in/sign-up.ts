import { newId } from '@catalog/access/keys.ts'
import { mailKnown, mailVerification } from '@catalog/console/mail/email-templates.ts'
import { Elsewhere } from '@catalog/console/pages/page-error.ts'
import { asked, EMAIL_CHARS_MAX, emailFault, nameFault, typed, typedPassword } from '@catalog/console/pages/form.ts'
import { field, form, knownEmailField, sendPage } from '@catalog/console/pages/html.ts'
import { openLink, useLink } from '@catalog/console/sessions/link-token.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { newPasswordField, passwordFault } from '@catalog/console/sessions/password.ts'
import { HOME, startSession } from '@catalog/console/sessions/session.ts'
import { makeWorkspace, workspaceField } from '@catalog/console/workspace/new-workspace.ts'
import { instant } from '@catalog/core/time.ts'
import { findUser, insertUser, setPendingPassword, type UserRow, verifyUser } from '@catalog/store/accounts/people.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'

/**
 * Signing up: an e-mail and a password, then the link that is mailed. Whoever opens it enters the password once more.
 *
 * Law: an account belongs to whoever reads the mail and knows the password. Anybody may sign up with the e-mail of
 * another, before or after it; a mailed link alone would hand the account, with the stranger's password, to both.
 */
export function signUpRoutes(pages: FastifyInstance, context: PagesContext): void {
  const { store, origin, now, attempts, passwords } = context

  pages.get('/sign-up', async (request, reply) => {
    if (request.session !== null) throw new Elsewhere(HOME)
    return sendSignUp(reply, {})
  })

  pages.post('/sign-up', async (request, reply) => {
    const email = typed(request, 'email')
    const password = typedPassword(request, 'new_password')
    const faults = { email: emailFault(email), password: passwordFault(password, email) }
    if (faults.email ?? faults.password) return sendSignUp(reply, { email, faults }, 400)
    await attempts.signUp(request, email)
    const passwordHash = await passwords.hash(password)
    const at = instant(now())
    await store.transaction(async (tx) => {
      const userId = newId('usr_')
      if (await insertUser(tx, { userId, email, passwordHash, at })) {
        return await mailVerification(tx, { origin, userId, email, at })
      }
      const known = (await findUser(tx, { email })) as UserRow
      const to = { origin, userId: known.user_id, email: known.email, at }
      if (known.verified_at !== null) return await mailKnown(tx, to)
      await setPendingPassword(tx, { userId: known.user_id, passwordHash })
      await mailVerification(tx, to)
    })
    return sendPage(reply, {
      title: 'Look into your mail',
      body: html`<p>A mail is on its way to <strong>${email}</strong>. Open the link in it to go on.</p>
        <p>Nothing there after some minutes? Look among the unwanted mail, or <a href="/console/sign-up">try again</a>.</p>`,
    })
  })

  pages.get('/verify', async (request, reply) => {
    const token = asked(request, 'token')
    const { email } = await openLink(store, { token, purpose: 'verify', now })
    return sendVerify(reply, { token, email })
  })

  pages.post('/verify', async (request, reply) => {
    const token = typed(request, 'token')
    const { email, user_id: userId } = await openLink(store, { token, purpose: 'verify', now })
    const name = typed(request, 'workspace')
    const fault = nameFault(name)
    if (fault !== undefined) return sendVerify(reply, { token, email, name, fault }, 400)
    await attempts.signIn(request, email)
    const user = await findUser(store, { userId })
    const isRight = await passwords.matches(typedPassword(request), user?.password_hash)
    if (!isRight || user === undefined) return sendVerify(reply, { token, email, name, isWrong: true }, 403)
    const at = instant(now())
    const isDone = await store.transaction(async (tx) => {
      // Somebody signed up with this e-mail meanwhile: what was entered is the password no more.
      if (!(await verifyUser(tx, { userId, passwordHash: user.password_hash, at }))) return false
      await useLink(tx, { token, purpose: 'verify', at })
      await makeWorkspace(tx, { userId, email: user.email, name, at })
      await startSession(tx, request, reply, { userId, at })
      return true
    })
    if (!isDone) return sendVerify(reply, { token, email, name, isWrong: true }, 403)
    return reply.redirect(HOME, 303)
  })
}

type SignUp = Readonly<{ email?: string; faults?: { email?: string | undefined; password?: string | undefined } }>

function sendSignUp(reply: FastifyReply, { email = '', faults = {} }: SignUp, status = 200): FastifyReply {
  const fields = [
    field({
      name: 'email',
      label: 'E-mail',
      type: 'email',
      value: email,
      autocomplete: 'username',
      maxLength: EMAIL_CHARS_MAX,
      error: faults.email,
    }),
    newPasswordField({ error: faults.password }),
  ]
  const body = html`<p>With an account you connect agents to the catalog and share workspaces. Reading needs none.</p>
    !${form({ action: '/console/sign-up', submit: 'Sign up', fields: fields.join('') })}
    <p>You have an account? <a href="/console/sign-in">Sign in</a></p>`
  return sendPage(reply, { title: 'Sign up', body }, status)
}

type Verify = Readonly<{ token: string; email: string; name?: string; fault?: string; isWrong?: boolean }>

function sendVerify(reply: FastifyReply, { token, email, name = '', fault, isWrong = false }: Verify, status = 200) {
  const fields = [
    knownEmailField(email),
    field({
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      hint: 'The one that you chose when you signed up.',
      error: isWrong ? 'This is not the password that was chosen last for this e-mail.' : undefined,
    }),
    workspaceField({ value: name, error: fault }),
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
