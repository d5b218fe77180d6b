import {
  ArchiveParams,
  Changes,
  Feed,
  FeedKeysResponse,
  FeedQuery,
  FeedStateQuery,
  FeedStateResponse,
  JsonFeed,
  JsonFeedQuery,
  operation,
  READER_ENTRIES,
  RegionParams,
} from '@catalog/api/contract/contract.ts'
import type { V1 } from '@catalog/api/http/context.ts'
import { isCurrent, type RenderedDocument, sendDocument, sendUnchanged } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { preferredType } from '@catalog/api/http/negotiate.ts'
import { REGIONS, upperCode } from '@catalog/core/events/sources.ts'
import { regionOfMarket } from '@catalog/core/median/regions.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { closedPages, pageStart, subscriptionPath } from './feed-documents.ts'
import { FEED_TYPES, type FeedFormat, READER_TYPES } from './feed-fields.ts'
import {
  type FeedReader,
  type FeedsContext,
  type Form,
  feedReader,
  keptFrom,
  NDJSON_TYPE,
  type Scope,
} from './feed-reader.ts'
import { openStateWaiting } from './state-waiting.ts'

/** The feeds, and the documents that mirrors need beside them: see docs/mirror-protocol.md. */
/** The addresses of all feeds, for whoever looks for one; with `{id}` where an item or a category is to be named. */
export function feedAddresses(baseUrl: string): object {
  return {
    items: { atom: `${baseUrl}/feeds/items.atom`, rss: `${baseUrl}/feeds/items.rss` },
    regions: Object.fromEntries(REGIONS.map((region) => [region, `${baseUrl}/feeds/region/${region}`])),
    state: `${baseUrl}/feeds/state.json`,
    snapshots: `${baseUrl}/feeds/snapshots/index.json`,
    readers: {
      items: {
        atom: `${baseUrl}/feeds/items.atom${NEWEST}`,
        rss: `${baseUrl}/feeds/items.rss${NEWEST}`,
        json: `${baseUrl}/feeds/items.json`,
      },
      regions: Object.fromEntries(REGIONS.map((region) => [region, `${baseUrl}/feeds/region/${region}${NEWEST}`])),
      item: {
        atom: `${baseUrl}/feeds/item/{id}`,
        rss: `${baseUrl}/feeds/item/{id}.rss`,
        json: `${baseUrl}/feeds/item/{id}.json`,
      },
      category: {
        atom: `${baseUrl}/feeds/category/{id}`,
        rss: `${baseUrl}/feeds/category/{id}.rss`,
        json: `${baseUrl}/feeds/category/{id}.json`,
      },
    },
  }
}

const NEWEST = `?limit=${READER_ENTRIES}`

export function feedRoutes(v1: V1, context: FeedsContext & StateContext): void {
  const reader = feedReader(context)
  const sender = feedSender(context, reader)
  subscriptionRoutes(v1, sender)
  jsonFeedRoutes(v1, reader)
  stateRoutes(v1, { reader, ...context })
  archiveRoutes(v1, sender)
}

type StateContext = Readonly<{ now: () => Date; isDraining: () => boolean }>

function stateRoutes(
  v1: V1,
  { reader, catalogVersion, now, isDraining }: FeedsContext & StateContext & { readonly reader: FeedReader },
): void {
  const waiting = openStateWaiting({ catalogVersion, now, isDraining })

  /** The state once it is another than the caller's, or as it is after so many seconds. */
  async function newState(request: FastifyRequest, reply: FastifyReply, seconds: number): Promise<RenderedDocument> {
    const deadlineMs = now().getTime() + seconds * 1000
    const left = new AbortController()
    reply.raw.once('close', () => left.abort())
    for (;;) {
      // Read before the state, so that no change between the two is missed.
      const version = await waiting.version()
      const state = await reader.state()
      const isOver = !isCurrent(request, state) || !(await waiting.changed({ version, deadlineMs, gone: left.signal }))
      if (!isOver) continue
      // The cache of answers would give the next caller this one without a wait.
      const { cachedAs: _, ...uncached } = state
      return uncached
    }
  }

  v1.get(
    '/feeds/state.json',
    {
      config: { bucket: 'archive' },
      ...operation('getFeedState', { querystring: FeedStateQuery, answer: FeedStateResponse }),
    },
    async (request, reply) => {
      const { wait } = request.query
      return sendDocument(request, reply, await (wait === undefined ? reader.state() : newState(request, reply, wait)))
    },
  )

  v1.get(
    '/feeds/keys.json',
    { config: { bucket: 'archive' }, ...operation('getFeedKeys', { answer: FeedKeysResponse }) },
    async (request, reply) => sendDocument(request, reply, await reader.keys()),
  )
}

type FeedSender = ReturnType<typeof feedSender>

