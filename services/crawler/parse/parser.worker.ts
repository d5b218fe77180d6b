import { constants, setPriority } from 'node:os'
import { fileSource } from '@catalog/crawler/ingest/inputs.ts'
import { readPriceBooks } from '@catalog/crawler/ingest/price-books.ts'
import { BATCH_RECORDS } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { keepHeapSmall } from '@catalog/runtime/heap.ts'
import { type ReaderAnswer, TAKEN } from '@catalog/runtime/reader-process.ts'
import { type Order, PIECES_ON_WAY_MAX, type Piece, type RecordsOrder } from './messages.ts'

/** The parser process: reads one vendor file after the other and answers with their outcomes. It knows nothing else. */

/** Pause between two reports of progress without an outcome. */
const PROGRESS_MS = 1_000

let onWay = 0
let resume = () => {}
let bytes = 0
let answeredAtMs = 0

function answer(message: Piece | { progress: true } | { done: true } | { failed: string }): void {
  const sent: ReaderAnswer<Piece> = { ...message, bytes }
  bytes = 0
  answeredAtMs = performance.now()
  process.send?.(sent)
}

function onBytes(count: number): void {
  bytes += count
  if (performance.now() - answeredAtMs > PROGRESS_MS) answer({ progress: true })
}

async function* piecesOf(order: Order): AsyncGenerator<Piece, void, undefined> {
  if (order.work === 'records') return yield* recordPieces(order)
  for await (const recipes of readPriceBooks(order.file, order.books)) yield { recipes }
}

async function* recordPieces({ file, options }: RecordsOrder): AsyncGenerator<Piece, void, undefined> {
  let current: Detected | null = null
  let number = 0
  for await (const batch of readOutcomes(fileSource(file, onBytes), options)) {
    if (current !== batch.detected) number++
    current = batch.detected
    // A page can have a thousand offers.
    for (let from = 0; from === 0 || from < batch.outcomes.length; from += BATCH_RECORDS) {
      const outcomes = batch.outcomes.slice(from, from + BATCH_RECORDS)
      yield { records: { ...batch, outcomes }, file: number }
    }
  }
}

async function serve(order: Order): Promise<void> {
  onWay = 0
  try {
    for await (const piece of piecesOf(order)) {
      if (onWay >= PIECES_ON_WAY_MAX) {
        await new Promise<void>((resolve) => {
          resume = resolve
        })
      }
      onWay++
      answer(piece)
    }
    answer({ done: true })
  } catch (error) {
    answer({ failed: (error as Error).message })
  }
}

process.on('message', (message: Order | typeof TAKEN) => {
  if (message !== TAKEN) return void serve(message)
  onWay--
  resume()
})
process.on('disconnect', () => process.exit())
// The API answers first on a machine that is short of cores.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
keepHeapSmall()
