import type { DocumentCache } from '@catalog/api/http/cache.ts'
import type { CacheIdentity } from '@catalog/api/http/documents.ts'
import { sharedFields, volatileFields } from '@catalog/api/http/headers.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

/** A tool call that the cache may answer: its key, and the id as JSON. */
export type Call = Readonly<{ key: string; id: string }>

type Answer = Readonly<{
  document: CacheIdentity
  headers: readonly (string | number)[]
  /** The bytes before the id of the message, and the text after it. */
  before: Buffer
  after: string
}>

/** Some 4,000 items with their prices, beside the documents. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Overhead of an answer beside its bytes. */
const ENTRY_BYTES = 2_000
const KEY_CHARS_MAX = 2_000

/**
 * Answers repeated tool calls without the protocol's library, which creates a request, a server and a stream for each
 * message and validates it several times.
 *
 * Law: the answer equals that of the library, but for its framing. The key holds every part of a message, and of its
 * headers, that the library or a tool reads. Only the id differs, which the library writes last. The cache answers only
 * while the one document that the tool read is current. The endpoint admits and counts a call before.
 */
export function openCallCache(cache: Pick<DocumentCache, 'peek'>) {
  const answers = new LRUCache<string, Answer>({
    maxSize: ANSWER_BYTES_MAX,
    sizeCalculation: ({ before }, key) => before.length + 2 * key.length + ENTRY_BYTES,
  })
  return {
    /** Whether the cache answered. */
    answer({ key, id }: Call, reply: FastifyReply): boolean {
      const answer = answers.get(key)
      if (answer === undefined || cache.peek(answer.document.key)?.cachedAs?.serial !== answer.document.serial) {
        return false
      }
      const body = Buffer.concat([answer.before, Buffer.from(id + answer.after)])
      const own = [...volatileFields(reply.getHeaders()), 'content-length', body.length]
      reply.raw.writeHead(200, [...own, ...answer.headers] as string[]).end(body)
      return true
    },
    /** Stores the answer of the library, and returns one that is still to be read. */
    async remember(
      { key, id }: Call,
      response: Response,
      { reply, cachedAs }: { reply: FastifyReply; cachedAs: () => CacheIdentity | undefined },
    ): Promise<Response> {
      const isStream = response.headers.get('content-type') === 'text/event-stream'
      // The stream of an older revision begins before its tool answers, and tools send nothing else.
      if (response.status !== 200 || (cachedAs() === undefined && !isStream)) return response
      const text = await response.text()
      const document = cachedAs()
      const after = isStream ? '}\n\n' : '}'
      const end = `,"id":${id}${after}`
      if (document !== undefined && text.endsWith(end)) {
        const headers = sharedFields({ ...reply.getHeaders(), ...Object.fromEntries(response.headers) })
        answers.set(key, { document, headers, before: Buffer.from(text.slice(0, -id.length - after.length)), after })
      }
      return new Response(text, { headers: response.headers })
    },
  }
}

/** The call of a message; undefined for all that is no plain call. When the library reads another header, add it here. */
export function callOf(
  { headers, body }: Pick<FastifyRequest, 'headers' | 'body'>,
  scopes: readonly string[],
): Call | undefined {
  const { jsonrpc, id, method, params, ...others } = Object(body) as Readonly<Record<string, unknown>>
  const isPlain =
    jsonrpc === '2.0' &&
    method === 'tools/call' &&
    (typeof id === 'string' || Number.isSafeInteger(id)) &&
    Object.keys(others).length === 0 &&
    headers['mcp-session-id'] === undefined
  if (!isPlain) return undefined
  const key = JSON.stringify([
    scopes,
    headers.accept,
    headers['content-type'],
    headers['mcp-protocol-version'],
    headers['mcp-method'],
    headers['mcp-name'],
    params,
  ])
  return key.length <= KEY_CHARS_MAX ? { key, id: JSON.stringify(id) } : undefined
}
