import { setTimeout as delay } from 'node:timers/promises'
import { RETRY } from '@catalog/log/kafka/kafkajs/connection.ts'
import kafkajs, { type Admin, type Kafka } from 'kafkajs'

const REPLICAS_MAX = 3
const LEADER_POLL_MS = 50
const CREATE_TIMEOUT_MS = 30_000

/** Topic settings that keep records for ever; any other setting makes a topic unusable as the log. */
const KEPT_FOR_EVER = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' } as const

/** `fixed`: an existing topic must have this number of partitions. */
type WantedTopic = Readonly<{ name: string; partitions: number; fixed: boolean }>

/** Creates missing topics where it may, and throws for one that is missing or cannot be the log. */
export async function prepareTopics(
  kafka: Kafka,
  wanted: readonly WantedTopic[],
  { creates }: { creates: boolean },
): Promise<void> {
  const admin = kafka.admin({ retry: RETRY })
  await admin.connect()
  try {
    const { brokers } = await admin.describeCluster()
    const replicas = Math.min(REPLICAS_MAX, brokers.length)
    const existing = new Set(await admin.listTopics())
    for (const topic of wanted) {
      if (!creates && !existing.has(topic.name)) {
        throw new Error(
          `topic ${topic.name} is missing, and the tables were folded from it: nothing makes it anew. See that KAFKA_BROKERS names the ` +
            'right cluster; else bring the log back (docs/backup.md)',
        )
      }
      const isCreated = !existing.has(topic.name) && (await createTopic(admin, topic, replicas))
      if (isCreated) await untilLed(admin, topic.name)
      else await checkTopic(admin, topic)
    }
  } finally {
    await admin.disconnect()
  }
}

/** Returns false when another process created the topic first. */
function createTopic(admin: Admin, { name, partitions }: WantedTopic, replicas: number): Promise<boolean> {
  const settings = {
    ...KEPT_FOR_EVER,
    'min.insync.replicas': String(Math.max(1, replicas - 1)),
    'unclean.leader.election.enable': 'false',
  }
  const topic = {
    topic: name,
    numPartitions: partitions,
    replicationFactor: replicas,
    configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
  }
  return admin.createTopics({ topics: [topic], waitForLeaders: false, timeout: CREATE_TIMEOUT_MS })
}

async function checkTopic(admin: Admin, { name, partitions, fixed }: WantedTopic): Promise<void> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [name] })
  const count = topics[0]?.partitions.length
  if (fixed && count !== partitions) throw new Error(`${name} has ${count} partitions, expected ${partitions}`)
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: Object.keys(KEPT_FOR_EVER) }],
  })
  for (const { configName, configValue } of resources[0]?.configEntries ?? []) {
    const expected = KEPT_FOR_EVER[configName as keyof typeof KEPT_FOR_EVER]
    if (configValue !== expected) {
      throw new Error(`${name} does not keep its records: ${configName} is ${configValue}, expected ${expected}`)
    }
  }
}

/** What could cost acknowledged records of these topics: a sentence for each topic and setting. */
export async function topicRisks(kafka: Kafka, names: readonly string[]): Promise<readonly string[]> {
  const admin = kafka.admin({ retry: RETRY })
  await admin.connect()
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [...names] })
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: SAFETY_SETTINGS })),
    })
    return topics.flatMap(({ name, partitions }) => {
      const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? []
      const settingOf = (setting: string) => entries.find(({ configName }) => configName === setting)?.configValue
      const copies = Math.min(...partitions.map(({ replicas }) => replicas.length))
      return risksOf({
        copies,
        insyncMin: Number(settingOf('min.insync.replicas')),
        unclean: settingOf(UNCLEAN) === 'true',
      }).map((risk) => `${name}: ${risk}`)
    })
  } finally {
    await admin.disconnect()
  }
}
const UNCLEAN = 'unclean.leader.election.enable'
const SAFETY_SETTINGS = ['min.insync.replicas', UNCLEAN]

function risksOf({ copies, insyncMin, unclean }: { copies: number; insyncMin: number; unclean: boolean }): string[] {
  if (copies === 1) return ['one copy alone, which goes with its disk; expected 3']
  return [
    ...(insyncMin < 2
      ? [`min.insync.replicas is ${insyncMin}: one broker alone acknowledges records; expected 2`]
      : []),
    ...(unclean ? [`${UNCLEAN} is true: a broker that lacks records may lead; expected false`] : []),
  ]
}

/** Waits until a new topic has leaders. kafkajs waits as well, but fails when a broker does not know the topic yet. */
async function untilLed(admin: Admin, name: string): Promise<void> {
  const deadline = performance.now() + CREATE_TIMEOUT_MS
  for (;;) {
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [name] })
      if (topics[0]?.partitions.every(({ leader }) => leader >= 0)) return
    } catch (error) {
      const { type } = error as { type?: string }
      if (type !== 'UNKNOWN_TOPIC_OR_PARTITION' && type !== 'LEADER_NOT_AVAILABLE') throw error
    }
    if (performance.now() > deadline)
      throw new Error(`${name}: no leader in ${CREATE_TIMEOUT_MS} ms after its creation`)
    await delay(LEADER_POLL_MS)
  }
}
