import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { DAY_MS } from '@catalog/core/time.ts'
import { type FoundKey, findKey, type KeyRecord } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import { type KeyCache, openKeyCache } from './key-cache.ts'

/**
 * API keys: 44 characters, `svc_pub_` or `svc_org_`, 30 random ones (178 bits) and a checksum of 6. The checksum refuses a
 * mistyped key without a query, and lets scanners of leaked secrets recognise a key. Only the owner has the key; the
 * database and this process store its SHA-256.
 */

export type KeyKind = 'pub' | 'org'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARS = 30
const CHECKSUM_CHARS = 6
/** People see the prefix and four characters of a key, 23 bits. */
const DISPLAY_CHARS = 12

/** A new key and the marks that identify it. Show the key once and store only the marks. */
export function newKey(kind: KeyKind): { key: string; mark: KeyRecord } {
  const random = Array.from({ length: RANDOM_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  const unchecked = `svc_${kind}_${random}`
  const key = unchecked + checksumOf(unchecked)
  return {
    key,
    mark: {
      keyId: newId('key_'),
      keySha: hash('sha256', key, 'buffer'),
      displayPrefix: key.slice(0, DISPLAY_CHARS),
    },
  }
}

/** A rotated key stays valid for this time beside its successor. */
export const ROTATION_OVERLAP_MS = DAY_MS

/** The prefix and 25 random letters and digits, 128 bits. */
export function newId(prefix: 'key_' | 'ws_' | 'usr_' | 'agt_'): string {
  return (
    prefix +
    BigInt(`0x${randomBytes(16).toString('hex')}`)
      .toString(36)
      .padStart(25, '0')
  )
}

/** Whether the text has the form and checksum of a key; skip the lookup of any other. */
export function isWellFormed(key: string): boolean {
  return (
    /^svc_(pub|org)_[0-9A-Za-z]{36}$/.test(key) &&
    checksumOf(key.slice(0, -CHECKSUM_CHARS)) === key.slice(-CHECKSUM_CHARS)
  )
}

/** CRC-32 in base 62, 6 digits. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

/** Caches keys by their SHA-256, so that no key is in memory in plain text. */
export function openApiKeyCache({
  store,
  now,
  isAway,
}: {
  store: Store
  now: () => Date
  isAway?: (() => boolean) | undefined
}): KeyCache<FoundKey> {
  const cache = openKeyCache({ find: (name) => findKey(store, Buffer.from(name, 'base64')), now, isAway })
  const nameOf = (key: string) => hash('sha256', key, 'base64')
  return {
    get: (key) => cache.get(nameOf(key)),
    load: (key) => cache.load(nameOf(key)),
    revoke: (key, at) => cache.revoke(nameOf(key), at),
  }
}
