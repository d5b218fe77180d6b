import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instant } from '@catalog/core/time.ts'
import { type Fetched, type Fetcher, type NotFetchedAs, PRODUCT } from '@catalog/crawler/fetch/fetcher.ts'
import { fileSource } from '@catalog/crawler/ingest/inputs.ts'
import { preview } from '@catalog/crawler/ingest/preview.ts'
import type { SourceDraft } from '@catalog/crawler/sources/sources-file.ts'
import { BadGzip, gunzipped } from '@catalog/formats/bytes/gzip.ts'
import { jsonOrUndefined } from '@catalog/formats/bytes/sound-json.ts'
import { feedsOf, type PageFeeds } from '@catalog/formats/links/page-feeds.ts'
import { linksOf } from '@catalog/formats/links/page-links.ts'
import { readSitemap } from '@catalog/formats/links/sitemap.ts'
import { PAGE_BYTES_MAX, pageText } from '@catalog/formats/pages/page.ts'
import { JSON_CHARS_MAX } from '@catalog/formats/tables/json.ts'

/** A guess at what an address is, as an entry point of a source; a person confirms it. */
export type DetectedSource = Readonly<{
  kind: 'sitemap' | 'JSON' | 'page' | 'page with prices' | 'document'
  /** For people: "a sitemap of 120 pages". */
  description: string
  /** The address after redirects. */
  url: string
  /** As the sources file spells it. */
  entryPoint: SourceDraft['entry_points'][number]
  /** A second list of the same shop: the variations of its products. */
  variations?: SourceDraft['entry_points'][number]
  /** Whether globs choose among its pages; `pages` then has those that were seen. */
  hasPages: boolean
  pages: readonly string[]
  /** Globs of likely product pages; empty without a clue. */
  include: readonly string[]
  /** What a page names for machines; empty for other documents. */
  feeds: PageFeeds
  /** The currency of a shop whose prices say none, where the shop says it elsewhere. */
  currency?: string
}>

export type DetectOptions = Readonly<{
  fetcher: Fetcher
  /** For fetched documents; the caller removes it. */
  folder: string
  now: () => Date
  /** An operator named the product pages, so a page only leads to them. */
  isSite: boolean
  signal: AbortSignal
}>

/** An address that gave no document; the message is the fetcher's sentence. */
export class NoDocument extends Error {
  override name = 'NoDocument'
  readonly found: NotFetchedAs
  constructor(found: NotFetchedAs) {
    super(found.sentence)
    this.found = found
  }
}
type Found = Extract<Fetched, { status: 'fetched' }>

/** Child sitemaps to read for the form of their addresses. */
const SITEMAPS_READ_MAX = 3
/** Addresses of pages to examine. */
const PAGES_MAX = 50_000
/** Globs to guess. */
const GLOBS_MAX = 5

