import { setTimeout as delay } from 'node:timers/promises'
import { type Client, errors, type estypes } from '@elastic/elasticsearch'
import type { IndexAliases } from './aliases.ts'
import type { BulkEntry } from './documents.ts'
import { BULK, requestError } from './requests.ts'

/** 1 to 3 kB each at 128 dimensions; servers recommend request bodies of at most 5 to 15 MB. */
const BATCH_DOCUMENTS_MAX = 1_000
const BATCH_CHARS_MAX = 4 * 1024 * 1024
/** Delays between retries of entries that a busy server (429, 503) refused; then the batch fails. */
const RETRY_DELAYS_MS = [100, 300, 1_000, 3_000] as const
/** Refused documents in one error message. */
const ERRORS_SHOWN_MAX = 3

/** Feeds documents and tombstones through the alias of an index, which it creates when needed. */
export class BulkWriter {
  /** Batches sent by this process; readers refresh when it has changed. */
  writes = 0
  readonly #client: Client
  readonly #aliases: IndexAliases
  /** The index exists, as far as this process knows. */
  #exists = false

  constructor({ client, aliases }: { client: Client; aliases: IndexAliases }) {
    this.#client = client
    this.#aliases = aliases
  }

  async write(entries: readonly BulkEntry[]): Promise<void> {
    if (!this.#exists) await this.#aliases.create()
    this.#exists = true
    for (const batch of batches(entries)) {
      try {
        await this.#sendBatch(batch)
      } finally {
        this.writes++
      }
    }
  }

  /** Creates the index again at the next write. */
  forgetIndex(): void {
    this.#exists = false
  }

  /** Sends until every entry is in the index or outdated there; retries the entries that a busy server refuses. */
  async #sendBatch(batch: readonly BulkEntry[]): Promise<void> {
    let left = batch
    for (const delayMs of [...RETRY_DELAYS_MS, null]) {
      const { refused, reason } = await this.#sendOnce(left)
      if (refused.length === 0) return
      if (delayMs === null) throw new Error(`Elasticsearch, bulk: ${refused.length} documents refused, ${reason}`)
      left = refused
      await delay(delayMs)
    }
  }

  async #sendOnce(batch: readonly BulkEntry[]): Promise<{ refused: readonly BulkEntry[]; reason: string }> {
    let items: estypes.BulkResponse['items']
    try {
      // Require the alias, or the server would recreate a deleted index with a guessed mapping.
      const target = { index: this.#aliases.target, require_alias: true }
      items = (await this.#client.bulk({ ...target, operations: batch.flatMap(({ lines }) => lines) }, BULK)).items
    } catch (error) {
      if (error instanceof errors.ResponseError && isBusy(error.statusCode)) {
        return { refused: batch, reason: error.message }
      }
      throw requestError('bulk', error)
    }
    return this.#refusedOf(batch, items)
  }

  /** The entries to send again. Throws when the index is lost or an entry is invalid. */
  #refusedOf(batch: readonly BulkEntry[], items: estypes.BulkResponse['items']) {
    const refused: BulkEntry[] = []
    const invalid: string[] = []
    let reason = ''
    for (const [i, entry] of batch.entries()) {
      const { status, error } = items[i]?.index ?? { status: 0 }
      // A conflict means that a newer document or tombstone exists.
      if ((status >= 200 && status < 300) || status === 409) continue
      const problem = `${entry.itemId}: status ${status}, ${error?.type}: ${error?.reason}`
      if (status === 404) {
        this.forgetIndex()
        const { source } = this.#aliases
        throw new Error(
          `Elasticsearch, bulk: the index ${source} is lost and will be created and fed anew (${problem})`,
        )
      }
      if (isBusy(status)) {
        refused.push(entry)
        reason = problem
      } else invalid.push(problem)
    }
    if (invalid.length > 0) {
      const shown = invalid.slice(0, ERRORS_SHOWN_MAX).join('; ')
      throw new Error(`Elasticsearch, bulk: ${invalid.length} refused: ${shown}`)
    }
    return { refused, reason }
  }
}

/** Cuts the entries by number and by size, in order. */
function* batches(entries: readonly BulkEntry[]): Generator<readonly BulkEntry[]> {
  let batch: BulkEntry[] = []
  let chars = 0
  for (const entry of entries) {
    const size = entry.lines[0].length + entry.lines[1].length
    if (batch.length === BATCH_DOCUMENTS_MAX || (batch.length > 0 && chars + size > BATCH_CHARS_MAX)) {
      yield batch
      batch = []
      chars = 0
    }
    batch.push(entry)
    chars += size
  }
  if (batch.length > 0) yield batch
}

function isBusy(status: number | undefined): boolean {
  return status === 429 || status === 503
}
