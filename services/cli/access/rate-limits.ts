import { LIMITS, type Limits } from '@catalog/api/callers/rate-limits.ts'
import type { Environment } from '@catalog/runtime/env.ts'

/** The default request limits, with those that the environment sets in their place. */
export function limitsOf(env: Environment): Limits {
  return {
    ...LIMITS,
    anonPerMinute: env.RATE_LIMIT_ANON_PER_MIN,
    publicDevPerMinute: env.RATE_LIMIT_DEV_PER_MIN,
    publicDevPerMonth: env.RATE_LIMIT_DEV_PER_MONTH,
    orgPerMinute: env.RATE_LIMIT_ORG_PER_MIN,
    orgPerMonth: env.RATE_LIMIT_ORG_PER_MONTH,
    searchPerMinute: env.RATE_LIMIT_SEARCH_PER_MIN,
    signupsPerHour: env.RATE_LIMIT_SIGNUPS_PER_HOUR,
    signupsPerDay: env.RATE_LIMIT_SIGNUPS_PER_DAY,
    signupsPerEmailPerDay: env.RATE_LIMIT_SIGNUPS_PER_EMAIL_PER_DAY,
  }
}
