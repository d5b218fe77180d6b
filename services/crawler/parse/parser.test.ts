import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type FileBatch, type ReadFile, readHere } from '@catalog/crawler/ingest/inputs.ts'
import type { ReaderLimits } from '@catalog/runtime/reader-process.ts'
import { workbookOf, zipOf } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { packed, unpacked } from './messages.ts'
import { openParser } from './parser.ts'

const options = {
  defaults: { source: 'Ours', currency: 'EUR', observedAt: '2026-11-01', notAfter: new Date('2026-11-21') },
}
const HEADING = 'ref;name;unit;price\n'
const list = (rows: number) => HEADING + Array.from({ length: rows }, (_, i) => `R${i};Brick ${i};u;1,50\n`).join('')

const BOOK =
  '~V|Bank|FIEBDC-3/2016\\01112026|p||UTF-8|\n~C|W|m2|Wall|16|011126|0|\n~D|W|B\\50\\1\\|\n~C|B|u|Brick|0.20|011126|3|\n'

async function withFile<T>(name: string, bytes: string | Uint8Array, use: (file: { path: string; name: string }) => T) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'parser-test-'))
  const path = join(folder.path, name)
  await writeFile(path, bytes)
  return await use({ path, name })
}

async function collected(batches: ReturnType<ReadFile>) {
  const all: Exclude<FileBatch, { recipes: unknown }>[] = []
  const recipes: unknown[] = []
  for await (const batch of batches) {
    if ('recipes' in batch) recipes.push(...batch.recipes)
    else all.push(batch)
  }
  return {
    outcomes: all.flatMap(({ outcomes }) => outcomes),
    // The last findings of each list are the complete ones.
    detected: all.filter((_, at) => all[at + 1]?.isNext ?? true).map(({ detected }) => detected),
    recipes,
    last: all.at(-1) as (typeof all)[number],
  }
}

const parsed = (name: string, bytes: string | Uint8Array, limits: ReaderLimits = {}) =>
  withFile(name, bytes, async (file) => {
    using parser = openParser(limits)
    return await collected(parser.readFile(file, options, () => {}))
  })

test.each([
  ['prices.csv', list(1_000)],
  ['prices.zip', zipOf({ 'a.csv': list(3), 'b.csv': `${HEADING}X;;u;1\n`, 'c.json': '[]' })],
  ['broken.json', '[{"ref":"A"'],
  ['bank.zip', zipOf({ 'bank.bc3': BOOK, 'more.csv': list(2) })],
])('given %s, when a process of its own reads it, then the outcomes are those of this process', async (name, bytes) => {
  const here = await withFile(name, bytes, (file) => collected(readHere(file, options, () => {})))
  const there = await parsed(name, bytes)
  expect(there.outcomes).toEqual(here.outcomes)
  expect(there.detected).toEqual(here.detected)
  expect(there.recipes).toEqual(here.recipes)
})

test('given a path from the present folder, when a process of its own reads it, then it finds the file', async () => {
  await withFile('prices.csv', list(3), async ({ path, name }) => {
    using parser = openParser()
    const found = await collected(parser.readFile({ path: relative(process.cwd(), path), name }, options, () => {}))
    expect(found.outcomes).toHaveLength(3)
  })
})

test('given two files one after the other, when they are read, then one process reads both', async () => {
  await withFile('prices.csv', list(10), async (file) => {
    using parser = openParser()
    const timed = async () => {
      const begun = performance.now()
      await collected(parser.readFile(file, options, () => {}))
      return performance.now() - begun
    }
    const withStartMs = await timed()
    const laterMs: number[] = []
    for (let n = 0; n < 20; n++) laterMs.push(await timed())
    // A process of its own for each file would make every reading as slow as the first.
    expect(Math.min(...laterMs)).toBeLessThan(withStartMs / 2)
  })
})

test.each([
  [1, 4],
  [2, 2],
])('given two files at once three times, when %i processes are kept, then %i start', async (keptMax, expected) => {
  let started = 0
  const count = (event: string | symbol) => {
    // Each process ends with this one at the latest.
    if (event === 'exit') started++
  }
  await withFile('prices.csv', list(10), async (file) => {
    using parser = openParser({ keptMax })
    process.on('newListener', count)
    for (let n = 0; n < 3; n++) await Promise.all([1, 2].map(() => collected(parser.readFile(file, options, () => {}))))
    process.off('newListener', count)
    expect(started).toBe(expected)
  })
})

test('given prices of one row, when a process sends them, then the text of the row goes once and comes with each', () => {
  const outcomes = ['a;1;2', 'a;1;2', '', '', 'b;3'].map((raw, at) => ({ raw, position: String(at) }))
  const batch = { outcomes, isNext: true } as unknown as FileBatch
  expect(packed(batch).split('a;1;2')).toHaveLength(2)
  expect(unpacked(packed(batch))).toEqual(batch)
  const blank = { ...batch, outcomes: [{ raw: '', position: '0' }] } as unknown as FileBatch
  expect(unpacked(packed(blank))).toEqual(blank)
})

test('given a file that takes more memory than a file may, when it is read, then it is refused as a whole', async () => {
  const strings = Array.from({ length: 200_000 }, (_, i) => `<si><t>${i} kg</t></si>`).join('')
  const { outcomes, last } = await parsed('prices.xlsx', workbookOf({ rows: '', strings }), {
    rssBytesMax: 150 * 1024 ** 2,
  })
  expect(last.refusesFile).toBe(true)
  const detail = expect.stringMatching(/^\d+ MB of memory, at most 150 MB are given to a file after its beginning$/)
  expect(outcomes).toMatchObject([{ position: 'prices.xlsx', result: { reason: 'PARSER_KILLED', detail } }])
})

test('given a file that takes too long, when it is read, then it is refused as a whole', async () => {
  const { last } = await parsed('prices.csv', list(10), { silenceMsMax: 1 })
  expect(last.outcomes).toMatchObject([
    { result: { reason: 'PARSER_KILLED', detail: 'took more than 1 ms after its beginning' } },
  ])
})

test('given a reader that stops early, when it reads the next file, then that is read whole', async () => {
  await withFile('prices.csv', list(5_000), async (file) => {
    using parser = openParser()
    for await (const _ of parser.readFile(file, options, () => {})) break
    const { outcomes } = await collected(parser.readFile(file, options, () => {}))
    expect(outcomes).toHaveLength(5_000)
  })
})

test('given a slow reader, when it takes its time, then its process waits with some pieces', async () => {
  await withFile('prices.csv', list(20_000), async (file) => {
    using parser = openParser()
    let read = 0
    const onBytes = (bytes: number) => {
      read += bytes
    }
    for await (const batch of parser.readFile(file, options, onBytes)) {
      if ('recipes' in batch || batch.outcomes.length === 0) continue
      // Meanwhile another process reads the whole file, so that this one had the time.
      await collected(parser.readFile(file, options, () => {}))
      break
    }
    // Of 460 KB, the process has read no more than it needs for a few pieces.
    expect(read).toBeLessThan(200_000)
  })
})
