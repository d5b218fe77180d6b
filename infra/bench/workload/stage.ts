import { aggregate, type Progress } from '@catalog/aggregator/run.ts'
import { answerOrder } from '@catalog/bench/harness/worker.ts'
import { offerOf } from '@catalog/bench/workload/products.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { drain } from '@catalog/projector/pump.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { keepHeapSmall, peakResidentBytes } from '@catalog/runtime/heap.ts'
import { appendTo } from '@catalog/stack/testing/events.ts'
import { openStore } from '@catalog/store/db.ts'

/** A process of the bench that does one stage of the data path and ends. Messages: an order in, {@link StageCost} out. */
export type StageOrder =
  | AggregateOrder
  | Readonly<{ stage: 'append' | 'project'; url: string; items: number; lists: number }>

/** One run, as `catalog aggregate` does it. */
export type AggregateOrder = Readonly<{ stage: 'aggregate'; url: string; dataDir: string; asOf: string }>

/** Time, processor time and peak memory of a stage's own process; PostgreSQL's are not in it. */
export type StageCost = Readonly<{ ms: number; cpuMs: number; peakBytes: number; run?: Run }>
/** SKUs with a price, and the time until new SKUs had their items. */
type Run = Readonly<{ matched: number; joinedMs: number }>

/** Events that one append takes at once. */
const APPENDED_AT_ONCE = 5_000

async function append(url: string, { items, lists }: { items: number; lists: number }): Promise<void> {
  await using store = await openStore({ kind: 'postgres', connection: { url } })
  await using log = await openTableLog(store)
  for (let list = 0; list < lists; list++) {
    for (let from = 0; from < items; from += APPENDED_AT_ONCE) {
      const count = Math.min(APPENDED_AT_ONCE, items - from)
      await appendTo(
        log,
        Array.from({ length: count }, (_, i) => offerOf(from + i, 'ES', list)),
      )
    }
  }
}

async function project(url: string): Promise<void> {
  await using store = await openStore({ kind: 'postgres', connection: { url } })
  await using log = await openTableLog(store)
  await drain({ store, log, projections: PROJECTIONS })
}

async function run({ url, dataDir, asOf }: AggregateOrder): Promise<Run> {
  keepHeapSmall()
  await using catalog = await openCatalog(readEnvironment({ DATABASE_URL: url, CATALOG_DATA: dataDir }))
  const begun = performance.now()
  let joinedMs = 0
  const onProgress = ({ stage }: Progress) => {
    if (stage !== 'publish') joinedMs = performance.now() - begun
  }
  const [report] = await aggregate({ ...catalog.aggregator, onProgress }, { asOf })
  if (report === undefined) throw new Error(`no run at ${asOf}, expected one`)
  return { matched: report.matched, joinedMs }
}

answerOrder(async (order: StageOrder): Promise<StageCost> => {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  if (order.stage === 'append') await append(order.url, order)
  else if (order.stage === 'project') await project(order.url)
  const done = order.stage === 'aggregate' ? { run: await run(order) } : {}
  const { user, system } = process.cpuUsage(before)
  return {
    ms: performance.now() - begun,
    cpuMs: (user + system) / 1_000,
    peakBytes: peakResidentBytes(),
    ...done,
  }
})
