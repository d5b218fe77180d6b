import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readYamlFile, type YamlFile } from '@catalog/crawler/sources/yaml-file.ts'
import type { z } from 'zod'

/** Presets in a folder: one folder each, named by its id, with a file in YAML. */

const PRESET_FILE = 'preset.yaml'
/** Ids that an error message lists. */
const LISTED_MAX = 40

export type PresetFolder<Preset> = Readonly<{
  /** The folder of a preset. */
  folderOf: (id: string) => string
  /** Sorted. */
  ids: () => Promise<readonly string[]>
  /** All presets, by id. Throws what `parse` throws. */
  readAll: () => Promise<readonly Preset[]>
  /** One preset. Throws what `parse` throws, and for an unknown id an error that lists the known ones. */
  read: (id: string) => Promise<Preset>
}>
type Parse<Preset> = (text: string, at: Readonly<{ id: string; place: string }>) => Preset

/** `what` names a preset of this folder in messages: "preset", "index preset". */
export function presetFolder<Preset>(
  path: string,
  { what, parse }: Readonly<{ what: string; parse: Parse<Preset> }>,
): PresetFolder<Preset> {
  const folderOf = (id: string) => resolve(path, id)
  async function ids() {
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort()
  }
  const presetIn = async (id: string) =>
    parse(await readFile(resolve(folderOf(id), PRESET_FILE), 'utf8'), { id, place: `preset ${id}, ${PRESET_FILE}` })
  return {
    folderOf,
    ids,
    readAll: async () => Promise.all((await ids()).map(presetIn)),
    async read(id) {
      const known = await ids()
      if (known.includes(id)) return presetIn(id)
      const listed = known.slice(0, LISTED_MAX).join(', ')
      throw new Error(`${what} '${id}': expected one of ${listed}; catalog presets shows them`)
    },
  }
}

type Parsing<Schema extends z.ZodType> = Readonly<{
  schema: Schema
  /** The file in messages. */
  place: string
  /** Reports what the schema cannot see. */
  check: (preset: z.output<Schema>, yaml: YamlFile) => void
  /** Makes the error of a line for each problem. */
  refused: (problems: string) => Error
}>

/** The preset in a text. Throws what `refused` makes. */
export function parsedPreset<Schema extends z.ZodType>(
  text: string,
  { schema, place, check, refused }: Parsing<Schema>,
): z.output<Schema> {
  const yaml = readYamlFile(text)
  const preset = yaml.problems().length === 0 ? yaml.check(schema, []) : undefined
  if (preset !== undefined) check(preset, yaml)
  const problems = yaml.problems()
  if (preset !== undefined && problems.length === 0) return preset
  throw refused(problems.map(({ line, message }) => `${place} line ${line}, ${message}`).join('\n'))
}
