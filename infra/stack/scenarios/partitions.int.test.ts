import { randomBytes } from 'node:crypto'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import { liveThreeWeeks } from '@catalog/stack/path/history.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const missing = unavailable('kafka') ?? unavailable('postgres')

async function live(path: Path) {
  await liveThreeWeeks(path)
  return { ...(await path.roots()), seq: await path.seq() }
}

describe.skipIf(missing !== null)(missing ?? 'the roots on Kafka and PostgreSQL', () => {
  let embedded: Awaited<ReturnType<typeof live>>
  let servers: { brokers: string; url: string }
  beforeAll(async () => {
    servers = { brokers: await sharedServer('kafka'), url: await sharedServer('postgres') }
    await using path = await openPath()
    embedded = await live(path)
  })

  test.each([1, 3, 6].flatMap((partitions) => [1, 7, 1000].map((batchRecords) => ({ partitions, batchRecords }))))(
    'are those of the embedded path with $partitions partitions and batches of $batchRecords',
    async ({ partitions, batchRecords }) => {
      const name = `orders_${randomBytes(4).toString('hex')}`
      await using log = await openKafkaLog({
        brokers: servers.brokers,
        prefix: `${name}.`,
        observationPartitions: partitions,
      })
      await using store = await openStore({ kind: 'postgres', connection: { url: servers.url }, schema: name })
      await migrate(store)
      const path = await openPath({ parts: { store, log }, batchRecords })
      expect(await live(path)).toEqual(embedded)
      expect((await log.partitions('vendor.observations')).length).toBe(partitions)
    },
  )
})
