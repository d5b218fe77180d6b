import { DAY_MS, instant } from '@catalog/core/time.ts'
import type { FastifyInstance } from 'fastify'

/** A reader of the file trusts it so long; it is written anew for each. */
const VALID_DAYS = 180

/** GET /.well-known/security.txt (RFC 9116): where to report a vulnerability. Without a contact there is no such file. */
export function securityTextRoute(
  site: FastifyInstance,
  { origin, contact, now }: { origin: string; contact: string | undefined; now: () => Date },
): void {
  if (contact === undefined) return
  site.get('/.well-known/security.txt', { schema: { hide: true } }, async (_request, reply) => {
    const day = Math.floor(now().getTime() / DAY_MS)
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${instant(new Date((day + VALID_DAYS) * DAY_MS))}`,
      'Preferred-Languages: en',
      `Canonical: ${origin}/.well-known/security.txt`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
