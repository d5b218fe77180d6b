import { openLimiter } from '@catalog/access/rate-limiter.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import { networkOf, siteOf } from '@catalog/api/callers/network.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'

/**
 * Client registrations per hour and day of one network, per day of a site with many networks, and per day of all together.
 * The last only bounds storage, at some 400 MB: an attacker needs 167 sites to reach it.
 */
export const REGISTRATIONS = { perHour: 10, perDay: 30, perDayOfSite: 300, perDayOfAll: 50_000 }
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
  { perHour, perDay, perDayOfSite, perDayOfAll }: typeof REGISTRATIONS,
): RegistrationLimits {
  const limiter = openLimiter({ store, now })
  const ownerOf = (ip: string) => ({ kind: 'ip', id: networkOf(ip) }) as const
  return {
    async admitRegistration(ip) {
      const owner = ownerOf(ip)
      const site = { kind: 'ip', id: `site ${siteOf(ip)}` } as const
      const endMs = await limiter.takeOnce([
        { owner, counts: 'oauth-reg-hour', period: 'hour', limit: perHour },
        { owner, counts: 'oauth-reg-day', period: 'day', limit: perDay },
        { owner: site, counts: 'oauth-reg-day', period: 'day', limit: perDayOfSite },
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
