import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openParser } from '@catalog/crawler/parse/parser.ts'
import { zipOf } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { crawl } from './crawl.ts'
import { preview } from './preview.ts'

/** As the command reads files: in a process of its own. */
const PARSER = openParser()
const NOW = () => new Date('2026-11-21T00:00:00Z')

/** The report and the preview of an input: one file, or a folder of them. */
async function both(files: Readonly<Record<string, string | Buffer>>) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'preview-'))
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, 'in', name)), { recursive: true })
    await writeFile(join(folder.path, 'in', name), bytes)
  }
  const [only = '', ...others] = Object.keys(files)
  const path = others.length === 0 ? join(folder.path, 'in', only) : join(folder.path, 'in')
  const input = { path, options: { source: 'Shop', currency: 'EUR', observedAt: '2026-11-20T00:00:00Z' } }
  const [report] = await crawl([input], {
    log: { append: async () => {} },
    now: NOW,
    newCrawlId: () => 'c1',
    spoolDir: join(folder.path, 'spool'),
    registeredSources: async () => new Set(),
  })
  const shown = await preview(input, { now: NOW, readFile: PARSER.readFile }, 5)
  return { report, shown }
}

test.each([
  ['another name', 'A;Brick;u;1\nA;Block;u;1\nB;Lime;kg;2\n', { SKU_CONFLICT: 2 }],
  ['another unit', 'A;Brick;u;1\nA;Brick;pallet;90\nB;Lime;kg;2\n', { SKU_CONFLICT: 2 }],
  ['another price', 'A;Brick;u;1\nA;Brick;u;2\nB;Lime;kg;2\n', { AMBIGUOUS_OFFER: 2 }],
  ['the same', 'A;Brick;u;1\nA;Brick;u;1\nB;Lime;kg;2\n', {}],
])('given a reference with %s, then the preview parks what the crawl parks', async (_what, rows, parked) => {
  const { report, shown } = await both({ 'f.csv': `ref;name;unit;price\n${rows}` })
  expect(report?.parked).toEqual(parked)
  expect(shown.figures.parked).toEqual(parked)
  expect(shown.observations).toHaveLength(report?.appended ?? -1)
  expect(shown.figures.duplicates).toBe(report?.duplicates)
  expect(shown.problems).toEqual([])
})

test.each([
  ['f.csv', '', /f\.csv: no record was read: expected a heading and below it rows/],
  ['f.csv', 'ref;name;price\n', /expected a heading and below it rows/],
  ['f.csv', 'ref;name;price\n;;\n', /expected a heading and below it rows/],
  ['f.bc3', '', /expected a FIEBDC-3 file/],
  ['f.bc3', 'hello\nworld\n', /expected a FIEBDC-3 file/],
  ['f.bc3', '<!doctype html><html><body>404</body></html>', /expected a FIEBDC-3 file/],
  ['f.bc3', '~V|Ours|FIEBDC-3/2016|\n~K|EUR|\n', /expected a FIEBDC-3 file/],
  ['f.json', '[]', /expected a list of objects/],
  ['f.jsonl', '', /expected an object .* on each line/],
  ['f.zip', zipOf({ 'readme.md': 'x' }), /it holds no file of a known kind: expected an archive of price lists/],
  ['f.zip', zipOf({ 'a.csv': 'ref;name;price\n' }), /f\.zip\/a\.csv: no record was read/],
])('given %s without a record (%j), then crawl and preview say what was expected', async (name, bytes, detail) => {
  const { report, shown } = await both({ [name]: bytes })
  expect(report).toMatchObject({ read: 0, appended: 0, complete: false })
  const problems = [{ code: 'NOTHING_READ', detail: expect.stringMatching(detail) }]
  expect(report?.problems).toEqual(problems)
  expect(shown.problems).toEqual(problems)
})

test('given a folder with one empty file, then the others are recorded and the file is named', async () => {
  const { report, shown } = await both({ 'a.csv': 'ref;name;price\nA;Brick;1\n', 'b.csv': 'ref;name;price\n' })
  expect(report).toMatchObject({ appended: 1, complete: false, problems: [{ code: 'NOTHING_READ' }] })
  expect(shown.problems[0]?.detail).toMatch(/^b\.csv: /)
})

test('given rows that a mapping or a shop leaves out, then their count tells why nothing was read', async () => {
  const { report } = await both({ 'f.csv': 'Type,SKU,Name,Published,Regular price,Sale price\nvariable,P,Paint,1,,\n' })
  expect(report).toMatchObject({ read: 0, complete: true, problems: [] })
})
