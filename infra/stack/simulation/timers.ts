import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'

/** What a simulated process finds where a real one finds the clock of its machine. */
export type Clock = Readonly<{
  /** Monotonic time in milliseconds. */
  now: () => number
  /** Calls back after `ms`, again and again when `repeats`; returns a function that ends it. */
  after: (ms: number, callback: () => void, options: { repeats: boolean }) => () => void
}>

const clocks = new AsyncLocalStorage<Clock>()

/** Runs code, and all that it begins, by this clock. */
export const byClock = <T>(clock: Clock, work: () => T): T => clocks.run(clock, work)

/** The event loop of the machine, for the scheduler: resolves when no microtask is left. */
const { setImmediate: immediately } = globalThis
export const untilQuiet = (): Promise<void> => new Promise((resolve) => immediately(resolve))

/**
 * Gives code under {@link byClock} virtual timers until disposal; all other code keeps the machine's. The product takes
 * time as an argument where time is a fact, and waits by the timers of Node.js, which only this can replace.
 */
export function virtualTimers(): Disposable {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    delay: timersPromises.setTimeout,
    now: performance.now,
  }
  const begin =
    (instead: typeof real.setTimeout, repeats: boolean) =>
    (callback: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      const clock = clocks.getStore()
      if (clock === undefined) return instead(callback, ms, ...given)
      return timerOf(clock.after(ms, () => clocks.run(clock, () => callback(...given)), { repeats }))
    }
  const end = (instead: typeof real.clearTimeout) => (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.end()
    else instead(timer as NodeJS.Timeout)
  }
  globalThis.setTimeout = begin(real.setTimeout, false) as typeof setTimeout
  globalThis.setInterval = begin(real.setInterval as typeof real.setTimeout, true) as unknown as typeof setInterval
  globalThis.clearTimeout = end(real.clearTimeout) as typeof clearTimeout
  globalThis.clearInterval = end(real.clearInterval) as typeof clearInterval
  performance.now = () => clocks.getStore()?.now() ?? real.now.call(performance)
  timersPromises.setTimeout = ((ms: number, value: unknown, options?: { signal?: AbortSignal }) => {
    const clock = clocks.getStore()
    return clock === undefined ? real.delay(ms, value, options) : delayOf(clock, { ms, value, signal: options?.signal })
  }) as typeof real.delay
  syncBuiltinESMExports()
  return {
    [Symbol.dispose]() {
      const { delay, now, ...globals } = real
      Object.assign(globalThis, globals)
      performance.now = now
      timersPromises.setTimeout = delay
      syncBuiltinESMExports()
    },
  }
}

class VirtualTimer {
  readonly end: () => void
  constructor(end: () => void) {
    this.end = end
  }
  ref = () => this
  unref = () => this
}
const timerOf = (end: () => void) => new VirtualTimer(end)

function delayOf(clock: Clock, { ms, value, signal }: { ms: number; value: unknown; signal: AbortSignal | undefined }) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      end()
      reject(signal?.reason)
    }
    const end = clock.after(
      ms,
      () => {
        signal?.removeEventListener('abort', abort)
        resolve(value)
      },
      { repeats: false },
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
