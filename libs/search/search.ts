import type { Reading } from '@catalog/search/query/reading.ts'

/** The indexed form of one item. `seq` is the change that it comes from. */
export type SearchDocument = Readonly<{
  itemId: string
  seq: bigint
  name: string
  /** What else its vendors call it, in any language; absent without one. */
  otherNames?: readonly string[]
  /** Further search words: folded category path and unit. */
  body: string
  /** What one price buys, as shown: "25 kg". */
  unit?: string | null
  regions: readonly string[]
  categoryId: string | null
  /** Material, labour, machinery, hire or work; null where its texts do not say. */
  kind?: string | null
  /** A unit vector; null when the embedder returned none. */
  vector: Float32Array | null
}>

/** A filled index that lags the serving one by more changes has missed a batch and must be refilled. */
export const LAG_CHANGES_MAX = 1_000n

/** Throws RangeError unless the vector, of the named document or query, has `dims` components. */
export function expectDims(vector: Float32Array, dims: number, of: string): void {
  if (vector.length !== dims) throw new RangeError(`vector of ${of}: ${vector.length} components, expected ${dims}`)
}

export type SearchFilter = Readonly<{
  region?: string
  /** Admits documents of any of these categories. */
  categoryIds?: readonly string[]
  kind?: string
  /** Admits these alone, at most {@link FILTER_IDS_MAX}. */
  itemIds?: readonly string[]
}>

/** Ids in a filter: Elasticsearch takes 65,536, and every id is sent with every request. */
export const FILTER_IDS_MAX = 5_000

/** A candidate with the input of fuse.ts; `cosine` is null without a vector match. */
export type Candidate = Readonly<{
  itemId: string
  name: string
  otherNames?: readonly string[]
  body: string
  unit?: string | null
  kind?: string | null
  cosine: number | null
  /** The reading of its texts, where the index has it. */
  reading?: Reading
}>

/**
 * A nearest-neighbour and word index of items.
 *
 * Every adapter keeps these promises, tested by infra/stack/conformance/search-index.ts:
 *
 * - put and remove are idempotent, and an older seq never replaces a newer one;
 * - `nearest` and `lexical` return at most k live documents that pass the filter, and `nearest` k where so many exist;
 * - it never compares vectors of different fingerprints, and uses none before it holds all documents of the former
 *   index.
 */
export interface SearchIndex {
  readonly adapter: string
  /** Names adapter, embedder and, for stored terms, their text version. */
  readonly identity: string
  put(documents: readonly SearchDocument[]): Promise<void>
  remove(removed: readonly { readonly itemId: string; readonly seq: bigint }[]): Promise<void>
  /** Ranks by cosine the documents with a vector of this index's fingerprint. */
  nearest(vector: Float32Array, k: number, filter?: SearchFilter): Promise<readonly Candidate[]>
  /**
   * Ranks by the terms of the query (terms.ts: words, numbers, codes, concepts, nominal sizes) and by its spelling,
   * best first. A large index finds no document by the query's frequent terms alone (see `leadingTerms`).
   */
  lexical(query: string, k: number, filter?: SearchFilter): Promise<readonly Candidate[]>
  /** Live documents, and how many of them have each term: the input of idf. */
  frequencies(terms: readonly string[]): Promise<{ readonly documents: number; readonly counts: readonly number[] }>
  /**
   * Whether readers use this fingerprint. Until it covers all documents, they find words in another index, and
   * `nearest` finds nothing. Cheap enough to call with every query.
   */
  isEmbedded(): Promise<boolean>
  /** The highest seq of this index; documents and vectors that readers see. */
  state(): Promise<{ readonly seq: bigint; readonly documents: number; readonly vectors: number }>
  /** Deletes another index of this adapter by identity; false when it does not exist or readers search it. */
  drop(identity: string): Promise<boolean>
}

/**
 * The index of a build, filled beside the index that readers use. Both calls may be repeated, also by another process.
 */
export interface BuildIndex extends SearchIndex {
  /**
   * Replaces the present index by this one in one step: from then on every process reads and writes it. The former
   * index remains. Creates a missing index.
   *
   * Law: this index holds every change of the present one, and no change is published until the call resolves. The
   * caller has fed it to the end and blocks further changes. Throws, without a change, where the present index is
   * ahead.
   */
  takeOver(): Promise<void>
  /** Deletes these documents, if any; false, without a change, when readers use them. */
  discard(): Promise<boolean>
}
