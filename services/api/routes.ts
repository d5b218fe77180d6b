import { discoveryRoutes } from '@catalog/api/agents/discovery.ts'
import { openInProcessClient } from '@catalog/api/agents/in-process-client.ts'
import { agentRoute, keyVerifier } from '@catalog/api/agents/mcp.ts'
import { type TokenIssuer, tokenVerifier } from '@catalog/api/agents/tokens.ts'
import { BillReader } from '@catalog/api/bills/bill-reader.ts'
import type { openLineTurns } from '@catalog/api/bills/line-turns.ts'
import { matchRoute } from '@catalog/api/bills/match.ts'
import type { Callers } from '@catalog/api/callers/caller.ts'
import { accountRoutes } from '@catalog/api/callers/key-routes.ts'
import { plansPage, pricingRoute } from '@catalog/api/callers/pricing.ts'
import { answersConditionally, type StatusResponse } from '@catalog/api/contract/contract.ts'
import { docsRoutes, entrance, entranceLinks } from '@catalog/api/docs/docs.ts'
import type { GuideFacts } from '@catalog/api/docs/guide.ts'
import { openApiRoute } from '@catalog/api/docs/openapi.ts'
import { securityTextRoute } from '@catalog/api/docs/security-text.ts'
import { editionRoutes } from '@catalog/api/editions/editions.ts'
import { exportRoutes } from '@catalog/api/exports/exports.ts'
import { bulkRoutes } from '@catalog/api/feeds/bulk.ts'
import { feedSigning } from '@catalog/api/feeds/feed-signing.ts'
import { feedAddresses, feedRoutes } from '@catalog/api/feeds/feeds.ts'
import { priceFeedRoutes } from '@catalog/api/feeds/price-feed-routes.ts'
import type { CachedRead } from '@catalog/api/http/cached-read.ts'
import { ageSeconds, type WatchedCatalog } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { type ApiError, asApiError } from '@catalog/api/http/errors.ts'
import { V1_VARY } from '@catalog/api/http/headers.ts'
import { type LOAD_MAX, shedLoad } from '@catalog/api/http/load-shedding.ts'
import type { RouteMethods } from '@catalog/api/http/methods.ts'
import { preferredType, refuseUnacceptable } from '@catalog/api/http/negotiate.ts'
import { indexRoutes } from '@catalog/api/indices/indices.ts'
import { basisRoute } from '@catalog/api/items/basis.ts'
import { historyRoute } from '@catalog/api/items/history.ts'
import { itemListRoute } from '@catalog/api/items/item-list.ts'
import { itemRoutes } from '@catalog/api/items/items.ts'
import { sourceRoutes } from '@catalog/api/items/sources.ts'
import { categoryRoutes } from '@catalog/api/price-books/categories.ts'
import { categoryChangesRoute } from '@catalog/api/price-books/category-changes.ts'
import { decompositionRoute } from '@catalog/api/price-books/decomposition.ts'
import type { Finder } from '@catalog/api/search/finder.ts'
import { searchRoute } from '@catalog/api/search/search.ts'
import { probeRoutes } from '@catalog/api/status/readiness.ts'
import { statusRoute } from '@catalog/api/status/status.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admittedCaller } from './in-process-read.ts'
import { refuseUnknownParameters } from './query-names.ts'
import type { ResponseCache } from './response-cache.ts'

/** The routes of the server, in three groups: pages and probes, the API below /v1, and the agent endpoint. */
export type RoutesContext = Readonly<{
  context: ApiContext
  /** The start page for browsers; undefined: the root lists addresses to all. */
  home: ((request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) | undefined
  catalog: WatchedCatalog
  status: CachedRead<StatusResponse>
  facts: GuideFacts
  callers: Callers
  find: Finder
  methods: RouteMethods
  responseCache: ResponseCache
  snapshotDir: string | undefined
  tokens: TokenIssuer | undefined
  lineTurns: ReturnType<typeof openLineTurns>
  now: () => Date
  isDraining: () => boolean
  loadMax: typeof LOAD_MAX | undefined
  failureOf: (error: FastifyError, request: FastifyRequest) => ApiError
  logFailure: (error: ApiError, requestId: string) => void
  securityContact: string | undefined
}>

const ROOT_TYPES = ['application/json', 'text/html'] as const

/** Pages, documents for tools, and probes: outside /v1 and its limits. */
export function registerSite(app: FastifyInstance, routes: RoutesContext): void {
  const { context, catalog, facts, methods, tokens, isDraining, home, now } = routes
  const { store, baseUrl } = context
  const links = entrance(facts)
  app.register((site, _options, done) => {
    refuseUnrouted(site, methods)
    for (const path of ['/', '/v1']) {
      site.get(path, { schema: { hide: true } }, async (request, reply) => {
        reply.header('link', entranceLinks(facts.origin)).header('vary', 'Accept')
        const isForPeople = path === '/' && preferredType(request.headers.accept, ROOT_TYPES) === 'text/html'
        return isForPeople && home !== undefined ? await home(request, reply) : links
      })
    }
    site.get('/v1/feeds', { schema: { hide: true } }, async () => feedAddresses(baseUrl))
    // With its last slash an address leads here as uncounted as without; the hook of refuseUnrouted() redirects it.
    for (const path of ['/v1/', '/v1/feeds/']) {
      site.get(path, { schema: { hide: true } }, async (request) => methods.refuse(request))
    }
    site.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
      reply.redirect('v1/openapi.json', 308),
    )
    docsRoutes(site, facts)
    securityTextRoute(site, { origin: facts.origin, contact: routes.securityContact, now })
    plansPage(site, { baseUrl, limits: facts.limits })
    discoveryRoutes(site, facts, tokens && [tokens.issuer])
    probeRoutes(site, { store, catalog, isDraining })
    done()
  })
}

