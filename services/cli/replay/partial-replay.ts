import { parseInstant } from '@catalog/cli/shared/instants.ts'
import { findSource } from '@catalog/cli/shared/naming.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { applyMembership, emptyMembership } from '@catalog/core/matching/membership.ts'
import { exponentOf, formatMoney } from '@catalog/core/money/money.ts'
import { instant } from '@catalog/core/time.ts'
import { knownItemIds } from '@catalog/store/catalog/price-points.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type Cut, membershipEventsAt, sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { latestRuns, type RunRecord } from '@catalog/store/vendor/runs.ts'
import { openRun, type Price, type PriceDifference, replayRun } from './compare-prices.ts'

export type ReplayPartOptions = Readonly<{
  /** Ids; excludes a source. */
  items?: readonly string[] | undefined
  /** Id or name: every item that had a SKU of it by the time of a run. */
  source?: string | undefined
  /** Bounds of the runs' as_of, inclusive. Without items and source, all items count. */
  from?: string | undefined
  to?: string | undefined
  signal: AbortSignal
}>

/** The result for one run. */
type RunRow = {
  run_id: string
  as_of: string
  /** Items that existed. */
  items: number
  /** Headlines and medians of markets, absent prices included. */
  compared: number
  equal: number
  differing: number
  /** Why nothing was compared; null otherwise. */
  not_compared: string | null
}

/**
 * `catalog replay` of a part: checks that the stored observations still give the prices that each run published.
 *
 * It computes each run again at its own cut and by its own method, and compares to the cent and the currency with the
 * points in force at its as_of. Returns false when a price differs or a run cannot be computed again. The first
 * difference is that of the oldest run, and there of the smallest item id. It reads the tables, never the log, and
 * writes nothing.
 *
 * A run costs one fold of the membership decisions before its cut (with a source a second one), and then the stored
 * observations of the chosen items, a chunk at a time. Each run is proved independently.
 */
export async function replayPart(
  catalog: Catalog,
  terminal: Terminal,
  { items, source, signal, ...range }: ReplayPartOptions,
): Promise<boolean> {
  const { store } = catalog
  const from = range.from === undefined ? null : parseInstant(range.from, '--from')
  const to = range.to === undefined ? null : parseInstant(range.to, '--to')
  if (items === undefined && source === undefined && from === null && to === null)
    throw new Error('replay of a part: expected --item, --source, --from or --to')
  const chosen = await chosenItems(catalog, { items, source })
  const runs = await runsWithin(store, { from, to })
  const progress = terminal.progress('items × runs')
  const compared = await compareRuns(store, { runs, chosen, signal, onProgress: progress.to }).finally(progress.done)
  await refuseReplaced(store, { from, to, rows: compared.rows })

  const { rows, first, unproved } = compared
  const prices = sumOf(rows)
  if (prices.compared === 0 && unproved.length === 0)
    throw new Error(`nothing to compare: up to ${rows.at(-1)?.as_of} there was nothing of ${chosen.label}`)
  const ok = prices.differing === 0 && unproved.length === 0
  const value = {
    ok,
    items: items ?? null,
    source: chosen.source,
    from,
    to,
    runs: rows,
    prices,
    first_difference: first,
  }
  terminal.answer(value, () =>
    [
      table(rows),
      '',
      `${prices.equal} of ${prices.compared} prices of ${chosen.label} are those that were published`,
      ...(unproved.length === 0 ? [] : [`not proved: ${unproved.join(', ')}`]),
      ...(first === null ? [] : ['', 'the first difference:', differenceText(first)]),
    ].join('\n'),
  )
  terminal.next(first === null ? 'catalog verify' : `catalog explain ${first.item_id} --run ${first.run_id}`)
  return ok
}

type ComparedRuns = Readonly<{
  rows: readonly RunRow[]
  first: PriceDifference | null
  /** Ids of runs whose method this version does not know. */
  unproved: readonly string[]
}>

async function compareRuns(
  store: Queryable,
  {
    runs,
    chosen,
    signal,
    onProgress,
  }: {
    runs: readonly RunInRange[]
    chosen: Chosen
    signal: AbortSignal
    onProgress: (done: number, total: number) => void
  },
): Promise<ComparedRuns> {
  const rows: RunRow[] = []
  let first: PriceDifference | null = null
  const unproved: string[] = []
  let done = 0
  for (const [i, { run, replacedBy }] of runs.entries()) {
    const row = emptyRow(run)
    rows.push(row)
    signal.throwIfAborted()
    if (replacedBy !== null) {
      row.not_compared = `${replacedBy.runId} of the same instant replaced its points`
      continue
    }
    const opened = await openRun(store, run)
    if (opened === null) {
      row.not_compared = `made by method ${run.method}, which this version does not know`
      unproved.push(run.runId)
      continue
    }
    const itemIds = await chosen.at(run)
    const total = done + itemIds.length * (runs.length - i)
    for await (const { evaluated, ...chunk } of replayRun(store, { opened, itemIds, signal })) {
      row.items += chunk.items
      row.compared += chunk.compared
      row.differing += chunk.differences.length
      first ??= chunk.differences[0] ?? null
      done += evaluated
      onProgress(done, total)
    }
    row.equal = row.compared - row.differing
  }
  return { rows, first, unproved }
}

const emptyRow = ({ runId, asOf }: RunRecord): RunRow => ({
  run_id: runId,
  as_of: asOf,
  items: 0,
  compared: 0,
  equal: 0,
  differing: 0,
  not_compared: null,
})

