import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { openArchive } from '@catalog/formats/bytes/zip.ts'
import { zipOf } from '@catalog/stack/testing/archives.ts'
import { fileDeps } from '@catalog/stack/testing/fixtures.ts'
import { expect, test } from 'vitest'
import type { Preset } from './preset-schema.ts'
import { folderOf, readPresets } from './presets.ts'
import { testPreset } from './test-preset.ts'

/** Publishers rename columns. Whatever a sample is, a file without the column of the price gives no record, and says so. */

const PRESETS = await readPresets()

type Mapping = Readonly<{
  delimiter?: string
  header_row?: unknown
  columns?: Readonly<Record<string, string | number>>
  unpivot?: Readonly<{ columns: string | readonly string[] | Readonly<{ matching: string }>; value: string }>
  edition?: Readonly<{ column?: string }>
}>
/** With the parameters of its sample in place. */
const mappingOf = ({ source, test: { parameters } }: Preset) =>
  JSON.parse(
    JSON.stringify(source.mapping ?? {}).replace(/\{(\w+)\}/g, (all, name) => parameters[name] ?? all),
  ) as Mapping

test.each(PRESETS.map((preset) => [preset.id, preset] as const))(
  '%s without the column of its price gives no record, and says why',
  async (_id, preset) => {
    const tested = await testedWithout(preset, priceColumns(preset))
    expect(tested.records).toBe(0)
    // A reason stands with each record, or with the file that has no such column.
    expect(tested.parked).toBeGreaterThan(0)
    expect(tested.wrong.length).toBeGreaterThan(0)
  },
)

test.each(
  PRESETS.flatMap((preset) => {
    const column = mappingOf(preset).edition?.column
    return column === undefined ? [] : [[preset.id, column, preset] as const]
  }),
)('%s without its edition (%s) gives no record', async (_id, column, preset) => {
  const tested = await testedWithout(preset, (name) => name === lastStep(column))
  expect(tested.records).toBe(0)
  expect(tested.wrong.length).toBeGreaterThan(0)
})

/** The test of a preset whose sample lacks the columns that `isLost` names. */
async function testedWithout(preset: Preset, isLost: (name: string) => boolean) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'presets-'))
  const copy = join(folder.path, 'copy')
  await cp(folderOf(preset.id), copy, { recursive: true })
  const sample = join(copy, preset.test.sample)
  const lost: string[] = []
  const broken = await without(await readFile(sample), {
    name: preset.test.sample,
    mapping: mappingOf(preset),
    isLost: (name) => isLost(name) && lost.push(name) > 0,
  })
  expect(lost, 'the columns that the sample has').not.toEqual([])
  await writeFile(sample, broken)
  return await testPreset(preset, copy, fileDeps(folder.path))
}

/** Whether a column, by its heading or the last step of its path, holds the price. */
function priceColumns(preset: Preset): (name: string) => boolean {
  const { columns = {}, unpivot, header_row } = mappingOf(preset)
  const price = String(columns.price ?? '')
  if (unpivot === undefined || unpivot.value !== price) return (name) => name === lastStep(price)
  const { columns: pivoted } = unpivot
  if (typeof pivoted === 'object' && 'matching' in pivoted) return (name) => new RegExp(pivoted.matching).test(name)
  // A heading of several rows ends with that of the lowest.
  const isJoined = Array.isArray(header_row)
  return (name) => [pivoted].flat().some((whole) => whole === name || (isJoined && whole.endsWith(` ${name}`)))
}

/** "prices[*].value" → "value"; "prezzo/@valore" → "valore"; a heading stays. */
const lastStep = (column: string) =>
  /^[^\s]+$/.test(column) ? (column.split(/[./]/).at(-1) ?? '').replace(/^@/, '') : column

type Breaking = Readonly<{ name: string; mapping: Mapping; isLost: (name: string) => boolean }>
const LOST = 'lost_column'

async function without(bytes: Buffer, breaking: Breaking): Promise<Buffer> {
  const kind = extname(breaking.name).toLowerCase()
  if (kind === '.zip' || kind === '.xlsx') {
    using archive = await openArchive(bytes)
    const files: Record<string, Buffer> = {}
    for (const { path, open } of archive.entries) {
      const chunks: Uint8Array[] = []
      for await (const chunk of open()) chunks.push(chunk)
      files[path] = await without(Buffer.concat(chunks), { ...breaking, name: path })
    }
    return zipOf(files)
  }
  // Names in UTF-8 or Windows-1252 stay as they are beside the change.
  const encoding = bytes.equals(Buffer.from(bytes.toString('utf8'))) ? 'utf8' : 'latin1'
  const text = bytes.toString(encoding)
  return Buffer.from((WITHOUT[kind] ?? ((same: string) => same))(text, breaking), encoding)
}

/** Without headings a column is its number, from 1: "AA7" lies in the 27th. */
const withoutCells = (text: string, isLost: (name: string) => boolean) =>
  text.replace(/<c r="([A-Z]+)\d+"[^>]*?(?:\/>|>.*?<\/c>)/gs, (all, letters: string) =>
    isLost(String([...letters].reduce((at, letter) => at * 26 + letter.charCodeAt(0) - 64, 0))) ? '' : all,
  )

const WITHOUT: Readonly<Record<string, (text: string, breaking: Breaking) => string>> = {
  '.json': (text, { isLost }) => text.replace(/"([^"\\]+)"(?=\s*:)/g, (all, key) => (isLost(key) ? `"${LOST}"` : all)),
  // Elements, attributes, and the cells of a workbook.
  '.xml': (text, { mapping, isLost }) =>
    (mapping.header_row === 'none' ? withoutCells(text, isLost) : text)
      .replace(/(<\/?(?:\w+:)?)([\w-]+)(?=[\s/>])/g, (all, open, name) => (isLost(name) ? open + LOST : all))
      .replace(/(\s)([\w-]+)(?==")/g, (all, blank, name) => (isLost(name) ? blank + LOST : all))
      .replace(/(?<=<t[^>]*>)([^<]*)(?=<\/t>)/g, (all) =>
        isLost(all.replaceAll('&amp;', '&').replace(/\s+/g, ' ')) ? LOST : all,
      ),
  '.csv': (text, { mapping, isLost }) => {
    const delimiter = mapping.delimiter ?? ','
    const cells = (line: string, change: (cell: string, at: number) => string) =>
      line.split(delimiter).map(change).join(delimiter)
    const [first = '', ...lines] = text.split('\n')
    // Without headings a column is its number, from 1.
    if (mapping.header_row === 'none')
      return text
        .split('\n')
        .map((line) => cells(line, (cell, i) => (isLost(String(i + 1)) ? '' : cell)))
        .join('\n')
    const named = (cell: string) => cell.trim().replace(/^\ufeff?"?|"$/g, '')
    return [cells(first, (cell) => (isLost(named(cell)) ? LOST : cell)), ...lines].join('\n')
  },
  // The price is the fifth part of a concept, which no mapping names.
  '.bc3': (text, { isLost }) =>
    text.replace(/^(~C\|[^|]*\|[^|]*\|[^|]*\|)[^|]*/gm, (all, before) => (isLost('') ? before : all)),
}
