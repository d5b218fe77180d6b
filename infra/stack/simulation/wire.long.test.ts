import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { historyOf, simulate } from './simulation.ts'
import { untilQuiet, virtualTimers } from './timers.ts'
import { openWire, type Wire } from './wire.ts'

const OPENING_MS_MAX = 120_000

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
}, OPENING_MS_MAX)
afterAll(async () => await wire[Symbol.asyncDispose]())

test('rows of earlier histories leave the tables', () => {
  const begun = () => {
    wire.reset()
    wire.run('begin')
  }
  const insert = () =>
    wire.run(`insert into meta (key, value) select 'key ' || n, repeat('x', 100) from generate_series(1, $1) n`, [200])
  const bytes = () => Number(wire.run<{ bytes: bigint }>(`select pg_relation_size('meta') as bytes`)[0]?.bytes)
  begun()
  insert()
  const first = bytes()
  let most = 0
  for (let history = 2; history <= 300; history++) {
    begun()
    insert()
    most = Math.max(most, bytes())
  }
  // A hundred histories' rows at most, of three hundred.
  expect(most / first).toBeLessThan(100)
})

test('statements after an error, and long ones, are answered', () => {
  wire.reset()
  wire.run('begin')
  wire.run('savepoint process')
  expect(() => wire.run('select 1 / $1::int as n', [0])).toThrow(expect.objectContaining({ code: '22012' }))
  wire.run('rollback to savepoint process')
  const long = 'ñ'.repeat(200_000)
  expect(
    wire.run('select $1::text as long, $2::text as none, $3::bytea as bytes', [long, null, Buffer.from([1])]),
  ).toEqual([{ long, none: null, bytes: Buffer.from([1]) }])
})

test('a history leaves nothing in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const traces: WeakRef<(line: string) => void>[] = []
  const run = async (seed: number) => {
    using _timers = virtualTimers()
    let lines = 0
    const trace = () => void lines++
    traces.push(new WeakRef(trace))
    await simulate(wire, historyOf(seed), trace)
  }
  for (let seed = 1; seed <= 5; seed++) await run(seed)
  // A finalizer frees what the next collection finds.
  for (let times = 0; times < 5; times++) {
    await untilQuiet()
    collect()
  }
  expect(traces.map((trace) => trace.deref())).toEqual(traces.map(() => undefined))
})
