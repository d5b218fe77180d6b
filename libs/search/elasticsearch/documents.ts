import { Reading, type StoredReading } from '@catalog/search/query/reading.ts'
import { documentTerms, documentTrigrams } from '@catalog/search/query/terms.ts'
import type { Candidate, SearchDocument } from '@catalog/search/search.ts'
import type { estypes } from '@elastic/elasticsearch'

/** The stored fields that readers get back; `seq` is a text, because JSON numbers end at 2^53. */
export type StoredDocument = Readonly<{
  item_id: string
  seq: string
  name: string
  other_names?: readonly string[]
  body: string
  unit?: string | null
  kind?: string | null
  reading?: string
}>

/** The fields of a search result. */
export const RESULT_FIELDS = ['item_id', 'name', 'other_names', 'body', 'unit', 'kind', 'reading']

/** A document or tombstone as the two lines of a bulk request. */
export type BulkEntry = Readonly<{ itemId: string; seq: bigint; lines: readonly [string, string] }>

/** Increase it with every change of {@link entryOf}: all documents are then indexed anew. */
export const DOCUMENT_VERSION = 5

/** Readers lag by at most this much, as readers of the exact index do. */
const REFRESH_INTERVAL = '250ms'
/** A character takes at most 4 bytes, and the server stores tokens of at most 32,766 bytes. */
const TOKEN_CHARS_MAX = 8_000

export function schemaFor(dims: number): {
  settings: estypes.IndicesIndexSettings
  mappings: estypes.MappingTypeMapping
} {
  // Token lists without an analyser: a term counts once, and BM25 needs only the length of the list.
  const list = { type: 'keyword', doc_values: false, ignore_above: TOKEN_CHARS_MAX } as const
  const shown = { type: 'keyword', index: false, doc_values: false } as const
  const hnsw = { type: 'int8_hnsw', m: 16, ef_construction: 100 } as const
  return {
    settings: {
      number_of_shards: 1,
      auto_expand_replicas: '0-1',
      refresh_interval: REFRESH_INTERVAL,
      // The server's own choice, acorn, missed 18 of 100 neighbours in one region in 20 of 795,000 items; this one none.
      'index.dense_vector.hnsw_filter_heuristic': 'fanout',
    },
    mappings: {
      dynamic: 'strict',
      _source: { excludes: ['tokens', 'trigrams'] },
      properties: {
        item_id: { type: 'keyword' },
        seq: { type: 'long' },
        removed: { type: 'boolean' },
        name: shown,
        other_names: shown,
        body: shown,
        unit: shown,
        // The scoring input as JSON text: no query uses its fields.
        reading: shown,
        regions: { type: 'keyword' },
        category_id: { type: 'keyword' },
        kind: { type: 'keyword' },
        tokens: { ...list, norms: true },
        trigrams: list,
        trigram_scale: { type: 'float', index: false },
        ...(dims > 0 && {
          vector: { type: 'dense_vector', dims, index: true, similarity: 'cosine', index_options: hnsw },
        }),
      },
    },
  }
}

export function entryOf({ itemId, seq, regions, categoryId, kind, vector, ...texts }: SearchDocument): BulkEntry {
  const reading = new Reading(texts)
  const { trigrams, count } = documentTrigrams(reading)
  return bulkEntry(itemId, seq, {
    removed: false,
    name: texts.name,
    // Also where it has none: it tells documents of this form from those of an earlier release.
    other_names: texts.otherNames ?? [],
    body: texts.body,
    unit: texts.unit ?? null,
    reading: JSON.stringify(reading.stored()),
    regions,
    category_id: categoryId,
    kind,
    tokens: documentTerms(reading),
    trigrams: [...trigrams],
    ...(count > 0 && { trigram_scale: 1 / Math.sqrt(count) }),
    ...(vector !== null && { vector: Array.from(vector) }),
  })
}

export function tombstoneOf({ itemId, seq }: { readonly itemId: string; readonly seq: bigint }): BulkEntry {
  return bulkEntry(itemId, seq, { removed: true })
}

function bulkEntry(itemId: string, seq: bigint, fields: object): BulkEntry {
  const action = `{"index":{"_id":${JSON.stringify(itemId)},"version":${seq},"version_type":"external_gte"}}`
  return { itemId, seq, lines: [action, JSON.stringify({ item_id: itemId, seq: String(seq), ...fields })] }
}

/** A document as search compares it, without a cosine. */
export function candidateOf({ _source }: estypes.SearchHit<StoredDocument>): Candidate {
  const { item_id: itemId, other_names: otherNames, name, body, unit, kind, reading } = _source as StoredDocument
  const texts = { name, ...(otherNames?.length && { otherNames }), body, unit: unit ?? null }
  const shown = { itemId, ...texts, kind: kind ?? null, cosine: null }
  // Documents of an earlier release have no reading of this form; their words suffice.
  if (otherNames === undefined || reading === undefined) return shown
  return { ...shown, reading: new Reading(texts, JSON.parse(reading) as StoredReading) }
}
