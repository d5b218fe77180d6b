import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { type StorableRecord, storable } from './crawl-events.ts'
import {
  type CrawlInput,
  DETECTED_MAX,
  type Input,
  latestObservation,
  openInput,
  type ReadFile,
  recordBatches,
} from './inputs.ts'

/** The first records of an input as a crawl would record them, and the detected formats. */
export type CrawlPreview = Readonly<{
  input: string
  detected: readonly Detected[]
  observations: readonly ObservationContent[]
  parked: readonly StorableRecord[]
}>

type PreviewDeps = Readonly<{ now: () => Date; readFile?: ReadFile | undefined }>

/** A preview reads at most so many records to find observations. */
const PREVIEW_RECORDS_MAX = 10_000

/**
 * The first `count` observations and the first `count` parked records among an input's first {@link PREVIEW_RECORDS_MAX}
 * records. Appends nothing. Conflicts and duplicates show only when a crawl reads the whole input.
 */
export async function preview(input: CrawlInput, deps: PreviewDeps, count: number): Promise<CrawlPreview> {
  return previewInput(await openInput(input), deps, count)
}

/** Previews an open input, as {@link preview} does. */
export async function previewInput(input: Input, deps: PreviewDeps, count: number): Promise<CrawlPreview> {
  const detected = new Set<Detected>()
  const observations: ObservationContent[] = []
  const parked: StorableRecord[] = []
  let records = 0
  for await (const batch of recordBatches(input, {
    notAfter: latestObservation(deps.now()),
    onBytes: () => {},
    readFile: deps.readFile,
  })) {
    if (detected.size < DETECTED_MAX) detected.add(batch.detected)
    for (const { position, raw, result } of batch.outcomes) {
      if ('content' in result) {
        if (observations.length < count) observations.push(result.content)
      } else if (parked.length < count) parked.push(storable({ position, raw, ...result }))
    }
    records += batch.outcomes.length
    if (observations.length >= count || records >= PREVIEW_RECORDS_MAX) break
  }
  return { input: input.path, detected: [...detected], observations, parked }
}
