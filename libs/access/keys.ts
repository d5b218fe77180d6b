import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { DAY_MS } from '@catalog/core/time.ts'
import { type FoundKey, findKey, type KeyMark } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import { openRing, type Ring } from './key-cache.ts'

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

/** A rotated key is valid for so long beside its successor. */
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

/** Keys by what callers present. Not even here they stand in plain text. */
export function keyRing({ store, now }: { store: Store; now: () => Date }): Ring<FoundKey> {
  const ring = openRing({ find: (name) => findKey(store, Buffer.from(name, 'base64')), now })
  const nameOf = (key: string) => hash('sha256', key, 'base64')
  return {
    recall: (key) => ring.recall(nameOf(key)),
    look: (key) => ring.look(nameOf(key)),
    revoke: (key, at) => ring.revoke(nameOf(key), at),
  }
}
