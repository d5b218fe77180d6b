import type { Candidate } from '@catalog/search/search.ts'
import type { estypes } from '@elastic/elasticsearch'
import { LRUCache } from 'lru-cache'
import { candidateOf, RESULT_FIELDS, type StoredDocument } from './documents.ts'
import type { Find } from './term-counts.ts'

/** Documents kept; some 2 kB each with what was read from them. */
const DOCUMENTS_MAX = 50_000

/** A hit of nearestRequest or lexicalRequest. */
export type IdHit = Readonly<{ itemId: string; seq: number; score: number }>

export function idHitOf({ fields, _score }: estypes.SearchHit): IdHit {
  const { item_id, seq } = fields as { item_id: [string]; seq: [number] }
  return { itemId: item_id[0], seq: seq[0], score: _score ?? 0 }
}

/**
 * The documents of results. Keeps those that were shown last, with their seq: a document of another seq is fetched again, so
 * results are as new as the hits.
 */
export class ResultDocuments {
  readonly #find: Find
  readonly #kept = new LRUCache<string, { seq: number; shown: Candidate }>({ max: DOCUMENTS_MAX })

  constructor(find: Find) {
    this.#find = find
  }

  /** The documents of these hits, in their order and without a cosine; leaves out those that left the index meanwhile. */
  async of(index: string, hits: readonly IdHit[]): Promise<readonly Readonly<{ hit: IdHit; shown: Candidate }>[]> {
    const keyOf = (itemId: string) => `${index} ${itemId}`
    const missing = hits.filter(({ itemId, seq }) => this.#kept.get(keyOf(itemId))?.seq !== seq)
    const fetched = missing.length === 0 ? new Map<string, Candidate>() : await this.#fetch(index, missing)
    for (const { itemId, seq } of missing) {
      const shown = fetched.get(itemId)
      if (shown !== undefined) this.#kept.set(keyOf(itemId), { seq, shown })
    }
    return hits.flatMap((hit) => {
      const shown = fetched.get(hit.itemId) ?? this.#kept.get(keyOf(hit.itemId))?.shown
      return shown === undefined ? [] : [{ hit, shown }]
    })
  }

  async #fetch(index: string, hits: readonly IdHit[]): Promise<Map<string, Candidate>> {
    const { hits: found } = await this.#find(index, {
      size: hits.length,
      _source: RESULT_FIELDS,
      track_total_hits: false,
      query: {
        bool: { filter: [{ terms: { item_id: hits.map(({ itemId }) => itemId) } }, { term: { removed: false } }] },
      },
    })
    return new Map(
      found.hits.map((hit) => {
        const shown = candidateOf(hit as estypes.SearchHit<StoredDocument>)
        return [shown.itemId, shown]
      }),
    )
  }
}
