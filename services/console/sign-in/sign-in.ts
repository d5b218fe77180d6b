import { mailLink } from '@catalog/console/mail/email-templates.ts'
import { emailProblem, formPassword, formText, queryText } from '@catalog/console/pages/form.ts'
import { emailField, passwordField, sendPage } from '@catalog/console/pages/html.ts'
import { Redirect, refusal } from '@catalog/console/pages/page-error.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { admit } from '@catalog/console/sessions/second-factor.ts'
import { endOwnSession, safeReturnPath } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { html } from '@catalog/pages/markup.ts'
import { form, notice } from '@catalog/pages/parts.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Signing in and out. */
export function signInRoutes(pages: FastifyInstance, context: PagesContext): void {
  const { store, origin, now, attemptLimits, passwords } = context

  pages.get('/sign-in', async (request, reply) => {
    const next = safeReturnPath(queryText(request, 'next'))
    if (request.session !== null) throw new Redirect(next)
    return renderSignIn(reply, { next })
  })

  pages.post('/sign-in', async (request, reply) => {
    const next = safeReturnPath(formText(request, 'next'))
    const email = formText(request, 'email')
    const password = formPassword(request)
    const problem = emailProblem(email)
    if (problem !== undefined) return renderSignIn(reply, { next, email, problem }, 400)
    const attempt = await attemptLimits.signIn(request, email)
    const user = await findUser(store, { email })
    const isRight = await passwords.matches(password, user?.password_hash, attempt)
    if (!isRight || user === undefined) return renderSignIn(reply, { next, email, isWrong: true }, 403)
    await attempt.succeed()
    const at = instant(now())
    const { user_id: userId } = user
    if (user.verified_at === null) {
      await attemptLimits.mailLink(request, email)
      await store.transaction((tx) => mailLink(tx, 'verify', { origin, userId, email: user.email, at }))
      throw refusal('unverified')
    }
    return reply.redirect(await store.transaction((tx) => admit(tx, request, reply, { userId, at, next })), 303)
  })

  pages.post('/sign-out', async (request, reply) => {
    await endOwnSession(store, request, reply)
    return reply.redirect('/console/sign-in', 303)
  })
}

type SignIn = Readonly<{ next: string; email?: string; problem?: string; isWrong?: boolean }>

function renderSignIn(
  reply: FastifyReply,
  { next, email = '', problem, isWrong = false }: SignIn,
  status = 200,
): FastifyReply {
  const fields = [emailField({ value: email, error: problem }), passwordField()]
  const body = html`!${isWrong ? notice('error', 'The e-mail or the password is wrong.') : ''}
    !${form({ action: '/console/sign-in', submit: 'Sign in', fields: fields.join(''), hidden: { next } })}
    <p><a href="/console/forgot">Forgot the password?</a></p>
    <p>No account yet? <a href="/console/sign-up">Sign up</a></p>`
  return sendPage(reply, { title: 'Sign in', body }, status)
}
