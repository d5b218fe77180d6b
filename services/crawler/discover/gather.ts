import type { CrawlProblem } from '@catalog/core/events/events.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import type { Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import type { EntryPoint, SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { type Body, type FetchOutcome, Frontier, type FrontierRequest, type GatherProgress } from './frontier.ts'
import { gatherApi } from './gather-api.ts'
import { gatherSite } from './gather-pages.ts'
import { gatherSitemap, isSitemap } from './gather-sitemap.ts'
import type { Spool } from './spool.ts'

export type { GatherProgress }

export type GatherDeps = Readonly<{
  fetcher: Pick<Fetcher, 'get'>
  spool: Spool
  clock: Clock
  signal?: AbortSignal | undefined
  /** False for a person who waits: then a host that wants to be left alone for a while is not waited for. */
  isPatient?: boolean
  onProgress?: ((progress: GatherProgress) => void) | undefined
}>

/** What is known of the source from before. */
export type Baseline = Readonly<{
  /** Everything is asked for, without conditions. */
  isFull: boolean
  /** When fetching began; pages that have not changed since are not asked for. */
  startedAt: Date | null
  /** Of a source that is one document. */
  etag: string | null
  lastModified: string | null
}>

export type Gathered =
  | Readonly<{
      status: 'fetched'
      /** Those of an earlier attempt among them. */
      documents: number
      /** Documents that did not come; what is gone (404, 410) is none of them. */
      missed: number
      /** Pages that have not changed since were left out. */
      partial: boolean
      /** Every entry point came, no limit was reached, and at most {@link MISSED_SHARE_MAX} of the documents were missed. */
      isWhole: boolean
      /** Of a source that is one document, to be asked with the next time. */
      etag: string | null
      lastModified: string | null
      problems: readonly CrawlProblem[]
    }>
  /** The server said so, or all its sitemaps did. */
  | Readonly<{ status: 'unchanged'; etag: string | null; lastModified: string | null }>
  /** No document came. */
  | Readonly<{ status: 'failed'; missed: number; problems: readonly CrawlProblem[] }>

/** Sitemaps are made once a day, or kept by a proxy: what changed before the last crawl may have been told after it. */
const SITEMAP_AGE_MAX_MS = DAY_MS
/** Of thousands of pages some always fail. */
const MISSED_SHARE_MAX = 0.01
/** The largest feeds; further bounds are the fetcher's. */
const DOCUMENT_BYTES_MAX = 8 * 1024 ** 3
/** As the event of a crawl has room for. */
const ETAG_CHARS_MAX = 1_000
const LAST_MODIFIED_CHARS_MAX = 200

/**
 * Fetches the documents of a source into its spool, as politely as the fetcher does: one entry point after the other, the
 * pages of one in any order. What the spool has already is not asked for again, so whoever was stopped goes on.
 *
 * Pages of sitemaps and sites that ask not to be indexed are no documents, and links that ask not to be followed are not;
 * feeds and APIs are what an operator named, and made for machines. A host that wants to be left alone for some minutes is
 * waited for.
 *
 * Throws the signal's reason, and what the disk throws.
 */
export async function gather(
  spec: Pick<SourceSpec, 'entryPoints' | 'pagesMax'>,
  { fetcher, spool, clock, signal, isPatient = true, onProgress }: GatherDeps,
  since: Baseline,
): Promise<Gathered> {
  const frontier = new Frontier({ fetcher, spool, clock, signal, pagesMax: spec.pagesMax, isPatient, onProgress })
  const [only, ...others] = spec.entryPoints
  const isOne = only !== undefined && others.length === 0 && isOneDocument(only)
  const conditions = isOne && !since.isFull ? { etag: since.etag, lastModified: since.lastModified } : {}
  const changedSince =
    since.isFull || since.startedAt === null ? null : new Date(since.startedAt.getTime() - SITEMAP_AGE_MAX_MS)
  let found: FetchOutcome | null = null
  for (const entry of spec.entryPoints) {
    switch (entry.kind) {
      case 'document':
        found = await gatherDocument(entry, { conditions, since: changedSince, frontier })
        break
      case 'sitemap':
        await gatherSitemap(entry, { since: changedSince, frontier })
        break
      case 'site':
        await gatherSite(entry, frontier)
        break
      case 'api':
        found = await gatherApi(entry, { conditions, frontier })
        break
    }
  }
  if (isOne && found?.status === 'unchanged') return { status: 'unchanged', ...validators(found) }
  const { missed, isPartial: partial, isIncomplete, problems } = frontier.summary()
  const { documents } = spool
  if (documents === 0) {
    if (partial && missed === 0 && !isIncomplete) return { status: 'unchanged', etag: null, lastModified: null }
    const nothing = { code: 'NO_DOCUMENTS', detail: 'every address was gone, no page to read or asks to be left out' }
    return { status: 'failed', missed, problems: problems.length === 0 ? [nothing] : problems }
  }
  const isWhole = !isIncomplete && missed <= MISSED_SHARE_MAX * (documents + missed)
  const said = isOne && found?.status === 'fetched' ? validators(found.body) : { etag: null, lastModified: null }
  return { status: 'fetched', documents, missed, partial, isWhole, ...said, problems }
}

const isOneDocument = (entry: EntryPoint) =>
  entry.kind === 'document' || (entry.kind === 'api' && entry.paging === undefined)

type Document = Extract<EntryPoint, { kind: 'document' }>
type Context = Readonly<{ conditions: Omit<FrontierRequest, 'bytesMax'>; since: Date | null; frontier: Frontier }>

/** A document, or what it turns out to be: a sitemap, whose pages are the documents. */
async function gatherDocument(
  { url, format }: Document,
  { conditions, since, frontier }: Context,
): Promise<FetchOutcome> {
  if (!frontier.admit(url)) return { status: 'settled' }
  const outcome = await frontier.fetch(url, { bytesMax: DOCUMENT_BYTES_MAX, ...conditions })
  if (outcome.status === 'gone') frontier.reportIncomplete('GONE', outcome.sentence)
  if (outcome.status === 'missed') frontier.markIncomplete()
  if (outcome.status !== 'fetched') return outcome
  const { body } = outcome
  if (format === undefined && (await isSitemap(body))) {
    await gatherSitemap({ url, first: body, include: [], exclude: [] }, { since, frontier })
    // Its pages may change while it stays the same.
    return { status: 'settled' }
  }
  await frontier.keep(body, { kept: 'document', format: format ?? null })
  frontier.reportProgress(0)
  return outcome
}

function validators({ etag, lastModified }: Pick<Body, 'etag' | 'lastModified'>) {
  return {
    etag: isTellable(etag, ETAG_CHARS_MAX) ? etag : null,
    lastModified: isTellable(lastModified, LAST_MODIFIED_CHARS_MAX) ? lastModified : null,
  }
}

/** One that an event cannot carry would have the whole report of the crawl refused: some servers send an empty one. */
const isTellable = (header: string | null, charsMax: number) =>
  header !== null && header.length <= charsMax && FIELD_VALUE.test(header)
/** RFC 9110 5.5, as each byte is one character. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/
