import { mailNotice } from '@catalog/console/mail/email-templates.ts'
import { formText } from '@catalog/console/pages/form.ts'
import { sendPage } from '@catalog/console/pages/html.ts'
import { Redirect } from '@catalog/console/pages/page-error.ts'
import { tokenSha } from '@catalog/console/pages/token.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { acceptCode, CODE_PATH, clearPending, PENDING_COOKIE } from '@catalog/console/sessions/second-factor.ts'
import { startSession } from '@catalog/console/sessions/session.ts'
import { instant } from '@catalog/core/time.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { field, form } from '@catalog/pages/parts.ts'
import { endPendingSignIn, findPendingSignIn } from '@catalog/store/accounts/second-factors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The second step of a sign-in: the code of the second factor. */
export function codeRoutes(pages: FastifyInstance, { store, origin, now, attemptLimits }: PagesContext): void {
  pages.get('/sign-in/code', async (request, reply) => {
    await pendingOf(request)
    return sendCode(reply)
  })

  pages.post('/sign-in/code', async (request, reply) => {
    const { sha, userId, email, returnPath } = await pendingOf(request)
    const attempt = await attemptLimits.code(request, email)
    const at = instant(now())
    const isIn = await store.transaction(async (tx) => {
      const by = await acceptCode(tx, { userId, code: formText(request, 'code'), at })
      if (by === undefined || !(await endPendingSignIn(tx, sha))) return false
      if (by === 'recovery') await mailNotice(tx, 'recovery_code_used', { origin, userId, email, at })
      await startSession(tx, request, reply, { userId, at })
      return true
    })
    if (!isIn) return sendCode(reply, { isWrong: true })
    await attempt.succeed()
    clearPending(reply)
    return reply.redirect(returnPath, 303)
  })

  async function pendingOf(request: FastifyRequest) {
    const sha = tokenSha(request.cookies[PENDING_COOKIE])
    const pending = sha && (await findPendingSignIn(store, { tokenSha: sha, at: instant(now()) }))
    if (sha === undefined || pending === undefined) throw new Redirect('/console/sign-in')
    return { sha, ...pending }
  }
}

function sendCode(reply: FastifyReply, { isWrong = false } = {}): FastifyReply {
  const body = html`!${form({ action: CODE_PATH, submit: 'Sign in', fields: codeField({ isWrong }) })}
    <p><a href="/console/sign-in">Begin again</a></p>`
  return sendPage(reply, { title: 'Your code', body }, isWrong ? 403 : 200)
}

const CODE_CHARS_MAX = 40

type CodeField = Readonly<{ name?: string; isWrong: boolean; onlyDigits?: boolean }>

export function codeField({ name = 'code', isWrong, onlyDigits = false }: CodeField): Markup {
  return field({
    name,
    label: 'Code',
    autocomplete: 'one-time-code',
    hint: onlyDigits
      ? 'The six digits that your authenticator shows now.'
      : 'The six digits that your authenticator shows now, or one of your recovery codes.',
    maxLength: CODE_CHARS_MAX,
    error: isWrong ? 'This is not a code of yours that counts now. Each counts once.' : undefined,
  })
}
