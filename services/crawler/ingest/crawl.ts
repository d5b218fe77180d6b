import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import {
  type CrawlFinished,
  type CrawlHealth,
  type CrawlProblem,
  eventId,
  type ObservationRecorded,
  observationKey,
  observationPayload,
  PROBLEMS_MAX,
  RAW_BYTES_MAX,
  type RecipeRecorded,
  type RecordParked,
  type SourceRef,
  type SourceRegistered,
  TOPICS,
  TRUST_DEFAULT,
  VALIDITY_DAYS,
} from '@catalog/core/events/events.ts'
import { instant } from '@catalog/core/time.ts'
import { gunzipped, withoutGz } from '@catalog/formats/bytes/gzip.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { archiveSources } from '@catalog/formats/bytes/zip.ts'
import {
  type Defaults,
  type ObservationContent,
  type Refusal,
  type Registration,
  withoutEmails,
} from '@catalog/formats/mapping/candidate.ts'
import type { Mapping } from '@catalog/formats/mapping/mapping.ts'
import {
  type Detected,
  type Format,
  formatOfName,
  type Outcome,
  type ReadOptions,
  readOutcomes,
} from '@catalog/formats/read.ts'
import { BATCH_RECORDS_MAX, type EventLog } from '@catalog/log/log.ts'
import { Spill } from './conflict-index.ts'
import { Survey } from './health.ts'
import { type RecipeContent, readRecipes } from './recipes.ts'

/** A file, or a folder whose supported files are read in the order of their paths, and what the operator says of it. */
export type CrawlInput = Readonly<{ path: string; options?: InputOptions }>
export type InputOptions = Readonly<
  { format?: Format | undefined; mapping?: Mapping | undefined } & Partial<Omit<Defaults, 'notAfter'>>
>

/** What was fetched of one source, and is recorded only if it is judged to be worth it. */
export type FetchedCrawl = Readonly<{
  /** How reports call it. */
  input: string
  crawlId: string
  /** The one that was asked for; a mapping may find others in what came. */
  source: SourceRef
  files: () => AsyncIterable<InputFile> | Iterable<InputFile>
  /** Of all files together. */
  bytes: number
  options: InputOptions
  judge: (surveyed: Surveyed) => Promise<Judgement>
  /** What CrawlFinished says beside the counts. */
  said: Pick<CrawlFinished, 'etag' | 'last_modified' | 'started_at' | 'partial' | 'missed' | 'problems'>
  /** Documents that were asked for came, as far as a crawl needs them. */
  isWhole: boolean
}>
/** What pass 1 saw: of all records together, and of each source that has observations. */
export type Surveyed = Readonly<{ read: number; parsed: number; bySource: ReadonlyMap<string, Survey> }>
/** With a problem the crawl is held back: nothing of it is recorded but that it was. */
export type Judgement = Readonly<{
  health: ReadonlyMap<string, CrawlHealth>
  problems: readonly CrawlProblem[]
}>

/** A file, and what is known of it alone. */
export type InputFile = Readonly<{
  path: string
  /** How positions call it. */
  name: string
  options?: InputOptions | undefined
  page?: ReadOptions['page']
}>

export type CrawlDeps = Readonly<{
  log: Pick<EventLog, 'append'>
  now: () => Date
  newCrawlId: () => string
  /** Folder for temporary files; made when it is missing. */
  spoolDir: string
  /** Which of these source ids have been registered. */
  registeredSources: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  onProgress?: ((progress: CrawlProgress) => void) | undefined
  /** Ends the crawl between two batches, with its reason; crawling again appends what is missing. */
  signal?: AbortSignal | undefined
  /** Memory for pass 1 before it goes to disk. */
  spillBytesMax?: number | undefined
}>

/** How far a crawl is: each input is read twice. */
export type CrawlProgress = Readonly<{ input: string; pass: 1 | 2; records: number; bytes: number; bytesTotal: number }>

