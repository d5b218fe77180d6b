import { createHash } from 'node:crypto'
import { testClock } from '@catalog/stack/testing/clock.ts'
import type { FoundKey } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CACHE_AGE_MAX_MS } from './key-cache.ts'
import { isWellFormed, newKey, openApiKeyCache } from './keys.ts'

const kind = fc.constantFrom('pub' as const, 'org' as const)
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('a new key', () => {
  test('has 44 characters, is well formed, and carries its SHA-256 and first 12 characters as marks', () => {
    fc.assert(
      fc.property(kind, (kind) => {
        const { key, mark } = newKey(kind)
        expect(key).toMatch(new RegExp(`^svc_${kind}_[0-9A-Za-z]{36}$`))
        expect(isWellFormed(key)).toBe(true)
        expect(mark.keySha).toEqual(createHash('sha256').update(key).digest())
        expect(mark.displayPrefix).toBe(key.slice(0, 12))
        expect(mark.keyId).toMatch(/^key_[0-9a-z]{25}$/)
      }),
    )
  })

  test('is random: 1,000 keys differ and use the whole alphabet', () => {
    const keys = Array.from({ length: 1_000 }, () => newKey('pub').key)
    expect(new Set(keys).size).toBe(1_000)
    expect(new Set(keys.flatMap((key) => [...key.slice(8, 38)])).size).toBe(62)
  })

  test('is malformed with one mistyped character, two swapped ones or the other prefix', () => {
    fc.assert(
      fc.property(kind, fc.integer({ min: 8, max: 43 }), fc.constantFrom(...ALPHABET), (kind, place, letter) => {
        const { key } = newKey(kind)
        const mistyped = key.slice(0, place) + letter + key.slice(place + 1)
        expect(isWellFormed(mistyped)).toBe(mistyped === key)
        const [a, b] = [key[place - 1], key[place]] as [string, string]
        const swapped = key.slice(0, place - 1) + b + a + key.slice(place + 1)
        if (place > 8) expect(isWellFormed(swapped)).toBe(swapped === key)
        expect(isWellFormed(key.replace(kind, kind === 'pub' ? 'org' : 'pub'))).toBe(false)
      }),
    )
  })

  test('is the only well-formed text', () => {
    const { key } = newKey('pub')
    for (const text of ['', 'svc_pub_', key.slice(1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
      expect([text, isWellFormed(text)]).toEqual([text, false])
    }
  })
})

describe('the key cache', () => {
  const { key } = newKey('pub')
  const found: FoundKey = {
    key_id: 'key_1',
    kind: 'pub',
    workspace_id: null,
    plan: null,
    expires_at: null,
    revoked_at: null,
  }

  /** A cache on a store that answers as the test says and records its statements. */
  function cacheOn(answer: () => FoundKey | undefined | Promise<never>) {
    const clock = testClock()
    const statements: string[] = []
    const store = {
      query: async (sql: string) => {
        statements.push(sql.trim().split(' ')[0] as string)
        const row = sql.startsWith('select') ? await answer() : undefined
        return row === undefined ? [] : [row]
      },
    } as unknown as Store
    return { cache: openApiKeyCache({ store, now: () => clock.at }), clock, statements }
  }

  test('reads a key once for many concurrent loads', async () => {
    const { cache, statements } = cacheOn(() => found)
    expect(cache.get(key)).toBeUndefined()
    await Promise.all(Array.from({ length: 10 }, () => cache.load(key)))
    expect(cache.get(key)?.row).toEqual(found)
    expect(statements).toEqual(['select'])
  })

  test('refreshes an ageing key in the background, and never serves an expired one', async () => {
    let present: FoundKey = found
    const { cache, clock, statements } = cacheOn(() => present)
    await cache.load(key)
    clock.advance(15_000)
    present = { ...found, revoked_at: '2026-11-20T12:00:05Z' }
    expect(cache.get(key)?.row).toEqual(found)
    await expect.poll(() => cache.get(key)?.row?.revoked_at).toBe('2026-11-20T12:00:05Z')
    expect(statements).toHaveLength(2)
    clock.advance(CACHE_AGE_MAX_MS)
    expect(cache.get(key)).toBeUndefined()
    // The specified bound on the delay of another process's revocation.
    expect(CACHE_AGE_MAX_MS).toBeLessThan(30_000)
  })

  test('caches unknown keys too', async () => {
    const { cache, statements } = cacheOn(() => undefined)
    await cache.load(key)
    expect(cache.get(key)).toMatchObject({ row: undefined })
    expect(statements).toHaveLength(1)
  })

  test('keeps a key revoked when an earlier read ends later', async () => {
    const gate = Promise.withResolvers<void>()
    let gated = false
    const { cache, clock } = cacheOn(() => (gated ? (gate.promise.then(() => found) as Promise<never>) : found))
    await cache.load(key)
    gated = true
    clock.advance(15_000)
    cache.get(key)
    cache.revoke(key, '2026-11-20T12:00:16Z')
    gate.resolve()
    await cache.load(key)
    expect(cache.get(key)?.row?.revoked_at).toBe('2026-11-20T12:00:16Z')
  })

  test('does not cache a failed read', async () => {
    let isAway = true
    const { cache } = cacheOn(() => (isAway ? Promise.reject(new Error('away')) : found))
    await expect(cache.load(key)).rejects.toThrow('away')
    isAway = false
    expect((await cache.load(key)).row).toEqual(found)
  })
})
