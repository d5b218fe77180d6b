import type { HttpMetrics } from '@catalog/api/http-metrics.ts'
import { aggregateNightly, toldRun } from '@catalog/cli/aggregate/aggregate.ts'
import { heldNext, problemLines } from '@catalog/cli/crawl/crawl-problems.ts'
import { loadSampleDays } from '@catalog/cli/crawl/sample-crawls.ts'
import { crawlScheduled, crawlSources } from '@catalog/cli/crawl/source-crawls.ts'
import { verifyNightly } from '@catalog/cli/inspect/verify.ts'
import { snapshotNightly } from '@catalog/cli/mirror/snapshot.ts'
import { chosenLines, crawledText } from '@catalog/cli/presets/preset-text.ts'
import { expectCalibrated } from '@catalog/cli/shared/calibrations.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { instant } from '@catalog/core/time.ts'
import { ensurePreset, type PresetAsked } from '@catalog/operations/sources/presets.ts'
import { releaseGarbage } from '@catalog/runtime/heap.ts'
import { runConcurrently } from '@catalog/runtime/run.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import { lastFinishedRun } from '@catalog/store/vendor/runs.ts'
import type { Loading } from './loading.ts'
import { project } from './project.ts'
import { serve } from './serve.ts'

type UpOptions = Readonly<{
  sample: boolean
  host: string
  /** A public price list to begin with. */
  preset?: PresetAsked | undefined
  metrics?: HttpMetrics | undefined
  loading: Loading
}>

/** `catalog up`: everything in one process tree. Resolves when the signal has aborted and everything has drained. */
export async function up(context: Context, { sample, host, preset, metrics, loading }: UpOptions): Promise<void> {
  const { catalog, terminal, signal } = context
  if (!catalog.owner)
    throw new Error(`another process has the data folder open; stop it, or choose another with --data`)
  expectCalibrated(catalog.embedder)
  await catalog.catchUp()
  const hasNew = preset !== undefined && (await crawlPreset(context, preset))
  const onShare = (share: number) => {
    signal.throwIfAborted()
    loading.to(share)
  }
  if (sample) await loadSampleDays(catalog, terminal, onShare)
  if (hasNew || (await isUnpublished(catalog))) {
    await toldRun(context, { asOf: instant(catalog.now()) })
    await catalog.catchUp()
  }
  signal.throwIfAborted()
  // The catalog may have been filled just now, and is served for long: release the memory of that.
  releaseGarbage()
  await runConcurrently(signal, (signal) => {
    const linked = { ...context, signal }
    const served = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => served.resolve(), { once: true })
    // A night that is due by now must not delay the first page.
    const nightly = [aggregateNightly, snapshotNightly, verifyNightly, crawlScheduled].map((job) =>
      served.promise.then(() => job(linked)),
    )
    return [project(linked), serve(linked, { host, metrics, loading, onReady: served.resolve }), ...nightly]
  })
}

/** There are prices, and no run has published any. */
const isUnpublished = async ({ store }: Context['catalog']): Promise<boolean> =>
  (await lastFinishedRun(store)) === undefined && (await readCounts(store)).observations > 0

/** Crawls a preset's source. Returns whether it brought prices, which then need no night to be published. */
async function crawlPreset(context: Context, asked: PresetAsked): Promise<boolean> {
  const { env, terminal } = context
  const { preset, spec, isAdded } = await ensurePreset(env, asked)
  terminal.note(`${chosenLines(preset, spec).join('\n')}\n`)
  const path = env.CATALOG_SOURCES
  terminal.note(isAdded ? `added ${spec.id} to ${path}` : `${path} has ${spec.id} already, and stays as it is`)
  const [report] = await crawlSources(context, { specs: [spec] })
  if (report === undefined) return false
  const { outcome, appended, problems } = report
  terminal.note(`${spec.id}: ${crawledText(report)}`)
  for (const line of problems.flatMap(problemLines)) terminal.note(`${spec.id}: ${line}`)
  if (outcome === 'held') terminal.note(`next: ${heldNext([spec.id])}`)
  return outcome === 'recorded' && appended > 0
}
