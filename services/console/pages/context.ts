import type { Limits } from '@catalog/api/callers/caller.ts'
import type { Store } from '@catalog/store/db.ts'

/** What the pages and the authorization server share. Each takes the part that it uses. */
export type ConsoleContext = Readonly<{
  store: Store
  /** As browsers reach us, without a final slash; every link is made from it, none from a request. */
  origin: string
  limits: Limits
  now: () => Date
  log?: { error(details: object, message: string): void }
}>

export type Session = Readonly<{ sessionSha: Buffer; userId: string; email: string }>

declare module 'fastify' {
  interface FastifyRequest {
    /** Of whoever is signed in, on every request below /console and /oauth. */
    session: Session | null
  }
}
