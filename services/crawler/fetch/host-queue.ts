/** Time as the crawl sees it; tests pass their own. */
export type Clock = Readonly<{
  /** Milliseconds since the epoch. */
  now: () => number
  /** Rejects with the signal's reason when it aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}>

/** How much a crawl asks of one host. */
export type Politeness = Readonly<{
  /** Requests in progress at once. */
  atOnce: number
  /** Requests begun per second; a longer crawl-delay of the host replaces it. */
  perSecond: number
  /** Requests that may wait. More mean that the caller reads addresses faster than it can fetch them. */
  waitingMax: number
}>

/**
 * Takes the next turn of a host among all processes; turns lie an interval apart. Returns the milliseconds until it comes.
 * Rejects where nobody can tell: the queue then keeps to its own interval.
 */
export type TakeTurn = (turn: Readonly<{ host: string; intervalMs: number }>) => Promise<number>

/** Hosts that the queue remembers; it forgets idle ones first. */
const HOSTS_MAX = 10_000

/**
 * A queue of requests for each host: first come, first served, evenly spaced, and paused while the host wants that. A request
 * holds its slot until the response was read. With `takeTurn`, processes that crawl one host share its rate.
 */
export class HostQueue {
  readonly #hosts = new Map<string, Host>()
  readonly #politeness: Politeness
  readonly #clock: Clock
  readonly #takeTurn: TakeTurn

  constructor(politeness: Politeness, clock: Clock, takeTurn: TakeTurn = async () => 0) {
    this.#politeness = politeness
    this.#clock = clock
    this.#takeTurn = takeTurn
  }

  /** Waits for a slot, and frees it when it is disposed of. Rejects with the signal's reason, or with QueueFull. */
  async acquire(name: string, signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted()
    const host = this.#hostOf(name)
    const { waitingMax } = this.#politeness
    if (host.waiting.length >= waitingMax) {
      throw new QueueFull(`${host.waiting.length} requests wait for ${name}, expected fewer than ${waitingMax}`)
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { grant: resolve, fail: reject }
    const leave = () => {
      const at = host.waiting.indexOf(waiter)
      if (at === -1) return
      host.waiting.splice(at, 1)
      reject(signal?.reason)
      if (host.waiting.length === 0) host.pump?.abort()
    }
    signal?.addEventListener('abort', leave, { once: true })
    host.waiting.push(waiter)
    this.#pump(host)
    await promise.finally(() => signal?.removeEventListener('abort', leave))
    let isHeld = true
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return
        isHeld = false
        host.running--
        this.#pump(host)
      },
    }
  }

  /** Spaces the host's requests by this interval, where it is longer than `perSecond` asks for. */
  setIntervalMs(name: string, intervalMs: number): void {
    this.#hostOf(name).intervalMs = Math.max(intervalMs, 1000 / this.#politeness.perSecond)
  }

  /** Grants no slot before then. Waiting requests keep their places. */
  pauseUntil(name: string, untilMs: number): void {
    const host = this.#hostOf(name)
    host.pausedUntilMs = Math.max(host.pausedUntilMs, untilMs)
  }

  #hostOf(name: string): Host {
    let host = this.#hosts.get(name)
    if (host === undefined) {
      if (this.#hosts.size >= HOSTS_MAX) this.#forgetIdle()
      const intervalMs = 1000 / this.#politeness.perSecond
      host = { name, waiting: [], running: 0, begunMs: -Infinity, pausedUntilMs: 0, intervalMs, pump: null }
      this.#hosts.set(name, host)
    }
    return host
  }

  #forgetIdle(): void {
    for (const [name, host] of this.#hosts) {
      if (host.waiting.length === 0 && host.running === 0 && nextMs(host) <= this.#clock.now()) this.#hosts.delete(name)
    }
  }

  /** Runs one loop per host that grants slots until nobody waits or all are taken. */
  #pump(host: Host): void {
    if (host.pump !== null) return
    const stopping = new AbortController()
    host.pump = stopping
    this.#grantSlots(host, stopping.signal)
      .catch((error) => {
        if (!stopping.signal.aborted) for (const { fail } of host.waiting.splice(0)) fail(error)
      })
      .finally(() => {
        host.pump = null
        if (host.waiting.length > 0 && host.running < this.#politeness.atOnce) this.#pump(host)
      })
  }

  async #grantSlots(host: Host, signal: AbortSignal): Promise<void> {
    while (host.waiting.length > 0 && host.running < this.#politeness.atOnce) {
      const waitMs = nextMs(host) - this.#clock.now()
      if (waitMs > 0) {
        // Check again afterwards: meanwhile the host may have asked for a longer pause.
        await this.#clock.sleep(waitMs, signal)
        continue
      }
      const turnMs = await this.#takeTurn({ host: host.name, intervalMs: host.intervalMs }).catch(() => 0)
      if (turnMs > 0) await this.#clock.sleep(turnMs, signal)
      // Meanwhile the host may have asked for a pause, or everybody left: the turn passes unused.
      if (host.waiting.length === 0 || host.pausedUntilMs > this.#clock.now()) continue
      host.running++
      host.begunMs = this.#clock.now()
      host.waiting.shift()?.grant()
    }
  }
}

export class QueueFull extends Error {
  override name = 'QueueFull'
}

type Waiter = Readonly<{ grant: () => void; fail: (error: unknown) => void }>
type Host = {
  readonly name: string
  readonly waiting: Waiter[]
  running: number
  /** When the last request began. */
  begunMs: number
  pausedUntilMs: number
  intervalMs: number
  /** Ends the loop that grants slots; null while none runs. */
  pump: AbortController | null
}

const nextMs = (host: Host) => Math.max(host.begunMs + host.intervalMs, host.pausedUntilMs)
