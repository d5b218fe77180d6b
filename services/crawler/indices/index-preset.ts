import { resolve } from 'node:path'
import { parsedPreset, presetFolder } from '@catalog/crawler/presets/preset-folder.ts'
import { BesideFile, ObtainedFile, PRESET_HEAD, PresetId } from '@catalog/crawler/presets/preset-schema.ts'
import { IndexMapping, IndexSeriesList } from '@catalog/formats/indices/index-mapping.ts'
import { stringify } from 'yaml'
import { z } from 'zod'

/** Presets of official price indices. They are no sources: nothing of them is crawled, and nothing of them is a price. */

/** The files of one publisher: who it is, on which terms, which series are taken, and how its files are read. */
export const IndexPreset = z.strictObject({
  ...PRESET_HEAD,
  file: ObtainedFile,
  index: z.strictObject({
    /** The publisher's id in the catalog; presets of one publisher share it, because it has one licence. */
    publisher_id: PresetId,
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
      sample: BesideFile,
      /** A file beside this one: a line of JSON for each point, in order. */
      expected: BesideFile,
    })
    .optional(),
})
export type IndexPreset = Readonly<z.infer<typeof IndexPreset>>

class BadIndexPreset extends Error {
  override name = 'BadIndexPreset'
}

/** Parses the text of a preset. `place` names it in messages. Throws BadIndexPreset with a line for each problem. */
export const parseIndexPreset = (text: string, place: string): IndexPreset =>
  parsedPreset(text, {
    schema: IndexPreset,
    place,
    check({ index: { read, series } }, yaml) {
      if (read.value === undefined && series.some(({ value }) => value === undefined))
        yaml.report(['index', 'read', 'value'], 'expected the column of the values, here or in each series')
      if (
        read.series === undefined &&
        series.length > 1 &&
        new Set(series.map(({ value }) => value)).size < series.length
      )
        yaml.report(['index', 'read', 'series'], 'expected the column of the series, or a column of values for each')
    },
    refused: (problems) => new BadIndexPreset(problems),
  })

/** The index presets that come with the catalog. Reading one throws BadIndexPreset. */
export const {
  folderOf: indexFolderOf,
  ids: indexPresetIds,
  readAll: readIndexPresets,
  read: readIndexPreset,
} = presetFolder(resolve(import.meta.dirname, 'lists'), {
  what: 'index preset',
  parse: (text, { place }) => parseIndexPreset(text, place),
})

/** The part of a preset in YAML that says how its files are read, and which series are taken. */
export const indexText = ({ index }: IndexPreset): string => stringify(index, { lineWidth: 0 })
