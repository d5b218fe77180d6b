import { randomOf } from '@catalog/core/random.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { describe, expect, test } from 'vitest'
import { killReplays } from './kills.ts'
import { liveLong, openReplayServer, placesOf } from './server.ts'

/** Of each store: one replay is resumed, one is aborted. */
const KILLS = Number(process.env.TEST_RUNS ?? 1)
const TIMEOUT_MS = 300_000 + 30_000 * KILLS

describe.each([
  ['the embedded store', async () => null, null, false],
  ['PostgreSQL', emptyDatabase, unavailable('postgres'), true],
])('catalog replay on %s', (_name, database, missing, abortsFirst) => {
  test.skipIf(missing !== null)(
    'killed at any moment is noticed by no reader, and goes on when asked again',
    { timeout: TIMEOUT_MS },
    async () => {
      const seed = Math.floor(Math.random() * 2 ** 31)
      await using server = await openReplayServer(await database())
      await liveLong(server.path)
      const places = await placesOf(server)
      const lines = [`seed ${seed}`]
      const asked = {
        server,
        places,
        kills: KILLS,
        abortsFirst,
        random: randomOf(seed),
        say: (line: string) => lines.push(line),
      }
      const killed = await killReplays(asked)
      expect(killed.tally.failed, lines.join('\n')).toEqual([])
      expect(killed.tally.mixed, lines.join('\n')).toEqual([])
      expect(killed.kills).toBe(KILLS)
    },
  )
})
