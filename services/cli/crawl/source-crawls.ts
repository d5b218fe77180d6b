import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { sourceMeant } from '@catalog/cli/shared/naming.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { SourceKind, sourceIdOf } from '@catalog/core/events/events.ts'
import {
  crawlSource,
  type HowCrawled,
  lastAttemptOf,
  type PreviewDeps,
  previewSource,
  type SourceCrawlDeps,
  type SourcePreview,
  sweepCrawls,
} from '@catalog/crawler/crawl-source.ts'
import { CLOCK, type Fetcher, openFetcher, userAgentOf } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import { keepHeapSmall } from '@catalog/crawler/heap.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/crawl.ts'
import { followSchedule } from '@catalog/crawler/sources/schedule.ts'
import { parseSources, type SourceSpec, type SourcesFile } from '@catalog/crawler/sources/sources-file.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { openRequest } from '@catalog/runtime/fetch.ts'
import { openLogger } from '@catalog/runtime/run.ts'
import { withLease } from '@catalog/store/lease.ts'
import { pricesOfCrawl, readCrawls } from '@catalog/store/vendor/crawls.ts'
import { type CrawlOptions, crawlerOf, defaultsOf } from './crawling.ts'

/** Crawls of the web: of the sources file, by hand and by schedule, and of addresses of the command line. */

/** Who crawls a source is replaced after this where it was killed. */
const CRAWL_LEASE_MS = 30_000
/** Documents that an address of the command line leads to. */
const PAGES_MAX = 20_000

/** Where the sources file is. */
export const sourcesPathOf = (env: Environment) => resolve(env.CATALOG_SOURCES)

/**
 * Reads the sources file, and gives what it gave before as long as neither it nor a mapping that it names has changed; null
 * where there is none. Throws BadSourcesFile.
 */
export function sourcesReader(env: Environment): () => Promise<SourcesFile | null> {
  const path = sourcesPathOf(env)
  let known: { version: string; file: SourcesFile } | null = null
  let mappings: string[] = []
  return async () => {
    if (!existsSync(path)) return null
    const version = versionOf([path, ...mappings])
    if (known?.version !== version) {
      const named: string[] = []
      try {
        const file = parseSourcesOf(env, await readFile(path, 'utf8'), (mapping) => named.push(mapping))
        known = { version: versionOf([path, ...named]), file }
      } finally {
        mappings = named
      }
    }
    return known.file
  }
}

/** A sources file that is, or will be, where this environment has it; told of each mapping that it names. Throws BadSourcesFile. */
export function parseSourcesOf(
  env: Environment,
  text: string,
  onMapping: (path: string) => void = () => {},
): SourcesFile {
  const readMapping = (mapping: string) => {
    const path = resolve(dirname(sourcesPathOf(env)), mapping)
    onMapping(path)
    return readFileSync(path, 'utf8')
  }
  return parseSources(text, { place: env.CATALOG_SOURCES, readMapping })
}

/** Changes with each of the files, as far as a file system tells. */
function versionOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false })
      return `${path} ${found?.mtimeMs} ${found?.size}`
    })
    .join('\n')
}

/** As {@link sourcesReader}, once; throws an error that says how to come by a file where there is none. */
export async function readSources(env: Environment): Promise<SourcesFile> {
  const file = await sourcesReader(env)()
  if (file !== null) return file
  throw new Error(
    `${env.CATALOG_SOURCES}: no such file; begin one with catalog sources add URL, or give catalog crawl its inputs`,
  )
}

/** Those of the file that were named, or all that are enabled. Throws an error that says which there are. */
export function chosenSources(file: SourcesFile, names: readonly string[] | undefined): readonly SourceSpec[] {
  if (names === undefined) return file.sources.filter(({ enabled }) => enabled)
  const known = file.sources.map((spec) => ({ ...spec, sourceId: spec.id }))
  return names.map((given) => sourceMeant(known, { option: 'source', given }))
}

export type Crawling = Readonly<{ catalog: Catalog; env: Environment; terminal: Terminal; signal: AbortSignal }>

