import { setTimeout as delay } from 'node:timers/promises'
import { EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { type Answer, type Endpoint, requestEmbeddings } from './endpoint.ts'

export type Kind = 'query' | 'document'

/** The monthly token budget of all processes together. */
export type TokenBudget = Readonly<{
  /** Reserves tokens before a request, or tells how long the budget stays empty. */
  reserve: (tokens: number, kind: Kind) => Promise<Reservation | { readonly emptyForSeconds: number }>
}>
export type Reservation = Readonly<{
  /** Replaces the reserved tokens by the spent ones. */
  settle: (tokens: number) => Promise<void>
}>

export type RequestLimits = Readonly<{
  concurrencyMax: number
  requestTimeoutMs: number
  /** For a whole call with its delays and retries. */
  callTimeoutMs: number
  retriesMax: number
  /** Between two attempts. A longer Retry-After fails the call and opens the circuit breaker for that time. */
  retryDelayMaxMs: number
}>

/**
 * A reader waits a second at most for a query, and each request ends before that, so that the circuit breaker hears of it. A
 * feeder retries its documents.
 */
export const REQUEST_LIMITS: Readonly<Record<Kind, RequestLimits>> = {
  query: {
    concurrencyMax: 16,
    requestTimeoutMs: 900,
    callTimeoutMs: 1_000,
    retriesMax: 1,
    retryDelayMaxMs: 1_000,
  },
  document: {
    concurrencyMax: 2,
    requestTimeoutMs: 30_000,
    callTimeoutMs: 120_000,
    retriesMax: 4,
    retryDelayMaxMs: 20_000,
  },
}

export type ProviderOptions = Endpoint &
  Readonly<{
    budget: TokenBudget
    /** A monotonic clock in milliseconds. */
    now: () => number
    sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
    limits?: Readonly<Record<Kind, RequestLimits>>
  }>

/** One call of the embedder, which may need several requests. */
export type Call = {
  readonly kind: Kind
  readonly requestTimeoutMs: number
  /** Aborts at the call's timeout. */
  readonly timeout: AbortSignal
  /** Aborts also when the caller gives up. */
  readonly signal: AbortSignal
  hasAnswered: boolean
}

type Vectors = readonly (Float32Array | null)[]

/** Requests to the provider, with budget, retries and a circuit breaker for each kind. */
export class Provider {
  /** Shrinks when the provider accepts fewer texts at once. */
  batchTextsMax = BATCH_TEXTS_MAX
  readonly #options: ProviderOptions
  readonly #limits: Readonly<Record<Kind, RequestLimits>>
  readonly #breakers: Readonly<Record<Kind, CircuitBreaker>>

  constructor(options: ProviderOptions) {
    const { now, limits = REQUEST_LIMITS } = options
    this.#options = options
    this.#limits = limits
    this.#breakers = {
      query: new CircuitBreaker({ now, concurrencyMax: limits.query.concurrencyMax }),
      document: new CircuitBreaker({ now, concurrencyMax: limits.document.concurrencyMax }),
    }
  }

  openCall(kind: Kind, texts: number, outer?: AbortSignal): Call {
    // A reader sends one query; several have as long for each, whichever request the provider answers first.
    const times = kind === 'query' ? texts : 1
    const requestTimeoutMs = this.#limits[kind].requestTimeoutMs * times
    const timeout = AbortSignal.timeout(this.#limits[kind].callTimeoutMs * times)
    const signal = outer ? AbortSignal.any([outer, timeout]) : timeout
    return { kind, requestTimeoutMs, timeout, signal, hasAnswered: false }
  }

  /** The vectors of the texts; halves a refused batch down to the refused text. */
  async vectorsOf(texts: readonly string[], call: Call): Promise<Vectors> {
    const answer = await this.#request(texts, call)
    if (answer.kind === 'vectors') return answer.vectors
    if (texts.length > 1) {
      const half = Math.ceil(texts.length / 2)
      if (answer.isTooLarge) this.batchTextsMax = Math.min(this.batchTextsMax, half)
      return [...(await this.vectorsOf(texts.slice(0, half), call)), ...(await this.vectorsOf(texts.slice(half), call))]
    }
    // An unobjectionable text tells whether the provider refuses this text or every text.
    if (!call.hasAnswered && (await this.#request([PROBE_TEXT], call)).kind !== 'vectors') {
      throw new EmbedderUnavailable(`the embeddings provider refuses any text: ${answer.reason}`, REFUSED_RETRY_SECONDS)
    }
    return [null]
  }

  /** One request, with retries of transient failures. */
  async #request(texts: readonly string[], call: Call): Promise<Exclude<Answer, { kind: 'failed' }>> {
    const { kind, signal } = call
    const { retriesMax, retryDelayMaxMs } = this.#limits[kind]
    const { sleep = sleepUnlessAborted } = this.#options
    const breaker = this.#breakers[kind]
    for (let retries = 0; ; retries++) {
      const attempt = async () => {
        const value = await this.#chargedRequest(texts, call)
        return { value, isSuccess: value.kind !== 'failed' }
      }
      const answer = await withinCall(call, () => breaker.run(attempt, signal))
      if (answer.kind === 'vectors') call.hasAnswered = true
      if (answer.kind !== 'failed') return answer
      const { reason, cause, isTransient, retryAfterMs } = answer
      const delayMs = Math.max(retryAfterMs ?? 0, backoffMs(retries))
      if (!isTransient || retries === retriesMax || delayMs > retryDelayMaxMs || breaker.openMs() > 0) {
        if (retryAfterMs !== null) breaker.openFor(retryAfterMs)
        const seconds = Math.ceil(Math.max(breaker.openMs(), isTransient ? 0 : REFUSED_RETRY_SECONDS * 1000) / 1000)
        throw unavailable(reason, Math.max(seconds, FAILED_RETRY_SECONDS), cause)
      }
      await withinCall(call, () => sleep(delayMs, signal))
    }
  }

  async #chargedRequest(texts: readonly string[], { kind, requestTimeoutMs, signal }: Call): Promise<Answer> {
    const tokens = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + SPECIAL_TOKENS_MAX, 0)
    const reservation = await this.#options.budget.reserve(tokens, kind)
    if ('emptyForSeconds' in reservation) {
      throw unavailable('the token budget of this month is spent', reservation.emptyForSeconds)
    }
    let spent = tokens
    try {
      const answer = await requestEmbeddings(this.#options, texts, { timeoutMs: requestTimeoutMs, signal })
      if (answer.kind === 'vectors') spent = answer.tokens ?? tokens
      else if (answer.kind === 'refused' || !answer.mayBeCharged) spent = 0
      return answer
    } finally {
      // Without the store the reservation stands, which never undercounts.
      if (spent !== tokens) await reservation.settle(spent).catch(() => {})
    }
  }
}

/** A request of this size takes a second or two; servers with a lower limit refuse it. */
const BATCH_TEXTS_MAX = 128
/** Tokens that a model adds to a text, such as start and end marks. */
const SPECIAL_TOKENS_MAX = 8
const PROBE_TEXT = 'concrete'
/** After a failure that may pass soon. */
const FAILED_RETRY_SECONDS = 5
/** After a failure that a person must repair. */
const REFUSED_RETRY_SECONDS = 60
const BACKOFF_MS = 250

/** Exponential backoff, half of it random, so that simultaneous failures do not retry simultaneously. */
function backoffMs(retries: number): number {
  return BACKOFF_MS * 2 ** retries * (0.5 + Math.random() / 2)
}

async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal })
}

/** Reports the call's timeout as EmbedderUnavailable. */
async function withinCall<T>({ timeout, kind }: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!timeout.aborted || error instanceof EmbedderUnavailable) throw error
    throw unavailable(`no answer in time for a ${kind}`, FAILED_RETRY_SECONDS, error)
  }
}

function unavailable(reason: string, retryAfterSeconds: number, cause?: unknown): EmbedderUnavailable {
  return new EmbedderUnavailable(`the embeddings provider: ${reason}`, retryAfterSeconds, { cause })
}
