import { foldText } from '@catalog/core/text.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { dots } from '@catalog/research/embedder/kernels.ts'

/**
 * Takes an index once, then any queries: for each query the scores of every entry. It may reuse the array for the next
 * query.
 */
export type Scorer = (
  index: readonly string[],
) => (queries: readonly string[]) => Iterable<ArrayLike<number>> | AsyncIterable<ArrayLike<number>>

/** Cosines of the vectors of texts; a text without a vector scores 0 everywhere. */
export function vectorScorer({ embed, dims }: Pick<Embedder, 'embed' | 'dims'>): Scorer {
  return (index) => {
    const opening = embed(index, 'document').then((vectors) => openCosines(vectors, dims))
    return async function* (queries) {
      yield* (await opening)(await embed(queries, 'query'))
    }
  }
}

type Vector = Float32Array | null

/** Takes unit vectors once, then any queries: their cosines to each vector, as a {@link Scorer} gives scores. */
function openCosines(index: readonly Vector[], dims: number): (queries: readonly Vector[]) => Iterable<Float32Array> {
  const rows = rowsOf(index, dims)
  const cosines = new Float32Array(index.length)
  return function* (queries) {
    for (const query of queries) {
      dots(rowsOf([query], dims), rows, cosines, dims)
      yield cosines
    }
  }
}

/** The vectors as rows of one matrix; a missing vector is a row of zeros. */
function rowsOf(vectors: readonly Vector[], dims: number): Float32Array {
  const rows = new Float32Array(vectors.length * dims)
  for (const [i, vector] of vectors.entries()) if (vector) rows.set(vector, i * dims)
  return rows
}

/** Okapi BM25 over folded words, including numbers and codes. */
export const bm25Scorer: Scorer = (index) => {
  const lists = index.map((text) => runs(text))
  const mean = lists.reduce((sum, { length }) => sum + length, 0) / Math.max(1, index.length)
  return sparseScores({
    query: (text) => new Map(runs(text).map((word) => [word, 1])),
    entries: lists.map(counted),
    weight: ({ count, documents, entry }) => {
      const length = (lists[entry] as string[]).length / mean
      const idf = Math.log(1 + (index.length - documents + 0.5) / (documents + 0.5))
      return (idf * count * (BM25_K1 + 1)) / (count + BM25_K1 * (1 - BM25_B + BM25_B * length))
    },
  })
}
const BM25_K1 = 1.2
const BM25_B = 0.75

/** Cosine of n-grams of 3 to 5 characters inside words with marked ends, weighted by smooth idf. */
export const ngramScorer: Scorer = (index) => {
  const entries = index.map((text) => counted(ngrams(text)))
  const documents = new Map<string, number>()
  for (const gram of entries.flatMap((grams) => [...grams.keys()])) documents.set(gram, (documents.get(gram) ?? 0) + 1)
  const idf = (gram: string) => Math.log((1 + index.length) / (1 + (documents.get(gram) ?? 0))) + 1
  const weighted = (counts: ReadonlyMap<string, number>) => {
    const weights = Array.from(counts, ([gram, count]) => [gram, count * idf(gram)] as const)
    const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0))
    return new Map(weights.map(([gram, weight]) => [gram, weight / length]))
  }
  return sparseScores({
    query: (text) => weighted(counted(ngrams(text))),
    entries: entries.map(weighted),
    weight: ({ count }) => count,
  })
}

function ngrams(text: string): string[] {
  return runs(text).flatMap((word) => {
    const marked = ` ${word} `
    return [3, 4, 5].flatMap((n) =>
      Array.from({ length: Math.max(0, marked.length - n + 1) }, (_, at) => marked.slice(at, at + n)),
    )
  })
}

const runs = (text: string): string[] => foldText(text).match(/[a-z0-9]+/g) ?? []

function counted(features: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  return counts
}

type Features = ReadonlyMap<string, number>
type Posting = Readonly<{ entry: number; count: number }>

/** Σ over the shared features of a query and an entry: the query's weight × `weight` of the entry's posting. */
function sparseScores({
  query,
  entries,
  weight,
}: {
  query: (text: string) => Features
  entries: readonly Features[]
  weight: (posting: Posting & { documents: number }) => number
}): (queries: readonly string[]) => Iterable<ArrayLike<number>> {
  const postings = new Map<string, Posting[]>()
  for (const [entry, features] of entries.entries()) {
    for (const [feature, count] of features) {
      const list = postings.get(feature)
      if (list) list.push({ entry, count })
      else postings.set(feature, [{ entry, count }])
    }
  }
  const scores = new Float64Array(entries.length)
  return function* (queries) {
    for (const text of queries) {
      scores.fill(0)
      for (const [feature, queryWeight] of query(text)) {
        const list = postings.get(feature) ?? []
        for (const { entry, count } of list) {
          const gain = queryWeight * weight({ entry, count, documents: list.length })
          scores[entry] = (scores[entry] as number) + gain
        }
      }
      yield scores
    }
  }
}
