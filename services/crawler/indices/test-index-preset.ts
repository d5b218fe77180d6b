import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expectedLines } from '@catalog/crawler/presets/test-preset.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readIndex } from '@catalog/formats/indices/read-index.ts'
import type { IndexPreset } from './index-preset.ts'

/** `wrong` has a sentence for each point that is not as expected. */
export type IndexPresetTest = Readonly<{ id: string; records: number; parked: 0; wrong: readonly string[] }>

/** Reads the sample of a preset, and compares its points with the expected ones in order. */
export async function testIndexPreset({ id, index, test }: IndexPreset, folder: string): Promise<IndexPresetTest> {
  if (test === undefined) return { id, records: 0, parked: 0, wrong: ['expected a sample, with its points'] }
  const source = bytesSource(test.sample, await readFile(join(folder, test.sample)))
  const { points } = await readIndex(source, { mapping: index.read, series: index.series })
  const found = points.map(({ series, period, value }) => ({ series: series.code, period, value }))
  const expected = await expectedLines(join(folder, test.expected))
  const wrong = Array.from({ length: Math.max(found.length, expected.length) }, (_, i) => i).flatMap((i) =>
    isDeepStrictEqual(found[i], expected[i])
      ? []
      : [`point ${i + 1}: expected ${JSON.stringify(expected[i] ?? null)}, found ${JSON.stringify(found[i] ?? null)}`],
  )
  return { id, records: found.length, parked: 0, wrong }
}
