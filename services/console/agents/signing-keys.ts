import { recent } from '@catalog/api/http/publication-watch.ts'
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
 * The keys that tokens are signed with. A new one stands in the key set for a while before it signs, and stays there until
 * all that it signed has ended: whoever keeps a copy of the set meets no token that it cannot check.
 */

export const SIGNING_ALGORITHM = 'ES256'
/** Of an access token; what is revoked is refused long before. */
export const TOKEN_TTL_SECONDS = 600
/** All processes have read the set anew by then, and caches of those that only verify have ended. */
const PUBLISHED_BEFORE_SIGNING_MS = 600_000
const KEPT_AFTER_SIGNING_MS = 2 * TOKEN_TTL_SECONDS * 1000
/** A key that nobody rotated by hand is followed by another. */
const SIGNS_FOR_MS = 90 * DAY_MS
/** Well below the time for which a new key is known before it signs. */
const READ_EVERY_MS = 30_000
/** A token that names an unknown key makes the set be read again, but not by every guess. */
const READ_AGAIN_MS = 5_000

/** One state of the set. */
export type KeySet = Readonly<{
  /** With private parts, the newest first. */
  jwks: readonly JWK[]
  /** Which of them signs now. */
  kid: string
}>

export interface SigningKeys {
  current(): Promise<KeySet>
  /** Public keys by what a token says of itself. */
  verifying: JWTVerifyGetKey
}

type Deps = Readonly<{ store: Store; now: () => Date }>

export function openSigningKeys({ store, now }: Deps): SigningKeys {
  const read = async () => {
    const rows = await readSigningKeys(store)
    return rows.length > 0 ? rows : await firstKey({ store, now })
  }
  const rows = recent(read, { ageMaxMs: READ_EVERY_MS, now })
  const rowsAgain = recent(read, { ageMaxMs: READ_AGAIN_MS, now })
  const publicSets = new WeakMap<object, JWTVerifyGetKey>()
  /** One for each reading: it keeps the keys that it has imported. */
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

/** A new key that will sign in ten minutes, in the place of the one that does. */
export async function rotateSigningKey(deps: Deps): Promise<{ kid: string; from: string }> {
  return await addKey(deps, { knownBeforeMs: PUBLISHED_BEFORE_SIGNING_MS })
}

/**
 * A new key in the place of all others, whose tokens are refused within half a minute: for when one has become known. Agents
 * get new tokens by what they refresh with.
 */
export async function replaceSigningKeys({ store, now }: Deps): Promise<{ kid: string; from: string }> {
  const added = await addKey({ store, now }, {})
  await dropOtherSigningKeys(store, added.kid)
  return added
}

/** Adds a key when the last one has signed for long, and drops those whose tokens have all ended. */
export async function renewSigningKeys({ store, now }: Deps): Promise<void> {
  const [newest] = await readSigningKeys(store)
  const nowMs = now().getTime()
  if (newest !== undefined && Date.parse(newest.signs_from) + SIGNS_FOR_MS < nowMs) {
    await rotateSigningKey({ store, now })
  }
  await dropSigningKeys(store, { endedBefore: instant(new Date(nowMs - KEPT_AFTER_SIGNING_MS)) })
}

const publicPart = ({ kty, crv, x, y, kid, alg, use }: JWK): JWK => ({ kty, crv, x, y, kid, alg, use }) as JWK
