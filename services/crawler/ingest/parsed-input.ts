import type { OutcomeBatch } from '@catalog/formats/read.ts'
import type { BatchSpool } from '@catalog/runtime/batch-spool.ts'
import { type Input, inputBatches, type ListBatch, type ReadFile } from './inputs.ts'
import type { RecipeBatch } from './price-books.ts'

/** The progress of a crawl: bytes of the input that were read, then records that were appended. */
export type CrawlProgress = Readonly<{ input: string; work: 'read' | 'append'; done: number; total: number }>

type ParseOptions = Readonly<{
  notAfter: Date
  readFile?: ReadFile | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: CrawlProgress) => void) | undefined
  /** Takes the recipes, which a crawl appends after all prices. */
  recipes: BatchSpool<RecipeBatch>
}>

/**
 * Parses an input, once. A file that is refused as a whole may have given records before, which must not count: then survey the
 * batches again {@link withoutRevoked}.
 */
export class ParsedInput {
  readonly #input: Input
  readonly #options: ParseOptions
  readonly #refusals: OutcomeBatch[] = []
  /** Numbers of the refused files that gave records before. */
  readonly #revoked = new Set<number>()

  constructor(input: Input, options: ParseOptions) {
    this.#input = input
    this.#options = options
  }

  /** The outcomes of the files that were refused as a whole. */
  get refusals(): readonly OutcomeBatch[] {
    return this.#refusals
  }

  get hasRevoked(): boolean {
    return this.#revoked.size > 0
  }

  /** Yields every batch of records as it is parsed. Throws the signal's reason before the next batch. */
  async *batches(): AsyncGenerator<ListBatch, void, undefined> {
    const { path: input, bytes: total } = this.#input
    const { signal, onProgress, recipes, ...options } = this.#options
    let done = 0
    let begun = -1
    const onBytes = (count: number) => {
      done = Math.min(done + count, total)
    }
    for await (const batch of inputBatches(this.#input, { ...options, onBytes })) {
      signal?.throwIfAborted()
      if ('recipes' in batch) await recipes.add(batch)
      else {
        if (batch.refusesFile) this.#refusals.push(batch)
        if (batch.refusesFile && begun === batch.file) this.#revoked.add(batch.file)
        begun = batch.file
        yield batch
      }
      onProgress?.({ input, work: 'read', done, total })
    }
  }

  /** Leaves out the batches of refused files, except their refusals. */
  async *withoutRevoked<Batch extends Pick<ListBatch, 'file' | 'refusesFile'>>(
    batches: AsyncIterable<Batch>,
  ): AsyncGenerator<Batch, void, undefined> {
    for await (const batch of batches) if (batch.refusesFile || !this.#revoked.has(batch.file)) yield batch
  }
}
