import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { totalsOf } from '@catalog/cli/crawl/preview-json.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import type { SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import { type Fetcher, isRobotsRefusal, type NotFetchedAs } from '@catalog/crawler/fetch/fetcher.ts'
import { webAddress } from '@catalog/formats/pages/page.ts'
import { type DetectedSource, type DetectOptions, detectSource, NoDocument } from './detect-source.ts'

/** How to read a shop, those first that give most for fewest requests. `address`: the one that the operator named. */
type Way = 'products.json' | 'Store API' | 'feed' | 'sitemap' | 'pages' | 'address'

/** One address of a shop that may become its entry point, and what a sample of it gives. */
export type Candidate = Readonly<{
  way: Way
  address: string
  /** For people: the document, or why there is none. */
  answer: string
  /** Why it has no document; null with one. */
  failure: NotFetchedAs | null
  /** Null where the address has no document, or another than this way reads. */
  found: Readonly<{ detected: DetectedSource; sample: SourcePreview }> | null
}>

type DiscoverOptions = DetectOptions &
  Readonly<{
    /** The operator's currency of prices without one. */
    currency: string | undefined
    sample: (detected: DetectedSource) => Promise<SourcePreview>
  }>

/** Feeds and sitemaps of one shop to try. */
const FEEDS_MAX = 3
const SITEMAPS_MAX = 3
/** Bytes of a document that nobody named. An operator who names a larger one has it read. */
const PROBE_BYTES_MAX = 32 * 1024 ** 2
const META_BYTES_MAX = 64 * 1024

const KINDS: Readonly<Record<Exclude<Way, 'address'>, readonly DetectedSource['kind'][]>> = {
  'products.json': ['JSON'],
  'Store API': ['JSON'],
  feed: ['document', 'JSON'],
  sitemap: ['sitemap'],
  pages: ['page', 'page with prices'],
}

/**
 * The ways to read what stands at an address: for a page of a shop every way that {@link KINDS} lists, else the address
 * alone. Throws NoDocument where the address gives no document and is not the root of a host that answers.
 */
export async function discover(url: string, options: DiscoverOptions): Promise<readonly Candidate[]> {
  const page = await namedAt(url, options)
  if (!('sentence' in page) && !leadsOn(url, page, options)) {
    return [await sampled({ way: 'address', address: url }, page, options)]
  }
  const probing = { ...options, isSite: false, fetcher: boundedFetcher(options.fetcher) }
  const { origin } = new URL('sentence' in page ? url : page.url)
  const { feeds, restApi } = 'sentence' in page ? { feeds: [], restApi: null } : page.feeds
  const candidates = [await productsAt(origin, probing), await storeApiAt(restApi ?? `${origin}/wp-json/`, probing)]
  for (const address of feeds.slice(0, FEEDS_MAX)) candidates.push(await candidateAt({ way: 'feed', address }, probing))
  for (const address of await sitemapsOf(origin, probing)) {
    candidates.push(await candidateAt({ way: 'sitemap', address }, probing))
    if (wouldRecord(candidates.at(-1) as Candidate)) break
  }
  const pages = { way: 'pages', address: url } as const
  candidates.push('sentence' in page ? failedAt(pages, page) : await sampled(pages, page, options))
  return candidates
}

async function namedAt(url: string, options: DiscoverOptions): Promise<DetectedSource | NotFetchedAs> {
  try {
    return await detectSource(url, options)
  } catch (error) {
    const isShop = error instanceof NoDocument && isRoot(url) && isAnswered(error.found)
    if (!isShop || options.isSite) throw error
    return error.found
  }
}

/** A page leads to the rest of its shop; a product's page, named by itself, does not. */
const leadsOn = (url: string, { kind }: DetectedSource, { isSite }: DiscoverOptions) =>
  !isSite && (kind === 'page' || (kind === 'page with prices' && isRoot(url)))

function isRoot(url: string): boolean {
  const { pathname, search } = new URL(url)
  return pathname === '/' && search === ''
}

const isAnswered = (found: NotFetchedAs) => found.httpStatus !== null || isRobotsRefusal(found)

type Probe = Readonly<{ way: Way; address: string }>

async function candidateAt(probe: Probe, options: DiscoverOptions): Promise<Candidate> {
  try {
    return await sampled(probe, await detectSource(probe.address, options), options)
  } catch (error) {
    if (!(error instanceof NoDocument)) throw error
    return failedAt(probe, error.found)
  }
}

const failedAt = (probe: Probe, failure: NotFetchedAs): Candidate => ({
  ...probe,
  answer: obstacleOf(failure),
  failure,
  found: null,
})

