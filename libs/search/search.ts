import type { Reading } from '@catalog/search/query/reading.ts'

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

export type SearchFilter = Readonly<{
  region?: string
  /** The document is in one of these. */
  categoryIds?: readonly string[]
}>

/** A candidate with what the scoring in fuse.ts needs; `cosine` is null when it was not found by vector. */
export type Candidate = Readonly<{
  itemId: string
  name: string
  body: string
  cosine: number | null
  /** Of name and body, where the index has it at hand. */
  reading?: Reading
}>

/**
 * A nearest-neighbour and word index over items.
 *
 * Promises, held by conformance.ts on every adapter: put and remove are idempotent and never replace a newer seq with an
 * older one; `nearest` and `lexical` return at most k live documents that pass the filter (`nearest` k of them where so
 * many exist); vectors of another fingerprint are never compared, and no vector is before the index holds all that another
 * one held.
 */
export interface SearchIndex {
  readonly adapter: string
  /** Names what it holds: of one adapter, one embedder and, where it stores them, one way to make words of a text. */
  readonly identity: string
  put(documents: readonly SearchDocument[]): Promise<void>
  remove(removed: readonly { readonly itemId: string; readonly seq: bigint }[]): Promise<void>
  /** By cosine, among the documents that have a vector of this index's fingerprint. */
  nearest(vector: Float32Array, k: number, filter?: SearchFilter): Promise<readonly Candidate[]>
  /**
   * By the terms of the query (see terms.ts: folded words, numbers and codes, the concepts that it names, sizes that are
   * sold as its own) and by its spelling; best first by the index's own ranking. In a large index a document that holds none
   * of the query's rarer terms is not found by those that many documents hold (see `leadingTerms`).
   */
  lexical(query: string, k: number, filter?: SearchFilter): Promise<readonly Candidate[]>
  /** Live documents, and how many of them hold each of these terms: what idf needs. */
  frequencies(terms: readonly string[]): Promise<{ readonly documents: number; readonly counts: readonly number[] }>
  /**
   * Whether readers find the documents of this fingerprint: until these are all that there are, they find the words of
   * another index, and `nearest` finds nothing. Cheap enough to be asked with every query.
   */
  isEmbedded(): Promise<boolean>
  /** The highest seq of this index's own; documents and vectors that readers find. */
  state(): Promise<{ readonly seq: bigint; readonly documents: number; readonly vectors: number }>
  /** Deletes another index of this adapter by its identity; false when it is none, or one that readers find words in. */
  drop(identity: string): Promise<boolean>
}

/**
 * The documents of a build, filled beside those that readers find. Both calls may be made again at any time, by another
 * process too.
 */
export interface BuildIndex extends SearchIndex {
  /**
   * Puts these documents in the place of the present ones, in one step: from here on every process reads and writes them,
   * without being told. The former ones stay as they are. Creates an index that is not there.
   *
   * Law: it holds every change that the present one holds, and no change is published until it resolves; whoever calls it
   * has fed it to the end and holds the changes still. Throws, and changes nothing, where the present one is ahead.
   */
  takeOver(): Promise<void>
  /** Deletes these documents, where there are any; false when readers find them, which then changes nothing. */
  discard(): Promise<boolean>
}