export function registerV1(app: FastifyInstance, routes: RoutesContext): void {
  const { context, catalog, facts, callers, find, methods, responseCache, snapshotDir, now, loadMax } = routes
  const { store, baseUrl } = context
  const { limits } = facts
  app.register(
    (scope, _options, done) => {
      const v1 = scope as unknown as V1
      shedLoad(v1, loadMax)
      v1.addHook('onSend', (request, reply, _payload, next) => {
        // A page reads as its reader and sends no key: its headers are not those of a caller with one.
        if (admittedCaller() === undefined) responseCache.remember(request, reply)
        const awayMs = catalog.awayMs()
        if (awayMs !== undefined) reply.header('age', ageSeconds(awayMs))
        next()
      })
      v1.addHook('onRequest', (request, reply, next) => {
        reply.header('vary', V1_VARY)
        const reader = admittedCaller()
        if (reader !== undefined) {
          request.caller = reader
          next()
          return
        }
        const { answersUncounted } = request.routeOptions.config ?? {}
        callers.admit(request, reply, (refused) => {
          const isUncounted = answersUncounted && refused && asApiError(refused).code === 'store_unavailable'
          next(isUncounted ? undefined : refused)
        })
      })
      v1.addHook('onRoute', (route) => {
        const { operationId } = (route.schema ?? {}) as { operationId?: string }
        if (operationId !== undefined && answersConditionally(operationId)) {
          route.config = { ...route.config, revalidates: true }
        }
        const { bucket } = route.config ?? {}
        if (bucket === 'service' || bucket === 'archive' || route.url.startsWith('/v1/feeds/'))
          route.config = { ...route.config, isOpen: true }
      })
      refuseUnrouted(scope, methods)
      refuseUnknownParameters(v1)
      v1.addHook('onRequest', (request, _reply, next) => {
        refuseUnacceptable(request)
        next()
      })
      itemListRoute(v1, context)
      itemRoutes(v1, context)
      exportRoutes(v1, { ...context, now })
      basisRoute(v1, context)
      historyRoute(v1, { ...context, now })
      decompositionRoute(v1, context)
      searchRoute(v1, { ...context, find })
      matchRoute(v1, { ...context, now, find, lineTurns: routes.lineTurns })
      categoryRoutes(v1, context)
      categoryChangesRoute(v1, context)
      sourceRoutes(v1, { ...context, now })
      indexRoutes(v1, context)
      feedRoutes(v1, {
        ...context,
        now,
        signing: feedSigning({ ...context, now }),
        isDraining: routes.isDraining,
      })
      priceFeedRoutes(v1, context)
      bulkRoutes(v1, { ...context, snapshotDir })
      editionRoutes(v1, context)
      accountRoutes(v1, { store, baseUrl, callers, limits, now })
      pricingRoute(v1, { baseUrl, limits })
      statusRoute(v1, { status: routes.status, baseUrl })
      openApiRoute(v1)
      done()
    },
    { prefix: '/v1' },
  )
}

export function registerAgents(app: FastifyInstance, routes: RoutesContext): void {
  const { context, facts, callers, find, tokens, now, isDraining, loadMax, failureOf, logFailure } = routes
  const { store } = context
  const keyed = keyVerifier(callers)
  const bills = new BillReader()
  app.addHook('onClose', async () => bills[Symbol.dispose]())
  const verify = tokens === undefined ? keyed : tokenVerifier(tokens, { store, callers, now, keyed })
  app.register((agents, _options, done) => {
    shedLoad(agents as unknown as V1, loadMax)
    agentRoute(agents, {
      read: context.read,
      cache: context.cache,
      facts,
      failureOf,
      client: openInProcessClient({ ...context, find, now, bills, lineTurns: routes.lineTurns }),
      verify,
      isDraining,
      onFailure: logFailure,
    })
    done()
  })
}

function refuseUnrouted(app: FastifyInstance, methods: RouteMethods): void {
  app.setNotFoundHandler((request) => methods.refuse(request))
  // On the request, before the body: the body could be refused for another reason.
  app.addHook('onRequest', async (request, reply) => {
    const elsewhere = methods.withoutSlashes(request)
    if (elsewhere !== undefined) return reply.redirect(elsewhere, 308)
    if (request.is404) methods.refuse(request)
  })
}
