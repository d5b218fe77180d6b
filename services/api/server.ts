import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { discoveryRoutes } from '@catalog/api/agents/discovery.ts'
import { openInside } from '@catalog/api/agents/in-process-client.ts'
import { agentRoute, keyVerifier, MCP_REQUEST_HEADERS } from '@catalog/api/agents/mcp.ts'
import { type TokenIssuer, tokenVerifier } from '@catalog/api/agents/tokens.ts'
import { openCallers } from '@catalog/api/callers/caller.ts'
import { accountRoutes } from '@catalog/api/callers/key-routes.ts'
import type { Limits } from '@catalog/api/callers/limits.ts'
import { plansPage, pricingRoute } from '@catalog/api/callers/pricing.ts'
import { answersConditionally } from '@catalog/api/contract/contract.ts'
import { MCP_PATH } from '@catalog/api/contract/mcp-paths.ts'
import { docsRoutes, entrance, entranceLinks } from '@catalog/api/docs/docs.ts'
import type { DataLicence } from '@catalog/api/docs/guide.ts'
import { describeRoutes, openApiRoute } from '@catalog/api/docs/openapi.ts'
import { bulkRoutes } from '@catalog/api/feeds/bulk.ts'
import { feedRoutes } from '@catalog/api/feeds/feeds.ts'
import { boundedStore } from '@catalog/api/http/bounded.ts'
import { DOCUMENT_BYTES_MAX, documentCache } from '@catalog/api/http/cache.ts'
import { watchHead } from '@catalog/api/http/catalog-version.ts'
import {
  HTTP_OPTIONS,
  READER_TIMEOUT_MS,
  refuseAddress,
  refuseConnection,
  tendConnections,
} from '@catalog/api/http/connection.ts'
import { type ApiContext, originOf, type V1 } from '@catalog/api/http/context.ts'
import { type Cursors, cursorsOf } from '@catalog/api/http/cursor.ts'
import { JSON_TYPE } from '@catalog/api/http/documents.ts'
import { ApiError, asApiError, helpLink } from '@catalog/api/http/errors.ts'
import { PREFLIGHT_HEADERS, standingHeaders } from '@catalog/api/http/headers.ts'
import { refuseUnacceptable } from '@catalog/api/http/negotiate.ts'
import { shedLoad } from '@catalog/api/http/shedding.ts'
import { basisRoutes } from '@catalog/api/items/basis.ts'
import { historyRoute } from '@catalog/api/items/history.ts'
import { itemRoutes } from '@catalog/api/items/items.ts'
import { matchRoute } from '@catalog/api/items/match.ts'
import { openFinder, searchRoute } from '@catalog/api/items/search.ts'
import { sourceRoutes } from '@catalog/api/items/sources.ts'
import { categoryRoutes } from '@catalog/api/price-books/categories.ts'
import { decompositionRoute } from '@catalog/api/price-books/decomposition.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { readCursorSecret } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { SCHEMA_VERSION, schemaVersion } from '@catalog/store/migrations/migrate.ts'
import proxyAddr from '@fastify/proxy-addr'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { rememberRepeats } from './response-cache.ts'

export type ApiDeps = Readonly<{
  store: Store
  index: SearchIndex
  /** Null: search is lexical. */
  embedder: Embedder | null
  /** The address by which readers reach the server; every link is made from it, none from a request. */
  publicBaseUrl: string
  limits: Limits
  /** Networks (CIDR) of proxies whose X-Forwarded-For is believed; empty: the peer is the caller. */
  trustedProxies: readonly string[]
  /** Under which terms the prices may be used, for readers to see; absent: nothing is stated. */
  dataLicence?: DataLicence | null
  /** What snapshots lie in; absent: none are served. */
  snapshotDir?: string
  /** Whose access tokens agents may come with beside keys; absent: nobody's. */
  tokens?: TokenIssuer
  /** Adds what is served to people and to their agents' clients beside the API, on the same host. */
  mount?: (app: FastifyInstance) => void
  now: () => Date
  log?: { error(details: object, message: string): void }
}>

/** The API; `drain()` makes /readyz answer 503, so that a balancer looks elsewhere before close() is called. */
export type Api = FastifyInstance & { drain(): void }

/** No endpoint takes more than a short JSON object. */
const BODY_BYTES_MAX = 16_384
const READY_RETRY_SECONDS = 5

