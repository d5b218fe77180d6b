import { DAY_MS, MINUTE_MS } from '@catalog/core/time.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import { createTask, validateDetailed } from 'node-cron'
import type { SourceSpec } from './sources-file.ts'

/** Longer expressions are no schedule that a person wrote; a list of all minutes has 169 characters. */
const CRON_CHARS_MAX = 300
/** Characters of a refused expression that are shown. */
const SHOWN_CHARS_MAX = 60
/**
 * Whether a day is one of a schedule depends on the kind of its year alone: leap or not, and the weekday it begins with.
 * No kind is away for longer than 40 years (a leap year around 2100), so what does not come until then never does.
 */
const MONTHS_MAX = 40 * 12

/** What is wrong with a schedule, as a sentence; null where nothing is, and then {@link nextDue} finds its instants. */
export function isSchedule(cron: string): string | null {
  try {
    nextDue(cron, new Date(0))
    return null
  } catch (error) {
    if (error instanceof BadSchedule) return error.message
    throw error
  }
}

/**
 * The first instant of a schedule that is later than `after`: a whole minute, UTC. The five fields are as node-cron reads
 * them: a day must be one of the days of the month and one of the weekdays. Throws BadSchedule where there is none.
 */
export function nextDue(cron: string, after: Date): Date {
  const { months, timesMs } = fieldsOf(cron)
  const afterMs = after.getTime()
  const [year, month] = [after.getUTCFullYear(), after.getUTCMonth()]
  // A task knows what its expression means. This one is never started, so it has no timer, and is not kept.
  const task = createTask(cron, () => {}, { timezone: 'UTC' })
  try {
    for (let n = 0; n <= MONTHS_MAX; n++) {
      const firstMs = Date.UTC(year, month + n, n === 0 ? after.getUTCDate() : 1)
      if (!months.includes(new Date(firstMs).getUTCMonth() + 1)) continue
      const endMs = Date.UTC(year, month + n + 1, 1)
      for (let dayMs = firstMs; dayMs < endMs; dayMs += DAY_MS) {
        const timeMs = timesMs.find((timeMs) => dayMs + timeMs > afterMs)
        if (timeMs !== undefined && task.match(new Date(dayMs + timeMs))) return new Date(dayMs + timeMs)
      }
    }
  } finally {
    void task.destroy()
  }
  throw new BadSchedule(`'${cron}' never comes, expected days that there are`)
}

export class BadSchedule extends Error {
  override name = 'BadSchedule'
}

/** The months, from 1, and the times of day in their order. Throws BadSchedule. */
function fieldsOf(cron: string): { months: readonly number[]; timesMs: readonly number[] } {
  const fail = (sentence: string) => {
    const shown = cron.length > SHOWN_CHARS_MAX ? `${cron.slice(0, SHOWN_CHARS_MAX)}...` : cron
    return new BadSchedule(`'${shown}'${sentence}`)
  }
  if (cron.length > CRON_CHARS_MAX) {
    throw fail(`: ${cron.length} characters, expected at most ${CRON_CHARS_MAX}`)
  }
  const found = cron.trim() === '' ? 0 : cron.trim().split(/\s+/).length
  if (found !== 5) {
    throw fail(`: ${found} fields, expected 5: minute, hour, day of the month, month, weekday`)
  }
  // node-cron writes a range out before it looks at its bounds, which ends the process where they are far apart.
  const long = /\d{3,}/.exec(cron)
  if (long !== null) throw fail(`: '${long[0]}', expected numbers of two digits at most`)
  const { fields, errors } = validateDetailed(cron)
  if (fields === undefined) {
    const { field, value, message } = errors[0] ?? { field: '', message: 'unreadable' }
    const expected = EXPECTED[field]
    throw fail(
      expected === undefined ? `: ${message}, expected a schedule as '30 4 * * 1-5'` : `, '${value}': ${expected}`,
    )
  }
  const timesMs = fields.hour.flatMap((hour) => fields.minute.map((minute) => (hour * 60 + minute) * MINUTE_MS))
  return { months: fields.month, timesMs: timesMs.sort((a, b) => a - b) }
}

/** By the field's name in node-cron. */
const EXPECTED: Readonly<Record<string, string>> = {
  minute: 'expected minutes from 0 to 59, as 30 or 0,30 or 10-20 or */15',
  hour: 'expected hours from 0 to 23, as 4 or 4,16 or 8-18 or */6',
  dayOfMonth: 'expected days that these months have, from 1 to 31, as 1 or 1,15 or 1-7, or L for the last',
  month: 'expected months from 1 to 12, as 6 or jun or 1-6 or */3',
  dayOfWeek: 'expected weekdays from 0 to 7 (0 and 7 are Sunday), as 1-5 or mon-fri, or mon#2 for the second Monday',
}

/** How often the list of sources is looked at again while nothing else happens. */
export const LOOK_MS = 10_000
/** Most of a crawl is waiting for its host's turn; each has a spool on disk that is read and written. */
const AT_ONCE = 4

/** A crawl that did not even come to its end (the store, the log or the disk is away) is tried again after this, so often. */
const RETRY_MS = 15 * MINUTE_MS
const RETRIES_MAX = 3

/** What of a source matters here. */
type Scheduled = Pick<SourceSpec, 'id' | 'name' | 'schedule' | 'enabled'>

/**
 * Crawls every source when it is due, until the signal aborts and what runs then has ended. A source is due when an instant
 * of its schedule is later than its last attempt, whatever became of that, and not later than now: so a restart loses none
 * and doubles none, and several missed ones are one crawl. A crawl that throws is tried again {@link RETRIES_MAX} times,
 * and then at its next instants. One that was never attempted is due at once. What was due first goes first; no source is crawled twice at a time.
 *
 * Whoever cannot be asked (a broken file, a store that is away) is told of once and asked again at the next look; what was
 * known before goes on. Throws BadSchedule where a source has a schedule that {@link isSchedule} refuses.
 */
