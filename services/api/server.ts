import { createServer } from 'node:http'
import { MCP_REQUEST_HEADERS } from '@catalog/api/agents/mcp.ts'
import type { TokenIssuer } from '@catalog/api/agents/tokens.ts'
import { openLineTurns } from '@catalog/api/bills/line-turns.ts'
import { type Callers, openCallers } from '@catalog/api/callers/caller.ts'
import type { Limits } from '@catalog/api/callers/rate-limits.ts'
import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import type { DataLicence } from '@catalog/api/docs/guide.ts'
import { describeRoutes } from '@catalog/api/docs/openapi.ts'
import { boundedStore } from '@catalog/api/http/bounded.ts'
import { DOCUMENT_BYTES_MAX, documentCache } from '@catalog/api/http/cache.ts'
import { cachedRead } from '@catalog/api/http/cached-read.ts'
import { shownRows, type WatchedCatalog, watchCatalog } from '@catalog/api/http/catalog-version.ts'
import {
  addressProblem,
  type ErrorContext,
  HTTP_OPTIONS,
  manageConnections,
  READER_TIMEOUT_MS,
  refuseConnection,
} from '@catalog/api/http/connection.ts'
import { type ApiContext, originOf } from '@catalog/api/http/context.ts'
import { type Cursors, cursorsOf } from '@catalog/api/http/cursor.ts'
import { pathNotFound, sendError } from '@catalog/api/http/error-replies.ts'
import { type ApiError, asApiError } from '@catalog/api/http/errors.ts'
import { PREFLIGHT_HEADERS, requestId, standingHeaders } from '@catalog/api/http/headers.ts'
import type { LOAD_MAX } from '@catalog/api/http/load-shedding.ts'
import { openRouteMethods, type RouteMethods } from '@catalog/api/http/methods.ts'
import { preferredType } from '@catalog/api/http/negotiate.ts'
import { type OnUnavailable, openFinder } from '@catalog/api/search/finder.ts'
import { openIncidents } from '@catalog/api/status/incidents.ts'
import { openServiceStatus } from '@catalog/api/status/service-status.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { Replica } from '@catalog/replica/follow/replica.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import { readCursorSecret } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import proxyAddr from '@fastify/proxy-addr'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { failureLog } from './failure-log.ts'
import type { HttpMetrics } from './http-metrics.ts'
import { traceRequests } from './http-tracing.ts'
import { type Explorer, openExplorer, type PageParts } from './page-parts.ts'
import { refuseDeepBodies } from './query-names.ts'
import { openResponseCache, type ResponseCache } from './response-cache.ts'
import { type RoutesContext, registerAgents, registerSite, registerV1 } from './routes.ts'

export type ApiDeps = Readonly<{
  store: Store
  /** Answers public reads. Until it was filled, they get a 503. */
  replica: Replica
  index: SearchIndex
  /** Null: search is lexical. */
  embedder: Embedder | null
  /** See {@link openFinder}. */
  onUnavailable?: OnUnavailable
  /** The address by which readers reach the server. All links start with it, whatever the request says. */
  publicBaseUrl: string
  limits: Limits
  /** Absent: `LOAD_MAX`. */
  loadMax?: typeof LOAD_MAX
  /** Networks (CIDR) of proxies whose X-Forwarded-For counts; empty: the peer is the caller. */
  trustedProxies: readonly string[]
  /** The licence of the data that documents state; absent: none. */
  dataLicence?: DataLicence | null
  /** Where to report a vulnerability: an address of mail or of a page; absent: no security.txt. */
  securityContact?: string | undefined
  /** The folder of snapshots; absent: the server offers none. */
  snapshotDir?: string
  /** Records of the log that the tables lack, for the status; absent: nobody can tell. */
  unprojected?: () => Promise<number>
  /** The file of incidents that the status shows; absent: none. */
  incidentsFile?: string
  /** The issuer of access tokens that agents may send beside keys; absent: keys only. */
  tokens?: TokenIssuer
  /** The pages of the catalog for people; absent: the root answers browsers as it answers programs. */
  explorer?: (parts: PageParts) => Explorer
  /** Counts the requests and errors of this server; absent: nobody asks. */
  metrics?: HttpMetrics | undefined
  /** Adds pages and other routes on the same host. */
  mount?: (app: FastifyInstance) => void
  now: () => Date
  log?: { error(details: object, message: string): void }
}>

/** The API. `drain()` makes /readyz answer 503, so that load balancers turn away before close(). */
export type Api = FastifyInstance & { drain(): void }

/** Most endpoints take a short JSON object. */
const BODY_BYTES_MAX = 16_384

