import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CrawlHealth, type CrawlProblem, PROBLEMS_MAX } from '@catalog/core/events/crawls.ts'
import { instant } from '@catalog/core/time.ts'
import type { Gathered } from '@catalog/crawler/discover/gather.ts'
import { readSpool, type SpoolReader } from '@catalog/crawler/discover/spool.ts'
import { crawlFetched } from '@catalog/crawler/ingest/crawl.ts'
import {
  fewRecordsProblem,
  HEALTH_LIMITS,
  type HealthLimits,
  problemsOf,
  rateProblem,
  SourceProfile,
  selectorProblems,
} from '@catalog/crawler/ingest/health.ts'
import { newSourcesProblem } from '@catalog/crawler/ingest/new-sources.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import { type FetchedCrawl, type Judgement, refHash, type Surveyed } from '@catalog/crawler/ingest/survey.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { PastCrawls } from './past-crawls.ts'
import { qualityProblems } from './quality-problems.ts'
import type { SourceCrawlDeps } from './source-crawl-deps.ts'
import { spooledInput } from './spooled-input.ts'

/** In a complete spool: how to record it, now or when a person accepts it. */
const FETCHED_FILE = 'fetched.json'

/** A complete spool's source and result. `isPart`: the crawl saw only a part of the source. */
export type FetchedAs = Readonly<{
  spec: SourceSpec
  gathered: Extract<Gathered, { status: 'fetched' }>
  isPart: boolean
}>

export class NoSpool extends Error {
  override name = 'NoSpool'
}

/** Marks a spool as complete. */
export async function completeSpool(folder: string, fetched: FetchedAs): Promise<void> {
  await writeFile(join(folder, FETCHED_FILE), JSON.stringify(fetched), { flush: true })
}

/** Opens a complete spool. Throws NoSpool. */
export async function readCompleteSpool(folder: string): Promise<{ spool: SpoolReader; fetched: FetchedAs }> {
  try {
    const spool = await readSpool(folder)
    const fetched: FetchedAs = JSON.parse(await readFile(join(folder, FETCHED_FILE), 'utf8'))
    const { documents } = fetched.gathered
    if (spool.documents === documents) return { spool, fetched }
    throw new Error(`found ${spool.documents} documents, expected ${documents}`)
  } catch (cause) {
    throw new NoSpool(`${folder}: expected the documents of the crawl; they are where it ran, or were dropped`, {
      cause,
    })
  }
}

/** Records a complete spool, or holds it when its health has a problem and it is not `isAccepted`. */
export async function recordSpool(
  { spec, gathered, isPart }: FetchedAs,
  {
    spool,
    past,
    deps,
    isAccepted,
  }: Readonly<{ spool: SpoolReader; past: PastCrawls; deps: SourceCrawlDeps; isAccepted: boolean }>,
): Promise<CrawlReport> {
  const { missed, forbidden, problems, etag, lastModified, isWhole } = gathered
  const partial = gathered.partial || isPart
  const fetched: FetchedCrawl = {
    input: spooledInput(spool, spec),
    crawlId: spool.crawl.crawlId,
    source: { id: spec.id, name: spec.name, region: spec.region, url: spec.url },
    isWhole,
    judge: async (surveyed) => {
      const judged = await judgeHealth(surveyed, { spec, past, partial, isWhole, deps })
      return isAccepted ? { ...judged, problems: [] } : judged
    },
    details: {
      partial,
      missed,
      ...(forbidden > 0 && { forbidden }),
      problems: [...problems],
      // The next crawl leaves out what has not changed since these. A crawl of a part says nothing about the rest.
      ...(!isPart && { started_at: instant(spool.crawl.startedAt) }),
      ...(!isPart && etag !== null && { etag }),
      ...(!isPart && lastModified !== null && { last_modified: lastModified }),
    },
  }
  return crawlFetched(fetched, deps)
}

/** Compares each surveyed source with its own last whole crawl. */
async function judgeHealth(
  { read, parsed, bySource, sources, selectors: found, parked: parkedExamples }: Surveyed,
  {
    spec,
    past,
    partial,
    isWhole,
    deps,
  }: Readonly<{ spec: SourceSpec; past: PastCrawls; partial: boolean; isWhole: boolean; deps: SourceCrawlDeps }>,
): Promise<Judgement> {
  const limits: HealthLimits = { ...HEALTH_LIMITS[spec.kind], ...spec.health }
  const crawl = { read, parsed, partial, isWhole }
  const healths = new Map<string, CrawlHealth>()
  const problems: CrawlProblem[] = []
  const before = { read: 0, parsed: 0 }
  const parked = read === 0 ? null : 1 - parsed / read
  // A mapping may find other sources than the requested one, which counts even without records.
  const profiles = new Map([[spec.id, new SourceProfile()], ...bySource])
  for (const [sourceId, profile] of profiles) {
    const { whole } = sourceId === spec.id ? past : await deps.pastCrawls(sourceId)
    if (whole !== null) {
      before.read += whole.read
      before.parsed += whole.appended + whole.duplicates
    }
    const former = whole && {
      layout: whole.health?.layout ?? null,
      prices: deps.pricesOf({ sourceId, crawlId: whole.crawl_id }),
    }
    const { health, examples } = await profile.compare(former, { refOf: (ref) => refHash(sourceId, ref), partial })
    const isOwn = sourceId === spec.id && spec.selectors !== undefined
    healths.set(sourceId, isOwn ? { ...health, selectors: found.shares() } : health)
    problems.push(...problemsOf(health, { crawl, former, limits, examples }))
    const judged = { sourceId, figures: profile.figures, isFirst: whole === null, spec, parked, parkedExamples }
    problems.push(...(await qualityProblems(judged, deps)))
  }
  const ofRate = rateProblem(crawl, before.read === 0 ? null : before.parsed / before.read, {
    limits,
    parked: parkedExamples,
  })
  if (ofRate !== null) problems.unshift(ofRate)
  const ofCount = fewRecordsProblem(crawl, limits)
  if (ofCount !== null) problems.unshift(ofCount)
  if (spec.selectors !== undefined) {
    const source = { id: spec.id, selectors: spec.selectors }
    const former = past.whole?.health?.selectors
    problems.unshift(...selectorProblems(found, { source, former, partial, limits }))
  }
  const ofSources = await newSourcesProblem(sources, {
    mapping: spec.mapping,
    own: spec,
    registeredSources: deps.registeredSources,
  })
  if (ofSources !== null) problems.unshift(ofSources)
  return { health: healths, problems: problems.slice(0, PROBLEMS_MAX) }
}
