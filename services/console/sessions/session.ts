import type { ConsoleContext, Session } from '@catalog/console/pages/context.ts'
import { PageError, Redirect } from '@catalog/console/pages/page-error.ts'
import { newToken, tokenSha } from '@catalog/console/pages/token.ts'
import { instant } from '@catalog/core/time.ts'
import { endSession, findSession, insertSession, SESSION_MAX_MS, touchSession } from '@catalog/store/accounts/people.ts'
import type { Queryable } from '@catalog/store/db.ts'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Who is signed in: the cookie of a browser, and the row that it stands for. */

/** With this prefix a browser takes it from us alone: not from another host, not over plain HTTP, for all paths. */
export const SESSION_COOKIE = '__Host-session'
const COOKIE = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const
const BROWSER_CHARS_MAX = 200
/** When a session was last seen is written so often at most. */
const SEEN_EVERY_MS = 60_000

/** Every request of the app has a `session`, and none that changes anything comes from a page of another origin. */
export function sessionHooks(app: FastifyInstance, { store, origin, now }: SessionContext): void {
  const ownOrigin = new URL(origin).origin
  // Who opened the site under another of its names reads here which one it is.
  const crossOrigin = new PageError(
    403,
    'Not from here',
    `The request did not come from a page of ${ownOrigin}. Open the page there and try again.`,
  )
  app.decorateRequest('session', null)
  app.register(cookie)
  app.addHook('onRequest', (request, _reply, next) => {
    next(isCrossOrigin(request, ownOrigin) ? crossOrigin : undefined)
  })
  app.addHook('onRequest', async (request) => {
    const sessionSha = tokenSha(request.cookies[SESSION_COOKIE])
    if (sessionSha === undefined) return
    const at = instant(now())
    const found = await findSession(store, { sessionSha, at })
    if (found === undefined) return
    request.session = { sessionSha, userId: found.user_id, email: found.email }
    if (Date.parse(at) - Date.parse(found.seen_at) >= SEEN_EVERY_MS) await touchSession(store, { sessionSha, at })
  })
}
type SessionContext = Pick<ConsoleContext, 'store' | 'origin' | 'now'>

/**
 * Whether a page of another origin may have sent it. A form of ours says where it comes from; a browser that hides the
 * origin says at least whether it is ours. What says neither is no form in a browser that is young enough to sign in by.
 */
function isCrossOrigin({ method, headers }: FastifyRequest, ours: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  return headers.origin === undefined ? headers['sec-fetch-site'] !== 'same-origin' : headers.origin !== ours
}

/** Whoever is signed in. Throws what leads a reader by way of signing in back to the page, and refuses anything else. */
export function requireSession({ session, method, url }: FastifyRequest): Session {
  if (session !== null) return session
  if (method !== 'GET' && method !== 'HEAD') {
    throw new PageError(401, 'Signed out', 'You are signed out. Sign in, go back to the page and try again.')
  }
  const next = safeReturnPath(url)
  throw new Redirect(next === HOME ? '/console/sign-in' : `/console/sign-in?${new URLSearchParams({ next })}`)
}

export const HOME = '/console'

/** Where one is led after signing in: a page below /console, and home for whatever else was given. */
export function safeReturnPath(given: unknown): string {
  if (typeof given !== 'string' || !/^\/console\/[\x21-\x5b\x5d-\x7e]*$/.test(given) || given.includes('//'))
    return HOME
  // As a browser reads it: "/console/../x" is no page of ours.
  const { pathname, search } = new URL(given, 'https://here.invalid')
  return pathname.startsWith('/console/') ? pathname + search : HOME
}

/** Begins a session under a new name, whatever the browser brought: that session, if it is one, ends. */
export async function startSession(
  db: Queryable,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, at }: { userId: string; at: string },
): Promise<void> {
  if (request.session !== null) await endSession(db, request.session.sessionSha)
  const { token, sha } = newToken()
  const browser = (request.headers['user-agent'] ?? 'unknown').slice(0, BROWSER_CHARS_MAX)
  await insertSession(db, { sessionSha: sha, userId, browser, at })
  reply.setCookie(SESSION_COOKIE, token, { ...COOKIE, maxAge: SESSION_MAX_MS / 1000 })
}

export async function endOwnSession(db: Queryable, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.session !== null) await endSession(db, request.session.sessionSha)
  reply.clearCookie(SESSION_COOKIE, COOKIE)
}
