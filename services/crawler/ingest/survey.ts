import { sha256Hex } from '@catalog/core/digest.ts'
import type { CrawlFinished, CrawlHealth, CrawlProblem } from '@catalog/core/events/crawls.ts'
import { observationId, observationPayload } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { SourceRef } from '@catalog/core/events/sources.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { rational, toText } from '@catalog/core/money/rational.ts'
import type { ConflictIndex } from '@catalog/crawler/conflicts/conflict-index.ts'
import type { Candidates } from '@catalog/crawler/conflicts/record-verdicts.ts'
import { type KeptRaw, withoutRepeatedRaws, withRepeatedRaws } from '@catalog/formats/bytes/raw-text.ts'
import type { Candidate, ObservationContent, Registration } from '@catalog/formats/mapping/candidate.ts'
import type { Outcome } from '@catalog/formats/read.ts'
import { readableEvent, UnreadableEvent } from '@catalog/log/append-events.ts'
import type { BatchSpool } from '@catalog/runtime/batch-spool.ts'
import { observationEvent, type Recording } from './crawl-events.ts'
import { SelectorPages, SourceProfile } from './health.ts'
import { ParkedExamples } from './health-examples.ts'
import type { Input, ListBatch } from './inputs.ts'
import { contentOf, type Tallies } from './tallies.ts'

/** The result of a survey: counts of all records together, and a profile of each source with observations. */
export type Surveyed = Readonly<{
  read: number
  parsed: number
  bySource: ReadonlyMap<string, SourceProfile>
  /** The sources that have observations. */
  sources: readonly SourceRef[]
  /** Pages on which the selectors of the source find a text. */
  selectors: SelectorPages
  /** A parked record of each of the most frequent reasons, as a line for a person. */
  parked: readonly string[]
}>

/** The documents of one source, which a crawl records only if their health passes. */
export type FetchedCrawl = Readonly<{
  input: Input
  crawlId: string
  /** The source that the crawl fetched; a mapping may find others in its documents. */
  source: SourceRef
  judge: (surveyed: Surveyed) => Promise<Judgement>
  /** Fields of CrawlFinished beside the counts. */
  details: Pick<
    CrawlFinished,
    'etag' | 'last_modified' | 'started_at' | 'partial' | 'missed' | 'forbidden' | 'problems'
  >
  /** Enough of the source's documents came. */
  isWhole: boolean
}>

/** The health of each source by id. With a problem the crawl is held: it records CrawlFinished and nothing else. */
export type Judgement = Readonly<{
  health: ReadonlyMap<string, CrawlHealth>
  problems: readonly CrawlProblem[]
}>

/** A candidate as the log takes it, and what a dead letter tells of it. */
export type SurveyedEvent = KeptRaw &
  Readonly<{ position: string; sourceId: string; key: string; value: string; registration: Registration }>
/** The outcome of a candidate is an event, unless no projector could read that. */
export type SurveyedOutcome = Outcome | SurveyedEvent
export type SurveyedBatch = Omit<ListBatch, 'outcomes'> & Readonly<{ outcomes: readonly SurveyedOutcome[] }>

type Survey = Readonly<{
  tallies: Tallies
  index: ConflictIndex
  /** Takes the batches for the append. */
  spool: BatchSpool<SurveyedBatch>
  /** Builds what {@link SourceProfile} compares with the crawl before. */
  isProfiled: boolean
  recording: Recording
}>

/** Finds the sources of an input, and the candidates that conflict with or repeat others. Spools its batches. */
export async function surveyInput(
  batches: AsyncIterable<ListBatch>,
  { tallies, index, spool, isProfiled, recording }: Survey,
): Promise<{ surveyed: Surveyed; candidates: Candidates }> {
  const bySource = new Map<string, SourceProfile>()
  const selectors = new SelectorPages()
  const parked = new ParkedExamples()
  let read = 0
  const survey = (outcome: Outcome): SurveyedOutcome => {
    const { result } = outcome
    if (isProfiled && !('content' in result)) parked.add({ ...outcome, ...result })
    const tally = tallies.of('content' in result ? result.content.source : result.source)
    if (!('content' in result) || tally === null) return outcome
    tally.registration ??= result.registration
    const content = contentOf(result, tally)
    const hashes = hashesOf(content)
    index.add(hashes)
    if (isProfiled) profileOf(bySource, tally.ref.id).add(content, hashes)
    return surveyedEvent({ ...outcome, result }, observationEvent(content, recording, hashes.id))
  }
  for await (const batch of batches) {
    const { detected: list, outcomes, isNext } = batch
    read += outcomes.length
    if (isNext && list.selectors !== null) selectors.add(list.selectors)
    await spool.add({ ...batch, outcomes: withoutRepeatedRaws(outcomes.map(survey)) })
    await index.spillIfLarge()
    if (tallies.isEmpty && outcomes.length === 0) tallies.of(list.source)
  }
  const candidates = { count: index.count, ...(await index.finish()) }
  return {
    surveyed: {
      read,
      parsed: candidates.count - conflictsAmong(candidates),
      bySource,
      sources: tallies.withObservations,
      selectors,
      parked: parked.lines(),
    },
    candidates,
  }
}

