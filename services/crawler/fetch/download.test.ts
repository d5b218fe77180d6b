import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BadBody, download } from './download.ts'

const limits = { bytesMax: 1_000_000, decodedBytesMax: 1_000_000, ratioMax: 200 }

async function downloaded(body: Uint8Array, coding: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'download-'))
  const path = join(folder.path, 'body')
  async function* chunks() {
    yield body
  }
  await download(chunks(), { path, coding, limits })
  return await readFile(path, 'utf8')
}

test('given a body in zstd that nobody asked for, when it is downloaded, then it is decoded', async () => {
  expect(await downloaded(zstdCompressSync('sku;price\nA;1\n'), 'zstd')).toBe('sku;price\nA;1\n')
})

test('given a body that only says zstd, when it is downloaded, then it is no body', async () => {
  await expect(downloaded(Buffer.from('sku;price\n'), 'zstd')).rejects.toThrow(BadBody)
})