export function buildApi(deps: ApiDeps): Api {
  const { now, limits, metrics } = deps
  const origin = originOf(deps.publicBaseUrl)
  const isTrusted = deps.trustedProxies.length === 0 ? () => false : proxyAddr.compile([...deps.trustedProxies])
  const closing = openClosing()
  const catalog = watchCatalog({ store: deps.store, replica: deps.replica, now })
  const store = boundedStore(deps.store, undefined, catalog.isAway)
  const context = contextOf({ store, catalog, origin, now })
  const methods = openRouteMethods()
  const callers = openCallers({
    store,
    limits,
    now,
    ipOf: (raw) => proxyAddr(raw, isTrusted),
    isAway: () => (catalog.emptiness() === undefined ? catalog.isAway() : undefined),
  })
  const errorContext: ErrorContext = {
    origin,
    standing: standingHeaders(origin),
    requestId: () => requestId(now()),
    methodsAt: methods.at,
    unread: callers.unread,
  }
  const responseCache = openResponseCache({
    ...errorContext,
    cache: context.cache,
    callers,
    isDraining: closing.isDraining,
    awayMs: catalog.awayMs,
  })
  const failures = failureLog(deps.log, now, metrics)
  const { index, embedder, onUnavailable } = deps
  const searches = {
    find: openFinder({ ...context, index, embedder, ...(onUnavailable && { onUnavailable }) }),
    lineTurns: openLineTurns(),
  }
  const facts = { origin, limits, dataLicence: deps.dataLicence ?? null }

  const app = openApp(errorContext, { isTrusted, callers, responseCache, metrics })
  const explorer = openExplorer(deps, app, { ...context, ...searches, ...failures, origin, callers, now })
  noteRoutes(app, metrics)
  traceRequests(app)
  callers.prepareRequests(app)
  keepFollowing(app, { catalog, context, replica: deps.replica })
  methods.collect(app)
  addStandingHeaders(app, { standing: errorContext.standing, methods, callers })
  refuseDeepBodies(app)
  answerErrors(app, { origin, failureOf: failures.failureOf, explorer })
  describeRoutes(app, facts)
  shutDownGracefully(app, { errorContext, closing })

  const routes: RoutesContext = {
    ...failures,
    ...searches,
    home: explorer?.home,
    context,
    catalog,
    status: openStatus(deps, { store, catalog }),
    facts,
    callers,
    methods,
    responseCache,
    snapshotDir: deps.snapshotDir,
    tokens: deps.tokens,
    now,
    isDraining: closing.isDraining,
    loadMax: deps.loadMax,
    securityContact: deps.securityContact,
  }
  registerSite(app, routes)
  registerV1(app, routes)
  registerAgents(app, routes)
  explorer?.mount(app)
  deps.mount?.(app)
  return Object.assign(app, { drain: closing.drain })
}

type Closing = Readonly<{ isDraining: () => boolean; drain: () => void }>

/** A draining server still answers, and turns load balancers away. */
function openClosing(): Closing {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    drain() {
      isDraining = true
    },
  }
}

function openStatus(deps: ApiDeps, { store, catalog }: { store: Store; catalog: WatchedCatalog }) {
  const { replica, index, unprojected, incidentsFile, now, log } = deps
  const onProblem = (problem: string) => log?.error({ problem }, 'the file of incidents cannot be read')
  const incidents = incidentsFile === undefined ? async () => [] : openIncidents(incidentsFile, onProblem)
  return openServiceStatus({ store, replica, catalog, index, unprojected, incidents, now })
}

/** Without readers, too, the replica follows the store: those of another process may wait for the one that writes. */
const FOLLOW_EVERY_MS = 200

function keepFollowing(
  app: FastifyInstance,
  { catalog, context, replica }: { catalog: WatchedCatalog; context: ApiContext; replica: Replica },
): void {
  let damages = 0
  // Cursors must work when the store goes away before the first one was asked for.
  const follow = () => {
    // Documents from a damaged file may be as wrong as it.
    if (damages !== replica.damages()) context.cache.clear()
    damages = replica.damages()
    void Promise.all([catalog.version.get(), context.cursors.get()]).catch(() => {})
  }
  const timer = setInterval(follow, FOLLOW_EVERY_MS).unref()
  follow()
  app.addHook('onClose', async () => clearInterval(timer))
}

function contextOf({
  store,
  catalog,
  origin,
  now,
}: {
  store: Store
  catalog: WatchedCatalog
  origin: string
  now: () => Date
}): ApiContext {
  const cache = documentCache({ catalogVersion: catalog.version, bytesMax: DOCUMENT_BYTES_MAX, now })
  return {
    store,
    cache: { ...cache, get: (given, render) => cache.get(given, () => shownRows(catalog.read, render)) },
    catalogVersion: catalog.version,
    read: catalog.read,
    catchUp: catalog.catchUp,
    isAway: catalog.isAway,
    cursors: cachedRead(async (): Promise<Cursors> => cursorsOf(await readCursorSecret(store)), {
      ageMaxMs: Number.POSITIVE_INFINITY,
      now,
    }),
    baseUrl: `${origin}/v1`,
  }
}

