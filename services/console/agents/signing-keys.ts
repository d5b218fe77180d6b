import { cachedRead } from '@catalog/api/http/cached-read.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { addSigningKey, dropOtherSigningKeys, dropSigningKeys, readSigningKeys } from '@catalog/store/accounts/oauth.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'

/**
 * Keys that sign tokens. A new key is published before it signs and stays until its last token expires, so that every
 * cached key set can verify every token.
 */

export const SIGNING_ALGORITHM = 'ES256'
/** Lifetime of an access token; a revoked one is refused much sooner. */
export const TOKEN_TTL_SECONDS = 600
/** By then all processes have read the set again, and caches of verifiers have expired. */
const PUBLISHED_BEFORE_SIGNING_MS = 600_000
const KEPT_AFTER_SIGNING_MS = 2 * TOKEN_TTL_SECONDS * 1000
/** After this time a new key replaces one that nobody rotated by hand. */
const SIGNS_FOR_MS = 90 * DAY_MS
/** Well below {@link PUBLISHED_BEFORE_SIGNING_MS}. */
const READ_EVERY_MS = 30_000
/** A token with an unknown key triggers a new read, at most this often, so that guesses cost little. */
const READ_AGAIN_MS = 5_000

/** A snapshot of the key set. */
export type KeySet = Readonly<{
  /** With private parts, newest first. */
  jwks: readonly JWK[]
  /** The key that signs now. */
  kid: string
}>

export interface SigningKeys {
  current(): Promise<KeySet>
  /** Finds the public key that a token's header names. */
  verifying: JWTVerifyGetKey
}

type Deps = Readonly<{ store: Store; now: () => Date }>

export function openSigningKeys({ store, now }: Deps): SigningKeys {
  const read = async () => {
    const rows = await readSigningKeys(store)
    return rows.length > 0 ? rows : await firstKey({ store, now })
  }
  const rows = cachedRead(read, { ageMaxMs: READ_EVERY_MS, now })
  const rowsAgain = cachedRead(read, { ageMaxMs: READ_AGAIN_MS, now })
  const publicSets = new WeakMap<object, JWTVerifyGetKey>()
  /** One set for each read, because it caches the imported keys. */
  const publicSet = (from: Awaited<ReturnType<typeof read>>): JWTVerifyGetKey => {
    const set = publicSets.get(from) ?? createLocalJWKSet({ keys: from.map(({ jwk }) => publicPart(jwk as JWK)) })
    publicSets.set(from, set)
    return set
  }
  return {
    async current() {
      const all = await rows.get()
      const nowMs = now().getTime()
      const signing = all.find(({ signs_from }) => Date.parse(signs_from) <= nowMs) ?? all.at(-1)
      return { jwks: all.map(({ jwk }) => jwk as JWK), kid: signing?.kid as string }
    },
    async verifying(header, token) {
      try {
        return await publicSet(await rows.get())(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return await publicSet(await rowsAgain.get())(header, token)
      }
    },
  }
}

async function firstKey({ store, now }: Deps): ReturnType<typeof readSigningKeys> {
  await addKey({ store, now }, { isFirst: true })
  return await readSigningKeys(store)
}

async function addKey(
  { store, now }: Deps,
  { isFirst = false, knownBeforeMs: publishedBeforeMs = 0 }: { isFirst?: boolean; knownBeforeMs?: number },
): Promise<{ kid: string; from: string }> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const from = instant(new Date(now().getTime() + publishedBeforeMs))
  await addSigningKey(store, {
    kid,
    at: instant(now()),
    signsFrom: from,
    isFirst,
    jwk: { ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' },
  })
  return { kid, from }
}

/** Adds a key that replaces the signing key in ten minutes. */
export async function rotateSigningKey(deps: Deps): Promise<{ kid: string; from: string }> {
  return await addKey(deps, { knownBeforeMs: PUBLISHED_BEFORE_SIGNING_MS })
}

/**
 * Replaces all keys at once, for a leaked key: tokens of the old ones are refused within half a minute. Agents get new
 * tokens with their refresh tokens.
 */
export async function replaceSigningKeys({ store, now }: Deps): Promise<{ kid: string; from: string }> {
  const added = await addKey({ store, now }, {})
  await dropOtherSigningKeys(store, added.kid)
  return added
}

/** Adds a key when the newest has signed long enough, and drops keys whose tokens have all expired. */
export async function renewSigningKeys({ store, now }: Deps): Promise<void> {
  const [newest] = await readSigningKeys(store)
  const nowMs = now().getTime()
  if (newest !== undefined && Date.parse(newest.signs_from) + SIGNS_FOR_MS < nowMs) {
    await rotateSigningKey({ store, now })
  }
  await dropSigningKeys(store, { endedBefore: instant(new Date(nowMs - KEPT_AFTER_SIGNING_MS)) })
}

const publicPart = ({ kty, crv, x, y, kid, alg, use }: JWK): JWK => ({ kty, crv, x, y, kid, alg, use }) as JWK
