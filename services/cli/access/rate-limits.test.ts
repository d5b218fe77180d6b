import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { expect, test } from 'vitest'
import { limitsOf } from './rate-limits.ts'

test('the environment can set each limit, and an empty one gives the defaults', () => {
  expect(limitsOf(readEnvironment({}))).toEqual(LIMITS)
  const set = limitsOf(
    readEnvironment({
      RATE_LIMIT_ANON_PER_MIN: '1',
      RATE_LIMIT_DEV_PER_MIN: '2',
      RATE_LIMIT_DEV_PER_MONTH: '3',
      RATE_LIMIT_ORG_PER_MIN: '4',
      RATE_LIMIT_ORG_PER_MONTH: '5',
      RATE_LIMIT_SEARCH_PER_MIN: '6',
      RATE_LIMIT_SIGNUPS_PER_HOUR: '7',
      RATE_LIMIT_SIGNUPS_PER_DAY: '8',
      RATE_LIMIT_SIGNUPS_PER_EMAIL_PER_DAY: '9',
    }),
  )
  expect(Object.values(set).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(set).toMatchObject({ anonPerMinute: 1, publicDevPerMonth: 3, orgPerMinute: 4, signupsPerEmailPerDay: 9 })
})
