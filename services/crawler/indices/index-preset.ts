import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SourceLicence } from '@catalog/crawler/sources/sources-schema.ts'
import { readYamlFile } from '@catalog/crawler/sources/yaml-file.ts'
import { IndexMapping, IndexSeriesList } from '@catalog/formats/indices/index-mapping.ts'
import { stringify } from 'yaml'
import { z } from 'zod'

/** Presets of official price indices. They are no sources: nothing of them is crawled, and nothing of them is a price. */

const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max, { error: `expected at most ${max} characters` })
const ID = 'expected at most 60 small letters, digits and -'
const Id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, { error: ID })
const FileName = z.string().regex(/^[\w.-]{1,100}$/)

/** The files of one publisher: who it is, on which terms, which series are taken, and how its files are read. */
export const IndexPreset = z.strictObject({
  preset: z.literal(1, { error: 'expected 1, the version of this format' }),
  id: Id,
  title: text(200),
  publisher: text(200),
  website: z.url({ protocol: /^https?$/ }).max(2_000),
  /** What the indices measure, and what a reader should know of them. */
  about: text(2_000),
  licence: SourceLicence,
  file: z.strictObject({ obtain: text(1_000) }),
  index: z.strictObject({
    /** The publisher's id in the catalog; presets of one publisher share it, because it has one licence. */
    publisher_id: Id,
    region: z
      .string()
      .regex(/^(?:[A-Z]{2}(?:-[A-Z0-9]{1,3})?|LATAM)$/, {
        error: 'expected a country, a subdivision of one, EU or LATAM',
      })
      .optional(),
    read: IndexMapping,
    series: IndexSeriesList,
  }),
  test: z
    .strictObject({
      /** A file beside this one, in the layout of the publisher, written by us with invented values. */
      sample: FileName,
      /** A file beside this one: a line of JSON for each point, in order. */
      expected: FileName,
    })
    .optional(),
})
export type IndexPreset = Readonly<z.infer<typeof IndexPreset>>

class BadIndexPreset extends Error {
  override name = 'BadIndexPreset'
}

const FOLDER = resolve(import.meta.dirname, 'lists')
/** The folder of an index preset. */
export const indexFolderOf = (id: string): string => resolve(FOLDER, id)

/** Parses the text of a preset. `place` names it in messages. Throws an error with a line for each problem. */
export function parseIndexPreset(text: string, place: string): IndexPreset {
  const yaml = readYamlFile(text)
  const preset = yaml.problems().length === 0 ? yaml.check(IndexPreset, []) : undefined
  if (preset !== undefined) {
    const { read, series } = preset.index
    if (read.value === undefined && series.some(({ value }) => value === undefined))
      yaml.report(['index', 'read', 'value'], 'expected the column of the values, here or in each series')
    if (
      read.series === undefined &&
      series.length > 1 &&
      new Set(series.map(({ value }) => value)).size < series.length
    )
      yaml.report(['index', 'read', 'series'], 'expected the column of the series, or a column of values for each')
  }
  const problems = yaml.problems()
  if (preset !== undefined && problems.length === 0) return preset
  throw new BadIndexPreset(problems.map(({ line, message }) => `${place} line ${line}, ${message}`).join('\n'))
}

export async function indexPresetIds(): Promise<readonly string[]> {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

/** All index presets, by id. */
export async function readIndexPresets(): Promise<readonly IndexPreset[]> {
  return Promise.all((await indexPresetIds()).map(presetIn))
}

/** One index preset. Throws an error that lists the known ones for an unknown id. */
export async function readIndexPreset(id: string): Promise<IndexPreset> {
  const ids = await indexPresetIds()
  if (ids.includes(id)) return presetIn(id)
  throw new Error(`index preset '${id}': expected one of ${ids.join(', ')}; catalog presets shows them`)
}

const presetIn = async (id: string): Promise<IndexPreset> =>
  parseIndexPreset(await readFile(resolve(indexFolderOf(id), 'preset.yaml'), 'utf8'), `preset ${id}, preset.yaml`)

/** The part of a preset in YAML that says how its files are read, and which series are taken. */
export const indexText = ({ index }: IndexPreset): string => stringify(index, { lineWidth: 0 })
