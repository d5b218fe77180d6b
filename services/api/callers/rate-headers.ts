import { type Counter, remainingOf } from '@catalog/access/counter.ts'
import type { BucketWindow } from '@catalog/access/rate-limiter.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import type { FastifyReply } from 'fastify'

/** Names and values in turn: the bucket that counted or refused the request, and the month beside it. */
export function rateHeaders(counter: Counter, month: Counter | undefined, nowMs: number): (string | number)[] {
  const remaining = remainingOf(counter)
  let policy = `"${counter.counts}";q=${counter.limit};w=${(counter.endMs - counter.startMs) / 1000}`
  let state = `"${counter.counts}";r=${remaining};t=${secondsUntil(counter.endMs, nowMs)}`
  if (month !== undefined && month !== counter) {
    policy += `, "month";q=${month.limit};w=${(month.endMs - month.startMs) / 1000}`
    state += `, "month";r=${remainingOf(month)};t=${secondsUntil(month.endMs, nowMs)}`
  }
  return [
    'x-ratelimit-limit',
    counter.limit,
    'x-ratelimit-remaining',
    remaining,
    'x-ratelimit-reset',
    counter.endMs / 1000,
    'ratelimit-policy',
    policy,
    'ratelimit',
    state,
  ]
}

/**
 * The headers of windows that count a rare action: X-RateLimit of the one that leaves the least, the first of equals; all in
 * RateLimit.
 */
export function windowHeaders(windows: readonly BucketWindow[], nowMs: number): (string | number)[] {
  const least = windows.toSorted((a, b) => a.remaining - b.remaining)[0] as BucketWindow
  return [
    'x-ratelimit-limit',
    least.limit,
    'x-ratelimit-remaining',
    least.remaining,
    'x-ratelimit-reset',
    least.endMs / 1000,
    'ratelimit-policy',
    windows
      .map(({ counts, limit, startMs, endMs }) => `"${counts}";q=${limit};w=${(endMs - startMs) / 1000}`)
      .join(', '),
    'ratelimit',
    windows
      .map(({ counts, remaining, endMs }) => `"${counts}";r=${remaining};t=${secondsUntil(endMs, nowMs)}`)
      .join(', '),
  ]
}

export function setRateHeaders(reply: FastifyReply, headers: readonly (string | number)[]): void {
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] as string, headers[i + 1])
}
