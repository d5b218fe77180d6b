import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { readCursorSecret } from '@catalog/store/catalog.ts'
import type { Store } from '@catalog/store/db.ts'
import { SCHEMA_VERSION, schemaVersion } from '@catalog/store/migrate.ts'
import cors from '@fastify/cors'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { admission, type Limits } from './caller.ts'
import { categoryRoutes } from './categories.ts'
import type { ApiContext } from './context.ts'
import { type Cursors, cursorsOf } from './cursor.ts'
import { DOCUMENT_BYTES_MAX, documentCache, JSON_TYPE } from './documents.ts'
import { ApiError, asApiError } from './errors.ts'
import { feedRoutes } from './feeds.ts'
import { watchHead } from './head.ts'
import { itemRoutes } from './items.ts'
import { describeRoutes, openApiRoute } from './openapi.ts'
import { pricingRoute } from './pricing.ts'
import { searchRoute } from './search.ts'

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
  now: () => Date
  log?: { error(details: object, message: string): void }
}>

/** The API; `drain()` makes /readyz answer 503, so that a balancer looks elsewhere before close() is called. */
export type Api = FastifyInstance & { drain(): void }

/** A request has arrived whole within this time; bodies are small. */
const REQUEST_TIMEOUT_MS = 30_000
/** No endpoint takes more than a short JSON object. */
const BODY_BYTES_MAX = 16_384
const READY_RETRY_SECONDS = 5

export function buildApi(deps: ApiDeps): Api {
  const { store, now, log } = deps
  const origin = deps.publicBaseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')
  const baseUrl = `${origin}/v1`
  const admit = admission({ limits: deps.limits, now })
  const context: ApiContext = {
    store,
    head: watchHead({ store, now }),
    cache: documentCache({ bytesMax: DOCUMENT_BYTES_MAX }),
    cursors: once(async (): Promise<Cursors> => cursorsOf(await readCursorSecret(store))),
    baseUrl,
  }

  const app = Fastify({
    logger: false,
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    requestIdHeader: false,
    genReqId: () => requestId(now()),
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    // Whoever is still connected while the server closes gets an answer and "Connection: close".
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // An address that cannot be routed never meets the hooks.
      reply.header('x-request-id', request.id)
      try {
        if (request.url.startsWith('/v1')) admit(request, reply)
        answerError(reply, error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? nothingAt(request) : asApiError(error))
      } catch (refused) {
        answerError(reply, asApiError(refused))
      }
    },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, requestId(now())),
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = hasZodFastifySchemaValidationErrors(error) ? outOfBounds(error, request) : asApiError(error)
    // A probe that finds the service not ready is no fault, and comes every second.
    if (answer.status >= 500 && answer.code !== 'not_ready')
      log?.error({ err: answer.cause ?? error, requestId: request.id }, answer.message)
    return answerError(reply, answer)
  })
  const routes: { method: string | string[]; matches: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')
    if (url !== '*') routes.push({ method, matches: new RegExp(`^${pattern}$`) })
  })
  const notServed = (request: FastifyRequest): never => {
    const path = request.url.split('?')[0] as string
    const methods = new Set(routes.filter(({ matches }) => matches.test(path)).flatMap(({ method }) => method))
    if (methods.size === 0) throw nothingAt(request)
    const allowed = [...methods, 'OPTIONS'].sort().join(', ')
    throw new ApiError('method_not_allowed', `${request.method} ${path}: expected one of ${allowed}`, {
      headers: { allow: allowed },
    })
  }

  // Before its body is read, which might be refused for reasons of its own.
  const refuseUnrouted = async (request: FastifyRequest) => {
    if (request.is404) notServed(request)
  }

  app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Accept', 'If-None-Match'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    strictPreflight: false,
  })
  describeRoutes(app, baseUrl)

  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })
  // A connection that falls idle after the server began to close would keep it open for the keep-alive time.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('connection', 'close')
    done()
  })
  app.register((outside, _options, done) => {
    outside.setNotFoundHandler(notServed)
    outside.addHook('onRequest', refuseUnrouted)
    outside.get('/', { schema: { hide: true } }, async () => ({
      name: 'Construction Cost Catalog',
      items: `${baseUrl}/items`,
      search: `${baseUrl}/search?q=cement`,
      categories: `${baseUrl}/categories`,
      feeds: [`${baseUrl}/feeds/items.atom`, `${baseUrl}/feeds/items.rss`],
      pricing: `${baseUrl}/pricing`,
      openapi: `${baseUrl}/openapi.json`,
    }))
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
      v1.addHook('onRequest', async (request, reply) => {
        reply.header('vary', 'Authorization')
        admit(request, reply)
      })
      v1.setNotFoundHandler(notServed)
      v1.addHook('onRequest', refuseUnrouted)
      itemRoutes(v1, context)
      searchRoute(v1, { store, index: deps.index, embedder: deps.embedder })
      categoryRoutes(v1, context)
      feedRoutes(v1, context)
      pricingRoute(v1, { baseUrl, limits: deps.limits })
      openApiRoute(v1)
      done()
    },
    { prefix: '/v1' },
  )

  return Object.assign(app as unknown as FastifyInstance, {
    drain() {
      draining = true
    },
  })
}

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'Link',
  'Content-Location',
]

function answerError(reply: FastifyReply, error: ApiError): FastifyReply {
  const retry = error.retryAfterSeconds === undefined ? {} : { 'retry-after': error.retryAfterSeconds }
  return reply
    .code(error.status)
    .headers({ ...error.headers, ...retry, 'cache-control': 'no-store' })
    .type(JSON_TYPE)
    .send(JSON.stringify(error.body))
}

/** The first parameter that is out of bounds: its name, what is allowed, what was given. */
function outOfBounds(error: FastifyError, request: FastifyRequest): ApiError {
  const [issue] = error.validation ?? []
  const name = issue?.instancePath.split('/')[1] ?? ''
  const place = { querystring: request.query, params: request.params, body: request.body, headers: request.headers }
  const given = (place[error.validationContext as keyof typeof place] as Record<string, unknown> | undefined)?.[name]
  const found = given === undefined ? 'nothing' : JSON.stringify(given).slice(0, 100)
  return new ApiError('invalid_parameter', `${name}: ${issue?.message}, found ${found}`)
}

function nothingAt(request: FastifyRequest): ApiError {
  return new ApiError('not_found', `nothing is served at ${request.url.split('?')[0]}`)
}

/** What does not even parse as HTTP is answered in the same shape. */
function refuseConnection(error: Error & { code?: string }, socket: Socket, id: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request'
  const body = JSON.stringify({ error: 'bad_request', details: status })
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
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
