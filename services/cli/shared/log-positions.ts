import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { readPositions } from '@catalog/store/builds/builds.ts'
import type { Catalog } from './wire.ts'

export type Position = Readonly<{
  name: string
  topic: string
  partition: number
  next: number
  end: number
  lag: number
}>

/** Where each projection stands in each partition of its topics. */
export async function topicPositions({ store, log }: Pick<Catalog, 'store' | 'log'>): Promise<readonly Position[]> {
  const checkpoints = await readPositions(store)
  const nextOf = (projection: string, topic: string, partition: number) =>
    checkpoints.find((row) => row.projection === projection && row.topic === topic && row.partition === partition)
      ?.next ?? 0n
  const positions: Position[] = []
  for (const { name, topics } of PROJECTIONS) {
    for (const topic of topics) {
      for (const { partition, next: end } of await log.partitions(topic)) {
        const next = nextOf(name, topic, partition)
        positions.push({ name, topic, partition, next: Number(next), end: Number(end), lag: Number(end - next) })
      }
    }
  }
  return positions
}
