import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { destination, type Logger, pino } from 'pino'

export type { Logger }

/** A stopping process then exits by force; longer than any single drain. */
const FORCED_EXIT_MS = 25_000

/**
 * Graceful shutdown: runs the work until it resolves or a signal (SIGINT, SIGTERM) stops the process. Then the AbortSignal
 * aborts and the work drains. A second signal, or a drain of more than 25 s, exits with code 1.
 */
export async function run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stop = (by: NodeJS.Signals) => {
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort(new Stopped(by))
    setTimeout(exitByForce, FORCED_EXIT_MS).unref()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    return await work(stopping.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

/** Names what the drain waited for, since nobody can ask a process that has gone. */
function exitByForce(): never {
  const open = process.getActiveResourcesInfo().join(', ')
  process.stderr.write(`the work did not end within ${FORCED_EXIT_MS / 1000} s of the signal; open: ${open}\n`)
  process.exit(1)
}

/** The abort reason of {@link run}. */
export class Stopped extends Error {
  override name = 'Stopped'
  /** As shells report it: 128 and the number of the signal. */
  readonly exitCode: number
  constructor(by: NodeJS.Signals = 'SIGTERM') {
    super('the process was asked to stop')
    this.exitCode = 128 + constants.signals[by]
  }
}

/** The process was asked to stop amid work with an end. The message says what is done, and how it goes on. */
export class Interrupted extends Error {
  override name = 'Interrupted'
  readonly exitCode: number
  constructor(message: string, { cause, stopped }: { cause: unknown; stopped: Stopped }) {
    super(message, { cause })
    this.exitCode = stopped.exitCode
  }
}

/**
 * Runs stages until their signal aborts, and resolves when all have ended. The first failure stops the others and is
 * thrown after they drain, so that no stage outlives its resources.
 */
export async function runConcurrently(
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

/**
 * Logs JSON lines to stderr, because stdout is for answers. Each names the part that speaks and its process. Redacts
 * authorization headers and keys.
 */
export function openLogger(level: string, component: string): Logger {
  return pino(
    {
      level,
      base: { component, pid: process.pid },
      redact: ['req.headers.authorization', 'headers.authorization', 'key'],
    },
    destination({ dest: 2, sync: true }),
  )
}

const SAY_EVERY_MS = 60_000

/** Leaves out what would be said within a minute after the last: an outage fails a pass every second, and says the same. */
export function atMostOnceAMinute<Said extends unknown[]>(
  say: (...said: Said) => void,
  nowMs: () => number = () => performance.now(),
): (...said: Said) => void {
  let saidMs = Number.NEGATIVE_INFINITY
  return (...said) => {
    if (nowMs() - saidMs < SAY_EVERY_MS) return
    saidMs = nowMs()
    say(...said)
  }
}

const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 60_000

/**
 * Repeats failing work until the signal aborts, with delays of 1 s that double up to `waitMsMax` (default: 60 s); throws
 * errors for which `isFatal` holds. For failures of the infrastructure, such as a restarting database or an unreachable
 * broker. After an outage the work may wait for `waitMsMax` longer.
 */
export async function retryForever(
  work: () => Promise<void>,
  {
    signal,
    isFatal,
    onRetry,
    waitMsMax = RETRY_MS_MAX,
  }: {
    signal: AbortSignal
    waitMsMax?: number
    isFatal: (error: unknown) => boolean
    onRetry: (error: unknown, waitMs: number) => void
  },
): Promise<void> {
  const firstMs = Math.min(RETRY_MS_MIN, waitMsMax)
  for (let waitMs = firstMs; !signal.aborted; waitMs = Math.min(waitMs * 2, waitMsMax)) {
    const startedAt = performance.now()
    try {
      await work()
      return
    } catch (error) {
      if (signal.aborted) return
      if (isFatal(error)) throw error
      // Work that ran longer than the longest delay was healthy: start the delays anew.
      if (performance.now() - startedAt > RETRY_MS_MAX) waitMs = firstMs
      onRetry(error, waitMs)
      await delay(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}
