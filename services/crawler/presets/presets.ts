import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readYamlFile } from '@catalog/crawler/sources/yaml-file.ts'
import { Preset } from './preset-schema.ts'

/** The presets that come with the catalog: one folder each, named by its id. */
const PRESETS_FOLDER = resolve(import.meta.dirname, 'lists')
const PRESET_FILE = 'preset.yaml'
/** Ids that an error message lists. */
const LISTED_MAX = 40

/** The folder of a preset. */
export const folderOf = (id: string): string => resolve(PRESETS_FOLDER, id)

/** All presets, by id. Throws BadPreset. */
export async function readPresets(): Promise<readonly Preset[]> {
  return Promise.all((await presetIds()).map(presetIn))
}

/** One preset. Throws BadPreset, and for an unknown id an error that lists the known ones. */
export async function readPreset(id: string): Promise<Preset> {
  const ids = await presetIds()
  if (ids.includes(id)) return presetIn(id)
  const listed = ids.slice(0, LISTED_MAX).join(', ')
  throw new Error(`preset '${id}': expected one of ${listed}; catalog presets shows them`)
}

class BadPreset extends Error {
  override name = 'BadPreset'
}

/** Parses the text of a preset. `place` names it in messages. Throws BadPreset with a line for every problem. */
export function parsePreset(text: string, { id, place }: Readonly<{ id: string; place: string }>): Preset {
  const yaml = readYamlFile(text)
  const preset = yaml.problems().length === 0 ? yaml.check(Preset, []) : undefined
  if (preset !== undefined) {
    if (preset.id !== id) yaml.report(['id'], `expected ${id}, the name of its folder`)
    const hasAddress = preset.source.entry_points !== undefined
    if (hasAddress === (preset.file !== undefined))
      yaml.report(['source'], 'expected either entry_points here, or file: { obtain: TEXT } beside it')
  }
  const problems = yaml.problems()
  if (preset !== undefined && problems.length === 0) return preset
  throw new BadPreset(problems.map(({ line, message }) => `${place} line ${line}, ${message}`).join('\n'))
}

async function presetIds(): Promise<readonly string[]> {
  const entries = await readdir(PRESETS_FOLDER, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

async function presetIn(id: string): Promise<Preset> {
  return parsePreset(await readFile(resolve(folderOf(id), PRESET_FILE), 'utf8'), {
    id,
    place: `preset ${id}, ${PRESET_FILE}`,
  })
}
