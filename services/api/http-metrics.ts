import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '@catalog/api/http/errors.ts'

/** Counts requests by their route (`/v1/items/:id`, `none` where no route has the address) and status, and errors. */
export interface HttpMetrics {
  /** Counts an answer that was sent. */
  count(route: string, status: number, ms: number): void
  /** Counts a request once its answer is sent or its reader left, with the route that it was given by then. */
  follow(request: IncomingMessage, response: ServerResponse, begunMs: number): void
  routed(request: IncomingMessage, route: string | undefined): void
  failed(code: ErrorCode): void
}
