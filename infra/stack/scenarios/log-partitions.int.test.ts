import { randomUUID } from 'node:crypto'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { emptyDatabase, sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { expect, test } from 'vitest'

const missing = unavailable('kafka') ?? unavailable('postgres')

test.skipIf(missing !== null)(
  `${missing ?? ''}a catalog begins with the partitions of observations that its setting names, and keeps them under another setting`,
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-partitions-'))
    const shared = {
      LOG_LEVEL: 'silent',
      CATALOG_DATA: folder.path,
      DATABASE_URL: await emptyDatabase(),
      KAFKA_BROKERS: await sharedServer('kafka'),
      KAFKA_TOPIC_PREFIX: `${randomUUID()}-`,
    }
    const partitionsBy = async (KAFKA_OBSERVATION_PARTITIONS: string) => {
      const env = readEnvironment({ ...shared, KAFKA_OBSERVATION_PARTITIONS })
      await using catalog = await openCatalog(env, { projects: true })
      return await Promise.all(Object.values(TOPICS).map(async (topic) => (await catalog.log.partitions(topic)).length))
    }
    expect(await partitionsBy('7')).toEqual([7, 1, 1])
    expect(await partitionsBy('2')).toEqual([7, 1, 1])
  },
)
