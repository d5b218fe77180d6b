import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { type MessagePort, Worker } from 'node:worker_threads'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { vendorLoading, vendorProjection } from '@catalog/projector/vendor.ts'
import type { Store } from '@catalog/store/db.ts'
import { type FoldOrder, type FoldThread, foldStretch, UNPACED } from './fold.ts'

/**
 * A replay parses and checks every event, which keeps one thread busy. The vendor side folds partitions in any order,
 * so other threads take some of them. Each has connections of its own and the same rules.
 *
 * Protocol: a {@link FoldOrder} in; then, for each transaction, its number of records out and 'go' in, which lets a
 * pause or throttle reach the thread; at the end 'done' or {@link Failed}.
 */
type Failed = Readonly<{ failed: unknown }>
type Message = number | 'done' | Failed

/** More threads only wait for the store. */
const THREADS_MAX = 3
/** Fits the short-lived objects of a batch, so that they die young. */
const YOUNG_GENERATION_MB = 128

/** One for each core beside the caller's, up to {@link THREADS_MAX}. */
export const foldThreadsOf = (cores = availableParallelism()): number => Math.min(cores - 1, THREADS_MAX)

/** Starts a thread that runs this module, which calls {@link serveFold}. */
export function openFoldThread(module: URL, workerData: unknown): FoldThread & AsyncDisposable {
  const worker = new Worker(module, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } })
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`a thread of the replay ended with ${code}: expected it to wait for more`)
  })
  ended.catch(() => {})
  const crashed = once(worker, 'error').then(([error]) => {
    throw error
  })
  crashed.catch(() => {})
  return {
    async fold(order, after) {
      worker.postMessage(order)
      for (;;) {
        const [message] = (await Promise.race([once(worker, 'message'), crashed, ended])) as [Message]
        if (message === 'done') return
        if (typeof message === 'object') throw message.failed
        await after(message)
        worker.postMessage('go')
      }
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

/** The thread's side: folds one ordered stretch after another, until it is terminated. */
export function serveFold(port: MessagePort, { store, log }: { store: Store; log: EventLog }): void {
  const loading = vendorLoading()
  port.on('message', (order: FoldOrder | 'go') => {
    if (order === 'go') return
    const { isLoading, batchRecords, ...stretch } = order
    const pace = {
      ...UNPACED,
      async after(records: number) {
        port.postMessage(records)
        await once(port, 'message')
      },
    }
    foldStretch(
      { store, log, pace, loading, ...(batchRecords && { batchRecords }) },
      { ...stretch, projection: isLoading ? loading : vendorProjection, topic: TOPICS.observations },
    ).then(
      () => port.postMessage('done'),
      (failed: unknown) => port.postMessage({ failed } satisfies Failed),
    )
  })
}
