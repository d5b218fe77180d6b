import { type CrawlProblem, PROBLEMS_MAX } from '@catalog/core/events/crawls.ts'
import { observationKey } from '@catalog/core/events/topics.ts'
import { once } from '@catalog/core/memo.ts'
import { type Candidates, RecordVerdicts } from '@catalog/crawler/conflicts/record-verdicts.ts'
import { nothingRead } from '@catalog/crawler/quality/nothing-read.ts'
import type { Candidate, ObservationContent, Refusal } from '@catalog/formats/mapping/candidate.ts'
import type { Outcome } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { UnreadableEvent } from '@catalog/log/append-events.ts'
import {
  type EventBatch,
  observationEvent,
  parkedEvent,
  type Recording,
  recipeEvent,
  sourceKey,
} from './crawl-events.ts'
import { DETECTED_MAX } from './inputs.ts'
import type { RecipeBatch } from './price-books.ts'
import { outcomeOf, type SurveyedBatch, type SurveyedOutcome } from './survey.ts'
import { contentOf, SOURCES_MAX, type Tallies, type Tally } from './tallies.ts'

/** What a crawl appended of the lists of an input. */
export type Appended = Readonly<{
  files: number
  /** Files that end early. */
  filesCut: number
  /** The first {@link DETECTED_MAX}. */
  detected: readonly Detected[]
  parkedByReason: Readonly<Record<string, number>>
  /** NOTHING_READ of each list without a record. */
  emptyLists: readonly CrawlProblem[]
}>

type AppendDeps = Readonly<{
  batch: EventBatch
  tallies: Tallies
  recording: Recording
  /** Called with the number of records that are appended or parked; may throw to end the crawl. */
  onRecords: (count: number) => void
  /** Called for each record that is added to the batch. */
  onAdded: (record: () => ObservationContent) => void
}>

const TOO_MANY_SOURCES = {
  reason: 'TOO_MANY_SOURCES',
  detail: `the input names more than ${SOURCES_MAX} sources: is the right column mapped?`,
}

/** Appends the observations of surveyed batches and parks the records that it cannot record. */
export async function appendRecords(
  batches: AsyncIterable<SurveyedBatch>,
  candidates: Candidates,
  { batch, tallies, recording, onRecords, onAdded }: AppendDeps,
): Promise<Appended> {
  const parkedByReason: Record<string, number> = {}
  const lists = new SeenLists()
  const verdicts = new RecordVerdicts(candidates)
  const keyedEvent = (content: ObservationContent) =>
    [observationKey(content.source.id, content.vendor_ref), observationEvent(content, recording)] as const
  const park = async (tally: Tally, outcome: Outcome, refusal: Omit<Refusal, 'source'>) => {
    tally.parked++
    parkedByReason[refusal.reason] = (parkedByReason[refusal.reason] ?? 0) + 1
    const event = parkedEvent({ sourceId: tally.ref.id, ...recording }, { ...outcome, ...refusal })
    await batch.add(sourceKey(tally.ref.id), event)
  }
  const appendOutcome = async (surveyed: SurveyedOutcome) => {
    const isEvent = 'value' in surveyed
    const outcome = once(() => outcomeOf(surveyed))
    const own = isEvent ? tallies.known(surveyed.sourceId) : tallies.of(sourceOf(surveyed))
    const tally = own ?? tallies.first
    tally.read++
    if (own === null) return park(tally, outcome(), TOO_MANY_SOURCES)
    if (!isEvent && !('content' in surveyed.result)) return park(tally, surveyed, surveyed.result)
    const candidate = () => outcome().result as Candidate
    const verdict = verdicts.next(() => candidate().content, lists.current)
    if (typeof verdict === 'object') return park(tally, outcome(), verdict)
    if (verdict === 'duplicate') {
      tally.duplicates++
      return
    }
    const content = () => contentOf(candidate(), tally)
    const problem = await unreadable(isEvent ? batch.addReadable(surveyed) : batch.add(...keyedEvent(content())))
    if (problem !== null) return park(tally, outcome(), problem)
    tally.appended++
    onAdded(content)
  }
  for await (const { detected, isNext, outcomes } of batches) {
    onRecords(outcomes.length)
    lists.add(detected, isNext, outcomes.length)
    for (const outcome of outcomes) await appendOutcome(outcome)
  }
  return { parkedByReason, ...lists.finish() }
}

const sourceOf = ({ result }: Outcome) => ('content' in result ? result.content.source : result.source)

/** Why no projector could read the event that was added; such a record costs no other one. */
async function unreadable(adding: Promise<void>): Promise<{ reason: string; detail: string } | null> {
  try {
    await adding
    return null
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error
    return { reason: 'INVALID_EVENT', detail: error.message }
  }
}

/** The lists of the batches. The findings about a list are complete only once the next one begins. */
class SeenLists {
  readonly #detected: Detected[] = []
  #current: Detected | null = null
  #files = 0
  #filesCut = 0
  #records = 0
  readonly #emptyLists: CrawlProblem[] = []

  /** The list of the present outcomes. */
  get current(): Detected | null {
    return this.#current
  }

  add(list: Detected, isNext: boolean, records: number): void {
    if (isNext) this.#endCurrent()
    this.#current = list
    this.#records += records
  }

  finish(): Omit<Appended, 'parkedByReason'> {
    this.#endCurrent()
    return {
      files: this.#files,
      filesCut: this.#filesCut,
      detected: this.#detected,
      emptyLists: this.#emptyLists,
    }
  }

  #endCurrent(): void {
    if (this.#current === null) return
    this.#files++
    if (!this.#current.complete) this.#filesCut++
    const problem = nothingRead(this.#current, this.#records)
    if (problem !== null && this.#emptyLists.length < PROBLEMS_MAX) this.#emptyLists.push(problem)
    this.#records = 0
    if (this.#detected.length < DETECTED_MAX) this.#detected.push(this.#current)
  }
}

/** Law: read = appended + the sum of refused, by reason. */
export type RecipeCounts = Readonly<{ read: number; appended: number; refused: Readonly<Record<string, number>> }>

/** Appends recipes. */
export async function appendRecipes(
  batches: AsyncIterable<RecipeBatch>,
  { batch, tallies, recording, onRecords }: AppendDeps,
): Promise<RecipeCounts> {
  const counts = { read: 0, appended: 0 }
  const refused: Record<string, number> = {}
  const refuse = (reason: string) => {
    refused[reason] = (refused[reason] ?? 0) + 1
  }
  for await (const { source: named, recipes } of batches) {
    onRecords(0)
    const source = tallies.of(named)?.ref
    // The source is one too many: its records are parked.
    if (source === undefined) continue
    for (const recipe of recipes) {
      counts.read++
      if ('content' in recipe) {
        const content = { ...recipe.content, source }
        const key = observationKey(source.id, content.vendor_ref)
        const problem = await unreadable(batch.add(key, recipeEvent({ ...recipe, content }, recording)))
        if (problem === null) counts.appended++
        else refuse(problem.reason)
      } else refuse(recipe.reason)
    }
  }
  return { ...counts, refused }
}
