import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import type { SourceRef } from '@catalog/core/events/sources.ts'
import { instant } from '@catalog/core/time.ts'
import { ConflictIndex } from '@catalog/crawler/conflicts/conflict-index.ts'
import { noList } from '@catalog/crawler/quality/nothing-read.ts'
import { type ReuseCheck, ReusedReferences } from '@catalog/crawler/quality/reused-references.ts'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import type { OutcomeBatch } from '@catalog/formats/read.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { BatchSpool } from '@catalog/runtime/batch-spool.ts'
import { span } from '@catalog/runtime/tracing.ts'
import { appendRecipes, appendRecords } from './append.ts'
import { EventBatch, type Recording, storable, storableProblems } from './crawl-events.ts'
import { type CrawlInput, type Input, type ListBatch, latestObservation, openInput, type ReadFile } from './inputs.ts'
import { NewSources, newSourcesProblem } from './new-sources.ts'
import { type CrawlProgress, ParsedInput } from './parsed-input.ts'
import type { RecipeBatch } from './price-books.ts'
import { type CrawlReport, reportCrawl } from './report.ts'
import { type FetchedCrawl, outcomeOf, type SurveyedBatch, spooledBatches, surveyInput } from './survey.ts'
import { registerSources, Tallies } from './tallies.ts'

export type CrawlDeps = Readonly<{
  log: Pick<EventLog, 'append'>
  now: () => Date
  newCrawlId: () => string
  /** Folder for temporary files; created when it is missing. */
  spoolDir: string
  /** Returns those of the given source ids that are registered. */
  registeredSources: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** Opens the comparison of records with what their references stood for; without it no crawl tells of re-used ones. */
  openReuseCheck?: (() => Promise<ReuseCheck>) | undefined
  onProgress?: ((progress: CrawlProgress) => void) | undefined
  /** Reads a file; in this process by default. */
  readFile?: ReadFile | undefined
  /** Inputs that are read at once, of so many bytes in all; one by default. */
  readAtOnce?: ((bytes: number) => number) | undefined
  /** Ends the crawl between two batches, with its reason. Crawling again appends what is missing. */
  signal?: AbortSignal | undefined
  /** Bytes of memory for hashes, and characters for batches, before they go to disk. */
  spillBytesMax?: number | undefined
}>

/**
 * Crawls each input under one crawl id and one time of recording. It parses each file once, and the next inputs while one is appended:
 * `readAtOnce` changes no event and no order. The survey counts, finds conflicts
 * and duplicates, and spools the records. Then the crawl appends from the spool in the order of the input: SourceRegistered of
 * new sources, then ObservationRecorded and RecordParked, then RecipeRecorded of price books, then CrawlFinished for each source.
 *
 * Laws, for every input and every source: read = appended + duplicates + parked. The crawl parks every record whose reference
 * has another name or unit elsewhere in the input (SKU_CONFLICT), or whose offer has another price there (AMBIGUOUS_OFFER).
 * A record that repeats an earlier one in everything is a
 * duplicate. Crawling the same bytes again appends events with the same ids.
 *
 * Throws before it appends anything when an input does not exist or the disk is full, and passes on what the log throws. Then no
 * event says that the crawl finished, and crawling again is safe. The spool is gone with the crawl, however it ends.
 */
export async function crawl(inputs: readonly CrawlInput[], deps: CrawlDeps): Promise<CrawlReport[]> {
  const opened: Input[] = []
  for (const input of inputs) opened.push(await openInput(input))
  for (const { path: input, bytes: total } of opened) deps.onProgress?.({ input, work: 'read', done: 0, total })
  const atOnce = deps.readAtOnce?.(opened.reduce((sum, { bytes }) => sum + bytes, 0)) ?? 1
  const crawls: Promise<CrawlReport>[] = []
  for (const [number, input] of opened.entries()) {
    const turn = crawls.at(-1)
    const stopping = new AbortController()
    turn?.catch((error: unknown) => stopping.abort(error))
    const [ended] = await Promise.allSettled([crawls[number - atOnce]])
    if (ended.status === 'rejected') break
    const signal = AbortSignal.any([stopping.signal, ...(deps.signal ? [deps.signal] : [])])
    crawls.push(crawlInput(input, { ...deps, signal }, { crawlId: deps.newCrawlId(), fetched: null, turn }))
  }
  await Promise.allSettled(crawls)
  return Promise.all(crawls)
}

/**
 * Crawls fetched documents under the id of their crawl, as {@link crawl} does. When the judgement holds it, the crawl appends
 * CrawlFinished alone, with the counts that accepting it would record.
 */
export async function crawlFetched(fetched: FetchedCrawl, deps: CrawlDeps): Promise<CrawlReport> {
  return crawlInput(fetched.input, deps, { crawlId: fetched.crawlId, fetched })
}

/** `turn`: the crawl after which this one may append. */
type Crawling = Readonly<{ crawlId: string; fetched: FetchedCrawl | null; turn?: Promise<unknown> | undefined }>

const crawlInput = (input: Input, deps: CrawlDeps, crawling: Crawling): Promise<CrawlReport> =>
  span('crawl', { attributes: { crawl: crawling.crawlId } }, () => recordInput(input, deps, crawling))

