import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callers } from '@catalog/api/callers/caller.ts'
import type { DocumentCache } from '@catalog/api/http/cache.ts'
import { ageSeconds } from '@catalog/api/http/catalog-version.ts'
import { countHosts, isKnownVersion } from '@catalog/api/http/connection.ts'
import type { CacheIdentity, RenderedDocument } from '@catalog/api/http/documents.ts'
import { sharedFields } from '@catalog/api/http/headers.ts'
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
  /** The route whose answer the cache sent; undefined: the routes have to answer. */
  answer(request: IncomingMessage, response: ServerResponse): string | undefined
  /** Stores the answer of a route; call it once all headers are set. */
  remember(request: FastifyRequest, reply: FastifyReply): void
}

type Answer = Readonly<{
  route: string
  document: CacheIdentity
  /** Undefined: 304. */
  coding: Coding | 'identity' | undefined
  countedAs: 'request' | 'revalidation'
  /** Only headers that are equal in every answer. */
  headers: Fields
}>

/** Names and values in turn. */
type Fields = readonly (string | number)[]

/** At most 30 MB beside the documents: a key of 1,000 characters, and as many of headers. */
const ANSWERS_MAX = 10_000
const NAME_CHARS_MAX = 1_000

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

  /** Sends a body, or a 304 without one, with these fields and those of this answer alone. */
  function send(response: ServerResponse, fields: Fields, document: RenderedDocument, body: Buffer | undefined): void {
    const away = awayMs()
    const own = [
      'x-request-id',
      requestId(),
      ...(away === undefined ? [] : ['age', ageSeconds(away)]),
      ...(body === undefined ? [] : bodyFields(document, body)),
    ]
    response.writeHead(body === undefined ? 304 : 200, [...fields, ...own] as string[]).end(body)
  }

  return {
    answer(request, response) {
      // Before the caller is looked up: a key is hashed for that.
      if (request.method !== 'GET' || isDraining()) return undefined
      const caller = callers.recognise(request)
      const name = caller && nameOf(request, caller.account.caller.tier)
      if (caller === undefined || name === undefined) return undefined
      const answer = answers.get(name)
      const document = answer && cache.peek(answer.document.key)
      if (answer === undefined || document === undefined) return undefined
      const bytes = answer.coding && document.peek(answer.coding)
      if (
        document.cachedAs?.serial !== answer.document.serial ||
        (answer.coding !== undefined && bytes === undefined)
      ) {
        answers.delete(name)
        return undefined
      }
      const headers = callers.countNow(caller, answer.countedAs)
      if (headers === undefined) return undefined
      send(response, [...headers, ...answer.headers], document, bytes)
      return answer.route
    },
    remember(request, reply) {
      const { document, coding } = request.sentDocument ?? {}
      const { bucket, revalidates } = request.routeOptions.config
      // Skip documents outside the document cache, which change soon, and the buckets that the cache cannot count.
      if (document?.cachedAs === undefined || (bucket !== undefined && bucket !== 'archive')) return
      const name = nameOf(request.raw, request.caller.tier)
      if (name === undefined || answers.get(name) !== undefined) return
      answers.set(name, {
        route: request.routeOptions.url as string,
        document: document.cachedAs,
        coding,
        countedAs: bucket === 'archive' || (coding === undefined && revalidates === true) ? 'revalidation' : 'request',
        headers: sharedFields(reply.getHeaders()),
      })
    },
  }
}

function bodyFields({ modified }: RenderedDocument, body: Buffer): (string | number)[] {
  const date = modified?.date()
  return [...(date === undefined ? [] : ['last-modified', date]), 'content-length', body.length]
}

/** An absent Accept-Encoding accepts any coding, and an empty one none. */
const NO_HEADER = '\n'

/**
 * The key of a request: every part on which the answer depends; undefined for requests that the cache skips. When a
 * route reads another header, add it here.
 */
function nameOf(
  { method, url = '', httpVersion, headers, rawHeaders }: IncomingMessage,
  tier: string,
): string | undefined {
  const isPlain =
    method === 'GET' &&
    isKnownVersion({ httpVersion }) &&
    countHosts(rawHeaders) === 1 &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['if-modified-since'] === undefined
  if (!isPlain) return undefined
  const { accept = '' } = headers
  // Markdown alone depends on the language, and readers of JSON share one answer.
  const languages = accept.toLowerCase().includes('text/') ? (headers['accept-language'] ?? '') : ''
  const name = `${tier} ${url}\n${accept}\n${headers['accept-encoding'] ?? NO_HEADER}\n${headers['if-none-match'] ?? ''}\n${languages}`
  return name.length <= NAME_CHARS_MAX ? name : undefined
}
