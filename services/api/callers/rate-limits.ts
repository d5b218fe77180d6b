import type { PublicApiMeta } from '@catalog/api/contract/contract.ts'
import type { z } from 'zod'

/** Default rate limits; the environment overrides them where the service starts. */
export const LIMITS = {
  anonPerMinute: 60,
  publicDevPerMinute: 120,
  publicDevPerMonth: 50_000,
  /** All keys of a workspace together. */
  orgPerMinute: 1_000,
  orgPerMonth: 100_000,
  /** Every access tier has this in a bucket of its own. */
  searchPerMinute: 60,
  /** Keys for one address, and for one e-mail. */
  signupsPerHour: 5,
  signupsPerDay: 20,
  signupsPerEmailPerDay: 5,
}
export type Limits = Readonly<typeof LIMITS>

/** All free keys of one address together have the limits of a minute of so many, or five keys would have five times as much. */
export const FREE_KEYS_PER_ADDRESS = 2

export type Caller = Readonly<{
  tier: z.infer<typeof PublicApiMeta>['tier']
  perMinute: number
  /** Null: no cap. */
  perMonth: number | null
}>

/** The caller of each access tier. */
export function callersOf(limits: Limits): Readonly<{ anon: Caller; developer: Caller; workspace: Caller }> {
  return {
    anon: { tier: 'anon', perMinute: limits.anonPerMinute, perMonth: null },
    developer: { tier: 'public_dev', perMinute: limits.publicDevPerMinute, perMonth: limits.publicDevPerMonth },
    workspace: { tier: 'org', perMinute: limits.orgPerMinute, perMonth: limits.orgPerMonth },
  }
}
