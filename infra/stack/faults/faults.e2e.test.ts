import { randomUUID } from 'node:crypto'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INJECTIONS } from '@catalog/stack/faults/injections/injections.ts'
import { borrowServers } from '@catalog/stack/faults/system/servers.ts'
import { dockerAnswers } from '@catalog/stack/servers/machine.ts'
import { emptyDatabase, sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { expect, test } from 'vitest'
import { joinedPlans, type Plan, planOf } from './plan.ts'
import { runFaults } from './run.ts'

// Its proxy leads to a socket of this machine.
const missing =
  unavailable('kafka') ?? unavailable('postgres') ?? (dockerAnswers() ? 'PostgreSQL runs in a container' : null)
/** Faults that disturb no server which other tests use, and pass soon: those of each seed. */
const SEEDS: Readonly<Record<number, readonly string[]>> = {
  7: ['kill-at-commit', 'lost-commit'],
  8: ['kill-projector', 'hostile-records'],
  9: ['kill-crawl', 'resets'],
  10: ['kill-server', 'snapshot'],
  11: ['kill-mirror', 'kill-at-commit'],
}
/** The bound is 10 s on a machine without other work; with a group's usual session of 30 s it takes that long. */
const APPLYING_MS_MAX = 25_000
const RUN_EVERY_MS = 10_000
/** It takes two minutes on two idle cores, and more where others take them. */
const TIMEOUT_MS = 600_000

test.skipIf(missing !== null)(
  `${missing ?? ''}five seeds of dying processes, lost replies and hostile records: nothing is lost, doubled or wrong up to the mirror`,
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-faults-test-'))
    const plans = Object.entries(SEEDS).map(([seed, names]) => {
      const injections = INJECTIONS.filter(({ name }) => names.includes(name))
      expect(injections).toHaveLength(names.length)
      return planOf({ seed: Number(seed), injections, minutes: undefined })
    })
    const said: string[] = []
    const report = await runFaults({
      // One system carries all five: its start takes as long as two of them.
      plan: joinedPlans(plans as [Plan, ...Plan[]]),
      batch: 50,
      historyFile: join(folder.path, 'history.jsonl'),
      runEveryMs: RUN_EVERY_MS,
      openServers: async () =>
        borrowServers({
          postgresUrl: await emptyDatabase(),
          brokers: await sharedServer('kafka'),
          prefix: `${randomUUID()}-`,
        }),
      say: (line) => said.push(line),
    })
    // How fast a machine recovers without other tests is for `npm run faults` to judge.
    expect(report.verdict.misses, said.join('\n')).toEqual([])
    expect(report.faults.map(({ name }) => name).toSorted()).toEqual(Object.values(SEEDS).flat().toSorted())
    expect(report.verdict.counts.acknowledged).toBeGreaterThan(1_000)
    expect(Math.max(...report.faults.map((fault) => fault.applying_after_ms))).toBeLessThan(APPLYING_MS_MAX)
    expect(said.join('\n')).toMatch(/[1-9]\d* replies lost/)
  },
  TIMEOUT_MS,
)
