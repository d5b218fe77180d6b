import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BENCHES } from '@catalog/bench/benches.ts'
import { installPeers } from '@catalog/bench/harness/servers.ts'
import { beforeAll, expect, test } from 'vitest'

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))
/** The longest brief bench takes some twenty seconds here, and some seconds more where Debezium's jars are fetched first. */
const BENCH_TIMEOUT_MS = 240_000

// Two benches at once would each install them, into one folder.
beforeAll(() => installPeers(() => {}))

/**
 * A table that moved, or a peer that no longer answers alike, stops a bench: every bench checks its results before it
 * measures. Each runs in a process of its own, because a bench forks workers, which must not share the test runner's channel.
 * Two run at once: a brief bench reports no ratio that anybody reads.
 */
test.concurrent.each(Object.keys(BENCHES))('the bench %s runs, and tells finite figures', async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, name, '--brief', '--json'], {
    timeout: BENCH_TIMEOUT_MS,
  })
  const { bench, comparisons } = JSON.parse(stdout) as { bench: string; comparisons: Record<string, unknown>[] }
  expect(bench).toBe(name)
  expect(comparisons.length).toBeGreaterThan(0)
  for (const row of comparisons) {
    const figures = 'figure' in row ? [row.figure] : [row.oursMs, row.besideMs]
    expect(
      figures.every((figure) => Number.isFinite(figure) && Number(figure) >= 0),
      String(row.stage),
    ).toBe(true)
  }
})
