import { sha256Hex } from '@catalog/core/digest.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { queryTerms } from '@catalog/search/query/terms.ts'
import {
  type BuildIndex,
  type Candidate,
  expectDims,
  type SearchDocument,
  type SearchFilter,
  type SearchIndex,
} from '@catalog/search/search.ts'
import { Client, type estypes } from '@elastic/elasticsearch'
import { IndexAliases } from './aliases.ts'
import { BatchedSearches } from './batched-searches.ts'
import { BulkWriter } from './bulk.ts'
import { type BulkEntry, DOCUMENT_VERSION, entryOf, type StoredDocument, schemaFor, tombstoneOf } from './documents.ts'
import { LIVE, lexicalRequest, nearestRequest, type Query } from './queries.ts'
import { ADMIN, IF_THERE, responseOf, SEARCH } from './requests.ts'
import { idHitOf, ResultDocuments } from './result-documents.ts'
import { TermCounts, totalOf } from './term-counts.ts'

export type ElasticsearchOptions = Readonly<{
  /** http(s)://, with user and password where the server needs them. */
  url: string
  apiKey?: string
  /** Of the authority that signed the server's certificate, as PEM; by default those that Node trusts. */
  ca?: Buffer
  prefix: string
  gen: string
  embedder: Pick<Embedder, 'fingerprint' | 'dims'> | null
}>

/**
 * The search index in Elasticsearch. The product makes terms and trigrams itself (terms.ts, text.ts), so that results do
 * not depend on a server's analyser, and fuse.ts scores candidates as it scores those of the exact index.
 *
 * One index holds the documents of one catalog generation, one embedder and one mapping; aliases.ts names it. A new
 * embedder or mapping fills an index beside the serving one and replaces it when it has reached its seq. Until then its
 * readers find words in the serving index, and no vectors. Indexes of other generations stay until an operator deletes
 * them.
 *
 * Law: the seq of a document is its version in Elasticsearch, and a removed document stays as a tombstone. Elasticsearch
 * forgets deleted documents after a minute, and a late older write would bring one back.
 *
 * `gen` is the generation of the catalog: a restarted numbering must not meet higher versions of old documents. Without an
 * embedder (null) documents have no vectors. The first call opens the connection, so a catalog starts without its index;
 * during an outage every call rejects.
 */
export function openElasticsearchIndex(options: ElasticsearchOptions): SearchIndex & AsyncDisposable {
  return new ElasticsearchIndex(options, undefined)
}

/**
 * The index of one build, which readers of the present one do not see: of the replay with this number, or with null the
 * first index of the catalog. Its identity equals that of the present index, which it can replace.
 */
export function openElasticsearchBuild({
  build,
  ...options
}: ElasticsearchOptions & { build: number | null }): BuildIndex & AsyncDisposable {
  return new ElasticsearchIndex(options, build)
}

class ElasticsearchIndex implements BuildIndex, AsyncDisposable {
  readonly adapter = 'elasticsearch'
  readonly identity: string
  readonly #build: number | null | undefined
  readonly #dims: number
  readonly #serving: string
  readonly #digestName: string
  readonly #client: Client
  readonly #searches: BatchedSearches
  readonly #aliases: IndexAliases
  readonly #writer: BulkWriter
  readonly #documents = new ResultDocuments((index, request) => this.#find(index, request))
  readonly #termCounts = new TermCounts((index, request) => this.#find(index, request))
  #refreshedWrites = 0
  #readersIndex: { readonly index: string; readonly writes: number; readonly readAt: number } | undefined