/** Sends feed documents in the format that the request accepts. */
function feedSender({ baseUrl }: FeedsContext, reader: FeedReader) {
  /** Sends the newest changes of a feed, or all after a number. */
  async function sendFeed(
    request: FastifyRequest<{ Querystring: z.infer<typeof FeedQuery> }>,
    reply: FastifyReply,
    { scope, format }: { scope: string; format: FeedFormat },
  ): Promise<FastifyReply> {
    const { since } = request.query
    const isNdjson = preferredType(request.headers.accept, [FEED_TYPES[format], NDJSON_TYPE]) === NDJSON_TYPE
    const form: Form = isNdjson ? 'ndjson' : format
    reply.header('vary', 'Authorization, Accept, Accept-Encoding')
    if (since === undefined) {
      const { gen, limit } = request.query
      if (gen !== undefined) await requireGeneration(scope, gen)
      const document =
        limit === undefined ? reader.subscription({ scope, form }) : reader.newest({ scope, form, limit })
      return sendDocument(request, reply, await document)
    }
    const document = await changesSince({ scope, form, query: { ...request.query, since } })
    return document === null ? sendUnchanged(request, reply) : sendDocument(request, reply, document)
  }

  /** Throws generation_changed. */
  async function requireGeneration(name: string, gen: string): Promise<void> {
    const scope = await reader.scope(name, (scope) => scope.gen === gen)
    if (scope.gen !== gen) throw generationChanged(gen, scope)
  }

  /** Null at the head; throws generation_changed, future_cursor and changes_expired. */
  async function changesSince({
    scope: name,
    form,
    query,
  }: {
    scope: string
    form: Form
    query: z.infer<typeof FeedQuery> & { since: number }
  }): Promise<RenderedDocument | null> {
    const since = BigInt(query.since)
    const isOfGen = ({ gen }: Scope) => query.gen === undefined || query.gen === gen
    const scope = await reader.scope(name, (scope) => isOfGen(scope) && since <= scope.head)
    if (!isOfGen(scope)) throw generationChanged(query.gen, scope)
    if (since > scope.head) {
      throw new ApiError('future_cursor', `since ${since}: expected at most ${scope.head}, the newest change`)
    }
    if (since < scope.floor) throw reader.expired(scope, keptFrom(since, scope.floor))
    return since === scope.head ? null : reader.since({ scope, form, query })
  }

  /** Sends a closed page; redirects to the subscription for the open one. */
  async function sendArchive(
    request: FastifyRequest,
    reply: FastifyReply,
    { gen, name, page, format }: { gen: string; name: string; page: number; format: FeedFormat },
  ): Promise<FastifyReply> {
    const scope = await reader.scope(name, (scope) => gen === scope.gen && page <= closedPages(scope))
    const closed = closedPages(scope)
    if (gen !== scope.gen)
      throw reader.expired(scope, `gen '${gen}': expected '${scope.gen}', whose numbers began anew`)
    const start = pageStart(gen, page)
    if (start < scope.floor) throw reader.expired(scope, keptFrom(start, scope.floor))
    if (page > closed) throw new ApiError('feed_not_found', `page ${page}: expected at most ${closed}, the open one`)
    if (page === closed) {
      const location = `${baseUrl}/feeds/${subscriptionPath(name, format)}`
      return reply.code(307).header('cache-control', 'no-store').header('location', location).send()
    }
    return sendDocument(request, reply, await reader.archive({ scope, format, page }))
  }

  return { sendFeed, sendArchive }
}

/** The feed of all items, and that of each region; with the parameters of its address. */
export const FEEDS = [
  { name: 'Items', path: 'items', params: {}, formats: ['atom', 'rss'], scopeOf: () => 'items' },
  {
    name: 'Region',
    path: 'region/:region',
    params: RegionParams.shape,
    formats: ['atom'],
    scopeOf: (params: unknown) => regionScope((params as z.infer<typeof RegionParams>).region),
  },
] as const

function subscriptionRoutes(v1: V1, { sendFeed }: FeedSender): void {
  for (const { name, path, params, formats, scopeOf } of FEEDS) {
    for (const format of formats) {
      v1.get(
        `/feeds/${subscriptionPath(path, format)}`,
        operation(`get${name}${FORMAT_NAMES[format]}`, {
          params: z.object(params),
          querystring: FeedQuery,
          answer: CONTENT[format],
        }),
        (request, reply) => sendFeed(request, reply, { scope: scopeOf(request.params), format }),
      )
    }
  }
}

const FORMAT_NAMES = { atom: 'Atom', rss: 'Rss' } as const

/** The newest items in words, as `limit` gives them in the other formats. */
function jsonFeedRoutes(v1: V1, reader: FeedReader): void {
  for (const { name, path, params, scopeOf } of FEEDS) {
    v1.get(
      `/feeds/${path}.json`,
      operation(`get${name}JsonFeed`, {
        params: z.object(params),
        querystring: JsonFeedQuery,
        answer: { [READER_TYPES.json]: JsonFeed },
      }),
      async (request, reply) => {
        const { limit } = request.query
        const scope = scopeOf(request.params)
        return sendDocument(request, reply, await reader.newest({ scope, form: 'json', limit }))
      },
    )
  }
}

function archiveRoutes(v1: V1, { sendArchive }: FeedSender): void {
  for (const { name, path, params, formats, scopeOf } of FEEDS) {
    for (const format of formats) {
      v1.get(
        `/feeds/archive/:gen/${path}/:page.${format}`,
        {
          config: { bucket: 'archive' },
          ...operation(`get${name}Archive${FORMAT_NAMES[format]}`, {
            params: ArchiveParams.extend(params),
            answer: { [FEED_TYPES[format]]: Feed },
          }),
        },
        (request, reply) => {
          const { gen, page } = request.params as z.infer<typeof ArchiveParams>
          return sendArchive(request, reply, { gen, page, name: scopeOf(request.params), format })
        },
      )
    }
  }
}

const generationChanged = (gen: string | undefined, scope: Scope) =>
  new ApiError('generation_changed', `gen '${gen}': expected '${scope.gen}', whose numbers began anew`)

const CONTENT = {
  atom: { [FEED_TYPES.atom]: Feed, [NDJSON_TYPE]: Changes },
  rss: { [FEED_TYPES.rss]: Feed, [NDJSON_TYPE]: Changes },
}

/** Takes a market in upper or lower case; a subdivision has the feed of its region. Throws feed_not_found. */
function regionScope(given: string): string {
  const region = regionOfMarket(upperCode(given))
  if (region === undefined) {
    throw new ApiError('feed_not_found', `region '${given}': expected one of ${REGIONS.join(', ')}`)
  }
  return `region/${region}`
}
