import { mailNotice } from '@catalog/console/mail/email-templates.ts'
import type { Session } from '@catalog/console/pages/context.ts'
import { formPassword, queryText } from '@catalog/console/pages/form.ts'
import { emailOfAccountField, passwordField, sendPage } from '@catalog/console/pages/html.ts'
import { knownDevice } from '@catalog/console/pages/known-device.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { newPasswordField, passwordProblem } from '@catalog/console/sessions/password.ts'
import { requireSession, startSession } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { form, notice, timeElement } from '@catalog/pages/parts.ts'
import { table } from '@catalog/pages/table.ts'
import { forgetDevices } from '@catalog/store/accounts/devices.ts'
import { isOperator } from '@catalog/store/accounts/operators.ts'
import {
  changePassword,
  endLinks,
  endSessions,
  findUser,
  listSessions,
  type SessionRow,
} from '@catalog/store/accounts/people.ts'
import { endPendingSignIns, owesCode } from '@catalog/store/accounts/second-factors.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { FACTOR_PATH } from './second-factor.ts'

const SESSIONS_SHOWN_MAX = 50

/** The password and the sessions of the signed-in person. */
export function accountRoutes(pages: FastifyInstance, context: PagesContext): void {
  const { store, origin, now, attemptLimits, passwords } = context

  pages.get('/account', async (request, reply) => {
    const session = requireSession(request)
    return await sendAccount(reply, session, { done: DONE.get(queryText(request, 'done')) })
  })

  pages.post('/account/password', async (request, reply) => {
    const session = requireSession(request)
    const { userId, email } = session
    const password = formPassword(request, 'new_password')
    const problem = await passwordProblem(password, email)
    if (problem !== undefined) return await sendAccount(reply, session, { problems: { next: problem } }, 400)
    const attempt = await attemptLimits.signIn(request, email)
    const former = (await findUser(store, { userId }))?.password_hash
    const isRight = await passwords.matches(formPassword(request), former, attempt)
    if (isRight) await attempt.succeed()
    const passwordHash = isRight && former !== undefined ? await passwords.hash(password, attempt) : undefined
    const at = instant(now())
    const isChanged =
      passwordHash !== undefined &&
      former !== undefined &&
      (await store.transaction(async (tx) => {
        if (!(await changePassword(tx, { userId, former, passwordHash }))) return false
        await endLinks(tx, { userId, at })
        await endSessions(tx, userId)
        await endPendingSignIns(tx, userId)
        await forgetDevices(tx, userId)
        await startSession(tx, request, reply, { userId, at })
        await mailNotice(tx, 'password_changed', { origin, userId, email, at })
        return true
      }))
    if (!isChanged)
      return await sendAccount(reply, session, { problems: { former: 'This is not your password.' } }, 403)
    return reply.redirect('/console/account?done=password', 303)
  })

  pages.post('/account/sign-out-elsewhere', async (request, reply) => {
    const { userId, email, sessionSha } = requireSession(request)
    await endSessions(store, userId, { except: sessionSha })
    await forgetDevices(store, userId, { except: await knownDevice(store, request, { email, at: instant(now()) }) })
    return reply.redirect('/console/account?done=elsewhere', 303)
  })

  type Shown = Readonly<{ done?: string | undefined; problems?: Faults }>

  async function sendAccount(reply: FastifyReply, session: Session, { done, problems = {} }: Shown, status = 200) {
    const { userId, email } = session
    const sessions = await listSessions(store, { userId, at: instant(now()), limit: SESSIONS_SHOWN_MAX })
    // The views say "not found" to everybody else.
    const operate = (await isOperator(store, userId))
      ? html`<p><a href="/console/operator">Operate the catalog</a></p>`
      : ''
    const body = html`!${done === undefined ? '' : notice('done', done)}
      !${operate}
      !${passwordForm(email, problems)}
      !${factorLink(await owesCode(store, userId))}
      !${sessionTable(sessions, session)}`
    return sendPage(reply, { title: 'Your account', body }, status)
  }
}

const DONE: ReadonlyMap<string, string> = new Map([
  ['password', 'The password is changed, and all other browsers are signed out.'],
  ['elsewhere', 'All other browsers are signed out.'],
])

type Faults = Readonly<{ former?: string; next?: string }>

function passwordForm(email: string, problems: Faults): Markup {
  const fields = [
    emailOfAccountField(email),
    passwordField({ label: 'Current password', error: problems.former }),
    newPasswordField({ error: problems.next }),
  ]
  return html`<h2>Change the password</h2>
    !${form({ action: '/console/account/password', submit: 'Change the password', fields: fields.join('') })}`
}

const factorLink = (isOn: boolean): Markup => html`<h2>Second factor</h2>
    <p>It is ${isOn ? 'on' : 'off'}: <a href="${FACTOR_PATH}">${isOn ? 'recovery codes, and turning it off' : 'set it up'}</a></p>`

function sessionTable(sessions: readonly SessionRow[], { sessionSha }: Session): Markup {
  const rows = sessions.map(({ session_sha, browser, created_at, seen_at }) => [
    html`${browser}`,
    session_sha.equals(sessionSha) ? 'This browser' : timeElement(seen_at),
    timeElement(created_at),
  ])
  const elsewhere = form({ action: '/console/account/sign-out-elsewhere', submit: 'Sign out elsewhere' })
  return html`<h2>Where you are signed in</h2>
    !${table({ caption: 'Browsers', columns: ['Browser', 'Last seen', 'Signed in'], rows })}
    !${sessions.length > 1 ? elsewhere : ''}`
}
