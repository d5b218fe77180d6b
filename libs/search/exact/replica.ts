import { setImmediate as nextTick } from 'node:timers/promises'
import { MemoryIndex } from './memory.ts'
import { type DocumentTable, vectorOf } from './table.ts'

/** Readers lag the table by at most this much. */
const REFRESH_MS = 250
/** Rows between two yields to the event loop: some 7 ms. */
const YIELD_ROWS = 100

/** One fingerprint in one table, by its oid. */
type Documents = Readonly<{ fingerprint: string; oid: number }>

/** Documents in memory, up to the highest seq read. */
type Loaded = Documents & { readonly memory: MemoryIndex; seq: bigint }

/**
 * The documents of the serving index in memory; follows the table by seq. When another fingerprint or the table of another
 * build starts to serve, the replica loads it beside the present documents and then swaps, so that no query waits.
 */
export class MemoryReplica {
  readonly #table: DocumentTable
  readonly #fingerprint: string
  readonly #dims: number
  readonly #now: () => number
  #served: Loaded
  /** Writes of this process, and those that memory includes. */
  #writes = 0
  #loadedWrites = -1
  #loadedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | undefined
  #swapping: Promise<void> | undefined

  constructor(
    table: DocumentTable,
    { fingerprint, dims, now }: { fingerprint: string; dims: number; now: () => number },
  ) {
    this.#table = table
    this.#fingerprint = fingerprint
    this.#dims = dims
    this.#now = now
    this.#served = this.#empty({ fingerprint, oid: 0 })
  }

  /** The documents, with every write of this process and at most 250 ms old. */
  async upToDate(): Promise<MemoryIndex> {
    if (this.#loadedWrites !== this.#writes || this.#now() - this.#loadedAt >= REFRESH_MS) await this.#loadOnce()
    // A load under way may have begun before the last write; the next one has not.
    if (this.#loadedWrites !== this.#writes) await this.#loadOnce()
    return this.#served.memory
  }

  /** Whether the documents are those of the replica's own fingerprint. */
  get isOwn(): boolean {
    return this.#served.fingerprint === this.#fingerprint
  }

  async refresh(): Promise<void> {
    await this.#loadOnce()
    await this.#swapping
  }

  /** Makes the next read load the table. */
  markWritten(): void {
    this.#writes++
  }

  #empty(documents: Documents): Loaded {
    return { ...documents, memory: new MemoryIndex(this.#dims), seq: -1n }
  }

  #loadOnce(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined
    })
    return this.#loading
  }

  async #load(): Promise<void> {
    const startedAt = this.#now()
    const startedWrites = this.#writes
    // Read the oid before any row: rows read during a swap of tables then count as the former table's, and load again.
    const { seq, ...wanted } = await this.#table.serving()
    const isServed = wanted.fingerprint === this.#served.fingerprint && wanted.oid === this.#served.oid
    if (!isServed) {
      if (this.#served.seq < 0n) this.#served = this.#empty(wanted)
      else this.#swapOnce(wanted)
    }
    const isRead = isServed && seq !== undefined && seq <= this.#served.seq
    if (!isRead) await this.#follow(this.#served)
    this.#loadedAt = startedAt
    this.#loadedWrites = startedWrites
  }

  #swapOnce(wanted: Documents): void {
    this.#swapping ??= this.#swap(wanted)
      // The next load tries again.
      .catch(() => {})
      .finally(() => {
        this.#swapping = undefined
      })
  }

  async #swap(wanted: Documents): Promise<void> {
    const next = this.#empty(wanted)
    await this.#follow(next)
    this.#served = next
  }

  /** Reads on from the highest seq in memory. */
  async #follow(loaded: Loaded): Promise<void> {
    const isOwn = loaded.fingerprint === this.#fingerprint
    for (;;) {
      const { rows, isLast } = await this.#table.readPage(loaded.fingerprint, loaded.seq)
      for (const [i, { removed, vector, ...row }] of rows.entries()) {
        if (i > 0 && i % YIELD_ROWS === 0) await nextTick()
        loaded.seq = row.seq
        if (removed) loaded.memory.remove(row.itemId)
        else loaded.memory.put({ ...row, vector: vector !== null && isOwn ? vectorOf(vector) : null })
      }
      if (isLast) break
    }
  }
}
