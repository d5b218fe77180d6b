import type { FileBatch } from '@catalog/crawler/ingest/inputs.ts'
import { withoutRepeatedRaws, withRepeatedRaws } from '@catalog/formats/bytes/raw-text.ts'
import type { ReadOptions } from '@catalog/formats/read-options.ts'

/** The messages between the crawler and its parser process. */

/** One file to read. The process takes the next one after it is done. */
export type Order = Readonly<{ file: Readonly<{ path: string; name: string }>; options: ReadOptions }>
/** A batch by {@link packed}. */
export type Piece = Readonly<{ batch: string }>
/** Pieces that may be on their way, so that a slow log slows the reading down. */
export const PIECES_ON_WAY_MAX = 4

/** A batch as one line of JSON, which costs less than structured clones. */
export function packed(batch: FileBatch): string {
  return JSON.stringify('recipes' in batch ? batch : { ...batch, outcomes: withoutRepeatedRaws(batch.outcomes) })
}

/** The batch that was {@link packed}. */
export function unpacked(line: string): FileBatch {
  const batch: FileBatch = JSON.parse(line)
  return 'recipes' in batch ? batch : { ...batch, outcomes: withRepeatedRaws(batch.outcomes) }
}
