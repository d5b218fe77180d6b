import { aggregate, type Progress } from '@catalog/aggregator/run.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { keepHeapSmall, peakResidentBytes } from '@catalog/runtime/heap.ts'

/** A process of the bench that runs once as `catalog aggregate` does and ends. Messages: an order in, {@link Aggregated} out. */
export type AggregateOrder = Readonly<{ url: string; dataDir: string; asOf: string }>

/** A run with its time from the start to the end of each stage, and the peak memory of its process. */
export type Aggregated = Readonly<{
  matched: number
  joined: number
  proposed: number
  changed: number
  /** New SKUs have their items. */
  joinedMs: number
  publishedMs: number
  rssBytes: number
}>

async function work({ url, dataDir, asOf }: AggregateOrder): Promise<Aggregated> {
  keepHeapSmall()
  await using catalog = await openCatalog(readEnvironment({ DATABASE_URL: url, CATALOG_DATA: dataDir }))
  const begun = performance.now()
  let joinedMs = 0
  const onProgress = ({ stage }: Progress) => {
    if (stage !== 'publish') joinedMs = performance.now() - begun
  }
  const [report] = await aggregate({ ...catalog.aggregator, onProgress }, { asOf })
  if (report === undefined) throw new Error(`no run at ${asOf}, expected one`)
  const { matched, itemsJoined: joined, pairsProposed: proposed, changed } = report
  const publishedMs = performance.now() - begun
  return { matched, joined, proposed, changed, joinedMs, publishedMs, rssBytes: peakResidentBytes() }
}

process.once('message', async (order: AggregateOrder) => {
  process.send?.(await work(order))
  process.disconnect()
})
