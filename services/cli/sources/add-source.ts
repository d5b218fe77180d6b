import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { movesLines, sourcePreviewText } from '@catalog/cli/crawl/preview-text.ts'
import { openSourceCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { isSourceRegion } from '@catalog/core/median/regions.ts'
import type { SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import { documentName } from '@catalog/crawler/fetch/document-name.ts'
import { BadSourcesFile, type SourceDraft, type SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { sourcesPathOf } from '@catalog/crawler/sources/sources-reader.ts'
import { regionOf as codeOfRegion } from '@catalog/formats/mapping/record-source.ts'
import { readWith, sourcesText } from '@catalog/operations/sources/write-source.ts'
import { movesIfAny } from '@catalog/operations/what-if/records.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { candidatesJson, candidatesText, isHelpable, refusalOf } from './candidate-table.ts'
import type { DetectedSource } from './detect-source.ts'
import { type Candidate, discover, wouldRecord } from './discovery.ts'
import { offerSource } from './offer-source.ts'
import { type Answers, NONE, type Prompt, promptForOne, promptUntilValid } from './questions.ts'
import { mappingSkeleton, previewJson, unknownColumns } from './source-preview.ts'
import { cachingFetcher, sampleSource } from './source-sample.ts'

type Adding = Readonly<{
  url: string
  flags: Answers & Readonly<{ yes?: boolean }>
  /** Null if nobody can answer questions. */
  prompt: Prompt | null
}>

/**
 * Tries the ways to read what stands at an address, shows what each would give, asks for the missing settings, and writes
 * the source into the sources file, which it creates if missing. Without `prompt` it takes the first way that would record
 * something, and writes only with `yes`. Returns false if it should have written and did not, and for a source of which
 * nothing would be recorded. Throws BadSourcesFile, and an error with the fetcher's sentence.
 */
export async function addToSources(context: Context, { url, flags, prompt }: Adding): Promise<boolean> {
  const { catalog, env, terminal, signal } = context
  const { yes = false, ...given } = flags
  const initial: Answers = { source: nameOf(url), region: regionOf(url), kind: 'shop', ...given }
  const before = await sourcesText(env)
  const { file } = readWith(before, draftOf(initial, { point: { entryPoint: url }, env }), env)
  const opened = openSourceCrawler(context, file)
  await mkdir(catalog.spoolDir, { recursive: true })
  await using folder = await mkdtempDisposable(join(catalog.spoolDir, 'add-'))
  const deps = { ...opened, fetcher: cachingFetcher(opened.fetcher, folder.path) }
  const specOf = (answers: Answers, point: DetectedSource) =>
    readWith(before, draftOf(answers, { point, env }), env).spec
  const sample = (answers: Answers, detected: DetectedSource) => sampleSource(specOf(answers, detected), detected, deps)
  const candidates = await discover(url, {
    ...deps,
    folder: folder.path,
    isSite: given.include !== undefined,
    currency: given.currency,
    signal,
    sample: (detected) => sample(withDetected(initial, detected), detected),
  })
  terminal.note(candidatesText(candidates))
  const chosen = await chooseAmong(candidates, prompt)
  if (chosen === null) return refuse(context, { candidates, chosen })
  const { detected } = chosen.found
  terminal.note(`${documentName(chosen.address)} is ${detected.description}`)
  if (given.include !== undefined && !detected.hasPages) {
    const is = `${documentName(url)} is ${detected.description}`
    throw new Error(`--include: expected with a sitemap or a page with links, and ${is}`)
  }
  const { answers, tried } = await settle(chosen, { given, initial, prompt, note: terminal.note, specOf, sample })
  const settled = { ...chosen, found: { detected, sample: tried } }
  const all = candidates.map((one) => (one === chosen ? settled : one))
  if (!wouldRecord(settled)) return refuse(context, { candidates: all, chosen: settled })
  const moves = await movesIfAny(catalog, tried.preview)
  terminal.note(movesLines(moves).join('\n'))
  const draft = draftOf(answers, { point: detected, env })
  const { said, ...offered } = await offerSource(env, draft, { prompt, yes, isUsable: true })
  const { id, name } = specOf(answers, detected)
  const added = { source_id: id, name, found: detected.description, ...offered }
  terminal.answer({ ...added, candidates: candidatesJson(all, settled), ...previewJson(tried, moves) }, () => said)
  if (offered.written) terminal.next(`catalog crawl --source ${id}`)
  return offered.written || !yes
}

/** The candidate to add: the preferred one, or the one that a person picks. Null where none can give a record. */
async function chooseAmong(candidates: readonly Candidate[], prompt: Prompt | null): Promise<Chosen | null> {
  const usable = candidates.filter((one): one is Chosen => one.found !== null)
  const recorded = usable.filter(wouldRecord)
  if (prompt === null) return recorded[0] ?? usable.find(isHelpable) ?? usable[0] ?? null
  const offered = recorded.length > 0 ? recorded : usable.filter(isHelpable)
  if (offered.length < 2) return offered[0] ?? null
  const choices = new Map(offered.map((one) => [String(candidates.indexOf(one) + 1), one]))
  return promptForOne(prompt, { question: 'line of the table to add', choices })
}

/** Says why nothing is added, and what may help. Returns false, the result of the command. */
function refuse(
  { env, terminal }: Context,
  { candidates, chosen }: Readonly<{ candidates: readonly Candidate[]; chosen: Chosen | null }>,
): false {
  const { lines, next } = refusalOf(candidates)
  const value = { written: false, refused: lines, next, path: env.CATALOG_SOURCES, block: null }
  const sample = chosen?.found.sample ?? { documents: [], problems: [], preview: null }
  terminal.answer({ ...value, candidates: candidatesJson(candidates, null), ...previewJson(sample) }, () =>
    lines.join('\n'),
  )
  terminal.next(next)
  return false
}

type Chosen = Candidate & Readonly<{ found: NonNullable<Candidate['found']> }>
type Trial = Readonly<{
  /** Settings of the command line, for which there is no question. */
  given: Answers
  initial: Answers
  prompt: Prompt | null
  note: (line: string) => void
  /** Throws BadSourcesFile for invalid answers. */
  specOf: (answers: Answers, detected: DetectedSource) => SourceSpec
  sample: (answers: Answers, detected: DetectedSource) => Promise<SourcePreview>
}>

/** Shows the sample of a candidate, and asks for the missing settings where a person can answer. */
async function settle(
  { found: { detected, sample: first } }: Chosen,
  { given, initial, prompt, note, specOf, sample }: Trial,
): Promise<{ answers: Answers; tried: SourcePreview }> {
  const show = (tried: SourcePreview) => {
    note(`\n${sourcePreviewText(tried)}\n`)
    const unknown = unknownColumns(tried)
    if (unknown !== null) note(`A mapping file says which column is what:\n\n${mappingSkeleton(unknown)}\n`)
    return tried
  }
  const answers = withDetected(initial, detected)
  const tried = show(first)
  if (prompt === null) return { answers: withSchedule(answers), tried }
  const problemOf = (answers: Answers) => answerProblem(() => specOf(answers, detected))
  const tryOut = async (answers: Answers) => show(await sample(answers, detected))
  return promptAll(answers, { given, detected, tried, tryOut, prompt, note, problemOf })
}

/** What was detected, where the operator said nothing else. */
const withDetected = (answers: Answers, { include, currency }: DetectedSource): Answers => ({
  include,
  ...(currency !== undefined && { currency }),
  ...answers,
})

type Trying = Readonly<{
  given: Answers
  detected: DetectedSource
  tried: SourcePreview
  tryOut: (answers: Answers) => Promise<SourcePreview>
  prompt: Prompt
  note: (line: string) => void
  problemOf: (answers: Answers) => string | null
}>

/** Asks for each missing setting, and previews again if an answer changes the records. */
async function promptAll(
  answers: Answers,
  { given, detected, tried, tryOut, ...promptOptions }: Trying,
): Promise<{ answers: Answers; tried: SourcePreview }> {
  promptOptions.note(`Enter keeps the value in brackets, ${NONE} clears it.`)
  let now = answers
  const promptFor = async (...keys: readonly (keyof Answers)[]) => {
    for (const key of keys) if (given[key] === undefined) now = await promptUntilValid(key, now, promptOptions)
  }
  await promptFor('source', 'region', 'kind', 'trust', 'validityDays')
  now = withSchedule(now)
  await promptFor('schedule', 'currency', 'lang')
  if (detected.hasPages) await promptFor('include')
  let last = tried
  if (decidesRecords(now) !== decidesRecords(answers)) last = await tryOut(now)
  for (let tries = 0; unknownColumns(last) !== null && tries < MAPPINGS_MAX; tries++) {
    now = await promptUntilValid('mapping', now, promptOptions)
    if (now.mapping === undefined) break
    last = await tryOut(now)
  }
  return { answers: now, tried: last }
}

/** A person edits the mapping file beside the questions, so allow many attempts. */
const MAPPINGS_MAX = 50

const decidesRecords = ({ currency, lang, include, region }: Answers) =>
  JSON.stringify([currency, lang, include, region])

/** The problem with an answer; without the position, because the file does not have the source yet. */
function answerProblem(read: () => unknown): string | null {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof BadSourcesFile) return error.message.replaceAll(/^.*? line \d+, (sources\[\d+\]\.?)?/gm, '')
    throw error
  }
}

function nameOf(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) throw new Error(`'${url}': expected an address such as https://shop.example/prices.csv`)
  return parsed.hostname.replace(/^www\./, '')
}

