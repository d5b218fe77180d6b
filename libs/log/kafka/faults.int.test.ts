import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { KAFKA_CLIENTS } from '@catalog/log/kafka/client/client.ts'
import type { EventLog, LogRecord } from '@catalog/log/log.ts'
import { KAFKA_SESSION_MS_MIN, kafkaAvailable, startKafka } from '@catalog/stack/servers/kafka.ts'
import { sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { everything, numbered, plainKafka, watchSockets, withAdmin } from '@catalog/stack/testing/kafka.ts'
import { Partitioners } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type KafkaLogOptions, openKafkaLog } from './kafka.ts'

const WAIT = { timeout: 60_000, interval: 50 }

/** What plain kafkajs loses or doubles under a fault, and beside it our log by each client. */
describe.skipIf(unavailable('kafka') !== null).each(KAFKA_CLIENTS)('our log by %s on one broker', (client) => {
  const openLog = (options: KafkaLogOptions) =>
    openKafkaLog({ client, sessionTimeoutMs: KAFKA_SESSION_MS_MIN, ...options })
  let brokers: string
  let prefix: string
  let log: EventLog
  beforeAll(async () => {
    brokers = await sharedServer('kafka')
    prefix = `${randomUUID()}.`
    log = await openLog({ brokers, prefix })
  })
  afterAll(() => log?.[Symbol.asyncDispose]())

  test('K1: a lost response costs an idempotent producer an acknowledged record, and our log none', async () => {
    using sockets = watchSockets()
    const ours = await openLog({ brokers, prefix: `${randomUUID()}.` })
    const plain = plainKafka(brokers).producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      idempotent: true,
      retry: { retries: 1, initialRetryTime: 10 },
    })
    await plain.connect()
    const plainSend = (value: string) =>
      plain.send({ topic: `${prefix}catalog.decisions`, messages: [{ key: 'k', value }] })

    await plainSend('m0')
    sockets.lose(Number.POSITIVE_INFINITY)
    await expect(plainSend('m1')).rejects.toThrow()
    sockets.lose(0)
    // Acknowledged but not stored: the broker took it for m1, because it carries the same sequence number.
    await plainSend('m2')
    await plainSend('m3')
    expect(await everything(log, TOPICS.decisions)).toEqual(['m0', 'm1', 'm3'])

    for (const value of ['m0', 'm1', 'm2', 'm3']) {
      if (value === 'm1') sockets.lose(1)
      await ours.append(TOPICS.decisions, [{ key: 'k', value }])
    }
    // m1 occurs twice; readers drop the duplicate.
    expect(await everything(ours, TOPICS.decisions)).toEqual(['m0', 'm1', 'm1', 'm2', 'm3'])
    await plain.disconnect()
    await ours[Symbol.asyncDispose]()
  })

  test('K2: below the first offset a plain consumer continues at the end, and our log names the missing records', async () => {
    const own = `${randomUUID()}.`
    const topic = `${own}catalog.decisions`
    await using ours = await openLog({ brokers, prefix: own })
    await ours.append(TOPICS.decisions, numbered(100))
    const groupId = `${own}plain`
    await withAdmin(brokers, async (client) => {
      await client.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: '10' }] })
      await client.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '50' }] })
    })

    const seen: number[] = []
    const plain = plainKafka(brokers).consumer({ groupId, maxWaitTimeInMs: 50 })
    const crashed = vi.fn()
    plain.on('consumer.crash', crashed)
    await plain.connect()
    await plain.subscribe({ topic })
    await plain.run({ eachMessage: async ({ message }) => void seen.push(Number(message.offset)) })
    await vi.waitFor(async () => {
      await ours.append(TOPICS.decisions, numbered(1))
      expect(seen).not.toEqual([])
    }, WAIT)
    await plain.disconnect()
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(100)
    expect(crashed).not.toHaveBeenCalled()

    const handler = vi.fn()
    const signal = new AbortController().signal
    const subscribed = ours.subscribe({
      group: 'g',
      topics: [TOPICS.decisions],
      position: async () => 10n,
      handler,
      signal,
    })
    await expect(subscribed).rejects.toThrow(`${topic}/0: expected offset 10, found 50`)
    expect(handler).not.toHaveBeenCalled()
    await expect(ours.read(TOPICS.decisions, 0, 10n, 5)).rejects.toThrow('begins at 50, offset 10 is needed')
    expect(await ours.read(TOPICS.decisions, 0, 1_000_000n, 5)).toEqual([])
  })

  test.each([
    { fenced: false, times: 2 },
    { fenced: true, times: 1 },
  ])(
    'K3: a batch that a member holds when its partition moves is handled $times times when fenced is $fenced',
    async ({ fenced, times }) => {
      const own = `${randomUUID()}.`
      using sockets = watchSockets()
      await using frozen = await openLog({ brokers, prefix: own })
      await frozen.append(TOPICS.decisions, numbered(40))
      const stop = new AbortController()
      const handled = new Map<bigint, number>()
      let next = 0n
      // Like the checkpoint row: the first reader moves it, and records below it are dropped.
      const apply = (records: readonly LogRecord[]) => {
        for (const { offset } of records) {
          if (fenced && offset < next) continue
          next = offset + 1n
          handled.set(offset, (handled.get(offset) ?? 0) + 1)
        }
      }
      const member = (log: EventLog, handler: (records: readonly LogRecord[]) => Promise<void>) =>
        log.subscribe({
          group: 'g',
          topics: [TOPICS.decisions],
          position: async () => next,
          handler: (_topic, _partition, records) => handler(records),
          signal: stop.signal,
        })
      const holds = Promise.withResolvers<void>()
      const overtaken = Promise.withResolvers<void>()
      const members = [
        member(frozen, async (records) => {
          holds.resolve()
          await overtaken.promise
          apply(records)
          stop.abort()
        }),
      ]
      await holds.promise
      sockets.freeze()
      sockets[Symbol.dispose]()
      await using other = await openLog({ brokers, prefix: own })
      members.push(
        member(other, async (records) => {
          apply(records)
          if (handled.size < 40) return
          sockets.thaw()
          overtaken.resolve()
        }),
      )
      await Promise.all(members)
      expect([...handled.values()]).toEqual(Array.from({ length: 40 }, () => times))
    },
  )

  test('K4: a seek at the join comes after the first read, and our log handles records from the position on', async () => {
    const own = `${randomUUID()}.`
    await using ours = await openLog({ brokers, prefix: own })
    await ours.append(TOPICS.decisions, numbered(500))
    const slowPosition = () => delay(300, 400n)

    const topic = `${own}catalog.decisions`
    const plain = plainKafka(brokers).consumer({ groupId: `${own}plain`, maxWaitTimeInMs: 50 })
    const seen: string[] = []
    const seek = (offset: bigint) => plain.seek({ topic, partition: 0, offset: String(offset) })
    plain.on('consumer.group_join', () => void slowPosition().then(seek))
    await plain.connect()
    await plain.subscribe({ topic, fromBeginning: true })
    await plain.run({ eachBatch: async ({ batch }) => void seen.push(batch.firstOffset() as string) })
    await vi.waitFor(() => expect(seen).toContain('400'), WAIT)
    await plain.disconnect()
    expect(seen[0]).toBe('0')

    const stop = new AbortController()
    const offsets: bigint[] = []
    await ours.subscribe({
      group: 'g',
      topics: [TOPICS.decisions],
      position: slowPosition,
      handler: async (_topic, _partition, records) => {
        offsets.push(...records.map(({ offset }) => offset))
        if (offsets.length >= 100) stop.abort()
      },
      signal: stop.signal,
    })
    expect(offsets).toEqual(Array.from({ length: 100 }, (_, n) => 400n + BigInt(n)))
  })
})

