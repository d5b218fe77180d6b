import { createHash } from 'node:crypto'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import type { EventLog, LogRecord, Subscription } from '@catalog/log/log.ts'
import { BLOCKED, ConnectionLost, type Fault, type Scheduler, type SimulatedProcess } from './scheduler.ts'

export type SimulatedLogOptions = Readonly<{
  scheduler: () => Scheduler
  random: () => number
  partitions: number
  /** Members of a group share the partitions, as with a broker; otherwise each gets all, as with the table log. */
  isShared: boolean
  /** Records of one read, at most. */
  batchMax: number
}>

/** A broker forgets a member that is silent for so long. */
const SESSION_TIMEOUT_MS = 30_000
/** How far back a broker may deliver again after a rebalance. */
const AGAIN_RECORDS_MAX = 5
const HANDLER_ATTEMPTS_MAX = 3

type Member = { readonly process: SimulatedProcess; readonly subscription: Subscription; lastSeenMs: number }

/** The log in memory, with the promises of the EventLog port and nothing beyond them. */
export class SimulatedLog {
  readonly topics: ReadonlyMap<Topic, LogRecord[][]>
  private readonly options: SimulatedLogOptions
  private members: Member[] = []

  constructor(options: SimulatedLogOptions) {
    this.options = options
    const empty = (count: number): LogRecord[][] => Array.from({ length: count }, () => [])
    this.topics = new Map<Topic, LogRecord[][]>([
      [TOPICS.observations, empty(options.partitions)],
      [TOPICS.decisions, empty(1)],
      [TOPICS.items, empty(1)],
    ])
  }

  recordsOf(topic: Topic): readonly (readonly LogRecord[])[] {
    return this.topics.get(topic) as LogRecord[][]
  }

  logOf(process: SimulatedProcess): EventLog {
    return {
      identity: async () => 'simulated',
      risks: async () => [],
      partitions: (topic) =>
        process.call({
          kind: 'poll',
          label: `partitions of ${topic}`,
          execute: () =>
            this.recordsOf(topic).map((records, partition) => ({
              partition,
              earliest: 0n,
              next: BigInt(records.length),
            })),
        }),
      append: async (topic, events) => {
        if (events.length === 0) return
        await process.call({
          kind: 'append',
          label: `append ${events.length} to ${topic}`,
          execute: (fault) => this.append(topic, events, fault),
        })
      },
      read: (topic, partition, from, max) =>
        process.call({
          kind: 'poll',
          label: `read ${topic}/${partition} from ${from}`,
          execute: () => this.read({ topic, partition, from, max }),
        }),
      subscribe: (subscription) => this.subscribe(process, subscription),
      async [Symbol.asyncDispose]() {},
    }
  }

  stop(process: SimulatedProcess): void {
    if (process.isDead) this.members = this.members.filter((member) => member.process !== process)
  }

  private append(topic: Topic, events: readonly { key: string; value: string }[], fault: Fault | undefined): null {
    const stored = fault?.kind === 'part' ? events.slice(0, Math.floor(this.options.random() * events.length)) : events
    for (let times = fault?.kind === 'twice' ? 2 : 1; times > 0; times--)
      for (const event of stored) this.store(topic, event)
    if (stored.length < events.length) throw new ConnectionLost('the broker went away while it stored the records')
    return null
  }

  private store(topic: Topic, { key, value }: { key: string; value: string }): void {
    const partitions = this.topics.get(topic) as LogRecord[][]
    const partition = createHash('sha256').update(key).digest().readUInt32BE() % partitions.length
    const records = partitions[partition] as LogRecord[]
    records.push({ topic, partition, offset: BigInt(records.length), key, value })
  }

  private read({ topic, partition, from, max }: { topic: Topic; partition: number; from: bigint; max: number }) {
    const count = Math.min(max, 1 + Math.floor(this.options.random() * this.options.batchMax))
    return (this.recordsOf(topic)[partition] as readonly LogRecord[]).slice(Number(from), Number(from) + count)
  }

  private async subscribe(process: SimulatedProcess, subscription: Subscription): Promise<void> {
    const member: Member = { process, subscription, lastSeenMs: this.options.scheduler().nowMs }
    this.members.push(member)
    this.options.scheduler().effect('log')
    const positions = new Map<string, bigint>()
    let failures = 0
    try {
      while (!subscription.signal.aborted) {
        const owned = this.owned(member)
        for (const name of positions.keys()) if (!owned.some((place) => nameOf(place) === name)) positions.delete(name)
        const fresh = owned.find((place) => !positions.has(nameOf(place)))
        if (fresh !== undefined) {
          positions.set(nameOf(fresh), await subscription.position(fresh.topic, fresh.partition))
          continue
        }
        const batch = await this.poll(member, positions)
        if (batch === null) continue
        try {
          await subscription.handler(batch.topic, batch.partition, batch.records)
          failures = 0
          const next = (batch.records.at(-1) as LogRecord).offset + 1n
          if (next > (positions.get(nameOf(batch)) ?? 0n)) positions.set(nameOf(batch), next)
        } catch (error) {
          if (++failures >= HANDLER_ATTEMPTS_MAX) throw error
          // The subscriber's position alone says what was handled.
          positions.delete(nameOf(batch))
        }
      }
    } finally {
      this.members = this.members.filter((other) => other !== member)
      this.options.scheduler().effect('log')
    }
  }

  /** The next batch of a partition that the member owns; null when the assignment changed or the subscription ended. */
  private poll(member: Member, positions: ReadonlyMap<string, bigint>) {
    const { process, subscription } = member
    return process.call({
      kind: 'poll',
      label: `deliver to ${subscription.group}`,
      execute: (fault) => {
        member.lastSeenMs = this.options.scheduler().nowMs
        if (subscription.signal.aborted) return null
        const owned = this.owned(member)
        if (owned.length !== positions.size || owned.some((place) => !positions.has(nameOf(place)))) return null
        const ready = owned.filter((place) => this.sizeOf(place) > (positions.get(nameOf(place)) as bigint))
        const place = ready[Math.floor(this.options.random() * ready.length)]
        if (place === undefined) return BLOCKED
        const next = positions.get(nameOf(place)) as bigint
        const back = fault?.kind === 'again' ? BigInt(Math.floor(this.options.random() * AGAIN_RECORDS_MAX)) : 0n
        const from = next > back ? next - back : 0n
        return { ...place, records: this.read({ ...place, from, max: Number.MAX_SAFE_INTEGER }) }
      },
    })
  }

  private owned(member: Member) {
    const { subscription, process } = member
    const nowMs = this.options.scheduler().nowMs
    const places = subscription.topics.flatMap((topic) =>
      this.recordsOf(topic).map((_, partition) => ({ topic, partition })),
    )
    if (!this.options.isShared) return places
    const present = this.members.filter(
      (other) =>
        other.subscription.group === subscription.group &&
        (other.process === process || !other.process.isFrozen() || nowMs - other.lastSeenMs < SESSION_TIMEOUT_MS),
    )
    const own = present.indexOf(member)
    return places.filter((_, place) => place % present.length === own)
  }

  private sizeOf({ topic, partition }: { topic: Topic; partition: number }): bigint {
    return BigInt(this.recordsOf(topic)[partition]?.length ?? 0)
  }
}

const nameOf = ({ topic, partition }: { topic: Topic; partition: number }) => `${topic}/${partition}`
