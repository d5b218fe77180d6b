import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadFile } from '@catalog/crawler/ingest/inputs.ts'
import type { ReadPriceBooks } from '@catalog/crawler/ingest/price-books.ts'
import { refusedFile } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { ReaderFailed, type ReaderLimits, ReaderProcesses } from '@catalog/runtime/reader-process.ts'
import type { Order, Piece, RecipesPiece, RecordsPiece } from './messages.ts'

const PROGRAM = fileURLToPath(new URL('./parser.worker.ts', import.meta.url))

/** Reads vendor files in processes of their own. */
export type Parser = Disposable & Readonly<{ readFile: ReadFile; readPriceBooks: ReadPriceBooks }>

/**
 * Opens the parser of this process. It starts a parser process with the first file, keeps one for the next file, and ends it after
 * 30 seconds without one, or with this process. A parser process has no variables of the environment and no open files of ours; it
 * may read files, and neither write them nor start programs.
 *
 * A file that exceeds a limit of memory or time, or that ends its process, is refused as a whole (PARSER_KILLED, PARSER_FAILED).
 */
export function openParser(limits: ReaderLimits = {}): Parser {
  const processes = new ReaderProcesses<Order, Piece>(PROGRAM, limits)
  return {
    async *readFile({ path, name }, options, onBytes) {
      let at = 'its beginning'
      const files = new Map<number, Detected>()
      try {
        const pieces = processes.pieces<RecordsPiece>(
          { work: 'records', file: { path: resolve(path), name }, options },
          onBytes,
        )
        for await (const { records, file } of pieces) {
          // One object for each file, which its last findings complete.
          const detected = Object.assign(files.get(file) ?? {}, records.detected)
          if (!files.has(file)) files.clear()
          files.set(file, detected)
          at = records.outcomes.at(-1)?.position ?? at
          yield { ...records, detected }
        }
      } catch (error) {
        if (!(error instanceof ReaderFailed)) throw error
        yield refusedFile({ name, reason: `PARSER_${error.reason}`, detail: `${error.message} after ${at}` }, options)
      }
    },
    async *readPriceBooks({ path, name }, books) {
      try {
        const pieces = processes.pieces<RecipesPiece>(
          { work: 'recipes', file: { path: resolve(path), name }, books },
          () => {},
        )
        for await (const { recipes } of pieces) yield recipes
      } catch (error) {
        if (!(error instanceof ReaderFailed)) throw error
        const { reason, message: detail } = error
        yield { name, outcomes: [{ position: name, reason: `PARSER_${reason}`, detail }] }
      }
    },
    [Symbol.dispose]: () => processes[Symbol.dispose](),
  }
}
