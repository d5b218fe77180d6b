import { setTimeout as delay } from 'node:timers/promises'
import type { EventLog } from '@catalog/log/log.ts'
import { nameOf } from '@catalog/stack/model/model.ts'
import { appendTo } from '@catalog/stack/testing/events.ts'
import type { History } from './history.ts'
import { PRODUCTS, registrations, STREAMED, streamed } from './market.ts'

/** Observations that a program appends, and of which it sees when they are applied. */
export type Stream = Readonly<{
  /** The first acknowledged append that began at or after this time. */
  acknowledgedSince: (sinceMs: number) => Appended | undefined
  finish: () => Promise<void>
}>
export type Appended = Readonly<{ vendor: string; observedAt: string; records: number; beganMs: number }>

type StreamOptions = Readonly<{
  log: Pick<EventLog, 'append'>
  nowMs: () => number
  history: History
  random: () => number
  /** Observations of one append, at most the products of the market. */
  batch: number
  /** It goes on until so many observations were acknowledged, then without pauses: faults delay appends. Default: 0. */
  eventsMin?: number | undefined
}>

const PAUSE_MS = 500
/** Of failed appends, this share is not repeated: whether the log has them stays unknown. */
const GIVEN_UP = 0.3

/**
 * Appends until `finish`, which ends after `eventsMin` observations, and then every product of each vendor once more, were
 * acknowledged.
 */
export async function streamForever({
  log,
  nowMs,
  history,
  random,
  batch,
  eventsMin = 0,
}: StreamOptions): Promise<Stream> {
  await appendTo(log, registrations())
  const acknowledged: Appended[] = []
  let isFinishing = false
  let count = 0

  async function append(n: number, size: number): Promise<boolean> {
    const { vendor, events } = streamed(n, size, new Date())
    const observedAt = events[0]?.observed_at as string
    const observations = events.map(({ source, vendor_ref: ref, observed_at, price }) =>
      nameOf({ source: source.id, ref, atMs: Date.parse(observed_at), cents: price.cents }),
    )
    const beganMs = nowMs()
    for (;;) {
      const told = { kind: 'append', client: 'stream', observations, beganMs } as const
      try {
        await appendTo(log, events)
        history.add({ ...told, result: 'acknowledged', endedMs: nowMs() })
        acknowledged.push({ vendor, observedAt, records: events.length, beganMs })
        count += events.length
        return true
      } catch {
        history.add({ ...told, result: 'failed', endedMs: nowMs() })
        if (!isFinishing && random() < GIVEN_UP) return false
        await delay(PAUSE_MS)
      }
    }
  }

  const loop = (async () => {
    let n = 0
    for (; !isFinishing || count < eventsMin; n++) {
      await append(n, batch)
      if (!isFinishing) await delay(PAUSE_MS)
    }
    for (let last = 0; last < STREAMED.length; n++) if (await append(n, PRODUCTS)) last++
  })()
  loop.catch(() => {})
  return {
    acknowledgedSince: (sinceMs) => acknowledged.find(({ beganMs }) => beganMs >= sinceMs),
    finish() {
      isFinishing = true
      return loop
    },
  }
}
