import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPreviews } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { indexFolderOf, indexPresetIds, readIndexPreset } from '@catalog/crawler/indices/index-preset.ts'
import { testIndexPreset } from '@catalog/crawler/indices/test-index-preset.ts'
import { folderOf, readPreset, readPresets } from '@catalog/crawler/presets/presets.ts'
import { type PresetTest, testPreset } from '@catalog/crawler/presets/test-preset.ts'

/**
 * `catalog presets test`: reads the sample of each preset as a crawl would, and compares its records with the expected ones.
 * Returns whether all are as expected.
 */
export async function testPresets(
  { env, terminal, signal }: Omit<Context, 'catalog'>,
  ids: readonly string[],
): Promise<boolean> {
  const known = await indexPresetIds()
  const isIndex = (id: string) => known.includes(id)
  const indices = await Promise.all((ids.length === 0 ? known : ids.filter(isIndex)).map(readIndexPreset))
  const lists = ids.filter((id) => !isIndex(id))
  const presets = ids.length === 0 ? await readPresets() : await Promise.all(lists.map(readPreset))
  await using folder = await mkdtempDisposable(join(tmpdir(), 'catalog-presets-'))
  const deps = { ...openPreviews({ env, signal }), crawlsDir: folder.path }
  const progress = terminal.progress('presets')
  const tests: PresetTest[] = []
  for (const preset of presets) {
    tests.push(await testPreset(preset, folderOf(preset.id), deps))
    progress.to(tests.length, presets.length + indices.length)
  }
  for (const index of indices) tests.push(await testIndexPreset(index, indexFolderOf(index.id)))
  progress.done()
  terminal.answer({ presets: tests }, () =>
    [
      table(tests.map(({ id, records, parked, wrong }) => ({ id, records, parked, wrong: wrong.length }))),
      ...tests.flatMap(({ id, wrong }) => (wrong.length === 0 ? [] : ['', id, ...wrong.map((line) => `  ${line}`)])),
    ].join('\n'),
  )
  return tests.every(({ wrong }) => wrong.length === 0)
}
