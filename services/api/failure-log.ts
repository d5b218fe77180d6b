import { routeError } from '@catalog/api/http/error-replies.ts'
import type { ApiError } from '@catalog/api/http/errors.ts'
import { MINUTE_MS } from '@catalog/core/time.ts'
import type { FastifyError, FastifyRequest } from 'fastify'
import type { HttpMetrics } from './http-metrics.ts'
import type { RoutesContext } from './routes.ts'

type Log = { error(details: object, message: string): void }

/**
 * Tells the operator of failures of ours: each fault of the code with its stack, and an outage of a part once a minute with
 * the number of requests that it met since. A stack for each of a thousand requests says no more, and fills a disk. The metrics
 * count every failure by its code.
 */
export function failureLog(
  log: Log | undefined,
  now: () => Date,
  metrics?: HttpMetrics,
): Pick<RoutesContext, 'logFailure' | 'failureOf'> {
  const outages = new Map<string, { saidMs: number; requests: number }>()

  function logOutage({ code, message, cause }: ApiError, requestId: string): void {
    const nowMs = now().getTime()
    const known = outages.get(code) ?? { saidMs: Number.NEGATIVE_INFINITY, requests: 0 }
    known.requests++
    outages.set(code, known)
    if (nowMs - known.saidMs < MINUTE_MS) return
    const reason = cause instanceof Error ? cause.message : undefined
    log?.error({ code, reason, requests: known.requests, requestId }, message)
    outages.set(code, { saidMs: nowMs, requests: 0 })
  }

  function logFailure(failure: ApiError, requestId: string, error: unknown = failure): void {
    if (failure.status === 503) logOutage(failure, requestId)
    else log?.error({ err: failure.cause ?? error, requestId }, failure.message)
  }

  return {
    logFailure,
    failureOf(error: FastifyError, request: FastifyRequest) {
      const failure = routeError(error, request)
      metrics?.failed(failure.code)
      // A probe of a starting server fails every second, and that is no fault.
      if (failure.code !== 'not_ready' && failure.status >= 500) logFailure(failure, request.id, error)
      return failure
    },
  }
}
