import {
  type Crawl,
  ListSourcesQuery,
  ListSourcesResponse,
  operation,
  Source,
  SourceParams,
} from '@catalog/api/contract/contract.ts'
import type { VersionOf } from '@catalog/api/http/cache.ts'
import { cachedRead } from '@catalog/api/http/cached-read.ts'
import { projectionVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { nextLink, pageOf } from '@catalog/api/http/cursor.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import { type CrawlRow, parseRateOf } from '@catalog/store/vendor/crawls.ts'
import { readSources, readSourceVolumes, type SourceRow, type SourceVolume } from '@catalog/store/vendor/sources.ts'
import type { z } from 'zod'
import { qualityReader } from './source-quality.ts'

/** Counting all observations takes half a second per million, so it happens at most once a minute. */
const VOLUMES_AGE_MAX_MS = 60_000

/** GET /sources and GET /sources/{id}, with the trust and freshness of each source. */
export function sourceRoutes(
  v1: V1,
  context: Pick<ApiContext, 'store' | 'cache' | 'cursors' | 'baseUrl'> & { now: () => Date },
): void {
  const { store, cache, now } = context
  const volumes = cachedRead(async () => ({ countedAt: now().getTime(), bySource: await readSourceVolumes(store) }), {
    ageMaxMs: VOLUMES_AGE_MAX_MS,
    now,
  })

  const qualityOf = qualityReader({ store, now })

  /** Covers everything that a source shows, also its volumes. */
  const versionOf: VersionOf = Object.assign(
    (head: CatalogVersion) => `${projectionVersion(head)} ${volumes.peek()?.countedAt}`,
    {
      changedMs: (head: CatalogVersion) =>
        Math.max(projectionVersion.changedMs?.(head) ?? Number.NEGATIVE_INFINITY, volumes.peek()?.countedAt ?? 0),
    },
  )

  v1.get(
    '/sources',
    operation('listSources', { querystring: ListSourcesQuery, answer: ListSourcesResponse }),
    async (request, reply) => {
      const { query } = request
      const { bySource } = await volumes.get()
      const document = await cache.get({ key: JSON.stringify(['sources', query]), versionOf }, () =>
        sourcePage(context, query, bySource),
      )
      return sendDocument(request, reply, document)
    },
  )

  v1.get('/sources/:id', operation('getSource', { params: SourceParams, answer: Source }), async (request, reply) => {
    const { id } = request.params
    const { bySource } = await volumes.get()
    const document = await cache.get({ key: JSON.stringify(['source', id]), versionOf }, async () => {
      // No id contains U+0000, and Postgres accepts no text with it.
      const [row] = id.includes('\0') ? [] : await readSources(store, { sourceId: id })
      if (row === undefined) throw new ApiError('source_not_found', `source '${id}' does not exist`)
      const source = { ...sourceOf(row, bySource.get(id)), quality: await qualityOf(row) }
      return documentOf(JSON.stringify(source), { 'content-type': JSON_TYPE })
    })
    return sendDocument(request, reply, document)
  })
}

async function sourcePage(
  { store, cursors, baseUrl }: Pick<ApiContext, 'store' | 'cursors' | 'baseUrl'>,
  query: z.output<typeof ListSourcesQuery>,
  bySource: ReadonlyMap<string, SourceVolume>,
): Promise<RenderedDocument> {
  const { cursor, limit } = query
  const { encode, decode } = await cursors.get()
  const scope = ['sources']
  const after = cursor === undefined ? undefined : decode(cursor, scope)
  const { shown, last } = pageOf(await readSources(store, { after, limit: limit + 1 }), limit)
  const next = last === undefined ? null : encode(last.source_id, scope, query)
  const sources = shown.map((row) => sourceOf(row, bySource.get(row.source_id)))
  return documentOf(JSON.stringify({ sources, cursor: next }), {
    'content-type': JSON_TYPE,
    ...(next === null ? {} : { link: nextLink(`${baseUrl}/sources`, next) }),
  })
}

/** A source registered after the last count has zero volumes. */
function sourceOf(
  { source_id, crawls, aliases, validity, ...row }: SourceRow,
  volume: SourceVolume = { vendor_sku_count: 0, observation_count: 0, last_observed_at: null },
): z.infer<typeof Source> {
  return {
    id: source_id,
    ...row,
    ...(validity !== null && { validity }),
    aliases: [...aliases],
    ...volume,
    last_crawl: crawls.last && crawlOf(crawls.last),
    last_complete_crawl: crawls.whole && crawlOf(crawls.whole),
    held_crawl: crawls.held?.crawl_id ?? null,
  }
}

/** Shows only the codes of problems: their texts may contain private addresses. */
function crawlOf(crawl: CrawlRow): z.infer<typeof Crawl> {
  const { known = null, vanished = null, changed = null, drift = null } = crawl.health ?? {}
  const again = known === null || vanished === null ? 0 : known - vanished
  return {
    id: crawl.crawl_id,
    started_at: crawl.started_at,
    finished_at: crawl.recorded_at,
    outcome: crawl.outcome,
    complete: crawl.complete,
    partial: crawl.partial,
    read: crawl.read,
    appended: crawl.appended,
    duplicates: crawl.duplicates,
    parked: crawl.parked,
    parse_rate: parseRateOf(crawl),
    missed: crawl.missed,
    known,
    vanished,
    changed,
    changed_share: changed === null || again === 0 ? null : changed / again,
    drift,
    problems: [...new Set(crawl.problems.map(({ code }) => code))],
  }
}
