import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { type IndexPreset, indexPresetIds, indexText, readIndexPreset } from '@catalog/crawler/indices/index-preset.ts'
import type { Preset } from '@catalog/crawler/presets/preset-schema.ts'
import { sourceText } from '@catalog/crawler/presets/preset-source.ts'
import { readPreset } from '@catalog/crawler/presets/presets.ts'
import { presetsIn, regionText } from '@catalog/operations/sources/presets.ts'
import { presetLines } from './preset-text.ts'

/** `catalog presets`: public sources that others have described; with `region` those of one country or region. */
export async function listPresets(terminal: Terminal, { region }: { region: string | undefined }): Promise<void> {
  const { presets, indices } = await presetsIn(region)
  terminal.answer({ presets: presets.map(presetJson), indices: indices.map(presetJson) }, () =>
    table([
      ...presets.map(({ parameters, file, source, ...preset }) =>
        rowOf(preset, {
          region: regionText(source.region),
          kind: String(source.kind),
          parameters: Object.keys(parameters).join(', '),
          from: file === undefined ? 'address' : 'your file',
        }),
      ),
      ...indices.map(({ index, ...preset }) =>
        rowOf(preset, { region: index.region ?? '', kind: 'index', parameters: '', from: 'your file' }),
      ),
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

function rowOf(
  { id, title, licence }: Pick<Preset, 'id' | 'title' | 'licence'>,
  { region, kind, parameters, from }: Readonly<Record<'region' | 'kind' | 'parameters' | 'from', string>>,
) {
  const terms = { licence: licence.name ?? 'none named', 'pass on': licence.redistribution }
  return { id, region, kind, title, parameters, from, ...terms }
}

const indented = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
