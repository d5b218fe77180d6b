/** A shorter block is noticed by callers at most as a slow answer. */
const BLOCKED_MS_MIN = 1_000
/** A process that blocks all the time says so once a minute. */
const QUIET_MS = 60_000
/** Blocks are measured to within this length. */
const TICK_MS = 100

/**
 * Logs when synchronous work blocked this process's event loop for longer than a second: one line a minute at most, with the
 * longest block since the line before, in milliseconds. Disposal ends it. It keeps no process alive.
 *
 * It counts by a timer of its own: resetting the histogram of node:perf_hooks forgets the block that is just ending, and the
 * metrics reset theirs with every scrape.
 */
export function watchEventLoop(
  logger: Readonly<{ warn(details: object, message: string): void }>,
  { quietMs = QUIET_MS }: { quietMs?: number } = {},
): Disposable {
  let lastMs = performance.now()
  let saidAtMs = Number.NEGATIVE_INFINITY
  let longestMs = 0
  const timer = setInterval(() => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - lastMs - TICK_MS)
    lastMs = nowMs
    if (longestMs < BLOCKED_MS_MIN || nowMs - saidAtMs < quietMs) return
    logger.warn({ blockedMs: Math.round(longestMs) }, 'the event loop was blocked')
    saidAtMs = nowMs
    longestMs = 0
  }, TICK_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