export function buildApi(deps: ApiDeps): Api {
  const { now, log } = deps
  const store = boundedStore(deps.store)
  const origin = originOf(deps.publicBaseUrl)
  const baseUrl = `${origin}/v1`
  const head = watchHead({ store, now })
  const cache = documentCache({ head, bytesMax: DOCUMENT_BYTES_MAX, now })
  const context: ApiContext = {
    store,
    cache,
    head,
    cursors: once(async (): Promise<Cursors> => cursorsOf(await readCursorSecret(store))),
    baseUrl,
  }

  const facts = { origin, limits: deps.limits, dataLicence: deps.dataLicence ?? null }
  const standing = standingHeaders(origin)
  const answering = { origin, standing, requestId: () => requestId(now()) }
  const isTrusted = deps.trustedProxies.length === 0 ? () => false : proxyAddr.compile([...deps.trustedProxies])
  let draining = false
  const refuse = (reply: FastifyReply, error: ApiError) =>
    answerError(reply.header('link', helpLink(origin, error.code)), error)
  const app = Fastify({
    logger: false,
    serverFactory(handle) {
      const server = createServer(HTTP_OPTIONS, (request, response) => {
        if (!repeats.answer(request, response)) handle(request, response)
      })
      return server.setTimeout(READER_TIMEOUT_MS)
    },
    trustProxy: isTrusted,
    requestIdHeader: false,
    genReqId: answering.requestId,
    bodyLimit: BODY_BYTES_MAX,
    // Members that nobody asked for are ignored, whatever they are called; these two never reach an object.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    forceCloseConnections: 'idle',
    // Whoever is still connected while the server closes gets an answer and "Connection: close".
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // An address that cannot be routed never meets the hooks.
      reply.header('x-request-id', request.id).headers(standing)
      const answer = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? nothingAt(request) : asApiError(error)
      const conclude = (refused?: unknown) => refuse(reply, refused === undefined ? answer : asApiError(refused))
      try {
        refuseAddress(request.raw)
        if (request.url.startsWith('/v1')) callers.admit(request, reply, conclude)
        else conclude()
      } catch (refused) {
        conclude(refused)
      }
    },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, answering),
  }).withTypeProvider<ZodTypeProvider>()
  const callers = openCallers(app, {
    store,
    limits: deps.limits,
    now,
    ipOf: (raw) => proxyAddr(raw, isTrusted),
  })
  const repeats = rememberRepeats({ cache, callers, requestId: answering.requestId, isDraining: () => draining })
  app.decorateRequest('answered', null)
  app.addHook('onClose', () => callers.close())
  const connections = tendConnections(app.server, answering)
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id).headers(standing)
    refuseAddress(request.raw)
    if (request.method !== 'OPTIONS') return next()
    // A browser asks this before it sends a key to another origin.
    const methods = methodsAt(request)
    const preflight = request.headers['access-control-request-method'] !== undefined
    if (methods.length === 0 && !preflight && request.url !== '*') return next()
    reply.code(204).headers(PREFLIGHT_HEADERS).header('allow', methods.join(', '))
    if (request.url === MCP_PATH) {
      const taken = `${PREFLIGHT_HEADERS['access-control-allow-headers']}, ${MCP_REQUEST_HEADERS}`
      reply.header('access-control-allow-headers', taken)
    }
    reply.send()
  })
  const failureOf = (error: FastifyError, request: FastifyRequest): ApiError => {
    const answer = hasZodFastifySchemaValidationErrors(error) ? outOfBounds(error, request) : asApiError(error)
    // A probe that finds the service not ready is no fault, and comes every second.
    if (answer.status >= 500 && answer.code !== 'not_ready')
      log?.error({ err: answer.cause ?? error, requestId: request.id }, answer.message)
    return answer
  }
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = failureOf(error, request)
    // An error is no revalidation: it counts as any request does, and may be refused as such.
    if (request.uncharged === null) return refuse(reply, answer)
    return request.charge().then(
      () => refuse(reply, answer),
      (refused: unknown) => refuse(reply, asApiError(refused)),
    )
  })
  const routes: { method: string | string[]; matches: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
    if (url !== '*') routes.push({ method, matches: new RegExp(`^${pattern}$`) })
  })
  const methodsAt = ({ url }: FastifyRequest): string[] => {
    const path = url.split('?')[0] as string
    const methods = new Set(routes.filter(({ matches }) => matches.test(path)).flatMap(({ method }) => method))
    return methods.size === 0 ? [] : [...methods, 'OPTIONS'].sort()
  }
  const notServed = (request: FastifyRequest): never => {
    const methods = methodsAt(request)
    const allowed = methods.join(', ')
    // A path may look like one that is served, and hold a line break, with which the router finds none.
    if (methods.length === 0 || methods.includes(request.method)) throw nothingAt(request)
    const path = request.url.split('?')[0]
    throw new ApiError('method_not_allowed', `${request.method} ${path}: expected one of ${allowed}`, {
      headers: { allow: allowed },
    })
  }

  // Before its body is read, which might be refused for reasons of its own.
  const refuseUnrouted = async (request: FastifyRequest) => {
    if (request.is404) notServed(request)
  }

  describeRoutes(app, facts)

  app.addHook('preClose', async () => {
    draining = true
    await connections.drain()
  })
  // A connection that falls idle after the server began to close would keep it open for the keep-alive time.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('connection', 'close')
    done()
  })
  const find = openFinder({ store, index: deps.index, embedder: deps.embedder })
  app.register((outside, _options, done) => {
    outside.setNotFoundHandler(notServed)
    outside.addHook('onRequest', refuseUnrouted)
    outside.get('/', { schema: { hide: true } }, async (_request, reply) => {
      reply.header('link', entranceLinks(origin))
      return entrance(facts)
    })
    docsRoutes(outside as unknown as FastifyInstance, facts)
    plansPage(outside as unknown as FastifyInstance, { baseUrl, limits: deps.limits })
    discoveryRoutes(outside as unknown as FastifyInstance, facts, deps.tokens && [deps.tokens.issuer])
    outside.get('/livez', { schema: { hide: true } }, async () => ({ status: 'ok' }))
    outside.get('/readyz', { schema: { hide: true } }, async () => {
      const unready = draining ? 'the server is stopping' : await whyUnready(store)
      if (unready !== undefined) throw new ApiError('not_ready', unready, { retryAfterSeconds: READY_RETRY_SECONDS })
      return { status: 'ok' }
    })
    done()
  })
  app.register(
    (v1, _options, done) => {
      shedLoad(v1)
      v1.addHook('onSend', (request, reply, _payload, next) => {
        repeats.remember(request, reply)
        next()
      })
      v1.addHook('onRequest', (request, reply, next) => {
        reply.header('vary', 'Authorization, Accept-Encoding')
        callers.admit(request, reply, next)
      })
      v1.addHook('onRoute', (route) => {
        const { operationId } = (route.schema ?? {}) as { operationId?: string }
        if (operationId !== undefined && answersConditionally(operationId)) {
          route.config = { ...route.config, revalidates: true }
        }
      })
      v1.setNotFoundHandler(notServed)
      v1.addHook('onRequest', refuseUnrouted)
      v1.addHook('onRequest', (request, _reply, next) => {
        refuseUnacceptable(request)
        next()
      })
      itemRoutes(v1, context)
      basisRoutes(v1, context)
      historyRoute(v1, context)
      decompositionRoute(v1, context)
      searchRoute(v1, { store, find })
      matchRoute(v1, { store, find })
      categoryRoutes(v1, context)
      sourceRoutes(v1, { ...context, now })
      feedRoutes(v1, context)
      bulkRoutes(v1, { store, cache, snapshotDir: deps.snapshotDir })
      accountRoutes(v1, { store, baseUrl, callers, limits: deps.limits, now })
      pricingRoute(v1, { baseUrl, limits: deps.limits })
      openApiRoute(v1)
      done()
    },
    { prefix: '/v1' },
  )
  const keyed = keyVerifier(callers)
  const verify = deps.tokens === undefined ? keyed : tokenVerifier(deps.tokens, { store, callers, now, keyed })
  app.register((agents, _options, done) => {
    shedLoad(agents as unknown as V1)
    agentRoute(agents as unknown as FastifyInstance, {
      store,
      facts,
      failureOf,
      ask: openInside({ ...context, find }),
      verify,
      isDraining: () => draining,
      onFailure: (error, requestId) => log?.error({ err: error.cause ?? error, requestId }, error.message),
    })
    done()
  })

  deps.mount?.(app as unknown as FastifyInstance)

  return Object.assign(app as unknown as FastifyInstance, {
    drain() {
      draining = true
    },
  })
}

