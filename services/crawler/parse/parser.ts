import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadFile } from '@catalog/crawler/ingest/inputs.ts'
import type { RecipeBatch } from '@catalog/crawler/ingest/price-books.ts'
import { refusedFile } from '@catalog/formats/read.ts'
import { ReaderFailed, type ReaderLimits, ReaderProcesses } from '@catalog/runtime/reader-process.ts'
import { type Order, type Piece, unpacked } from './messages.ts'

const PROGRAM = fileURLToPath(new URL('./parser.worker.ts', import.meta.url))

/** Reads vendor files in processes of their own. */
export type Parser = Disposable & Readonly<{ readFile: ReadFile }>

/**
 * Opens the parser of this process. It starts a parser process with the first file, keeps one for the next file, and ends it after
 * 30 seconds without one, or with this process. A parser process has no variables of the environment and no open files of ours; it
 * may read files, and neither write them nor start programs.
 *
 * A file that exceeds a limit of memory or time, or that ends its process, is refused as a whole (PARSER_KILLED, PARSER_FAILED).
 * Once its recipes are read, its prices and the recipes up to there stay.
 */
export function openParser(limits: ReaderLimits = {}): Parser {
  const processes = new ReaderProcesses<Order, Piece>(PROGRAM, limits)
  return {
    async *readFile({ path, name }, options, onBytes) {
      let at = 'its beginning'
      let book: RecipeBatch | null = null
      try {
        for await (const piece of processes.pieces({ file: { path: resolve(path), name }, options }, onBytes)) {
          const batch = unpacked(piece.batch)
          if ('recipes' in batch) book = batch
          else at = batch.outcomes.at(-1)?.position ?? at
          yield batch
        }
      } catch (error) {
        if (!(error instanceof ReaderFailed)) throw error
        const reason = `PARSER_${error.reason}` as const
        const detail = error.message
        if (book !== null) yield { source: book.source, recipes: [{ position: name, reason, detail }] }
        else yield { ...refusedFile({ name, reason, detail: `${detail} after ${at}` }, options), isNext: true }
      }
    },
    [Symbol.dispose]: () => processes[Symbol.dispose](),
  }
}
