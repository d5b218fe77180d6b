import { mailNotice } from '@catalog/console/mail/email-templates.ts'
import type { Session } from '@catalog/console/pages/context.ts'
import { formPassword, formText } from '@catalog/console/pages/form.ts'
import { emailOfAccountField, passwordField, sendPage } from '@catalog/console/pages/html.ts'
import { Redirect } from '@catalog/console/pages/page-error.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import {
  acceptCode,
  authenticatorAddress,
  newFactorSecret,
  renewRecoveryCodes,
} from '@catalog/console/sessions/second-factor.ts'
import { requireSession } from '@catalog/console/sessions/session.ts'
import { HOUR_MS, instant } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { form, notice } from '@catalog/pages/parts.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  deleteSecondFactor,
  findSecondFactor,
} from '@catalog/store/accounts/second-factors.ts'
import type { Store, Transaction } from '@catalog/store/db.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import { codeField } from './code.ts'

export const FACTOR_PATH = '/console/account/second-factor'
/** A secret that nobody confirmed is shown no longer. */
const BEGUN_MAX_MS = HOUR_MS
/** A page has each name once. */
const OFF_FIELD = 'off_code'

/** A signed-in person turns the second factor on and off, and renews its recovery codes. */
export function secondFactorRoutes(pages: FastifyInstance, context: PagesContext): void {
  const { store, origin } = context
  setUpRoutes(pages, context)

  pages.get('/account/second-factor', async (request, reply) => sendState(store, reply, requireSession(request)))

  pages.post('/account/second-factor/codes', async (request, reply) => {
    const session = requireSession(request)
    const { userId, email } = session
    const codes = await withCode(context, request, async (tx, at) => {
      await mailNotice(tx, 'second_factor_codes', { origin, userId, email, at })
      return await renewRecoveryCodes(tx, userId)
    })
    if (codes === undefined) return await sendState(store, reply, session, 'codes')
    return sendCodes(reply, codes)
  })

  pages.post('/account/second-factor/off', async (request, reply) => {
    const session = requireSession(request)
    const { userId, email } = session
    const turnOff = async (tx: Transaction, at: string) => {
      await deleteSecondFactor(tx, userId)
      await mailNotice(tx, 'second_factor_off', { origin, userId, email, at })
      return true
    }
    const isOff = await withCode(context, request, turnOff, OFF_FIELD)
    if (!isOff) return await sendState(store, reply, session, 'off')
    return reply.redirect(FACTOR_PATH, 303)
  })
}

/** The password begins it, and a code of the authenticator turns it on. */
function setUpRoutes(pages: FastifyInstance, context: PagesContext): void {
  const { store, origin, now, attemptLimits, passwords } = context

  pages.post('/account/second-factor/begin', async (request, reply) => {
    const session = requireSession(request)
    const { userId, email } = session
    const attempt = await attemptLimits.signIn(request, email)
    const user = await findUser(store, { userId })
    if (!(await passwords.matches(formPassword(request), user?.password_hash, attempt)))
      return await sendState(store, reply, session, 'password')
    await attempt.succeed()
    const secret = newFactorSecret()
    if (!(await beginSecondFactor(store, { userId, secret, at: instant(now()) }))) throw new Redirect(FACTOR_PATH)
    return sendBegun(reply, { secret, email })
  })

  pages.post('/account/second-factor/confirm', async (request, reply) => {
    const { userId, email } = requireSession(request)
    const factor = await findSecondFactor(store, userId)
    const isBegun = factor?.confirmedAt === null && now().getTime() - Date.parse(factor.begunAt) < BEGUN_MAX_MS
    if (factor === undefined || !isBegun) throw new Redirect(FACTOR_PATH)
    const codes = await withCode(context, request, async (tx, at) => {
      if (!(await confirmSecondFactor(tx, { userId, at }))) throw new Redirect(FACTOR_PATH)
      await mailNotice(tx, 'second_factor_on', { origin, userId, email, at })
      return await renewRecoveryCodes(tx, userId)
    })
    if (codes === undefined) return sendBegun(reply, { secret: factor.secret, email, isWrong: true }, 403)
    return sendCodes(reply, codes)
  })
}

