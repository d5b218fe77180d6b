import { fold } from '@catalog/core/events.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { SearchDocument, SearchIndex } from '@catalog/search/search.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  type Change,
  categoryPaths,
  changesFrom,
  moveSearchCheckpoint,
  readSearchCheckpoint,
} from '@catalog/store/search.ts'

/**
 * Feeds the search index from the changes of the catalog until it is at their end or the signal aborts. Returns how many
 * changes were applied, and whether the end was reached. Without an embedder the documents have no vectors.
 *
 * Law: a batch is in the index before the checkpoint moves past it. A crash between the two sends the batch again, which
 * changes nothing. Documents that were made for another embedder or another kind of index, or that the index has lost,
 * are all fed again from the first change; until then the index answers with what it has.
 *
 * Throws what embedder and index throw (EmbedderUnavailable among them); the checkpoint then stands before the batch.
 */
export async function feedIndex({
  store,
  index,
  embedder,
  signal,
}: {
  store: Store
  index: SearchIndex
  embedder: Embedder | null
  signal?: AbortSignal
}): Promise<{ readonly applied: number; readonly reachedEnd: boolean }> {
  const fedFor = `${index.adapter} ${embedder?.fingerprint ?? 'none'}`
  let applied = 0
  let indexLooked = false
  while (!signal?.aborted) {
    const from = await readSearchCheckpoint(store)
    if (from.fedFor !== fedFor && from.next > 0n) {
      await moveSearchCheckpoint(store, { from, to: { next: 0n, fedFor } })
      continue
    }
    const changes = await changesFrom(store, { next: from.next, max: BATCH_CHANGES })
    const last = changes.at(-1)
    if (last === undefined) return { applied, reachedEnd: true }
    if (!indexLooked) {
      // Looked at only when there is something to feed: an idle feeder costs one read of two small tables.
      indexLooked = true
      if ((await index.state()).seq < from.next - 1n) {
        await moveSearchCheckpoint(store, { from, to: { next: 0n, fedFor } })
        continue
      }
    }
    const documents = await documentsOf(changes, { store, embedder, ...(signal && { signal }) })
    if (documents === 'aborted') break
    await send(documents, index)
    // Another feeder may have been faster; then the same documents were sent twice, and the loop goes on behind it.
    if (await moveSearchCheckpoint(store, { from, to: { next: last.seq + 1n, fedFor } })) applied += changes.length
  }
  return { applied, reachedEnd: false }
}

/** One transaction's worth for the index: about 1.5 MB as JSON with vectors of 128 dimensions. */
const BATCH_CHANGES = 1_000
/** Texts in one call of the embedder: small enough that an abort is soon seen and a remote provider takes it. */
const EMBED_TEXTS = 256

type Fed = SearchDocument | { readonly itemId: string; readonly seq: bigint; readonly removed: true }

/** What the index shall hold of each item after these changes, in the order of seq: only its last change counts. */
async function documentsOf(
  changes: readonly Change[],
  { store, embedder, signal }: { store: Store; embedder: Embedder | null; signal?: AbortSignal },
): Promise<readonly Fed[] | 'aborted'> {
  const lastSeq = new Map(changes.map(({ itemId, seq }) => [itemId, seq]))
  const latest = changes.filter(({ itemId, seq }) => lastSeq.get(itemId) === seq)
  const upserts = latest.flatMap(({ itemId, state }) => (state ? [{ itemId, item: state.item }] : []))
  const paths = await categoryPaths(store, [...new Set(upserts.flatMap(({ item }) => item.category_id ?? []))])

  const vectors: (Float32Array | null)[] = []
  for (let at = 0; at < upserts.length; at += EMBED_TEXTS) {
    if (signal?.aborted) return 'aborted'
    const names = upserts.slice(at, at + EMBED_TEXTS).map(({ item }) => item.name)
    vectors.push(...(embedder ? await embedder.embed(names, 'document') : names.map(() => null)))
  }
  const vectorOf = new Map(upserts.map(({ itemId }, i) => [itemId, vectors[i] ?? null]))

  return latest.map(({ itemId, seq, state }): Fed => {
    if (state === null) return { itemId, seq, removed: true }
    const { name, unit, category_id: categoryId } = state.item
    const path = categoryId === null ? undefined : paths.get(categoryId)
    return {
      itemId,
      seq,
      name,
      body: fold([unit, path].filter(Boolean).join(' ')),
      regions: state.regions,
      categoryId,
      vector: vectorOf.get(itemId) ?? null,
    }
  })
}

/** Puts and removes in runs, so that the calls rise in seq: readers of an index may follow it by seq. */
async function send(documents: readonly Fed[], index: SearchIndex): Promise<void> {
  let at = 0
  while (at < documents.length) {
    const removing = 'removed' in (documents[at] as Fed)
    let end = at
    while (end < documents.length && 'removed' in (documents[end] as Fed) === removing) end++
    const run = documents.slice(at, end)
    if (removing) await index.remove(run)
    else await index.put(run as readonly SearchDocument[])
    at = end
  }
}