/** Fetches an address and guesses what it is. Throws NoDocument, and the signal's reason. */
export async function detectSource(url: string, context: DetectOptions): Promise<DetectedSource> {
  const file = join(context.folder, 'looked-at')
  const found = await fetched(url, { file, context })
  const sitemap = await sitemapAt({ url, file, found }, context)
  if (sitemap !== null) return sitemap
  const text = await textOf({ file, found })
  const json = text !== null && /^\s*[[{]/.test(text) ? jsonOrUndefined(text) : undefined
  if (json !== undefined) return apiAt({ url, found }, json)
  if (text !== null && isPage(found, text)) return pageAt({ url, file, found }, text, context)
  const type = found.contentType === null ? '' : ` of ${found.contentType}`
  return documentAt({ url, found }, { kind: 'document', description: `a document${type}` })
}

async function fetched(url: string, { file, context }: { file: string; context: DetectOptions }): Promise<Found> {
  const found = await context.fetcher.get(url, { into: file, signal: context.signal })
  if (found.status === 'fetched') return found
  // A request without conditions has no such answer.
  if (found.status === 'not modified') throw new Error(found.sentence)
  throw new NoDocument(found)
}

type At = Readonly<{ url: string; file: string; found: Found }>

const documentAt = (
  { url, found }: Pick<At, 'url' | 'found'>,
  said: Pick<DetectedSource, 'kind' | 'description'>,
): DetectedSource => ({
  ...said,
  url: found.url,
  entryPoint: url,
  hasPages: false,
  pages: [],
  include: [],
  feeds: NO_FEEDS,
})
const NO_FEEDS: PageFeeds = { feeds: [], restApi: null }

/** Null unless the document is a sitemap. */
async function sitemapAt({ url, file, found }: At, context: DetectOptions): Promise<DetectedSource | null> {
  const { pages, sitemaps } = await entriesOf(file, found.url)
  if (pages.length === 0 && sitemaps.length === 0) return null
  const read = productsFirst(sitemaps).slice(0, SITEMAPS_READ_MAX)
  for (const [at, address] of read.entries()) {
    const child = join(context.folder, `sitemap-${at}`)
    const fetchedChild = await context.fetcher.get(address, { into: child, signal: context.signal })
    if (fetchedChild.status === 'fetched') pages.push(...(await entriesOf(child, fetchedChild.url)).pages)
  }
  const description =
    sitemaps.length === 0
      ? `a sitemap of ${pages.length} pages`
      : `an index of ${sitemaps.length} sitemaps; ${read.length} of them have ${pages.length} pages`
  const document = documentAt({ url, found }, { kind: 'sitemap', description })
  return { ...document, entryPoint: { sitemap: url }, hasPages: true, pages, include: includeOf(pages) }
}

/** The sitemaps of an index, those first that are named after products: shops list posts and categories before them. */
export function productsFirst(sitemaps: readonly string[]): readonly string[] {
  const isOfProducts = (url: string) => {
    const { pathname } = new URL(url)
    return NAMED_PRODUCTS.test(pathname) && !NAMED_OTHERWISE.test(pathname)
  }
  return [...sitemaps.filter(isOfProducts), ...sitemaps.filter((url) => !isOfProducts(url))]
}
const PRODUCT_WORDS = 'products?|productos?|produtos?|produits?|produkte?|prodott[io]|articulos?|artikel|items?'
const NAMED_PRODUCTS = new RegExp(`(?:^|[^a-z]|sitemap)(?:${PRODUCT_WORDS})(?:[^a-z]|sitemap|$)`, 'i')
/** product_cat, product-tags, product-images. */
const NAMED_OTHERWISE = /(?:^|[^a-z])(?:cat|cats|categor\w+|tags?|images?|brands?|reviews?)(?:[^a-z]|$)/i

/** Empty unless the document is a sitemap. */
async function entriesOf(file: string, url: string): Promise<{ pages: string[]; sitemaps: string[] }> {
  const entries: { pages: string[]; sitemaps: string[] } = { pages: [], sitemaps: [] }
  try {
    for await (const batch of readSitemap(gunzipped(fileSource({ path: file, name: url })), { url })) {
      for (const one of batch) if (!('reason' in one)) entries[one.kind === 'url' ? 'pages' : 'sitemaps'].push(one.url)
      if (entries.pages.length >= PAGES_MAX) break
    }
  } catch (error) {
    if (!(error instanceof BadGzip)) throw error
  }
  return entries
}

/** Null for a compressed document, and for one that is too long for a page or JSON. */
async function textOf({ file, found }: Pick<At, 'file' | 'found'>): Promise<string | null> {
  if (found.bytes > Math.max(PAGE_BYTES_MAX, JSON_CHARS_MAX)) return null
  return pageText(await readFile(file), { charset: found.charset ?? undefined }).replace(/^\ufeff/, '')
}

function isPage({ contentType, bytes }: Found, text: string): boolean {
  if (bytes > PAGE_BYTES_MAX) return false
  return (
    contentType === 'text/html' || contentType === 'application/xhtml+xml' || /^\s*<(!doctype html|html)\b/i.test(text)
  )
}

/** A page with prices is a document; any other page leads to pages with prices. */
async function pageAt({ url, file, found }: At, text: string, context: DetectOptions): Promise<DetectedSource> {
  const { hrefs, next } = linksOf(text, found.url, [PRODUCT])
  const pages = hrefs.filter((href) => href !== found.url)
  const observedAt = instant(context.now())
  const options = { format: 'html' as const, currency: 'EUR', source: 'none', observedAt }
  const { observations } = await preview({ path: file, options }, context, 1)
  const isAlone = observations.length > 0 && next === null && !context.isSite
  const feeds = feedsOf(text, found.url)
  if (isAlone || pages.length === 0) {
    const kind = observations.length > 0 ? 'page with prices' : 'page'
    return { ...documentAt({ url, found }, { kind, description: `a ${kind}` }), feeds }
  }
  const document = documentAt({ url, found }, { kind: 'page', description: `a page with ${pages.length} links` })
  return { ...document, entryPoint: { site: url }, hasPages: true, pages, include: includeOf(pages), feeds }
}

/**
 * Globs of folders with typical product names, those with most pages first. Sitemaps also list help and press pages,
 * which a crawl should not fetch.
 */
export function includeOf(pages: readonly string[]): readonly string[] {
  return globsOf(pages, (folders) => folders.findIndex((folder) => PRODUCTS.test(folder)))
}
const PRODUCTS = new RegExp(`^(?:${PRODUCT_WORDS}|p|dp|pd)$`, 'i')

/** Globs of the first folders of pages, those with most pages first. */
export const foldersOf = (pages: readonly string[]) => globsOf(pages, (folders) => Math.min(0, folders.length - 1))

/** Globs of the folders that end at `endOf`, those with most pages first; -1 for none. */
function globsOf(pages: readonly string[], endOf: (folders: readonly string[]) => number): readonly string[] {
  const counts = new Map<string, number>()
  for (const page of pages) {
    const folders = new URL(page).pathname.split('/').slice(1, -1)
    const at = endOf(folders)
    if (at === -1) continue
    const glob = `/${folders.slice(0, at + 1).join('/')}/**`
    counts.set(glob, (counts.get(glob) ?? 0) + 1)
  }
  const most = [...counts].sort(([, one], [, other]) => other - one)
  return most.slice(0, GLOBS_MAX).map(([glob]) => glob)
}

function apiAt({ url, found }: Pick<At, 'url' | 'found'>, json: unknown): DetectedSource {
  const document = (description: string) => documentAt({ url, found }, { kind: 'JSON', description })
  if (found.nextLink !== undefined) {
    return { ...document('JSON of several pages, linked by their headers'), entryPoint: { api: url } }
  }
  const paging = pagingOf(url, json)
  if (paging === null) return document('a document of JSON')
  const how = Object.entries(paging).map(([key, value]) => `${key}: ${value}`)
  const description = `JSON of several pages, likely with paging ${how.join(', ')}`
  return { ...document(description), entryPoint: { api: url, paging } as DetectedSource['entryPoint'] }
}

/** Depth of keys to examine. */
const PATH_KEYS_MAX = 3

type Paging = Readonly<Record<string, string | number>>

/** The likely paging of a JSON API, as the sources file has it; null without a clue. */
export function pagingOf(url: string, json: unknown): Paging | null {
  const leaves = [...leavesOf(json, [])]
  const parameters = new URL(url).searchParams
  const counter = COUNTERS.find((name) => /^\d+$/.test(parameters.get(name) ?? ''))
  for (const { path, value } of leaves) {
    if (typeof value === 'string' && NEXT.test(path) && isAddress(value)) return { next: path }
  }
  for (const { path, value } of leaves) {
    const key = path.split('.').at(-1) as string
    if (value === null || value === '' || !CURSOR.test(key) || isAddress(String(value))) continue
    return { parameter: key.replace(/^next_?/i, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase()), cursor: path }
  }
  if (counter !== undefined) return { parameter: counter, from: Number(parameters.get(counter)) }
  if (isListing(url, json)) return { parameter: 'page', from: 1 }
  const pages = leaves.find(({ path, value }) => PAGES.test(path) && Number(value) > 1)
  const page = leaves.find(({ path, value }) => PAGE.test(path) && typeof value === 'number')
  return pages === undefined || page === undefined ? null : { parameter: 'page', from: Number(page.value) }
}

/** Lists whose answer names no next page: Shopify's, and a full page of a list without its Link header. */
function isListing(url: string, json: unknown): boolean {
  const { pathname, searchParams } = new URL(url)
  const size = Number(searchParams.get('per_page'))
  if (Array.isArray(json)) return size > 0 && json.length >= size
  return pathname.endsWith('/products.json') && Array.isArray((json as { products?: unknown } | null)?.products)
}
const COUNTERS = ['page', 'p', 'pagina', 'seite', 'page_number', 'pageNumber']
/** links.next, _links.next.href, nextPage, next_page_url. */
const NEXT = /(^|[._])next(_?(page|url|link))*(\.(href|url))?$/i
const CURSOR = /^next_?((page)?_?token|cursor)$|^cursor$/i
const PAGES = /(^|\.)(pages|(total|last|num)_?pages?|pageCount|page_count)$/i
const PAGE = /(^|\.)((current_?)?page|page_?number)$/i

const isAddress = (text: string) => /^(https?:\/\/|\/|\?)/.test(text)

/** The scalar values of an object with their paths; skips lists. */
function* leavesOf(value: unknown, path: readonly string[]): Generator<{ path: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) yield { path: path.join('.'), value }
  else if (!Array.isArray(value) && path.length < PATH_KEYS_MAX) {
    for (const [key, one] of Object.entries(value)) yield* leavesOf(one, [...path, key])
  }
}
