import { join } from 'node:path'
import type { Context, PreviewContext } from '@catalog/cli/shared/context.ts'
import { longWork } from '@catalog/cli/shared/terminal.ts'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { SourceKind, UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import { instant } from '@catalog/core/time.ts'
import { crawlSource, type SourceCrawlOptions } from '@catalog/crawler/crawls/crawl-source.ts'
import { type PreviewDeps, previewSource, type SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import { followSources } from '@catalog/crawler/crawls/scheduled-crawls.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { SpoolTotal } from '@catalog/crawler/discover/spool-total.ts'
import { OWN_MACHINE, reachableContact, withContact } from '@catalog/crawler/fetch/contact.ts'
import { CLOCK, openFetcher, userAgentOf } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock, TakeTurn } from '@catalog/crawler/fetch/host-queue.ts'
import type { HeaderFrom } from '@catalog/crawler/fetch/own-headers.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import type { SourceSpec, SourcesFile } from '@catalog/crawler/sources/sources-file.ts'
import { sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import { findSource } from '@catalog/operations/naming.ts'
import { withSourceLease } from '@catalog/operations/source-lease.ts'
import { alertHeld, deliveryProblem, webhookOf } from '@catalog/operations/sources/alerts.ts'
import { type Moves, movesIfAny } from '@catalog/operations/what-if/records.ts'
import { openRequest } from '@catalog/runtime/fetch.ts'
import { keepHeapSmall } from '@catalog/runtime/heap.ts'
import { openLogger } from '@catalog/runtime/run.ts'
import { readSecretFile } from '@catalog/runtime/secret-files.ts'
import { forgetHostTurns, type HostTurn, takeHostTurn } from '@catalog/store/host-rates.ts'
import { unitAliasesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { pricesOfCrawl, readCrawls } from '@catalog/store/vendor/crawls.ts'
import { readLicence } from '@catalog/store/vendor/sources.ts'
import type { Progress } from '@catalog/store/work.ts'
import { CRAWL_AGAIN, type CrawlOptions, crawlerPorts, crawlStages, inputOptions, PARSER } from './crawl-inputs.ts'
import { documentsJson, inputPreviewJson, movesJson } from './preview-json.ts'
import { nextAfterPreview, sourcePreviewText } from './preview-text.ts'
import { priceRatios } from './price-ratios.ts'

/** Crawls of the web: sources of the sources file, by hand or by schedule, and addresses of the command line. */

/** Documents behind one address of the command line. */
const PAGES_MAX = 20_000

/** The named sources of the file, or all enabled ones. Throws an error that lists the sources of the file. */
export function selectSources(file: SourcesFile, names: readonly string[] | undefined): readonly SourceSpec[] {
  if (names === undefined) return file.sources.filter(({ enabled }) => enabled)
  const known = file.sources.map((spec) => ({ ...spec, sourceId: spec.id }))
  return names.map((given) => findSource(known, { option: 'source', given }))
}

/**
 * Dependencies of previews, which open no catalog. All sources share them, so that together they stay polite to a host.
 */
export function openPreviews(
  { env, signal }: Pick<Context, 'env' | 'signal'>,
  { contact, politeness, clock = CLOCK, takeTurn }: CrawledAs & { takeTurn?: TakeTurn } = {},
): PreviewDeps {
  const reachable = reachableContact([env.CRAWL_CONTACT, contact], env.PUBLIC_BASE_URL)
  const fetcher = openFetcher({
    request: openRequest({ allowed: env.FETCH_ALLOWED_NETWORKS }),
    userAgent: userAgentOf(reachable ?? OWN_MACHINE),
    ...(politeness && { politeness }),
    ...(takeTurn && { takeTurn }),
    clock,
  })
  return {
    fetcher: withContact(fetcher, reachable),
    clock,
    signal,
    readHeader,
    crawlsDir: join(env.CATALOG_DATA, 'crawls'),
    now: () => new Date(clock.now()),
    readFile: PARSER.readFile,
  }
}
/** A secret of the operator, which neither the sources file nor a log holds. */
function readHeader(from: HeaderFrom): string {
  const place = 'env' in from ? `the environment variable ${from.env}` : from.file
  const value = 'env' in from ? (process.env[from.env] ?? '') : secretAt(from.file)
  // undici shows the value in the error of a header that it refuses.
  if (!/^[\t\x20-\x7e]+$/.test(value)) throw new Error(`${place}: expected one line of printable ASCII characters`)
  return value
}

function secretAt(path: string): string {
  try {
    return readSecretFile(path).trim()
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

type CrawledAs = Partial<Pick<SourcesFile, 'contact' | 'politeness'> & { clock: Clock }>

/** Dependencies of source crawls. */
export function openSourceCrawler(
  { catalog, env, signal }: Omit<Context, 'terminal'>,
  as: CrawledAs = {},
): SourceCrawlDeps {
  const webhook = webhookOf({ catalog, env, signal })
  // The store counts by the machine's clock.
  const turns = (as.clock ?? CLOCK) === CLOCK ? { takeTurn: (turn: HostTurn) => takeHostTurn(catalog.store, turn) } : {}
  const previews = openPreviews({ env, signal }, { ...as, ...turns })
  return {
    ...crawlerPorts(catalog),
    ...previews,
    spoolTotal: new SpoolTotal(previews.crawlsDir),
    pastCrawls: async (sourceId) => {
      const found = (await readCrawls(catalog.store, [sourceId])).get(sourceId)
      return found ?? { last: null, whole: null, fetched: null, held: null }
    },
    licenceOf: (sourceId) => readLicence(catalog.store, sourceId),
    pricesOf: (crawl) => pricesOfCrawl(catalog.store, crawl),
    priceRatios: (compared) => priceRatios(catalog.store, compared),
    unitAliases: () => unitAliasesAt(catalog.store, { asOf: instant(catalog.now()), positions: null }),
    async onHeld(source, report) {
      const problem = deliveryProblem(await alertHeld(webhook, { source, report }))
      if (problem !== null)
        openLogger(env.LOG_LEVEL, 'crawl').warn({ source: source.name, crawlId: report.crawlId }, problem)
    },
  }
}

/** A context with the crawler of one source. */
export const withCrawler = <Given extends Omit<Context, 'terminal'>>(context: Given) => ({
  ...context,
  openCrawler: () => openSourceCrawler(context),
})

/** `catalog crawl` without inputs, and with `--source`: crawls these sources one after the other. */
export async function crawlSources(
  context: Context,
  { specs, file, ...how }: { specs: readonly SourceSpec[]; file?: SourcesFile } & SourceCrawlOptions,
): Promise<readonly CrawlReport[]> {
  keepHeapSmall()
  const { catalog, terminal } = context
  const deps = openSourceCrawler(context, file)
  const reports: CrawlReport[] = []
  for (const spec of specs) {
    const crawling = (show: (at: Progress) => void) =>
      withSourceLease(context, spec, async (signal, note) => {
        const tell = ({ stage, ...at }: Progress) => {
          note({ stage, ...at })
          show({ stage: `${spec.name}: ${stage}`, ...at })
        }
        // Catch up under the lease: another process may have crawled while this one waited.
        await catalog.catchUp()
        const stageOf = crawlStages()
        const onFetched: SourceCrawlDeps['onFetched'] = ({ documents, queued }) =>
          tell({ stage: 'documents', done: documents, total: queued === null ? null : documents + queued })
        return crawlSource(spec, { ...deps, onFetched, onProgress: (progress) => tell(stageOf(progress)), signal }, how)
      })
    reports.push(await longWork({ terminal, signal: context.signal, next: CRAWL_AGAIN }, crawling))
    await catalog.catchUp()
  }
  return reports
}

/** `catalog crawl URL --preview`: the first records as a crawl would record them, and what would move; appends nothing. */
export async function previewSources(
  { catalog, terminal, ...context }: PreviewContext,
  specs: readonly SourceSpec[],
): Promise<boolean> {
  const deps = openPreviews(context)
  const inputs: (SourcePreview & { source: string; moves: Moves | null })[] = []
  for (const spec of specs) {
    const tried = await previewSource(spec, deps, { count: PREVIEW_RECORDS })
    inputs.push({ source: spec.name, ...tried, moves: await movesIfAny(catalog, tried.preview) })
  }
  const answered = inputs.map(({ documents, preview, moves, ...input }) => ({
    ...input,
    documents: documentsJson(documents),
    preview: preview && inputPreviewJson(preview),
    moves: movesJson(moves),
  }))
  terminal.answer({ inputs: answered }, () =>
    inputs.map((input) => `${input.source}\n${sourcePreviewText(input, input.moves)}`).join('\n\n'),
  )
  terminal.next(nextAfterPreview(inputs.map(({ preview }) => preview)))
  return inputs.every(({ preview }) => preview?.isComplete === true)
}
const PREVIEW_RECORDS = 5

/**
 * One source per vendor for the addresses of the command line. Their crawl covers only a part of the vendor's offer.
 */
export function sourcesOfUrls(urls: readonly string[], options: CrawlOptions): readonly SourceSpec[] {
  const { mapping, format, region, kind, trust, validity, validityDays, currency, lang } = inputOptions(options)
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
    ...(validity === UNTIL_SUPERSEDED && { validity }),
    ...(validityDays !== undefined && { validityDays }),
    ...(currency !== undefined && { currency }),
    ...(lang !== undefined && { lang }),
    // Prices, not sources, have the other kinds.
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

/** `catalog crawl --scheduled`: crawls the sources of the file when they are due, until the signal aborts. */
export async function crawlScheduled(context: Context, { clock = CLOCK }: { clock?: Clock } = {}): Promise<void> {
  const { catalog, env, signal } = context
  await forgetHostTurns(catalog.store)
  await followSources({
    place: env.CATALOG_SOURCES,
    read: sourcesReader(env),
    openCrawler: (as) => openSourceCrawler(context, { ...as, clock }),
    withLease: (spec, work, signal) => withSourceLease({ ...context, signal }, spec, work),
    catchUp: () => catalog.catchUp(),
    clock,
    signal,
    log: openLogger(env.LOG_LEVEL, 'crawl'),
  })
}