/** What `catalog crawl --json` prints of one input. */
export type CrawlReport = Readonly<{
  crawlId: string
  input: string
  sources: readonly Readonly<{ sourceId: string; name: string }>[]
  /** Candidate observations: read = appended + duplicates + the sum of parked. */
  read: number
  appended: number
  duplicates: number
  /** Parked records by reason. */
  parked: Readonly<Record<string, number>>
  /**
   * Recipes of BC3 files, which are no candidate observations and stand outside that law: read = appended + the sum of
   * refused, by reason.
   */
  recipes: Readonly<{ read: number; appended: number; refused: Readonly<Record<string, number>> }>
  /** What was found out about each file, the first {@link DETECTED_MAX} of them. */
  detected: readonly Detected[]
  /** Every file was read to its end, and both passes saw the same. */
  complete: boolean
  outcome: NonNullable<CrawlFinished['outcome']>
  /** Why it was held back, or is not whole. */
  problems: readonly CrawlProblem[]
}>

/**
 * Crawls each input once: one crawl id, one time of recording. Pass 1 counts and finds what contradicts or repeats
 * itself; pass 2 appends, in the order of the input: SourceRegistered of sources that were never met, then
 * ObservationRecorded and RecordParked, then RecipeRecorded of its BC3 files, then CrawlFinished for each source.
 *
 * Laws: read = appended + duplicates + parked, for every input and every source. A record whose reference stands in the
 * same input with another name or unit is parked (SKU_CONFLICT), each of them; one that repeats an earlier one in
 * everything is a duplicate. Crawling the same bytes again appends events with the same ids.
 *
 * Throws before anything is appended when an input does not exist, and passes on what the log throws; then nothing says
 * that the crawl finished, and crawling again is safe.
 */
export async function crawl(inputs: readonly CrawlInput[], deps: CrawlDeps): Promise<CrawlReport[]> {
  const listed: Listed[] = []
  for (const input of inputs) listed.push(await list(input))
  const reports: CrawlReport[] = []
  for (const input of listed) reports.push(await crawlOne(input, deps, { crawlId: deps.newCrawlId() }))
  return reports
}

/**
 * As {@link crawl} of what was fetched, under the id of its crawl. When the judgement holds it back, CrawlFinished alone is
 * appended, with the counts of what accepting it would record.
 */
export async function crawlFetched(fetched: FetchedCrawl, deps: CrawlDeps): Promise<CrawlReport> {
  const { input: path, files, bytes, options } = fetched
  return crawlOne({ path, files, bytes, options }, deps, { crawlId: fetched.crawlId, fetched })
}

/** The first records of an input as they would be recorded, and what was detected; appends nothing. */
export type CrawlPreview = Readonly<{
  input: string
  detected: readonly Detected[]
  observations: readonly ObservationContent[]
  parked: readonly Readonly<{ position: string; reason: string; detail: string; raw: string }>[]
}>

/** Records that a preview looks at, at most, to find observations to show. */
const PREVIEW_RECORDS_MAX = 10_000

/**
 * The first `count` observations of an input and the first `count` records that would be parked, among its first
 * {@link PREVIEW_RECORDS_MAX}. Conflicts and duplicates show only when the whole input is crawled.
 */
export async function preview(input: CrawlInput, deps: Pick<CrawlDeps, 'now'>, count: number): Promise<CrawlPreview> {
  return previewOf(await list(input), deps, count)
}

/** As {@link preview}, of what was fetched. */
export async function previewFetched(
  { input: path, ...fetched }: Pick<FetchedCrawl, 'input' | 'files' | 'bytes' | 'options'>,
  deps: Pick<CrawlDeps, 'now'>,
  count: number,
): Promise<CrawlPreview> {
  return previewOf({ path, ...fetched }, deps, count)
}

