import { DAY_MS, MINUTE_MS } from '@catalog/core/time.ts'
import fc from 'fast-check'
import { createTask, getTasks } from 'node-cron'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { BadSchedule, lastDue, nextDue, scheduleProblem } from './schedule.ts'

describe('a cron schedule', () => {
  afterEach(() => vi.useRealTimers())

  const next = (cron: string, after: string) => nextDue(cron, new Date(after)).toISOString()

  test.each([
    ['30 4 * * *', '2026-11-02T04:29:59.999Z', '2026-11-02T04:30:00.000Z'],
    ['30 4 * * *', '2026-11-02T04:30:00.000Z', '2026-11-03T04:30:00.000Z'],
    ['*/20 8-9 * * 1-5', '2026-11-06T09:40:01.000Z', '2026-11-09T08:00:00.000Z'],
    ['59 23 31 dec *', '2026-12-31T23:59:00.000Z', '2027-12-31T23:59:00.000Z'],
    ['0 0 L * *', '2028-02-28T12:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    ['0 6 * * mon#2', '2026-11-02T06:00:00.000Z', '2026-11-09T06:00:00.000Z'],
    ['0 0 29 2 *', '2096-02-29T00:00:00.000Z', '2104-02-29T00:00:00.000Z'],
    // Matches both the day of the month and the weekday: Friday the 13th, not every Friday.
    ['0 0 13 * 5', '2026-11-14T00:00:00.000Z', '2027-08-13T00:00:00.000Z'],
    // The longest gap of any schedule.
    ['0 0 29 2 1', '2072-02-29T00:00:00.000Z', '2112-02-29T00:00:00.000Z'],
    ['45 2 * 3 0', '2026-03-29T01:00:00.000Z', '2026-03-29T02:45:00.000Z'],
  ])("'%s' after %s is %s", (cron, after, expected) => {
    expect(next(cron, after)).toBe(expected)
  })

  test('every kind of year returns within 40 years', () => {
    const seen = new Map<string, number>()
    let longest = 0
    for (let year = 1600; year <= 2400; year++) {
      const kind = `${new Date(Date.UTC(year, 0, 1)).getUTCDay()} ${new Date(Date.UTC(year, 1, 29)).getUTCDate()}`
      longest = Math.max(longest, year - (seen.get(kind) ?? year))
      seen.set(kind, year)
    }
    expect(seen.size).toBe(14)
    expect(longest).toBe(40)
  })

  /** Generates expressions with every kind of field. */
  const field = (min: number, max: number, words: readonly string[] = []) => {
    const number = fc.integer({ min, max }).map(String)
    const range = fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${a}-${b}`)
    const stepped = fc
      .tuple(fc.oneof(fc.constant('*'), range), fc.integer({ min: 1, max: 40 }))
      .map((of) => of.join('/'))
    const part = fc.oneof(number, number, range, stepped, ...words.map((word) => fc.constant(word)))
    return fc.oneof(
      fc.constant('*'),
      fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(',')),
    )
  }
  const expressions = fc
    .tuple(
      field(0, 59),
      field(0, 23),
      fc.oneof(fc.constant('*'), field(1, 31, ['L', 'L-3', '15W', '1W', 'LW'])),
      fc.oneof(fc.constant('*'), field(1, 12, ['feb', 'JUN-aug'])),
      fc.oneof(fc.constant('*'), field(0, 7, ['mon-fri', 'sun', '2#1', '5#5', '4L'])),
    )
    .map((fields) => fields.join(' '))
    .filter((cron) => scheduleProblem(cron) === null)
  const instants = fc.date({ min: new Date('2024-01-01'), max: new Date('2036-01-01'), noInvalidDate: true })

  test('has the next instant that node-cron finds', () => {
    fc.assert(
      fc.property(expressions, instants, (cron, after) => {
        vi.useFakeTimers({ toFake: ['Date'], now: after })
        const task = createTask(cron, () => {}, { timezone: 'UTC' })
        const [expected] = task.getNextRuns(1)
        void task.destroy()
        expect(nextDue(cron, after)).toEqual(expected)
      }),
      { numRuns: 400 },
    )
  })

  test('matches its next instant and no minute before', () => {
    fc.assert(
      fc.property(expressions, instants, (cron, after) => {
        const due = nextDue(cron, after).getTime()
        const task = createTask(cron, () => {}, { timezone: 'UTC' })
        const first = (Math.floor(after.getTime() / MINUTE_MS) + 1) * MINUTE_MS
        // Checks the last two days before a rare instant.
        const matching: number[] = []
        for (let at = Math.max(first, due - 2 * DAY_MS); at <= due; at += MINUTE_MS) {
          if (task.match(new Date(at))) matching.push(at)
        }
        void task.destroy()
        expect(matching).toEqual([due])
      }),
      { numRuns: 60 },
    )
  })

  test('has the last instant up to now, of two days at most', () => {
    const now = new Date('2026-11-25T12:34:56Z')
    expect(lastDue('0 2 * * *', now)).toEqual(new Date('2026-11-25T02:00:00Z'))
    expect(lastDue('34 12 * * *', now)).toEqual(new Date('2026-11-25T12:34:00Z'))
    expect(lastDue('35 12 * * *', now)).toEqual(new Date('2026-11-24T12:35:00Z'))
    expect(lastDue('0 0 1 1 *', now)).toBeUndefined()
    expect(lastDue('* * * * * *', now)).toBeUndefined()
  })

  test.each([
    ['', ': 0 fields, expected 5'],
    ['30 4 * *', ': 4 fields, expected 5'],
    ['0 30 4 * * *', ': 6 fields, expected 5'],
    ['@daily', ': 1 fields, expected 5'],
    ['61 4 * * *', ", '61': expected minutes from 0 to 59"],
    ['*/0 4 * * *', ", '*/0': expected minutes from 0 to 59"],
    ['0 24 * * *', ", '24': expected hours from 0 to 23"],
    ['0 4 0 * *', ", '0': expected days that these months have"],
    ['0 4 31 2,apr *', ", '31': expected days that these months have"],
    ['0 4 * 13 *', ", '13': expected months from 1 to 12"],
    ['0 4 * * lundi', ", 'lundi': expected weekdays from 0 to 7"],
    ['0 4 * * $', ': pattern includes illegal characters, expected a schedule as'],
    // These ranges would fill the memory when expanded.
    ['0-4000000000 * * * *', ": '4000000000', expected numbers of two digits at most"],
    ['0 4 31 * 1#1', ' never occurs, expected days that exist'],
    ['0 4 31W 2 *', ' never occurs, expected days that exist'],
    [`${'0,'.repeat(150)}0 4 * * *`, ': 309 characters, expected at most 300'],
  ])("'%s' is refused", (cron, sentence) => {
    expect(scheduleProblem(cron)).toContain(sentence)
    expect(scheduleProblem(cron)?.length).toBeLessThan(200)
    expect(() => nextDue(cron, new Date())).toThrow(BadSchedule)
  })

  test('accepts any text or refuses it with a sentence, and leaves no timer', () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    // Timers of the test runner.
    const before = timers()
    const parts = fc.array(
      fc.constantFrom('0', '5', '99', '*', '/', '-', ',', '#', 'L', 'W', '?', 'mon', 'jan', ' ', ' '),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          parts.map((of) => of.join('')),
        ),
        (text) => {
          const problem = scheduleProblem(text)
          expect(problem === null || problem.startsWith("'")).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
    for (let n = 0; n < 100; n++) expect(scheduleProblem('30 4 * * *')).toBe(null)
    expect(getTasks().size).toBe(0)
    expect(timers()).toBe(before)
  })
})
