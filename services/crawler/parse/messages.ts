import type { FileBatch } from '@catalog/crawler/ingest/inputs.ts'
import type { ReadOptions } from '@catalog/formats/read-options.ts'

/** The messages between the crawler and its parser process. */

/** One file to read. The process takes the next one after it is done. */
export type Order = Readonly<{ file: Readonly<{ path: string; name: string }>; options: ReadOptions }>
export type Piece = Readonly<{ batch: FileBatch }>
/** Pieces that may be on their way, so that a slow log slows the reading down. */
export const PIECES_ON_WAY_MAX = 4