function sumOf(rows: readonly RunRow[]) {
  const sum = (count: (row: RunRow) => number) => rows.reduce((all, row) => all + count(row), 0)
  return {
    compared: sum((row) => row.compared),
    equal: sum((row) => row.equal),
    differing: sum((row) => row.differing),
  }
}

function differenceText({
  run_id,
  as_of,
  item_id,
  region,
  published,
  recorded_at,
  recomputed,
}: PriceDifference): string {
  const price = (amount: Price) => {
    if (amount === null) return 'no price'
    const { cents, currency } = amount
    // A stored point may have a broken currency.
    return exponentOf(currency) === null ? `${cents} ${currency}` : formatMoney(cents, currency)
  }
  const since = recorded_at === null ? 'no point is stored' : `since ${recorded_at}`
  return [
    `  run ${run_id} at ${as_of}, item ${item_id}, ${region === null ? 'headline' : `market ${region}`}`,
    `  published:               ${price(published)} (${since})`,
    `  by stored observations:  ${price(recomputed)}`,
  ].join('\n')
}

type Chosen = Readonly<{
  /** The items to check in a run, in id order. */
  at: (run: Cut) => Promise<readonly string[]>
  source: { readonly source_id: string; readonly name: string } | null
  /** For a sentence: "the items of Norte". */
  label: string
}>

async function chosenItems(
  { store, now }: Catalog,
  { items, source }: Pick<ReplayPartOptions, 'items' | 'source'>,
): Promise<Chosen> {
  if (items !== undefined && source !== undefined)
    throw new Error('replay of a part: expected --item or --source, not both')
  if (source !== undefined) {
    const sources = await sourcesAt(store, { asOf: instant(now()), positions: null })
    const { sourceId, name } = findSource(sources.values(), { option: '--source', given: source })
    const at = (run: Cut) => itemsOfSource(store, { run, sourceId })
    return { at, source: { source_id: sourceId, name }, label: `the items of ${name}` }
  }
  const known = await knownItemIds(store, items)
  const unknown = items?.find((id) => !known.includes(id))
  if (unknown !== undefined) throw new Error(`--item '${unknown}': expected the id of an item, as in GET /v1/items`)
  const label = items === undefined ? 'the catalog' : known.join(', ')
  return { at: async () => known, source: null, label }
}

/** Every item that ever had a SKU of the source up to the run. */
async function itemsOfSource(
  store: Queryable,
  { run, sourceId }: { run: Cut; sourceId: string },
): Promise<readonly string[]> {
  const membership = emptyMembership()
  const held = new Set<string>()
  for (const event of await membershipEventsAt(store, run)) {
    // A conflicting decision changes nothing, as when the projector parked it.
    if (applyMembership(membership, event) !== undefined || event.type === 'SkusKeptApart') continue
    let itemId = event.type === 'ItemsMerged' ? event.into_item_id : event.item_id
    // The named item may have been merged before: its SKUs are in the survivor.
    for (let into: string | undefined = itemId; into !== undefined; into = membership.mergedInto.get(itemId))
      itemId = into
    if (membership.skusOf.get(itemId)?.has(sourceId)) held.add(itemId)
  }
  return [...held].sort()
}

/** Eleven years of hourly runs. */
const RUNS_MAX = 100_000

type RunInRange = Readonly<{
  run: RunRecord
  /** A later run with the same as_of: a market keeps one point an instant, that of the last run. */
  replacedBy: RunRecord | null
}>

/** The finished runs whose as_of lies in the range, oldest first. Throws if there is none. */
async function runsWithin(
  store: Queryable,
  { from, to }: { from: string | null; to: string | null },
): Promise<readonly RunInRange[]> {
  const all = await allRuns(store)
  const last = new Map(all.map((run) => [Date.parse(run.asOf), run]))
  const finished = all.filter(({ finished }) => finished)
  const within = finished.filter(
    ({ asOf }) =>
      (from === null || Date.parse(asOf) >= Date.parse(from)) && (to === null || Date.parse(asOf) <= Date.parse(to)),
  )
  if (within.length > 0) {
    return within.map((run) => {
      const replacing = last.get(Date.parse(run.asOf))
      return { run, replacedBy: replacing === undefined || replacing.runId === run.runId ? null : replacing }
    })
  }
  const [oldest, newest] = [finished[0], finished.at(-1)]
  if (oldest === undefined || newest === undefined)
    throw new Error('nothing is published yet: run catalog aggregate first')
  throw new Error(
    `no finished run from ${from ?? 'the first'} to ${to ?? 'the last'}: expected a range with one, and there are those from ${oldest.asOf} to ${newest.asOf}`,
  )
}

/** Sorted by the time at which they began. */
async function allRuns(store: Queryable): Promise<readonly RunRecord[]> {
  const latest = await latestRuns(store, RUNS_MAX)
  if (latest.length === RUNS_MAX) throw new Error(`expected at most ${RUNS_MAX} runs`)
  return latest.reverse()
}

/** Refuses the result if a run began meanwhile at the instant of a compared one: its differences would be false. */
async function refuseReplaced(
  store: Queryable,
  { from, to, rows }: { from: string | null; to: string | null; rows: readonly RunRow[] },
): Promise<void> {
  const differing = new Set(rows.filter((row) => row.differing > 0).map(({ run_id }) => run_id))
  if (differing.size === 0) return
  for (const { run, replacedBy } of await runsWithin(store, { from, to })) {
    if (replacedBy !== null && differing.has(run.runId))
      throw new Error(`run '${replacedBy.runId}' began meanwhile at the instant of ${run.runId}: try again`)
  }
}
