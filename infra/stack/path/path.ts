import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { aggregate, type RunReport } from '@catalog/aggregator/run.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { BATCH_RECORDS_MAX, type EventLog } from '@catalog/log/log.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { drain } from '@catalog/projector/pump.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import { appendTo } from '@catalog/stack/testing/events.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { catalogRoot, readSeq, vendorRoot } from '@catalog/store/builds/status.ts'
import type { Store } from '@catalog/store/db.ts'

/** The edge's clock unless a test sets another; later than every test observation. */
export const NOW_MS = Date.parse('2028-01-01T00:00:00Z')

/** The data path with an injected clock, for tests that drive it event by event. */
export type Path = AsyncDisposable & {
  readonly store: Store
  readonly log: EventLog
  /** The edge's clock in milliseconds since 1970. */
  nowMs: number
  /** Appends events to their topics and projects them. */
  append(events: readonly CatalogEvent[]): Promise<void>
  project(): Promise<void>
  run(
    asOf: string,
    options?: { full?: boolean; log?: EventLog; holder?: string; once?: boolean },
  ): Promise<readonly RunReport[]>
  roots(): Promise<{ catalog: string; vendor: string }>
  seq(): Promise<number>
  /** Empties the tables and folds the log again; only where the log belongs to the store. */
  rebuild(): Promise<void>
  /** Empties everything, as in a new folder. */
  reset(): Promise<void>
}

const READ_MODELS = `checkpoints, sources, source_editions, vendor_skus, observations, crawls, redeliveries, retractions, crawl_reports, parked,
  parked_resolutions, recipes, recipe_deliveries, index_points, decisions, item_keys, memberships, match_keys, kept_apart, proposals,
  items, item_regions, item_markets, price_points, categories, changes, change_scopes, scope_heads, run_marks, digests, snapshots, editions, feed_floors, search_docs,
  search_indexes`

/** Opens the path on a test store unless `parts` are given; `batchRecords` bounds a projected batch. */
export async function openPath({
  parts,
  batchRecords = BATCH_RECORDS_MAX,
  joinRule,
}: {
  parts?: { store: Store; log: EventLog }
  batchRecords?: number
  joinRule?: JoinRule
} = {}): Promise<Path> {
  const store = parts?.store ?? (await openTestStore())
  const log = parts?.log ?? (await openTableLog(store))
  const inBatches: EventLog = {
    ...log,
    read: (topic, partition, from, max) => log.read(topic, partition, from, Math.min(max, batchRecords)),
  }
  let runs = 0
  const path: Path = {
    store,
    log,
    nowMs: NOW_MS,
    async append(events) {
      await appendTo(log, events)
      await path.project()
    },
    async project() {
      await drain({ store, log: inBatches, projections: [vendorProjection, itemsProjection] })
    },
    async run(asOf, { full = false, log: through = log, holder = 'test', once = false } = {}) {
      const reports = await aggregate(
        {
          store,
          log: through,
          catchUp: path.project,
          now: () => new Date(path.nowMs),
          newRunId: () => `run_${++runs}`,
          holder,
          ...(joinRule && { joinRule }),
        },
        { asOf, full, once },
      )
      const leftOut = reports.flatMap((report) => report.leftOut)
      if (leftOut.length > 0) throw new Error(`a run left out ${leftOut.join('; ')}`)
      return reports
    },
    async rebuild() {
      await store.query(`truncate ${READ_MODELS} restart identity`)
      await path.project()
    },
    roots: async () => ({ catalog: await catalogRoot(store), vendor: await vendorRoot(store) }),
    seq: async () => Number(await readSeq(store)),
    async reset() {
      await emptied(store, `${READ_MODELS}, log_records`)
      await store.query(`update log_heads set next = 0`)
      await store.query(`delete from meta where key = 'chains_begin'`)
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
  return path
}

/**
 * Empties tables. A killed run may still read a last chunk, which then waits for the tables in another order: the server
 * ends one of the two, and the next attempt meets no reader.
 */
async function emptied(store: Store, tables: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await store.query(`truncate ${tables} restart identity`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK_DETECTED || attempt === EMPTYING_ATTEMPTS_MAX) throw error
    }
  }
}
const DEADLOCK_DETECTED = '40P01'
const EMPTYING_ATTEMPTS_MAX = 5
