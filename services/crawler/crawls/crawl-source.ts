import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import {
  type CrawlFinished,
  type CrawlHealth,
  type CrawlOutcome,
  type CrawlProblem,
  eventId,
  observationKey,
  PROBLEMS_MAX,
  TOPICS,
  VALIDITY_DAYS,
} from '@catalog/core/events/events.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { type Gathered, type GatherProgress, gather, type Since } from '@catalog/crawler/discover/gather.ts'
import {
  digestOf,
  isContinued,
  MANIFEST_FILE,
  openSpool,
  readSpool,
  SPOOL_AGE_MAX_MS,
  type Spool,
  type SpooledDocument,
  type SpoolReader,
  spoolsOf,
} from '@catalog/crawler/discover/spool.ts'
import { withoutKeysOf, withoutSecrets } from '@catalog/crawler/fetch/document-name.ts'
import type { Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import {
  type CrawlDeps,
  type CrawlPreview,
  type CrawlReport,
  crawlFetched,
  type FetchedCrawl,
  type InputFile,
  type InputOptions,
  type Judgement,
  previewFetched,
  refHash,
  type Surveyed,
} from '@catalog/crawler/ingest/crawl.ts'
import {
  type FormerPrice,
  HEALTH_LIMITS,
  type HealthLimits,
  problemsOf,
  rateProblem,
  Survey,
} from '@catalog/crawler/ingest/health.ts'
import { nextDue } from '@catalog/crawler/sources/schedule.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'

/** A crawl of a source as the read models have it: what its latest CrawlFinished says. */
export type PastCrawl = Readonly<{
  source_id: string
  crawl_id: string
  outcome: CrawlOutcome
  complete: boolean
  /** Instants; null of a crawl that did not tell. */
  started_at: string | null
  recorded_at: string
  etag: string | null
  last_modified: string | null
  read: number
  appended: number
  duplicates: number
  parked: number
  health: CrawlHealth | null
}>
/** The newest crawls of a source: of all, of those recorded whole, of those that saw all of it, and one that waits. */
export type PastCrawls = Readonly<Record<'last' | 'whole' | 'fetched' | 'held', PastCrawl | null>>

/** When the source was last crawled, whatever became of it; null where it never was. A crawl of a part of it is none. */
export function lastAttemptOf(past: PastCrawls): Date | null {
  const begun = Object.values(past).flatMap((crawl) =>
    crawl?.started_at == null ? [] : [Date.parse(crawl.started_at)],
  )
  return begun.length === 0 ? null : new Date(Math.max(...begun))
}

export type SourceCrawlDeps = CrawlDeps &
  Readonly<{
    fetcher: Fetcher
    clock: Clock
    /** Where crawls are spooled: SOURCE/CRAWL/. */
    crawlsDir: string
    pastCrawls: (sourceId: string) => Promise<PastCrawls>
    /** What a crawl delivered of a source. */
    pricesOf: (crawl: Readonly<{ sourceId: string; crawlId: string }>) => AsyncIterable<readonly FormerPrice[]>
    onFetched?: ((progress: GatherProgress) => void) | undefined
  }>

export type HowCrawled = Readonly<{
  /** Without conditions. */
  isFull?: boolean
  /** The entry points are not all that the source has. */
  isPart?: boolean
}>

/** An unchanged source is fetched in full when its last whole crawl is so old, though its server says that nothing changed. */
const FULL_FETCH_MS = 7 * DAY_MS
/** Whatever is younger than this share of the validity still votes when the next fetch fails once. */
const FULL_FETCH_VALIDITY_SHARE = 0.5

/**
 * Crawls one source from its entry points to the log: fetched into a spool on disk, looked at there, and then recorded or
 * held back as a whole. However it ends, a CrawlFinished under the source's id says so; an unfinished spool of less than a
 * day is gone on with under its own crawl id. What was held back before is dropped, since this crawl saw the source later.
 *
 * The source is fetched in full, without conditions, when `isFull`, when what it is fetched for has changed (entry points,
 * mapping), and before its last whole crawl is seven days or half its validity old: a price that is never seen again
 * expires, however often a server answers 304.
 *
 * Throws the signal's reason, and what the log, the disk and the store throw; crawling again is then safe.
 */
export async function crawlSource(
  spec: SourceSpec,
  deps: SourceCrawlDeps,
  { isFull = false, isPart = false }: HowCrawled = {},
): Promise<CrawlReport> {
  const past = await deps.pastCrawls(spec.id)
  const folder = sourceFolder(deps, spec.id)
  await using spool = await spoolFor(spec, { folder, past, deps })
  const { crawlId } = spool.crawl
  const gathered = await gather(
    spec,
    { fetcher: deps.fetcher, spool, clock: deps.clock, onProgress: deps.onFetched, signal: deps.signal },
    await sinceOf(spec, { folder, past, now: deps.now(), isFull }),
  )
  const isSuperseded = past.held !== null && gathered.status === 'fetched' && !isPart
  if (isSuperseded) {
    await reportDropped(past.held, { code: 'SUPERSEDED', detail: `crawl ${crawlId} saw the source later` }, deps)
  }
  let report: CrawlReport
  if (gathered.status === 'fetched') {
    const fetched = { spec, gathered, isPart }
    await writeFile(join(spool.folder, FETCHED), JSON.stringify(fetched), { flush: true })
    if (!isPart) await forgetOther(spec, folder)
    report = await crawlFetched(spooledOf(fetched, { spool, past, deps, isAccepted: false }), deps)
  } else report = await reportAlone(spec, { spool, gathered, deps, isPart })
  const isHeld = report.outcome === 'held'
  if (isPart) {
    if (!isHeld) await rm(spool.folder, { recursive: true })
    return report
  }
  if (report.outcome === 'recorded' && report.complete) await writeFile(join(folder, RECORDED_AS), recordedAs(spec))
  const kept = [isHeld ? crawlId : null, isSuperseded ? null : past.held?.crawl_id]
  for (const other of await spoolsOf(folder)) {
    if (!kept.includes(other.crawlId)) await rm(other.folder, { recursive: true })
  }
  return report
}

/** The spool of a crawl that was not finished, where it can be gone on with; else a new one. */
async function spoolFor(
  spec: SourceSpec,
  { folder, past, deps }: { folder: string; past: PastCrawls; deps: SourceCrawlDeps },
): Promise<Spool> {
  const now = deps.now()
  const digest = digestOf(spec)
  // One before the newest was given up, or was reported when nobody could tidy up any more.
  const [newest] = await spoolsOf(folder)
  const isReported = Object.values(past).some((crawl) => crawl?.crawl_id === newest?.crawlId)
  if (newest !== undefined && !isReported && isContinued(newest, { digest, now })) {
    return openSpool(newest.folder, { ...newest, now })
  }
  const crawlId = deps.newCrawlId()
  return openSpool(join(folder, crawlId), { crawlId, sourceId: spec.id, startedAt: now, digest, now })
}

const EVERYTHING: Since = { isFull: true, startedAt: new Date(0), etag: null, lastModified: null }

/**
 * What the crawls before say of this one. One that was begun by hand with inputs of its own did not see the source, and
 * tells no beginning: after it everything is fetched.
 */
async function sinceOf(
  spec: SourceSpec,
  { folder, past: { whole, fetched }, now, isFull }: { folder: string; past: PastCrawls; now: Date; isFull: boolean },
): Promise<Since> {
  const known = await readFile(join(folder, RECORDED_AS), 'utf8').catch(() => null)
  if (isFull || known !== recordedAs(spec) || whole?.started_at == null || fetched?.started_at == null) {
    return EVERYTHING
  }
  const [wholeSince, fetchedSince] = [new Date(whole.started_at), new Date(fetched.started_at)]
  // Told by a wrong clock: by it nothing would have changed until then.
  if (wholeSince > now || fetchedSince > now) return EVERYTHING
  if (isFullDue(spec, { startedAt: wholeSince, now })) return EVERYTHING
  // Of the last whole crawl some pages may be missing, but all others are as old as that at most.
  const startedAt = new Date(Math.max(fetchedSince.getTime(), wholeSince.getTime()))
  return { isFull: false, startedAt, etag: fetched.etag, lastModified: fetched.last_modified }
}

/**
 * Removes what nobody will go on with: previews that were killed, and spools that nothing was added to for a day, but those
 * that wait for a person. Sources that were crawled once and never again leave them.
 */
export async function sweepCrawls({
  crawlsDir,
  pastCrawls,
  now,
}: Pick<SourceCrawlDeps, 'crawlsDir' | 'pastCrawls' | 'now'>): Promise<void> {
  const idleMs = now().getTime() - SPOOL_AGE_MAX_MS
  const sweep = async (folder: string) => {
    const touched = await Promise.all([folder, join(folder, MANIFEST_FILE)].map((path) => stat(path).catch(() => null)))
    if (touched.every((found) => found === null || found.mtimeMs < idleMs))
      await rm(folder, { recursive: true, force: true })
  }
  for (const name of await readdir(crawlsDir).catch(() => [])) {
    const folder = join(crawlsDir, name)
    if (name.startsWith(PREVIEW)) await sweep(folder)
    else {
      const { held } = await pastCrawls(name)
      for (const spool of await spoolsOf(folder)) if (spool.crawlId !== held?.crawl_id) await sweep(spool.folder)
    }
  }
}

/** What a crawl of a source would find, from its first documents; nothing is recorded. */
export type SourcePreview = Readonly<{
  documents: readonly Pick<SpooledDocument, 'name' | 'contentType' | 'bytes'>[]
  problems: readonly CrawlProblem[]
  /** The first records of the documents; null where none came. */
  preview: CrawlPreview | null
}>

export type PreviewDeps = Pick<SourceCrawlDeps, 'fetcher' | 'clock' | 'crawlsDir' | 'now' | 'onFetched' | 'signal'>

/** How folders of previews begin; the id of a source begins with a letter or a digit. */
const PREVIEW = '.preview-'
/** Documents that a preview fetches. */
const PREVIEW_DOCUMENTS = 3

/** The first `count` records of the first documents of a source, as they would be recorded. Throws as {@link crawlSource}. */
export async function previewSource(
  spec: SourceSpec,
  deps: PreviewDeps,
  { count }: { count: number },
): Promise<SourcePreview> {
  await mkdir(deps.crawlsDir, { recursive: true })
  const folder = await mkdtemp(join(deps.crawlsDir, PREVIEW))
  try {
    const now = deps.now()
    const few = { ...spec, pagesMax: Math.min(spec.pagesMax, PREVIEW_DOCUMENTS) }
    const head = { crawlId: 'preview', sourceId: spec.id, startedAt: now, digest: digestOf(few) }
    await using spool = await openSpool(join(folder, 'crawl'), { ...head, now })
    const { fetcher, clock, onFetched: onProgress, signal } = deps
    const gathered = await gather(few, { fetcher, spool, clock, onProgress, signal, isPatient: false }, EVERYTHING)
    const documents: SourcePreview['documents'][number][] = []
    for await (const { name, contentType, bytes } of spool.read()) documents.push({ name, contentType, bytes })
    // That there is more than a preview fetches is no problem.
    const problems = gathered.status === 'unchanged' ? [] : gathered.problems.filter(({ code }) => code !== 'PAGES_MAX')
    const fetched = {
      input: spec.name,
      files: () => filesOf(spool, spec),
      bytes: spool.bytes,
      options: optionsOf(spec),
    }
    return { documents, problems, preview: documents.length === 0 ? null : await previewFetched(fetched, deps, count) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Records a crawl that was held back, under its own id, whatever its health. Throws NoSpool where what it fetched does not
 * lie here.
 */
export async function acceptHeld(held: PastCrawl, deps: SourceCrawlDeps): Promise<CrawlReport> {
  const folder = sourceFolder(deps, held.source_id)
  const { spool, fetched } = await heldSpool(join(folder, held.crawl_id))
  const past = await deps.pastCrawls(held.source_id)
  // What came after it was compared with what was before it: "unchanged" then is no word on what is recorded now.
  await rm(join(folder, RECORDED_AS), { force: true })
  const report = await crawlFetched(spooledOf(fetched, { spool, past, deps, isAccepted: true }), after(held, deps))
  await rm(spool.folder, { recursive: true })
  return report
}

/** Drops a crawl that was held back: nothing of it is ever recorded. */
export async function dropHeld(held: PastCrawl, { reason }: { reason: string }, deps: SourceCrawlDeps): Promise<void> {
  await reportDropped(held, { code: 'DROPPED', detail: withoutSecrets(reason) }, deps)
  const spools = await spoolsOf(sourceFolder(deps, held.source_id))
  for (const { crawlId, folder } of spools) if (crawlId === held.crawl_id) await rm(folder, { recursive: true })
}

export class NoSpool extends Error {
  override name = 'NoSpool'
}

/** Of a folder of crawls: what the last crawl that was recorded was fetched for. */
const RECORDED_AS = 'recorded-as'
/** Of a spool that was gathered to its end: how it is recorded, now or when a person accepts it. */
const FETCHED = 'fetched.json'

type FetchedAs = Readonly<{ spec: SourceSpec; gathered: Extract<Gathered, { status: 'fetched' }>; isPart: boolean }>

function sourceFolder({ crawlsDir }: SourceCrawlDeps, sourceId: string): string {
  return join(crawlsDir, sourceId)
}

/** What makes two crawls of the same bytes record something else. */
function recordedAs({ trust, validityDays, schedule, enabled, health, line, ...spec }: SourceSpec): string {
  return sha256Hex(JSON.stringify(spec))
}

/** What is about to be recorded otherwise than the crawls before is no basis for a conditional request any more. */
async function forgetOther(spec: SourceSpec, folder: string): Promise<void> {
  const path = join(folder, RECORDED_AS)
  const known = await readFile(path, 'utf8').catch(() => null)
  if (known !== recordedAs(spec)) await rm(path, { force: true })
}

/** Whether the last whole crawl would be too old at the next instant of the schedule. */
function isFullDue(spec: SourceSpec, { startedAt, now }: { startedAt: Date; now: Date }): boolean {
  const validityMs = (spec.validityDays ?? VALIDITY_DAYS[spec.kind]) * DAY_MS
  const everyMs = Math.min(FULL_FETCH_MS, validityMs * FULL_FETCH_VALIDITY_SHARE)
  const next = spec.schedule === null ? now : nextDue(spec.schedule, now)
  return next.getTime() > startedAt.getTime() + everyMs
}

async function heldSpool(folder: string): Promise<{ spool: SpoolReader; fetched: FetchedAs }> {
  try {
    const spool = await readSpool(folder)
    const fetched: FetchedAs = JSON.parse(await readFile(join(folder, FETCHED), 'utf8'))
    const { documents } = fetched.gathered
    if (spool.documents === documents) return { spool, fetched }
    throw new Error(`${spool.documents} documents lie there, expected ${documents}`)
  } catch (cause) {
    throw new NoSpool(`${folder}: expected what the crawl fetched; it lies where it was crawled, or was dropped`, {
      cause,
    })
  }
}

type Recording = Readonly<{ spool: SpoolReader; past: PastCrawls; deps: SourceCrawlDeps; isAccepted: boolean }>

/** What was fetched, as crawl.ts takes it. */
function spooledOf({ spec, gathered, isPart }: FetchedAs, { spool, past, deps, isAccepted }: Recording): FetchedCrawl {
  const { missed, problems, etag, lastModified } = gathered
  const partial = gathered.partial || isPart
  return {
    input: spec.name,
    crawlId: spool.crawl.crawlId,
    source: { id: spec.id, name: spec.name, region: spec.region, url: spec.url },
    bytes: spool.bytes,
    options: optionsOf(spec),
    isWhole: gathered.isWhole,
    files: () => filesOf(spool, spec),
    judge: async (surveyed) => {
      const judged = await judge(surveyed, { spec, past, partial, isWhole: gathered.isWhole, deps })
      return isAccepted ? { ...judged, problems: [] } : judged
    },
    said: {
      partial,
      missed,
      problems: [...problems],
      // By these the next crawl leaves out what has not changed: of all that the source has.
      ...(!isPart && { started_at: instant(spool.crawl.startedAt) }),
      ...(!isPart && etag !== null && { etag }),
      ...(!isPart && lastModified !== null && { last_modified: lastModified }),
    },
  }
}

function optionsOf({
  name,
  id,
  url,
  region,
  kind,
  trust,
  validityDays,
  currency,
  lang,
  mapping,
}: SourceSpec): InputOptions {
  return {
    source: name,
    sourceId: id,
    sourceUrl: url ?? undefined,
    region: region ?? undefined,
    kind,
    trust,
    validityDays,
    currency,
    lang,
    mapping,
  }
}

async function* filesOf(spool: SpoolReader, { mapping, entryPoints }: SourceSpec): AsyncGenerator<InputFile> {
  const withoutKeys = withoutKeysOf(entryPoints.map(({ url }) => url))
  for await (const { file, name, url, charset, fetchedAt, format, records, expectsOffer } of spool.read()) {
    yield {
      path: file,
      name,
      options: {
        observedAt: fetchedAt,
        ...(format !== null && { format }),
        ...(records !== null && { mapping: { ...mapping, records } }),
      },
      // Of a page its address is recorded.
      page: { url: withoutKeys(url), charset: charset ?? undefined, expectsOffer },
    }
  }
}

/** The health of each source that was surveyed, beside its own last whole crawl. */
async function judge(
  { read, parsed, bySource }: Surveyed,
  {
    spec,
    past,
    partial,
    isWhole,
    deps,
  }: { spec: SourceSpec; past: PastCrawls; partial: boolean; isWhole: boolean; deps: SourceCrawlDeps },
): Promise<Judgement> {
  const limits: HealthLimits = { ...HEALTH_LIMITS[spec.kind], ...spec.health }
  const crawl = { read, parsed, partial, isWhole }
  const healths = new Map<string, CrawlHealth>()
  const problems: CrawlProblem[] = []
  const before = { read: 0, parsed: 0 }
  // A mapping may find other sources than the one that was asked for.
  const surveys = new Map([[spec.id, new Survey()], ...bySource])
  for (const [sourceId, survey] of surveys) {
    const { whole } = sourceId === spec.id ? past : await deps.pastCrawls(sourceId)
    if (whole !== null) {
      before.read += whole.read
      before.parsed += whole.appended + whole.duplicates
    }
    const former = whole && {
      layout: whole.health?.layout ?? null,
      prices: deps.pricesOf({ sourceId, crawlId: whole.crawl_id }),
    }
    const health = await survey.health(former, { refOf: (ref) => refHash(sourceId, ref), partial })
    healths.set(sourceId, health)
    problems.push(...problemsOf(health, { crawl, former, limits }))
  }
  const ofRate = rateProblem(crawl, before.read === 0 ? null : before.parsed / before.read, limits)
  if (ofRate !== null) problems.unshift(ofRate)
  return { health: healths, problems: problems.slice(0, PROBLEMS_MAX) }
}

type Reported = Omit<CrawlFinished, 'type' | 'v' | 'event_id' | 'recorded_at'>

async function report(said: Reported, { log, now }: CrawlDeps): Promise<void> {
  const content = { type: 'CrawlFinished' as const, v: 1 as const, ...said }
  const event: CrawlFinished = { ...content, event_id: eventId(content), recorded_at: instant(now()) }
  await log.append(TOPICS.observations, [{ key: observationKey(said.source_id, ''), value: JSON.stringify(event) }])
}

/** A crawl that brought nothing to be recorded: its source has not changed, or did not answer. */
async function reportAlone(
  spec: SourceSpec,
  {
    spool,
    gathered,
    deps,
    isPart,
  }: { spool: Spool; gathered: Exclude<Gathered, { status: 'fetched' }>; deps: SourceCrawlDeps; isPart: boolean },
): Promise<CrawlReport> {
  const isUnchanged = gathered.status === 'unchanged'
  const problems = isUnchanged ? [] : gathered.problems
  const counts = { read: 0, appended: 0, duplicates: 0 }
  await report(
    {
      source_id: spec.id,
      crawl_id: spool.crawl.crawlId,
      complete: isUnchanged,
      ...(isUnchanged && gathered.etag !== null && { etag: gathered.etag }),
      ...(isUnchanged && gathered.lastModified !== null && { last_modified: gathered.lastModified }),
      ...counts,
      parked: 0,
      outcome: gathered.status,
      problems: [...problems],
      ...(!isPart && { started_at: instant(spool.crawl.startedAt) }),
    },
    deps,
  )
  return {
    crawlId: spool.crawl.crawlId,
    input: spec.name,
    sources: [{ sourceId: spec.id, name: spec.name }],
    ...counts,
    parked: {},
    recipes: { read: 0, appended: 0, refused: {} },
    detected: [],
    complete: isUnchanged,
    outcome: gathered.status,
    problems,
  }
}

/** Of two reports of a crawl the later one holds, also where the clock of another machine was ahead of ours. */
function after<Deps extends CrawlDeps>({ recorded_at }: PastCrawl, deps: Deps): Deps {
  return { ...deps, now: () => new Date(Math.max(deps.now().getTime(), Date.parse(recorded_at) + 1)) }
}

async function reportDropped(held: PastCrawl, problem: CrawlProblem, deps: CrawlDeps): Promise<void> {
  const { source_id, crawl_id, read, appended, duplicates, parked, started_at } = held
  const said = { source_id, crawl_id, complete: false, read, appended, duplicates, parked, outcome: 'dropped' as const }
  await report({ ...said, ...(started_at !== null && { started_at }), problems: [problem] }, after(held, deps))
}
