import { openLimiter } from '@catalog/access/rate-limiter.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import { networkOf } from '@catalog/api/callers/network.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'

/** Client registrations per hour and day of one address, and per day of all addresses together. */
export const REGISTRATIONS = { perHour: 10, perDay: 30, perDayOfAll: 2_000 }
/** Client documents fetched per hour on behalf of one address. */
const DOCUMENTS_PER_HOUR = 60

export interface RegistrationLimits {
  /** Counts a registration; answers the seconds to wait when the limit is reached. */
  admitRegistration(ip: string): Promise<number | undefined>
  /** Counts a fetch of a client document; false when the limit is reached. */
  admitDocument(ip: string): Promise<boolean>
  close(): Promise<void>
}

export function openRegistrationLimits(
  { store, now }: Pick<ConsoleContext, 'store' | 'now'>,
  { perHour, perDay, perDayOfAll }: typeof REGISTRATIONS,
): RegistrationLimits {
  const limiter = openLimiter({ store, now })
  const ownerOf = (ip: string) => ({ kind: 'ip', id: networkOf(ip) }) as const
  return {
    async admitRegistration(ip) {
      const owner = ownerOf(ip)
      const endMs = await limiter.takeOnce([
        { owner, counts: 'oauth-reg-hour', period: 'hour', limit: perHour },
        { owner, counts: 'oauth-reg-day', period: 'day', limit: perDay },
        { owner: { kind: 'everybody', id: 'oauth' }, counts: 'oauth-reg-day', period: 'day', limit: perDayOfAll },
      ])
      return endMs && secondsUntil(endMs, now().getTime())
    },
    async admitDocument(ip) {
      const limit = { counts: 'oauth-documents', period: 'hour', limit: DOCUMENTS_PER_HOUR } as const
      return (await limiter.takeOnce([{ owner: ownerOf(ip), ...limit }])) === undefined
    },
    close: () => limiter.close(),
  }
}