async function previewOf(listed: Listed, deps: Pick<CrawlDeps, 'now'>, count: number): Promise<CrawlPreview> {
  const detected = new Set<Detected>()
  const observations: ObservationContent[] = []
  const parked: { position: string; reason: string; detail: string; raw: string }[] = []
  let records = 0
  for await (const batch of outcomesOf(listed, { notAfter: notAfter(deps.now()), onBytes: () => {} })) {
    if (detected.size < DETECTED_MAX) detected.add(batch.detected)
    for (const { position, raw, result } of batch.outcomes) {
      if ('content' in result) {
        if (observations.length < count) observations.push(result.content)
      } else if (parked.length < count) parked.push(keepable({ position, raw, ...result }))
    }
    records += batch.outcomes.length
    if (observations.length >= count || records >= PREVIEW_RECORDS_MAX) break
  }
  return { input: listed.path, detected: [...detected], observations, parked }
}

/** Sources of one input; a column that names more of them names something else. */
const SOURCES_MAX = 10_000
/** Files whose detection is reported. */
const DETECTED_MAX = 1_000
/** Files of one folder. */
const FILES_MAX = 100_000
/** An append is sent at this size even when it has fewer than {@link BATCH_RECORDS_MAX} records. */
const BATCH_CHARS_MAX = 1024 ** 2
/** Clocks of vendors may be ahead by this. */
const FUTURE_TOLERANCE_MS = 10 * 60 * 1000
/** Records of an input that are kept from pass 1: a shop's list of a week, some megabytes with their raw text. */
const HELD_RECORDS_MAX = 2_000
const HELD_BATCHES_MAX = 2 * HELD_RECORDS_MAX
/** Bytes of one read from disk. */
const READ_BYTES = 64 * 1024

function notAfter(now: Date): Date {
  return new Date(now.getTime() + FUTURE_TOLERANCE_MS)
}

type FileOutcomes = Readonly<{ detected: Detected; outcomes: readonly Outcome[] }>

type Tally = {
  ref: SourceRef
  registration: Registration | null
  read: number
  appended: number
  duplicates: number
  parked: number
}

