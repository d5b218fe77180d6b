import { once } from 'node:events'
import { isTracing, span } from '@catalog/runtime/tracing.ts'
import type { FastifyInstance } from 'fastify'

/**
 * Gives each request of a route a span, where traces are on; the response cache answers without one. A trace begins here: a
 * caller from the internet chooses none of its numbers.
 */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return
  app.addHook('onRequest', (request, reply, next) => {
    const name = `${request.method} ${request.routeOptions.url ?? 'none'}`
    void span(name, { kind: 'server' }, async () => {
      const closed = once(reply.raw, 'close')
      next()
      await closed
      if (reply.raw.statusCode >= 500) throw new Error(`status ${reply.raw.statusCode}`)
    }).catch(() => {})
  })
}
