import { randomOf } from '@catalog/core/random.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { liveThreeWeeks } from '@catalog/stack/path/history.ts'
import { openPath } from '@catalog/stack/path/path.ts'
import { openPostgresStore, unavailable } from '@catalog/stack/servers/servers.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { PARTITIONS, replayedAgain, type Told, toldBy } from './replays.ts'

const missing = unavailable('postgres')
const seed = Math.floor(Math.random() * 2 ** 31)
/** 52 replays of the four logs together. */
const REPLAYS = 13

describe.skipIf(missing !== null)(missing ?? `replays of the same events, seed ${seed}`, () => {
  let told: Told
  let deathsOfAll = 0
  beforeAll(async () => {
    const store = await openPostgresStore()
    await using path = await openPath({
      parts: { store, log: await openTableLog(store, { observationPartitions: 1 }) },
    })
    await liveThreeWeeks(path)
    told = await toldBy(path)
  })

  test.each(PARTITIONS)(
    `from %i partitions, in another order, in batches of any size, killed anywhere, have one pair of roots; seed ${seed}`,
    async (partitions) => {
      const store = await openPostgresStore()
      const lines: string[] = []
      const say = (line: string) => lines.push(line)
      const asked = { store, told, partitions, replays: REPLAYS, random: randomOf(seed + partitions), say }
      const { replays, deaths, roots, shown } = await replayedAgain(asked)
      const told_ = lines.join('\n')
      expect(shown, told_).toEqual([])
      expect(roots, told_).toEqual([told.roots])
      expect(replays).toBe(REPLAYS)
      deathsOfAll += deaths
    },
  )

  // Thirteen replays of one log may all survive by chance.
  test('some of all these replays died on the way', () => expect(deathsOfAll).toBeGreaterThan(0))
})
