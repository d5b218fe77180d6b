import type { Context } from '@catalog/cli/shared/context.ts'
import { openPartFile } from '@catalog/cli/shared/whole-file.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { latestRuns, type RunRecord, runById } from '@catalog/store/vendor/runs.ts'
import type { DiffAnswer, RunEnd } from './answer.ts'
import { compareRuns } from './compare-runs.ts'
import { type Change, type ItemChange, sizeOf } from './item-change.ts'
import { CSV_HEAD, csvRows, textOf } from './text.ts'

export type DiffFlags = Readonly<{
  region?: string
  limit: string
  csv?: string
}>

/** `catalog diff [FROM] [TO]`: what changed between two finished runs, and which votes explain it. */
export async function diffRuns(
  { catalog: { store }, terminal, signal }: Omit<Context, 'env'>,
  earlier: string | undefined,
  later: string | undefined,
  flags: DiffFlags,
): Promise<void> {
  const limit = rowLimit(flags.limit)
  const region = flags.region?.toUpperCase() ?? null
  const { from, to } = await twoRuns(
    store,
    [earlier, later].filter((id) => id !== undefined),
  )
  await using csv = flags.csv === undefined ? null : await openPartFile(flags.csv)
  await csv?.write(CSV_HEAD)
  const largest = openLargest(limit, region)
  const progress = terminal.progress('items compared')
  for await (const { done, total, changes } of compareRuns(store, { from, to, signal })) {
    const listed = changes.flatMap((change) => listedChange(change, region) ?? [])
    largest.add(listed)
    await csv?.write(listed.map(csvRows).join(''))
    progress.to(done, total)
  }
  progress.done()
  const sources = await sourcesAt(store, { asOf: to.asOf, positions: to.positions })
  const shown = largest.result()
  const answer: DiffAnswer = {
    from: endOf(from),
    to: endOf(to),
    region,
    ...shown,
    sources: Object.fromEntries(
      [...new Set(shown.changes.flatMap(({ votes }) => votes.map(({ source_id }) => source_id)))]
        .sort()
        .map((id) => [id, sources.get(id)?.name ?? id]),
    ),
  }
  await csv?.keep()
  terminal.answer(answer, () => textOf(answer))
  if (flags.csv !== undefined) terminal.note(`written to ${flags.csv}`)
  terminal.next(`catalog explain ITEM --run ${to.runId}`)
}

const endOf = ({ runId, asOf, method }: RunRecord): RunEnd => ({ run_id: runId, as_of: asOf, method })

/** Latest runs that an error lists, and that the defaults are found among. */
const RUNS_LISTED = 20

/** The named runs, or the last finished ones. Throws an error that lists runs. */
async function twoRuns(store: Queryable, runIds: readonly string[]): Promise<{ from: RunRecord; to: RunRecord }> {
  const finished = (await latestRuns(store, RUNS_LISTED)).filter((run) => run.finished)
  const known = () => finished.map(({ runId, asOf }) => `${runId} (${asOf})`).join(', ') || 'none'
  const named = await Promise.all(
    runIds.map(async (runId) => {
      const run = await runById(store, runId)
      if (run?.finished) return run
      throw new Error(`run '${runId}': expected a finished run, of which the latest are ${known()}`)
    }),
  )
  const [first, second] = named
  const to = second ?? finished[0]
  const from = first ?? finished[1]
  if (to === undefined || from === undefined) {
    throw new Error(`expected two finished runs, and the catalog has ${known()}: catalog aggregate makes one`)
  }
  if (from.runId === to.runId) {
    throw new Error(`run '${from.runId}' twice: expected two runs, of which the latest are ${known()}`)
  }
  if (Date.parse(from.asOf) > Date.parse(to.asOf)) {
    throw new Error(`run '${from.runId}' is later than '${to.runId}': expected catalog diff ${to.runId} ${from.runId}`)
  }
  return { from, to }
}

/** The change as listed for a region, null for all; null where nothing of it moved there. */
function listedChange(change: ItemChange, region: string | null): ItemChange | null {
  const counted = region === null ? change.prices : change.prices.filter((price) => price.region === region)
  if (region !== null && counted.length === 0) return null
  if (change.change === 'price' && !counted.some((price) => sizeOf(price) > 0)) return null
  return { ...change, prices: counted }
}

/** Counts all changes and keeps the largest: memory does not grow with the catalog. */
function openLargest(limit: number, region: string | null) {
  const counts: Record<Change, number> = { new: 0, gone: 0, merged: 0, price: 0 }
  let kept: ItemChange[] = []
  let [rises, falls, all] = [0, 0, 0]
  const largestOf = ({ prices }: ItemChange) => Math.max(...prices.map(sizeOf))
  const rank = ({ change }: ItemChange) => (change === 'price' ? 0 : 1)
  const cut = () => {
    kept.sort(
      (a, b) => rank(a) - rank(b) || compareSizes(largestOf(a), largestOf(b)) || (a.item_id < b.item_id ? -1 : 1),
    )
    kept = kept.slice(0, limit)
  }
  return {
    add(changes: readonly ItemChange[]) {
      for (const change of changes) {
        counts[change.change]++
        all++
        const relative = change.prices.find((price) => price.region === region)?.relative ?? 0
        if (relative > 0) rises++
        if (relative < 0) falls++
      }
      kept.push(...changes)
      if (kept.length > 2 * limit) cut()
    },
    result() {
      cut()
      return { counts, rises, falls, changes: kept, left_out: all - kept.length }
    },
  }
}

/** Descending; infinite sizes are equal. */
const compareSizes = (a: number, b: number) => (a === b ? 0 : b - a)
