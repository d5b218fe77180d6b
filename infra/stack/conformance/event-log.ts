import { TOPICS } from '@catalog/core/events/topics.ts'
import type { EventLog, LogRecord } from '@catalog/log/log.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

export type LogUnderTest = AsyncDisposable & {
  readonly log: EventLog
  /** A second client of the same log, as another process would open. */
  reopen(): Promise<EventLog>
}

/** The contract of the EventLog port; every adapter passes the same suite on its real server. */
export function describeEventLog(name: string, open: () => Promise<LogUnderTest>): void {
  describe(`the ${name} event log`, () => {
    let subject: LogUnderTest
    let log: EventLog
    beforeAll(async () => {
      subject = await open()
      log = subject.log
    })
    afterAll(() => subject[Symbol.asyncDispose]())

    const all = async (topic: (typeof TOPICS)[keyof typeof TOPICS], from = new Map<number, bigint>()) => {
      const records: LogRecord[] = []
      for (const { partition, earliest, next } of await log.partitions(topic)) {
        let at = from.get(partition) ?? earliest
        while (at < next) {
          const batch = await log.read(topic, partition, at, 100)
          records.push(...batch)
          at = (batch.at(-1)?.offset ?? next) + 1n
        }
      }
      return records
    }
    const ends = async (topic: (typeof TOPICS)[keyof typeof TOPICS]) =>
      new Map((await log.partitions(topic)).map(({ partition, next }) => [partition, next]))

    test('decisions and items have one partition, observations have several', async () => {
      expect(await log.partitions(TOPICS.decisions)).toHaveLength(1)
      expect(await log.partitions(TOPICS.items)).toHaveLength(1)
      expect((await log.partitions(TOPICS.observations)).length).toBeGreaterThan(1)
    })

    test('reads appended events back unchanged, without a hole', async () => {
      const before = await ends(TOPICS.observations)
      const events = Array.from({ length: 2_500 }, (_, i) => ({ key: `source/${i % 37}`, value: `{"n":${i},"ñ":"✓"}` }))
      await log.append(TOPICS.observations, events)
      const records = await all(TOPICS.observations, before)
      expect(records.map(({ value }) => value).sort()).toEqual(events.map(({ value }) => value).sort())
      for (const [partition, next] of await ends(TOPICS.observations)) {
        const offsets = records.filter((record) => record.partition === partition).map(({ offset }) => offset)
        const start = before.get(partition) ?? 0n
        expect(offsets).toEqual(Array.from({ length: Number(next - start) }, (_, i) => start + BigInt(i)))
      }
    })

    test('keeps events of one key in one partition, in the order of the calls', async () => {
      const before = await ends(TOPICS.observations)
      for (let i = 0; i < 20; i++) await log.append(TOPICS.observations, [{ key: 'one/key', value: String(i) }])
      const records = await all(TOPICS.observations, before)
      expect(new Set(records.map(({ partition }) => partition)).size).toBe(1)
      expect(records.map(({ value }) => Number(value))).toEqual(Array.from({ length: 20 }, (_, i) => i))
    })

    test('two concurrent writers leave no hole and lose nothing', async () => {
      await using other = await subject.reopen()
      const before = (await ends(TOPICS.decisions)).get(0) as bigint
      const seen: bigint[] = []
      let done = false
      const watch = (async () => {
        for (let at = before; !done || at < ((await ends(TOPICS.decisions)).get(0) as bigint); ) {
          const batch = await log.read(TOPICS.decisions, 0, at, 50)
          seen.push(...batch.map(({ offset }) => offset))
          at = (batch.at(-1)?.offset ?? at - 1n) + 1n
        }
      })()
      const write = async (client: EventLog, name: string) => {
        for (let i = 0; i < 30; i++) await client.append(TOPICS.decisions, [{ key: name, value: `${name}${i}` }])
      }
      await Promise.all([write(log, 'a'), write(other, 'b')])
      done = true
      await watch
      expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => before + BigInt(i)))
    })

    test('reading at the end returns nothing, and an empty append changes nothing', async () => {
      const next = (await ends(TOPICS.items)).get(0) as bigint
      await log.append(TOPICS.items, [])
      expect(await log.read(TOPICS.items, 0, next, 10)).toEqual([])
    })

    test('every client sees the same identity', async () => {
      await using other = await subject.reopen()
      expect(await other.identity()).toBe(await log.identity())
    })

    test('a subscriber gets all records from its position on, and again those that its handler refused', async () => {
      const before = (await ends(TOPICS.items)).get(0) as bigint
      const values = Array.from({ length: 40 }, (_, i) => `subscribed ${i}`)
      await log.append(
        TOPICS.items,
        values.map((value) => ({ key: 'k', value })),
      )
      const stop = new AbortController()
      const got: string[] = []
      let next = before
      let refusals = 1
      const member = () =>
        log.subscribe({
          group: `conformance-${before}`,
          topics: [TOPICS.items],
          position: async () => next,
          handler: async (_topic, _partition, records) => {
            if (refusals-- > 0) throw new Error('refused once')
            for (const record of records) {
              if (record.offset < next) continue
              expect(record.offset).toBe(next)
              next = record.offset + 1n
              got.push(record.value)
            }
            if (got.length >= values.length) stop.abort()
          },
          signal: stop.signal,
        })
      // After a handler throws, the log either delivers the records again or rejects with the error. Both are allowed.
      await member().catch(() => {})
      while (!stop.signal.aborted) await member()
      expect(got).toEqual(values)
    })
  })
}
