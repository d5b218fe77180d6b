import { mailVerification } from '@catalog/console/mail/email-templates.ts'
import { Elsewhere, PageError } from '@catalog/console/pages/page-error.ts'
import { asked, emailFault, typed, typedPassword } from '@catalog/console/pages/form.ts'
import { field, form, notice, sendPage } from '@catalog/console/pages/html.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { pathAfter, startSession, stopSession } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'

/** Signing in and out. */
export function signInRoutes(pages: FastifyInstance, context: PagesContext): void {
  const { store, origin, now, attempts, passwords } = context

  pages.get('/sign-in', async (request, reply) => {
    const next = pathAfter(asked(request, 'next'))
    if (request.session !== null) throw new Elsewhere(next)
    return sendSignIn(reply, { next })
  })

  pages.post('/sign-in', async (request, reply) => {
    const next = pathAfter(typed(request, 'next'))
    const email = typed(request, 'email')
    const password = typedPassword(request)
    const fault = emailFault(email)
    if (fault !== undefined) return sendSignIn(reply, { next, email, fault }, 400)
    await attempts.signIn(request, email)
    const user = await findUser(store, { email })
    const isRight = await passwords.matches(password, user?.password_hash)
    if (!isRight || user === undefined) return sendSignIn(reply, { next, email, isWrong: true }, 403)
    const at = instant(now())
    const { user_id: userId } = user
    if (user.verified_at === null) {
      await attempts.mailLink(request, email)
      await store.transaction((tx) => mailVerification(tx, { origin, userId, email: user.email, at }))
      throw new PageError(
        403,
        'Verify your e-mail first',
        'A link to do so is on its way to you by mail. Open it, and you are signed in.',
      )
    }
    await store.transaction((tx) => startSession(tx, request, reply, { userId, at }))
    return reply.redirect(next, 303)
  })

  pages.post('/sign-out', async (request, reply) => {
    await stopSession(store, request, reply)
    return reply.redirect('/console/sign-in', 303)
  })
}

type SignIn = Readonly<{ next: string; email?: string; fault?: string; isWrong?: boolean }>

function sendSignIn(
  reply: FastifyReply,
  { next, email = '', fault, isWrong = false }: SignIn,
  status = 200,
): FastifyReply {
  const fields = [
    field({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username', error: fault }),
    field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }),
  ]
  const body = html`!${isWrong ? notice('error', 'The e-mail or the password is not right.') : ''}
    !${form({ action: '/console/sign-in', submit: 'Sign in', fields: fields.join(''), hidden: { next } })}
    <p><a href="/console/forgot">Forgot the password?</a></p>
    <p>No account yet? <a href="/console/sign-up">Sign up</a></p>`
  return sendPage(reply, { title: 'Sign in', body }, status)
}
