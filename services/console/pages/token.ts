import { hash, randomBytes } from 'node:crypto'

/** Of cookies and of links in mail: 256 random bits need nothing slower than SHA-256 against guessing. */
const TOKEN_BYTES = 32

/** A new token and what recognises it. The token is given away once; the database knows its SHA-256. */
export function newToken(): { token: string; sha: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, sha: hash('sha256', token, 'buffer') }
}

/** Undefined for what can be no token: nobody need look for it. */
export function tokenSha(token: unknown): Buffer | undefined {
  return typeof token === 'string' && /^[\w-]{43}$/.test(token) ? hash('sha256', token, 'buffer') : undefined
}
