import { isIPv4 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { PublicApiMeta } from './contract.ts'
import { ApiError } from './errors.ts'

/** Who calls, and how much of it: SPEC §8 and DESIGN §8, overridable by environment where the service is wired. */
export const LIMITS = {
  anonPerMinute: 60,
  publicDevPerMinute: 120,
  publicDevPerMonth: 50_000,
  /** For every tier, in a bucket of its own. */
  searchPerMinute: 60,
}
export type Limits = Readonly<typeof LIMITS>

export type Caller = Readonly<{
  tier: z.infer<typeof PublicApiMeta>['tier']
  perMinute: number
  /** Whose requests are counted together. */
  countedAs: string
}>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every request below /v1. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** The bucket that the route is counted in; absent: the caller's requests per minute. */
    bucket?: 'search'
  }
}

/**
 * Counts and admits a request: sets `request.caller` and the X-RateLimit headers; throws the error of a limit that is
 * reached, or invalid_key. Every answer counts, errors too, so that nobody guesses keys for nothing.
 */
export function admission({ limits, now }: { limits: Limits; now: () => Date }) {
  const counter = minuteCounter({ callersMax: CALLERS_MAX })
  return (request: FastifyRequest, reply: FastifyReply): void => {
    request.caller = {
      tier: 'anon',
      perMinute: limits.anonPerMinute,
      countedAs: `ip ${networkOf(request.ip)}`,
    }
    const search = request.routeOptions.config?.bucket === 'search'
    const limit = search ? limits.searchPerMinute : request.caller.perMinute
    const taken = counter.take({
      key: `${search ? 'search ' : ''}${request.caller.countedAs}`,
      limit,
      nowMs: now().getTime(),
    })
    reply
      .header('x-ratelimit-limit', limit)
      .header('x-ratelimit-remaining', taken.remaining)
      .header('x-ratelimit-reset', taken.resetSeconds)
    if (!taken.admitted) {
      throw new ApiError(
        search ? 'search_rate_limited' : 'rate_limited_minute',
        `expected at most ${limit} ${search ? 'searches' : 'requests'} a minute`,
        { retryAfterSeconds: taken.retryAfterSeconds },
      )
    }
    // Never served as if it were anonymous: whoever presents a key means to be counted by it.
    if (request.headers.authorization !== undefined) {
      throw new ApiError('invalid_key', 'Authorization: expected "Bearer" and a valid API key, or no such header', {
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
  }
}

/** Callers counted in one minute: about 20 MB. Above it the oldest is forgotten, so a flood of addresses frees itself. */
const CALLERS_MAX = 100_000
const MINUTE_MS = 60_000

export type Taken = Readonly<{ admitted: boolean; remaining: number; resetSeconds: number; retryAfterSeconds: number }>

/** Counts by clock minute (UTC), so that all counts can be dropped at its end. */
export function minuteCounter({ callersMax }: { callersMax: number }) {
  const counts = new Map<string, number>()
  let minute = Number.NaN
  return {
    take({ key, limit, nowMs }: { key: string; limit: number; nowMs: number }): Taken {
      const present = Math.floor(nowMs / MINUTE_MS)
      if (present !== minute) {
        counts.clear()
        minute = present
      }
      const count = counts.get(key) ?? 0
      const admitted = count < limit
      if (admitted) {
        if (count === 0 && counts.size >= callersMax) {
          const [oldest] = counts.keys()
          counts.delete(oldest as string)
        }
        counts.set(key, count + 1)
      }
      const endsMs = (minute + 1) * MINUTE_MS
      return {
        admitted,
        remaining: Math.max(0, limit - count - 1),
        resetSeconds: endsMs / 1000,
        retryAfterSeconds: Math.max(1, Math.ceil((endsMs - nowMs) / 1000)),
      }
    },
  }
}

/** Whose address it is: all of an IPv4 address, the /64 of an IPv6 address (what one subscriber is given). */
export function networkOf(ip: string): string {
  const address = (ip.split('%')[0] as string).toLowerCase()
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  if (isIPv4(mapped)) return mapped
  // `::` stands for as many zero groups as are missing to eight.
  const [left = '', right] = address.split('::')
  const groups = left === '' ? [] : left.split(':')
  if (right !== undefined) {
    const after = right === '' ? [] : right.split(':')
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
