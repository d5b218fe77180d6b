import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawHistory, type History } from './history.ts'
import { shrink } from './shrink.ts'
import { historyOf, simulate } from './simulation.ts'
import { virtualTimers } from './timers.ts'
import { openWire, type Wire } from './wire.ts'

/** `npm run simulate` runs ten thousand. */
const HISTORIES = Number(process.env.TEST_RUNS ?? 40)
/** Seconds on an idle machine, minutes on a busy one. */
const [OPENING_MS_MAX, RUNNING_MS_MAX] = [120_000, 600_000]

let wire: Wire
let timers: Disposable
beforeAll(async () => {
  wire = await openWire()
  timers = virtualTimers()
}, OPENING_MS_MAX)
afterAll(async () => {
  timers[Symbol.dispose]()
  await wire[Symbol.asyncDispose]()
})

test('what was acknowledged is applied, published, fed and mirrored, whatever fails', {
  timeout: RUNNING_MS_MAX,
}, async () => {
  const kinds = new Set<string>()
  let changes = 0
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const outcome = await simulate(wire, historyOf(seed))
    expect(outcome.misses, `seed ${seed}`).toEqual([])
    for (const { fault } of outcome.struck) kinds.add(fault.kind)
    changes += outcome.changes
  }
  // A simulation in which nothing happens would pass unnoticed.
  expect([...kinds].sort()).toEqual(['again', 'clock', 'crash', 'freeze', 'part', 'reset', 'restart', 'twice'])
  expect(changes).toBeGreaterThan(5 * HISTORIES)
})

describe('a seed', () => {
  const traced = async (history: History) => {
    const lines: string[] = []
    const outcome = await simulate(wire, history, (line) => lines.push(line))
    return { lines, outcome }
  }

  test('gives the same calls at the same instants again, also with its faults as a list', async () => {
    const first = await traced(historyOf(7))
    const again = await traced(historyOf(7))
    const listed = await traced({ ...historyOf(7), faults: first.outcome.struck })
    expect(first.outcome.struck.length).toBeGreaterThan(0)
    expect(again).toEqual(first)
    expect(listed).toEqual(first)
  })
})

describe('a fault in the store', () => {
  /** A night after two lists, without faults of the environment. */
  const quiet: History = {
    ...drawHistory(1, () => 0.5),
    faults: [],
    commands: [
      { afterMs: 0, kind: 'register', vendor: 0, trust: 60 },
      ...[0, 1].map((list) => ({
        afterMs: 1_000,
        kind: 'list' as const,
        list: { vendor: list, day: 0, list, prices: [0, 1, 2].map((product) => ({ product, cents: 110 + list })) },
        crawl: `crawl-${list}`,
      })),
      { afterMs: 1_000, kind: 'night', day: 0 },
    ],
  }
  /** A wire that breaks statements: `instead` gives the statement to run, or null for none. */
  const broken = (instead: (sql: string) => string | null): Wire => ({
    ...wire,
    run: (sql, parameters = []) => {
      const other = instead(sql)
      return other === null ? [] : wire.run(other, parameters)
    },
  })

  test.each<[string, (sql: string) => string | null, RegExp]>([
    ['an observation is lost', (sql) => (/insert into observations/.test(sql) ? null : sql), /observations are lost/],
    ['a change is lost', (sql) => (/insert into change_scopes/.test(sql) ? null : sql), /changes of items/],
    ['a position never moves', (sql) => (/update checkpoints/.test(sql) ? null : sql), /not done/],
  ])('%s, is found', async (_, instead, miss) => {
    expect((await simulate(wire, quiet)).misses).toEqual([])
    const { misses } = await simulate(broken(instead), quiet)
    expect(misses.join('\n')).toMatch(miss)
  })
})

test('a failing history shrinks to what it needs', async () => {
  const given: History = { ...historyOf(3), faults: (await simulate(wire, historyOf(3))).struck }
  const needed = given.commands.find(({ kind }) => kind === 'list')
  // A law that one command alone breaks.
  const run = async ({ commands }: History) => (commands.some((command) => command.kind === 'list') ? ['a list'] : [])
  expect(needed).toBeDefined()
  const { history, misses } = await shrink(given, ['a list'], run)
  expect(misses).toEqual(['a list'])
  expect(history.commands.map(({ kind }) => kind)).toEqual(['list'])
  expect(history.faults).toEqual([])
  expect(history).toMatchObject({ partitions: 1, isShared: false, catchUp: 'drain' })
})
