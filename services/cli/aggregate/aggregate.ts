import { dryRun } from '@catalog/aggregator/differences.ts'
import { openEvaluator } from '@catalog/aggregator/evaluate.ts'
import { aggregate, type RunReport } from '@catalog/aggregator/run.ts'
import type { Context, Stage } from '@catalog/cli/shared/context.ts'
import { runNightly, wholeSecond } from '@catalog/cli/shared/nightly.ts'
import { longWork, type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import { instant } from '@catalog/core/time.ts'
import { lastDue } from '@catalog/crawler/sources/schedule.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { cutOf } from '@catalog/operations/run-cut.ts'
import { allItemIds, lastFinishedRun } from '@catalog/store/vendor/runs.ts'

export type AggregateOptions = Readonly<{ asOfs: readonly string[]; full: boolean; signal?: AbortSignal }>

/** `catalog aggregate`: one run after the other at the given instants. */
export async function aggregateRuns(
  catalog: Catalog,
  terminal: Terminal,
  { asOfs, full, signal }: AggregateOptions,
): Promise<void> {
  const reports: RunReport[] = []
  // An interrupted range resumes after its last run; a single past instant is refused.
  const last = asOfs.length > 1 ? await lastFinishedRun(catalog.store) : undefined
  for (const asOf of asOfs.filter((asOf) => last === undefined || Date.parse(asOf) >= Date.parse(last.asOf))) {
    reports.push(...(await toldRun({ catalog, terminal, signal }, { asOf, full })))
  }
  const indexing = terminal.progress('search index')
  indexing.to(0)
  await catalog.catchUp()
  indexing.done()
  const rows = reports.map((report) => ({
    run_id: report.runId,
    as_of: report.asOf,
    resumed: report.resumed,
    references_reused: report.referencesReused,
    matched: report.matched,
    items_founded: report.itemsFounded,
    items_joined: report.itemsJoined,
    pairs_proposed: report.pairsProposed,
    items_looked_at: report.itemsEvaluated,
    changed: report.changed,
    basis_only: report.basisOnly,
  }))
  terminal.answer({ runs: rows }, () => table(rows))
  refuseLeftOut(reports)
  terminal.next('catalog status')
}

/** One run with its stages on the terminal. */
export const toldRun = (
  { catalog, terminal, signal }: Stage & { signal?: AbortSignal | undefined },
  run: Parameters<typeof aggregate>[1],
): Promise<readonly RunReport[]> =>
  longWork({ terminal, signal, next: 'the next catalog aggregate goes on from there' }, (onProgress) =>
    aggregate({ ...catalog.aggregator, onProgress, ...(signal && { signal }) }, run),
  )

/** Throws an error that names what runs left out; all else is published. */
function refuseLeftOut(reports: readonly RunReport[]): void {
  const leftOut = reports.flatMap((report) => report.leftOut)
  if (leftOut.length === 0) return
  throw new Error(
    `the run is published without ${leftOut.length} events that no projector could read, a defect of this version: ${leftOut.slice(0, LISTED_MAX).join('; ')}. Report it, and run catalog aggregate --full after the upgrade`,
  )
}
const LISTED_MAX = 5

/** `catalog aggregate --dry-run`: what a run at an instant would publish; appends nothing. */
export async function aggregateDryRun(catalog: Catalog, terminal: Terminal, asOf: string): Promise<void> {
  const found = await dryRun(catalog.aggregator, { asOf })
  const rows = found.map(({ kind, event, prior }) => ({
    item_id: event.item_id,
    kind,
    before: prior === null ? null : priceOf(JSON.parse(prior.publicState).item.median_price),
    after: priceOf(event.state.item.median_price),
    name: event.state.item.name,
  }))
  terminal.answer({ as_of: asOf, differences: rows }, () =>
    [`at ${asOf} a run would publish ${rows.length} events`, '', table(rows)].join('\n'),
  )
}

const priceOf = (money: { cents: number; currency: string } | null) => money && formatMoney(money.cents, money.currency)

/** Items evaluated at once: bounds memory, changes no result. */
const CHUNK_ITEMS = 500

/** `catalog aggregate --run ID`: the medians of a past run, from the facts that it read. */
export async function reproduceRun(catalog: Catalog, terminal: Terminal, runId: string): Promise<void> {
  const cut = await cutOf(catalog, { runId })
  const evaluator = await openEvaluator(catalog.store, cut)
  const itemIds = await allItemIds(catalog.store)
  const items: { item_id: string; cents: number; currency: string }[] = []
  const progress = terminal.progress(`run ${runId}`)
  for (let start = 0; start < itemIds.length; start += CHUNK_ITEMS) {
    for (const { itemId, repriced } of await evaluator.evaluate(itemIds.slice(start, start + CHUNK_ITEMS))) {
      if (repriced.headline === null) continue
      const { cents, currency } = repriced.headline
      items.push({ item_id: itemId, cents, currency })
    }
    progress.to(Math.min(start + CHUNK_ITEMS, itemIds.length), itemIds.length)
  }
  progress.done()
  terminal.answer({ run_id: runId, as_of: cut.asOf, items }, () =>
    [`run ${runId} at ${cut.asOf}: ${items.length} items with a price`, '', table(items)].join('\n'),
  )
  terminal.next(`catalog explain ITEM --run ${runId}`)
}

/**
 * `catalog aggregate --nightly`: `as_of` is the scheduled instant. Of several processes one publishes for an instant. The
 * process repeats a failed run until it is done, and begins with the run that was missed while all processes were away.
 */
export async function aggregateNightly({ catalog, env, signal }: Context): Promise<void> {
  const { AGGREGATE_CRON: cron, LOG_LEVEL: logLevel } = env
  await runNightly(
    catalog,
    {
      name: 'aggregate',
      cron,
      missed: () => missedRun(catalog, cron),
      async work(due, logger) {
        const asOf = instant(wholeSecond(due))
        const onLeading = () =>
          logger.info({ due: asOf, holder: catalog.aggregator.holder }, 'this process leads the run')
        const reports = await aggregate({ ...catalog.aggregator, onLeading, signal }, { asOf, once: true })
        refuseLeftOut(reports)
        return reports.at(-1)
      },
    },
    { signal, logLevel },
  )
}

/** The last instant of the schedule, where a catalog that ran before has no run at it. */
async function missedRun({ store, now }: Catalog, cron: string): Promise<Date | undefined> {
  const last = await lastFinishedRun(store)
  const due = lastDue(cron, now())
  return last === undefined || due === undefined || Date.parse(last.asOf) >= due.getTime() ? undefined : due
}