async function crawlOne(
  input: Listed,
  deps: CrawlDeps,
  { crawlId, fetched }: Readonly<{ crawlId: string; fetched?: FetchedCrawl }>,
): Promise<CrawlReport> {
  const now = deps.now()
  const recordedAt = instant(now)
  await mkdir(deps.spoolDir, { recursive: true })
  await using spill = new Spill({
    folder: await mkdtemp(join(deps.spoolDir, 'crawl-')),
    ...(deps.spillBytesMax !== undefined && { memoryBytesMax: deps.spillBytesMax }),
  })
  const sources = new Map<string, Tally>()
  const detected: Detected[] = []

  // What pass 1 read of a small input is kept, so that pass 2 need not read it again.
  let held: FileOutcomes[] | null = []

  async function* pass(number: 1 | 2) {
    let records = 0
    let bytes = 0
    const onBytes = (count: number) => {
      bytes = Math.min(bytes + count, input.bytes)
    }
    const read = () => outcomesOf(input, { notAfter: notAfter(now), onBytes })
    for await (const batch of number === 2 && held !== null ? held : read()) {
      deps.signal?.throwIfAborted()
      yield batch
      records += batch.outcomes.length
      if (number === 1) held?.push(batch)
      // Pages without a record are batches as well.
      if (records > HELD_RECORDS_MAX || (held?.length ?? 0) > HELD_BATCHES_MAX) held = null
      deps.onProgress?.({ input: input.path, pass: number, records, bytes, bytesTotal: input.bytes })
    }
  }

  // What was asked of a source is told of it, also when nothing was found.
  if (fetched !== undefined) meet(sources, fetched.source)
  const surveys = new Map<string, Survey>()
  let recordsRead = 0
  for await (const { detected: file, outcomes } of pass(1)) {
    recordsRead += outcomes.length
    for (const { result } of outcomes) {
      const tally = meet(sources, 'content' in result ? result.content.source : result.source)
      if (!('content' in result) || tally === null) continue
      tally.registration ??= result.registration
      const content = contentOf(result.content, tally)
      const hashes = hashesOf(content)
      spill.add(hashes)
      if (fetched !== undefined) surveyOf(surveys, tally.ref.id).add(content, hashes)
    }
    await spill.settle()
    if (sources.size === 0 && outcomes.length === 0) meet(sources, file.source)
  }
  const { isConflict, isDuplicate } = await spill.finish()
  const judgement = await fetched?.judge({
    read: recordsRead,
    parsed: spill.count - conflictsAmong(spill.count, isConflict),
    bySource: surveys,
  })
  const isHeld = judgement !== undefined && judgement.problems.length > 0
  const log = isHeld ? NO_LOG : deps.log
  if (!isHeld) await register(sources, { deps, recordedAt })

  const batch = new Batch(log)
  const parkedByReason: Record<string, number> = {}
  let candidates = 0
  let files = 0
  let filesCut = 0
  let current: Detected | null = null
  /** The BC3 files by their names, whose recipes are read after their prices. */
  const priceBooks = new Map<string, Detected>()
  const park = async (tally: Tally, outcome: Outcome, refusal: Pick<Refusal, 'reason' | 'detail'>) => {
    tally.parked++
    parkedByReason[refusal.reason] = (parkedByReason[refusal.reason] ?? 0) + 1
    const event = parkedEvent({ sourceId: tally.ref.id, crawlId, recordedAt }, { ...outcome, ...refusal })
    await batch.add(sourceKey(tally.ref.id), event)
  }
  for await (const { detected: file, outcomes } of pass(2)) {
    if (file !== current) {
      if (current?.complete === false) filesCut++
      files++
      current = file
      if (file.format === 'bc3') priceBooks.set(file.file, file)
      if (detected.length < DETECTED_MAX) detected.push(file)
    }
    for (const outcome of outcomes) {
      const { result } = outcome
      const met = meet(sources, 'content' in result ? result.content.source : result.source)
      const tally = met ?? (sources.values().next().value as Tally)
      tally.read++
      if (met === null) await park(tally, outcome, TOO_MANY_SOURCES)
      else if (!('content' in result)) await park(tally, outcome, result)
      else {
        const candidate = candidates++
        if (isConflict(candidate)) await park(tally, outcome, SKU_CONFLICT)
        else if (isDuplicate(candidate)) tally.duplicates++
        else {
          tally.appended++
          const content = contentOf(result.content, tally)
          const key = observationKey(tally.ref.id, content.vendor_ref)
          await batch.add(key, observationEvent(content, { crawlId, recordedAt }))
        }
      }
    }
  }
  const recipes: { read: number; appended: number; refused: Record<string, number> } = {
    read: 0,
    appended: 0,
    refused: {},
  }
  for await (const { source, file } of priceBookSources(input, priceBooks)) {
    const { header, encoding } = { header: file.bc3, encoding: file.encoding }
    const tally = meet(sources, file.source)
    if (header === null || encoding === null || tally === null) continue
    const { mapping, currency, observedAt } = input.options
    const outcomes = readRecipes(source, {
      header,
      encoding: encoding.used,
      source: tally.ref,
      notAfter: notAfter(now),
      currency: mapping?.constants?.currency ?? currency,
      observedAt: mapping?.constants?.observed_at ?? observedAt,
    })
    for await (const found of outcomes) {
      for (const outcome of found) {
        recipes.read++
        if ('content' in outcome) {
          recipes.appended++
          const key = observationKey(tally.ref.id, outcome.content.vendor_ref)
          await batch.add(key, recipeEvent(outcome, { crawlId, recordedAt }))
        } else recipes.refused[outcome.reason] = (recipes.refused[outcome.reason] ?? 0) + 1
      }
    }
  }
  await batch.send()
  if (current?.complete === false) filesCut++
  // Of thousands of pages some are always broken; a single file that is, is the whole input.
  const isRead = filesCut <= (fetched === undefined ? 0 : FILES_CUT_SHARE_MAX * files)
  // An input that was written to between the passes is not what pass 1 judged.
  const complete = isRead && candidates === spill.count && (fetched?.isWhole ?? true)
  const outcome = isHeld ? 'held' : 'recorded'
  const problems = [...(judgement?.problems ?? []), ...(fetched?.said.problems ?? [])].slice(0, PROBLEMS_MAX)

  const reports = new Batch(deps.log)
  const total = (key: 'read' | 'appended' | 'duplicates' | 'parked') =>
    [...sources.values()].reduce((sum, tally) => sum + tally[key], 0)
  const totals = {
    read: total('read'),
    appended: total('appended'),
    duplicates: total('duplicates'),
    parked: total('parked'),
  }
  // What waits is one thing to decide on, whatever sources it holds.
  const told = isHeld && fetched ? [{ ...totals, ref: fetched.source }] : [...sources.values()]
  for (const { ref, read, appended, duplicates, parked } of told) {
    const health = judgement?.health.get(ref.id)
    const finished = {
      type: 'CrawlFinished' as const,
      v: 1 as const,
      source_id: ref.id,
      crawl_id: crawlId,
      complete,
      read,
      appended,
      duplicates,
      parked,
      ...(fetched !== undefined && { ...fetched.said, outcome, ...(health && { health }), problems }),
    } satisfies Omit<CrawlFinished, 'event_id' | 'recorded_at'>
    await reports.add(sourceKey(ref.id), { ...finished, event_id: eventId(finished), recorded_at: recordedAt })
  }
  await reports.send()
  return {
    crawlId,
    input: input.path,
    sources: [...sources.values()].map(({ ref }) => ({ sourceId: ref.id, name: ref.name })),
    read: totals.read,
    appended: totals.appended,
    duplicates: totals.duplicates,
    parked: parkedByReason,
    recipes,
    detected,
    complete,
    outcome,
    problems,
  }
}

