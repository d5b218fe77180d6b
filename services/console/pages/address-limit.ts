import { type Counter, counterOf } from '@catalog/access/counter.ts'
import { openLimiter } from '@catalog/access/rate-limiter.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import { networkOf } from '@catalog/api/callers/network.ts'
import { LRUCache } from 'lru-cache'
import type { ConsoleContext } from './context.ts'

/** Counts pages and token requests together: far more than a person with a few agents makes. */
const REQUESTS_PER_MINUTE = 240
const ADDRESSES_MAX = 20_000

/** Limits requests of one address to pages and authorization server, across all processes. */
export interface AddressLimit {
  /** Counts a request; answers the seconds to wait when the limit is reached. */
  admit(ip: string): Promise<number | undefined>
  close(): Promise<void>
}

export function openAddressLimit({ store, now }: Pick<ConsoleContext, 'store' | 'now'>): AddressLimit {
  const limiter = openLimiter({ store, now })
  const counters = new LRUCache<string, Counter>({ max: ADDRESSES_MAX, dispose: (counter) => limiter.release(counter) })
  return {
    async admit(ip) {
      const id = networkOf(ip)
      const counter =
        counters.get(id) ??
        counterOf({ owner: { kind: 'ip', id }, counts: 'people', period: 'minute', limit: REQUESTS_PER_MINUTE })
      counters.set(id, counter)
      const full = await limiter.take([counter], (counter) => counter)
      return full && secondsUntil(full.endMs, now().getTime())
    },
    close: () => limiter.close(),
  }
}
