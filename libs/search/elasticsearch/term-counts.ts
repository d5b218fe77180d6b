import type { estypes } from '@elastic/elasticsearch'
import type { StoredDocument } from './documents.ts'
import { hasTerm, LIVE } from './queries.ts'

/** Counts are at most this old, and fresh after a write of this process. */
const COUNTS_AGE_MAX_MS = 10_000
const TERMS_MAX = 20_000

/** Live documents, and how many of them have each term. */
type Counts = Readonly<{ documents: number; counts: ReadonlyMap<string, number> }>

export type Find = (index: string, request: estypes.SearchRequest) => Promise<estypes.SearchResponse<StoredDocument>>

/**
 * Caches document frequencies. One request counts all new terms of a search: frequencies change slowly, and counting takes
 * as long as searching.
 */
export class TermCounts {
  readonly #find: Find
  #cache = { index: '', writes: -1, startedAt: 0, terms: new Map<string, Promise<Counts>>() }

  constructor(find: Find) {
    this.#find = find
  }

  /** `writes` invalidates counts from before the last write. */
  async frequencies(
    terms: readonly string[],
    { index, writes }: { index: string; writes: number },
  ): Promise<{ documents: number; counts: number[] }> {
    const { startedAt } = this.#cache
    const isStale = this.#cache.writes !== writes || this.#cache.index !== index
    if (isStale || performance.now() - startedAt >= COUNTS_AGE_MAX_MS || this.#cache.terms.size > TERMS_MAX) {
      this.#cache = { index, writes, startedAt: performance.now(), terms: new Map() }
    }
    const cached = this.#cache.terms
    const missing = terms.filter((term) => !cached.has(term))
    if (missing.length > 0 || terms.length === 0) {
      const counting = this.#count(index, missing)
      for (const term of missing) cached.set(term, counting)
      await counting.catch((error) => {
        for (const term of missing) cached.delete(term)
        throw error
      })
      if (terms.length === 0) return { documents: (await counting).documents, counts: [] }
    }
    const answers = await Promise.all(terms.map((term) => cached.get(term) ?? this.#count(index, [term])))
    const counts = terms.map((term, i) => answers[i]?.counts.get(term) ?? 0)
    return { documents: Math.max(...answers.map(({ documents }) => documents)), counts }
  }

  async #count(index: string, terms: readonly string[]): Promise<Counts> {
    const response = await this.#find(index, {
      size: 0,
      track_total_hits: true,
      query: LIVE,
      ...(terms.length > 0 && { aggs: { counts: { filters: { filters: terms.map((term) => hasTerm(term)) } } } }),
    })
    const aggregate = response.aggregations?.counts as estypes.AggregationsFiltersAggregate | undefined
    const buckets = (aggregate?.buckets ?? []) as estypes.AggregationsFiltersBucket[]
    return {
      documents: totalOf(response),
      counts: new Map(terms.map((term, i) => [term, buckets[i]?.doc_count ?? 0])),
    }
  }
}

export function totalOf({ hits: { total } }: estypes.SearchResponse<StoredDocument>): number {
  return typeof total === 'number' ? total : (total?.value ?? 0)
}
