import { setTimeout as delay } from 'node:timers/promises'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { type KeptReading, Reading } from '@catalog/search/query/reading.ts'
import { documentTerms, leadingTerms, oddWords, type QueryTerm, queryTerms } from '@catalog/search/query/terms.ts'
import { idfOf, trigramsOf } from '@catalog/search/query/text.ts'
import type { BesideIndex, Candidate, SearchDocument, SearchFilter, SearchIndex } from '@catalog/search/search.ts'
import { Client, errors, type estypes } from '@elastic/elasticsearch'
import { openAliases } from './aliases.ts'
import { ADMIN, asked, BULK, failed, IF_THERE, SEARCH } from './requests.ts'

/**
 * The index in Elasticsearch. Terms and trigrams are made here, by terms.ts and text.ts, and stored as they are, so that
 * what a query finds does not depend on an analyser of the server, and fuse.ts scores its candidates as those of the
 * exact index.
 *
 * Documents of one catalog generation, one embedder and one mapping stand in one index, which is written through its alias
 * `PREFIX-GEN-DIGEST` (see elasticsearch-aliases.ts). An index for a new embedder or mapping is filled beside the one that
 * serves, and when it has reached its seq it gets the alias `PREFIX-GEN-DIGEST-filled` and takes over the alias
 * `PREFIX-GEN`, in one step. Until then its readers find words through the latter, and no vectors. Indexes of another
 * generation stay until an operator deletes them.
 *
 * Law: the seq of a document is its version in Elasticsearch, and what is removed stays as a tombstone. A deleted
 * document would be forgotten after a minute, and an older write that comes late would bring it back.
 *
 * `gen` is the generation of the catalog: numbers that begin anew must not meet the higher versions of old documents.
 * Without an embedder (null) documents have no vectors. Nothing is sent before the first call, so a catalog starts
 * without its index; while Elasticsearch is away every call rejects.
 */
export function openElasticsearchIndex(options: ElasticsearchOptions): SearchIndex & AsyncDisposable {
  const { index } = openDocuments(options, undefined)
  return index
}

/**
 * The documents of one build, in an index of their own that no reader of the present one sees: that of the replay of this
 * number, or with null the one that the catalog began with. It has the identity of the present one, whose place it takes.
 */
export function openElasticsearchBeside({
  build,
  ...options
}: ElasticsearchOptions & { build: number | null }): BesideIndex & AsyncDisposable {
  const { index, aliases, discard } = openDocuments(options, build)
  return { ...index, takeOver: aliases.takeOver, discard }
}

export type ElasticsearchOptions = Readonly<{
  /** http(s)://, user and password in it where the server asks for them. */
  url: string
  prefix: string
  gen: string
  embedder: Pick<Embedder, 'fingerprint' | 'dims'> | null
}>

