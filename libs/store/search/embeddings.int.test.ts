import { sha256Hex } from '@catalog/core/digest.ts'
import { unavailable } from '@catalog/stack/servers/servers.ts'
import { openEmbeddedTestStore, openPostgresTestStore } from '@catalog/stack/testing/store.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTokenBudget, openVectorCache } from './embeddings.ts'

const STORES = [
  ['the embedded store', openEmbeddedTestStore, null],
  ['PostgreSQL', openPostgresTestStore, unavailable('postgres')],
] as const

describe.each(STORES)('on %s', (_, openStore, missing) => {
  describe.skipIf(missing !== null)(missing ?? 'embeddings', () => {
    let store: Store
    let at: Date
    beforeAll(async () => {
      store = await openStore()
    })
    beforeEach(async () => {
      at = new Date('2026-11-22T10:00:00Z')
      await store.query('truncate embedding_spending, embedding_cache')
    })
    afterAll(() => store[Symbol.asyncDispose]())

    const budget = (tokensMax: number | null) => openTokenBudget({ store, tokensMax, now: () => at })
    const spent = async () => (await budget(null).spending()).tokens
    async function reserved(tokens: number, of: ReturnType<typeof budget>, kind: 'query' | 'document' = 'query') {
      const reservation = await of.reserve(tokens, kind)
      if ('emptyForSeconds' in reservation) throw new Error('the budget is spent')
      return reservation
    }

    describe('a budget of tokens', () => {
      test('is reserved before a request, and settled at its actual cost', async () => {
        const reservation = await reserved(100, budget(1_000))
        expect(await spent()).toBe(100n)
        await reservation.settle(30)
        expect(await budget(1_000).spending()).toEqual({ month: '2026-11', tokens: 30n, tokensMax: 1_000 })
        await (await reserved(10, budget(1_000))).settle(45)
        expect(await spent()).toBe(75n)
      })

      test('is never exceeded by concurrent reservations', async () => {
        const processes = Array.from({ length: 8 }, () => budget(1_000))
        const pending = Array.from({ length: 200 }, (_, i) => processes[i % 8]?.reserve(7 + (i % 5), 'query'))
        const granted = (await Promise.all(pending)).flatMap((answer, i) =>
          answer !== undefined && 'settle' in answer ? [7 + (i % 5)] : [],
        )
        const sum = granted.reduce((total, tokens) => total + tokens, 0)
        expect(await spent()).toBe(BigInt(sum))
        expect(sum).toBeLessThanOrEqual(1_000)
        expect(sum).toBeGreaterThan(1_000 - 12)
      })

      test('that is smaller than a request grants nothing, and reserves nothing', async () => {
        expect(await budget(99).reserve(100, 'query')).toEqual({ emptyForSeconds: 3_600 })
        expect(await spent()).toBe(0n)
        await reserved(100, budget(100))
        expect(await budget(100).reserve(1, 'query')).toEqual({ emptyForSeconds: 3_600 })
      })

      test('reserves a tenth for queries', async () => {
        await reserved(900, budget(1_000), 'document')
        expect(await budget(1_000).reserve(1, 'document')).toEqual({ emptyForSeconds: 3_600 })
        await reserved(100, budget(1_000), 'query')
        expect(await budget(1_000).reserve(1, 'query')).toEqual({ emptyForSeconds: 3_600 })
      })

      test('resets at the start of the month, in UTC', async () => {
        at = new Date('2026-12-31T23:59:58.500Z')
        const late = await reserved(1_000, budget(1_000))
        expect(await budget(1_000).reserve(1, 'query')).toEqual({ emptyForSeconds: 2 })
        at = new Date('2027-01-01T00:00:00Z')
        await reserved(600, budget(1_000))
        // Tokens reserved in December are settled in December.
        await late.settle(10)
        expect(await budget(1_000).spending()).toEqual({ month: '2027-01', tokens: 600n, tokensMax: 1_000 })
      })

      test('counts without a limit', async () => {
        await reserved(5_000_000_000, budget(null))
        await reserved(5_000_000_000, budget(null), 'document')
        expect(await spent()).toBe(10_000_000_000n)
      })
    })

    describe('a cache of vectors', () => {
      const vectorOf = (i: number) => Float32Array.of(Math.fround(1 / (i + 1)), -i, 1e-30)
      const shaOf = (i: number) => sha256Hex(`text ${i}`)
      const entries = (...numbers: number[]) => new Map(numbers.map((i) => [shaOf(i), vectorOf(i)] as const))
      const countOf = async () => {
        const [row] = await store.query<{ rows: number }>('select count(*)::int as rows from embedding_cache')
        return row?.rows
      }

      test('returns the same numbers, for its own fingerprint only', async () => {
        const cache = openVectorCache({ store, fingerprint: 'http/1/a' })
        await cache.save(entries(1, 2))
        await cache.save(entries(2, 3))
        await cache.save(new Map())
        expect(await cache.read([1, 2, 3, 4].map(shaOf))).toEqual(entries(1, 2, 3))
        expect(await cache.read([])).toEqual(new Map())
        expect(await openVectorCache({ store, fingerprint: 'http/1/b' }).read([shaOf(1)])).toEqual(new Map())
      })

      test('accepts concurrent writers', async () => {
        const caches = Array.from({ length: 4 }, () => openVectorCache({ store, fingerprint: 'http/1/a' }))
        const numbers = Array.from({ length: 200 }, (_, i) => i)
        await Promise.all(caches.map((cache, i) => cache.save(entries(...(i % 2 ? numbers : numbers.toReversed())))))
        expect(await countOf()).toBe(200)
      })

      test('evicts the oldest vectors of all fingerprints when it is too large', async () => {
        const bytesMax = 10 * 3 * 4
        const old = openVectorCache({ store, fingerprint: 'http/1/old', bytesMax, trimAfterVectors: 100 })
        await old.save(entries(1, 2, 3, 4))
        const cache = openVectorCache({ store, fingerprint: 'http/1/a', bytesMax, trimAfterVectors: 8 })
        await cache.save(entries(1, 2, 3, 4, 5, 6, 7))
        expect(await countOf()).toBe(11)
        await cache.save(entries(8))
        expect(await countOf()).toBe(10)
        expect((await old.read([1, 2, 3, 4].map(shaOf))).size).toBe(2)
        expect(await cache.read([1, 8].map(shaOf))).toEqual(entries(1, 8))
      })
    })
  })
})
