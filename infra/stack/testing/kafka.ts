import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Topic } from '@catalog/core/events/topics.ts'
import type { EventLog, LogRecord } from '@catalog/log/log.ts'
import { type Admin, Kafka, logLevel } from 'kafkajs'

/** kafkajs without our guards. */
export const plainKafka = (brokers: string) => new Kafka({ logLevel: logLevel.NOTHING, brokers: brokers.split(',') })

export async function withAdmin<T>(brokers: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = plainKafka(brokers).admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

export const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ key: 'k', value: String(n) }))

/** The values of a topic, partition by partition. */
export async function everything(log: EventLog, topic: Topic): Promise<string[]> {
  const values: string[] = []
  for (const { partition, earliest, next } of await log.partitions(topic)) {
    for (let at = earliest; at < next; ) {
      const records = await log.read(topic, partition, at, 1000)
      values.push(...records.map(({ value }) => value))
      at = (records.at(-1) as LogRecord).offset + 1n
    }
  }
  return values
}

/** Connections that this process has opened since, whichever client did. */
export interface WatchedSockets extends Disposable {
  readonly open: ReadonlySet<Socket>
  /** The next `answers` that brokers send are lost, and their connections break: the requests were executed. */
  lose(answers: number): void
  /** Nothing passes through the connections until {@link thaw}, as if the process were stopped. */
  freeze(): void
  thaw(): void
}

/** Watches connections that are opened from now on, until disposal; those that it has seen it keeps watching. */
export function watchSockets(): WatchedSockets {
  const open = new Set<Socket>()
  let losses = 0
  const seen = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean
    socket.emit = (event: string | symbol, ...args: unknown[]) => {
      if (event !== 'data' || losses === 0) return emit(event, ...args)
      losses -= 1
      socket.destroy(new Error('the connection broke'))
      return true
    }
  }
  subscribe('net.client.socket', seen)
  return {
    open,
    lose(answers) {
      losses = answers
    },
    freeze() {
      for (const socket of open) {
        socket.cork()
        socket.pause()
      }
    },
    thaw() {
      for (const socket of open) {
        socket.uncork()
        socket.resume()
      }
    },
    [Symbol.dispose]: () => void unsubscribe('net.client.socket', seen),
  }
}