describe.skipIf(kafkaAvailable({ brokers: 2 }) !== null)('on two brokers', () => {
  let server: Awaited<ReturnType<typeof startKafka>>
  beforeAll(async () => {
    server = await startKafka({ brokers: 2 })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test.each(KAFKA_CLIENTS)(
    'K11: a new leader costs a plain send an acknowledged record, and our log by %s none',
    async (client) => {
      const prefix = `moved-${client}.`
      const topic = `${prefix}vendor.observations`
      const plain = plainKafka(server.brokers)
      const admin = plain.admin()
      await admin.connect()
      const leaders = async () => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
        return topics[0]?.partitions.toSorted((a, b) => a.partitionId - b.partitionId).map(({ leader }) => leader)
      }
      const lead = async (partition: number, broker: number) => {
        const partitionAssignment = [{ partition, replicas: [broker] }]
        await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] })
        await vi.waitFor(async () => expect((await leaders())?.[partition]).toBe(broker), WAIT)
      }
      const configEntries = ['retention.ms', 'retention.bytes'].map((name) => ({ name, value: '-1' }))
      const replicaAssignment = [1, 2].map((broker, partition) => ({ partition, replicas: [broker] }))
      await admin.createTopics({ topics: [{ topic, replicaAssignment, configEntries }] })
      const log = await openKafkaLog({ client, brokers: server.brokers, prefix })
      const producer = plain.producer({ createPartitioner: Partitioners.DefaultPartitioner })
      await producer.connect()
      const plainSend = (value: string) =>
        producer.send({
          topic,
          messages: [0, 1].map((partition) => ({ partition, value: `${value} to ${partition}` })),
        })
      // These keys fall into both partitions.
      const events = (name: string) =>
        Array.from({ length: 20 }, (_, n) => ({ key: `key ${n}`, value: `${name} ${n}` }))

      await plainSend('first')
      await log.append(TOPICS.observations, events('first'))
      await lead(1, 1)
      await plainSend('second')
      await log.append(TOPICS.observations, events('second'))
      const values = await everything(log, TOPICS.observations)
      expect(values).toContain('second to 0')
      // Acknowledged with the other send, whose broker now leads both partitions, but never sent to it.
      expect(values).not.toContain('second to 1')
      expect(values).toEqual(expect.arrayContaining(events('second').map(({ value }) => value)))

      await producer.disconnect()
      await admin.disconnect()
      await log[Symbol.asyncDispose]()
    },
  )
})
