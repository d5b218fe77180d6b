import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtempDisposable,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { openSourceCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { isSourceRegion } from '@catalog/core/median/regions.ts'
import { previewSource, type SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { isIncluded } from '@catalog/crawler/discover/gather-pages.ts'
import { documentName } from '@catalog/crawler/fetch/document-name.ts'
import type { Fetched, Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import { addSource, BadSourcesFile, type SourceDraft, type SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { parseSourcesOf, sourcesPathOf } from '@catalog/crawler/sources/sources-reader.ts'
import { regionOf as codeOfRegion } from '@catalog/formats/mapping/record-source.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { type DetectedSource, detectSource } from './detect-source.ts'
import { type Answers, confirm, NONE, type Prompt, promptUntilValid } from './questions.ts'
import { mappingSkeleton, previewJson, previewText, RECORDS_SHOWN, unknownColumns } from './source-preview.ts'

type Adding = Readonly<{
  url: string
  flags: Answers & Readonly<{ yes?: boolean }>
  /** Null if nobody can answer questions. */
  prompt: Prompt | null
}>

/**
 * Inspects an address, shows what a crawl would record of it, asks for the missing settings, and writes the source into
 * the sources file, which it creates if missing. Without `prompt` it writes only with `yes`. Returns false if it should
 * have written and did not. Throws BadSourcesFile, and an error with the fetcher's sentence.
 */
export async function addToSources(context: Context, { url, flags, prompt }: Adding): Promise<boolean> {
  const { catalog, env, terminal, signal } = context
  const { yes = false, ...given } = flags
  let answers: Answers = { source: nameOf(url), region: regionOf(url), kind: 'shop', ...given }
  const before = await textOf(sourcesPathOf(env))
  const { file } = readWith(before, draftOf(answers, { entryPoint: url, env }), env)
  const opened = openSourceCrawler(context, file)
  await mkdir(catalog.spoolDir, { recursive: true })
  await using folder = await mkdtempDisposable(join(catalog.spoolDir, 'add-'))
  const deps = { ...opened, fetcher: cachingFetcher(opened.fetcher, folder.path) }
  const isSite = given.include !== undefined
  const detected = await detectSource(url, { ...deps, folder: folder.path, isSite, signal })
  if (given.include !== undefined && !detected.hasPages) {
    throw new Error(
      `--include: expected with a sitemap or a page with links, and ${documentName(url)} is ${detected.description}`,
    )
  }
  terminal.note(`${documentName(url)} is ${detected.description}`)
  answers = { include: detected.include, ...answers }
  const drafted = (answers: Answers) => draftOf(answers, { entryPoint: detected.entryPoint, env })
  const read = (answers: Answers) => readWith(before, drafted(answers), env)
  const tryOut = async (answers: Answers) => {
    const tried = await previewSource(sampleOf(read(answers).spec, detected), deps, { count: RECORDS_SHOWN })
    terminal.note(`\n${previewText(tried)}\n`)
    const unknown = unknownColumns(tried)
    if (unknown !== null) terminal.note(`A mapping file says which column is what:\n\n${mappingSkeleton(unknown)}\n`)
    return tried
  }

  let tried = await tryOut(answers)
  if (prompt !== null) {
    const problemOf = (answers: Answers) => answerProblem(() => read(answers))
    const asked = await promptAll(answers, { given, detected, tried, tryOut, prompt, note: terminal.note, problemOf })
    answers = asked.answers
    tried = asked.tried
  } else answers = withSchedule(answers)
  const block = addSource('', drafted(answers)).replace(/^sources:\n/, '')
  const isReadable = (tried.preview?.observations.length ?? 0) > 0
  const isBlind = unknownColumns(tried) !== null
  if (yes && isBlind) terminal.note('no record of it is readable: expected --mapping FILE')
  const question = `\n${block}\nAdd this to ${env.CATALOG_SOURCES}?`
  const isWanted = prompt === null ? yes && !isBlind : await confirm(prompt, { question, byDefault: isReadable })
  if (isWanted) await write(env, drafted(answers))
  const { id, name } = read(answers).spec
  const value = {
    source_id: id,
    name,
    found: detected.description,
    written: isWanted,
    path: env.CATALOG_SOURCES,
    block,
  }
  terminal.answer({ ...value, ...previewJson(tried) }, () => {
    const what = isWanted ? 'added to' : prompt === null ? 'to be added with --yes to' : 'not added to'
    return `${what} ${env.CATALOG_SOURCES}:\n\n${block}`
  })
  if (isWanted) terminal.next(`catalog crawl --source ${id}`)
  return isWanted || !yes
}

type Trying = Readonly<{
  /** Settings of the command line, for which there is no question. */
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

/** The text of the file with the source added, and both parsed. Throws BadSourcesFile. */
function readWith(before: string, draft: SourceDraft, env: Environment) {
  const text = addSource(before, draft)
  const file = parseSourcesOf(env, text)
  return { text, file, spec: file.sources.at(-1) as SourceSpec }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Adds to the present file: somebody may have edited it during the questions. */
async function write(env: Environment, draft: SourceDraft): Promise<void> {
  const path = sourcesPathOf(env)
  const at = await realpath(path).catch(() => path)
  const part = `${at}.part`
  try {
    await writeFile(part, '', { flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw new Error(`${part}: expected no such file; somebody else writes, or was stopped while writing`, { cause })
  }
  try {
    // Read under the lock of the .part file, so that no other write is lost.
    const { text } = readWith(await textOf(path), draft, env)
    await writeFile(part, text)
    const before = await stat(at).catch(() => null)
    if (before !== null) await chmod(part, before.mode)
    await rename(part, at)
  } catch (error) {
    await rm(part, { force: true })
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
  { entryPoint, env }: { entryPoint: SourceDraft['entry_points'][number]; env: Environment },
): SourceDraft {
  const { source, region, kind, trust, validityDays, schedule, currency, lang, mapping, include = [] } = answers
  const draft: Readonly<Record<string, unknown>> = {
    source,
    region,
    kind,
    trust: numberOf(trust),
    validity_days: numberOf(validityDays),
    schedule,
    currency,
    lang,
    entry_points: [typeof entryPoint === 'string' || include.length === 0 ? entryPoint : { ...entryPoint, include }],
    mapping: mapping && relative(dirname(sourcesPathOf(env)), resolve(mapping)),
  }
  const said = Object.entries(draft).filter(([, value]) => value !== undefined && value !== NONE)
  return Object.fromEntries(said) as SourceDraft
}

const numberOf = (text: string | undefined) => (text === undefined || text === NONE ? undefined : Number(text))

/** Samples a site or sitemap by its first matching pages, since a crawl reaches them late. */
function sampleOf(spec: SourceSpec, { pages }: DetectedSource): SourceSpec {
  const [point] = spec.entryPoints
  if (point?.kind !== 'sitemap' && point?.kind !== 'site') return spec
  const chosen = pages.filter((page) => isIncluded(point, new URL(page))).slice(0, RECORDS_SHOWN)
  if (chosen.length === 0) return spec
  return { ...spec, entryPoints: chosen.map((url) => ({ kind: 'document', url, format: 'html' })) }
}

/** Caches fetched documents: a feed of a gigabyte is inspected several times. */
function cachingFetcher(fetcher: Fetcher, folder: string): SourceCrawlDeps['fetcher'] {
  const known = new Map<string, { file: string; found: Fetched }>()
  let files = 0
  return {
    ...fetcher,
    async get(url, promptOptions) {
      const one = known.get(url)
      if (one !== undefined) {
        await copyFile(one.file, promptOptions.into, constants.COPYFILE_FICLONE)
        return one.found
      }
      const found = await fetcher.get(url, promptOptions)
      if (found.status !== 'fetched') return found
      const file = join(folder, `fetched-${++files}`)
      await copyFile(promptOptions.into, file, constants.COPYFILE_FICLONE)
      known.set(url, { file, found })
      return found
    },
  }
}
