import { randomUUID } from 'node:crypto'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { KAFKA_CLIENTS } from '@catalog/log/kafka/client/client.ts'
import { openKafkajs } from '@catalog/log/kafka/kafkajs/kafkajs.ts'
import { openPlatformatic } from '@catalog/log/kafka/platformatic/platformatic.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { describeEventLog } from '@catalog/stack/conformance/event-log.ts'
import { kafkaAvailable, startKafka } from '@catalog/stack/servers/kafka.ts'
import { sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { everything, numbered, plainKafka, watchSockets, withAdmin } from '@catalog/stack/testing/kafka.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type KafkaLogOptions, openKafkaLog } from './kafka.ts'

const reach = () => sharedServer('kafka')
const OPENERS = { kafkajs: openKafkajs, platformatic: openPlatformatic }
const WAIT = { timeout: 60_000, interval: 50 }

describe.skipIf(unavailable('kafka') !== null).each(KAFKA_CLIENTS)('by %s on one broker', (client) => {
  const openLog = (options: KafkaLogOptions) => openKafkaLog({ client, ...options })
  let brokers: string
  let prefix: string
  let log: EventLog
  beforeAll(async () => {
    brokers = await reach()
    prefix = `${randomUUID()}.`
    log = await openLog({ brokers, prefix })
  })
  afterAll(() => log?.[Symbol.asyncDispose]())
  describeEventLog(`Kafka by ${client}`, async () => {
    const options = { brokers: await reach(), prefix: `${randomUUID()}.` }
    const log = await openLog(options)
    return { log, reopen: () => openLog(options), [Symbol.asyncDispose]: () => log[Symbol.asyncDispose]() }
  })

  test.each([
    [{ 'cleanup.policy': 'compact' }, 1, /catalog.items does not keep its records: cleanup.policy is compact/],
    [{ 'cleanup.policy': 'compact,delete' }, 1, /cleanup.policy is compact,delete/],
    [{}, 1, /retention.ms is 604800000, expected -1/],
    [{ 'retention.ms': '-1' }, 2, /catalog.items has 2 partitions, expected 1/],
  ])('refuses a foreign topic with %o and %i partitions', async (settings, numPartitions, refusal) => {
    const other = `${randomUUID()}.`
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value: String(value) }))
    await withAdmin(brokers, (client) =>
      client.createTopics({ topics: [{ topic: `${other}catalog.items`, numPartitions, configEntries }] }),
    )
    await expect(openLog({ brokers, prefix: other })).rejects.toThrow(refusal)
  })

  test('two processes that open a new log at the same time share it', async () => {
    const options = { brokers, prefix: `${randomUUID()}.` }
    await using first = await openLog(options)
    const others = await Promise.all([openLog(options), openLog(options)])
    expect(await Promise.all(others.map((other) => other.identity()))).toEqual(
      [0, 1].map(() => expect.stringContaining(options.prefix)),
    )
    await others[0]?.append(TOPICS.items, numbered(1))
    expect(await everything(first, TOPICS.items)).toEqual(['0'])
    for (const other of others) await other[Symbol.asyncDispose]()
  })

  test('asks again for a topic that the broker does not know yet', async () => {
    await using opened = await OPENERS[client]({ brokers })
    const topic = { name: randomUUID(), partitions: 2, replicas: 1, settings: {} }
    const counted = opened.partitionCount(topic.name)
    await opened.createTopic(topic)
    expect(await counted).toBe(2)
  })

  test('concurrent reads leave no connection open after the log is closed', async () => {
    using sockets = watchSockets()
    const own = await openLog({ brokers, prefix: `${randomUUID()}.` })
    await Promise.all([0, 1, 2, 3].map((partition) => own.read(TOPICS.observations, partition, 0n, 1)))
    expect(sockets.open.size).toBeGreaterThan(0)
    await own[Symbol.asyncDispose]()
    await vi.waitFor(() => expect(sockets.open.size).toBe(0), { timeout: 10_000 })
  })

  test("splits an append above the broker's size limit, in order", async () => {
    const big = 'x'.repeat(300_000)
    await log.append(
      TOPICS.items,
      Array.from({ length: 9 }, (_, n) => ({ key: 'k', value: `${n}${big}` })),
    )
    expect((await everything(log, TOPICS.items)).map((value) => value[0])).toEqual([...'012345678'])
  })

  test('an append waits for the previous one, including its retries', async () => {
    using sockets = watchSockets()
    await using own = await openLog({ brokers, prefix: `${randomUUID()}.` })
    await own.append(TOPICS.decisions, [{ key: 'k', value: 'first' }])
    sockets.lose(1)
    await Promise.all(numbered(20).map((event) => own.append(TOPICS.decisions, [event])))
    expect(await everything(own, TOPICS.decisions)).toEqual(['first', '0', ...numbered(20).map(({ value }) => value)])
  })
})