/** Of the present index, or of that of a build. */
function openDocuments({ url, prefix, gen, embedder }: ElasticsearchOptions, build: number | null | undefined) {
  const dims = embedder?.dims ?? 0
  const schema = schemaFor(dims)
  const serving = `${prefix}-${gen}`
  const digest = sha256Hex(JSON.stringify([TEXT_VERSION, schema, embedder?.fingerprint ?? null]))
  const name = `${serving}-${digest.slice(0, DIGEST_CHARS)}`
  const client = new Client({ node: url, maxRetries: 0 })
  const aliases = openAliases({ client, serving, own: name, build, schema, seqOf: refreshedSeq })
  /** What is read here. */
  const own = aliases.source
  /** Whether the index was seen or made; false again when it turns out to be lost. */
  let exists = false
  let writes = 0
  let refreshedWrites = 0
  let known: { readonly index: string; readonly writes: number; readonly at: number } | undefined
  let counted = { index: '', writes: -1, at: 0, terms: new Map<string, Promise<Counted>>() }

  async function write(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return
    if (!exists) await aliases.create()
    exists = true
    for (const batch of batches(entries)) {
      try {
        await sendBatch(batch)
      } finally {
        writes++
      }
    }
    const seqs = entries.map(({ seq }) => seq).sort((a, b) => (a < b ? -1 : 1))
    // Readers come to what a build filled when it takes over.
    if (build !== undefined) return
    await aliases.serveWhenFilled(seqs.at(-1) as bigint)
    known = undefined
  }

  /** Sends until every entry is in the index or outdated there; what the server is too busy for is sent again. */
  async function sendBatch(batch: readonly Entry[]): Promise<void> {
    let left = batch
    for (const waitMs of [...RETRY_WAITS_MS, null]) {
      const { busy, reason } = await sendOnce(left)
      if (busy.length === 0) return
      if (waitMs === null) throw new Error(`Elasticsearch, bulk: ${busy.length} documents refused, ${reason}`)
      left = busy
      await delay(waitMs)
    }
  }

  async function sendOnce(batch: readonly Entry[]): Promise<{ busy: readonly Entry[]; reason: string }> {
    let items: estypes.BulkResponse['items']
    try {
      // An index that was deleted must not come back with a mapping that the server guesses: hence the alias.
      const request = { index: aliases.target, require_alias: true, operations: batch.flatMap(({ lines }) => lines) }
      items = (await client.bulk(request, BULK)).items
    } catch (error) {
      if (error instanceof errors.ResponseError && isBusy(error.statusCode))
        return { busy: batch, reason: error.message }
      throw failed('bulk', error)
    }
    const busy: Entry[] = []
    const wrong: string[] = []
    let reason = ''
    for (const [i, entry] of batch.entries()) {
      const { status, error } = items[i]?.index ?? { status: 0 }
      // A conflict: a newer document, or a newer tombstone, is there.
      if ((status >= 200 && status < 300) || status === 409) continue
      const said = `${entry.itemId}: status ${status}, ${error?.type}: ${error?.reason}`
      if (status === 404) {
        exists = false
        throw new Error(`Elasticsearch, bulk: the index ${own} is lost; it is made again and fed anew (${said})`)
      }
      if (isBusy(status)) {
        busy.push(entry)
        reason = said
      } else wrong.push(said)
    }
    if (wrong.length > 0) {
      throw new Error(`Elasticsearch, bulk: ${wrong.length} refused: ${wrong.slice(0, ERRORS_SHOWN_MAX).join('; ')}`)
    }
    return { busy, reason }
  }

  /** Where readers look: here, unless another index serves and this one is not filled. */
  async function readersIndex(): Promise<string> {
    if (build !== undefined) return own
    if (known?.writes !== writes || performance.now() - known.at >= ALIASES_MS) {
      const begun = { writes, at: performance.now() }
      const { isFilled, serves } = await aliases.read()
      known = { ...begun, index: isFilled || serves === undefined ? own : serving }
    }
    return known.index
  }

  async function refreshedSeq(index: string): Promise<bigint> {
    await asked('refresh', client.indices.refresh({ index, ...IF_THERE }, ADMIN))
    return highestSeq(index)
  }

  /** Makes what this process wrote visible; what others wrote is after {@link REFRESH_INTERVAL}. */
  async function refresh(): Promise<void> {
    const seen = writes
    await asked('refresh', client.indices.refresh({ index: own, ...IF_THERE }, SEARCH))
    refreshedWrites = Math.max(refreshedWrites, seen)
  }

  async function find(index: string, request: estypes.SearchRequest): Promise<estypes.SearchResponse<Stored>> {
    if (refreshedWrites !== writes) await refresh()
    // A part that does not answer is a failure, not fewer results.
    const whole = { ...IF_THERE, allow_partial_search_results: false }
    return asked('search', client.search<Stored>({ index, ...whole, ...request }, SEARCH))
  }

  async function highestSeq(index: string): Promise<bigint> {
    const { hits } = await find(index, { size: 1, sort: [{ seq: 'desc' }], _source: ['seq'] })
    return BigInt(hits.hits[0]?._source?.seq ?? 0)
  }

  async function count(index: string, query: Query): Promise<number> {
    return totalOf(await find(index, { size: 0, track_total_hits: true, query }))
  }

  /**
   * Each term is counted once in {@link FREQUENCIES_MS}, and all that one search asks for in one request: what a word says
   * changes slowly, and counting takes as long as finding.
   */
  async function frequencies(terms: readonly string[]): Promise<{ documents: number; counts: number[] }> {
    const index = await readersIndex()
    const isOld = counted.writes !== writes || counted.index !== index
    if (isOld || performance.now() - counted.at >= FREQUENCIES_MS || counted.terms.size > TERMS_COUNTED_MAX) {
      counted = { index, writes, at: performance.now(), terms: new Map() }
    }
    const held = counted.terms
    const missing = terms.filter((term) => !held.has(term))
    if (missing.length > 0 || terms.length === 0) {
      const answer = countOf(index, missing)
      for (const term of missing) held.set(term, answer)
      await answer.catch((error) => {
        for (const term of missing) held.delete(term)
        throw error
      })
      if (terms.length === 0) return { documents: (await answer).documents, counts: [] }
    }
    const answers = await Promise.all(terms.map((term) => held.get(term) ?? countOf(index, [term])))
    const counts = terms.map((term, i) => answers[i]?.counts.get(term) ?? 0)
    return { documents: Math.max(...answers.map(({ documents }) => documents)), counts }
  }

  async function countOf(index: string, terms: readonly string[]): Promise<Counted> {
    const answer = await find(index, {
      size: 0,
      track_total_hits: true,
      query: LIVE,
      ...(terms.length > 0 && { aggs: { held: { filters: { filters: terms.map((term) => holds(term)) } } } }),
    })
    const held = answer.aggregations?.held as estypes.AggregationsFiltersAggregate | undefined
    const buckets = (held?.buckets ?? []) as estypes.AggregationsFiltersBucket[]
    return { documents: totalOf(answer), counts: new Map(terms.map((term, i) => [term, buckets[i]?.doc_count ?? 0])) }
  }

  function expectDims(vector: Float32Array, of: string): void {
    if (vector.length !== dims) throw new RangeError(`vector of ${of}: ${vector.length} components, expected ${dims}`)
  }

  const index: SearchIndex & AsyncDisposable = {
    adapter: 'elasticsearch',
    identity: `${IDENTITY_PREFIX}${name}`,
    async put(shown) {
      for (const { vector, itemId } of shown) if (vector !== null) expectDims(vector, itemId)
      await write(shown.map(entryOf))
    },
    async remove(removed) {
      await write(removed.map(tombstoneOf))
    },
    async nearest(vector, k, filter) {
      expectDims(vector, 'the query')
      if ((await readersIndex()) !== own) return []
      const { hits } = await find(own, {
        size: k,
        _source: SHOWN,
        track_total_hits: false,
        knn: {
          field: 'vector',
          query_vector: Array.from(vector),
          k,
          num_candidates: Math.min(NUM_CANDIDATES_LIMIT, Math.max(NUM_CANDIDATES_MIN, CANDIDATES_PER_RESULT * k)),
          // Inside: beside the clause it would be applied to the k nearest, and leave fewer.
          filter: filters(filter),
          // Candidates are found by rounded components and scored by exact ones, for one ranking in every index.
          rescore_vector: { oversample: CANDIDATES_PER_RESULT },
        },
      })
      return hits.hits
        .map((hit) => candidate(hit, 2 * (hit._score ?? 0) - 1))
        .sort((a, b) => (b.cosine as number) - (a.cosine as number) || (a.itemId < b.itemId ? -1 : 1))
    },
    async lexical(query, k, filter) {
      const terms = queryTerms(query)
      if (terms.length === 0) return []
      const { documents: total, counts } = await frequencies(terms.map(({ term }) => term))
      if (total === 0) return []
      const idfs = counts.map((count) => idfOf({ documents: total, count }))
      const leads = leadingTerms(counts, { documents: total, wanted: k })
      const [led, helped] = [true, false].map((is) => heldTerms(terms, idfs, (i) => leads[i] === is)) as [Query, Query]
      const { hits } = await find(await readersIndex(), {
        size: k,
        _source: SHOWN,
        // Without a count of all, those that cannot be among the best need not be looked at.
        track_total_hits: false,
        query: {
          bool: {
            filter: [LIVE, ...filters(filter)],
            must: [{ bool: { should: [led, ...likeSpelled(trigramsOf(oddWords(terms, counts)))] } }],
            should: [helped],
          },
        },
        sort: [{ _score: { order: 'desc' } }, { item_id: 'asc' }],
      })
      return hits.hits.map((hit) => candidate(hit, null))
    },
    frequencies,
    async isEmbedded() {
      return (await readersIndex()) === own
    },
    async state() {
      // A feeder that starts where another one ended must not find that one's last batch missing.
      await refresh()
      const index = await readersIndex()
      const [seq, live, vectors] = await Promise.all([
        highestSeq(own),
        count(index, LIVE),
        index === own ? count(own, { exists: { field: 'vector' } }) : 0,
      ])
      return { seq, documents: live, vectors }
    },
    async drop(other) {
      const dropped = other.slice(IDENTITY_PREFIX.length)
      // What is noted of another generation may be of another catalog, which this one was copied from.
      if (!other.startsWith(`${IDENTITY_PREFIX}${serving}-`) || dropped === name) return false
      return aliases.drop(dropped)
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
  async function discard(): Promise<boolean> {
    const isGone = await aliases.discard()
    if (isGone) exists = false
    return isGone
  }
  return { index, aliases, discard }
}

/** 1 to 3 kB each at 128 dimensions; servers recommend bodies of 5 to 15 MB at most. */
const BULK_DOCUMENTS_MAX = 1_000
const BULK_CHARS_MAX = 4 * 1024 * 1024
/** Waits before what a busy server (429, 503) refused is sent again; after the last one the batch has failed. */
const RETRY_WAITS_MS = [100, 300, 1_000, 3_000] as const
/** Refused documents that an error names. */
const ERRORS_SHOWN_MAX = 3
/** Readers are behind by this at most, as readers of the exact index are. */
const REFRESH_INTERVAL = '250ms'
/** Counts of terms are behind by this at most, and at once after a write of this process. */
const FREQUENCIES_MS = 10_000
const TERMS_COUNTED_MAX = 20_000
/** What this process does not know of another one's taking over, for so long. */
const ALIASES_MS = 250
/** Before the name of the alias that it is written through. */
const IDENTITY_PREFIX = 'elasticsearch '
/** The graph is walked with at least so many candidates: the usual 1.5 per result finds less where names are alike. */
const NUM_CANDIDATES_MIN = 500
const CANDIDATES_PER_RESULT = 3
/** The server takes no more. */
const NUM_CANDIDATES_LIMIT = 10_000
/** BM25 of a term that stands once in a document of mean length is its idf / (1 + this). */
const K1 = 1.2
/** Below, two names of four words have nothing but an ending or a "de" in common; as in the exact index. */
const TRIGRAM_MIN = 0.3
/** Longer tokens cannot be stored; 4 bytes a character at most, and 32,766 bytes in all. */
const TOKEN_CHARS_MAX = 8_000
/** Of the hexadecimal digest in the name of an index. */
const DIGEST_CHARS = 12
/** Rises with every change of what {@link entryOf} makes of a text: documents are then made anew. */
const TEXT_VERSION = 2

const SHOWN = ['item_id', 'name', 'body', 'reading']
const LIVE: Query = { term: { removed: false } }

/** Live documents, and how many of them hold each term. */
type Counted = Readonly<{ documents: number; counts: ReadonlyMap<string, number> }>

type Query = NonNullable<estypes.SearchRequest['query']>

/** What is stored of a document, as far as it is read again; `seq` is a text, because JSON numbers end at 2^53. */
type Stored = Readonly<{ item_id: string; seq: string; name: string; body: string; reading?: string }>

/** A document or tombstone as two lines of a bulk request. */
type Entry = Readonly<{ itemId: string; seq: bigint; lines: readonly [string, string] }>

function schemaFor(dims: number): { settings: estypes.IndicesIndexSettings; mappings: estypes.MappingTypeMapping } {
  // Lists of tokens: no analyser, a term counts once, and only the length of the list is kept beside it, for BM25.
  const list = { type: 'keyword', doc_values: false, ignore_above: TOKEN_CHARS_MAX } as const
  const shown = { type: 'keyword', index: false, doc_values: false } as const
  const hnsw = { type: 'int8_hnsw', m: 16, ef_construction: 100 } as const
  return {
    settings: { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: REFRESH_INTERVAL },
    mappings: {
      dynamic: 'strict',
      _source: { excludes: ['tokens', 'trigrams'] },
      properties: {
        item_id: { type: 'keyword' },
        seq: { type: 'long' },
        removed: { type: 'boolean' },
        name: shown,
        body: shown,
        // What the score looks at, as text: no field of it is ever asked for.
        reading: shown,
        regions: { type: 'keyword' },
        category_id: { type: 'keyword' },
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

function entryOf({ itemId, seq, name, body, regions, categoryId, vector }: SearchDocument): Entry {
  const reading = new Reading({ name, body })
  const trigrams = trigramsOf(reading.words)
  return entry(itemId, seq, {
    removed: false,
    name,
    body,
    reading: JSON.stringify(reading.kept()),
    regions,
    category_id: categoryId,
    tokens: documentTerms(reading),
    trigrams: [...trigrams],
    ...(trigrams.size > 0 && { trigram_scale: 1 / Math.sqrt(trigrams.size) }),
    ...(vector !== null && { vector: Array.from(vector) }),
  })
}

function tombstoneOf({ itemId, seq }: { readonly itemId: string; readonly seq: bigint }): Entry {
  return entry(itemId, seq, { removed: true })
}

function entry(itemId: string, seq: bigint, fields: object): Entry {
  const action = `{"index":{"_id":${JSON.stringify(itemId)},"version":${seq},"version_type":"external_gte"}}`
  return { itemId, seq, lines: [action, JSON.stringify({ item_id: itemId, seq: String(seq), ...fields })] }
}

/** Cut by number and by size, in order. */
function* batches(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let batch: Entry[] = []
  let chars = 0
  for (const next of entries) {
    const size = next.lines[0].length + next.lines[1].length
    if (batch.length === BULK_DOCUMENTS_MAX || (batch.length > 0 && chars + size > BULK_CHARS_MAX)) {
      yield batch
      batch = []
      chars = 0
    }
    batch.push(next)
    chars += size
  }
  if (batch.length > 0) yield batch
}

/** Documents that hold some of the query's terms: BM25, as a share of the whole query's weight. */
function heldTerms(terms: readonly QueryTerm[], idfs: readonly number[], isTaken: (i: number) => boolean): Query {
  const total = terms.reduce((sum, { weight }, i) => sum + weight * (idfs[i] as number), 0)
  // The server weighs by the idf itself.
  const taken = terms.filter((_, i) => isTaken(i))
  if (taken.length === 0) return { match_none: {} }
  return { bool: { should: taken.map(({ term, weight }) => holds(term, (weight * (K1 + 1)) / total)) } }
}

/** Documents whose name is spelled like the query: the cosine of the sets of trigrams. */
function likeSpelled(trigrams: ReadonlySet<string>): Query[] {
  if (trigrams.size === 0) return []
  const should = [...trigrams].map((trigram) => ({ constant_score: { filter: { term: { trigrams: trigram } } } }))
  return [
    {
      function_score: {
        // So many are shared at least where the cosine reaches its minimum: most documents need not be scored.
        query: { bool: { should, minimum_should_match: Math.ceil(TRIGRAM_MIN ** 2 * trigrams.size) } },
        functions: [{ field_value_factor: { field: 'trigram_scale', factor: 1 / Math.sqrt(trigrams.size) } }],
        boost_mode: 'multiply',
        min_score: TRIGRAM_MIN,
      },
    },
  ]
}

function holds(value: string, boost = 1): Query {
  return { term: { tokens: { value, boost } } }
}

function filters({ region, categoryIds }: SearchFilter = {}): Query[] {
  return [
    ...(region === undefined ? [] : [{ term: { regions: region } }]),
    ...(categoryIds === undefined ? [] : [{ terms: { category_id: [...categoryIds] } }]),
  ]
}

function candidate({ _source }: estypes.SearchHit<Stored>, cosine: number | null): Candidate {
  const { item_id: itemId, name, body, reading } = _source as Stored
  // What an earlier release put is still found by its words.
  if (reading === undefined) return { itemId, name, body, cosine }
  return { itemId, name, body, cosine, reading: new Reading({ name, body }, JSON.parse(reading) as KeptReading) }
}

function totalOf({ hits: { total } }: estypes.SearchResponse<Stored>): number {
  return typeof total === 'number' ? total : (total?.value ?? 0)
}

function isBusy(status: number | undefined): boolean {
  return status === 429 || status === 503
}
