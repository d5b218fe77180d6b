import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from '@catalog/bench/harness/report.ts'
import { resultOf } from '@catalog/bench/harness/worker.ts'
import type { Aggregated, AggregateOrder } from '@catalog/bench/workload/aggregator.ts'
import { offerOf } from '@catalog/bench/workload/products.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { drain } from '@catalog/projector/pump.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { SERVER_SETTINGS } from './project.ts'

/** `--items N` sets the number of items; the catalog has seven SKUs of each, and two new ones come. */
export const joinBench: Bench = {
  title: 'time and memory of the aggregator: a first run of 70,000 SKUs in 10,000 items, then 20,000 new SKUs',
  async run(say, { isBrief = false, items: [items = 0] = [isBrief ? BRIEF_ITEMS : ITEMS] } = {}) {
    await using server = await startPostgres(SERVER_SETTINGS)
    await using store = await openStore({ kind: 'postgres', connection: { url: server.url } })
    await migrate(store)
    using data = mkdtempDisposableSync(join(tmpdir(), 'catalog-bench-'))
    const runs: Aggregated[] = []
    for (const [nth, lists] of [OLD_LISTS, NEW_LISTS].entries()) {
      for (const [country, group] of lists) {
        await record(
          store,
          Array.from({ length: items }, (_, product) => offerOf(product, country, group)),
        )
      }
      await store.query('analyze')
      const run = await aggregateIn({ url: server.url, dataDir: data.path, asOf: AS_OF[nth] as string })
      const { matched, joined, proposed, changed, joinedMs, publishedMs, rssBytes } = run
      say(
        `${matched} SKUs matched, ${joined} items joined, ${proposed} pairs proposed in ${seconds(joinedMs)} s, ` +
          `${changed} items published after ${seconds(publishedMs)} s, at most ${mebibytes(rssBytes)} MiB`,
      )
      if (matched !== items * lists.length) throw new Error(`${matched} SKUs were matched, expected all`)
      runs.push(run)
    }
    const [first, next] = runs as [Aggregated, Aggregated]
    if (next.joined === 0) throw new Error('no new item was joined, expected the same products by other names')
    const stage = (run: Aggregated) => `${run.matched} new SKUs`
    return [
      { stage: `${stage(first)}, matched and joined`, figure: seconds(first.joinedMs), unit: 's', max: null },
      { stage: `${stage(first)}, published`, figure: seconds(first.publishedMs), unit: 's', max: null },
      { stage: `${stage(first)}, memory`, figure: mebibytes(first.rssBytes), unit: 'MiB', max: MEBIBYTES_MAX },
      { stage: `${stage(next)}, matched and joined`, figure: seconds(next.joinedMs), unit: 's', max: SECONDS_MAX },
      { stage: `${stage(next)}, published`, figure: seconds(next.publishedMs), unit: 's', max: null },
      { stage: `${stage(next)}, memory`, figure: mebibytes(next.rssBytes), unit: 'MiB', max: MEBIBYTES_MAX },
    ]
  },
}

const ITEMS = 10_000
const BRIEF_ITEMS = 200
/** Lists of one language match by equal keys, those of two by the learned rule. */
const OLD_LISTS = (['ES', 'GB', 'ES', 'GB', 'ES', 'GB', 'ES'] as const).map(
  (country, group) => [country, group] as const,
)
const NEW_LISTS = [
  ['PT', OLD_LISTS.length],
  ['PT', OLD_LISTS.length + 1],
] as const
const AS_OF = ['2026-01-20T00:00:00Z', '2026-01-21T00:00:00Z']
const SECONDS_MAX = 60
const MEBIBYTES_MAX = 512

const seconds = (ms: number) => Math.round(ms / 100) / 10
const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)

async function record(store: Store, offers: readonly ObservationRecorded[]): Promise<void> {
  await using log = await openTableLog(store)
  await log.append(
    TOPICS.observations,
    offers.map((offer) => ({ key: observationKey(offer.source.id, offer.vendor_ref), value: JSON.stringify(offer) })),
  )
  await drain({ store, log, projections: PROJECTIONS })
}

/** Runs in a process of its own, which begins with an empty heap. */
const aggregateIn = (order: AggregateOrder) =>
  resultOf<Aggregated>(new URL('../workload/aggregator.ts', import.meta.url), order)
