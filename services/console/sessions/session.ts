import type { ConsoleContext, Session } from '@catalog/console/pages/context.ts'
import { rememberDevice } from '@catalog/console/pages/known-device.ts'
import { PageError, Redirect, refusal } from '@catalog/console/pages/page-error.ts'
import { newToken, tokenSha } from '@catalog/console/pages/token.ts'
import { instant } from '@catalog/core/time.ts'
import { endSession, findSession, insertSession, SESSION_MAX_MS, touchSession } from '@catalog/store/accounts/people.ts'
import type { Queryable } from '@catalog/store/db.ts'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Sessions: the cookie of a browser and its row. */

/** With this prefix a browser accepts the cookie only from this host, over HTTPS, for all paths. */
export const SESSION_COOKIE = '__Host-session'
const COOKIE = { path: '/', secure: true, httpOnly: true, sameSite: 'lax' } as const
const BROWSER_CHARS_MAX = 200
/** Bounds how often the last use of a session is written. */
const SEEN_EVERY_MS = 60_000

/** Gives every request a `session`, and refuses cross-origin requests that change something (CSRF). */
export function sessionHooks(app: FastifyInstance, { store, origin, now }: SessionContext): void {
  const ownOrigin = new URL(origin).origin
  // The message names the right origin for people who opened the site under another name.
  const crossOrigin = refusal('cross_origin', ownOrigin)
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
 * CSRF protection by the Origin header. Forms send their origin; browsers that hide it send Sec-Fetch-Site. Every
 * browser that supports the session cookie sends one of the two, so a request without both is refused.
 */
function isCrossOrigin({ method, headers }: FastifyRequest, ours: string): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  return headers.origin === undefined ? headers['sec-fetch-site'] !== 'same-origin' : headers.origin !== ours
}

/** The session of the sender. Without one it redirects a GET to sign-in and back, and refuses other methods. */
export function requireSession({ session, method, url }: FastifyRequest): Session {
  if (session !== null) return session
  if (method !== 'GET' && method !== 'HEAD') {
    throw new PageError(401, 'Signed out', 'You are signed out. Sign in, go back to the page and try again.')
  }
  const next = safeReturnPath(url)
  throw new Redirect(next === HOME ? '/console/sign-in' : `/console/sign-in?${new URLSearchParams({ next })}`)
}

export const HOME = '/console'

/** The path to open after sign-in: a page below /console, or home for any other value. */
export function safeReturnPath(given: unknown): string {
  if (typeof given !== 'string' || !/^\/console\/[\x21-\x5b\x5d-\x7e]*$/.test(given) || given.includes('//'))
    return HOME
  // Resolve as browsers do: "/console/../x" lies outside.
  const { pathname, search } = new URL(given, 'https://here.invalid')
  return pathname.startsWith('/console/') ? pathname + search : HOME
}

/** Starts a session with a new token and ends the browser's former one. The person then knows the browser. */
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
  await rememberDevice(db, request, reply, { userId, at })
}

export async function endOwnSession(db: Queryable, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.session !== null) await endSession(db, request.session.sessionSha)
  reply.clearCookie(SESSION_COOKIE, COOKIE)
}