function answerError(reply: FastifyReply, error: ApiError): FastifyReply {
  const retry = error.retryAfterSeconds === undefined ? {} : { 'retry-after': error.retryAfterSeconds }
  // That of the file which was asked for is no tag of this.
  return reply
    .removeHeader('etag')
    .code(error.status)
    .headers({ ...error.headers, ...retry, 'cache-control': 'no-store' })
    .type(JSON_TYPE)
    .send(JSON.stringify(error.body))
}

/** The first parameter that is out of bounds: its place, as in "lines[3].unit", what is allowed, what was given. */
function outOfBounds(error: FastifyError, request: FastifyRequest): ApiError {
  const [issue] = error.validation ?? []
  const way = issue?.instancePath.split('/').slice(1) ?? []
  const name = way.map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
  const place = { querystring: request.query, params: request.params, body: request.body, headers: request.headers }
  let given: unknown = way.length > 0 ? place[error.validationContext as keyof typeof place] : undefined
  for (const key of way) given = Object(given)[key]
  const found = given === undefined ? 'nothing' : JSON.stringify(given).slice(0, 100)
  return new ApiError(
    'invalid_parameter',
    `${name || (error.validationContext ?? '')}: ${issue?.message}, found ${found}`,
  )
}

function nothingAt(request: FastifyRequest): ApiError {
  return new ApiError('not_found', `nothing is served at ${request.url.split('?')[0]?.slice(0, 100)}`)
}

async function whyUnready(store: Store): Promise<string | undefined> {
  try {
    const version = await schemaVersion(store)
    return version === SCHEMA_VERSION ? undefined : `the schema has version ${version}, expected ${SCHEMA_VERSION}`
  } catch {
    return 'the database does not answer'
  }
}

/** `req_` and a UUID of version 7 (RFC 9562): sorted by time, so that a log can be searched. */
function requestId(at: Date): string {
  const milliseconds = at.getTime().toString(16).padStart(12, '0')
  return `req_${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${randomUUID().slice(15)}`
}

/** Asks until it was answered once; a failure is not remembered. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = undefined
      throw error
    })
    return answer
  }
}
