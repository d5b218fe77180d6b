import { type Bench, interleaved, type Row } from '@catalog/bench/harness/report.ts'
import { resultOf } from '@catalog/bench/harness/worker.ts'
import type { ClientOrder, ClientResult, Work } from '@catalog/bench/workload/kafka-client.ts'
import { KAFKA_CLIENTS, type KafkaClientName } from '@catalog/log/kafka/client/client.ts'
import { startKafka } from '@catalog/stack/servers/kafka.ts'

/** `--items N` appends and reads N observations. */
export const kafkaClientsBench: Bench = {
  title: 'the log by @platformatic/kafka beside the log by kafkajs, each in a process of its own',
  async run(say, { isBrief = false, items: [events = 0] = [isBrief ? BRIEF_EVENTS : EVENTS] } = {}) {
    await using kafka = await startKafka({ brokers: 1 })
    let topics = 0
    const done = async (client: KafkaClientName, work: Work, { prefix = `${++topics}.`, count = events } = {}) => {
      const order = { client, work, brokers: kafka.brokers, prefix, partitions: PARTITIONS, events: count }
      return resultOf<ClientResult>(WORKER, order satisfies ClientOrder)
    }
    const written = 'written.'
    await done('kafkajs', 'append', { prefix: written })
    const stages: readonly [string, Work, { prefix?: string; count?: number }][] = [
      ['open a log whose topics exist', 'open', { prefix: written }],
      [`append ${events} events`, 'append', {}],
      [`append ${events / 100} events, one by one`, 'append one by one', { count: events / 100 }],
      [`read ${events} events by offset`, 'read', { prefix: written }],
      [`subscribe to ${events} events`, 'subscribe', { prefix: written }],
    ]
    const rows: Row[] = []
    for (const [stage, work, where] of stages) {
      const results = new Map(KAFKA_CLIENTS.map((client) => [client, [] as ClientResult[]]))
      const measured = (client: KafkaClientName) => async () => {
        const result = await done(client, work, where)
        results.get(client)?.push(result)
        say(`${stage}, ${client}: ${Math.round(result.ms)} ms, ${Math.round(result.cpuMs)} ms of a processor`)
        return result.ms
      }
      const ms = await interleaved(
        { kafkajs: measured('kafkajs'), platformatic: measured('platformatic') },
        { isBrief },
      )
      const median = (client: KafkaClientName, figure: (result: ClientResult) => number) => {
        // The first warms up.
        const figures = (results.get(client) ?? []).slice(1).map(figure)
        return figures.toSorted((a, b) => a - b)[figures.length >> 1] as number
      }
      const compared = { beside: 'kafkajs', ratioMax: null }
      const cpu = (client: KafkaClientName) => median(client, ({ cpuMs }) => cpuMs)
      const mebibytes = (client: KafkaClientName) => Math.round(median(client, ({ rssBytes }) => rssBytes) / 2 ** 20)
      rows.push(
        { stage, ...compared, oursMs: ms.platformatic, besideMs: ms.kafkajs },
        { stage: `${stage}: processor`, ...compared, oursMs: cpu('platformatic'), besideMs: cpu('kafkajs') },
      )
      for (const client of ['platformatic', 'kafkajs'] as const)
        rows.push({ stage: `${stage}: memory, ${client}`, figure: mebibytes(client), unit: 'MiB', max: null })
    }
    return rows
  },
}

const EVENTS = 100_000
const BRIEF_EVENTS = 2_000
const PARTITIONS = 6
const WORKER = new URL('../../workload/kafka-client.ts', import.meta.url)
