import { projectionInto } from '@catalog/bench/workload/observations-projector.ts'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import { follow, Halt } from '@catalog/projector/pump.ts'
import { retryForever } from '@catalog/runtime/run.ts'
import { openStore } from '@catalog/store/db.ts'

/**
 * A projector process of the bench: an order names its log and schema, it follows like `catalog project`, and stays for
 * the next run. Messages: {@link Order} in, 'stopped' out.
 */
export type Order = Readonly<{ brokers: string; url: string; schema: string; partitions: number }> | 'stop'

let stopping = new AbortController()

async function work({ brokers, url, schema, partitions }: Exclude<Order, 'stop'>): Promise<void> {
  const { signal } = stopping
  await using store = await openStore({ kind: 'postgres', connection: { url }, schema })
  await using log = await openKafkaLog({ brokers, observationPartitions: partitions })
  // A broker that just started may not be ready for groups: join again, as projectors do.
  await retryForever(() => follow({ store, log, projections: [projectionInto(schema)], signal }), {
    signal,
    isFatal: (error) => error instanceof Halt,
    onRetry: () => {},
  })
}

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
