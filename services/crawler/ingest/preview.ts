import type { RecipeOutcome } from '@catalog/crawler/recipes/recipes.ts'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
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

/** The first records of an input as a crawl would record them, and the detected formats. */
export type CrawlPreview = Readonly<{
  input: string
  detected: readonly Detected[]
  observations: readonly ObservationContent[]
  parked: readonly StorableRecord[]
  recipes: readonly RecipeOutcome[]
  figures: PreviewFigures
}>

/** Counts over the records that the preview read; `isWhole` when these are all. */
export type PreviewFigures = Readonly<{
  records: number
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
 * records. Appends nothing. Conflicts and duplicates show only when a crawl reads the whole input.
 */
export async function preview(input: CrawlInput, deps: PreviewDeps, count: number): Promise<CrawlPreview> {
  return previewInput(await openInput(input), deps, count)
}

/** Previews an open input, as {@link preview} does. */
export async function previewInput(input: Input, deps: PreviewDeps, count: number): Promise<CrawlPreview> {
  const detected: Detected[] = []
  const observations: ObservationContent[] = []
  const parked: StorableRecord[] = []
  const recipes: RecipeOutcome[] = []
  const counts = openCounts()
  let records = 0
  let lists = 0
  let isWhole = true
  for await (const batch of inputBatches(input, {
    notAfter: latestObservation(deps.now()),
    onBytes: () => {},
    readFile: deps.readFile,
  })) {
    if ('recipes' in batch) {
      recipes.push(...batch.recipes.slice(0, count - recipes.length))
      continue
    }
    if (batch.isNext) lists++
    if (lists <= DETECTED_MAX) detected[lists - 1] = batch.detected
    for (const { position, raw, result } of batch.outcomes) {
      if ('content' in result) {
        counts.add(result.content)
        const { content, edition } = result
        if (observations.length < count) observations.push(edition === undefined ? content : { ...content, edition })
      } else {
        counts.park(result.reason)
        if (parked.length < count)
          parked.push(storable({ position, raw, reason: result.reason, detail: result.detail }))
      }
    }
    records += batch.outcomes.length
    if (records >= PREVIEW_RECORDS_MAX) {
      isWhole = false
      break
    }
  }
  const figures = { records, isWhole, ...counts.result() }
  return { input: input.path, detected, observations, parked, recipes, figures }
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
