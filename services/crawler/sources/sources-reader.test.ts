import { mkdtempDisposable, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { expect, test } from 'vitest'
import { readSources, sourcesReader } from './sources-reader.ts'

const ENTRY = 'source: Norte, kind: shop, region: ES, entry_points: ["https://shop.example/prices.xml"]'

test('returns the same file until it or one of its mappings changes', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sources-'))
  let edits = 0
  const write = async (name: string, text: string) => {
    const path = join(folder.path, name)
    await writeFile(path, text)
    // Two edits within the resolution of the file system's clock would look like one.
    await utimes(path, new Date(), new Date(1_700_000_000_000 + 1_000 * ++edits))
  }
  const read = sourcesReader(readEnvironment({ CATALOG_SOURCES: join(folder.path, 'sources.yaml') }))
  expect(await read()).toBeNull()
  await write('m.yaml', 'columns: { name: title }\n')
  await write('sources.yaml', `sources:\n  - { ${ENTRY}, mapping: m.yaml }\n`)
  const first = await read()
  expect(await read()).toBe(first)
  await write('m.yaml', 'columns: { name: label }\n')
  expect((await read())?.sources[0]?.mapping?.columns).toEqual({ name: 'label' })
  await write('m.yaml', 'columns: { nmae: label }\n')
  await expect(read()).rejects.toThrow(/m\.yaml/)
  await write('m.yaml', 'columns: { name: title }\n')
  expect((await read())?.sources[0]?.mapping?.columns).toEqual({ name: 'title' })
})

test('says how to begin a file where there is none', async () => {
  const env = readEnvironment({ CATALOG_SOURCES: join(tmpdir(), 'no-such-folder', 'none.yaml') })
  await expect(readSources(env)).rejects.toThrow(/none\.yaml: no such file; begin one with catalog sources add URL/)
})
