import { randomUUID } from 'node:crypto'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { emptyDatabase, sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { registration } from '@catalog/stack/testing/events.ts'
import { Kafka, logLevel } from 'kafkajs'
import { expect, test } from 'vitest'

const missing = unavailable('kafka') ?? unavailable('postgres')

test.skipIf(missing !== null)(
  `${missing ?? ''}a topic that vanished is not made anew, and nothing is appended to one that lost records`,
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-lost-log-'))
    const brokers = await sharedServer('kafka')
    const prefix = `${randomUUID()}-`
    const env = readEnvironment({
      LOG_LEVEL: 'silent',
      CATALOG_DATA: folder.path,
      DATABASE_URL: await emptyDatabase(),
      KAFKA_BROKERS: brokers,
      KAFKA_TOPIC_PREFIX: prefix,
    })
    const source = registration()
    const append = async () => {
      await using catalog = await openCatalog(env, { projects: true })
      await catalog.log.append(TOPICS.decisions, [{ key: source.source.id, value: JSON.stringify(source) }])
      await catalog.catchUp()
    }
    await append()
    await append()
    const topic = `${prefix}${TOPICS.decisions}`
    const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    try {
      await admin.deleteTopics({ topics: [topic] })
      const exists = async () => (await admin.listTopics()).includes(topic)
      await expect.poll(exists).toBe(false)
      await expect(append()).rejects.toThrow(`topic ${topic} is missing, and the tables were folded from it`)
      expect(await exists()).toBe(false)
      const configEntries = ['retention.ms', 'retention.bytes'].map((name) => ({ name, value: '-1' }))
      await admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1, configEntries }] })
      await expect(append()).rejects.toThrow('LOG_TRUNCATED: catalog.decisions partition 0 ends at 0')
    } finally {
      await admin.disconnect()
    }
  },
)
