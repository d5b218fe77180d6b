import { newToken, tokenSha } from '@catalog/console/pages/token.ts'
import { DEVICE_MAX_MS, findDevice, insertDevice, touchDevice } from '@catalog/store/accounts/devices.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Browsers in which a person signed in before. They stay known after sign-out, so that nobody who guesses passwords or asks
 * for mail elsewhere keeps the person out. Being known lets nobody in.
 */

/** Holds one token for each person, the last one first. */
export const DEVICE_COOKIE = '__Host-device'
const COOKIE = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const
/** People of one browser. */
const PEOPLE_MAX = 4

/** Makes the browser known to the person, who has just signed in. */
export async function rememberDevice(
  db: Queryable,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, at }: { userId: string; at: string },
): Promise<void> {
  const tokens = tokensOf(request)
  let own: string | undefined
  for (const { token, sha: deviceSha } of tokens)
    if (own === undefined && (await touchDevice(db, { deviceSha, userId, at }))) own = token
  if (own === undefined) {
    // Never take over a token of somebody else: who put it there would know it.
    const { token, sha: deviceSha } = newToken()
    await insertDevice(db, { deviceSha, userId, at })
    own = token
  }
  const others = tokens.map(({ token }) => token).filter((token) => token !== own)
  const value = [own, ...others].slice(0, PEOPLE_MAX).join('.')
  reply.setCookie(DEVICE_COOKIE, value, { ...COOKIE, maxAge: DEVICE_MAX_MS / 1000 })
}

/** The hash by which the browser is known to the person of this e-mail; a session is one too. Undefined in other browsers. */
export async function knownDevice(
  db: Queryable,
  request: FastifyRequest,
  { email, at }: { email: string; at: string },
): Promise<Buffer | undefined> {
  const shas = tokensOf(request).map(({ sha }) => sha)
  const found = shas.length === 0 ? undefined : await findDevice(db, { shas, email, at })
  const { session } = request
  return found ?? (session?.email.toLowerCase() === email.toLowerCase() ? session.sessionSha : undefined)
}

function tokensOf({ cookies }: FastifyRequest): { token: string; sha: Buffer }[] {
  return (cookies[DEVICE_COOKIE] ?? '').split('.', PEOPLE_MAX).flatMap((token) => {
    const sha = tokenSha(token)
    return sha === undefined ? [] : [{ token, sha }]
  })
}
