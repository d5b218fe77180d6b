import { sha256Hex } from '@catalog/core/digest.ts'
import { RAW_KEPT_BYTES_MAX } from '@catalog/core/events/crawls.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptRaw } from './raw-text.ts'

test('given a long record, when it is kept, then its beginning and the hash of the whole are', () => {
  const raw = `jane@example.org;${'ñ'.repeat(70_000)}`
  const kept = keptRaw({ raw })
  expect(kept.raw).toMatch(/^\[e-mail address removed\];ñ+$/)
  expect(Buffer.byteLength(kept.raw)).toBeGreaterThan(RAW_KEPT_BYTES_MAX - 4)
  expect(kept.rawSha256).toBe(sha256Hex(raw))
})

test('given any record, when it is kept, then it fits, and keeping it again changes nothing', () => {
  const long = fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(2_000)).map(([unit, n]) => unit.repeat(n))
  fc.assert(
    fc.property(long, (raw) => {
      const kept = keptRaw({ raw })
      expect(Buffer.byteLength(kept.raw)).toBeLessThanOrEqual(RAW_KEPT_BYTES_MAX)
      expect(kept.raw.isWellFormed()).toBe(true)
      expect(keptRaw(kept)).toEqual(kept)
    }),
  )
})
