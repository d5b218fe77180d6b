import { setTimeout as delay } from 'node:timers/promises'
import { destination, type Logger, pino } from 'pino'

/** Time that a stopping process gets before it is ended by force: longer than any single drain it waits for. */
const FORCED_EXIT_MS = 25_000

/**
 * Runs the work until it resolves or the process is asked to stop (SIGINT, SIGTERM): then the signal aborts and the work
 * drains. A second signal, or a drain of more than 25 s, ends the process with code 1.
 */
export async function run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort(new Stopped())
    setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    return await work(stopping.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Why the signal of {@link run} aborts. */
export class Stopped extends Error {
  override name = 'Stopped'
  constructor() {
    super('the process was asked to stop')
  }
}

/**
 * Begins stages that run until their signal aborts, and resolves when all have ended. The first that fails stops the
 * others, which drain before its error is thrown: none goes on while what it works on is closed.
 */
export async function sideBySide(
  signal: AbortSignal,
  begin: (signal: AbortSignal) => readonly Promise<void>[],
): Promise<void> {
  const failing = new AbortController()
  const stages = begin(AbortSignal.any([signal, failing.signal]))
  try {
    await Promise.all(stages)
  } finally {
    failing.abort()
    await Promise.allSettled(stages)
  }
}

/** JSON lines on stderr, so that stdout stays free for answers. Authorization headers and keys never reach it. */
export function openLogger(level: string): Logger {
  return pino(
    { level, base: null, redact: ['req.headers.authorization', 'headers.authorization', 'key'] },
    destination({ dest: 2, sync: true }),
  )
}

const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 60_000

/**
 * Runs the work again after it failed, for ever, from 1 to 60 s apart, until the signal aborts; what `isFatal` names is
 * thrown at once. For failures of the infrastructure: a database that restarts, a broker that is away.
 */
export async function retrying(
  work: () => Promise<void>,
  {
    signal,
    isFatal,
    onRetry,
  }: {
    signal: AbortSignal
    isFatal: (error: unknown) => boolean
    onRetry: (error: unknown, waitMs: number) => void
  },
): Promise<void> {
  for (let waitMs = RETRY_MS_MIN; !signal.aborted; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
    const begun = performance.now()
    try {
      await work()
      return
    } catch (error) {
      if (signal.aborted) return
      if (isFatal(error)) throw error
      // Work that held for longer than the longest wait was healthy: the next failure is a new one.
      if (performance.now() - begun > RETRY_MS_MAX) waitMs = RETRY_MS_MIN
      onRetry(error, waitMs)
      await delay(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}
