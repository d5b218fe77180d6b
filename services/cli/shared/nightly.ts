import { once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { instant } from '@catalog/core/time.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Logger, openLogger } from '@catalog/runtime/run.ts'
import { saveJobRun } from '@catalog/store/jobs.ts'
import { schedule } from 'node-cron'

export type NightlyJob = Readonly<{
  name: 'aggregate' | 'snapshot' | 'verify'
  /** In UTC; null never runs it. */
  cron: string | null
  /** An instant that passed while no process ran the job, to begin with; undefined for none. */
  missed?: () => Promise<Date | undefined>
  /**
   * Does the job of one instant. Returns what it did, for the log; undefined where another process had done it, or nothing
   * is to do. Throws what a later attempt may get over. The logger names the job.
   */
  work: (due: Date, logger: Logger) => Promise<object | undefined>
}>

/** Delays between attempts. */
const RETRY_MS = { min: 1_000, max: 60_000 }

/**
 * Runs a job at each instant of its schedule until the signal aborts. It repeats a failed attempt after 1 to 60 s:
 * a database that restarts at night must not cost a day. Where later instants pass meanwhile, it goes on with the last one. The table `jobs` says how the last run went, the log when each began and ended.
 */
export async function runNightly(
  { store, now }: Pick<Catalog, 'store' | 'now'>,
  { name, cron, missed, work }: NightlyJob,
  { signal, logLevel, retryMs = RETRY_MS }: { signal: AbortSignal; logLevel: string; retryMs?: typeof RETRY_MS },
): Promise<void> {
  const logger = openLogger(logLevel, name)
  if (cron === null) {
    if (!signal.aborted) await once(signal, 'abort')
    return
  }
  let due: Date | undefined
  let wake = () => {}
  const fallDue = (date: Date) => {
    due = date
    wake()
  }
  // node-cron prints its warnings by itself, where nobody looks for them.
  const quiet = {
    info() {},
    warn: (text: string) => logger.warn(text),
    error: (err: unknown) => logger.error({ err }),
    debug() {},
  }
  const task = schedule(cron, ({ date }) => fallDue(date), {
    timezone: 'UTC',
    logger: quiet,
    suppressMissedWarning: true,
  })
  // A process that was busy or frozen at the instant still owes the run.
  task.on('execution:missed', ({ date }) => fallDue(date))
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  logger.info({ cron, next: task.getNextRun() }, `nightly ${name} waits for its next instant`)
  try {
    const owed = await missed?.().catch((err: unknown) => {
      logger.warn({ err }, 'nobody can tell whether a run was missed; the next one catches up')
      return undefined
    })
    // An instant that came meanwhile is later.
    due ??= owed
    while (!signal.aborted) {
      if (due === undefined) {
        await Promise.race([stopped, new Promise<void>((resolve) => (wake = resolve))])
        continue
      }
      const at: Date = due
      await runUntilDone(at)
      if (due === at) due = undefined
    }
  } finally {
    await task.destroy()
  }

  /** Returns when the job is done, a later instant came after a failure, or the signal aborted. */
  async function runUntilDone(at: Date): Promise<void> {
    for (
      let attempt = 1, waitMs = retryMs.min;
      !signal.aborted;
      attempt++, waitMs = Math.min(waitMs * 2, retryMs.max)
    ) {
      const run = {
        job: name,
        due_at: instant(at),
        process: `${hostname()}:${process.pid}`,
        began_at: instant(now()),
        attempt,
      }
      try {
        const report = await work(at, logger)
        if (report === undefined) return
        logger.info({ due: run.due_at, attempt, report }, `nightly ${name} is done`)
        await saveJobRun(store, { ...run, ended_at: instant(now()), outcome: 'done', failure: null })
        return
      } catch (err) {
        if (signal.aborted) return
        logger.error({ err, due: run.due_at, attempt, waitMs }, `nightly ${name} failed and is tried again`)
        const failure = err instanceof Error ? err.message : String(err)
        // Where the store is away, the log alone can say it.
        await saveJobRun(store, { ...run, ended_at: instant(now()), outcome: 'failed', failure }).catch(() => {})
        if (due !== at) return
        await delay(waitMs, undefined, { signal }).catch(() => {})
      }
    }
  }
}

/** Cron schedules count in whole seconds. */
export const wholeSecond = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000)