export async function followSchedule<Source extends Scheduled>({
  read,
  lastAttempt,
  crawl,
  clock,
  signal,
  log,
  atOnce = AT_ONCE,
}: {
  /** Called at every look; may give again what it gave before. */
  read: () => Promise<Readonly<{ sources: readonly Source[] }>>
  /** When the newest crawl of a source began, whatever became of it; null where there is none. Asked once for each source. */
  lastAttempt: (sourceId: string) => Promise<Date | null>
  /** `due` is the first instant that it makes up for; of a source that was never attempted, when it was seen first. */
  crawl: (source: Source, of: { due: Date; signal: AbortSignal }) => Promise<void>
  clock: Clock
  signal: AbortSignal
  log: { error(details: object, message: string): void }
  atOnce?: number
}): Promise<void> {
  /** Those that are to be crawled, in the order of the file. */
  let sources: readonly (Source & { schedule: string })[] = []
  const plans = new Map<string, Plan>()
  const running = new Map<string, Promise<void>>()
  /** Crawls that threw, in a row. */
  const failures = new Map<string, number>()
  let fileProblem: string | null = null
  let isStoreAway = false
  let wake = () => {}

  async function readSources(): Promise<void> {
    try {
      const file = await read()
      sources = file.sources.filter((source): source is Source & { schedule: string } => {
        return source.enabled && source.schedule !== null
      })
      fileProblem = null
    } catch (error) {
      const problem = sentenceOf(error)
      if (problem !== fileProblem) log.error({ problem }, 'sources cannot be read; those of before are crawled')
      fileProblem = problem
    }
  }

  /** Forgets who is gone, so that one that comes back is asked for anew, and plans for who is new or has a new schedule. */
  async function look(): Promise<void> {
    await readSources()
    const ids = new Set(sources.map(({ id }) => id))
    for (const id of plans.keys()) {
      if (ids.has(id) || running.has(id)) continue
      plans.delete(id)
      failures.delete(id)
    }
    let isAsking = true
    for (const { id, schedule } of sources) {
      const before = plans.get(id)
      if (before !== undefined) {
        if (before.schedule !== schedule) plans.set(id, plan(schedule, before.attemptMs))
        continue
      }
      if (!isAsking || signal.aborted) continue
      let attempt: Date | null
      try {
        attempt = await lastAttempt(id)
        isStoreAway = false
      } catch (error) {
        // Each of many sources may take its time to fail.
        isAsking = false
        if (!isStoreAway) log.error({ problem: sentenceOf(error) }, 'last crawls cannot be read; new sources wait')
        isStoreAway = true
        continue
      }
      // One in the future was told by a wrong clock, and would have the source wait for that.
      const attemptMs = attempt === null || attempt.getTime() > clock.now() ? null : attempt.getTime()
      plans.set(id, plan(schedule, attemptMs))
    }
  }

  function plan(schedule: string, attemptMs: number | null): Plan {
    const dueMs = attemptMs === null ? clock.now() : nextDue(schedule, new Date(attemptMs)).getTime()
    return { schedule, attemptMs, dueMs }
  }

  function* waiting(): Generator<Readonly<{ source: Source & { schedule: string }; dueMs: number }>> {
    for (const source of sources) {
      const plan = plans.get(source.id)
      if (plan !== undefined && !running.has(source.id)) yield { source, dueMs: plan.dueMs }
    }
  }

  function begin(): void {
    const nowMs = clock.now()
    const due = [...waiting()].filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs)
    for (const { source, dueMs } of due.slice(0, atOnce - running.size)) {
      plans.set(source.id, plan(source.schedule, nowMs))
      const crawling = crawlOne(source, new Date(dueMs)).finally(() => {
        running.delete(source.id)
        wake()
      })
      running.set(source.id, crawling)
    }
  }

  async function crawlOne(source: Source, due: Date): Promise<void> {
    const { id, name } = source
    try {
      await crawl(source, { due, signal })
      failures.delete(id)
    } catch (error) {
      if (signal.aborted) return
      const failed = (failures.get(id) ?? 0) + 1
      failures.set(id, failed)
      const plan = plans.get(id)
      if (plan !== undefined && failed <= RETRIES_MAX) {
        plans.set(id, { ...plan, dueMs: Math.min(plan.dueMs, clock.now() + RETRY_MS) })
      }
      log.error({ source: name, problem: sentenceOf(error) }, 'crawl failed and is tried again')
    }
  }

  /** Until something is due that may begin, a crawl ends, the signal aborts, or it is time for a look. */
  async function rest(): Promise<void> {
    if (signal.aborted) return
    const nowMs = clock.now()
    let untilMs = nowMs + LOOK_MS
    if (running.size < atOnce) for (const { dueMs } of waiting()) untilMs = Math.min(untilMs, dueMs)
    const waking = new AbortController()
    wake = () => waking.abort()
    signal.addEventListener('abort', wake)
    try {
      await clock.sleep(Math.max(untilMs - nowMs, 0), waking.signal)
    } catch (error) {
      if (!waking.signal.aborted) throw error
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  try {
    while (!signal.aborted) {
      await look()
      if (!signal.aborted) begin()
      await rest()
    }
  } finally {
    await Promise.all(running.values())
  }
}

/** `attemptMs` is when the newest crawl began, null where there is none. */
type Plan = Readonly<{ schedule: string; attemptMs: number | null; dueMs: number }>

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
