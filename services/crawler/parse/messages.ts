import type { PriceBookFile, RecipeBatch } from '@catalog/crawler/ingest/price-books.ts'
import type { OutcomeBatch } from '@catalog/formats/read.ts'
import type { ReadOptions } from '@catalog/formats/read-options.ts'

/** What the crawler and its parser process say to each other. */

type File = Readonly<{ path: string; name: string }>
export type RecordsOrder = Readonly<{ work: 'records'; file: File; options: ReadOptions }>
export type RecipesOrder = Readonly<{ work: 'recipes'; file: File; books: readonly PriceBookFile[] }>
/** One file to read. The process takes the next one after it is done. */
export type Order = RecordsOrder | RecipesOrder

/** Outcomes of records, and the number of the file that they are from: archives have several. */
export type RecordsPiece = Readonly<{ records: OutcomeBatch; file: number }>
export type RecipesPiece = Readonly<{ recipes: RecipeBatch }>
export type Piece = RecordsPiece | RecipesPiece
/** Pieces that may be on their way, so that a slow log slows the reading down. */
export const PIECES_ON_WAY_MAX = 4
