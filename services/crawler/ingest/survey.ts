import { sha256Hex } from '@catalog/core/digest.ts'
import type { CrawlFinished, CrawlHealth, CrawlProblem } from '@catalog/core/events/crawls.ts'
import { observationPayload } from '@catalog/core/events/ids.ts'
import type { SourceRef } from '@catalog/core/events/sources.ts'
import { rational, toText } from '@catalog/core/money/rational.ts'
import type { Conflict, ConflictIndex } from '@catalog/crawler/conflicts/conflict-index.ts'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { SelectorPages, SourceProfile } from './health.ts'
import { ParkedExamples } from './health-examples.ts'
import type { Input } from './inputs.ts'
import type { Passes } from './passes.ts'
import { contentOf, type Tallies } from './tallies.ts'

/** The result of the first pass: counts of all records together, and a profile of each source with observations. */
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

/** Answers about the candidate observations, numbered in the order of the input. */
export type Candidates = Readonly<{
  count: number
  conflictOf: (candidate: number) => Conflict | null
  isDuplicate: (candidate: number) => boolean
}>

/**
 * The first pass over an input: finds its sources, the candidates that conflict with or repeat others, and, where `isProfiled`,
 * what {@link SourceProfile} compares with the crawl before.
 */
export async function surveyInput(
  passes: Passes,
  { tallies, index, isProfiled }: Readonly<{ tallies: Tallies; index: ConflictIndex; isProfiled: boolean }>,
): Promise<{ surveyed: Surveyed; candidates: Candidates }> {
  const bySource = new Map<string, SourceProfile>()
  const selectors = new SelectorPages()
  const parked = new ParkedExamples()
  let read = 0
  let last: Detected | null = null
  for await (const { detected: file, outcomes } of passes.read(1)) {
    read += outcomes.length
    // The batches of one file share one object.
    if (file !== last && file.selectors !== null) selectors.add(file.selectors)
    last = file
    for (const outcome of outcomes) {
      const { result } = outcome
      if (isProfiled && !('content' in result)) parked.add({ ...outcome, ...result })
      const tally = tallies.of('content' in result ? result.content.source : result.source)
      if (!('content' in result) || tally === null) continue
      tally.registration ??= result.registration
      const content = contentOf(result, tally)
      const hashes = hashesOf(content)
      index.add(hashes)
      if (isProfiled) profileOf(bySource, tally.ref.id).add(content, hashes)
    }
    await index.spillIfLarge()
    if (tallies.isEmpty && outcomes.length === 0) tallies.of(file.source)
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

function hashesOf(content: ObservationContent) {
  return {
    ref: refHash(content.source.id, content.vendor_ref),
    product: sha256Hex(JSON.stringify([content.name, content.unit])),
    offer: offerOf(content),
    id: sha256Hex(observationPayload(content)),
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
