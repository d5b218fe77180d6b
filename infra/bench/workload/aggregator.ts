import { aggregate } from '@catalog/aggregator/run.ts'
import { answerOrder } from '@catalog/bench/harness/worker.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { keepHeapSmall } from '@catalog/runtime/heap.ts'

/** A process of the bench that runs once, as `catalog aggregate` does. Messages: {@link NightOrder} in, milliseconds out. */
export type NightOrder = Readonly<{ url: string; dataDir: string; asOf: string }>

answerOrder(async ({ url, dataDir, asOf }: NightOrder): Promise<number> => {
  keepHeapSmall()
  await using catalog = await openCatalog(readEnvironment({ DATABASE_URL: url, CATALOG_DATA: dataDir }))
  const begun = performance.now()
  await aggregate(catalog.aggregator, { asOf })
  return performance.now() - begun
})
