import { TOPICS } from '@catalog/core/events/topics.ts'
import type { KafkaClientName } from '@catalog/log/kafka/client/client.ts'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import type { EventLog } from '@catalog/log/log.ts'

export type Work = 'open' | 'append' | 'append one by one' | 'read' | 'subscribe'
/** `prefix` names the topics; those of `read` and `subscribe` hold `events` records. */
export type ClientOrder = Readonly<{
  client: KafkaClientName
  work: Work
  brokers: string
  prefix: string
  partitions: number
  events: number
}>
/** `cpuMs`: processor time of the process during the work. */
export type ClientResult = Readonly<{ ms: number; cpuMs: number; rssBytes: number }>

const APPENDED_AT_ONCE = 10_000
const READ_AT_ONCE = 1_000

/** The size of an observation. */
const VALUE_CHARACTERS = 500
const SKUS = 60_000

type Event = Readonly<{ key: string; value: string }>
const eventOf = (n: number): Event => ({
  key: `source_0123456789/R${n % SKUS}`,
  value: JSON.stringify({ n, text: 'ñ'.padEnd(VALUE_CHARACTERS, `${n} `) }),
})

async function append(log: EventLog, events: readonly Event[], atOnce: number): Promise<void> {
  for (let start = 0; start < events.length; start += atOnce) {
    await log.append(TOPICS.observations, events.slice(start, start + atOnce))
  }
}

async function read(log: EventLog, events: number): Promise<void> {
  let records = 0
  for (const { partition, earliest, next } of await log.partitions(TOPICS.observations)) {
    for (let at = earliest; at < next; ) {
      const page = await log.read(TOPICS.observations, partition, at, READ_AT_ONCE)
      records += page.length
      at += BigInt(page.length)
    }
  }
  if (records !== events) throw new Error(`${records} records were read, expected ${events}`)
}

async function subscribe(log: EventLog, events: number): Promise<void> {
  const stop = new AbortController()
  let handled = 0
  await log.subscribe({
    group: `bench-${process.pid}`,
    topics: [TOPICS.observations],
    position: async () => 0n,
    handler: async (_topic, _partition, records) => {
      handled += records.length
      if (handled >= events) stop.abort()
    },
    signal: stop.signal,
  })
  if (handled !== events) throw new Error(`${handled} records were handled, expected ${events}`)
}

async function run({ client, work, brokers, prefix, partitions, events }: ClientOrder): Promise<ClientResult> {
  const open = () => openKafkaLog({ client, brokers, prefix, observationPartitions: partitions })
  const opened = work === 'open' ? null : await open()
  // Made before the time begins.
  const made = work.startsWith('append') ? Array.from({ length: events }, (_, n) => eventOf(n)) : []
  const cpu = process.cpuUsage()
  const begun = performance.now()
  await using log = opened ?? (await open())
  if (work === 'append') await append(log, made, APPENDED_AT_ONCE)
  if (work === 'append one by one') await append(log, made, 1)
  if (work === 'read') await read(log, events)
  if (work === 'subscribe') await subscribe(log, events)
  const ms = performance.now() - begun
  const { user, system } = process.cpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() }
}

process.once('message', async (order: ClientOrder) => {
  const result = await run(order)
  process.send?.(result)
})
