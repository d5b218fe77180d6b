import { hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { EXPORT_ITEMS_PER_REQUEST } from '@catalog/api/callers/charge.ts'
import { openPlaces, placeOwner } from '@catalog/api/callers/places.ts'
import {
  type ExportEnd,
  ExportQuery,
  ItemsCsv,
  ItemsNdjson,
  inItsMoney,
  operation,
} from '@catalog/api/contract/contract.ts'
import { projectionVersion, publicationVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { cacheControl } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { priceRegionHeader } from '@catalog/api/http/headers.ts'
import { CODINGS, type Coding, preferredCoding } from '@catalog/api/http/negotiate.ts'
import { askedItems, readItemTexts } from '@catalog/api/items/item-list.ts'
import { instant } from '@catalog/core/time.ts'
import { type Head, readHead } from '@catalog/replica/read/feeds.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ExportBroken, type ExportProgress, exportStream, pagesOf } from './export-stream.ts'
import { CSV, type ExportFormat, NDJSON } from './item-rows.ts'

type ExportsContext = Pick<ApiContext, 'store' | 'read' | 'catalogVersion'> & { readonly now: () => Date }
type ExportRequest = FastifyRequest<{ Querystring: ExportQuery }>

/** Each holds a page and, compressed, some 300 KB; a slow reader must not keep others out. */
const EXPORT_PLACES = { of: 'exports', max: 50, perOwner: 4 }

/** GET /items.csv and GET /items.ndjson: all items that match, as one streamed file. */
export function exportRoutes(v1: V1, context: ExportsContext): void {
  const places = openPlaces(EXPORT_PLACES)
  v1.get(
    '/items.csv',
    operation('exportItemsCsv', { querystring: ExportQuery, answer: { 'text/csv': ItemsCsv } }),
    (request, reply) => send(request as ExportRequest, reply, CSV),
  )
  v1.get(
    '/items.ndjson',
    operation('exportItemsNdjson', { querystring: ExportQuery, answer: { 'application/x-ndjson': ItemsNdjson } }),
    (request, reply) => send(request as ExportRequest, reply, NDJSON),
  )

  async function send(request: ExportRequest, reply: FastifyReply, format: ExportFormat): Promise<FastifyReply> {
    const { headers } = request
    const query = inItsMoney(request.query)
    const version = await context.catalogVersion.get()
    const question = await askedItems(context, { ...query, sort: 'id', limit: 0 }, query.after)
    const etag = tagOf(version, query, format)
    reply
      .header('etag', etag)
      .header('cache-control', cacheControl(request))
      .headers(priceRegionHeader(query.price_region))
    if (isNamed(headers['if-none-match'], etag)) return reply.code(304).send()
    const coding = codingOf(request)
    await request.charge()
    const itemsMax = query.limit ?? Number.POSITIVE_INFINITY
    const read = async (after: string | undefined, limit: number) =>
      context.read((tables) => readItemTexts(tables, { ...question, after, limit }))
    const from = context.read(readHead)
    const close = places.enter(placeOwner(request))
    try {
      // Before the headers, so that a replica that fails gives an ordinary error.
      const first = await read(query.after, Math.min(EXPORT_ITEMS_PER_REQUEST, itemsMax))
      describe(reply, format, coding)
      if (request.method === 'HEAD') {
        close()
        return reply.send(Readable.from([]))
      }
      const count = () => request.countExportPage()
      const source = { read, count, pageItems: EXPORT_ITEMS_PER_REQUEST, itemsMax }
      const trailers = trailersOf(reply, request)
      const stream = exportStream(pagesOf(source, first, query.after), {
        head: format.head,
        row: (json) => format.row(json, { priceRegion: query.price_region, lang: query.lang }),
        close,
        async end(progress) {
          const end = endOf(progress, { from, to: context.read(readHead), now: context.now() })
          trailers.set(end)
          if (format.tail !== null) return format.tail(end)
          if (progress.retryAfterSeconds === null) return ''
          throw new ExportBroken(`${end.stopped_by} after ${end.items} items`)
        },
      })
      return reply.send(coded(stream, coding))
    } catch (error) {
      close()
      throw error
    }
  }
}

/** Differs with every publication, and with every parameter. */
function tagOf(version: CatalogVersion, query: ExportQuery, { file }: ExportFormat): string {
  // The SKUs of an item change with vendor data, without a publication.
  const state = query.source === undefined ? publicationVersion(version) : projectionVersion(version)
  const digest = hash('sha256', JSON.stringify([file, state, Object.entries(query).sort()]), 'base64url')
  return `W/"${digest.slice(0, 22)}"`
}

function isNamed(field: string | undefined, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  const tags = field?.split(',').map(bare) ?? []
  return tags.includes('*') || tags.includes(bare(etag))
}

function codingOf({ headers }: FastifyRequest): Coding | 'identity' {
  const coding = preferredCoding(headers['accept-encoding'], { small: false })
  if (coding !== undefined) return coding
  throw new ApiError('not_acceptable', `Accept-Encoding: expected ${CODINGS.join(', ')} or identity not to be refused`)
}

function describe(reply: FastifyReply, { type, file }: ExportFormat, coding: Coding | 'identity'): void {
  reply.header('content-type', type).header('content-disposition', `attachment; filename="${file}"`)
  if (coding !== 'identity') reply.header('content-encoding', coding)
}

function endOf(
  { complete, items, after, stoppedBy, retryAfterSeconds }: ExportProgress,
  { from, to, now }: Readonly<{ from: Head; to: Head; now: Date }>,
): ExportEnd {
  return {
    complete,
    items,
    after: after ?? null,
    stopped_by: stoppedBy,
    retry_after_seconds: retryAfterSeconds,
    // A new generation begins the numbers anew, so that no number of another one stands beside it.
    gen: to.gen,
    seq_from: from.gen === to.gen ? Number(from.seq) : 0,
    seq_to: Number(to.seq),
    ended_at: instant(now),
  }
}

/** Trailer fields of the answer, filled when it ends; none over HTTP/1.0, which has no chunks. */
function trailersOf(reply: FastifyReply, { raw }: FastifyRequest): { set(end: ExportEnd): void } {
  let fields: Readonly<Record<string, string>> = {}
  if (raw.httpVersion !== '1.0') {
    for (const name of TRAILERS) reply.trailer(name, (_reply, _payload, done) => done(null, fields[name] ?? ''))
  }
  return {
    set({ complete, items, after, seq_from, seq_to }) {
      const values = [complete, items, after ?? '', seq_from, seq_to]
      fields = Object.fromEntries(TRAILERS.map((name, i) => [name, String(values[i])]))
    },
  }
}
const TRAILERS = ['Export-Complete', 'Export-Items', 'Export-After', 'Export-Seq-From', 'Export-Seq-To'] as const

/** Window of brotli: 256 KB a stream. */
const BROTLI_WINDOW_BITS = 18
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 6

function coded(stream: Readable, coding: Coding | 'identity'): Readable {
  if (coding === 'identity') return stream
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
  const compressor =
    coding === 'br'
      ? createBrotliCompress({
          params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS },
        })
      : createGzip({ level: GZIP_LEVEL })
  // The pipeline ends both when either fails or the reader leaves; the answer reports the failure.
  return pipeline(stream, compressor, () => {})
}
