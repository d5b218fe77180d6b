import { TOPICS } from '@catalog/core/events/topics.ts'
import { openKafkaLog } from '@catalog/log/kafka.ts'
import { follow, Halt, type Projection } from '@catalog/projector/pump.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import { retrying } from '@catalog/runtime/run.ts'
import { openStore } from '@catalog/store/db.ts'

/**
 * A projector process of the bench: it is told where to read and to write, follows as `catalog project` does, and lives on
 * for the next run. Messages: {@link Order} in, 'stopped' out.
 */
export type Order = Readonly<{ brokers: string; url: string; schema: string; partitions: number }> | 'stop'

/** Observations alone, folded into the tables of one schema by a consumer group of its own. */
export const projectionInto = (schema: string): Projection => ({
  ...vendorProjection,
  topics: [TOPICS.observations],
  name: `vendor-${schema}`,
})

let stopping = new AbortController()

async function work({ brokers, url, schema, partitions }: Exclude<Order, 'stop'>): Promise<void> {
  const { signal } = stopping
  await using store = await openStore({ kind: 'postgres', connection: { url }, schema })
  await using log = await openKafkaLog({ brokers, observationPartitions: partitions })
  // A broker that has just started may not be ready for groups: joining again is what a projector does.
  await retrying(() => follow({ store, log, projections: [projectionInto(schema)], signal }), {
    signal,
    isFatal: (error) => error instanceof Halt,
    onRetry: () => {},
  })
}

// Imported for its projection's name by the process that gives the orders, which is nobody's child with a channel.
process.on('message', (order: Order) => {
  if (order === 'stop') return stopping.abort()
  stopping = new AbortController()
  work(order).then(
    () => process.send?.('stopped'),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
