import { setTimeout as delay } from 'node:timers/promises'
import type { PublicState } from '@catalog/core/events/items.ts'
import { foldText } from '@catalog/core/text.ts'
import { type Embedder, EmbedderUnavailable } from '@catalog/embed/embed.ts'
import type { SearchDocument, SearchIndex } from '@catalog/search/search.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  type Change,
  categoryPaths,
  changesFrom,
  forgetIndex,
  moveSearchCheckpoint,
  readSearchCheckpoint,
  recordFeeder,
} from '@catalog/store/search/search-docs.ts'

type Feeder = { readonly store: Store; readonly index: SearchIndex; readonly embedder: Embedder | null }

/**
 * Feeds the index until the signal aborts. An embedding provider that is away or over budget delays the index alone.
 * The feeder retries when the provider said it may be back, after ten minutes at most, and calls `onWait` each time.
 *
 * Throws what the store and the index throw.
 */
export async function followChanges({
  signal,
  onWait,
  ...feeder
}: Feeder & {
  signal: AbortSignal
  onWait: (error: EmbedderUnavailable, waitMs: number) => void
}): Promise<void> {
  let lookedMs = performance.now()
  while (!signal.aborted) {
    let waitMs = POLL_MS
    try {
      const looks = performance.now() > lookedMs + LOOK_MS
      if (looks) lookedMs = performance.now()
      const { applied } = await feedIndex({ ...feeder, signal, looks })
      if (applied > 0) continue
    } catch (error) {
      if (!(error instanceof EmbedderUnavailable)) throw error
      waitMs = Math.min(Math.max(WAIT_MS_MIN, error.retryAfterSeconds * 1000), WAIT_MS_MAX)
      onWait(error, waitMs)
    }
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}

/** How often an idle feeder sees whether somebody deleted the index. */
const LOOK_MS = 20_000
/** How often the feeder looks for changes. With the projector's poll, a publication shows within 250 ms. */
const POLL_MS = 100
const WAIT_MS_MIN = 1_000
/** Bounds how long a raised budget or a repaired provider goes unnoticed. */
const WAIT_MS_MAX = 600_000

/**
 * Feeds the search index with the catalog's changes up to their end or until the signal aborts. Returns how many
 * changes it applied, and whether it reached the end. Without an embedder the documents have no vectors.
 *
 * Law: the index holds a batch before the checkpoint moves past it. A crash in between sends the batch again, which is
 * idempotent. Each pair of adapter and embedder has an index and a checkpoint of its own, so processes with two
 * embedders feed theirs side by side. An index that lost documents is fed again from the first change. At the end of
 * the changes, the feeder drops indexes that no process feeds any more, after a grace period.
 *
 * `looks`: ask the index also when there is nothing to feed. An idle feeder that does not costs one read of two small tables.
 *
 * Throws what embedder and index throw, EmbedderUnavailable included. The checkpoint then stands before the batch.
 */
export async function feedIndex({
  store,
  index,
  embedder,
  signal,
  looks = false,
}: Feeder & { signal?: AbortSignal; looks?: boolean }): Promise<{
  readonly applied: number
  readonly reachedEnd: boolean
}> {
  const { identity } = index
  let applied = 0
  let indexLooked = false
  while (!signal?.aborted) {
    const { next: from, isSeen } = await readSearchCheckpoint(store, identity)
    const changes = await changesFrom(store, { next: from, max: BATCH_CHANGES })
    const last = changes.at(-1)
    if (!indexLooked && (looks || last !== undefined)) {
      indexLooked = true
      if ((await index.state()).seq < from - 1n) {
        await moveSearchCheckpoint(store, { identity, from, to: 0n })
        continue
      }
    }
    if (last === undefined) {
      if (!isSeen) await dropUnfed(store, index)
      return { applied, reachedEnd: true }
    }
    const documents = await documentsOf(changes, { store, embedder, ...(signal && { signal }) })
    if (documents === 'aborted') break
    await send(documents, index)
    // Another feeder may have been faster and sent the same documents. Go on after it.
    if (await moveSearchCheckpoint(store, { identity, from, to: last.seq + 1n })) applied += changes.length
  }
  return { applied, reachedEnd: false }
}

/** Runs about once an hour. */
async function dropUnfed(store: Store, index: SearchIndex): Promise<void> {
  for (const identity of await recordFeeder(store, index.identity)) {
    if (await index.drop(identity)) await forgetIndex(store, identity)
  }
}

/** Changes in one transaction of the index: about 1.5 MB of JSON with vectors of 128 dimensions. */
const BATCH_CHANGES = 1_000
/** Texts in one call of the embedder: few enough for a quick abort and for remote providers. */
const EMBED_TEXTS = 256

type Fed = SearchDocument | { readonly itemId: string; readonly seq: bigint; readonly removed: true }

/** The documents of the index after these changes, in the order of seq: only an item's last change counts. */
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
    try {
      vectors.push(...(embedder ? await embedder.embed(names, 'document', signal) : names.map(() => null)))
    } catch (error) {
      if (signal?.aborted) return 'aborted'
      throw error
    }
  }
  const vectorOf = new Map(upserts.map(({ itemId }, i) => [itemId, vectors[i] ?? null]))

  return latest.map(({ itemId, seq, state }): Fed => {
    if (state === null) return { itemId, seq, removed: true }
    const { name, unit, category_id: categoryId } = state.item
    const path = categoryId === null ? undefined : paths.get(categoryId)
    const vector = vectorOf.get(itemId) ?? null
    return {
      itemId,
      seq,
      name,
      otherNames: otherNamesOf(state),
      body: foldText([unit, path].filter(Boolean).join(' ')),
      unit,
      regions: state.regions,
      categoryId,
      kind: state.kind ?? null,
      vector,
    }
  })
}

/** The names of an item beside its headline, each once. */
function otherNamesOf({ item, names = [] }: PublicState): string[] {
  const known = new Map([[foldText(item.name), item.name]])
  for (const { name } of names) if (!known.has(foldText(name))) known.set(foldText(name), name)
  return [...known.values()].slice(1)
}

/** Puts and removes in runs, so that seq rises from call to call: readers of an index may follow it by seq. */
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
