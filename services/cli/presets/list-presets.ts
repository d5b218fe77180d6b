import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import {
  type IndexPreset,
  indexPresetIds,
  indexText,
  readIndexPreset,
  readIndexPresets,
} from '@catalog/crawler/indices/index-preset.ts'
import type { Preset } from '@catalog/crawler/presets/preset-schema.ts'
import { sourceText } from '@catalog/crawler/presets/preset-source.ts'
import { readPreset, readPresets } from '@catalog/crawler/presets/presets.ts'
import { presetLines } from './preset-text.ts'

/** `catalog presets`: public sources that others have described; with `region` those of one country or region. */
export async function listPresets(terminal: Terminal, { region }: { region: string | undefined }): Promise<void> {
  const all = await readPresets()
  const presets = region === undefined ? all : all.filter((preset) => isIn(preset, region))
  const allIndices = await readIndexPresets()
  const indices = allIndices.filter((preset) => isIndexIn(preset, region))
  if (presets.length + indices.length === 0) {
    const regions = [
      ...all.map(({ source }) => regionText(source.region)),
      ...allIndices.map(({ index }) => index.region ?? ''),
    ]
    const countries = [...new Set(regions.map((one) => one.split('-')[0] ?? ''))].filter((country) => country !== '')
    throw new Error(
      `--region '${region}': no preset; expected one of ${countries.sort().join(', ')}, or a subdivision of one`,
    )
  }
  terminal.answer({ presets: presets.map(presetJson), indices: indices.map(presetJson) }, () =>
    table([
      ...presets.map(({ id, title, parameters, file, source, licence }) => ({
        id,
        region: regionText(source.region),
        kind: source.kind,
        title,
        parameters: Object.keys(parameters).join(', '),
        from: file === undefined ? 'address' : 'your file',
        licence: licence.name ?? 'none named',
        'pass on': licence.redistribution,
      })),
      ...indices.map(({ id, title, index, licence }) => ({
        id,
        region: index.region ?? '',
        kind: 'index',
        title,
        parameters: '',
        from: 'your file',
        licence: licence.name ?? 'none named',
        'pass on': licence.redistribution,
      })),
    ]),
  )
  if (presets.length > 0) terminal.next(`catalog presets show ${presets[0]?.id}`)
}

/** `catalog presets show`: one preset, and how it becomes a source. */
export async function showPreset(terminal: Terminal, id: string): Promise<void> {
  if ((await indexPresetIds()).includes(id)) return showIndexPreset(terminal, await readIndexPreset(id))
  const preset = await readPreset(id)
  terminal.answer(presetJson(preset), () =>
    [...presetLines(preset), '', 'source:', ...indented(sourceText(preset))].join('\n'),
  )
  terminal.next(addCommand(preset))
}

function showIndexPreset(terminal: Terminal, preset: IndexPreset): void {
  terminal.answer(presetJson(preset), () =>
    [
      ...presetLines({ ...preset, parameters: {} }),
      '',
      'index, which is no price:',
      ...indented(indexText(preset)),
    ].join('\n'),
  )
  terminal.next(`catalog indices import FILE --preset ${preset.id}`)
}

/** The command that adds a preset, with a first value for each parameter that needs one. */
function addCommand({ id, parameters, file }: Preset): string {
  const said = Object.entries(parameters).flatMap(([name, { values, default: byDefault }]) =>
    byDefault === undefined ? [`--param ${name}=${(Array.isArray(values) ? values : Object.keys(values))[0]}`] : [],
  )
  return ['catalog sources add --preset', id, ...said, ...(file === undefined ? [] : ['--file PATH'])].join(' ')
}

const presetJson = <T extends Preset | IndexPreset>({ preset: _version, test: _test, ...rest }: T) => rest

/** Parameters may stand in a region, such as a state of a country. */
const regionText = (region: unknown) => (typeof region === 'string' ? region.replace(/\{(\w+)\}/g, '*') : '')

function isIn({ source }: Preset, region: string): boolean {
  const [country] = regionText(source.region).split('-')
  return country === region.toUpperCase() || source.region === region.toUpperCase()
}

function isIndexIn({ index }: IndexPreset, region: string | undefined): boolean {
  if (region === undefined) return true
  const wanted = region.toUpperCase()
  return [index.region, ...index.series.map((one) => one.region)].some(
    (own) => own != null && (own === wanted || own.split('-')[0] === wanted),
  )
}

const indented = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
