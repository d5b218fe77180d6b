import { canonicalJson, sha256Hex } from '@catalog/core/digest.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { LRUCache } from 'lru-cache'
import { type Kind, Provider, type ProviderOptions } from './provider.ts'

export type HttpOptions = ProviderOptions &
  Readonly<{
    /** Distinguishes two models of one name: part of the fingerprint, never sent. */
    revision: string
    /** Precedes each text, where the model's training requires it: "query: ", "passage: ". */
    prefixes: Readonly<Record<Kind, string>>
    /** Stores vectors of documents. Vectors of queries stay in memory, because readers wrote the queries. */
    openCache: (fingerprint: string) => VectorCache
  }>

/** Vectors of one fingerprint by the SHA-256 (hex) of the sent text. */
export type VectorCache = Readonly<{
  read: (shas: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>
  save: (vectors: ReadonlyMap<string, Float32Array>) => Promise<void>
}>

/**
 * The embedder of a provider with the embeddings API of OpenAI. Queries and documents have separate concurrency limits and
 * circuit breakers, so a query never waits behind documents. It retries transient failures.
 *
 * Null for a text without a word of letters, as with the built-in embedder; for a text whose vector is zero, null or NaN;
 * and for a text that the provider refuses while it accepts others.
 *
 * Law: each request reserves its tokens first, and a text never has more tokens than bytes, so the budget holds over any
 * number of processes. Tokens that a failed request may have cost stay spent.
 */
export function openHttpEmbedder(options: HttpOptions): Embedder {
  const { model, dims, prefixes } = options
  if (options.key !== null && !/^[\x21-\x7e]+$/.test(options.key)) {
    // Check here: the error of fetch would quote the invalid header.
    throw new Error('the key of the embeddings provider: expected visible ASCII characters')
  }
  const fingerprint = `http/${VERSION}/${model}/${dims}/${identityOf(options)}`
  const cache = options.openCache(fingerprint)
  const queries = new LRUCache<string, Float32Array>({ max: QUERIES_CACHED_MAX })
  const provider = new Provider(options)

  async function embed(texts: readonly string[], kind: Kind, outer?: AbortSignal) {
    const sent = texts.map((text) => (hasWord(text) ? sentText(text, prefixes[kind]) : null))
    const shaOf = new Map(sent.flatMap((text) => (text === null ? [] : [[text, sha256Hex(text)]])))
    const found = new Map(await readCache([...shaOf.values()], kind))
    const missing = [...shaOf].filter(([, sha]) => !found.has(sha)).map(([text]) => text)
    if (missing.length > 0) {
      const call = provider.openCall(kind, missing.length, outer)
      // Let all batches end: their paid vectors are saved even when another batch fails.
      const ended = await Promise.allSettled(
        batches(missing, provider.batchTextsMax).map(async (batch) => {
          const vectors = await provider.vectorsOf(batch, call)
          const made = new Map(batch.flatMap((text, i) => entryOf(shaOf.get(text), vectors[i])))
          for (const [sha, vector] of made) found.set(sha, vector)
          if (kind === 'document') await cache.save(made)
          else for (const [sha, vector] of made) queries.set(sha, vector)
        }),
      )
      outer?.throwIfAborted()
      for (const end of ended) if (end.status === 'rejected') throw end.reason
    }
    return sent.map((text) => (text === null ? null : (found.get(shaOf.get(text) as string) ?? null)))
  }

  async function readCache(shas: readonly string[], kind: Kind): Promise<ReadonlyMap<string, Float32Array>> {
    if (kind === 'document') return shas.length === 0 ? new Map() : cache.read(shas)
    return new Map(shas.flatMap((sha) => entryOf(sha, queries.get(sha))))
  }

  return { model, dims, fingerprint, embed }
}

/** Increase it with every change of the sent text or of the use of an answer. */
const VERSION = 1
const BATCH_CHARS_MAX = 32_000
/** Names and queries say nothing new beyond; most models take 512 tokens or more. */
const TEXT_CHARS_MAX = 1_000
/** 12 MB at 1,536 dimensions. */
const QUERIES_CACHED_MAX = 2_000

/** Whether a text has a run of letters without a digit. */
function hasWord(text: string): boolean {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some((run) => /\p{L}/u.test(run) && !/\p{N}/u.test(run))
}

function sentText(text: string, prefix: string): string {
  return prefix + text.slice(0, TEXT_CHARS_MAX).toWellFormed()
}

function entryOf(sha: string | undefined, vector: Float32Array | null | undefined): [string, Float32Array][] {
  return sha === undefined || vector == null ? [] : [[sha, vector]]
}

/** A short digest of everything else that changes vectors; without the address, because a model may move. */
function identityOf({ sendDims, revision, prefixes }: HttpOptions): string {
  return sha256Hex(canonicalJson({ revision, prefixes, shortened: sendDims })).slice(0, IDENTITY_CHARS)
}
const IDENTITY_CHARS = 12

function batches(texts: readonly string[], textsMax: number): (readonly string[])[] {
  const cut: string[][] = []
  let chars = 0
  for (const text of texts) {
    const batch = cut.at(-1)
    if (batch === undefined || batch.length === textsMax || chars + text.length > BATCH_CHARS_MAX) {
      cut.push([text])
      chars = text.length
    } else {
      batch.push(text)
      chars += text.length
    }
  }
  return cut
}
