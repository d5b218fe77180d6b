import type { Limits } from '@catalog/api/callers/rate-limits.ts'
import type { Store } from '@catalog/store/db.ts'

/** Shared by the pages and the authorization server; each picks the parts it uses. */
export type ConsoleContext = Readonly<{
  store: Store
  /** Origin in browsers, without a final slash. Every link is built from it, never from a request. */
  origin: string
  limits: Limits
  now: () => Date
  log?: { error(details: object, message: string): void }
}>

export type Session = Readonly<{ sessionSha: Buffer; userId: string; email: string }>

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the sender on every request below /console and /oauth; null when signed out. */
    session: Session | null
  }
}