/** Fastify with the limits, time-outs and error answers of this server. */
function openApp(
  errorContext: ErrorContext,
  {
    isTrusted,
    callers,
    responseCache,
    metrics,
  }: {
    isTrusted: (address: string, hops: number) => boolean
    callers: Callers
    responseCache: ResponseCache
    metrics: HttpMetrics | undefined
  },
): FastifyInstance {
  const { origin, standing, requestId } = errorContext
  const app = Fastify({
    logger: false,
    serverFactory(handle) {
      const server = createServer(HTTP_OPTIONS, (request, response) => {
        const begunMs = performance.now()
        const route = responseCache.answer(request, response)
        if (route !== undefined) {
          metrics?.count(route, response.statusCode, performance.now() - begunMs)
          return
        }
        metrics?.follow(request, response, begunMs)
        handle(request, response)
      })
      return server.setTimeout(READER_TIMEOUT_MS)
    },
    trustProxy: isTrusted,
    requestIdHeader: false,
    // Some readers send the fragment of an address, which is for them alone.
    rewriteUrl: ({ url = '' }) => url.split('#', 1)[0] as string,
    genReqId: requestId,
    bodyLimit: BODY_BYTES_MAX,
    // Unknown members of a body are ignored; these two never reach an object.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    forceCloseConnections: 'idle',
    // A closing server still answers open connections, with "Connection: close".
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      // An address that the router cannot parse reaches no hook.
      reply.header('x-request-id', request.id).headers(standing)
      const failure = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? pathNotFound(request) : asApiError(error)
      const refusal = addressProblem(request.raw) ?? failure
      refuse(callers, { request, reply, refusal }, (refused) => sendError(reply, asApiError(refused), origin))
    },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, errorContext),
  }).withTypeProvider<ZodTypeProvider>()
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('sentDocument', null)
  return app as unknown as FastifyInstance
}

/** Counts a request that is refused before its route: below /v1 as any other one, which may reach a limit. */
function refuse(
  callers: Callers,
  { request, reply, refusal }: { request: FastifyRequest; reply: FastifyReply; refusal: ApiError },
  next: (refused: Error) => void,
): void {
  if (request.url.startsWith('/v1')) callers.admit(request, reply, (full) => next(full ?? refusal))
  else next(refusal)
}

function noteRoutes(app: FastifyInstance, metrics: HttpMetrics | undefined): void {
  if (metrics === undefined) return
  app.addHook('onRequest', (request, _reply, next) => {
    metrics.routed(request.raw, request.routeOptions.url)
    next()
  })
}

/** Sets the headers of all answers, and answers OPTIONS. */
function addStandingHeaders(
  app: FastifyInstance,
  {
    standing,
    methods,
    callers,
  }: { standing: Readonly<Record<string, string>>; methods: RouteMethods; callers: Callers },
): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id).headers(standing)
    const refusal = addressProblem(request.raw)
    if (refusal !== undefined) return refuse(callers, { request, reply, refusal }, next)
    if (request.method !== 'OPTIONS') return next()
    // A browser sends this preflight before it sends a key to another origin.
    const allowed = methods.at(request.url)
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (allowed.length === 0 && !isPreflight && request.url !== '*') return next()
    reply.code(204).headers(PREFLIGHT_HEADERS).header('allow', allowed.join(', '))
    if (request.url === MCP_PATH) {
      const accepted = `${PREFLIGHT_HEADERS['access-control-allow-headers']}, ${MCP_REQUEST_HEADERS}`
      reply.header('access-control-allow-headers', accepted)
    }
    reply.send()
  })
}

function answerErrors(
  app: FastifyInstance,
  {
    origin,
    failureOf,
    explorer,
  }: { origin: string; failureOf: RoutesContext['failureOf']; explorer: Explorer | undefined },
): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (explorer !== undefined && isLostBrowser(request)) return explorer.failure(error, request, reply)
    const failure = failureOf(error, request)
    // An error is no revalidation: it counts as an ordinary request, which may reach a limit.
    if (request.uncharged === null) return sendError(reply, failure, origin)
    return request.charge().then(
      () => sendError(reply, failure, origin),
      (refused: FastifyError) => sendError(reply, failureOf(refused, request), origin),
    )
  })
}

/** Whether a person's browser asks for what nothing serves; programs get the error that they can read. */
const isLostBrowser = ({ is404, method, url, headers }: FastifyRequest) =>
  is404 &&
  method === 'GET' &&
  !/^\/v1\b/.test(url) &&
  preferredType(headers.accept, ['application/json', 'text/html']) === 'text/html'

function shutDownGracefully(
  app: FastifyInstance,
  { errorContext, closing }: { errorContext: ErrorContext; closing: Closing },
): void {
  const connections = manageConnections(app.server, errorContext)
  app.addHook('preClose', async () => {
    closing.drain()
    await connections.drain()
  })
  // A connection that becomes idle after close() began would stay open for the keep-alive time.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing.isDraining()) reply.header('connection', 'close')
    done()
  })
}
