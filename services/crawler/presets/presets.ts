import { resolve } from 'node:path'
import { parsedPreset, presetFolder } from './preset-folder.ts'
import { Preset } from './preset-schema.ts'

class BadPreset extends Error {
  override name = 'BadPreset'
}

/** Parses the text of a preset. `place` names it in messages. Throws BadPreset with a line for every problem. */
export function parsePreset(text: string, { id, place }: Readonly<{ id: string; place: string }>): Preset {
  return parsedPreset(text, {
    schema: Preset,
    place,
    check(preset, yaml) {
      if (preset.id !== id) yaml.report(['id'], `expected ${id}, the name of its folder`)
      const hasAddress = preset.source.entry_points !== undefined
      if (hasAddress === (preset.file !== undefined))
        yaml.report(['source'], 'expected either entry_points here, or file: { obtain: TEXT } beside it')
    },
    refused: (problems) => new BadPreset(problems),
  })
}

/** The presets that come with the catalog. Reading one throws BadPreset. */
export const {
  folderOf,
  readAll: readPresets,
  read: readPreset,
} = presetFolder(resolve(import.meta.dirname, 'lists'), { what: 'preset', parse: parsePreset })
