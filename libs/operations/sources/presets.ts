import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { type IndexPreset, readIndexPresets } from '@catalog/crawler/indices/index-preset.ts'
import type { Preset } from '@catalog/crawler/presets/preset-schema.ts'
import { type Said, sourceOfPreset } from '@catalog/crawler/presets/preset-source.ts'
import { readPreset, readPresets } from '@catalog/crawler/presets/presets.ts'
import type { SourceDraft, SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { sourcesPathOf, sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { readWith, sourcesText, writeSource } from './write-source.ts'

/** Public price lists and indices that others have described. */

export type PresetAsked = Readonly<{
  id: string
  said: Said
  /** The file that the person fetched, from the working folder. */
  file: string | undefined
}>

/** The presets of one country or region, or all. Throws an error that lists the countries where there is none. */
export async function presetsIn(
  region: string | undefined,
): Promise<Readonly<{ presets: readonly Preset[]; indices: readonly IndexPreset[] }>> {
  const [presets, indices] = [await readPresets(), await readIndexPresets()]
  if (region === undefined) return { presets, indices }
  const wanted = region.toUpperCase()
  const isIn = (own: string | null | undefined) => own === wanted || own?.split('-')[0] === wanted
  const found = {
    presets: presets.filter(({ source }) => isIn(regionText(source.region))),
    indices: indices.filter(({ index }) => [index.region, ...index.series.map((one) => one.region)].some(isIn)),
  }
  if (found.presets.length + found.indices.length > 0) return found
  const all = [...presets.map(({ source }) => regionText(source.region)), ...indices.map(({ index }) => index.region)]
  const countries = [...new Set(all.map((one) => one?.split('-')[0] ?? ''))].filter((country) => country !== '')
  throw new Error(
    `--region '${region}': no preset; expected one of ${countries.sort().join(', ')}, or a subdivision of one`,
  )
}

/** The region of a preset, in which a parameter may stand, such as a state of a country. */
export const regionText = (region: unknown) => (typeof region === 'string' ? region.replace(/\{(\w+)\}/g, '*') : '')

/** The source of a preset as it would be added to the sources file. Throws an error with the next command where that has it already. */
export async function draftPreset(env: Environment, preset: Preset, asked: Omit<PresetAsked, 'id'>) {
  const draft = draftOf(env, preset, asked)
  const { id } = readWith('', draft, env).spec
  if ((await presentSource(env, id)) !== undefined)
    throw new Error(
      `${env.CATALOG_SOURCES} has ${id} already: put the next file in the place of its file, then catalog crawl --source ${id}; ` +
        'or delete its entry there, and add it anew',
    )
  return { draft, ...readWith(await sourcesText(env), draft, env) }
}

/**
 * The source of a preset: that of its id in the sources file, which gets it if it has none. A source that stands there keeps what a
 * person wrote.
 */
export async function ensurePreset(
  env: Environment,
  asked: PresetAsked,
): Promise<Readonly<{ preset: Preset; spec: SourceSpec; isAdded: boolean }>> {
  const preset = await readPreset(asked.id)
  const draft = draftOf(env, preset, asked)
  const { spec } = readWith('', draft, env)
  const present = await presentSource(env, spec.id)
  if (present === undefined) await writeSource(env, draft)
  return { preset, spec: present ?? spec, isAdded: present === undefined }
}

const presentSource = async (env: Environment, id: string): Promise<SourceSpec | undefined> =>
  (await sourcesReader(env)())?.sources.find((source) => source.id === id)

/** The source of a preset, with the person's file by its path beside the sources file. */
function draftOf(env: Environment, preset: Preset, { said, file }: Omit<PresetAsked, 'id'>): SourceDraft {
  if (file !== undefined && !existsSync(file)) throw new Error(`--file '${file}': expected a file that can be read`)
  return sourceOfPreset(preset, { said, file: file && relative(dirname(sourcesPathOf(env)), resolve(file)) })
}
