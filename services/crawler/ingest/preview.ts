import { tmpdir } from 'node:os'
import { type CrawlProblem, PROBLEMS_MAX } from '@catalog/core/events/crawls.ts'
import { ConflictIndex } from '@catalog/crawler/conflicts/conflict-index.ts'
import { RecordVerdicts } from '@catalog/crawler/conflicts/record-verdicts.ts'
import { noList, nothingRead } from '@catalog/crawler/quality/nothing-read.ts'
import type { RecipeOutcome } from '@catalog/crawler/recipes/recipes.ts'
import type { Candidate, ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import type { Outcome } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { type StorableRecord, storable } from './crawl-events.ts'
import {
  type CrawlInput,
  DETECTED_MAX,
  type Input,
  inputBatches,
  latestObservation,
  openInput,
  type ReadFile,
} from './inputs.ts'
import { hashesOf } from './survey.ts'

/** The first records of an input as a crawl would record them, and the detected formats. */
export type CrawlPreview = Readonly<{
  input: string
  detected: readonly Detected[]
  observations: readonly ObservationContent[]
  parked: readonly StorableRecord[]
  /** All that would be recorded of the records that the preview read. */
  recordable: readonly Candidate[]
  recipes: readonly RecipeOutcome[]
  figures: PreviewFigures
  /** NOTHING_READ of each list without a record. */
  problems: readonly CrawlProblem[]
  /** A crawl would read each list to its end, as far as the preview read. */
  isComplete: boolean
}>

/** Counts over the records that the preview read; `isWhole` when these are all. */
export type PreviewFigures = Readonly<{
  records: number
  /** Records that repeat an earlier one in everything. */
  duplicates: number
  isWhole: boolean
  /** By name of the source. */
  sources: Readonly<Record<string, number>>
  currencies: Readonly<Record<string, number>>
  /** '' for no unit. */
  units: Readonly<Record<string, number>>
  /** 'net', 'gross with rate', 'gross without rate' or 'not stated'. */
  taxes: Readonly<Record<string, number>>
  parked: Readonly<Record<string, number>>
}>

type PreviewDeps = Readonly<{ now: () => Date; readFile?: ReadFile | undefined }>

/** A preview reads at most so many records. */
const PREVIEW_RECORDS_MAX = 10_000

/**
 * The first `count` observations, parked records and recipes among an input's first {@link PREVIEW_RECORDS_MAX}
 * records, decided as in a crawl. Appends nothing. A conflict with a later record shows only in the crawl.
 */
export async function preview(input: CrawlInput, deps: PreviewDeps, count: number): Promise<CrawlPreview> {
  return previewInput(await openInput(input), deps, count)
}

/** Previews an open input, as {@link preview} does. */
export async function previewInput(input: Input, deps: PreviewDeps, count: number): Promise<CrawlPreview> {
  const detected: Detected[] = []
  const problems: CrawlProblem[] = []
  let list: Detected | null = null
  let listRecords = 0
  const endList = () => {
    if (list?.complete === false) isComplete = false
    const problem = list && nothingRead(list, listRecords)
    if (problem && problems.length < PROBLEMS_MAX) problems.push(problem)
    listRecords = 0
  }
  const held: Readonly<{ list: Detected; outcomes: readonly Outcome[] }>[] = []
  const recipes: RecipeOutcome[] = []
  await using index = new ConflictIndex({ folder: tmpdir(), memoryBytesMax: Number.POSITIVE_INFINITY })
  let records = 0
  let lists = 0
  let isWhole = true
  let isComplete = true
  for await (const batch of inputBatches(input, {
    notAfter: latestObservation(deps.now()),
    onBytes: () => {},
    readFile: deps.readFile,
  })) {
    if ('recipes' in batch) {
      recipes.push(...batch.recipes.slice(0, count - recipes.length))
      continue
    }
    if (batch.isNext) {
      endList()
      lists++
    }
    list = batch.detected
    listRecords += batch.outcomes.length
    if (lists <= DETECTED_MAX) detected[lists - 1] = batch.detected
    held.push({ list: batch.detected, outcomes: batch.outcomes })
    for (const { result } of batch.outcomes) if ('content' in result) index.add(hashesOf(contentIn(result)))
    records += batch.outcomes.length
    if (records >= PREVIEW_RECORDS_MAX) {
      isWhole = false
      break
    }
  }
  const verdicts = new RecordVerdicts({ count: index.count, ...(await index.finish()) })
  const shown = new Shown(count, verdicts)
  for (const { list, outcomes } of held) for (const outcome of outcomes) shown.add(outcome, list)
  const { recordable, parked } = shown
  const observations = recordable.slice(0, count).map(contentIn)
  const figures = { records, duplicates: shown.duplicates, isWhole, ...shown.counts.result() }
  // Of the list at which the preview stops nobody knows the end.
  if (isWhole) endList()
  if (lists === 0) problems.push(noList(input.path))
  return { input: input.path, detected, observations, parked, recordable, recipes, figures, problems, isComplete }
}

const contentIn = ({ content, edition }: Candidate): ObservationContent =>
  edition === undefined ? content : { ...content, edition }

/** The records to be recorded, the first parked ones, and the counts of all. */
class Shown {
  readonly recordable: Candidate[] = []
  readonly parked: StorableRecord[] = []
  readonly counts = openCounts()
  duplicates = 0
  readonly #count: number
  readonly #verdicts: RecordVerdicts

  constructor(count: number, verdicts: RecordVerdicts) {
    this.#count = count
    this.#verdicts = verdicts
  }

  add({ position, raw, result }: Outcome, list: Detected): void {
    const verdict = 'content' in result ? this.#verdicts.next(() => result.content, list) : result
    if ('content' in result && verdict === 'new') {
      this.counts.add(result.content)
      this.recordable.push(result)
    } else if (verdict === 'duplicate') this.duplicates++
    else if (typeof verdict === 'object') {
      const { reason, detail } = verdict
      this.counts.park(reason)
      if (this.parked.length < this.#count) this.parked.push(storable({ position, raw, reason, detail }))
    }
  }
}

function openCounts() {
  const tallies = { sources: new Map(), currencies: new Map(), units: new Map(), taxes: new Map(), parked: new Map() }
  const count = (tally: Map<string, number>, name: string) => tally.set(name, (tally.get(name) ?? 0) + 1)
  return {
    add({ source, price, unit }: ObservationContent) {
      count(tallies.sources, source.name)
      count(tallies.currencies, price.currency)
      count(tallies.units, unit ?? '')
      count(tallies.taxes, taxText(price.tax))
    },
    park: (reason: string) => count(tallies.parked, reason),
    result: () => ({
      sources: mostFirst(tallies.sources),
      currencies: mostFirst(tallies.currencies),
      units: mostFirst(tallies.units),
      taxes: mostFirst(tallies.taxes),
      parked: mostFirst(tallies.parked),
    }),
  }
}

function taxText({ included, rate }: ObservationContent['price']['tax']): string {
  if (included === null) return 'not stated'
  if (!included) return 'net'
  return rate === undefined ? 'gross without rate' : 'gross with rate'
}

/** Names of one kind that a preview lists. */
const NAMES_MAX = 20

const mostFirst = (tally: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...tally].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, NAMES_MAX))
