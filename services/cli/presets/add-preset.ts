import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { totalsOf } from '@catalog/cli/crawl/preview-json.ts'
import { sourcePreviewText } from '@catalog/cli/crawl/preview-text.ts'
import { openSourceCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { confirm, type Prompt, promptForOne } from '@catalog/cli/sources/questions.ts'
import { previewJson, RECORDS_SHOWN } from '@catalog/cli/sources/source-preview.ts'
import { readWith, sourcesText, writeSource } from '@catalog/cli/sources/write-source.ts'
import { previewSource, type SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { Preset } from '@catalog/crawler/presets/preset-schema.ts'
import { openParameters, type Said, sourceOfPreset, valuesOf } from '@catalog/crawler/presets/preset-source.ts'
import { readPreset } from '@catalog/crawler/presets/presets.ts'
import { addSource, type SourceDraft, type SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { sourcesPathOf, sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import { movesIfAny } from '@catalog/operations/what-if/records.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { chosenLines, presetLines } from './preset-text.ts'

export type PresetAsked = Readonly<{
  id: string
  said: Said
  /** The file that the person fetched, from the working folder. */
  file: string | undefined
}>
type Adding = PresetAsked &
  Readonly<{ yes: boolean /** Null if nobody can answer questions. */; prompt: Prompt | null }>

/**
 * Shows a preset with its licence, asks for open parameters, shows what a crawl would record, and writes the source into the sources
 * file. Without `prompt` it writes only with `yes`. Returns false for a source of which nothing would be recorded.
 */
export async function addPreset(context: Context, { id, said, file, yes, prompt }: Adding): Promise<boolean> {
  const { catalog, env, terminal } = context
  const preset = await readPreset(id)
  if (prompt !== null) terminal.note(`${presetLines(preset).join('\n')}\n`)
  const answered = await answersFor(preset, { said, prompt })
  const draft = draftOf(env, preset, { said: answered, file })
  await refusePresent(env, readWith('', draft, env).spec)
  const { spec, file: sources } = readWith(await sourcesText(env), draft, env)
  terminal.note(`${chosenLines(preset, spec).join('\n')}\n`)
  const deps = openSourceCrawler(context, sources)
  const tried = await previewSource(spec, deps, { count: RECORDS_SHOWN })
  const moves = await movesIfAny(catalog, tried.preview)
  terminal.note(`${[sourcePreviewText(tried, moves), ...heldLines(spec, tried)].join('\n')}\n`)
  const isUsable = totalsOf(tried.preview).recorded > 0
  const block = addSource('', draft).replace(/^sources:\n/, '')
  const path = env.CATALOG_SOURCES
  const isWanted =
    isUsable &&
    (prompt === null ? yes : await confirm(prompt, { question: `\n${block}\nAdd this to ${path}?`, byDefault: true }))
  if (isWanted) await writeSource(env, draft)
  const value = {
    source_id: spec.id,
    name: spec.name,
    preset: id,
    written: isWanted,
    path,
    block,
    ...previewJson(tried, moves),
  }
  terminal.answer(value, () => {
    if (!isUsable) return `${path}: not changed, since nothing would be recorded`
    const what = isWanted ? 'added to' : prompt === null ? 'to be added with --yes to' : 'not added to'
    return `${what} ${path}:\n\n${block}`
  })
  if (isWanted) terminal.next(`catalog crawl --source ${spec.id}`)
  return isUsable && (isWanted || !yes)
}

/**
 * The source of a preset: that of its id in the sources file, which gets it if it has none. A source that stands there keeps what a
 * person wrote.
 */
export async function ensurePreset(context: Context, asked: PresetAsked): Promise<SourceSpec> {
  const { env, terminal } = context
  const preset = await readPreset(asked.id)
  const draft = draftOf(env, preset, asked)
  const { spec } = readWith('', draft, env)
  const { id } = spec
  terminal.note(`${chosenLines(preset, spec).join('\n')}\n`)
  const present = await presentSource(env, id)
  if (present !== undefined) {
    terminal.note(`${env.CATALOG_SOURCES} has ${id} already, and stays as it is`)
    return present
  }
  await writeSource(env, draft)
  terminal.note(`added ${id} to ${env.CATALOG_SOURCES}`)
  return spec
}

/** Throws an error with the next command where the sources file has this source already. */
async function refusePresent(env: Environment, { id }: SourceSpec): Promise<void> {
  if ((await presentSource(env, id)) === undefined) return
  throw new Error(
    `${env.CATALOG_SOURCES} has ${id} already: put the next file in the place of its file, then catalog crawl --source ${id}; ` +
      'or delete its entry there, and add it anew',
  )
}

const presentSource = async (env: Environment, id: string): Promise<SourceSpec | undefined> =>
  (await sourcesReader(env)())?.sources.find((source) => source.id === id)

/** That a crawl of these records would be held, where their number is known and below the least of the source. */
function heldLines({ id, health: { recordsMin = 0 } }: SourceSpec, { preview }: SourcePreview): readonly string[] {
  const { recorded } = totalsOf(preview)
  if (preview?.figures.isWhole !== true || recorded === 0 || recorded >= recordsMin) return []
  return [
    '',
    `A crawl would be held: ${recorded} records, expected at least ${recordsMin} (health.records_min); catalog sources accept ${id} records them nevertheless.`,
  ]
}

/** What a person said of the parameters, and answers on those that are open; without anybody to ask, what was said. */
async function answersFor(preset: Preset, { said, prompt }: Pick<Adding, 'said' | 'prompt'>): Promise<Said> {
  let answered = said
  if (prompt === null) return answered
  for (const name of openParameters(preset, said)) {
    const choices = new Map(valuesOf(preset, name).map((value) => [value, value]))
    answered = { ...answered, [name]: await promptForOne(prompt, { question: name, choices }) }
  }
  return answered
}

/** The source of a preset, with the person's file by its path beside the sources file. */
function draftOf(env: Environment, preset: Preset, { said, file }: Omit<PresetAsked, 'id'>): SourceDraft {
  if (file !== undefined && !existsSync(file)) throw new Error(`--file '${file}': expected a file that can be read`)
  return sourceOfPreset(preset, { said, file: file && relative(dirname(sourcesPathOf(env)), resolve(file)) })
}

/** `state=SP` → { state: 'SP' }. Throws an error that shows the form. */
export function saidOf(pairs: readonly string[]): Said {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(pair) ?? []
      if (name === undefined || value === undefined) throw new Error(`--param '${pair}': expected NAME=VALUE`)
      return [name, value]
    }),
  )
}
