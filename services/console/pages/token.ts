import { hash, randomBytes } from 'node:crypto'

/** For cookies and mailed links: against guessing, 256 random bits need only SHA-256. */
const TOKEN_BYTES = 32

/** A new token with its hash. The token is handed out once; the database stores only its SHA-256. */
export function newToken(): { token: string; sha: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, sha: hash('sha256', token, 'buffer') }
}

/** Undefined for text that cannot be a token, which saves the lookup. */
export function tokenSha(token: unknown): Buffer | undefined {
  return typeof token === 'string' && /^[\w-]{43}$/.test(token) ? hash('sha256', token, 'buffer') : undefined
}
