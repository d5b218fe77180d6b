import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type PreviewDeps, previewSource } from '@catalog/crawler/crawls/preview-source.ts'
import { addSource, parseSources, type SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { Preset } from './preset-schema.ts'
import { type Said, sourceOfPreset } from './preset-source.ts'

/** The result of a preset's sample: `wrong` has a sentence for each record that is not as expected. */
export type PresetTest = Readonly<{ id: string; records: number; parked: number; wrong: readonly string[] }>

/** Records of a sample. */
const RECORDS_MAX = 1_000
const SHOWN_CHARS = 300

/** The source that a preset gives, as a sources file would read it. Throws BadSourcesFile. */
export function specOfPreset(
  preset: Preset,
  { said, file }: Readonly<{ said: Said; file: string | undefined }>,
): SourceSpec {
  const text = addSource('', sourceOfPreset(preset, { said, file }))
  const place = `preset ${preset.id}`
  return parseSources(text, { place, readMapping: () => '{}' }).sources[0] as SourceSpec
}

/**
 * Reads the sample of a preset as a crawl would, and compares each record with its line of the expectation: every member that the
 * line has must be equal, and a line `{"parked": REASON}` expects a record that is parked.
 */
export async function testPreset(preset: Preset, folder: string, deps: PreviewDeps): Promise<PresetTest> {
  const spec = specOfPreset(preset, { said: preset.test.parameters, file: join(folder, preset.test.sample) })
  const { preview, problems } = await previewSource(spec, deps, { count: RECORDS_MAX })
  const expected = await linesOf(join(folder, preset.test.expected))
  const found = preview?.observations ?? []
  const parked = preview?.parked ?? []
  const [expectedRecords, expectedParked] = [
    expected.filter((line) => !('parked' in line)),
    expected.filter((line) => 'parked' in line),
  ]
  return {
    id: preset.id,
    records: found.length,
    parked: parked.length,
    wrong: [
      ...problems.map(({ code, detail }) => `${code}: ${detail}`),
      ...differences(expectedRecords, found, 'record'),
      ...differences(
        expectedParked,
        parked.map(({ reason, position, detail }) => ({ parked: reason, position, detail })),
        'parked record',
      ),
    ],
  }
}

type Line = Readonly<Record<string, unknown>>

async function linesOf(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      try {
        return JSON.parse(line) as Line
      } catch (cause) {
        throw new Error(`${path} line ${i + 1}: expected a JSON object`, { cause })
      }
    })
}

function differences(expected: readonly Line[], found: readonly object[], what: string): string[] {
  const wrong: string[] = []
  for (const [i, line] of expected.entries()) {
    const record = found[i] as Line | undefined
    if (record === undefined) wrong.push(`${what} ${i + 1}: expected ${shown(line)}, found none`)
    else if (!holds(record, line)) {
      const members = Object.fromEntries(Object.keys(line).map((key) => [key, record[key] ?? null]))
      wrong.push(`${what} ${i + 1}: expected ${shown(line)}, found ${shown(members)}`)
    }
  }
  for (const more of found.slice(expected.length)) wrong.push(`${what} that nobody expects: ${shown(more)}`)
  return wrong
}

/** Whether a value has every member of the expected one, at any depth; null also stands for an absent member. */
function holds(found: unknown, expected: unknown): boolean {
  if (expected === null) return found === undefined || found === null
  if (typeof expected !== 'object' || Array.isArray(expected)) return isDeepStrictEqual(found, expected)
  if (typeof found !== 'object' || found === null) return false
  return Object.entries(expected).every(([key, value]) => holds((found as Line)[key], value))
}

const shown = (value: unknown) => {
  const text = JSON.stringify(value)
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}…`
}
