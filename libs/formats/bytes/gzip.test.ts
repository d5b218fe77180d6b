import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BadGzip, gunzipped, withoutGz } from './gzip.ts'
import { type ByteSource, bytesSource } from './record.ts'
import { INFLATION_RATIO_MAX } from './zip.ts'

/** The bytes before the end or the failure. */
async function drain(source: ByteSource) {
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of gunzipped(source).open()) pieces.push(piece)
    return { bytes: Buffer.concat(pieces), failure: null }
  } catch (error) {
    if (!(error instanceof BadGzip)) throw error
    return { bytes: Buffer.concat(pieces), failure: error.reason }
  }
}

describe('a gzip file', () => {
  test('reads as the file inside, with several members and trailing zeros too', async () => {
    const bytes = Buffer.concat([gzipSync('a;b\n'), gzipSync(''), gzipSync('1;2\n'), Buffer.alloc(20_000)])
    for (const piece of [1, 7, bytes.length]) {
      const source = inPieces('prices.csv.gz', bytes, piece)
      expect(await drain(source)).toEqual({ bytes: Buffer.from('a;b\n1;2\n'), failure: null })
      expect(await gunzipped(source).whole()).toEqual(Buffer.from('a;b\n1;2\n'))
    }
    expect(gunzipped(bytesSource('Prices.CSV.GZ', bytes)).name).toBe('Prices.CSV')
    expect(withoutGz('prices.tgz')).toBe('prices.tgz')
  })

  test('that is truncated, or followed by other bytes, is read up to there', async () => {
    const bytes = gzipSync('a;b\n1;2\n')
    expect(await drain(inPieces('a.csv.gz', bytes.subarray(0, -8), 7))).toEqual({
      bytes: Buffer.from('a;b\n1;2\n'),
      failure: 'BAD_GZIP',
    })
    expect(await drain(inPieces('a.csv.gz', Buffer.concat([bytes, Buffer.from('more')]), 1))).toEqual({
      bytes: Buffer.from('a;b\n1;2\n'),
      failure: 'BAD_GZIP',
    })
  })

  test('is recognised by its bytes, so a source that a server inflated stays unchanged', async () => {
    for (const text of ['', '\x1f', 'a;b\n']) {
      const source = inPieces('prices.csv.gz', Buffer.from(text), 1)
      expect(await drain(source)).toEqual({ bytes: Buffer.from(text), failure: null })
      expect(await gunzipped(source).whole()).toEqual(Buffer.from(text))
    }
    const onDisk: ByteSource = { ...bytesSource('a.zip', Buffer.from('PK')), whole: async () => '/somewhere/a.zip' }
    expect(await gunzipped(onDisk).whole()).toBe('/somewhere/a.zip')
  })

  test('that holds an archive is refused', async () => {
    const tar = Buffer.alloc(1_024)
    tar.write('ustar', 257)
    for (const [name, inside] of [
      ['a.tar.gz', tar],
      ['download', tar],
      ['old.tgz', Buffer.from('an archive without a mark')],
      ['a.csv.gz.gz', gzipSync('a;b\n')],
    ] as const) {
      const bytes = gzipSync(inside)
      expect(await drain(inPieces(name, bytes, 5))).toEqual({ bytes: Buffer.alloc(0), failure: 'NESTED_ARCHIVE' })
    }
  })

  test('that inflates without limit is stopped', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2))
    const { bytes, failure } = await drain(inPieces('bomb.csv.gz', bomb, 65_536))
    expect(failure).toBe('BAD_GZIP')
    expect(bytes.length).toBeLessThanOrEqual(16 * 1024 ** 2)
    const message = `at most ${INFLATION_RATIO_MAX} times`
    await expect(gunzipped(bytesSource('bomb.csv.gz', bomb)).whole()).rejects.toThrow(message)
    // The same density in a small file is harmless.
    expect(await drain(bytesSource('a.csv.gz', gzipSync(Buffer.alloc(8 * 1024 ** 2))))).toMatchObject({ failure: null })
  })

  test('is held in memory up to a limit', async () => {
    const line = randomBytes(32_768)
    const member = gzipSync(Buffer.concat(Array.from({ length: 128 }, () => line)))
    const bytes = Buffer.concat(Array.from({ length: 17 }, () => member))
    await expect(gunzipped(bytesSource('prices.xlsx.gz', bytes)).whole()).rejects.toThrow(
      'inflates to more than the 67108864 bytes that are held in memory',
    )
  })

  test('applies backpressure', async () => {
    let isClosed = false
    const source: ByteSource = {
      ...bytesSource('a.csv.gz', Buffer.alloc(0)),
      async *open() {
        try {
          for (;;) yield gzipSync(randomBytes(40_000))
        } finally {
          isClosed = true
        }
      },
    }
    for await (const _piece of gunzipped(source).open()) break
    expect(isClosed).toBe(true)
  })

  test("whose source fails reports the source's error", async () => {
    const failing: ByteSource = {
      ...bytesSource('a.csv.gz', Buffer.alloc(0)),
      async *open() {
        yield gzipSync('a;b\n')
        throw new Error('the disk is gone')
      },
    }
    await expect(drain(failing)).rejects.toThrow('the disk is gone')
  })
})

describe('any bytes', () => {
  const content = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(1, 400)).map(([bytes, times]) => {
    return Buffer.concat(Array.from({ length: times }, () => bytes))
  })
  /** Skip contents that are archives themselves, which the reader refuses. */
  const plain = content.filter((bytes) => bytes[0] !== 0x1f && bytes.toString('latin1', 257, 262) !== 'ustar')

  test('round-trip, whatever the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(plain, plain, fc.integer({ min: 1, max: 500 }), async (first, second, piece) => {
        const bytes = Buffer.concat([gzipSync(first), gzipSync(second)])
        const { bytes: read, failure } = await drain(inPieces('f.gz', bytes, piece))
        expect(failure).toBe(null)
        expect(read.equals(Buffer.concat([first, second]))).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('truncated anywhere are reported after their beginning, equally on each reading', async () => {
    await fc.assert(
      fc.asyncProperty(plain, fc.nat(), fc.integer({ min: 1, max: 500 }), async (whole, at, piece) => {
        const bytes = gzipSync(whole)
        const source = inPieces('f.gz', bytes.subarray(0, 2 + (at % (bytes.length - 2))), piece)
        const { bytes: read, failure } = await drain(source)
        expect(failure).toBe('BAD_GZIP')
        expect(read.equals(whole.subarray(0, read.length))).toBe(true)
        expect(await drain(source)).toEqual({ bytes: read, failure })
      }),
      { numRuns: 100 },
    )
  })

  test('damaged anywhere terminate, equally on each reading', async () => {
    await fc.assert(
      fc.asyncProperty(plain, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 20 }), async (whole, at, noise) => {
        const bytes = Buffer.concat([gzipSync(whole), gzipSync(whole)])
        Buffer.from(noise).copy(bytes, 2 + (at % (bytes.length - 2)))
        const source = inPieces('f.gz', bytes, 100)
        expect(await drain(source)).toEqual(await drain(source))
      }),
      { numRuns: 100 },
    )
  })
})
