import { aggregate } from '@catalog/aggregator/run.ts'
import { offerOf } from '@catalog/bench/workload/products.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { drain } from '@catalog/projector/pump.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { keepHeapSmall, peakResidentBytes } from '@catalog/runtime/heap.ts'
import { openStore } from '@catalog/store/db.ts'

/** A process of the bench that does one stage of the data path and ends. Messages: an order in, {@link StageCost} out. */
export type StageOrder = Readonly<{
  stage: Stage
  url: string
  dataDir: string
  items: number
  /** Vendors' lists of every item, so observations of every item. */
  lists: number
}>

export type Stage = 'append' | 'project' | 'aggregate'

/** Time, processor time and peak memory of a stage's own process; PostgreSQL's are not in it. */
export type StageCost = Readonly<{ ms: number; cpuMs: number; peakBytes: number }>

/** Events that one append takes at once. */
const APPENDED_AT_ONCE = 5_000
const AS_OF = '2026-01-20T00:00:00Z'

const STAGES: Readonly<Record<Stage, (order: StageOrder) => Promise<void>>> = {
  async append({ url, items, lists }) {
    await using store = await openStore({ kind: 'postgres', connection: { url } })
    await using log = await openTableLog(store)
    for (let list = 0; list < lists; list++) {
      for (let from = 0; from < items; from += APPENDED_AT_ONCE) {
        const count = Math.min(APPENDED_AT_ONCE, items - from)
        const offers = Array.from({ length: count }, (_, i) => offerOf(from + i, 'ES', list))
        await log.append(
          TOPICS.observations,
          offers.map((offer) => ({
            key: observationKey(offer.source.id, offer.vendor_ref),
            value: JSON.stringify(offer),
          })),
        )
      }
    }
  },
  async project({ url }) {
    await using store = await openStore({ kind: 'postgres', connection: { url } })
    await using log = await openTableLog(store)
    await drain({ store, log, projections: PROJECTIONS })
  },
  async aggregate({ url, dataDir, items, lists }) {
    keepHeapSmall()
    await using catalog = await openCatalog(readEnvironment({ DATABASE_URL: url, CATALOG_DATA: dataDir }))
    const [report] = await aggregate(catalog.aggregator, { asOf: AS_OF })
    if (report?.matched !== items * lists)
      throw new Error(`${report?.matched} SKUs were matched, expected ${items * lists}`)
  },
}

process.once('message', async (order: StageOrder) => {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  await STAGES[order.stage](order)
  const { user, system } = process.cpuUsage(before)
  const cost: StageCost = {
    ms: performance.now() - begun,
    cpuMs: (user + system) / 1_000,
    peakBytes: peakResidentBytes(),
  }
  process.send?.(cost)
  process.disconnect()
})