/** Does the work where the signed-in person has the code of this field; undefined where not. */
async function withCode<T>(
  { store, now, attemptLimits }: PagesContext,
  request: FastifyRequest,
  work: (tx: Transaction, at: string) => Promise<T>,
  name = 'code',
): Promise<T | undefined> {
  const { userId, email } = requireSession(request)
  const attempt = await attemptLimits.code(request, email)
  const at = instant(now())
  const done = await store.transaction(async (tx) =>
    (await acceptCode(tx, { userId, code: formText(request, name), at })) === undefined
      ? undefined
      : { value: await work(tx, at) },
  )
  if (done !== undefined) await attempt.succeed()
  return done?.value
}

type Problem = 'password' | 'codes' | 'off'

async function sendState(
  store: Store,
  reply: FastifyReply,
  { userId, email }: Session,
  problem?: Problem,
): Promise<FastifyReply> {
  const factor = await findSecondFactor(store, userId)
  const isOn = factor !== undefined && factor.confirmedAt !== null
  const body = isOn ? onText(factor.codesLeft, problem) : offText(email, problem === 'password')
  return sendPage(reply, { title: 'Second factor', body }, problem === undefined ? 200 : 403)
}

function offText(email: string, isWrong: boolean): Markup {
  const fields = [
    emailOfAccountField(email),
    passwordField({ error: isWrong ? 'This is not your password.' : undefined }),
  ]
  return html`<p>With a second factor, signing in also asks for a code that an authenticator on your phone shows. Who learns your
      password, or reads your mail, does not get in without it.</p>
    <p>It is <strong>off</strong>.</p>
    !${form({ action: `${FACTOR_PATH}/begin`, submit: 'Set it up', fields: fields.join('') })}`
}

function onText(codesLeft: number, problem: string | undefined): Markup {
  const codes = form({
    action: `${FACTOR_PATH}/codes`,
    submit: 'Make new recovery codes',
    fields: codeField({ isWrong: problem === 'codes' }),
  })
  const off = form({
    action: `${FACTOR_PATH}/off`,
    submit: 'Turn it off',
    fields: codeField({ name: OFF_FIELD, isWrong: problem === 'off' }),
    isDangerous: true,
  })
  return html`<p>It is <strong>on</strong>: signing in asks for a code of your authenticator.</p>
    <h2>Recovery codes</h2>
    <p>${codesLeft} are left. Each lets you in once without the authenticator. New ones replace them.</p>
    !${codes}
    <h2>Turn it off</h2>
    !${off}`
}

function sendBegun(
  reply: FastifyReply,
  { secret, email, isWrong = false }: { secret: string; email: string; isWrong?: boolean },
  status = 200,
): FastifyReply {
  const address = authenticatorAddress(secret, email)
  const body = html`<ol>
      <li><p>Let your authenticator read this picture, or <a href="${address}">open it on this device</a>, or type the key by hand:
        <code>${(secret.match(/.{1,4}/g) as string[]).join(' ')}</code></p>
        <div class="picture" role="img" aria-label="The same key as a QR code">!${renderSVG(address, { border: 2 })}</div></li>
      <li><p>Enter the code that it shows.</p>
        !${form({ action: `${FACTOR_PATH}/confirm`, submit: 'Turn it on', fields: codeField({ isWrong, onlyDigits: true }) })}</li>
    </ol>`
  return sendPage(reply, { title: 'Set up the second factor', body }, status)
}

function sendCodes(reply: FastifyReply, codes: readonly string[]): FastifyReply {
  const body = html`!${notice('done', 'The second factor is on. Keep these recovery codes where you keep what must not be lost.')}
    <p>Each lets you in once without the authenticator. They are shown only now.</p>
    <ul class="codes">!${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
    <p><a href="/console/account">I have kept them</a></p>`
  return sendPage(reply, { title: 'Your recovery codes', body })
}
