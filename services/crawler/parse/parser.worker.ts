import { constants, setPriority } from 'node:os'
import { type FileBatch, readHere } from '@catalog/crawler/ingest/inputs.ts'
import { BATCH_RECORDS } from '@catalog/formats/bytes/record.ts'
import { keepHeapSmall } from '@catalog/runtime/heap.ts'
import { type ReaderAnswer, TAKEN } from '@catalog/runtime/reader-process.ts'
import { type Order, PIECES_ON_WAY_MAX, type Piece, packed } from './messages.ts'

/** The parser process: reads one vendor file after the other and answers with their outcomes and recipes. It knows nothing else. */

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

/** A page can have a thousand offers. */
async function* smallBatches({ file, options }: Order): AsyncGenerator<FileBatch, void, undefined> {
  for await (const batch of readHere(file, options, onBytes)) {
    if ('recipes' in batch || batch.outcomes.length <= BATCH_RECORDS) yield batch
    else
      for (let from = 0; from < batch.outcomes.length; from += BATCH_RECORDS) {
        const outcomes = batch.outcomes.slice(from, from + BATCH_RECORDS)
        yield { ...batch, outcomes, isNext: batch.isNext && from === 0 }
      }
  }
}

async function serve(order: Order): Promise<void> {
  onWay = 0
  try {
    for await (const batch of smallBatches(order)) {
      if (onWay >= PIECES_ON_WAY_MAX) {
        await new Promise<void>((resolve) => {
          resume = resolve
        })
      }
      onWay++
      answer({ batch: packed(batch) })
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