/** What is held back goes through everything but the log. */
const NO_LOG: Pick<EventLog, 'append'> = { append: async () => {} }
/** Share of the files of a spool that may end early. */
const FILES_CUT_SHARE_MAX = 0.01

function conflictsAmong(candidates: number, isConflict: (candidate: number) => boolean): number {
  let conflicts = 0
  for (let candidate = 0; candidate < candidates; candidate++) if (isConflict(candidate)) conflicts++
  return conflicts
}

function surveyOf(surveys: Map<string, Survey>, sourceId: string): Survey {
  const known = surveys.get(sourceId)
  if (known !== undefined) return known
  const survey = new Survey()
  surveys.set(sourceId, survey)
  return survey
}

const SKU_CONFLICT = {
  reason: 'SKU_CONFLICT',
  detail:
    'the same input gives this vendor_ref another name or unit: none of its records can be told to be the right one',
}
const TOO_MANY_SOURCES = {
  reason: 'TOO_MANY_SOURCES',
  detail: `the input names more than ${SOURCES_MAX} sources: is the right column mapped?`,
}

/** The tally of a source; null for one too many. What an input first says of a source's name and address holds for all. */
function meet(sources: Map<string, Tally>, ref: SourceRef): Tally | null {
  const known = sources.get(ref.id)
  if (known !== undefined) return known
  if (sources.size >= SOURCES_MAX) return null
  const tally: Tally = { ref, registration: null, read: 0, appended: 0, duplicates: 0, parked: 0 }
  sources.set(ref.id, tally)
  return tally
}

function contentOf(content: ObservationContent, tally: Tally): ObservationContent {
  return content.source === tally.ref ? content : { ...content, source: tally.ref }
}

/** SHA-256 in hex of a vendor's reference. */
export function refHash(sourceId: string, vendorRef: string): string {
  return sha256Hex(JSON.stringify([sourceId, vendorRef]))
}

function hashesOf(content: ObservationContent) {
  return {
    ref: refHash(content.source.id, content.vendor_ref),
    goods: sha256Hex(JSON.stringify([content.name, content.unit])),
    id: sha256Hex(observationPayload(content)),
  }
}

