/** Limits the concurrent requests to the provider; waiting calls are served in order. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(permits: number) {
    this.#free = permits
  }

  /** Resolves when a permit is free. Rejects with the signal's reason when it aborts first. */
  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    const granted = Promise.withResolvers<void>()
    const grant = () => granted.resolve()
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(grant), 1)
      granted.reject(signal.reason)
    }
    this.#waiting.push(grant)
    signal.addEventListener('abort', leave, { once: true })
    await granted.promise.finally(() => signal.removeEventListener('abort', leave))
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
