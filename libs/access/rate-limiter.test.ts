import type { Store } from '@catalog/store/db.ts'
import { describe, expect, test } from 'vitest'
import { counterOf, type Owner } from './counter.ts'
import { openLimiter } from './rate-limiter.ts'

describe('closing', () => {
  test('does not wait for a hanging database', async () => {
    let isAway = false
    const store = {
      query: async () => (isAway ? new Promise(() => {}) : [{ place: 0, granted: 6, used: 6 }]),
    } as unknown as Store
    const limiter = openLimiter({ store, now: () => new Date(0) })
    const owner: Owner = { kind: 'key', id: 'key_1' }
    const counter = counterOf({ owner, counts: 'minute', period: 'minute', limit: 60 })
    expect(await limiter.take([counter], (full) => full)).toBeUndefined()
    isAway = true
    await limiter.close()
    expect(counter.leased).toBe(0)
  })
})
