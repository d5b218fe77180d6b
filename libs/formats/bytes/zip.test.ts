import { zipOf } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { bytesSource } from './record.ts'
import { archiveSources, BadArchive, INFLATION_RATIO_MAX, openArchive } from './zip.ts'

async function listed(bytes: Uint8Array) {
  const found: unknown[] = []
  for await (const source of archiveSources(bytesSource('f.zip', bytes))) {
    if (!('open' in source)) found.push([source.position, source.reason])
    else {
      const chunks: Uint8Array[] = []
      for await (const chunk of source.open()) chunks.push(chunk)
      found.push([source.name, Buffer.concat(chunks).toString()])
    }
  }
  return found
}

test('yields files in order under their own names, and refuses archives inside', async () => {
  const bytes = zipOf({
    'a/x.csv': 'ref\n',
    '__MACOSX/a/x.csv': 'junk',
    '.hidden.csv': 'junk',
    'inner.zip': zipOf({ a: 'b' }),
    'b.jsonl': '{}',
  })
  expect(await listed(bytes)).toEqual([
    ['f.zip/a/x.csv', 'ref\n'],
    ['f.zip/inner.zip', 'NESTED_ARCHIVE'],
    ['f.zip/b.jsonl', '{}'],
  ])
})

test('a damaged archive is one broken record', async () => {
  const whole = zipOf({ 'a.csv': 'x'.repeat(1000) })
  expect(await listed(whole.subarray(0, whole.length - 10))).toEqual([['f.zip', 'BAD_ARCHIVE']])
  expect(await listed(Buffer.from('PK\x03\x04 nothing'))).toEqual([['f.zip', 'BAD_ARCHIVE']])
})

test('refuses a zip bomb before inflating it', async () => {
  const bomb = zipOf({ 'a.csv': Buffer.alloc(32 * 1024 ** 2) })
  await expect(openArchive(bomb)).rejects.toThrow(`at most ${INFLATION_RATIO_MAX}`)
})

test('stops an entry that inflates beyond its declared size', async () => {
  using archive = await openArchive(zipOf({ 'a.csv': 'x'.repeat(100_000) }, { claimedBytes: 10 }))
  const drain = async () => {
    let bytes = 0
    for await (const chunk of archive.entries[0]?.open() ?? []) bytes += chunk.length
    return bytes
  }
  await expect(drain()).rejects.toThrow('too many bytes')
})

test('refuses too many entries', async () => {
  const many = zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}`, ''])))
  await expect(openArchive(many)).rejects.toThrow(BadArchive)
})
