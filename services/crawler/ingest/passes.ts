import { type Input, type RecordBatch, recordBatches } from './inputs.ts'

/** The progress of a crawl, which reads each input twice. */
export type CrawlProgress = Readonly<{ input: string; pass: 1 | 2; records: number; bytes: number; bytesTotal: number }>

/** Records that memory keeps between the passes: a shop's weekly list, some megabytes with its raw text. */
const CACHED_RECORDS_MAX = 2_000
/** Pages without a record are batches as well. */
const CACHED_BATCHES_MAX = 2 * CACHED_RECORDS_MAX

type PassOptions = Readonly<{
  notAfter: Date
  signal?: AbortSignal | undefined
  onProgress?: ((progress: CrawlProgress) => void) | undefined
}>

/** Reads an input twice. Caches a small one, so that the second pass does not read it from disk again. */
export class Passes {
  readonly #input: Input
  readonly #options: PassOptions
  #cached: RecordBatch[] | null = []

  constructor(input: Input, options: PassOptions) {
    this.#input = input
    this.#options = options
  }

  /** Yields every batch of records. Throws the signal's reason before the next batch. */
  async *read(pass: 1 | 2): AsyncGenerator<RecordBatch, void, undefined> {
    const { path: input, bytes: bytesTotal } = this.#input
    const { notAfter, signal, onProgress } = this.#options
    let records = 0
    let bytes = 0
    const onBytes = (count: number) => {
      bytes = Math.min(bytes + count, bytesTotal)
    }
    const fromDisk = () => recordBatches(this.#input, { notAfter, onBytes })
    for await (const batch of pass === 2 && this.#cached !== null ? this.#cached : fromDisk()) {
      signal?.throwIfAborted()
      yield batch
      records += batch.outcomes.length
      if (pass === 1) this.#cached?.push(batch)
      if (records > CACHED_RECORDS_MAX || (this.#cached?.length ?? 0) > CACHED_BATCHES_MAX) this.#cached = null
      onProgress?.({ input, pass, records, bytes, bytesTotal })
    }
  }
}
