import { type Counter, remainingOf } from '@catalog/access/counter.ts'
import type { BucketWindow } from '@catalog/access/rate-limiter.ts'
import { secondsUntil } from '@catalog/access/windows.ts'
import type { FastifyReply } from 'fastify'

/** Names and values in turn: the bucket that counted or refused the request, and the month beside it. */
export function rateHeaders(counter: Counter, month: Counter | undefined, nowMs: number): (string | number)[] {
  const counters = month === undefined || month === counter ? [counter] : [counter, month]
  const [first, ...others] = counters.map((one) => ({ ...one, remaining: remainingOf(one) }))
  return headersOf(first as BucketWindow, [first as BucketWindow, ...others], nowMs)
}

/**
 * The headers of windows that count a rare action: X-RateLimit of the one that leaves the least, the first of equals; all in
 * RateLimit.
 */
export const windowHeaders = (windows: readonly BucketWindow[], nowMs: number): (string | number)[] =>
  headersOf(windows.toSorted((a, b) => a.remaining - b.remaining)[0] as BucketWindow, windows, nowMs)

function headersOf(first: BucketWindow, all: readonly BucketWindow[], nowMs: number): (string | number)[] {
  const policies = all.map(
    ({ counts, limit, startMs, endMs }) => `"${counts}";q=${limit};w=${(endMs - startMs) / 1000}`,
  )
  const states = all.map(({ counts, remaining, endMs }) => `"${counts}";r=${remaining};t=${secondsUntil(endMs, nowMs)}`)
  return [
    ...['x-ratelimit-limit', first.limit, 'x-ratelimit-remaining', first.remaining],
    ...['x-ratelimit-reset', first.endMs / 1000],
    ...['ratelimit-policy', policies.join(', '), 'ratelimit', states.join(', ')],
  ]
}

export function setRateHeaders(reply: FastifyReply, headers: readonly (string | number)[]): void {
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] as string, headers[i + 1])
}
