import type { Callers } from '@catalog/api/callers/caller.ts'
import { MCP_PATH, RESOURCE_METADATA_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import type { GuideFacts } from '@catalog/api/docs/guide.ts'
import type { DocumentCache } from '@catalog/api/http/cache.ts'
import type { CacheIdentity } from '@catalog/api/http/documents.ts'
import { ApiError, asApiError } from '@catalog/api/http/errors.ts'
import { preferredType } from '@catalog/api/http/negotiate.ts'
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/fastify'
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node'
import { type AuthInfo, createMcpHandler, localhostAllowedHostnames } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callOf, openCallCache } from './call-cache.ts'
import { type MessageContext, openServerFactory, type ServerDeps } from './mcp-server.ts'
import { SCOPES, type Scope, TOOLS } from './mcp-tools.ts'

/** Request headers that browsers of allowed origins may send beside those of REST. */
export const MCP_REQUEST_HEADERS = 'MCP-Protocol-Version, Mcp-Method, Mcp-Name'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every admitted request to the agent endpoint. */
    agent: Agent | null
  }
}

/** The sender of a message, with its scopes. */
export type Agent = Readonly<{
  /** Id of the key, or of the client that owns the token. */
  clientId: string
  scopes: readonly Scope[]
  /** The token itself, for the protocol's library; nothing logs or stores it. */
  token: string
}>

/**
 * Resolves the bearer token of a request to its sender. Sets `request.caller` and `request.uncounted`, so that the
 * endpoint counts the message. Throws invalid_key for a token that is missing, unknown, revoked, expired or meant for
 * another audience, and the error of a full limit.
 */
export type AgentVerifier = (request: FastifyRequest, reply: FastifyReply) => Promise<Agent>

/** Accepts API keys of both kinds, with all scopes. */
export function keyVerifier(callers: Pick<Callers, 'admit'>): AgentVerifier {
  return async (request, reply) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    callers.admit(request, reply, (refused) => (refused === undefined ? resolve() : reject(refused)))
    await promise
    // The route requires a key, so the credential is set.
    const { key, found } = request.credential as NonNullable<FastifyRequest['credential']>
    return { token: key, clientId: found.key_id, scopes: SCOPES }
  }
}

type EndpointDeps = ServerDeps &
  Readonly<{
    /** Tells whether the document of an earlier answer is current. */
    cache: Pick<DocumentCache, 'peek'>
    verify: AgentVerifier
    isDraining: () => boolean
    /** The answer to a failure; logs failures of the service. */
    failureOf: (error: FastifyError, request: FastifyRequest) => ApiError
  }>

/** The file of a bill, as JSON. */
const BODY_BYTES_MAX = 1_500_000

/** POST /api/mcp. */
export function agentRoute(app: FastifyInstance, deps: EndpointDeps): void {
  const { facts, verify, isDraining, failureOf } = deps
  const answer = answerer(app, deps)
  app.decorateRequest('agent', null)

  // Refuse foreign pages, and pages that reach this host under a name of their own (DNS rebinding).
  const hostnames = [...new Set([new URL(facts.origin).hostname, ...localhostAllowedHostnames()])]
  app.addHook('onRequest', hostHeaderValidation(hostnames))
  app.addHook('onRequest', originValidation(hostnames))
  app.addHook('onRequest', async (request, reply) => {
    request.agent = await verify(request, reply)
  })

  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const failure = failureOf(error, request)
    const code = UNREADABLE.has(error.code) ? RPC_PARSE_ERROR : undefined
    try {
      // An unreadable message counts too.
      await request.countMessage(reply, 'service')
      return sendFailure(request, reply, failure, code)
    } catch (refused) {
      return sendFailure(request, reply, asApiError(refused))
    }
  })

  function sendFailure(
    request: FastifyRequest,
    reply: FastifyReply,
    failure: ApiError,
    code = RPC_CODES[failure.code] ?? RPC_SERVER_ERROR,
  ): FastifyReply {
    const { status, headers, retryAfterSeconds, body } = failure
    const challenge = status === 401 ? { 'www-authenticate': challengeOf(facts.origin, request, failure) } : {}
    const retry = retryAfterSeconds === undefined ? {} : { 'retry-after': retryAfterSeconds }
    const error = { code, message: failure.message, data: body }
    return reply
      .code(status)
      .headers({ ...headers, ...retry, ...challenge, 'cache-control': 'no-store' })
      .type('application/json')
      .send(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
  }

  app.post(
    MCP_PATH,
    { bodyLimit: BODY_BYTES_MAX, config: { bucket: 'message', key: 'any' }, schema: { hide: true } },
    async (request, reply): Promise<void> => {
      const context = await admittedMessage(request, reply)
      if (isDraining()) reply.header('connection', 'close')
      reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
      // The cache or the library answers from here on: hooks that set headers run no more.
      reply.hijack()
      await answer(request, reply, context)
    },
  )
}

