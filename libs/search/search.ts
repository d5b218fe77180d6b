/** What the index holds of one item. `seq` is the change it was made from. */
export type SearchDocument = Readonly<{
  itemId: string
  seq: bigint
  name: string
  /** Further words to find it by: folded category path, unit, synonyms from vendors. */
  body: string
  regions: readonly string[]
  categoryId: string | null
  /** Unit length; null when nothing of the text can be embedded. */
  vector: Float32Array | null
}>

export type SearchFilter = Readonly<{ region?: string; categoryId?: string }>

/** A candidate with what the scoring in fuse.ts needs; `cosine` is null when it was not found by vector. */
export type Candidate = Readonly<{
  itemId: string
  name: string
  body: string
  cosine: number | null
}>

/**
 * A nearest-neighbour and word index over items.
 *
 * Promises, held by conformance.ts on every adapter: put and remove are idempotent and never replace a newer seq with an
 * older one; `nearest` and `lexical` return at most k live documents that pass the filter (k of them where so many
 * exist); `seq` is the highest seq put or removed. Vectors of another fingerprint are never compared.
 */
export interface SearchIndex {
  readonly adapter: string
  put(documents: readonly SearchDocument[]): Promise<void>
  remove(removed: readonly { readonly itemId: string; readonly seq: bigint }[]): Promise<void>
  nearest(vector: Float32Array, k: number, filter?: SearchFilter): Promise<readonly Candidate[]>
  /** By folded words, numbers and codes of the query; best first by the index's own ranking. */
  lexical(query: string, k: number, filter?: SearchFilter): Promise<readonly Candidate[]>
  /** Live documents, and how many of them hold each of these folded tokens: what idf needs. */
  frequencies(tokens: readonly string[]): Promise<{ readonly documents: number; readonly counts: readonly number[] }>
  state(): Promise<{ readonly seq: bigint; readonly documents: number; readonly vectors: number }>
}