  constructor({ url, apiKey, ca, prefix, gen, embedder }: ElasticsearchOptions, build: number | null | undefined) {
    this.#build = build
    this.#dims = embedder?.dims ?? 0
    const schema = schemaFor(this.#dims)
    const digest = sha256Hex(JSON.stringify([DOCUMENT_VERSION, schema, embedder?.fingerprint ?? null]))
    this.#serving = `${prefix}-${gen}`
    this.#digestName = `${this.#serving}-${digest.slice(0, DIGEST_CHARS)}`
    this.identity = `${IDENTITY_PREFIX}${this.#digestName}`
    this.#client = new Client({
      node: url,
      maxRetries: 0,
      ...(apiKey !== undefined && { auth: { apiKey } }),
      ...(ca !== undefined && { tls: { ca } }),
    })
    this.#searches = new BatchedSearches(this.#client)
    this.#aliases = new IndexAliases({
      client: this.#client,
      serving: this.#serving,
      own: this.#digestName,
      build,
      schema,
      seqOf: (index) => this.#refreshedSeq(index),
    })
    this.#writer = new BulkWriter({ client: this.#client, aliases: this.#aliases })
  }

  async put(documents: readonly SearchDocument[]): Promise<void> {
    for (const { vector, itemId } of documents) if (vector !== null) expectDims(vector, this.#dims, itemId)
    await this.#write(documents.map(entryOf))
  }

  async remove(removed: readonly { readonly itemId: string; readonly seq: bigint }[]): Promise<void> {
    await this.#write(removed.map(tombstoneOf))
  }

  async nearest(vector: Float32Array, k: number, filter?: SearchFilter): Promise<readonly Candidate[]> {
    expectDims(vector, this.#dims, 'the query')
    const own = this.#aliases.source
    if ((await this.#indexOfReaders()) !== own) return []
    const { hits } = await this.#find(own, nearestRequest(vector, k, filter))
    const near = await this.#documents.of(own, hits.hits.map(idHitOf))
    return near
      .map(({ hit, shown }) => ({ ...shown, cosine: 2 * hit.score - 1 }))
      .sort((a, b) => (b.cosine as number) - (a.cosine as number) || (a.itemId < b.itemId ? -1 : 1))
  }

  async lexical(query: string, k: number, filter?: SearchFilter): Promise<readonly Candidate[]> {
    const terms = queryTerms(query)
    if (terms.length === 0) return []
    const frequencies = await this.frequencies(terms.map(({ term }) => term))
    if (frequencies.documents === 0) return []
    const request = lexicalRequest(terms, frequencies, { k, filter })
    const index = await this.#indexOfReaders()
    const { hits } = await this.#find(index, request)
    return (await this.#documents.of(index, hits.hits.map(idHitOf))).map(({ shown }) => shown)
  }

  async frequencies(terms: readonly string[]): Promise<{ documents: number; counts: number[] }> {
    const index = await this.#indexOfReaders()
    return this.#termCounts.frequencies(terms, { index, writes: this.#writer.writes })
  }

  async isEmbedded(): Promise<boolean> {
    return (await this.#indexOfReaders()) === this.#aliases.source
  }

  async state(): Promise<{ seq: bigint; documents: number; vectors: number }> {
    // Refresh first: a feeder that continues another's work must find its last batch.
    await this.#refresh()
    const own = this.#aliases.source
    const index = await this.#indexOfReaders()
    const [seq, documents, vectors] = await Promise.all([
      this.#highestSeq(own),
      this.#count(index, LIVE),
      index === own ? this.#count(own, { exists: { field: 'vector' } }) : 0,
    ])
    return { seq, documents, vectors }
  }

  async drop(identity: string): Promise<boolean> {
    const dropped = identity.slice(IDENTITY_PREFIX.length)
    // An index of another generation may belong to the catalog that this one is a copy of.
    if (!identity.startsWith(`${IDENTITY_PREFIX}${this.#serving}-`) || dropped === this.#digestName) return false
    return this.#aliases.drop(dropped)
  }

  takeOver(): Promise<void> {
    return this.#aliases.takeOver()
  }

  async discard(): Promise<boolean> {
    const isDeleted = await this.#aliases.discard()
    if (isDeleted) this.#writer.forgetIndex()
    return isDeleted
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close()
  }

  async #write(entries: readonly BulkEntry[]): Promise<void> {
    if (entries.length === 0) return
    await this.#writer.write(entries)
    // Readers see a build only after its takeOver.
    if (this.#build !== undefined) return
    const seqs = entries.map(({ seq }) => seq).sort((a, b) => (a < b ? -1 : 1))
    await this.#aliases.serveWhenFilled(seqs.at(-1) as bigint)
    this.#readersIndex = undefined
  }

  /** The index that readers search: this one, unless another one serves and this one is not filled. */
  async #indexOfReaders(): Promise<string> {
    const own = this.#aliases.source
    const { writes } = this.#writer
    if (this.#build !== undefined) return own
    const cached = this.#readersIndex
    if (cached?.writes === writes && performance.now() - cached.readAt < ALIASES_AGE_MAX_MS) return cached.index
    const readAt = performance.now()
    const { isFilled, serves } = await this.#aliases.read()
    const index = isFilled || serves === undefined ? own : this.#serving
    this.#readersIndex = { index, writes, readAt }
    return index
  }

  /** Makes the writes of this process visible; those of other processes become visible within the refresh interval. */
  async #refresh(): Promise<void> {
    const { writes } = this.#writer
    const index = this.#aliases.source
    await responseOf('refresh', this.#client.indices.refresh({ index, ...IF_THERE }, SEARCH))
    this.#refreshedWrites = Math.max(this.#refreshedWrites, writes)
  }

  async #refreshedSeq(index: string): Promise<bigint> {
    await responseOf('refresh', this.#client.indices.refresh({ index, ...IF_THERE }, ADMIN))
    return this.#highestSeq(index)
  }

  async #find(index: string, request: estypes.SearchRequest): Promise<estypes.SearchResponse<StoredDocument>> {
    if (this.#refreshedWrites !== this.#writer.writes) await this.#refresh()
    return this.#searches.search(index, request)
  }

  async #highestSeq(index: string): Promise<bigint> {
    const { hits } = await this.#find(index, { size: 1, sort: [{ seq: 'desc' }], _source: ['seq'] })
    return BigInt(hits.hits[0]?._source?.seq ?? 0)
  }

  async #count(index: string, query: Query): Promise<number> {
    return totalOf(await this.#find(index, { size: 0, track_total_hits: true, query }))
  }
}

/** Readers of this process notice another one's takeOver within this time. */
const ALIASES_AGE_MAX_MS = 250
/** Precedes the alias in an identity. */
const IDENTITY_PREFIX = 'elasticsearch '
/** Hexadecimal digits of the digest in the name of an index. */
const DIGEST_CHARS = 12
