import { randomBytes } from 'node:crypto'
import { openJoinRule } from '@catalog/cli/shared/wire.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { observationId, observationPayload } from '@catalog/core/events/ids.ts'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import { loadSample, sampleTexts } from '@catalog/sample-files/sample.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { sampleContents } from '@catalog/stack/testing/sample.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'

const missing = unavailable('kafka') ?? unavailable('postgres')
const DAY = '2026-11-21'
/** The test builds a catalog of 1,900 SKUs. */
const TIMEOUT_MS = 300_000

/** Every vendor's list of one day, as the crawler records it, file by file. */
async function sampleDay(): Promise<CatalogEvent[]> {
  const contents = await sampleContents(loadSample(sampleTexts()), DAY)
  return contents.map(({ vendor, content }) => ({
    type: 'ObservationRecorded',
    v: 1,
    ...content,
    crawl_id: vendor.key,
    recorded_at: `${DAY}T01:00:00Z`,
    event_id: observationId(observationPayload(content)),
  }))
}

async function live(path: Path, events: readonly CatalogEvent[]) {
  await path.append(events)
  const [report] = await path.run(`${DAY}T02:00:00Z`)
  return { roots: await path.roots(), joined: report?.itemsJoined, proposed: report?.pairsProposed }
}

describe.skipIf(missing !== null)(missing ?? 'one day of the sample', () => {
  let events: CatalogEvent[]
  let first: Awaited<ReturnType<typeof live>>
  let servers: { brokers: string; url: string }
  beforeAll(async () => {
    servers = { brokers: await sharedServer('kafka'), url: await sharedServer('postgres') }
    events = await sampleDay()
    await using path = await openPath({ joinRule: openJoinRule() })
    first = await live(path, events)
  })

  test('is joined by the rule where vendors name one product differently', () => {
    expect(events.length).toBeGreaterThan(1_400)
    expect(first.joined).toBeGreaterThan(50)
  })

  test.each([6, 3, 1].slice(0, Number(process.env.TEST_RUNS ?? 1)))(
    'is one catalog from %s partitions, whatever the order of its records',
    async (partitions) => {
      const [shuffled = []] = fc.sample(fc.shuffledSubarray(events, { minLength: events.length }), {
        numRuns: 1,
        seed: partitions,
      })
      const name = `matching_${randomBytes(4).toString('hex')}`
      await using log = await openKafkaLog({
        brokers: servers.brokers,
        prefix: `${name}.`,
        observationPartitions: partitions,
      })
      await using store = await openStore({ kind: 'postgres', connection: { url: servers.url }, schema: name })
      await migrate(store)
      const path = await openPath({ parts: { store, log }, joinRule: openJoinRule() })
      expect(await live(path, shuffled)).toEqual(first)
    },
    TIMEOUT_MS,
  )
})
