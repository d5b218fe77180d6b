import { once } from 'node:events'
import { schedule } from 'node-cron'

/**
 * Runs the work at each instant of a cron expression in UTC until the signal aborts; null never runs it. Runs do not
 * overlap. The work must catch its own errors.
 */
export async function runNightly(
  cron: string | null,
  signal: AbortSignal,
  work: (due: Date) => Promise<void>,
): Promise<void> {
  const task = cron === null ? null : schedule(cron, ({ date }) => work(date), { timezone: 'UTC', noOverlap: true })
  if (!signal.aborted) await once(signal, 'abort')
  await task?.destroy()
}

/** Cron schedules count in whole seconds. */
export const wholeSecond = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000)
