import type { FileBatch } from '@catalog/crawler/ingest/inputs.ts'
import type { Outcome } from '@catalog/formats/read.ts'
import type { ReadOptions } from '@catalog/formats/read-options.ts'

/** The messages between the crawler and its parser process. */

/** One file to read. The process takes the next one after it is done. */
export type Order = Readonly<{ file: Readonly<{ path: string; name: string }>; options: ReadOptions }>
/** A batch by {@link packed}. */
export type Piece = Readonly<{ batch: string }>
/** Pieces that may be on their way, so that a slow log slows the reading down. */
export const PIECES_ON_WAY_MAX = 4

/**
 * A batch as one line of JSON, which costs less than structured clones. An outcome without a raw text has that of the outcome before
 * it: the prices of one row repeat its text.
 */
export function packed(batch: FileBatch): string {
  if ('recipes' in batch) return JSON.stringify(batch)
  const outcomes = batch.outcomes.map((outcome, at) =>
    outcome.raw === batch.outcomes[at - 1]?.raw ? { ...outcome, raw: undefined } : outcome,
  )
  return JSON.stringify({ ...batch, outcomes })
}

/** The batch that was {@link packed}. */
export function unpacked(line: string): FileBatch {
  const batch: FileBatch = JSON.parse(line)
  if ('recipes' in batch) return batch
  let last = ''
  const outcomes = batch.outcomes.map((outcome) => {
    const { raw = last } = outcome as Partial<Outcome>
    last = raw
    return raw === outcome.raw ? outcome : { ...outcome, raw }
  })
  return { ...batch, outcomes }
}