test.skipIf(unavailable('kafka') !== null)(
  'members by different clients share the partitions of a group, and each takes over from the other',
  async () => {
    const options = { brokers: await reach(), prefix: `${randomUUID()}.` }
    const next = new Map<number, bigint>()
    const handled: string[] = []
    const member = (log: EventLog) => {
      const stop = new AbortController()
      const partitions = new Set<number>()
      const ended = log.subscribe({
        group: 'g',
        topics: [TOPICS.observations],
        position: async (_topic, partition) => next.get(partition) ?? 0n,
        handler: async (_topic, partition, records) => {
          partitions.add(partition)
          // Like the checkpoint row: records below it are dropped.
          for (const { offset, value } of records.filter(({ offset }) => offset >= (next.get(partition) ?? 0n))) {
            next.set(partition, offset + 1n)
            handled.push(value)
          }
        },
        signal: stop.signal,
      })
      return { partitions, ended, stop: () => stop.abort() }
    }
    await using kafkajs = await openKafkaLog({ client: 'kafkajs', ...options })
    await using platformatic = await openKafkaLog({ client: 'platformatic', ...options })
    const appended: string[] = []
    const append = async () => {
      const events = Array.from({ length: 100 }, (_, n) => ({ key: `key ${n}`, value: `${appended.length + n}` }))
      await kafkajs.append(TOPICS.observations, events)
      appended.push(...events.map(({ value }) => value))
    }
    const bothHandle = (members: readonly { partitions: Set<number> }[]) =>
      vi.waitFor(async () => {
        await append()
        for (const { partitions } of members) expect(partitions.size).toBeGreaterThan(0)
      }, WAIT)

    const [old, young] = [member(kafkajs), member(platformatic)]
    await bothHandle([old, young])
    old.stop()
    await old.ended
    const last = member(kafkajs)
    await bothHandle([young, last])
    young.stop()
    await young.ended
    await append()
    await vi.waitFor(() => expect(handled.length).toBeGreaterThanOrEqual(appended.length), WAIT)
    last.stop()
    await last.ended
    expect(handled.toSorted()).toEqual(appended.toSorted())
  },
)

describe.skipIf(kafkaAvailable({ brokers: 2 }) !== null)('on two brokers', () => {
  let server: Awaited<ReturnType<typeof startKafka>>
  beforeAll(async () => {
    server = await startKafka({ brokers: 2 })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test.each(KAFKA_CLIENTS)('by %s the log names each setting by which records could be lost', async (client) => {
    const prefix = `settings-${client}.`
    const admin = plainKafka(server.brokers).admin()
    await admin.connect()
    const configEntries = ['retention.ms', 'retention.bytes'].map((name) => ({ name, value: '-1' }))
    const create = (topic: string, replicationFactor: number, more: Record<string, string> = {}) =>
      admin.createTopics({
        topics: [
          {
            topic: `${prefix}${topic}`,
            numPartitions: 1,
            replicationFactor,
            configEntries: [...configEntries, ...Object.entries(more).map(([name, value]) => ({ name, value }))],
          },
        ],
      })
    await create(TOPICS.observations, 1)
    await create(TOPICS.decisions, 2, { 'min.insync.replicas': '2' })
    await create(TOPICS.items, 2, { 'min.insync.replicas': '1', 'unclean.leader.election.enable': 'true' })
    await admin.disconnect()
    // A broker learns of new topics a moment later than the one that created them.
    await using log = await vi.waitFor(() => openKafkaLog({ client, brokers: server.brokers, prefix }), WAIT)
    const risks = async () => (await log.risks()).toSorted()
    await expect
      .poll(() => risks().catch(({ message }: Error) => message), WAIT)
      .toEqual([
        `${prefix}catalog.items: min.insync.replicas is 1: one broker alone acknowledges records; expected 2`,
        `${prefix}catalog.items: unclean.leader.election.enable is true: a broker that lacks records may lead; expected false`,
        `${prefix}vendor.observations: one copy alone, which goes with its disk; expected 3`,
      ])
  })
})
