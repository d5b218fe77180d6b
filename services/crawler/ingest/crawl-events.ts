import { type CrawlProblem, PROBLEMS_MAX, type RecordParked } from '@catalog/core/events/crawls.ts'
import type { VendorEvent } from '@catalog/core/events/events.ts'
import { eventId, observationId, observationPayload } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { RecipeRecorded } from '@catalog/core/events/recipes.ts'
import type { SourceRegistered } from '@catalog/core/events/sources.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import type { RecipeContent } from '@catalog/crawler/recipes/recipes.ts'
import { type KeptRaw, keptRaw } from '@catalog/formats/bytes/raw-text.ts'
import { visibleText, withoutEmails } from '@catalog/formats/bytes/vendor-text.ts'
import type { ObservationContent, RefusedRecord } from '@catalog/formats/mapping/candidate.ts'
import { readableEvent } from '@catalog/log/append-events.ts'
import { BATCH_RECORDS_MAX, type EventLog } from '@catalog/log/log.ts'

/** The events of a crawl share its id and its time of recording. */
export type Recording = Readonly<{ crawlId: string; recordedAt: string }>

/** A refused record whose texts fit into an event and a database. */
export type StorableRecord = KeptRaw &
  Readonly<{ position: string; reason: string; detail: string; refused?: RefusedRecord | undefined }>

const POSITION_CHARS_MAX = 600
const DETAIL_CHARS_MAX = 2_000
/** A batch is appended at this size, even with fewer than {@link BATCH_RECORDS_MAX} records. */
const BATCH_CHARS_MAX = 1024 ** 2

export function observationEvent(
  content: ObservationContent,
  { crawlId, recordedAt }: Recording,
  id = observationId(observationPayload(content)),
): ObservationRecorded {
  return {
    type: 'ObservationRecorded',
    v: 1,
    event_id: id,
    recorded_at: recordedAt,
    ...content,
    crawl_id: crawlId,
  }
}

/**
 * The event of a recipe. Its id leaves out the crawl and the position: an unchanged recipe is the same recipe in every crawl
 * and wherever the next edition of the file has it.
 */
export function recipeEvent(
  { content, position }: Readonly<{ content: RecipeContent; position: string }>,
  { crawlId, recordedAt }: Recording,
): RecipeRecorded {
  const payload = { type: 'RecipeRecorded' as const, v: 1 as const, ...content }
  return {
    ...payload,
    event_id: eventId(payload),
    recorded_at: recordedAt,
    crawl_id: crawlId,
    position: storableLine(position, POSITION_CHARS_MAX),
  }
}

/**
 * The event of a parked record. Its id leaves out the crawl and what the reader says of it: crawling the same broken record
 * again repeats the event.
 */
export function parkedEvent(
  { sourceId, crawlId, recordedAt }: Recording & Readonly<{ sourceId: string }>,
  record: StorableRecord,
): RecordParked {
  const { rawSha256, detail, refused, ...storables } = storable(record)
  const content = {
    type: 'RecordParked' as const,
    v: 1 as const,
    source_id: sourceId,
    ...storables,
    ...(rawSha256 !== undefined && { raw_sha256: rawSha256 }),
  }
  return {
    ...content,
    detail,
    ...(refused?.vendorRef !== undefined && { vendor_ref: refused.vendorRef }),
    ...(refused?.observedAt !== undefined && { observed_at: refused.observedAt }),
    ...(refused?.readAs && { read_as: refused.readAs }),
    event_id: eventId(content),
    recorded_at: recordedAt,
    crawl_id: crawlId,
  }
}

/** The texts of a refused record as events keep them: cut to size, without invisible characters and e-mail addresses. */
export function storable({ position, reason, detail, refused, ...raw }: StorableRecord): StorableRecord {
  return {
    position: storableLine(position, POSITION_CHARS_MAX),
    reason,
    detail: cut(withoutEmails(visibleText(detail)).toWellFormed(), DETAIL_CHARS_MAX),
    ...(refused && { refused }),
    ...keptRaw(raw),
  }
}

/** The problems of a crawl as CrawlFinished keeps them. */
export const storableProblems = (problems: readonly CrawlProblem[]): CrawlProblem[] =>
  problems
    .slice(0, PROBLEMS_MAX)
    .map((problem) => ({ ...problem, detail: storableLine(problem.detail, PROBLEM_CHARS_MAX) }))
const PROBLEM_CHARS_MAX = 500

const storableLine = (text: string, charsMax: number): string =>
  cut(withoutEmails(visibleText(text)).replace(UNPRINTABLE, ' '), charsMax)
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNPRINTABLE = /[\u0000-\u001f\ufffe\uffff]|\p{Surrogate}/gu

function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).toWellFormed()
}

/** The key of events without a vendor's reference, which go to one partition for each source. */
export function sourceKey(sourceId: string): string {
  return observationKey(sourceId, '')
}

/** Appends events in batches and in order, and awaits each append before the next. */
export class EventBatch {
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

  /** Throws UnreadableEvent, and leaves the event out. */
  async add(key: string, event: VendorEvent | SourceRegistered): Promise<void> {
    readableEvent(this.#topic, event)
    await this.addReadable({ key, value: JSON.stringify(event) })
  }

  /** Adds the JSON of an event that readableEvent returned. */
  async addReadable({ key, value }: Readonly<{ key: string; value: string }>): Promise<void> {
    this.#events.push({ key, value })
    this.#chars += value.length
    if (this.#events.length >= BATCH_RECORDS_MAX || this.#chars >= BATCH_CHARS_MAX) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#events.length === 0) return
    const events = this.#events
    this.#events = []
    this.#chars = 0
    await this.#log.append(this.#topic, events)
  }
}
