import { type Counter, remainingOf } from '@catalog/access/counter.ts'
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

export function setRateHeaders(reply: FastifyReply, headers: readonly (string | number)[]): void {
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] as string, headers[i + 1])
}
