import type { Embedder } from '@catalog/embed/embed.ts'
import { type BuildIndex, expectDims, type SearchIndex } from '@catalog/search/search.ts'
import type { Store } from '@catalog/store/db.ts'
import { MemoryReplica } from './replica.ts'
import { DocumentTable, IDENTITY_PREFIX } from './table.ts'

type ExactOptions = Readonly<{
  store: Store
  /** Null: documents have no vectors. */
  embedder: Pick<Embedder, 'fingerprint' | 'dims'> | null
  /** A monotonic clock in milliseconds. */
  now: () => number
}>

/**
 * The embedded index: the table search_docs stores documents and vectors, and every searching process follows it in
 * memory. It scans exactly, so it is also the reference for the recall of other adapters.
 *
 * Each embedder has an index of its own. A new one fills beside the others. Until it has all their documents, its readers
 * find words in the newest filled index, and no vectors.
 *
 * Law: one feeder writes an index, with rising seqs in its calls of put and remove; only a feeder that starts over, for a
 * lost index, returns to lower ones. So a reader that follows by `seq >` misses nothing.
 */
export function openExactIndex({ store, embedder, now }: ExactOptions): SearchIndex & {
  /** Reads the table now; queries do so when the last read is 250 ms old. */
  refresh(): Promise<void>
} {
  const fingerprint = embedder?.fingerprint ?? 'none'
  const dims = embedder?.dims ?? 0
  const table = new DocumentTable(store, fingerprint)
  const replica = new MemoryReplica(table, { fingerprint, dims, now })

  async function updateFilled(): Promise<void> {
    replica.markWritten()
    if (await table.updateFilled()) replica.markWritten()
  }

  return {
    adapter: 'exact',
    identity: table.identity,
    refresh: () => replica.refresh(),
    async put(documents) {
      for (const { vector, itemId } of documents) if (vector !== null) expectDims(vector, dims, itemId)
      await table.put(documents)
      await updateFilled()
    },
    async remove(removed) {
      await table.remove(removed)
      await updateFilled()
    },
    async nearest(vector, k, filter) {
      expectDims(vector, dims, 'the query')
      return (await replica.upToDate()).nearest(vector, k, filter)
    },
    async lexical(query, k, filter) {
      return (await replica.upToDate()).lexical(query, k, filter)
    },
    async frequencies(terms) {
      return (await replica.upToDate()).frequencies(terms)
    },
    async isEmbedded() {
      await replica.upToDate()
      return replica.isOwn
    },
    // Counts in the table: a process that only feeds or reports never loads the documents.
    async state() {
      const serving = await table.servingFingerprint()
      const { documents, vectors } = await table.count(serving)
      return { seq: await table.highestSeq(), documents, vectors: serving === fingerprint ? vectors : 0 }
    },
    async drop(identity) {
      if (!identity.startsWith(IDENTITY_PREFIX)) return false
      if (identity === `${IDENTITY_PREFIX}${await table.servingFingerprint()}`) return false
      await table.drop(identity)
      return true
    },
  }
}

/** The index of a build on its own store: the build's schema replaces or discards its documents with the other tables. */
export function openExactBuild(options: ExactOptions): BuildIndex {
  return { ...openExactIndex(options), takeOver: async () => {}, discard: async () => true }
}
