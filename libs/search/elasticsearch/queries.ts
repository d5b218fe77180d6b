import { leadingTerms, type QueryTerm, rareWords } from '@catalog/search/query/terms.ts'
import { idfOf, TERM_SATURATION, TRIGRAM_COSINE_MIN, trigramsOf } from '@catalog/search/query/text.ts'
import type { SearchFilter } from '@catalog/search/search.ts'
import type { estypes } from '@elastic/elasticsearch'

export type Query = NonNullable<estypes.SearchRequest['query']>

export const LIVE: Query = { term: { removed: false } }

/** Minimum breadth of the graph search: the usual 1.5 candidates a result find fewer among similar names. */
const CANDIDATES_MIN = 500
const CANDIDATES_PER_RESULT = 3
/** Limit of the server. */
const CANDIDATES_MAX = 10_000

/** What a request returns of each hit: id and seq from columns, because to load a document takes longer than to find it. */
const ID_ONLY = { stored_fields: '_none_', docvalue_fields: ['item_id', 'seq'] } satisfies estypes.SearchRequest

/** The k nearest documents by cosine. */
export function nearestRequest(vector: Float32Array, k: number, filter?: SearchFilter): estypes.SearchRequest {
  return {
    size: k,
    ...ID_ONLY,
    track_total_hits: false,
    knn: {
      field: 'vector',
      query_vector: Array.from(vector),
      k,
      num_candidates: Math.min(CANDIDATES_MAX, Math.max(CANDIDATES_MIN, CANDIDATES_PER_RESULT * k)),
      // Filter inside the clause: a filter beside it would apply to the k nearest and leave fewer.
      filter: filters(filter),
      // Find candidates by rounded components and score them by exact ones, for one ranking in every index.
      rescore_vector: { oversample: CANDIDATES_PER_RESULT },
    },
  }
}

/**
 * The k best documents by words: BM25 of the terms, plus the spelling of rare words. `counts` has the documents with each
 * term, of `documents` in all.
 */
export function lexicalRequest(
  terms: readonly QueryTerm[],
  { documents, counts }: { documents: number; counts: readonly number[] },
  { k, filter }: { k: number; filter: SearchFilter | undefined },
): estypes.SearchRequest {
  const idfs = counts.map((count) => idfOf({ documents, count }))
  const leads = leadingTerms(counts, { documents, wanted: k })
  const [leading, other] = [true, false].map((is) => anyTerm(terms, idfs, (i) => leads[i] === is)) as [Query, Query]
  return {
    size: k,
    ...ID_ONLY,
    // Without a total, the server skips documents that cannot be among the best.
    track_total_hits: false,
    query: {
      bool: {
        filter: [LIVE, ...filters(filter)],
        must: [{ bool: { should: [leading, ...similarSpelling(trigramsOf(rareWords(terms, counts)))] } }],
        should: [other],
      },
    },
    sort: [{ _score: { order: 'desc' } }, { item_id: 'asc' }],
  }
}

/** Documents with some of the terms, scored by BM25 as a share of the whole query's weight. */
function anyTerm(terms: readonly QueryTerm[], idfs: readonly number[], isTaken: (i: number) => boolean): Query {
  const total = terms.reduce((sum, { weight }, i) => sum + weight * (idfs[i] as number), 0)
  // The server itself multiplies by the idf.
  const taken = terms.filter((_, i) => isTaken(i))
  if (taken.length === 0) return { match_none: {} }
  return { bool: { should: taken.map(({ term, weight }) => hasTerm(term, (weight * (TERM_SATURATION + 1)) / total)) } }
}

/** Documents with a name spelled like the query, scored by the cosine of the trigram sets. */
function similarSpelling(trigrams: ReadonlySet<string>): Query[] {
  if (trigrams.size === 0) return []
  const should = [...trigrams].map((trigram) => ({ constant_score: { filter: { term: { trigrams: trigram } } } }))
  return [
    {
      function_score: {
        // A document with the minimum cosine shares at least so many trigrams: most documents need no score.
        query: { bool: { should, minimum_should_match: Math.ceil(TRIGRAM_COSINE_MIN ** 2 * trigrams.size) } },
        functions: [{ field_value_factor: { field: 'trigram_scale', factor: 1 / Math.sqrt(trigrams.size) } }],
        boost_mode: 'multiply',
        min_score: TRIGRAM_COSINE_MIN,
      },
    },
  ]
}

export function hasTerm(value: string, boost = 1): Query {
  return { term: { tokens: { value, boost } } }
}

function filters({ region, categoryIds, kind, itemIds }: SearchFilter = {}): Query[] {
  return [
    ...(region === undefined ? [] : [{ term: { regions: region } }]),
    ...(categoryIds === undefined ? [] : [{ terms: { category_id: [...categoryIds] } }]),
    ...(kind === undefined ? [] : [{ term: { kind } }]),
    ...(itemIds === undefined ? [] : [{ terms: { item_id: [...itemIds] } }]),
  ]
}
