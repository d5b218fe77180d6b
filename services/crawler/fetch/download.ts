import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** Bounds of one body; past each the body ends, and nothing of it is kept. */
export type BodyLimits = Readonly<{
  /** As they come, before decoding. */
  bytesMax: number
  decodedBytesMax: number
  /** Decoded bytes for each that came: a small body that unpacks to a large one is a trap. */
  ratioMax: number
}>

/** What Accept-Encoding asks for. */
export const CODINGS = 'gzip, br, deflate'

/** What a server sent that is no body within bounds; the message names what was found and expected. */
export class BadBody extends Error {
  override name = 'BadBody'
}

/** Decodes one Content-Encoding; null for one that is none of {@link CODINGS}. Codings one over the other are none. */
export function decoderOf(coding: string): Transform | null {
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
      return createInflate()
    default:
      return null
  }
}

/**
 * Writes a body to a file, decoded, and to the disk before it answers. Throws a BadBody when a limit is passed or the
 * coding is broken or ends early; other errors are those of `chunks` and of the disk. The file is then not a body.
 */
export async function download(
  chunks: AsyncIterable<Uint8Array>,
  { path, coding, limits }: { path: string; coding: string; limits: BodyLimits },
): Promise<{ bytes: number; sha256: string }> {
  const decoder = decoderOf(coding)
  if (decoder === null) throw new BadBody(`content-encoding '${coding}', expected one of ${CODINGS}, identity`)
  const hash = createHash('sha256')
  let came = 0
  let bytes = 0

  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      came += chunk.length
      if (came > limits.bytesMax) throw new BadBody(`more than ${limits.bytesMax} bytes came, expected at most these`)
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
    if (bytes > decodedBytesMax) return `more than ${decodedBytesMax} bytes after ${coding}, expected at most these`
    if (bytes > RATIO_FROM_BYTES && bytes > came * ratioMax) {
      return `${came} bytes of ${coding} are already ${bytes} bytes, expected at most ${ratioMax} for each`
    }
    return null
  }
  try {
    // Flushed: the file that takes its place by renaming must not be an empty one after a power failure.
    await pipeline(counted, decoder, meter, createWriteStream(path, { flush: true }))
  } catch (error) {
    if (!isOfCoding(error)) throw error
    throw new BadBody(`body is no whole ${coding} (${(error as Error).message}), expected one`, { cause: error })
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Below, a page of blanks is no trap. */
const RATIO_FROM_BYTES = 1024 ** 2

/** An error of zlib has a number; one of the system, such as a full disk or a lost connection, has its call as well. */
const isOfCoding = (error: unknown) => error instanceof Error && 'errno' in error && !('syscall' in error)
