import { setTimeout as delay } from 'node:timers/promises'
import { canonicalJson, sha256Hex } from '@catalog/core/digest.ts'
import { type Embedder, EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { LRUCache } from 'lru-cache'
import { type Lane, openLane } from './circuit-breaker.ts'
import { type Answer, askEndpoint, type Endpoint } from './endpoint.ts'

export type Kind = 'query' | 'document'

export type HttpOptions = Endpoint &
  Readonly<{
    /** What tells apart two models of one name: part of the fingerprint, and never sent. */
    revision: string
    /** Put before a text where the model was trained so: "query: ", "passage: ". */
    prefixes: Readonly<Record<Kind, string>>
    /** The least cosine at which a document counts as near to a query; it differs from model to model. */
    cosineMin: number
    budget: TokenBudget
    /** Keeps vectors of documents; those of queries are kept in memory alone, because readers wrote them. */
    openCache: (fingerprint: string) => VectorCache
    /** Milliseconds, never going back. */
    now: () => number
    sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
    patience?: Readonly<Record<Kind, Patience>>
  }>

/** Tokens that may still be spent, over all processes together. */
export type TokenBudget = Readonly<{
  /** Takes so many tokens before a request is sent, or says for how long there are none. */
  reserve: (tokens: number, kind: Kind) => Promise<Reservation | { readonly emptyForSeconds: number }>
}>
export type Reservation = Readonly<{
  /** Puts what was spent in the place of what was reserved. */
  settle: (tokens: number) => Promise<void>
}>

/** Vectors by the SHA-256 (hex) of the text that was sent, of one fingerprint. */
export type VectorCache = Readonly<{
  read: (shas: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>
  save: (vectors: ReadonlyMap<string, Float32Array>) => Promise<void>
}>

export type Patience = Readonly<{
  /** Requests under way at once. */
  places: number
  requestMs: number
  /** For a whole call, with its waits and repetitions. */
  callMs: number
  repeatsMax: number
  /** Between two attempts; a provider that asks for longer is left alone that long, and the call fails. */
  waitMsMax: number
}>

/** A reader waits for a query; a feeder comes again. */
export const PATIENCE: Readonly<Record<Kind, Patience>> = {
  query: { places: 16, requestMs: 3_000, callMs: 5_000, repeatsMax: 1, waitMsMax: 1_000 },
  document: { places: 2, requestMs: 30_000, callMs: 120_000, repeatsMax: 4, waitMsMax: 20_000 },
}

/**
 * The embedder of a provider that speaks the embeddings API of OpenAI. Queries and documents have lanes of their own, so a
 * query never waits behind documents. A request that fails in passing is repeated, and a provider that keeps failing is
 * left alone for a while.
 *
 * Null for a text without a word of letters alone, as with the built-in embedder, and for one of which the model makes
 * nothing (zero, null or NaN), or that it refuses while it takes others.
 *
 * Law: tokens are reserved before a request is sent, and no text has more tokens than bytes, so the budget holds over any
 * number of processes. What a failed request may have cost stays spent.
 */
export function openHttpEmbedder(options: HttpOptions): Embedder {
  const { model, dims, prefixes, cosineMin, budget, now, sleep = pause, patience = PATIENCE } = options
  if (options.key !== null && !/^[\x21-\x7e]+$/.test(options.key)) {
    // fetch would name a header's value that it does not take.
    throw new Error('the key of the embeddings provider: expected visible ASCII characters')
  }
  const fingerprint = `http/${VERSION}/${model}/${dims}/${identityOf(options)}`
  const cache = options.openCache(fingerprint)
  const queries = new LRUCache<string, Float32Array>({ max: QUERIES_CACHED_MAX })
  const lanes: Readonly<Record<Kind, Lane>> = {
    query: openLane({ now, places: patience.query.places }),
    document: openLane({ now, places: patience.document.places }),
  }
  /** Falls when the provider takes fewer at once. */
  let textsMax = BATCH_TEXTS_MAX

  async function embed(texts: readonly string[], kind: Kind, outer?: AbortSignal) {
    const sent = texts.map((text) => (hasWord(text) ? sentOf(text, prefixes[kind]) : null))
    const shaOf = new Map(sent.flatMap((text) => (text === null ? [] : [[text, sha256Hex(text)]])))
    const found = new Map(await known([...shaOf.values()], kind))
    const missing = [...shaOf].filter(([, sha]) => !found.has(sha)).map(([text]) => text)
    if (missing.length > 0) {
      const ending = AbortSignal.timeout(patience[kind].callMs)
      const call: Call = { kind, ending, signal: outer ? AbortSignal.any([outer, ending]) : ending, hasAnswered: false }
      // All come to their end: what is paid for is kept, also when another one fails.
      const ended = await Promise.allSettled(
        batches(missing, textsMax).map(async (batch) => {
          const vectors = await vectorsOf(batch, call)
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

  async function known(shas: readonly string[], kind: Kind): Promise<ReadonlyMap<string, Float32Array>> {
    if (kind === 'document') return shas.length === 0 ? new Map() : cache.read(shas)
    return new Map(shas.flatMap((sha) => entryOf(sha, queries.get(sha))))
  }

  /** Vectors of these texts; a batch that is refused is halved, down to the text that is at fault. */
  async function vectorsOf(texts: readonly string[], call: Call): Promise<readonly (Float32Array | null)[]> {
    const answer = await answered(texts, call)
    if (answer.kind === 'vectors') return answer.vectors
    if (texts.length > 1) {
      const half = Math.ceil(texts.length / 2)
      if (answer.tooMany) textsMax = Math.min(textsMax, half)
      return [...(await vectorsOf(texts.slice(0, half), call)), ...(await vectorsOf(texts.slice(half), call))]
    }
    // Either this text is at fault, or whatever is sent is refused; one that nobody can refuse tells.
    if (!call.hasAnswered && (await answered([HARMLESS_TEXT], call)).kind !== 'vectors') {
      throw new EmbedderUnavailable(`the embeddings provider refuses any text: ${answer.reason}`, REFUSED_RETRY_SECONDS)
    }
    return [null]
  }

  /** One request, repeated while it fails in passing. */
  async function answered(texts: readonly string[], call: Call): Promise<Exclude<Answer, { kind: 'failed' }>> {
    const { kind, signal } = call
    const { requestMs, repeatsMax, waitMsMax } = patience[kind]
    for (let repeats = 0; ; repeats++) {
      const answer = await inTime(call, () =>
        lanes[kind].through(async () => {
          const value = await paidFor(texts, kind, () => askEndpoint(options, texts, { timeoutMs: requestMs, signal }))
          return { value, answered: value.kind !== 'failed' }
        }, signal),
      )
      if (answer.kind === 'vectors') call.hasAnswered = true
      if (answer.kind !== 'failed') return answer
      const { reason, cause, isPassing, retryAfterMs } = answer
      const waitMs = Math.max(retryAfterMs ?? 0, backoffMs(repeats))
      if (!isPassing || repeats === repeatsMax || waitMs > waitMsMax || lanes[kind].closedMs() > 0) {
        if (retryAfterMs !== null) lanes[kind].close(retryAfterMs)
        const seconds = Math.ceil(Math.max(lanes[kind].closedMs(), isPassing ? 0 : REFUSED_RETRY_SECONDS * 1000) / 1000)
        throw unavailable(reason, Math.max(seconds, FAILED_RETRY_SECONDS), cause)
      }
      await inTime(call, () => sleep(waitMs, signal))
    }
  }

  async function paidFor(texts: readonly string[], kind: Kind, ask: () => Promise<Answer>): Promise<Answer> {
    const tokens = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + MARKS_MAX, 0)
    const reservation = await budget.reserve(tokens, kind)
    if ('emptyForSeconds' in reservation) {
      throw unavailable('the token budget of this month is spent', reservation.emptyForSeconds)
    }
    let spent = tokens
    try {
      const answer = await ask()
      if (answer.kind === 'vectors') spent = answer.tokens ?? tokens
      else if (answer.kind === 'refused' || !answer.mayBeCharged) spent = 0
      return answer
    } finally {
      // Where the store is away the reservation stands, which is never too little.
      if (spent !== tokens) await reservation.settle(spent).catch(() => {})
    }
  }

  return {
    model,
    dims,
    fingerprint,
    cosineMin: () => cosineMin,
    embed,
  }
}

/** Rises with whatever changes what is sent for a text, or made of an answer. */
const VERSION = 1
/** Texts and characters of a request: answered in a second or two. Servers that take fewer say so, and are believed. */
const BATCH_TEXTS_MAX = 128
const BATCH_CHARS_MAX = 32_000
/** What a name or query says beyond says nothing new of what the thing is; most models take 512 tokens or more. */
const TEXT_CHARS_MAX = 1_000
/** Tokens that a model adds to a text, such as marks of its beginning and end. */
const MARKS_MAX = 8
/** 12 MB at 1,536 dimensions. */
const QUERIES_CACHED_MAX = 2_000
const HARMLESS_TEXT = 'concrete'
/** After a failure that the next moment may have mended, and after one that a person must mend. */
const FAILED_RETRY_SECONDS = 5
const REFUSED_RETRY_SECONDS = 60
const BACKOFF_MS = 250

type Call = {
  readonly kind: Kind
  /** Aborts when the call has taken too long, `signal` also when the caller gives up. */
  readonly ending: AbortSignal
  readonly signal: AbortSignal
  hasAnswered: boolean
}

/** Doubles with each attempt, and half of it by chance: whoever failed together must not come again together. */
function backoffMs(repeats: number): number {
  return BACKOFF_MS * 2 ** repeats * (0.5 + Math.random() / 2)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal })
}

/** Turns the end of a call's time into what callers expect. */
async function inTime<T>({ ending, kind }: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!ending.aborted || error instanceof EmbedderUnavailable) throw error
    throw unavailable(`no answer in time for a ${kind}`, FAILED_RETRY_SECONDS, error)
  }
}

function unavailable(reason: string, retryAfterSeconds: number, cause?: unknown): EmbedderUnavailable {
  return new EmbedderUnavailable(`the embeddings provider: ${reason}`, retryAfterSeconds, { cause })
}

/** A run of letters that holds no digit. */
function hasWord(text: string): boolean {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some((run) => /\p{L}/u.test(run) && !/\p{N}/u.test(run))
}

function sentOf(text: string, prefix: string): string {
  return prefix + text.slice(0, TEXT_CHARS_MAX).toWellFormed()
}

function entryOf(sha: string | undefined, vector: Float32Array | null | undefined): [string, Float32Array][] {
  return sha === undefined || vector == null ? [] : [[sha, vector]]
}

/** What else makes vectors comparable, in a few digits. The address is not among it: a model may move. */
function identityOf({ sendDims, revision, prefixes }: HttpOptions): string {
  return sha256Hex(canonicalJson({ revision, prefixes, shortened: sendDims })).slice(0, IDENTITY_CHARS)
}
const IDENTITY_CHARS = 12

function* batched(texts: readonly string[], textsMax: number): Generator<readonly string[]> {
  let batch: string[] = []
  let chars = 0
  for (const text of texts) {
    if (batch.length === textsMax || (batch.length > 0 && chars + text.length > BATCH_CHARS_MAX)) {
      yield batch
      batch = []
      chars = 0
    }
    batch.push(text)
    chars += text.length
  }
  if (batch.length > 0) yield batch
}
const batches = (texts: readonly string[], textsMax: number) => [...batched(texts, textsMax)]
