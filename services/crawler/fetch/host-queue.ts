/** Time as the crawl sees it; tests have their own. */
export type Clock = Readonly<{
  now: () => number
  /** Rejects with the signal's reason when it aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}>

export type Manners = Readonly<{
  /** Requests to one host that may be under way at once. */
  atOnce: number
  /** Begun per second; a longer crawl-delay of the host replaces it. */
  perSecond: number
  /** That wait for one host; more are a mistake of the caller, who reads addresses faster than they are asked for. */
  waiting: number
}>

/**
 * Whose turn it is to ask a host: first come, first served, spaced evenly, and nobody while the host wants to be left
 * alone. A turn is held until it is disposed of, which is when the answer was read.
 */
export type Turns = Readonly<{
  /** Rejects with the signal's reason, or with QueueFull. */
  take: (host: string, signal?: AbortSignal) => Promise<Disposable>
  /** From now on this long between two beginnings, where that is longer than `perSecond` asks for. */
  space: (host: string, intervalMs: number) => void
  /** Nobody's turn comes before then; those that wait go on waiting. */
  hold: (host: string, untilMs: number) => void
}>

/** Hosts that are remembered; those where nothing waits or runs are forgotten first. */
const HOSTS_MAX = 10_000

export function openTurns({ atOnce, perSecond, waiting: waitingMax }: Manners, clock: Clock): Turns {
  const hosts = new Map<string, Host>()

  function hostOf(name: string): Host {
    let host = hosts.get(name)
    if (host === undefined) {
      if (hosts.size >= HOSTS_MAX) forgetIdle()
      host = { waiting: [], running: 0, begunMs: -Infinity, heldMs: 0, intervalMs: 1000 / perSecond, pump: null }
      hosts.set(name, host)
    }
    return host
  }

  function forgetIdle(): void {
    for (const [name, host] of hosts) {
      if (host.waiting.length === 0 && host.running === 0 && nextMs(host) <= clock.now()) hosts.delete(name)
    }
  }

  /** Gives turns until nobody waits or all are taken; one loop per host. */
  function pump(host: Host): void {
    if (host.pump !== null) return
    const stopping = new AbortController()
    host.pump = stopping
    const giving = async () => {
      while (host.waiting.length > 0 && host.running < atOnce) {
        const waitMs = nextMs(host) - clock.now()
        if (waitMs > 0) {
          // Looked at again afterwards: meanwhile the host may have asked for more.
          await clock.sleep(waitMs, stopping.signal)
          continue
        }
        host.running++
        host.begunMs = clock.now()
        host.waiting.shift()?.give()
      }
    }
    giving()
      .catch((error) => {
        if (!stopping.signal.aborted) for (const { fail } of host.waiting.splice(0)) fail(error)
      })
      .finally(() => {
        host.pump = null
        if (host.waiting.length > 0 && host.running < atOnce) pump(host)
      })
  }

  return {
    async take(name, signal) {
      signal?.throwIfAborted()
      const host = hostOf(name)
      if (host.waiting.length >= waitingMax) {
        throw new QueueFull(`${host.waiting.length} requests wait for ${name}, expected fewer than ${waitingMax}`)
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const waiter: Waiter = { give: resolve, fail: reject }
      const leave = () => {
        const at = host.waiting.indexOf(waiter)
        if (at === -1) return
        host.waiting.splice(at, 1)
        reject(signal?.reason)
        if (host.waiting.length === 0) host.pump?.abort()
      }
      signal?.addEventListener('abort', leave, { once: true })
      host.waiting.push(waiter)
      pump(host)
      await promise.finally(() => signal?.removeEventListener('abort', leave))
      let isHeld = true
      return {
        [Symbol.dispose]() {
          if (!isHeld) return
          isHeld = false
          host.running--
          pump(host)
        },
      }
    },
    space(name, intervalMs) {
      hostOf(name).intervalMs = Math.max(intervalMs, 1000 / perSecond)
    },
    hold(name, untilMs) {
      const host = hostOf(name)
      host.heldMs = Math.max(host.heldMs, untilMs)
    },
  }
}

export class QueueFull extends Error {
  override name = 'QueueFull'
}

type Waiter = Readonly<{ give: () => void; fail: (error: unknown) => void }>
type Host = {
  readonly waiting: Waiter[]
  running: number
  /** When the last turn began. */
  begunMs: number
  /** Before then none does. */
  heldMs: number
  intervalMs: number
  /** Ends the loop that gives turns; null while none runs. */
  pump: AbortController | null
}

const nextMs = (host: Host) => Math.max(host.begunMs + host.intervalMs, host.heldMs)