/** The batches of a spool, in order. */
export async function* spooledBatches(
  spool: BatchSpool<SurveyedBatch>,
): AsyncGenerator<SurveyedBatch, void, undefined> {
  for await (const batch of spool.read()) yield { ...batch, outcomes: withRepeatedRaws(batch.outcomes) }
}

/**
 * The event as text, which costs less than to spool and parse the outcome. Keeps the outcome that says more: of a source with another
 * name or address than the event has, or why no projector could read the event.
 */
function surveyedEvent(outcome: Outcome & { result: Candidate }, event: ObservationRecorded): SurveyedOutcome {
  const { result, ...kept } = outcome
  const { id, name, region, url } = event.source
  const own = result.content.source
  if (own.name !== name || own.region !== region || own.url !== url || !isReadable(event)) return outcome
  const [key, value] = [observationKey(id, event.vendor_ref), JSON.stringify(event)]
  return { ...kept, sourceId: id, key, value, registration: result.registration }
}

function isReadable(event: ObservationRecorded): boolean {
  try {
    readableEvent(TOPICS.observations, event)
    return true
  } catch (error) {
    if (error instanceof UnreadableEvent) return false
    throw error
  }
}

/** The outcome that was surveyed. */
export function outcomeOf(surveyed: SurveyedOutcome): Outcome {
  if (!('value' in surveyed)) return surveyed
  const { value, registration, key: _key, sourceId: _source, ...kept } = surveyed
  const { type: _t, v: _v, event_id: _e, recorded_at: _r, crawl_id: _c, edition, ...content } = JSON.parse(value)
  return { ...kept, result: { content, registration, ...(edition !== undefined && { edition }) } }
}

function conflictsAmong({ count, conflictOf }: Candidates): number {
  let conflicts = 0
  for (let candidate = 0; candidate < count; candidate++) if (conflictOf(candidate) !== null) conflicts++
  return conflicts
}

function profileOf(bySource: Map<string, SourceProfile>, sourceId: string): SourceProfile {
  const known = bySource.get(sourceId)
  if (known !== undefined) return known
  const profile = new SourceProfile({ isSampled: bySource.size < SAMPLED_SOURCES_MAX })
  bySource.set(sourceId, profile)
  return profile
}

/** Sources of one input whose records are compared with other vendors. */
const SAMPLED_SOURCES_MAX = 50

/** SHA-256 in hex of a vendor's reference. */
export function refHash(sourceId: string, vendorRef: string): string {
  return sha256Hex(JSON.stringify([sourceId, vendorRef]))
}

/** The hashes of a candidate for the {@link ConflictIndex}. */
export function hashesOf(content: ObservationContent) {
  return {
    ref: refHash(content.source.id, content.vendor_ref),
    product: sha256Hex(JSON.stringify([content.name, content.unit])),
    offer: offerOf(content),
    id: observationId(observationPayload(content)),
  }
}

/**
 * What may have one price alone: a reference on one day, in one edition, for one quantity, pack, currency and kind of tax. A bidder bids for
 * every contract anew, so bids are no such offers.
 */
function offerOf({ source, vendor_ref, observed_at, edition, price, pack }: ObservationContent) {
  const { cents, currency, kind, per_quantity, min_quantity, tax } = price
  if (kind === 'bid') return undefined
  const day = observed_at.slice(0, 10)
  const key = [source.id, vendor_ref, day, min_quantity, currency, kind, tax.included, tax.rate, pack, edition]
  const single = rational(BigInt(cents), BigInt(per_quantity))
  return { key: sha256Hex(JSON.stringify(key)), price: sha256Hex(toText(single)) }
}
