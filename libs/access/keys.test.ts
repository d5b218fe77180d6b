import { createHash } from 'node:crypto'
import { testClock } from '@catalog/api/testing.ts'
import type { FoundKey } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEEN_AGE_MAX_MS } from './key-cache.ts'
import { isWellFormed, keyRing, newKey } from './keys.ts'

const kind = fc.constantFrom('pub' as const, 'org' as const)
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('a new key', () => {
  test('has 44 characters, is well formed, and is marked by its SHA-256 and its first 12 characters', () => {
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

  test('is like no other: 1,000 differ, and every character of the alphabet is used', () => {
    const keys = Array.from({ length: 1_000 }, () => newKey('pub').key)
    expect(new Set(keys).size).toBe(1_000)
    expect(new Set(keys.flatMap((key) => [...key.slice(8, 38)])).size).toBe(62)
  })

  test('with one character mistyped, two exchanged, or the other prefix is not well formed', () => {
    fc.assert(
      fc.property(kind, fc.integer({ min: 8, max: 43 }), fc.constantFrom(...ALPHABET), (kind, place, letter) => {
        const { key } = newKey(kind)
        const mistyped = key.slice(0, place) + letter + key.slice(place + 1)
        expect(isWellFormed(mistyped)).toBe(mistyped === key)
        const [a, b] = [key[place - 1], key[place]] as [string, string]
        const exchanged = key.slice(0, place - 1) + b + a + key.slice(place + 1)
        if (place > 8) expect(isWellFormed(exchanged)).toBe(exchanged === key)
        expect(isWellFormed(key.replace(kind, kind === 'pub' ? 'org' : 'pub'))).toBe(false)
      }),
    )
  })

  test('nothing else is well formed', () => {
    const { key } = newKey('pub')
    for (const text of ['', 'svc_pub_', key.slice(1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
      expect([text, isWellFormed(text)]).toEqual([text, false])
    }
  })
})

describe('the keys that are remembered', () => {
  const { key } = newKey('pub')
  const found: FoundKey = {
    key_id: 'key_1',
    kind: 'pub',
    workspace_id: null,
    plan: null,
    expires_at: null,
    revoked_at: null,
  }

  /** A store that answers what the test says, and counts. */
  function ringOn(answer: () => FoundKey | undefined | Promise<never>) {
    const clock = testClock()
    const asked: string[] = []
    const store = {
      query: async (sql: string) => {
        asked.push(sql.trim().split(' ')[0] as string)
        const row = sql.startsWith('select') ? await answer() : undefined
        return row === undefined ? [] : [row]
      },
    } as unknown as Store
    return { ring: keyRing({ store, now: () => clock.at }), clock, asked }
  }

  test('are asked for once, also when many ask at the same time', async () => {
    const { ring, asked } = ringOn(() => found)
    expect(ring.recall(key)).toBeUndefined()
    await Promise.all(Array.from({ length: 10 }, () => ring.look(key)))
    expect(ring.recall(key)?.found).toEqual(found)
    expect(asked).toEqual(['select'])
  })

  test('are read again beside the request after a while, and never served when they are too old', async () => {
    let present: FoundKey = found
    const { ring, clock, asked } = ringOn(() => present)
    await ring.look(key)
    clock.advance(15_000)
    present = { ...found, revoked_at: '2026-11-20T12:00:05Z' }
    expect(ring.recall(key)?.found).toEqual(found)
    await expect.poll(() => ring.recall(key)?.found?.revoked_at).toBe('2026-11-20T12:00:05Z')
    expect(asked).toHaveLength(2)
    clock.advance(SEEN_AGE_MAX_MS)
    expect(ring.recall(key)).toBeUndefined()
    // The specified bound on how long another process's revocation takes.
    expect(SEEN_AGE_MAX_MS).toBeLessThan(30_000)
  })

  test('that never were are remembered too', async () => {
    const { ring, asked } = ringOn(() => undefined)
    await ring.look(key)
    expect(ring.recall(key)).toMatchObject({ found: undefined })
    expect(asked).toHaveLength(1)
  })

  test('stay revoked, whatever an answer says that was on its way before', async () => {
    const gate = Promise.withResolvers<void>()
    let gated = false
    const { ring, clock } = ringOn(() => (gated ? (gate.promise.then(() => found) as Promise<never>) : found))
    await ring.look(key)
    gated = true
    clock.advance(15_000)
    ring.recall(key)
    ring.revoke(key, '2026-11-20T12:00:16Z')
    gate.resolve()
    await ring.look(key)
    expect(ring.recall(key)?.found?.revoked_at).toBe('2026-11-20T12:00:16Z')
  })

  test('a failure to read is not remembered', async () => {
    let isAway = true
    const { ring } = ringOn(() => (isAway ? Promise.reject(new Error('away')) : found))
    await expect(ring.look(key)).rejects.toThrow('away')
    isAway = false
    expect((await ring.look(key)).found).toEqual(found)
  })
})
