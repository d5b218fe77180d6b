import { TOPICS } from '@catalog/core/events/topics.ts'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { follow, Halt, type Projection } from '@catalog/projector/pump.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import { retryForever } from '@catalog/runtime/run.ts'
import { openStore } from '@catalog/store/db.ts'

/**
 * A projector process of the bench: an order names its log and store, it follows like `catalog project`, and stays for
 * the next run. With a schema it projects observations alone into it. Messages: {@link Order} in, 'stopped' out.
 */
export type Order = Readonly<{ brokers: string; url: string; partitions: number; schema?: string }> | 'stop'

/** Folds observations alone into the tables of one schema, with its own consumer group. */
export const projectionInto = (schema: string): Projection => ({
  ...vendorProjection,
  topics: [TOPICS.observations],
  name: `vendor-${schema}`,
})

let stopping = new AbortController()

async function work({ brokers, url, schema, partitions }: Exclude<Order, 'stop'>): Promise<void> {
  const { signal } = stopping
  await using store = await openStore({
    kind: 'postgres',
    connection: { url },
    ...(schema !== undefined && { schema }),
  })
  await using log = await openKafkaLog({ brokers, observationPartitions: partitions })
  const projections = schema === undefined ? PROJECTIONS : [projectionInto(schema)]
  // A broker that just started may not be ready for groups: join again, as projectors do.
  await retryForever(() => follow({ store, log, projections, signal }), {
    signal,
    isFatal: (error) => error instanceof Halt,
    onRetry: () => {},
  })
}

process.on('message', async (order: Order) => {
  if (order === 'stop') return stopping.abort()
  stopping = new AbortController()
  await work(order)
  process.send?.('stopped')
})
