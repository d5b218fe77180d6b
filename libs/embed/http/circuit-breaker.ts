import { EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { Semaphore } from './semaphore.ts'

/** An attempt's value, and whether the provider answered. */
type Outcome<T> = { readonly value: T; readonly isSuccess: boolean }

/**
 * A circuit breaker with a concurrency limit. Consecutive failures open it for a while. Then it admits one probe, whose
 * outcome closes it or opens it for twice as long.
 *
 * Why not `cockatiel`: it measures time by Date.now(), which may jump, and takes no other clock. Its half-open state makes
 * callers wait for the probe, where ours refuses them at once. It cannot open for the provider's Retry-After, or tell how
 * long it stays open.
 */
export class CircuitBreaker {
  readonly #now: () => number
  readonly #permits: Semaphore
  #failures = 0
  /** End of the open state; null while closed. From then on the breaker admits one probe at a time. */
  #openUntil: number | null = null
  #nextOpenMs = OPEN_MS_MIN
  #isProbing = false

  /** `now` is a monotonic clock in milliseconds. */
  constructor({ now, concurrencyMax }: { now: () => number; concurrencyMax: number }) {
    this.#now = now
    this.#permits = new Semaphore(concurrencyMax)
  }

  /**
   * Runs the attempt when a permit is free. Throws EmbedderUnavailable, without an attempt, while the breaker is open, and
   * the signal's reason when it aborts first.
   */
  async run<T>(attempt: () => Promise<Outcome<T>>, signal: AbortSignal): Promise<T> {
    await this.#permits.acquire(signal)
    let isProbe = false
    try {
      const waitMs = this.openMs()
      if (waitMs > 0) {
        const seconds = Math.ceil(waitMs / 1000)
        throw new EmbedderUnavailable(`the embeddings provider failed; next attempt in ${seconds} s`, seconds)
      }
      isProbe = this.#openUntil !== null
      this.#isProbing ||= isProbe
      const { value, isSuccess } = await attempt()
      this.#record(isSuccess, isProbe)
      return value
    } finally {
      if (isProbe) this.#isProbing = false
      this.#permits.release()
    }
  }

  /** Opens the breaker for at least this time. */
  openFor(ms: number): void {
    this.#openUntil = Math.max(this.#openUntil ?? 0, this.#now() + ms)
  }

  /** Milliseconds until the next attempt; 0 while closed. */
  openMs(): number {
    if (this.#openUntil === null) return 0
    // During a probe callers come back soon.
    return this.#isProbing ? OPEN_MS_MIN : Math.max(0, this.#openUntil - this.#now())
  }

  #record(isSuccess: boolean, isProbe: boolean): void {
    if (isSuccess) {
      this.#failures = 0
      this.#openUntil = null
      this.#nextOpenMs = OPEN_MS_MIN
      return
    }
    this.#failures++
    // Attempts from before the breaker opened tell nothing new.
    if (this.#failures < FAILURES_MAX || (this.#openUntil !== null && !isProbe)) return
    this.openFor(this.#nextOpenMs)
    this.#nextOpenMs = Math.min(this.#nextOpenMs * 2, OPEN_MS_MAX)
  }
}

/** Consecutive failures that open the breaker: fewer happen by chance, more make readers wait in vain. */
const FAILURES_MAX = 5
const OPEN_MS_MIN = 5_000
const OPEN_MS_MAX = 120_000
