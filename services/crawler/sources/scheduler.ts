import { MINUTE_MS } from '@catalog/core/time.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import { nextDue } from './schedule.ts'
import type { SourceSpec } from './sources-file.ts'

/** How often the scheduler reads the sources again while nothing else happens. */
export const POLL_MS = 10_000
/** Each crawl has a spool on disk that it reads and writes. */
const AT_ONCE = 4
/** A crawl that has run so long mostly waits for its host: it goes on, and another one may begin beside it. */
export const SLOW_MS = 10 * MINUTE_MS
/** Slow ones included: each holds a spool and connections. */
const RUNNING_MAX = 32

/** Retries of a crawl that threw because the store, the log or the disk failed. */
const RETRY_MS = 15 * MINUTE_MS
const RETRIES_MAX = 3

/** The fields of a source that the scheduler needs. */
type Schedulable = Pick<SourceSpec, 'id' | 'name' | 'schedule' | 'enabled'>
type Scheduled<Source> = Source & { schedule: string }

type ScheduleOptions<Source> = Readonly<{
  /** Called at every poll; may return the same sources again. */
  read: () => Promise<Readonly<{ sources: readonly Source[] }>>
  /** When the newest crawl of a source began, with any outcome; null where there is none. Called once for each source. */
  lastAttempt: (sourceId: string) => Promise<Date | null>
  /** `due`: the first instant that the crawl makes up for, or the first sight of a source that was never attempted. */
  crawl: (source: Source, of: { due: Date; signal: AbortSignal }) => Promise<void>
  clock: Clock
  signal: AbortSignal
  log: { error(details: object, message: string): void }
  atOnce?: number
}>

/**
 * Crawls every source when it is due, until the signal aborts and the running crawls end. A source is due when an instant of
 * its schedule lies after its last attempt and not after now. So a restart loses and doubles no instant, and one crawl makes up
 * for several missed instants. A source without an attempt is due at once.
 *
 * The earliest due source goes first, and no source is crawled twice at a time. A crawl of more than {@link SLOW_MS} holds no
 * slot, so that a few slow hosts delay nobody else. A crawl that throws is retried
 * {@link RETRIES_MAX} times, and then at its next instants.
 *
 * An unreadable file or store is logged once and read again at the next poll; until then the known sources go on. Throws
 * BadSchedule where a source has a schedule that scheduleProblem refuses.
 */
export async function followSchedule<Source extends Schedulable>(options: ScheduleOptions<Source>): Promise<void> {
  await new Scheduler(options).run()
}

class Scheduler<Source extends Schedulable> {
  readonly #options: ScheduleOptions<Source>
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #atOnce: number
  /** The enabled sources with a schedule, in the order of the file. */
  #sources: readonly Scheduled<Source>[] = []
  readonly #plans = new Map<string, Plan>()
  readonly #running = new Map<string, Readonly<{ beganMs: number; ended: Promise<void> }>>()
  /** Failures in a row by source. */
  readonly #failures = new Map<string, number>()
  #fileProblem: string | null = null
  #isStoreAway = false
  #wake = () => {}

  constructor(options: ScheduleOptions<Source>) {
    this.#options = options
    this.#clock = options.clock
    this.#signal = options.signal
    this.#atOnce = options.atOnce ?? AT_ONCE
  }

