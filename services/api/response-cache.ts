import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callers } from '@catalog/api/callers/caller.ts'
import type { DocumentCache } from '@catalog/api/http/cache.ts'
import { ageSeconds } from '@catalog/api/http/catalog-version.ts'
import type { CacheIdentity } from '@catalog/api/http/documents.ts'
import type { Coding } from '@catalog/api/http/negotiate.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/**
 * Answers repeated requests without routing, validation or hooks, which take most of the time.
 *
 * Law: the answer equals that of the routes. The key holds every part of the request that routes read. The cache
 * answers only while the document is current, and counts the caller as the routes would. The routes handle all other
 * requests.
 */
export interface ResponseCache {
  /** Whether the cache answered. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** Stores the answer of a route; call it once all headers are set. */
  remember(request: FastifyRequest, reply: FastifyReply): void
}

type Answer = Readonly<{
  document: CacheIdentity
  /** Undefined: 304. */
  coding: Coding | 'identity' | undefined
  countedAs: 'request' | 'revalidation'
  /** Names and values in turn; only headers that are equal in every answer. */
  headers: readonly string[]
}>

/** At most 30 MB beside the documents: a key of 1,000 characters, and as many of headers. */
const ANSWERS_MAX = 10_000
const NAME_CHARS_MAX = 1_000

/** Headers that differ from answer to answer. */
const VOLATILE_HEADERS: ReadonlySet<string> = new Set([
  'age',
  'x-request-id',
  'last-modified',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
])

export function openResponseCache({
  cache,
  callers,
  requestId,
  isDraining,
  awayMs,
}: {
  cache: DocumentCache
  callers: Callers
  requestId: () => string
  isDraining: () => boolean
  awayMs: () => number | undefined
}): ResponseCache {
  const answers = new LRUCache<string, Answer>({ max: ANSWERS_MAX })
  return {
    answer(request, response) {
      if (isDraining()) return false
      const caller = callers.recognise(request)
      const name = caller && nameOf(request, caller.account.caller.tier)
      const answer = name === undefined ? undefined : answers.get(name)
      if (caller === undefined || name === undefined || answer === undefined) return false
      const document = cache.peek(answer.document.key)
      if (document === undefined) return false
      const bytes = answer.coding && document.peek(answer.coding)
      if (
        document.cachedAs?.serial !== answer.document.serial ||
        (answer.coding !== undefined && bytes === undefined)
      ) {
        answers.delete(name)
        return false
      }
      const headers = callers.countNow(caller, answer.countedAs)
      if (headers === undefined) return false
      headers.push('x-request-id', requestId(), ...answer.headers)
      const away = awayMs()
      if (away !== undefined) headers.push('age', ageSeconds(away))
      if (bytes === undefined) {
        response.writeHead(304, headers)
        response.end()
      } else {
        headers.push('last-modified', document.modified?.date() ?? '', 'content-length', bytes.length)
        response.writeHead(200, headers)
        response.end(bytes)
      }
      return true
    },
    remember(request, reply) {
      const { document, coding } = request.sentDocument ?? {}
      const { bucket, revalidates } = request.routeOptions.config
      // Skip documents outside the document cache, which change soon, and the buckets that the cache cannot count.
      if (document?.cachedAs === undefined || (bucket !== undefined && bucket !== 'archive')) return
      const name = nameOf(request.raw, request.caller.tier)
      if (name === undefined || answers.get(name) !== undefined) return
      const standing = Object.entries(reply.getHeaders()).filter(([header]) => !VOLATILE_HEADERS.has(header))
      answers.set(name, {
        document: document.cachedAs,
        coding,
        countedAs: bucket === 'archive' || (coding === undefined && revalidates === true) ? 'revalidation' : 'request',
        headers: standing.flatMap(([header, value]) => [header, String(value)]),
      })
    },
  }
}

/**
 * The key of a request: every part on which the answer depends; undefined for requests that the cache skips. When a
 * route reads another header, add it here.
 */
function nameOf({ method, url = '', headers }: IncomingMessage, tier: string): string | undefined {
  const isPlain =
    method === 'GET' &&
    headers.host !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['if-modified-since'] === undefined
  if (!isPlain) return undefined
  const { accept = '' } = headers
  // Markdown alone depends on the language, and readers of JSON share one answer.
  const languages = accept.toLowerCase().includes('text/') ? (headers['accept-language'] ?? '') : ''
  const name = `${tier} ${url}\n${accept}\n${headers['accept-encoding'] ?? ''}\n${headers['if-none-match'] ?? ''}\n${languages}`
  return name.length <= NAME_CHARS_MAX ? name : undefined
}
