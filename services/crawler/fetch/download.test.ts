import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, deflateSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BadBody, download } from './download.ts'

const limits = { bytesMax: 1_000_000, decodedBytesMax: 1_000_000, ratioMax: 200 }

async function downloaded(body: Uint8Array, coding: string, chunkBytes = body.length) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'download-'))
  const path = join(folder.path, 'body')
  async function* chunks() {
    for (let at = 0; at < body.length; at += chunkBytes) yield body.subarray(at, at + chunkBytes)
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

test.each([
  ['with', deflateSync],
  ['without', deflateRawSync],
])(
  'given deflate %s the header of zlib, when it is downloaded in pieces of a byte, then it is decoded',
  async (_how, encode) => {
    expect(await downloaded(encode('sku;price\nA;1\n'), 'deflate', 1)).toBe('sku;price\nA;1\n')
  },
)

test.each([
  ['text', Buffer.from('sku;price\n')],
  ['cut', deflateSync('sku;price\n'.repeat(100)).subarray(0, -8)],
  ['cut and without its header', deflateRawSync('sku;price\n'.repeat(100)).subarray(0, -8)],
])('given deflate that is %s, when it is downloaded, then it is no body', async (_what, body) => {
  await expect(downloaded(body, 'deflate')).rejects.toThrow(BadBody)
})