/** What previews need, which open no catalog. One for all sources, so that a host is asked politely by all of them together. */
function openPreviews(
  { env, signal }: Pick<Crawling, 'env' | 'signal'>,
  { contact, manners, clock = CLOCK }: CrawledAs = {},
): PreviewDeps {
  const own = env.PUBLIC_BASE_URL
  const reachable = env.CRAWL_CONTACT ?? contact ?? (own === undefined || isOwnMachine(own) ? null : own)
  const fetcher = openFetcher({
    request: openRequest({ allowed: env.FETCH_ALLOWED_NETWORKS }),
    userAgent: userAgentOf(reachable ?? OWN_MACHINE),
    ...(manners && { manners }),
    clock,
  })
  return {
    fetcher: withContact(fetcher, reachable),
    clock,
    signal,
    crawlsDir: join(env.CATALOG_DATA, 'crawls'),
    now: () => new Date(clock.now()),
  }
}
type CrawledAs = Partial<Pick<SourcesFile, 'contact' | 'manners'> & { clock: Clock }>

/** What crawls of sources need. */
export function openSourceCrawler(
  { catalog, env, signal }: Omit<Crawling, 'terminal'>,
  as: CrawledAs = {},
): SourceCrawlDeps {
  return {
    ...crawlerOf(catalog),
    ...openPreviews({ env, signal }, as),
    pastCrawls: async (sourceId) => {
      const found = (await readCrawls(catalog.store, [sourceId])).get(sourceId)
      return found ?? { last: null, whole: null, fetched: null, held: null }
    },
    pricesOf: (crawl) => pricesOfCrawl(catalog.store, crawl),
  }
}

/** A vendor who is asked by nobody in particular can only shut everybody out; who asks himself knows whom to ask. */
function withContact(fetcher: Fetcher, contact: string | null): Fetcher {
  if (contact !== null) return fetcher
  const check = (url: string) => {
    if (isOwnMachine(url)) return
    const host = URL.parse(url)?.hostname
    throw new Error(`CRAWL_CONTACT is not set: expected an address of a page or of mail, for ${host} to know who asks`)
  }
  return {
    get: (url, asking) => {
      check(url)
      return fetcher.get(url, asking)
    },
    sitemaps: (origin, signal) => {
      check(origin)
      return fetcher.sitemaps(origin, signal)
    },
  }
}
const OWN_MACHINE = 'http://localhost/'

function isOwnMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}

/** `catalog crawl` without inputs, and `--source`: crawls these sources now, one after the other. */
export async function crawlSources(
  crawling: Crawling,
  { specs, file, ...how }: { specs: readonly SourceSpec[]; file?: SourcesFile } & HowCrawled,
): Promise<readonly CrawlReport[]> {
  keepHeapSmall()
  const { catalog, terminal } = crawling
  const deps = openSourceCrawler(crawling, file)
  const reports: CrawlReport[] = []
  for (const spec of specs) {
    const fetching = terminal.progress(`${spec.name}: documents`)
    const reading = terminal.progress(`${spec.name}: bytes read`)
    const following: SourceCrawlDeps = {
      ...deps,
      onFetched: ({ documents, queued }) => fetching.to(documents, queued === null ? null : documents + queued),
      onProgress: ({ pass, bytes, bytesTotal }) => reading.to((pass - 1) * bytesTotal + bytes, 2 * bytesTotal),
    }
    try {
      const report = await leased(crawling, spec, async (signal) => {
        // What earlier crawls recorded has to be known, also of another process while this one waited.
        await catalog.catchUp()
        return crawlSource(spec, { ...following, signal }, how)
      })
      reports.push(report)
    } finally {
      fetching.done()
      reading.done()
    }
    await catalog.catchUp()
  }
  return reports
}

/** `catalog crawl URL --preview`: the first records as they would be recorded; appends nothing. */
export async function previewSources(
  { terminal, ...crawling }: Omit<Crawling, 'catalog'>,
  specs: readonly SourceSpec[],
): Promise<boolean> {
  const deps = openPreviews(crawling)
  const inputs: (SourcePreview & { source: string })[] = []
  for (const spec of specs) {
    inputs.push({ source: spec.name, ...(await previewSource(spec, deps, { count: PREVIEW_RECORDS })) })
  }
  terminal.answer({ inputs }, () => inputs.map((shown) => JSON.stringify(shown, null, 2)).join('\n'))
  terminal.next('the same command without --preview')
  return inputs.every(({ preview }) => preview !== null)
}
const PREVIEW_RECORDS = 5

