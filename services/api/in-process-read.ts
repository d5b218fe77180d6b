import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from '@catalog/api/callers/rate-limits.ts'
import type { FastifyInstance } from 'fastify'

/**
 * Reads a route of the API within the process, for a page whose reader was admitted and counted: the same address gives
 * the same answer to a program. Nothing that a request carries can claim to be such a read; the async context says so.
 */
export type InProcessRead = (address: string, reader: PageReader) => Promise<InProcessAnswer>

/** Who asked for the page. */
export type PageReader = Readonly<{ caller: Caller; ip: string }>

export type InProcessAnswer = Readonly<{
  status: number
  /** Content-Location of an item that stands for a merged one; undefined otherwise. */
  location: string | undefined
  retryAfterSeconds: number | undefined
  /** The parsed JSON. */
  body: unknown
}>

const admitted = new AsyncLocalStorage<Caller>()

/** The caller of a read within the process; undefined for a request from outside. */
export const admittedCaller = (): Caller | undefined => admitted.getStore()

export function inProcessRead(app: FastifyInstance): InProcessRead {
  return (address, { caller, ip }) =>
    admitted.run(caller, async () => {
      const answer = await app.inject({
        url: address,
        remoteAddress: ip,
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      })
      const retryAfter = Number(answer.headers['retry-after'])
      return {
        status: answer.statusCode,
        location: answer.headers['content-location'] as string | undefined,
        retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
        // Other routes and redirects have no JSON, and no page shows them.
        body: String(answer.headers['content-type']).startsWith('application/json') ? answer.json() : undefined,
      }
    })
}