/** Registers the sources that have something to record and were never met before. */
async function register(
  sources: ReadonlyMap<string, Tally>,
  { deps, recordedAt }: Readonly<{ deps: CrawlDeps; recordedAt: string }>,
): Promise<void> {
  const withObservations = [...sources.values()].filter(({ registration }) => registration !== null)
  const registered = await deps.registeredSources(withObservations.map(({ ref }) => ref.id))
  const batch = new Batch(deps.log, TOPICS.decisions)
  for (const { ref, registration } of withObservations) {
    if (registration === null || registered.has(ref.id)) continue
    const content = {
      type: 'SourceRegistered',
      v: 1,
      decided_at: recordedAt,
      source: ref,
      trust_score: registration.trust ?? TRUST_DEFAULT,
      validity_days: registration.validityDays ?? VALIDITY_DAYS[registration.kind],
      kind: registration.kind,
      enabled: true,
    } satisfies Omit<SourceRegistered, 'event_id' | 'recorded_at'>
    await batch.add(ref.id, { ...content, event_id: eventId(content), recorded_at: recordedAt })
  }
  await batch.send()
}

type Recording = Readonly<{ crawlId: string; recordedAt: string }>

function observationEvent(content: ObservationContent, { crawlId, recordedAt }: Recording): ObservationRecorded {
  return {
    type: 'ObservationRecorded',
    v: 1,
    event_id: sha256Hex(observationPayload(content)),
    recorded_at: recordedAt,
    ...content,
    crawl_id: crawlId,
  }
}

/**
 * The id says nothing of the crawl and of the place in the file: a recipe that has not changed is the same recipe, however
 * often it is crawled and wherever the next edition of the file has it.
 */
function recipeEvent(
  { content, position }: Readonly<{ content: RecipeContent; position: string }>,
  { crawlId, recordedAt }: Recording,
): RecipeRecorded {
  const said = { type: 'RecipeRecorded' as const, v: 1 as const, ...content }
  const place = cut(position.replace(UNPRINTABLE, ' '), POSITION_CHARS_MAX)
  return { ...said, event_id: eventId(said), recorded_at: recordedAt, crawl_id: crawlId, position: place }
}

function parkedEvent(
  { sourceId, crawlId, recordedAt }: Recording & Readonly<{ sourceId: string }>,
  record: Readonly<{ position: string; reason: string; detail: string; raw: string }>,
): RecordParked {
  const content = { type: 'RecordParked' as const, v: 1 as const, source_id: sourceId, ...keepable(record) }
  // Without the crawl: the same broken record of the same input is the same parked record, however often it is crawled.
  return { ...content, event_id: eventId(content), recorded_at: recordedAt, crawl_id: crawlId }
}

/** Texts of a refused record as an event and a database can hold them: cut, well-formed, no NUL, no e-mail address. */
function keepable(record: Readonly<{ position: string; reason: string; detail: string; raw: string }>) {
  return {
    position: cut(record.position.replace(UNPRINTABLE, ' '), POSITION_CHARS_MAX),
    reason: record.reason,
    detail: cut(withoutEmails(clean(record.detail)), DETAIL_CHARS_MAX),
    raw: cutBytes(withoutEmails(clean(record.raw.slice(0, RAW_BYTES_MAX)))),
  }
}

const POSITION_CHARS_MAX = 600
const DETAIL_CHARS_MAX = 2_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNPRINTABLE = /[\u0000-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Postgres text cannot hold NUL, and JSON no half of a surrogate pair: both become U+FFFD. */
function clean(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).toWellFormed()
}

function cutBytes(text: string): string {
  if (Buffer.byteLength(text) <= RAW_BYTES_MAX) return text
  // A character that the cut goes through becomes U+FFFD of three bytes, so room is left for it.
  return Buffer.from(text)
    .subarray(0, RAW_BYTES_MAX - 3)
    .toString('utf8')
}

/** Parked records and finished crawls have no reference; they stand in one partition for each source. */
function sourceKey(sourceId: string): string {
  return observationKey(sourceId, '')
}