async function sampled(probe: Probe, detected: DetectedSource, { sample }: DiscoverOptions): Promise<Candidate> {
  const { description: answer } = detected
  const kinds = probe.way === 'address' ? [detected.kind] : KINDS[probe.way]
  if (!kinds.includes(detected.kind)) {
    return { ...probe, answer: `${answer}, expected ${kinds.join(' or ')}`, failure: null, found: null }
  }
  return { ...probe, answer, failure: null, found: { detected, sample: await sample(detected) } }
}

/** Shopify's list. It has no currency, which the shop's `meta.json` says. */
async function productsAt(origin: string, options: DiscoverOptions): Promise<Candidate> {
  const probe = { way: 'products.json', address: `${origin}/products.json?limit=250&page=1` } as const
  const candidate = await candidateAt(probe, options)
  const { found } = candidate
  if (found === null || options.currency !== undefined || countsOf(found.sample).reason !== 'NO_CURRENCY') {
    return candidate
  }
  const currency = await currencyOf(origin, options)
  return currency === null ? candidate : sampled(probe, { ...found.detected, currency }, options)
}

/** Null where the shop does not say it. */
async function currencyOf(origin: string, { fetcher, folder, signal }: DiscoverOptions): Promise<string | null> {
  const into = join(folder, 'meta')
  const limits = { bytesMax: META_BYTES_MAX, decodedBytesMax: META_BYTES_MAX }
  const found = await fetcher.get(`${origin}/meta.json`, { into, limits, signal })
  if (found.status !== 'fetched') return null
  try {
    const { currency } = JSON.parse(await readFile(into, 'utf8')) ?? {}
    return typeof currency === 'string' && exponentOf(currency) !== null ? currency : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * WooCommerce's list below the root of an API of WordPress, which may be a parameter: `/index.php?rest_route=/`. A product
 * with variations has only their lowest price there, so the list of variations joins it where it exists.
 */
async function storeApiAt(restApi: string, options: DiscoverOptions): Promise<Candidate> {
  const url = new URL(`${restApi}wc/store/v1/products`)
  url.searchParams.set('per_page', '100')
  const probe = { way: 'Store API', address: url.href } as const
  const candidate = await candidateAt(probe, options)
  const { found } = candidate
  if (found?.sample.preview?.figures.parked.AGGREGATE_OFFER === undefined) return candidate
  url.searchParams.set('type', 'variation')
  const variations = await candidateAt({ ...probe, address: url.href }, options)
  if (variations.found === null || !wouldRecord(variations)) return candidate
  return sampled(probe, { ...found.detected, variations: variations.found.detected.entryPoint }, options)
}

/** The sitemaps that robots.txt names, or else the usual address. */
async function sitemapsOf(origin: string, { fetcher, signal }: DiscoverOptions): Promise<readonly string[]> {
  const usual = `${origin}/sitemap.xml`
  const named = (await fetcher.sitemaps(origin, signal)).flatMap((written) => webAddress(written, usual) ?? [])
  return named.length === 0 ? [usual] : [...new Set(named)].slice(0, SITEMAPS_MAX)
}

function boundedFetcher(fetcher: Fetcher): Fetcher {
  const bounds = { bytesMax: PROBE_BYTES_MAX, decodedBytesMax: PROBE_BYTES_MAX }
  return {
    ...fetcher,
    get: (url, { limits, ...options }) => fetcher.get(url, { ...options, limits: { ...bounds, ...limits } }),
  }
}

/** Why an address gave no document, in words. */
function obstacleOf(found: NotFetchedAs): string {
  const { httpStatus, protection, sentence, url } = found
  if (protection !== undefined) return `bot protection: ${protection}`
  if (httpStatus === 404 || httpStatus === 410) return 'no such page'
  if (httpStatus === 401 || httpStatus === 403) return `not allowed: status ${httpStatus}`
  const said = sentence.replace(`${url}: `, '')
  return isRobotsRefusal(found) && said.includes('forbids it') ? 'forbidden by robots.txt' : said
}

/** Figures of a sample; `reason`: the most frequent one of parked records, or of documents that did not come. */
export function countsOf({ documents, problems, preview }: SourcePreview) {
  const totals = totalsOf(preview)
  const [most] = Object.keys(preview?.figures.parked ?? {})
  const reason = most ?? (totals.records === 0 ? problems[0]?.code : undefined) ?? null
  return { documents: documents.length, ...totals, reason }
}

export const wouldRecord = ({ found }: Candidate) => found !== null && countsOf(found.sample).recorded > 0
