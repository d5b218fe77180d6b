import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Duplex, PassThrough, pipeline as piped, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'

/** Bounds of one body. A body that exceeds one is discarded. */
export type BodyLimits = Readonly<{
  /** Encoded bytes, as received. */
  bytesMax: number
  decodedBytesMax: number
  /** Decoded bytes for each encoded byte; guards against decompression bombs. */
  ratioMax: number
}>

/** The value of Accept-Encoding. */
export const CODINGS = 'gzip, br, deflate'

/** An invalid body, or one out of bounds. The message names the found and the expected. */
export class BadBody extends Error {
  override name = 'BadBody'
}

/** Decodes one Content-Encoding; null for an unknown one. Stacked encodings are not supported. */
export function decoderOf(coding: string): Duplex | null {
  switch (coding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return new PassThrough()
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      return inflater()
    case 'zstd':
      // Nobody asks for it, and some servers send it all the same.
      return createZstdDecompress()
    default:
      return null
  }
}

/** Decodes deflate, which has the header of zlib (RFC 9110 8.4.1.2); some old servers leave that header out. */
function inflater(): Duplex {
  return Duplex.from(async function* (source: AsyncIterable<Buffer>) {
    const chunks = source[Symbol.asyncIterator]()
    const first = await chunks.next()
    const hasHeader = first.done === true || ((first.value[0] ?? 0) & METHOD_MASK) === METHOD_DEFLATE
    async function* whole() {
      if (first.done !== true) yield first.value
      yield* { [Symbol.asyncIterator]: () => chunks }
    }
    yield* piped(Readable.from(whole()), hasHeader ? createInflate() : createInflateRaw(), () => {})
  })
}
/** RFC 1950 2.2: the low bits of the first byte name the method. */
const METHOD_MASK = 0x0f
const METHOD_DEFLATE = 8

/**
 * Writes a decoded body to a file and flushes it. Throws BadBody when a limit is exceeded or the encoding is broken or
 * cut, and passes on errors of `chunks` and of the disk. After an error the file is invalid.
 */
export async function download(
  chunks: AsyncIterable<Uint8Array>,
  { path, coding, limits }: { path: string; coding: string; limits: BodyLimits },
): Promise<{ bytes: number; sha256: string }> {
  const decoder = decoderOf(coding)
  const encoded = coding === '' ? 'body' : coding
  if (decoder === null) throw new BadBody(`content-encoding '${coding}', expected one of ${CODINGS}, identity`)
  const hash = createHash('sha256')
  let encodedBytes = 0
  let bytes = 0

  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      encodedBytes += chunk.length
      if (encodedBytes > limits.bytesMax)
        throw new BadBody(`more than ${limits.bytesMax} bytes came, expected at most that many`)
      yield chunk
    }
  }
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      const passed = passedLimit()
      if (passed !== null) return done(new BadBody(passed))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  function passedLimit(): string | null {
    const { decodedBytesMax, ratioMax } = limits
    if (bytes > decodedBytesMax)
      return `more than ${decodedBytesMax} bytes${coding === '' ? '' : ` after ${coding}`}, expected at most that many`
    if (bytes > RATIO_FROM_BYTES && bytes > encodedBytes * ratioMax) {
      return `${encodedBytes} bytes of ${encoded} are already ${bytes} bytes, expected at most ${ratioMax} for each`
    }
    return null
  }
  try {
    // Flush first: after a power failure the rename must not reveal an empty file.
    await pipeline(counted, decoder, meter, createWriteStream(path, { flush: true }))
  } catch (error) {
    if (!isDecoderError(error)) throw error
    throw new BadBody(`the body is not a whole ${encoded} (${(error as Error).message}), expected one`, {
      cause: error,
    })
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** A smaller body, such as a page of blanks, is no bomb. */
const RATIO_FROM_BYTES = 1024 ** 2

/** An error of zlib has an errno only. A system error, such as a full disk or a lost connection, has a syscall too. */
const isDecoderError = (error: unknown) => error instanceof Error && 'errno' in error && !('syscall' in error)