/** Of several processes one crawls a source, or decides about a crawl of it, at a time; the others wait. */
export function leased<T>(
  { catalog, signal }: Pick<Crawling, 'catalog' | 'signal'>,
  { id }: Pick<SourceSpec, 'id'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = { name: `crawl ${id}`, holder: randomBytes(8).toString('hex'), ttlMs: CRAWL_LEASE_MS }
  return withLease(catalog.store, lease, work, signal)
}

/** The sources that addresses of the command line stand for: one for each vendor, whose crawl is a part of what it sells. */
export function sourcesOfUrls(urls: readonly string[], options: CrawlOptions): readonly SourceSpec[] {
  const { mapping, format, region, kind, trust, validityDays, currency, lang } = defaultsOf(options)
  const byName = new Map<string, URL[]>()
  for (const written of urls) {
    const url = URL.parse(written)
    if (url === null) throw new Error(`input '${written}': expected an address such as https://shop.example/prices.csv`)
    const name = options.source ?? url.hostname
    byName.set(name, [...(byName.get(name) ?? []), url])
  }
  const ofSource = SourceKind.safeParse(kind)
  return [...byName].map(([name, urls]) => ({
    name,
    region: region ?? null,
    url: urls[0]?.origin ?? null,
    kind: ofSource.data ?? 'shop',
    id: sourceIdOf({ name, region: region ?? null }),
    ...(trust !== undefined && { trust }),
    ...(validityDays !== undefined && { validityDays }),
    ...(currency !== undefined && { currency }),
    ...(lang !== undefined && { lang }),
    // A kind of price is said of each price.
    mapping:
      ofSource.success || kind === undefined ? mapping : { ...mapping, constants: { kind, ...mapping?.constants } },
    entryPoints: urls.map(({ href: url }) => ({ kind: 'document' as const, url, ...(format && { format }) })),
    schedule: null,
    enabled: true,
    pagesMax: PAGES_MAX,
    health: {},
    line: 0,
  }))
}

/** `catalog crawl --scheduled`: stays, and crawls the sources of the file when they are due. */
export async function followSources(crawling: Crawling, { clock = CLOCK }: { clock?: Clock } = {}): Promise<void> {
  const { catalog, env, signal } = crawling
  const logger = openLogger(env.LOG_LEVEL)
  const read = sourcesReader(env)
  let opened: { of: string; deps: SourceCrawlDeps } | null = null
  const crawlerFor = async () => {
    const { contact, manners } = (await read().catch(() => null)) ?? { contact: null, manners: {} }
    const of = JSON.stringify([contact, manners])
    if (opened?.of !== of) opened = { of, deps: openSourceCrawler(crawling, { contact, manners, clock }) }
    return opened.deps
  }
  const lastAttempt = async (sourceId: string) => lastAttemptOf(await (await crawlerFor()).pastCrawls(sourceId))
  await sweepCrawls(await crawlerFor())
  let hadFile = false
  await followSchedule<SourceSpec>({
    async read() {
      const file = await read()
      // Editors put a file away for a moment when they save it.
      if (file === null && hadFile)
        throw new Error(`${env.CATALOG_SOURCES}: no such file any more; expected one, if without sources`)
      hadFile = file !== null
      return file ?? { sources: [] }
    },
    lastAttempt,
    clock,
    signal,
    log: logger,
    crawl: async (spec, { due, signal }) => {
      const deps = await crawlerFor()
      await leased({ ...crawling, signal }, spec, async (signal) => {
        await catalog.catchUp()
        const last = await lastAttempt(spec.id)
        // Another process has crawled it since it was due. One that is still to come was told by a wrong clock.
        if (last !== null && last >= due && last.getTime() <= clock.now()) return
        const { crawlId, outcome, read, appended, problems } = await crawlSource(spec, { ...deps, signal })
        const told = { source: spec.name, crawlId, outcome, read, appended, problems }
        if (problems.length === 0) logger.info(told, 'source crawled')
        else logger.warn(told, 'source crawled, with problems')
        await catalog.catchUp()
      })
    },
  })
}
