import { type ApiError, asApiError } from '@catalog/api/http/errors.ts'
import { agentRoutes } from '@catalog/console/agents/agents.ts'
import type { AddressLimit } from '@catalog/console/pages/address-limit.ts'
import { openAttemptLimits } from '@catalog/console/pages/attempt-limits.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import { keepPrivate, sendPage } from '@catalog/console/pages/html.ts'
import { notFound, PageError, Redirect, refusal } from '@catalog/console/pages/page-error.ts'
import type { PagesContext } from '@catalog/console/sessions/pages-context.ts'
import { openPasswords, PASSWORD_COST, type PasswordCost } from '@catalog/console/sessions/password.ts'
import { sessionHooks } from '@catalog/console/sessions/session.ts'
import { accountRoutes } from '@catalog/console/sign-in/account.ts'
import { codeRoutes } from '@catalog/console/sign-in/code.ts'
import { resetRoutes } from '@catalog/console/sign-in/reset.ts'
import { secondFactorRoutes } from '@catalog/console/sign-in/second-factor.ts'
import { signInRoutes } from '@catalog/console/sign-in/sign-in.ts'
import { signUpRoutes } from '@catalog/console/sign-in/sign-up.ts'
import { auditRoutes } from '@catalog/console/workspace/audit.ts'
import { joinRoutes } from '@catalog/console/workspace/join.ts'
import { keyRoutes } from '@catalog/console/workspace/keys.ts'
import { memberRoutes } from '@catalog/console/workspace/members.ts'
import { newWorkspaceRoutes } from '@catalog/console/workspace/new-workspace.ts'
import { workspaceRoutes } from '@catalog/console/workspace/workspace.ts'
import { instant } from '@catalog/core/time.ts'
import { html } from '@catalog/pages/markup.ts'
import { purgePeople } from '@catalog/store/accounts/people.ts'
import formbody from '@fastify/formbody'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const BODY_BYTES_MAX = 16_384
/** Bounds how often a request triggers the deletion of expired rows. */
const PURGE_EVERY_MS = 600_000
const PURGE_MAX = 5_000

export type ConsoleOptions = Readonly<{
  /** Further routes below /console with the same sessions, checks and error pages; paths without the prefix. */
  moreRoutes?: (pages: FastifyInstance) => void
  /** Maps an unexpected error to an API error, and logs errors of ours. */
  toApiError?: (error: FastifyError, request: FastifyRequest) => ApiError
  /** Lower in tests. */
  passwordCost?: PasswordCost
  /** Without it, requests are not limited by address. */
  addresses?: AddressLimit
}>

/** Adds all routes below /console. */
export function consoleRoutes(
  app: FastifyInstance,
  context: ConsoleContext,
  { moreRoutes, toApiError = asApiError, passwordCost = PASSWORD_COST, addresses }: ConsoleOptions = {},
): void {
  const attemptLimits = openAttemptLimits(context)
  app.addHook('onClose', () => attemptLimits.close())
  const shared: PagesContext = { ...context, attemptLimits, passwords: openPasswords(passwordCost) }
  app.register(
    (pages, _options, done) => {
      pages.addHook('onRoute', (route) => {
        // The API description lists no pages.
        route.schema = { ...route.schema, hide: true } as object
      })
      pages.addHook('onRequest', (_request, reply, next) => {
        keepPrivate(reply)
        next()
      })
      pages.addHook('onRequest', async ({ ip }) => {
        const retryAfterSeconds = await addresses?.admit(ip)
        if (retryAfterSeconds === undefined) return
        const message = `Too many requests came from your network. Try again in ${retryAfterSeconds} seconds.`
        throw new PageError(429, 'Too many requests', message, { retryAfterSeconds })
      })
      pages.setErrorHandler((error: FastifyError, request, reply) => {
        if (error instanceof Redirect) return reply.redirect(error.path, 303)
        const failure = error instanceof PageError ? error : asPageError(toApiError(error, request))
        return sendFailure(failure, request, reply)
      })
      pages.setNotFoundHandler(() => {
        throw notFound()
      })
      pages.removeAllContentTypeParsers()
      pages.register(formbody, { bodyLimit: BODY_BYTES_MAX })
      sessionHooks(pages, context)
      purgeOnResponse(pages, context)
      signInRoutes(pages, shared)
      codeRoutes(pages, shared)
      signUpRoutes(pages, shared)
      resetRoutes(pages, shared)
      joinRoutes(pages, shared)
      newWorkspaceRoutes(pages, shared)
      accountRoutes(pages, shared)
      secondFactorRoutes(pages, shared)
      workspaceRoutes(pages, shared)
      keyRoutes(pages, shared)
      memberRoutes(pages, shared)
      agentRoutes(pages, shared)
      auditRoutes(pages, shared)
      moreRoutes?.(pages)
      done()
    },
    { prefix: '/console' },
  )
}

function sendFailure(failure: PageError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, title, message, retryAfterSeconds } = failure
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (status === 401) reply.header('www-authenticate', 'Cookie realm="console"')
  const body = html`<p role="alert">${message}</p>
    <p><a href="${status === 401 ? '/console/sign-in' : '/console'}">${status === 401 ? 'Sign in' : 'To your workspaces'}</a></p>
    <p class="hint">Request ${request.id}</p>`
  return sendPage(reply, { title, body }, status)
}

/** Errors of the framework and the store as pages that reveal nothing internal. */
function asPageError({ status, retryAfterSeconds }: ApiError): PageError {
  const { title, message } = refusal(`${status}`)
  return new PageError(status, title, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
}

function purgeOnResponse(pages: FastifyInstance, { store, now }: Pick<ConsoleContext, 'store' | 'now'>): void {
  let purgeAtMs = 0
  pages.addHook('onResponse', (_request, _reply, next) => {
    next()
    const nowMs = now().getTime()
    if (nowMs < purgeAtMs) return
    purgeAtMs = nowMs + PURGE_EVERY_MS
    // The next purge makes up for a failed one.
    purgePeople(store, { at: instant(new Date(nowMs)), max: PURGE_MAX }).catch(() => {})
  })
}