/** Answers admitted messages: from the cache where a call repeats an earlier one, by the protocol's library otherwise. */
function answerer(
  app: FastifyInstance,
  { cache, isDraining, ...deps }: EndpointDeps,
): (request: FastifyRequest, reply: FastifyReply, context: MessageContext) => Promise<void> {
  const { facts, onFailure } = deps
  const handler = createMcpHandler(openServerFactory(deps), { legacy: 'stateless' })
  app.addHook('onClose', () => handler.close())
  const calls = openCallCache(cache)
  const onerror = (cause: Error) =>
    onFailure(new ApiError('internal_error', 'the agent endpoint failed', { cause }), '')
  return async (request, reply, context) => {
    const agent = request.agent as Agent
    // A search has no document that a cache holds.
    const isRead = context.tool?.bucket === 'request' && context.refused === undefined && !isDraining()
    const call = isRead ? callOf(request, agent.scopes) : undefined
    if (call !== undefined && calls.answer(call, reply)) return
    let cachedAs: CacheIdentity | undefined
    const onAnswer = (read: CacheIdentity | undefined) => {
      cachedAs = read
    }
    const { accept } = request.headers
    const isJsonAlone = acceptsJsonAlone(accept)
    const serve = toNodeHandler(
      {
        async fetch(message, options) {
          // The library of the older revisions refuses a client that names JSON alone, although it may be answered in JSON.
          if (isJsonAlone) message.headers.set('accept', BOTH_TYPES)
          const streamed = await handler.fetch(message, options)
          const response = isJsonAlone ? await asJson(streamed, request.body) : streamed
          // The HTTP server decides about the connection, because it may be stopping.
          response.headers.delete('connection')
          if (call === undefined) return response
          return await calls.remember(call, response, { reply, cachedAs: () => cachedAs })
        },
      },
      { onerror },
    )
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    const auth = authOf(agent, facts, { ...context, onAnswer })
    await serve(Object.assign(request.raw, { auth }) as NodeIncomingMessageLike, reply.raw, request.body)
  }
}

const BOTH_TYPES = 'application/json, text/event-stream'

/** Whether the client takes an answer in JSON, and does not name the event stream beside it. */
function acceptsJsonAlone(accept: string | undefined): boolean {
  if (accept?.toLowerCase().includes('text/event-stream')) return false
  return preferredType(accept, ['application/json']) !== undefined
}

/**
 * The answer to a message out of the event stream that holds it: tools send nothing else before it. The stream of
 * notifications that a client subscribes to has no such end, and stays a stream.
 */
async function asJson(response: Response, body: unknown): Promise<Response> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const { method } = Object(body) as { method?: unknown }
  if (!isStream || method === SUBSCRIPTION) return response
  const [data] = (await response.text())
    .split('\n')
    .flatMap((line) => (line.startsWith(DATA) ? [line.slice(DATA.length)] : []))
    .slice(-1)
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  headers.delete('cache-control')
  return new Response(data ?? null, { status: response.status, headers })
}
const DATA = 'data: '
const SUBSCRIPTION = 'subscriptions/listen'

/** Counts a message. Throws the error of a full limit. */
async function admittedMessage(request: FastifyRequest, reply: FastifyReply): Promise<MessageContext> {
  const { method, tool, args } = messageOf(request.body)
  const bucket = tool?.bucket ?? (COUNTED_AS_REQUEST.has(method) ? 'request' : 'service')
  const refused = await request
    .countMessage(reply, bucket, () => tool?.searchesOf(args) ?? 1)
    .then(
      () => undefined,
      (error: unknown) => asApiError(error),
    )
  // Only the result of a tool call has a place for the error.
  if (refused !== undefined && method !== 'tools/call') throw refused
  if (refused?.retryAfterSeconds !== undefined) reply.header('retry-after', refused.retryAfterSeconds)
  if (Array.isArray(request.body)) throw new ApiError('bad_request', 'expected one message, found an array')
  const workspaceId = request.credential?.found.workspace_id ?? undefined
  return { requestId: request.id, workspaceId, ...(tool && { tool }), ...(refused && { refused }) }
}

/** Describes the sender of a message to the protocol's library. */
function authOf({ token, clientId, scopes }: Agent, { origin }: GuideFacts, extra: MessageContext): AuthInfo {
  return { token, clientId, scopes: [...scopes], resourceMetadataUrl: origin + RESOURCE_METADATA_PATH, extra }
}

/** Methods, beside tool calls, that read the catalog. */
const COUNTED_AS_REQUEST: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read', 'completion/complete'])

function messageOf(body: unknown): { method: unknown; tool: (typeof TOOLS)[number] | undefined; args: unknown } {
  const { method, params } = Object(body) as {
    method?: unknown
    params?: { name?: unknown; arguments?: unknown } | null
  }
  const isCall = method === 'tools/call'
  return { method, tool: isCall ? TOOLS.find(({ name }) => name === params?.name) : undefined, args: params?.arguments }
}

/** The challenge of RFC 6750 §3 and RFC 9728 §5.1: where a client learns how to get a token. */
function challengeOf(origin: string, { headers }: FastifyRequest, { details }: ApiError): string {
  const presented =
    headers.authorization === undefined
      ? []
      : ['error="invalid_token"', `error_description="${details.replaceAll('"', "'")}"`]
  const where = `resource_metadata="${origin}${RESOURCE_METADATA_PATH}"`
  return `Bearer ${[...presented, where, `scope="${FIRST_SCOPES.join(' ')}"`].join(', ')}`
}

/** What an agent needs for the first tool that it calls: one consent gives both. */
const FIRST_SCOPES: readonly Scope[] = ['catalog:read', 'catalog:search']

const RPC_PARSE_ERROR = -32_700
const RPC_SERVER_ERROR = -32_000
/** Fastify's codes for a body that is not JSON. */
const UNREADABLE: ReadonlySet<string> = new Set(['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY'])
const RPC_CODES: Readonly<Partial<Record<ApiError['code'], number>>> = {
  bad_request: -32_600,
  internal_error: -32_603,
}
