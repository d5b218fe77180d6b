import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Preset } from '@catalog/crawler/presets/preset-schema.ts'
import { sourceText } from '@catalog/crawler/presets/preset-source.ts'
import { readPreset, readPresets } from '@catalog/crawler/presets/presets.ts'
import { presetLines } from './preset-text.ts'

/** `catalog presets`: public sources that others have described; with `region` those of one country or region. */
export async function listPresets(terminal: Terminal, { region }: { region: string | undefined }): Promise<void> {
  const all = await readPresets()
  const presets = region === undefined ? all : all.filter((preset) => isIn(preset, region))
  terminal.answer({ presets: presets.map(presetJson) }, () =>
    table(
      presets.map(({ id, title, parameters, file, source, licence }) => ({
        id,
        region: regionText(source.region),
        kind: source.kind,
        title,
        parameters: Object.keys(parameters).join(', '),
        from: file === undefined ? 'address' : 'your file',
        licence: licence.name ?? 'none named',
        'pass on': licence.redistribution,
      })),
    ),
  )
  if (presets.length > 0) terminal.next(`catalog presets show ${presets[0]?.id}`)
}

/** `catalog presets show`: one preset, and how it becomes a source. */
export async function showPreset(terminal: Terminal, id: string): Promise<void> {
  const preset = await readPreset(id)
  terminal.answer(presetJson(preset), () =>
    [...presetLines(preset), '', 'source:', ...indented(sourceText(preset))].join('\n'),
  )
  terminal.next(addCommand(preset))
}

/** The command that adds a preset, with a first value for each parameter that needs one. */
function addCommand({ id, parameters, file }: Preset): string {
  const said = Object.entries(parameters).flatMap(([name, { values, default: byDefault }]) =>
    byDefault === undefined ? [`--param ${name}=${(Array.isArray(values) ? values : Object.keys(values))[0]}`] : [],
  )
  return ['catalog sources add --preset', id, ...said, ...(file === undefined ? [] : ['--file PATH'])].join(' ')
}

const presetJson = ({ preset: _version, test: _test, ...rest }: Preset) => rest

/** Parameters may stand in a region, such as a state of a country. */
const regionText = (region: unknown) => (typeof region === 'string' ? region.replace(/\{(\w+)\}/g, '*') : '')

function isIn({ source }: Preset, region: string): boolean {
  const [country] = regionText(source.region).split('-')
  return country === region.toUpperCase() || source.region === region.toUpperCase()
}

const indented = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
