import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { instant } from '@catalog/core/events.ts'
import { type FoundKey, findKey, type KeyMark, noteUse } from '@catalog/store/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import { LRUCache } from 'lru-cache'

/**
 * API keys: 44 characters, `svc_pub_` or `svc_org_`, 30 random ones (178 bits) and 6 that check all before them, so that
 * a mistyped key is refused without a look into the database, and a scanner of leaked secrets knows one when it sees it.
 * Only whoever made a key has it; the database and this process know its SHA-256.
 */

export type KeyKind = 'pub' | 'org'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARS = 30
const CHECK_CHARS = 6
/** What people see of a key: its prefix and four characters, 23 bits. */
const DISPLAY_CHARS = 12

/** A new key and what recognises it. The key is to be shown once and kept nowhere. */
export function newKey(kind: KeyKind): { key: string; mark: KeyMark } {
  const random = Array.from({ length: RANDOM_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  const body = `svc_${kind}_${random}`
  const key = body + checkOf(body)
  return {
    key,
    mark: {
      keyId: newId('key_'),
      keySha: hash('sha256', key, 'buffer'),
      displayPrefix: key.slice(0, DISPLAY_CHARS),
    },
  }
}

/** The prefix and 25 random letters and digits, 128 bits. */
export function newId(prefix: 'key_' | 'ws_'): string {
  return (
    prefix +
    BigInt(`0x${randomBytes(16).toString('hex')}`)
      .toString(36)
      .padStart(25, '0')
  )
}

/** Whether it can be a key at all: nobody need look for what is not. */
export function isWellFormed(key: string): boolean {
  return /^svc_(pub|org)_[0-9A-Za-z]{36}$/.test(key) && checkOf(key.slice(0, -CHECK_CHARS)) === key.slice(-CHECK_CHARS)
}

/** CRC-32 in base 62, 6 digits. */
function checkOf(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < CHECK_CHARS; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

/** What is remembered of a key that was presented. */
export type SeenKey = {
  /** Its row as it was read; undefined for a key that never was. */
  found: FoundKey | undefined
  readAtMs: number
  usedAtMs: number
}

/** The keys that callers present, remembered for a short time, so that nearly no request asks the database. */
export interface KeyRing {
  /** What is remembered of the key; undefined when the database must be asked. */
  recall(key: string): SeenKey | undefined
  /** Asks the database. */
  look(key: string): Promise<SeenKey>
  /** From now on the key is refused here, whatever was or will be read; other processes notice within 30 s. */
  revoke(key: string, at: string): void
  /** A request was admitted by the key: written down at most once a minute. */
  used(seen: SeenKey): void
}

/** A key is served by what was read of it so long ago at most: the longest that another process's revocation takes. */
export const KEY_AGE_MAX_MS = 25_000
/** From this age on it is read again beside the request, which need not wait. */
const KEY_REFRESH_MS = 10_000
const USE_NOTED_MS = 60_000
/** About 15 MB. */
const KEYS_MAX = 50_000
/** Keys that never were are remembered apart, so that a flood of them pushes nobody out. */
const UNKNOWN_KEYS_MAX = 10_000

export function keyRing({ store, now }: { store: Store; now: () => Date }): KeyRing {
  const known = new LRUCache<string, SeenKey>({ max: KEYS_MAX })
  const unknown = new LRUCache<string, SeenKey>({ max: UNKNOWN_KEYS_MAX })
  const asking = new Map<string, Promise<SeenKey>>()

  // Not even here keys stand in plain text.
  const nameOf = (key: string) => hash('sha256', key, 'base64')
  const seenUnder = (name: string) => known.get(name) ?? unknown.get(name)

  function ask(name: string): Promise<SeenKey> {
    const underWay = asking.get(name)
    if (underWay !== undefined) return underWay
    const readAtMs = now().getTime()
    const answer = findKey(store, Buffer.from(name, 'base64'))
      .then((found) => remember(name, found, readAtMs))
      .finally(() => asking.delete(name))
    asking.set(name, answer)
    return answer
  }

  function remember(name: string, found: FoundKey | undefined, readAtMs: number): SeenKey {
    const seen = seenUnder(name)
    if (seen !== undefined) {
      // A revocation is for ever: what was read before it must not undo it.
      if (typeof seen.found?.revoked_at !== 'string') seen.found = found
      seen.readAtMs = readAtMs
      return seen
    }
    const first = { found, readAtMs, usedAtMs: 0 }
    const keys = found === undefined ? unknown : known
    keys.set(name, first)
    return first
  }

  return {
    recall(key) {
      const name = nameOf(key)
      const seen = seenUnder(name)
      if (seen === undefined) return undefined
      const ageMs = now().getTime() - seen.readAtMs
      if (ageMs < 0 || ageMs >= KEY_AGE_MAX_MS) return undefined
      // A store that is away shows when the key is too old to be served.
      if (ageMs >= KEY_REFRESH_MS) ask(name).catch(() => {})
      return seen
    },
    look: (key) => ask(nameOf(key)),
    revoke(key, at) {
      const seen = seenUnder(nameOf(key))
      if (seen?.found !== undefined) seen.found = { ...seen.found, revoked_at: at }
    },
    used(seen) {
      const usedAtMs = now().getTime()
      if (seen.found === undefined || usedAtMs - seen.usedAtMs < USE_NOTED_MS) return
      seen.usedAtMs = usedAtMs
      // Only told to people: a use that could not be written is made up for by the next one.
      noteUse(store, { keyId: seen.found.key_id, at: instant(new Date(usedAtMs)) }).catch(() => {})
    },
  }
}