  async run(): Promise<void> {
    try {
      while (!this.#signal.aborted) {
        await this.#poll()
        if (!this.#signal.aborted) this.#beginDue()
        await this.#sleep()
      }
    } finally {
      await Promise.all([...this.#running.values()].map(({ ended }) => ended))
    }
  }

  /** Forgets the plans of removed sources, and plans for new sources and new schedules. */
  async #poll(): Promise<void> {
    await this.#readSources()
    const ids = new Set(this.#sources.map(({ id }) => id))
    for (const id of this.#plans.keys()) {
      if (ids.has(id) || this.#running.has(id)) continue
      this.#plans.delete(id)
      this.#failures.delete(id)
    }
    let isStoreRead = true
    for (const { id, schedule } of this.#sources) {
      const before = this.#plans.get(id)
      if (before !== undefined) {
        if (before.schedule !== schedule) this.#plans.set(id, this.#plan(schedule, before.attemptMs))
        continue
      }
      if (!isStoreRead || this.#signal.aborted) continue
      const attemptMs = await this.#lastAttemptMs(id)
      // One failure is enough: each of many sources may take long to fail.
      if (attemptMs === undefined) isStoreRead = false
      else this.#plans.set(id, this.#plan(schedule, attemptMs))
    }
  }

  async #readSources(): Promise<void> {
    try {
      const file = await this.#options.read()
      this.#sources = file.sources.filter((source): source is Scheduled<Source> => {
        return source.enabled && source.schedule !== null
      })
      this.#fileProblem = null
    } catch (error) {
      const problem = messageOf(error)
      if (problem !== this.#fileProblem) {
        this.#options.log.error({ problem }, 'sources cannot be read; the known ones are still crawled')
      }
      this.#fileProblem = problem
    }
  }

  /** Null where the source was never attempted; undefined while the store cannot be read. */
  async #lastAttemptMs(id: string): Promise<number | null | undefined> {
    try {
      const attempt = await this.#options.lastAttempt(id)
      this.#isStoreAway = false
      // A wrong clock set a date in the future. The source would have to wait for it.
      return attempt === null || attempt.getTime() > this.#clock.now() ? null : attempt.getTime()
    } catch (error) {
      if (!this.#isStoreAway) {
        this.#options.log.error({ problem: messageOf(error) }, 'last crawls cannot be read; new sources wait')
      }
      this.#isStoreAway = true
      return undefined
    }
  }

  #plan(schedule: string, attemptMs: number | null): Plan {
    const dueMs = attemptMs === null ? this.#clock.now() : nextDue(schedule, new Date(attemptMs)).getTime()
    return { schedule, attemptMs, dueMs }
  }

  *#waiting(): Generator<Readonly<{ source: Scheduled<Source>; dueMs: number }>> {
    for (const source of this.#sources) {
      const plan = this.#plans.get(source.id)
      if (plan !== undefined && !this.#running.has(source.id)) yield { source, dueMs: plan.dueMs }
    }
  }

  #beginDue(): void {
    const nowMs = this.#clock.now()
    const due = [...this.#waiting()].filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs)
    for (const { source, dueMs } of due.slice(0, this.#free(nowMs))) {
      this.#plans.set(source.id, this.#plan(source.schedule, nowMs))
      const ended = this.#crawl(source, new Date(dueMs)).finally(() => {
        this.#running.delete(source.id)
        this.#wake()
      })
      this.#running.set(source.id, { beganMs: nowMs, ended })
    }
  }

  /** How many more crawls may begin. */
  #free(nowMs: number): number {
    const quick = [...this.#running.values()].filter(({ beganMs }) => nowMs - beganMs < SLOW_MS).length
    return Math.max(0, Math.min(this.#atOnce - quick, RUNNING_MAX - this.#running.size))
  }

  async #crawl(source: Source, due: Date): Promise<void> {
    const { id, name } = source
    try {
      await this.#options.crawl(source, { due, signal: this.#signal })
      this.#failures.delete(id)
    } catch (error) {
      if (this.#signal.aborted) return
      const failed = (this.#failures.get(id) ?? 0) + 1
      this.#failures.set(id, failed)
      const plan = this.#plans.get(id)
      if (plan !== undefined && failed <= RETRIES_MAX) {
        this.#plans.set(id, { ...plan, dueMs: Math.min(plan.dueMs, this.#clock.now() + RETRY_MS) })
      }
      this.#options.log.error({ source: name, problem: messageOf(error) }, 'crawl failed and will be retried')
    }
  }

  /** Sleeps until a crawl may begin, one ends, the signal aborts, or the next poll is due. */
  async #sleep(): Promise<void> {
    if (this.#signal.aborted) return
    const nowMs = this.#clock.now()
    let untilMs = nowMs + POLL_MS
    if (this.#free(nowMs) > 0) for (const { dueMs } of this.#waiting()) untilMs = Math.min(untilMs, dueMs)
    const waking = new AbortController()
    const wake = () => waking.abort()
    this.#wake = wake
    this.#signal.addEventListener('abort', wake)
    try {
      await this.#clock.sleep(Math.max(untilMs - nowMs, 0), waking.signal)
    } catch (error) {
      if (!waking.signal.aborted) throw error
    } finally {
      this.#signal.removeEventListener('abort', wake)
    }
  }
}

/** `attemptMs` is when the newest crawl began, null where there is none. */
type Plan = Readonly<{ schedule: string; attemptMs: number | null; dueMs: number }>

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