/** Collects events and appends them in order, each append awaited before the next. */
class Batch {
  readonly #log: Pick<EventLog, 'append'>
  readonly #topic: typeof TOPICS.observations | typeof TOPICS.decisions
  #events: { key: string; value: string }[] = []
  #chars = 0

  constructor(
    log: Pick<EventLog, 'append'>,
    topic: typeof TOPICS.observations | typeof TOPICS.decisions = TOPICS.observations,
  ) {
    this.#log = log
    this.#topic = topic
  }

  async add(key: string, event: object): Promise<void> {
    const value = JSON.stringify(event)
    this.#events.push({ key, value })
    this.#chars += value.length
    if (this.#events.length >= BATCH_RECORDS_MAX || this.#chars >= BATCH_CHARS_MAX) await this.send()
  }

  async send(): Promise<void> {
    if (this.#events.length === 0) return
    const events = this.#events
    this.#events = []
    this.#chars = 0
    await this.#log.append(this.#topic, events)
  }
}

type Listed = Readonly<{
  path: string
  bytes: number
  files: () => AsyncIterable<InputFile> | Iterable<InputFile>
  options: InputOptions
}>

/** The files of an input. Throws InputNotFound; a folder's files of other formats are left out. */
async function list({ path, options = {} }: CrawlInput): Promise<Listed> {
  const found = await statOf(path)
  if (!found.isDirectory()) return { path, bytes: found.size, files: () => [{ path, name: basename(path) }], options }
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files: { path: string; name: string }[] = []
  let bytes = 0
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name)
    const name = relative(path, file)
    if (!entry.isFile() || formatOfName(name) === null || /(^|[/\\])\./.test(name)) continue
    files.push({ path: file, name })
    bytes += (await statOf(file)).size
    if (files.length > FILES_MAX) throw new Error(`${path} holds more than ${FILES_MAX} files`)
  }
  files.sort((a, b) => (a.name < b.name ? -1 : 1))
  return { path, bytes, files: () => files, options }
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (cause) {
    throw new InputNotFound(`${path}: expected a file or a folder that can be read`, { cause })
  }
}

export class InputNotFound extends Error {
  override name = 'InputNotFound'
}

async function* outcomesOf(
  input: Listed,
  { notAfter, onBytes }: Readonly<{ notAfter: Date; onBytes: (count: number) => void }>,
) {
  for await (const file of input.files()) {
    const { format, mapping, ...defaults } = { ...input.options, ...file.options }
    const source = basename(withoutGz(file.name)).replace(/\.[^.]+$/, '')
    yield* readOutcomes(fileSource(file, onBytes), {
      format,
      mapping,
      defaults: { ...defaults, source: defaults.source ?? source, notAfter },
      page: file.page,
    })
  }
}

/** Those files of an input that are price books, each with what was found out about it; also inside archives. */
async function* priceBookSources(
  input: Listed,
  priceBooks: ReadonlyMap<string, Detected>,
): AsyncGenerator<Readonly<{ source: ByteSource; file: Detected }>, void, undefined> {
  const names = [...priceBooks.keys()]
  for await (const listed of input.files()) {
    const source = gunzipped(fileSource(listed))
    const whole = priceBooks.get(source.name)
    if (whole !== undefined) yield { source, file: whole }
    else if (names.some((name) => name.startsWith(`${source.name}/`))) {
      for await (const inner of archiveSources(source)) {
        const file = 'open' in inner ? priceBooks.get(inner.name) : undefined
        if ('open' in inner && file !== undefined) yield { source: inner, file }
      }
    }
  }
}

/** A file under the name that positions call it by; `onBytes` is told of each piece that is read. */
export function fileSource(
  file: Readonly<{ path: string; name: string }>,
  onBytes: (count: number) => void = () => {},
): ByteSource {
  return {
    name: file.name,
    async *open() {
      for await (const chunk of createReadStream(file.path, { highWaterMark: READ_BYTES })) {
        onBytes((chunk as Buffer).length)
        yield chunk as Buffer
      }
    },
    whole: async () => file.path,
  }
}
