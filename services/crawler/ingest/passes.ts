import type { OutcomeBatch } from '@catalog/formats/read.ts'
import { type Input, type ReadFile, recordBatches } from './inputs.ts'

/** The progress of a crawl, which reads each input twice. */
export type CrawlProgress = Readonly<{ input: string; pass: 1 | 2; records: number; bytes: number; bytesTotal: number }>

/** Records that memory keeps between the passes: a shop's weekly list, some megabytes with its raw text. */
const CACHED_RECORDS_MAX = 2_000
/** Pages without a record are batches as well. */
const CACHED_BATCHES_MAX = 2 * CACHED_RECORDS_MAX

type PassOptions = Readonly<{
  notAfter: Date
  readFile?: ReadFile | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: CrawlProgress) => void) | undefined
}>

/**
 * Reads an input twice. Caches a small one, so that the second pass does not read it from disk again.
 *
 * A file that is refused as a whole may have given records before. So read the first pass again until it {@link isSettled}: from
 * then on such a file gives its refusal alone.
 */
export class Passes {
  readonly input: Input
  readonly #options: PassOptions
  #cached: OutcomeBatch[] | null = []
  readonly #refusals = new Map<number, OutcomeBatch>()
  #refusedBefore = 0

  constructor(input: Input, options: PassOptions) {
    this.input = input
    this.#options = options
  }

  /** The last first pass refused no file that had given records. */
  get isSettled(): boolean {
    return this.#refusals.size === this.#refusedBefore
  }

  /** The outcomes of the files that were refused as a whole. */
  get refusals(): readonly OutcomeBatch[] {
    return [...this.#refusals.values()]
  }

  /** Yields every batch of records. Throws the signal's reason before the next batch. */
  async *read(pass: 1 | 2): AsyncGenerator<OutcomeBatch, void, undefined> {
    const { path: input, bytes: bytesTotal } = this.input
    const { notAfter, readFile, signal, onProgress } = this.#options
    if (pass === 1) {
      this.#cached = []
      this.#refusedBefore = this.#refusals.size
    }
    let records = 0
    let bytes = 0
    const onBytes = (count: number) => {
      bytes = Math.min(bytes + count, bytesTotal)
    }
    const fromDisk = () => recordBatches(this.input, { notAfter, onBytes, readFile, refusals: this.#refusals })
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
