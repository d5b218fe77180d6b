import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { publish, testId } from '@catalog/stack/testing/api.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type WriteFlags, writePriceBook } from './write.ts'

const store = await storeOfFile()
const folder = mkdtempDisposableSync(join(tmpdir(), 'bc3-write-'))
const env = readEnvironment({ PUBLIC_BASE_URL: 'https://catalog.example.org' })
const item = testId('ci_', 'item')
const merged = testId('ci_', 'merged')

beforeAll(async () => {
  await store.query(`insert into categories values ('cat_a', null, 'Ñandúes', 0)`)
  await publish(store, { id: item, name: 'Señal de tráfico Ø 60 cm, 東', category_id: 'cat_a', unit: 'u' })
  await publish(store, { id: testId('ci_', 'loose'), name: 'Loose' })
  await publish(store, { id: merged, state: 'merged', merged_into: item })
})
afterAll(async () => {
  folder.remove()
})

async function written(id: string | undefined, flags: Partial<WriteFlags> = {}) {
  const { heard, terminal } = listening()
  const out = join(folder.path, 'book.bc3')
  await writePriceBook({ catalog: { store }, terminal, env }, id, { out, charset: 'ANSI', ...flags })
  expect(heard.text).toContain('items')
  return heard.answers[0]
}

async function readBack() {
  const log = new DiagnosticLog()
  const { entries, encoding } = await openBc3(bytesSource('book.bc3', readFileSync(join(folder.path, 'book.bc3'))), {
    log,
  })
  return { book: await buildPriceBook(entries, log), encoding }
}

test.each([
  ['ANSI', 'windows-1252', 'Señal de tráfico Ø 60 cm, ?'],
  ['utf-8', 'utf-8', 'Señal de tráfico Ø 60 cm, 東'],
  ['850', 'cp850', 'Señal de tráfico Ø 60 cm, ?'],
])('writes the whole catalog in %s, replacing what the charset lacks', async (charset, used, name) => {
  expect(await written(undefined, { all: true, charset })).toMatchObject({
    charset: charset.toUpperCase(),
    items: 2,
    chapters: 2,
    concepts: 2,
    recipes: 0,
    bytes: readFileSync(join(folder.path, 'book.bc3')).length,
    replaced: charset === 'utf-8' ? {} : { CHARACTER_REPLACED: 2 },
  })
  const { book, encoding } = await readBack()
  expect(encoding).toEqual({ declared: charset.toUpperCase(), used })
  expect(book.concepts.get(item.slice(0, 20))).toMatchObject({ summary: name, unit: 'u', prices: ['4.85'] })
  expect(book.concepts.get('cat_a')?.summary).toBe('Ñandúes')
})

test('writes the items of a category, and the survivor of a merged item', async () => {
  expect(await written('cat_a')).toMatchObject({ items: 1, chapters: 2 })
  expect(await written(merged)).toMatchObject({ items: 1, chapters: 1 })
  expect((await readBack()).book.concepts.get(item.slice(0, 20))?.text).toContain(
    `https://catalog.example.org/v1/items/${item}`,
  )
})

test('leaves no file after a failure', async () => {
  const out = join(folder.path, 'none.bc3')
  await expect(written('ci_none', { out })).rejects.toThrow(`'ci_none': expected the id of an item or of a category`)
  await expect(written(undefined, { out })).rejects.toThrow('or --all')
  await expect(written(item, { out, all: true })).rejects.toThrow('or --all')
  await expect(written(item, { out, charset: 'latin' })).rejects.toThrow(`--charset 'latin': expected one of`)
  await expect(written(item, { out: join(folder.path, 'no/such/folder.bc3') })).rejects.toThrow('ENOENT')
  expect([existsSync(out), existsSync(`${out}.part`)]).toEqual([false, false])
})
