import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import type { Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import type { OwnHeaders } from '@catalog/crawler/fetch/own-headers.ts'
import { editionAddresses } from '@catalog/crawler/sources/address-template.ts'
import type { EntryPoint, SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { settledFormat } from './document-format.ts'
import { type Body, type FetchOutcome, Frontier, type FrontierRequest, type GatherProgress } from './frontier.ts'
import { gatherApi } from './gather-api.ts'
import { gatherFile } from './gather-file.ts'
import { gatherSite, HTML_TYPES } from './gather-pages.ts'
import { gatherSitemap, isSitemap } from './gather-sitemap.ts'
import type { Spool } from './spool.ts'

export type { GatherProgress }

export type GatherDeps = Readonly<{
  fetcher: Pick<Fetcher, 'get'>
  spool: Spool
  clock: Clock
  signal?: AbortSignal | undefined
  /** False for an interactive crawl, which does not wait for a paused host. */
  isPatient?: boolean
  onProgress?: ((progress: GatherProgress) => void) | undefined
  /** The operator's headers for the source. */
  own?: OwnHeaders | undefined
}>

/** The state that earlier crawls saw, which this crawl may leave out. */
export type Baseline = Readonly<{
  /** Fetches everything, without conditions. */
  isFull: boolean
  /** When the earlier crawl began. Pages without a change since then are left out. */
  startedAt: Date | null
  /** Validators of a source that is one document. */
  etag: string | null
  lastModified: string | null
}>

export type Gathered =
  | Readonly<{
      status: 'fetched'
      /** Includes documents of an earlier attempt. */
      documents: number
      /** Documents that were not fetched, without those that are gone (404, 410). */
      missed: number
      /** Links that robots.txt forbids: no documents of the source. */
      forbidden: number
      /** The crawl left out unchanged pages. */
      partial: boolean
      /**
       * The crawl fetched every entry point, reached no limit, and missed at most {@link MISSED_SHARE_MAX} of the
       * documents.
       */
      isWhole: boolean
      /** Validators of a source that is one document, for the next crawl. */
      etag: string | null
      lastModified: string | null
      problems: readonly CrawlProblem[]
    }>
  /** The server, or every sitemap, reported no change. */
  | Readonly<{ status: 'unchanged'; etag: string | null; lastModified: string | null }>
  /** The crawl fetched no document. */
  | Readonly<{ status: 'failed'; missed: number; problems: readonly CrawlProblem[] }>

/** A sitemap that is made daily or cached by a proxy may show a change up to a day late. */
const SITEMAP_AGE_MAX_MS = DAY_MS
/** Some of thousands of pages always fail. */
const MISSED_SHARE_MAX = 0.01
/** Fits the largest feeds; the fetcher has further bounds. */
const DOCUMENT_BYTES_MAX = 8 * 1024 ** 3
/** The room in CrawlFinished. */
const ETAG_CHARS_MAX = 1_000
const LAST_MODIFIED_CHARS_MAX = 200

/**
 * Fetches the documents of a source into its spool: one entry point after another, the pages of one in any order.
 * Resumes after an interruption, since it does not fetch again what the spool has.
 *
 * A crawl honours noindex and nofollow on the pages of sitemaps and sites. It does not check feeds and APIs for them:
 * an operator named those, and they are made for machines. It waits for a host that asks for a pause of some minutes.
 *
 * Throws the signal's reason, and what the disk throws.
 */
export async function gather(
  spec: Pick<SourceSpec, 'entryPoints' | 'pagesMax'>,
  { fetcher, spool, clock, signal, isPatient = true, onProgress, own }: GatherDeps,
  since: Baseline,
): Promise<Gathered> {
  const frontier = new Frontier({ fetcher, spool, clock, signal, pagesMax: spec.pagesMax, isPatient, onProgress, own })
  const [only, ...others] = spec.entryPoints
  const isOne = only !== undefined && others.length === 0 && isOneDocument(only)
  const conditions = isOne && !since.isFull ? { etag: since.etag, lastModified: since.lastModified } : {}
  const changedSince =
    since.isFull || since.startedAt === null ? null : new Date(since.startedAt.getTime() - SITEMAP_AGE_MAX_MS)
  let found: FetchOutcome | null = null
  for (const entry of spec.entryPoints) {
    switch (entry.kind) {
      case 'document':
        found = await gatherDocument(entry, {
          conditions,
          since: changedSince,
          frontier,
          entryPoints: spec.entryPoints,
          now: new Date(clock.now()),
        })
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
      case 'file':
        found = await gatherFile(entry, { condition: conditions, frontier })
        break
    }
  }
  if (isOne && found?.status === 'unchanged') return { status: 'unchanged', ...validators(found) }
  const { missed, forbidden, isPartial: partial, isIncomplete, problems } = frontier.summary()
  const { documents } = spool
  if (documents === 0) {
    if (partial && missed === 0 && !isIncomplete) return { status: 'unchanged', etag: null, lastModified: null }
    const nothing = {
      code: 'NO_DOCUMENTS',
      detail: `every address is gone, unreadable, has noindex or is forbidden by robots.txt (${forbidden}); expected a document`,
    }
    return { status: 'failed', missed, problems: problems.length === 0 ? [nothing] : problems }
  }
  const isWhole = !isIncomplete && missed <= MISSED_SHARE_MAX * (documents + missed)
  const tags = isOne && found?.status === 'fetched' ? validators(found.body) : { etag: null, lastModified: null }
  return { status: 'fetched', documents, missed, forbidden, partial, isWhole, ...tags, problems }
}

/** An edition has validators of its own, which say nothing of the next one. */
const isOneDocument = (entry: EntryPoint) =>
  (entry.kind === 'document' && entry.editions === undefined) ||
  entry.kind === 'file' ||
  (entry.kind === 'api' && entry.paging === undefined)

type Document = Extract<EntryPoint, { kind: 'document' }>
type Context = Readonly<{
  conditions: Omit<FrontierRequest, 'bytesMax'>
  since: Date | null
  frontier: Frontier
  /** All of the source. */
  entryPoints: readonly EntryPoint[]
  /** The instant that tells the present edition. */
  now: Date
}>

/** Fetches a document, or the newest of its editions that exists. */
async function gatherDocument(entry: Document, context: Context): Promise<FetchOutcome> {
  const { frontier, now } = context
  const { url, editions } = entry
  const addresses = editions === undefined ? [url] : editionAddresses(url, { ...editions, now })
  let gone = ''
  for (const address of addresses) {
    const outcome = await gatherAddress({ ...entry, url: address }, context)
    if (outcome.status !== 'gone') return outcome
    gone = outcome.sentence
  }
  const others = addresses.length === 1 ? '' : `; nor do the ${addresses.length - 1} editions after it exist`
  frontier.reportIncomplete('GONE', `${gone}${others}`)
  return { status: 'gone', sentence: gone }
}

/** Fetches a document, or the pages of a document that turns out to be a sitemap. */
async function gatherAddress(
  { url, format }: Document,
  { conditions, since, frontier, entryPoints }: Context,
): Promise<FetchOutcome> {
  if (!frontier.admit(url)) return { status: 'settled' }
  const outcome = await frontier.fetch(url, { bytesMax: DOCUMENT_BYTES_MAX, ...conditions })
  if (outcome.status === 'missed') frontier.markIncomplete()
  if (outcome.status !== 'fetched') return outcome
  const { body } = outcome
  if (format === undefined && (await isSitemap(body))) {
    await gatherSitemap({ url, first: body, include: [], exclude: [] }, { since, frontier })
    // The pages of a sitemap may change while the sitemap does not.
    return { status: 'settled' }
  }
  reportFurtherPage(body, { entryPoints, frontier })
  await frontier.keep(body, { kept: 'document', format: await settledFormat(body, { format, frontier }) })
  frontier.reportProgress(0)
  return outcome
}

/**
 * Reports a document that is one page of several by its headers, unless the next one is an entry point too. The next page of a
 * page for people may be another product.
 */
function reportFurtherPage(body: Body, { entryPoints, frontier }: Pick<Context, 'entryPoints' | 'frontier'>): void {
  const { asked, url, nextLink, contentType } = body
  const next = nextLink === null ? null : URL.parse(nextLink, url)
  if (next === null || HTML_TYPES.has(contentType ?? '')) return
  if (entryPoints.some((entry) => isSameAddress(entry.url, next.href))) return
  const expected = /\bjson\b/.test(contentType ?? '')
    ? `entry_points: [{ api: "${asked}" }], which reads all pages and which catalog sources add writes`
    : 'each page as an entry point'
  frontier.reportIncomplete(
    MORE_PAGES,
    `one page of several, its headers lead on to ${next.href}; expected ${expected}`,
  )
}
/** The code of a document that is one page of several. */
export const MORE_PAGES = 'MORE_PAGES'

/** Whether two addresses differ in the order of their parameters alone. */
function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [one, other].map((address) => {
    const url = new URL(address)
    url.searchParams.sort()
    return url.href
  })
  return a === b
}

function validators({ etag, lastModified }: Pick<Body, 'etag' | 'lastModified'>) {
  return {
    etag: isStorable(etag, ETAG_CHARS_MAX) ? etag : null,
    lastModified: isStorable(lastModified, LAST_MODIFIED_CHARS_MAX) ? lastModified : null,
  }
}

/** Some servers send an empty validator. An event that carries an invalid one would be refused as a whole. */
const isStorable = (header: string | null, charsMax: number) =>
  header !== null && header.length <= charsMax && FIELD_VALUE.test(header)
/** RFC 9110 5.5, with one character for each byte. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/
