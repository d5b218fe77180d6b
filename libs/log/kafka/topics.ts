import { setTimeout as delay } from 'node:timers/promises'
import { CREATE_TIMEOUT_MS, type KafkaClient } from '@catalog/log/kafka/client/client.ts'

const REPLICAS_MAX = 3
const LEADER_POLL_MS = 50

/** Topic settings that keep records for ever; any other setting makes a topic unusable as the log. */
const KEPT_FOR_EVER = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' } as const

/** `fixed`: an existing topic must have this number of partitions. */
type WantedTopic = Readonly<{ name: string; partitions: number; fixed: boolean }>

/** Creates missing topics where it may, and throws for one that is missing or cannot be the log. */
export async function prepareTopics(
  client: KafkaClient,
  wanted: readonly WantedTopic[],
  { creates }: { creates: boolean },
): Promise<void> {
  const existing = await client.topicNames()
  for (const topic of wanted) {
    if (!creates && !existing.has(topic.name)) {
      throw new Error(
        `topic ${topic.name} is missing, and the tables were folded from it: nothing makes it anew. See that KAFKA_BROKERS names the ` +
          'right cluster; else bring the log back (docs/backup.md)',
      )
    }
    const isCreated = !existing.has(topic.name) && (await createTopic(client, topic))
    if (isCreated) await untilLed(client, topic.name)
    else await checkTopic(client, topic)
  }
}

/** Returns false when another process created the topic first. */
async function createTopic(client: KafkaClient, { name, partitions }: WantedTopic): Promise<boolean> {
  const replicas = Math.min(REPLICAS_MAX, await client.brokerCount())
  const settings = {
    ...KEPT_FOR_EVER,
    'min.insync.replicas': String(Math.max(1, replicas - 1)),
    'unclean.leader.election.enable': 'false',
  }
  return client.createTopic({ name, partitions, replicas, settings })
}

async function checkTopic(client: KafkaClient, { name, partitions, fixed }: WantedTopic): Promise<void> {
  const count = (await client.describeTopic(name)).length
  if (fixed && count !== partitions) throw new Error(`${name} has ${count} partitions, expected ${partitions}`)
  const found = (await client.settings([name], Object.keys(KEPT_FOR_EVER))).get(name)
  for (const [setting, expected] of Object.entries(KEPT_FOR_EVER)) {
    if (found?.[setting] !== expected) {
      throw new Error(`${name} does not keep its records: ${setting} is ${found?.[setting]}, expected ${expected}`)
    }
  }
}

/** What could cost acknowledged records of these topics: a sentence for each topic and setting. */
export async function topicRisks(client: KafkaClient, names: readonly string[]): Promise<readonly string[]> {
  const settings = await client.settings(names, SAFETY_SETTINGS)
  const risks: string[] = []
  for (const name of names) {
    const partitions = await client.describeTopic(name)
    const found = settings.get(name)
    const risky = risksOf({
      copies: Math.min(...partitions.map(({ copies }) => copies)),
      insyncMin: Number(found?.['min.insync.replicas']),
      unclean: found?.[UNCLEAN] === 'true',
    })
    risks.push(...risky.map((risk) => `${name}: ${risk}`))
  }
  return risks
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

/** Waits until a new topic has leaders: for a moment, some brokers do not know it. */
async function untilLed(client: KafkaClient, name: string): Promise<void> {
  const deadline = performance.now() + CREATE_TIMEOUT_MS
  let cause: unknown
  while (performance.now() < deadline) {
    try {
      if ((await client.describeTopic(name)).every(({ leader }) => leader >= 0)) return
    } catch (error) {
      cause = error
    }
    await delay(LEADER_POLL_MS)
  }
  throw new Error(`${name}: no leader in ${CREATE_TIMEOUT_MS} ms after its creation`, { cause })
}
