import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { readPositions } from '@catalog/store/builds/builds.ts'
import type { Catalog } from './catalog.ts'

export type Position = Readonly<{
  name: string
  topic: string
  partition: number
  next: number
  end: number
  /** Records that wait; below 0 where the log ends before what was applied, so it lost records. */
  lag: number
}>

export type AgedPosition = Position &
  Readonly<{
    /** Age of the oldest record that waits; 0 where none waits, null where nobody can tell. */
    lag_seconds: number | null
  }>

/** Where each projection stands in each partition of its topics. */
export async function topicPositions({ store, log }: Pick<Catalog, 'store' | 'log'>): Promise<readonly Position[]> {
  return (await openPositions({ store, log })).map(({ position }) => position)
}

/**
 * The same with the age of what waits. It comes from the record itself, so it grows while a projector is dead. A record counts
 * from the start of its crawl or run, and an imported one from that in the catalog where it was made.
 */
export async function agedPositions({
  store,
  log,
  now,
}: Pick<Catalog, 'store' | 'log' | 'now'>): Promise<readonly AgedPosition[]> {
  const found = await openPositions({ store, log })
  const nowMs = now().getTime()
  return Promise.all(
    found.map(async ({ position, topic, next }) => {
      if (position.lag <= 0) return { ...position, lag_seconds: position.lag === 0 ? 0 : null }
      const records = await log.read(topic, position.partition, next, DATED_RECORDS_MAX)
      const recordedMs = records.map(({ value }) => recordedMsOf(value)).find((ms) => !Number.isNaN(ms))
      return { ...position, lag_seconds: recordedMs === undefined ? null : Math.max(0, nowMs - recordedMs) / 1_000 }
    }),
  )
}

/** A record that is no event has no date, and the next one is about as old. */
const DATED_RECORDS_MAX = 10

function recordedMsOf(value: string): number {
  try {
    return Date.parse((JSON.parse(value) as { recorded_at?: string } | null)?.recorded_at ?? '')
  } catch {
    return Number.NaN
  }
}

async function openPositions({ store, log }: Pick<Catalog, 'store' | 'log'>) {
  const checkpoints = await readPositions(store)
  const nextOf = (projection: string, topic: string, partition: number) =>
    checkpoints.find((row) => row.projection === projection && row.topic === topic && row.partition === partition)
      ?.next ?? 0n
  const found = []
  for (const { name, topics } of PROJECTIONS) {
    for (const topic of topics) {
      for (const { partition, next: end } of await log.partitions(topic)) {
        const next = nextOf(name, topic, partition)
        const position = { name, topic, partition, next: Number(next), end: Number(end), lag: Number(end - next) }
        found.push({ position, topic, next })
      }
    }
  }
  return found
}
