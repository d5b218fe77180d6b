import { hash, randomBytes } from 'node:crypto'
import { newToken } from '@catalog/console/pages/token.ts'
import { MINUTE_MS } from '@catalog/core/time.ts'
import {
  findSecondFactor,
  insertPendingSignIn,
  owesCode,
  replaceRecoveryCodes,
  useRecoveryCode,
  useTimeStep,
} from '@catalog/store/accounts/second-factors.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { startSession } from './session.ts'

/** The codes of a second factor, and the one way from a proved password or mail to a session. */

export const PENDING_COOKIE = '__Host-pending'
const COOKIE = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const
/** Time to find the authenticator. */
const PENDING_MAX_MS = 10 * MINUTE_MS

export const CODE_PATH = '/console/sign-in/code'

/**
 * Lets in a person who proved the password or the mail: with a session, or, where a second factor is on, by the page that
 * asks for its code. Returns the path to open.
 */
export async function admit(
  tx: Queryable,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, at, next }: { userId: string; at: string; next: string },
): Promise<string> {
  if (!(await owesCode(tx, userId))) {
    await startSession(tx, request, reply, { userId, at })
    return next
  }
  const { token, sha: tokenSha } = newToken()
  const expiresAt = new Date(Date.parse(at) + PENDING_MAX_MS).toISOString()
  await insertPendingSignIn(tx, { tokenSha, userId, returnPath: next, expiresAt })
  reply.setCookie(PENDING_COOKIE, token, { ...COOKIE, maxAge: PENDING_MAX_MS / 1000 })
  return CODE_PATH
}

export const clearPending = (reply: FastifyReply) => reply.clearCookie(PENDING_COOKIE, COOKIE)

// Codes ---------------------------------------------------------------------------------------------------------------

const ISSUER = 'Construction Cost Catalog'
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** Clocks of phones: one step before and after, as RFC 6238 §5.2 recommends. */
const STEPS_APART_MAX = 1
const RECOVERY_CODES = 10
/** 80 bits: against guessing they need only SHA-256. */
const RECOVERY_BYTES = 10

export const newFactorSecret = (): string => base32(SECRET_BYTES)

/** Random bytes as Base32. A small Buffer of Node shares its memory with others, so they are copied. */
const base32 = (bytes: number): string => new Secret({ buffer: new Uint8Array(randomBytes(bytes)).buffer }).base32

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), digits: 6, period: STEP_SECONDS })

/** The address by which an authenticator learns the secret. */
export const authenticatorAddress = (secret: string, email: string): string => totpOf(secret, email).toString()

/**
 * Whether a person has this code: six digits of the authenticator, or a recovery code. It is then used, and counts no more.
 */
export async function acceptCode(
  tx: Queryable,
  { userId, code, at }: { userId: string; code: string; at: string },
): Promise<'authenticator' | 'recovery' | undefined> {
  const plain = code.replace(/[\s-]/g, '').toUpperCase()
  if (/^[A-Z2-7]{16}$/.test(plain)) {
    return (await useRecoveryCode(tx, { userId, codeSha: shaOf(plain) })) ? 'recovery' : undefined
  }
  const factor = /^\d{6}$/.test(plain) ? await findSecondFactor(tx, userId) : undefined
  if (factor === undefined) return undefined
  const timestamp = Date.parse(at)
  const apart = totpOf(factor.secret, userId).validate({ token: plain, timestamp, window: STEPS_APART_MAX })
  if (apart === null) return undefined
  const step = Math.floor(timestamp / 1_000 / STEP_SECONDS) + apart
  return (await useTimeStep(tx, { userId, step })) ? 'authenticator' : undefined
}

/** New recovery codes in place of the former ones. They are shown once; the database keeps their hashes. */
export async function renewRecoveryCodes(tx: Queryable, userId: string): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(RECOVERY_BYTES))
  await replaceRecoveryCodes(tx, { userId, shas: codes.map(shaOf) })
  return codes.map((code) => (code.match(/.{4}/g) as string[]).join('-'))
}

const shaOf = (code: string): Buffer => hash('sha256', code, 'buffer')
