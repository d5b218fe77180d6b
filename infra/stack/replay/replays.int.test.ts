import { openTableLog } from '@catalog/log/table.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { liveThreeWeeks } from '@catalog/stack/path/history.ts'
import { openPath } from '@catalog/stack/path/path.ts'
import { unavailable } from '@catalog/stack/servers/servers.ts'
import { openPostgresTestStore } from '@catalog/stack/testing/store.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type LogContents, logContents, PARTITIONS, replayedAgain } from './replays.ts'

const missing = unavailable('postgres')
const seed = Math.floor(Math.random() * 2 ** 31)
/** Of each of the four logs. */
const REPLAYS = Number(process.env.TEST_RUNS ?? 5)
const TIMEOUT_MS = 120_000 + 10_000 * REPLAYS

describe.skipIf(missing !== null)(missing ?? `replays of the same events, seed ${seed}`, () => {
  let contents: LogContents
  let deathsOfAll = 0
  beforeAll(async () => {
    const store = await openPostgresTestStore()
    await using path = await openPath({
      parts: { store, log: await openTableLog(store, { observationPartitions: 1 }) },
    })
    await liveThreeWeeks(path)
    contents = await logContents(path)
  })

  test.each(PARTITIONS)(
    `from %i partitions, in another order, in batches of any size, killed anywhere, have one pair of roots; seed ${seed}`,
    { timeout: TIMEOUT_MS },
    async (partitions) => {
      const store = await openPostgresTestStore()
      const lines: string[] = []
      const say = (line: string) => lines.push(line)
      const asked = { store, contents, partitions, replays: REPLAYS, random: randomOf(seed + partitions), say }
      const { replays, deaths, roots, shown } = await replayedAgain(asked)
      const label = lines.join('\n')
      expect(shown, label).toEqual([])
      expect(roots, label).toEqual([contents.roots])
      expect(replays).toBe(REPLAYS)
      deathsOfAll += deaths
    },
  )

  // Thirteen replays of one log may all survive by chance.
  test('some of all these replays died on the way', () => expect(deathsOfAll).toBeGreaterThan(0))
})
