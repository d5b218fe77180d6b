import { newId } from '@catalog/access/keys.ts'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { standingHeaders } from '@catalog/api/http/headers.ts'
import { type ConsoleOptions, consoleRoutes } from '@catalog/console/console.ts'
import { newToken } from '@catalog/console/pages/token.ts'
import { SESSION_COOKIE } from '@catalog/console/sessions/session.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { createWorkspace, type Plan } from '@catalog/store/accounts/accounts.ts'
import { addMember, type Role } from '@catalog/store/accounts/members.ts'
import { insertSession, insertUser, verifyUser } from '@catalog/store/accounts/people.ts'
import type { Store } from '@catalog/store/db.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeEach } from 'vitest'
import { testClock } from './clock.ts'
import { openTestStore } from './store.ts'

/** For tests only: pages on a controlled clock, and people who are signed in without a password. */

export const ORIGIN = 'https://catalog.example.org'

export type Console = FastifyInstance

/** The console alone, with a cheap password hash. */
export function testConsole(
  store: Store,
  clock: Readonly<{ at: Date }>,
  { limits = LIMITS, ...options }: ConsoleOptions & { limits?: typeof LIMITS } = {},
): Console {
  const app = Fastify({ logger: false })
  // The server sets these headers on every answer.
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id).headers(standingHeaders(ORIGIN))
    next()
  })
  const context = { store, origin: ORIGIN, limits, now: () => clock.at }
  consoleRoutes(app, context, { passwordCost: { N: 2, r: 1, p: 1 }, ...options })
  return app
}

/**
 * Opens a console on a store of its own for all tests of a file, and closes both after them. Each test begins with empty limits
 * and mail, a day after the one before it or at `startsAt`.
 */
export async function useTestConsole({
  startsAt,
  ...options
}: Parameters<typeof testConsole>[2] & { startsAt?: string } = {}) {
  const clock = testClock(startsAt)
  const store = await openTestStore()
  const app = testConsole(store, clock, options)
  afterAll(async () => {
    await app.close()
    await store[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    if (startsAt === undefined) clock.advance(DAY_MS)
    else clock.at = new Date(startsAt)
    await store.query(`truncate limit_windows, sign_in_waits, mail_outbox`)
  })
  return { app, store, clock }
}

/** A person in a browser; `cookie` is the header that the browser sends. */
export type Person = Readonly<{ userId: string; email: string; cookie: string }>

export async function signedInPerson(store: Store, { email, at }: { email: string; at: string }): Promise<Person> {
  const userId = newId('usr_')
  await insertUser(store, { userId, email, passwordHash: 'none', at })
  await verifyUser(store, { userId, passwordHash: 'none', at })
  const { token, sha } = newToken()
  await insertSession(store, { sessionSha: sha, userId, browser: 'test', at })
  return { userId, email, cookie: `${SESSION_COOKIE}=${token}` }
}

/** Creates a workspace with these members; answers its id. */
export async function createTestWorkspace(
  store: Store,
  {
    name,
    plan = 'paid',
    members,
    at,
  }: Readonly<{ name: string; plan?: Plan; members: readonly (readonly [Person, Role])[]; at: string }>,
): Promise<string> {
  const workspaceId = newId('ws_')
  await createWorkspace(store, { workspaceId, name, plan, at })
  for (const [{ userId }, role] of members) await addMember(store, { workspaceId, userId, role, at })
  return workspaceId
}

export const getPage = (app: Console, url: string, person?: Person) =>
  app.inject({ url, headers: person === undefined ? {} : { cookie: person.cookie } })

/** Submits a form of this site. */
export const postForm = (app: Console, url: string, person: Person | undefined, fields: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: {
      origin: ORIGIN,
      'content-type': 'application/x-www-form-urlencoded',
      ...(person === undefined ? {} : { cookie: person.cookie }),
    },
    payload: new URLSearchParams(fields).toString(),
  })

/** Mails to this address, oldest first. */
export async function mailsTo(store: Store, email: string): Promise<{ subject: string; body: string }[]> {
  return await store.query(`select subject, body from mail_outbox where recipient = $1 order by mail_id`, [email])
}
