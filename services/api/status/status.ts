import { operation, StatusPage, StatusResponse } from '@catalog/api/contract/contract.ts'
import type { CachedRead } from '@catalog/api/http/cached-read.ts'
import type { V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, sendOnce } from '@catalog/api/http/documents.ts'
import { PAGE_HEADERS } from '@catalog/api/http/headers.ts'
import { preferredType } from '@catalog/api/http/negotiate.ts'
import { statusHtml } from './status-page.ts'

/** Caches keep a status for this time. */
const CACHE_SECONDS = 5

/** Additive: GET /status, which answers while the database does not, also to callers at their limits. */
export function statusRoute(
  v1: V1,
  { status, baseUrl }: { status: CachedRead<StatusResponse>; baseUrl: string },
): void {
  v1.get(
    '/status',
    {
      config: { bucket: 'archive', answersUncounted: true },
      ...operation('getStatus', { answer: { 'application/json': StatusResponse, 'text/html': StatusPage } }),
    },
    async (request, reply) => {
      const found = await status.get()
      const isPage = preferredType(request.headers.accept, TYPES) === 'text/html'
      const headers = {
        ...(isPage ? PAGE_HEADERS : { 'content-type': JSON_TYPE }),
        'cache-control': `max-age=${CACHE_SECONDS}`,
      }
      reply.header('vary', 'Authorization, Accept, Accept-Encoding')
      return sendOnce(request, reply, documentOf(isPage ? statusHtml(found, baseUrl) : JSON.stringify(found), headers))
    },
  )
}

/** Media types of a status; JSON is the default. */
const TYPES = ['application/json', 'text/html'] as const