async function recordInput(input: Input, deps: CrawlDeps, { crawlId, fetched, turn }: Crawling): Promise<CrawlReport> {
  const now = deps.now()
  const recording = { crawlId, recordedAt: instant(now) }
  await using files = new AsyncDisposableStack()
  const { spoolDir: folder, spillBytesMax: heldCharsMax, readFile, signal, onProgress } = deps
  const recipeSpool = files.use(new BatchSpool<RecipeBatch>({ folder, heldCharsMax }))
  const notAfter = latestObservation(now)
  const parsed = new ParsedInput(input, { notAfter, readFile, signal, onProgress, recipes: recipeSpool })
  const { tallies, surveyed, candidates, spool } = await settledSurvey(parsed, { deps, files, fetched, recording })
  await turn
  if (fetched === null) await refuseNewSources(input, surveyed.sources, deps)
  const judged = fetched && { crawl: fetched, judgement: await fetched.judge(surveyed) }
  const isHeld = judged !== null && judged.judgement.problems.length > 0
  if (!isHeld) await registerSources(tallies, deps, recording.recordedAt)

  const reused = new ReusedReferences(deps.openReuseCheck)
  const batch = new EventBatch({
    async append(...events) {
      await reused.compare()
      // A held crawl runs through every step and appends nothing.
      if (!isHeld) await deps.log.append(...events)
    },
  })
  let done = 0
  const onRecords = (count: number) => {
    signal?.throwIfAborted()
    done += count
    onProgress?.({ input: input.path, work: 'append', done, total: surveyed.read })
  }
  const onAdded = (record: () => ObservationContent) => reused.add(record)
  const appending = { batch, tallies, recording, onRecords, onAdded }
  const appended = await appendRecords(spooledBatches(spool), candidates, appending)
  const recipes = await appendRecipes(recipeSpool.read(), appending)
  await batch.flush()
  await reused.compare()

  // A source has lists without news, such as the page after its last; a person hands in a file for its prices.
  const empty = fetched !== null ? [] : appended.files === 0 ? [noList(input.path)] : appended.emptyLists
  const filesCutMax = fetched === null ? 0 : FILES_CUT_SHARE_MAX * appended.files
  return await reportCrawl(deps.log, {
    input: input.path,
    recording,
    tallies,
    appended,
    recipes,
    complete: appended.filesCut <= filesCutMax && (fetched?.isWhole ?? true) && empty.length === 0,
    outcome: isHeld ? 'held' : 'recorded',
    problems: storableProblems([
      ...(judged?.judgement.problems ?? []),
      ...parsed.refusals.flatMap(refusalProblems),
      ...empty,
      ...reused.problems(),
      ...(fetched?.details.problems ?? []),
    ]),
    fetched: judged,
  })
}

/** A person hands in a local file, so the command line allows its new sources instead of a held crawl. */
async function refuseNewSources(input: Input, sources: readonly SourceRef[], deps: CrawlDeps): Promise<void> {
  const { mapping, newSources = false, sourceId: id = '', region = null } = input.options
  if (newSources) return
  const own = { id, region }
  const problem = await newSourcesProblem(sources, { mapping, own, registeredSources: deps.registeredSources })
  if (problem === null) return
  throw new NewSources(
    `${input.path}: ${problem.detail}. Expected their names in sources.allow of the mapping and no column of regions, or --new-sources, which registers them`,
  )
}

/** Surveys an input as it is parsed, and once more from the spool where a file that had given records was refused. */
async function settledSurvey(
  parsed: ParsedInput,
  {
    deps,
    files,
    fetched,
    recording,
  }: Readonly<{ deps: CrawlDeps; files: AsyncDisposableStack; fetched: FetchedCrawl | null; recording: Recording }>,
) {
  const survey = async (batches: AsyncIterable<ListBatch>) => {
    const { spoolDir: folder, spillBytesMax: max } = deps
    const index = files.use(new ConflictIndex({ folder, memoryBytesMax: max }))
    const spool = files.use(new BatchSpool<SurveyedBatch>({ folder, heldCharsMax: max }))
    const tallies = new Tallies()
    // Report the requested source even when it returned no records.
    if (fetched !== null) tallies.of(fetched.source)
    const found = await surveyInput(batches, { tallies, index, spool, isProfiled: fetched !== null, recording })
    return { ...found, tallies, spool }
  }
  const first = await survey(parsed.batches())
  return parsed.hasRevoked ? await survey(parsed.withoutRevoked(parsedAgain(first.spool))) : first
}

async function* parsedAgain(spool: BatchSpool<SurveyedBatch>): AsyncGenerator<ListBatch, void, undefined> {
  for await (const batch of spooledBatches(spool)) yield { ...batch, outcomes: batch.outcomes.map(outcomeOf) }
}

/** The sentence of a file that was refused as a whole, in the report of its crawl. */
function refusalProblems({ outcomes }: OutcomeBatch): CrawlProblem[] {
  return outcomes.flatMap((outcome) => {
    if ('content' in outcome.result) return []
    const { position, reason, detail } = storable({ ...outcome, ...outcome.result })
    return [{ code: reason, detail: `${position}: ${detail}` }]
  })
}

/** Share of a crawl's documents that may end early: among thousands of pages some are always broken. */
const FILES_CUT_SHARE_MAX = 0.01
