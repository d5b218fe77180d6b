import { acceptRule, openDifferences, type RulePreview } from '@catalog/aggregator/accept-rule.ts'
import { previewRule } from '@catalog/aggregator/differences.ts'
import { openEvaluator, type Rule } from '@catalog/aggregator/evaluate.ts'
import type { AggregatorDeps } from '@catalog/aggregator/run.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { parseInstant } from '@catalog/cli/shared/instants.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { openPartFile } from '@catalog/cli/shared/whole-file.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { METHODS } from '@catalog/core/median/methods.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { findSource } from '@catalog/operations/naming.ts'
import {
  explainLargest,
  type Hypothesis,
  type Published,
  type WhatIfAnswer,
} from '@catalog/operations/what-if/answer.ts'
import { openCarrier } from '@catalog/operations/what-if/carry.ts'
import { findMethod } from '@catalog/operations/what-if/method.ts'
import { type Line, lineOf, openTally } from '@catalog/operations/what-if/report.ts'
import type { Cut, SourceAt } from '@catalog/store/vendor/as-of-queries.ts'
import { allItemIds, latestRuns, type RunRecord } from '@catalog/store/vendor/runs.ts'
import { CSV_HEAD, csvRow, textOf } from './text.ts'

export type WhatIfFlags = Readonly<{
  asOf?: string
  without?: readonly string[]
  with?: readonly string[]
  trust?: readonly string[]
  method?: string
  carryForward?: string
  top: string
  csv?: string
  accept?: boolean
  reason?: string
}>

/**
 * `catalog what-if`: what another pricing rule would change on the same facts. It writes only --csv, and that whole.
 * With --accept it decides the rule and publishes exactly the difference that it shows.
 */
export async function answerWhatIf(
  { catalog, terminal, signal }: Omit<Context, 'env'>,
  flags: WhatIfFlags,
): Promise<void> {
  const top = topOf(flags.top)
  const reason = reasonOf(flags)
  const beforeRunning = (file: string) =>
    terminal.note(`${file} is your code: it runs with all rights, and only its answers are checked`)
  const chosen = flags.method === undefined ? null : await findMethod(flags.method, { beforeRunning })

  await using csv = flags.csv === undefined ? null : await openPartFile(flags.csv)
  await csv?.write(CSV_HEAD)
  const onLines = async (lines: readonly Line[]) => csv?.write(lines.map(csvRow).join(''))
  const previewAt = (at: Baseline, during: AbortSignal) =>
    previewItems(catalog, terminal, { at, flags, chosen, top, onLines, signal: during })
  const { previewed, published } =
    reason === null
      ? { previewed: await previewAt(await baselineOf(catalog, flags), signal), published: null }
      : await accept({ ...catalog.aggregator, signal }, { reason, previewAt })
  if (reason === null && previewed.report.run_id !== null) await refuseOtherRun(catalog, previewed.report.run_id)

  const answer: WhatIfAnswer = { ...previewed.report, published }
  await csv?.keep()
  terminal.answer(answer, () => textOf(answer, top))
  if (flags.csv !== undefined) terminal.note(`written to ${flags.csv}`)
  terminal.next(nextOf(answer))
}

/** The likely next command. */
function nextOf({ run_id, method_file, carry_forward, published, events }: WhatIfAnswer): string {
  if (published?.run_id) return `catalog explain ITEM --run ${published.run_id}`
  const isToBePublished = run_id !== null && method_file === null && carry_forward === undefined && published === null
  return isToBePublished && events.changes + events.basis_only > 0
    ? 'the same command with --accept --reason "..." publishes it'
    : 'catalog explain ITEM'
}

/** Null: publish nothing. */
function reasonOf({ accept, reason, asOf, method, carryForward }: WhatIfFlags): string | null {
  if (!accept) {
    if (reason !== undefined) throw new Error('--reason: expected together with --accept')
    return null
  }
  if (carryForward !== undefined) {
    throw new Error(
      `--accept --carry-forward '${carryForward}': a carried price was never observed, so it is shown and never published`,
    )
  }
  if (!reason) throw new Error('--accept: expected --reason "...", which is kept with the decision')
  if (asOf !== undefined) {
    throw new Error(
      `--accept --as-of '${asOf}': only the difference from the public prices can be published; expected no --as-of`,
    )
  }
  if (method !== undefined && !METHODS.some(({ name }) => name === method)) {
    const names = METHODS.map(({ name }) => name).join(', ')
    throw new Error(
      `--accept --method '${method}': only a built-in method can publish, because every process must know it: expected ${names}`,
    )
  }
  return reason
}

/** Shows the difference to a run and publishes it; returns what it published. */
async function accept(
  deps: Omit<AggregatorDeps, 'onProgress'>,
  { reason, previewAt }: { reason: string; previewAt: (at: Baseline, signal: AbortSignal) => Promise<Previewed> },
): Promise<{ previewed: Previewed; published: Published }> {
  const { previewed, accepted } = await acceptRule(deps, {
    reason,
    preview: (run, signal) => previewAt(baselineOfRun(run), signal),
  })
  const { run, decisions } = accepted
  return {
    previewed,
    published: {
      run_id: run?.runId ?? null,
      resumed: run?.resumed ?? false,
      decisions,
      changes: run?.changed ?? 0,
      basis_only: run?.basisOnly ?? 0,
    },
  }
}

/** The facts, and the run that made the public prices of them; null compares with the present rule's prices. */
type Baseline = Readonly<{ cut: Cut; runId: string | null }>

type Previewed = RulePreview & Readonly<{ report: Omit<WhatIfAnswer, 'published'> }>

