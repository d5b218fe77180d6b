import { open, rename, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import { openEvaluator, type Rule } from '@catalog/aggregator/evaluate.ts'
import { whatIf } from '@catalog/aggregator/run.ts'
import { fold } from '@catalog/core/events.ts'
import { type Method, TWM_1 } from '@catalog/core/median.ts'
import { allItemIds, type Cut, latestRuns, type SourceAt } from '@catalog/store/votes.ts'
import { parseInstant } from './instants.ts'
import type { Terminal } from './terminal.ts'
import { explainedOf, type Question, type WhatIfAnswer } from './what-if-answer.ts'
import { pageOf } from './what-if-html.ts'
import { methodNamed } from './what-if-method.ts'
import { lineOf, openTally } from './what-if-report.ts'
import { CSV_HEAD, csvRow, textOf } from './what-if-text.ts'
import type { Catalog } from './wire.ts'

export type WhatIfFlags = Readonly<{
  asOf?: string
  without?: readonly string[]
  trust?: readonly string[]
  method?: string
  top: string
  format?: string
  out?: string
}>

/**
 * `catalog what-if`: what would change if prices were made by another rule of the same facts. Nothing is written but
 * --out, and that only when it is whole. Publishing the difference would append the event of every `outlook.difference`
 * that passes by here, in this order, as `aggregate` does.
 */
export async function answerWhatIf(
  catalog: Catalog,
  terminal: Terminal,
  { flags, signal }: { flags: WhatIfFlags; signal: AbortSignal },
): Promise<void> {
  const { store } = catalog
  const format = formatOf(flags, terminal)
  const top = topOf(flags.top)
  const beforeRunning = (file: string) =>
    terminal.note(`${file} is code of yours: it is run as it is, and only its answers are checked`)
  const { method, file } = await methodNamed(flags.method ?? TWM_1.name, { beforeRunning })
  const { cut, runId } = await cutOf(catalog, flags)
  const evaluator = await openEvaluator(store, cut)
  const { rule, question } = ruleOf(evaluator.rule, { method, flags })

  await using out = flags.out === undefined ? null : await openPart(flags.out)
  if (format === 'csv') await out?.write(CSV_HEAD)
  const itemIds = await allItemIds(store)
  const tally = openTally(top)
  const progress = terminal.progress('items looked at')
  let done = 0
  try {
    const standing = runId === null ? 'at the cut' : 'public'
    for await (const outlooks of whatIf({ ...catalog.aggregator, signal }, { evaluator, rule, itemIds, standing })) {
      const lines = outlooks.flatMap((outlook) => lineOf(outlook) ?? [])
      for (const line of lines) tally.add(line)
      if (format === 'csv') await out?.write(lines.map(csvRow).join(''))
      done += outlooks.length
      progress.to(done, itemIds.length)
    }
  } finally {
    progress.done()
  }
  if (runId !== null) await refuseOtherRun(catalog, runId)

  const { largest, ...added } = tally.result()
  const answer: WhatIfAnswer = {
    as_of: cut.asOf,
    run_id: runId,
    ...question,
    method_file: file,
    ...added,
    largest: await explainedOf(store, largest, { runId, asOf: cut.asOf }),
  }
  const whole = {
    csv: () => '',
    json: () => `${JSON.stringify(answer)}\n`,
    html: () => pageOf(answer),
    table: () => textOf(answer, top),
  }
  if (out !== null) {
    await out.write(whole[format]())
    await out.keep()
  }
  terminal.answer(answer, () =>
    flags.out === undefined ? whole[format]() : `${textOf(answer, 0)}\nwritten to ${flags.out}`,
  )
  if (flags.out !== undefined || format === 'table') terminal.next('catalog explain ITEM')
}

const FORMATS = ['table', 'csv', 'json', 'html'] as const
type Format = (typeof FORMATS)[number]

/** As it is asked for, else as the file is called. */
function formatOf({ format, out }: WhatIfFlags, terminal: Terminal): Format {
  const called = FORMATS.find((known) => out !== undefined && extname(out).toLowerCase() === `.${known}`)
  const named =
    format === undefined ? (called ?? (terminal.json ? 'json' : 'table')) : FORMATS.find((known) => known === format)
  if (named === undefined) throw new Error(`--format '${format}': expected one of ${FORMATS.join(', ')}`)
  if (out === undefined && (named === 'csv' || (named === 'html' && terminal.json)))
    throw new Error(`--format ${named}: expected --out FILE, which it is written to`)
  return named
}

/** Items of each kind whose bases are kept and shown. */
const TOP_MAX = 1_000
function topOf(text: string): number {
  const top = Number(text)
  if (!/^\d+$/.test(text) || top > TOP_MAX)
    throw new Error(`--top '${text}': expected a whole number from 0 to ${TOP_MAX}`)
  return top
}

/** The facts that are looked at: those of the run that is public, or what is known at an instant. */
async function cutOf({ store }: Catalog, { asOf }: WhatIfFlags): Promise<{ cut: Cut; runId: string | null }> {
  if (asOf !== undefined) return { cut: { asOf: parseInstant(asOf, '--as-of'), positions: null }, runId: null }
  const [run] = await latestRuns(store, 1)
  if (run === undefined) {
    throw new Error('nothing is published yet: expected a run of catalog aggregate before, or --as-of')
  }
  // A part of what it publishes is public already, so its medians are of two runs.
  if (!run.finished)
    throw new Error(`run '${run.runId}' is not finished: catalog aggregate finishes it, or give --as-of`)
  return { cut: { asOf: run.asOf, positions: run.positions }, runId: run.runId }
}

async function refuseOtherRun({ store }: Catalog, runId: string): Promise<void> {
  const [run] = await latestRuns(store, 1)
  if (run?.runId === runId) return
  throw new Error(`run '${run?.runId}' began meanwhile, so prices of two runs were compared: ask again`)
}

/** The rule that is asked about, and the question in words and numbers. */
function ruleOf(
  present: Rule,
  { method, flags }: { method: Method; flags: WhatIfFlags },
): { rule: Rule; question: Pick<Question, 'method' | 'without' | 'trust'> } {
  if (flags.without === undefined && flags.trust === undefined && flags.method === undefined) {
    throw new Error('what-if: expected --without, --trust or --method; with none of them nothing would change')
  }
  const sources = new Map(present.sources)
  const named = new Set<string>()
  const find = (option: string, name: string): SourceAt => {
    const source = sourceNamed(present.sources, option, name)
    if (named.has(source.sourceId)) throw new Error(`${option} '${name}': ${source.name} is named twice`)
    named.add(source.sourceId)
    return source
  }
  const without = (flags.without ?? []).map((name) => {
    const source = find('--without', name)
    sources.set(source.sourceId, { ...source, enabled: false })
    return { source_id: source.sourceId, name: source.name }
  })
  const trust = (flags.trust ?? []).map((text) => {
    // A name may hold the sign itself.
    const [, name, score] = /^(.+)=(\d{1,3})$/s.exec(text) ?? []
    if (name === undefined || Number(score) > 100)
      throw new Error(`--trust '${text}': expected SOURCE=SCORE with a whole number from 0 to 100`)
    const source = find('--trust', name)
    sources.set(source.sourceId, { ...source, trust: Number(score) })
    return { source_id: source.sourceId, name: source.name, before: source.trust, after: Number(score) }
  })
  return {
    rule: { method, sources },
    question: { method: { before: present.method.name, after: method.name }, without, trust },
  }
}

/** Sources that an error lists. */
const NAMED_MAX = 10
function sourceNamed(sources: ReadonlyMap<string, SourceAt>, option: string, named: string): SourceAt {
  const all = [...sources.values()]
  const found = all.filter(({ sourceId, name }) => sourceId === named || fold(name) === fold(named))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  const known = (found.length > 1 ? found : all)
    .slice(0, NAMED_MAX)
    .map(({ sourceId, name }) => `${name} (${sourceId})`)
  throw new Error(
    `${option} '${named}': expected ${found.length > 1 ? 'an id, for several have that name' : 'the id or name of a source'}: ${known.join(', ') || 'there are none yet'}`,
  )
}

type Part = AsyncDisposable & Readonly<{ write: (text: string) => Promise<void>; keep: () => Promise<void> }>

/** A file that is there when it is whole, or not at all. */
async function openPart(path: string): Promise<Part> {
  const part = `${path}.part`
  const file = await open(part, 'w')
  let isKept = false
  return {
    write: async (text) => {
      await file.appendFile(text)
    },
    keep: async () => {
      await file.sync()
      await rename(part, path)
      isKept = true
    },
    async [Symbol.asyncDispose]() {
      await file.close()
      if (!isKept) await rm(part, { force: true })
    },
  }
}