/** The country of a national domain; some of these are sold worldwide. */
function regionOf(url: string): string | undefined {
  const end = /\.([a-z]{2})$/.exec(URL.parse(url)?.hostname ?? '')?.[1]
  if (end === undefined || WORLDWIDE.has(end)) return undefined
  const region = codeOfRegion(end)
  return isSourceRegion(region) ? region : undefined
}
const WORLDWIDE: ReadonlySet<string> = new Set(['ai', 'cc', 'co', 'fm', 'gg', 'io', 'ly', 'me', 'sh', 'to', 'tv', 'ws'])

/** Hours of the night, UTC, that spread the crawls of all sources. */
const NIGHT = { fromHour: 1, hours: 4 }

/** Adds the default schedule: daily, at a minute of the night that follows from the source id. */
function withSchedule(answers: Answers): Answers {
  const { source = '', region = null } = answers
  const digest = sha256Hex(sourceIdOf({ name: source, region }))
  const minute = Number.parseInt(digest.slice(0, 8), 16) % (NIGHT.hours * 60)
  return { schedule: `${minute % 60} ${NIGHT.fromHour + Math.floor(minute / 60)} * * *`, ...answers }
}

/** The source as the file has it; parsing the file reports its mistakes. */
function draftOf(
  answers: Answers,
  { point, env }: { point: Pick<DetectedSource, 'entryPoint' | 'variations'>; env: Environment },
): SourceDraft {
  const { entryPoint, variations } = point
  const {
    source,
    region,
    kind,
    trust,
    validity,
    validityDays,
    schedule,
    currency,
    lang,
    mapping,
    include = [],
  } = answers
  const draft: Readonly<Record<string, unknown>> = {
    source,
    region,
    kind,
    trust: numberOf(trust),
    validity,
    validity_days: numberOf(validityDays),
    schedule,
    currency,
    lang,
    entry_points: [
      typeof entryPoint === 'string' || include.length === 0 ? entryPoint : { ...entryPoint, include },
      ...(variations === undefined ? [] : [variations]),
    ],
    mapping: mapping && relative(dirname(sourcesPathOf(env)), resolve(mapping)),
  }
  const said = Object.entries(draft).filter(([, value]) => value !== undefined && value !== NONE)
  return Object.fromEntries(said) as SourceDraft
}

const numberOf = (text: string | undefined) => (text === undefined || text === NONE ? undefined : Number(text))