/** Evaluates every item by the present and by the other rule. */
async function previewItems(
  catalog: Catalog,
  terminal: Terminal,
  {
    at,
    flags,
    chosen,
    top,
    onLines,
    signal,
  }: {
    at: Baseline
    flags: WhatIfFlags
    chosen: Readonly<{ method: Method; file: string | null }> | null
    top: number
    onLines: (lines: readonly Line[]) => Promise<unknown>
    signal: AbortSignal
  },
): Promise<Previewed> {
  const { store } = catalog
  const evaluator = await openEvaluator(store, at.cut)
  const { asOf: until, carryForward: given } = flags
  const carrier =
    given === undefined
      ? null
      : await openCarrier(catalog, {
          given,
          asOf: at.cut.asOf,
          until: until === undefined ? undefined : at.cut.asOf,
        })
  const method = chosen?.method ?? evaluator.rule.method
  const { rule, hypothesis } = ruleOf(evaluator.rule, { method: carrier?.by(method) ?? method, flags })
  const itemIds = await allItemIds(store)
  const tally = openTally(top)
  const differences = openDifferences()
  const progress = terminal.progress('items looked at')
  let done = 0
  try {
    const standing = at.runId === null ? 'at the cut' : 'public'
    for await (const previews of previewRule(
      { ...catalog.aggregator, signal },
      { evaluator, rule, itemIds, baseline: standing },
    )) {
      for (const { difference } of previews) if (difference !== null) differences.add(difference)
      const carried = carrier?.take()
      const lines = previews.flatMap((preview) => lineOf(preview, carried) ?? [])
      for (const line of lines) tally.add(line)
      await onLines(lines)
      done += previews.length
      progress.to(done, itemIds.length)
    }
  } finally {
    progress.done()
  }
  const { largest, ...added } = tally.result()
  const [runId, asOf] = [at.runId, at.cut.asOf]
  const report = {
    as_of: asOf,
    run_id: runId,
    ...hypothesis,
    method_file: chosen?.file ?? null,
    ...(carrier !== null && { carry_forward: carrier.sums() }),
    ...added,
    largest: await explainLargest(store, largest, { runId, asOf }),
  }
  return { present: evaluator.rule, rule, differences: differences.result(), report }
}

/** Items of each kind with their bases. */
const TOP_MAX = 1_000
function topOf(text: string): number {
  const top = Number(text)
  if (!/^\d+$/.test(text) || top > TOP_MAX)
    throw new Error(`--top '${text}': expected a whole number from 0 to ${TOP_MAX}`)
  return top
}

/** The facts of the public run, or those known at an instant. */
async function baselineOf({ store }: Catalog, { asOf }: WhatIfFlags): Promise<Baseline> {
  if (asOf !== undefined) return { cut: { asOf: parseInstant(asOf, '--as-of'), positions: null }, runId: null }
  const [run] = await latestRuns(store, 1)
  if (run === undefined) {
    throw new Error('nothing is published yet: run catalog aggregate first, or give --as-of')
  }
  // An unfinished run has published only a part: public medians would be of two runs.
  if (!run.finished)
    throw new Error(`run '${run.runId}' is not finished: catalog aggregate finishes it, or give --as-of`)
  return baselineOfRun(run)
}

const baselineOfRun = ({ runId, asOf, positions }: RunRecord): Baseline => ({ cut: { asOf, positions }, runId })

async function refuseOtherRun({ store }: Catalog, runId: string): Promise<void> {
  const [run] = await latestRuns(store, 1)
  if (run?.runId === runId) return
  throw new Error(`run '${run?.runId}' began meanwhile, so prices of two runs were compared: try again`)
}

/** The other rule, and the hypothesis for the report. */
function ruleOf(
  present: Rule,
  { method, flags }: { method: Method; flags: WhatIfFlags },
): { rule: Rule; hypothesis: Pick<Hypothesis, 'method' | 'without' | 'with' | 'trust'> } {
  if (
    [flags.without, flags.with, flags.trust, flags.method, flags.carryForward].every((asked) => asked === undefined)
  ) {
    throw new Error(
      'what-if: expected --without, --with, --trust, --method or --carry-forward; without them nothing would change',
    )
  }
  const sources = new Map(present.sources)
  const named = new Set<string>()
  const find = (option: string, name: string): SourceAt => {
    const source = findSource(present.sources.values(), { option, given: name })
    if (named.has(source.sourceId)) throw new Error(`${option} '${name}': ${source.name} is named twice`)
    named.add(source.sourceId)
    return source
  }
  const switched = (option: string, names: readonly string[] | undefined, enabled: boolean) =>
    (names ?? []).map((name) => {
      const source = find(option, name)
      sources.set(source.sourceId, { ...source, enabled })
      return { source_id: source.sourceId, name: source.name }
    })
  const without = switched('--without', flags.without, false)
  const reenabled = switched('--with', flags.with, true)
  const trust = (flags.trust ?? []).map((text) => {
    // A name may contain an equals sign.
    const [, name, score] = /^(.+)=(\d{1,3})$/s.exec(text) ?? []
    if (name === undefined || Number(score) > 100)
      throw new Error(`--trust '${text}': expected SOURCE=SCORE with a whole number from 0 to 100`)
    const source = find('--trust', name)
    sources.set(source.sourceId, { ...source, trust: Number(score) })
    return { source_id: source.sourceId, name: source.name, before: source.trust, after: Number(score) }
  })
  return {
    rule: { method, sources, taxRules: present.taxRules },
    hypothesis: { method: { before: present.method.name, after: method.name }, without, with: reenabled, trust },
  }
}
