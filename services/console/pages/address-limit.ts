import { type Counter, counterOf } from '@catalog/access/counter.ts'
import { openLimiter } from '@catalog/access/limiter.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import { networkOf } from '@catalog/api/callers/caller.ts'
import { LRUCache } from 'lru-cache'
import type { ConsoleContext } from './context.ts'

/** Pages and requests for tokens together: far more than a person and a few agents of theirs make. */
const REQUESTS_PER_MINUTE = 240
const ADDRESSES_MAX = 20_000

/** How much one address may ask of the pages and the authorization server, by whatever process. */
export interface AddressLimit {
  /** Counts a request; answers in how many seconds the next may come when this one may not. */
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
      const full = await limiter.take(counter, undefined, (counter) => counter)
      return full && secondsUntil(full.endMs, now().getTime())
    },
    close: limiter.close,
  }
}
