import { createGunzip } from 'node:zlib'
import type { ByteSource } from './record.ts'
import { INFLATION_RATIO_MAX } from './zip.ts'

/** Bytes that one file may inflate to. */
const INFLATED_BYTES_MAX = 16 * 1024 ** 3
/** A high ratio is harmless below this size. */
const RATIO_MATTERS_BYTES = 16 * 1024 ** 2
/** Largest workbook or ZIP archive inside gzip: random access needs it in memory. */
const BUFFERED_BYTES_MAX = 64 * 1024 ** 2
/** Compressed bytes inflated at once: 16 MiB at DEFLATE's ratio of 1000:1. */
const SLICE_BYTES = 16 * 1024
/** Inflated bytes of one piece. */
const PIECE_BYTES = 64 * 1024

/** The bytes are damaged gzip (BAD_GZIP), or hold an archive (NESTED_ARCHIVE). */
export class BadGzip extends Error {
  override name = 'BadGzip'
  readonly reason: 'BAD_GZIP' | 'NESTED_ARCHIVE'
  /** The file inflates beyond its limits, so that none of its bytes count. */
  readonly isBomb: boolean

  constructor(reason: BadGzip['reason'], message: string, options: ErrorOptions & { isBomb?: boolean } = {}) {
    super(message, options)
    this.reason = reason
    this.isBomb = options.isBomb ?? false
  }
}

/**
 * The file inside a gzip file, under its name without ".gz". A source whose first bytes are not gzip stays as it is,
 * because servers may undo gzip whatever the address ends in. Consecutive members are one file.
 *
 * After all readable bytes, reading throws BadGzip for: damage or an early end; more than {@link INFLATED_BYTES_MAX};
 * from {@link RATIO_MATTERS_BYTES}, a ratio above {@link INFLATION_RATIO_MAX}; a tar archive or gzip inside; and, from
 * `whole`, more than {@link BUFFERED_BYTES_MAX}. Reading again gives the same bytes.
 */
export function gunzipped(source: ByteSource): ByteSource {
  const name = withoutGz(source.name)
  return {
    name,
    async *open() {
      const chunks = withHead(source.open(), MAGIC.length)
      const { value: head } = await chunks.next()
      if (!head) return
      const all = chained(head, chunks)
      yield* isGzip(head) ? fileIn(all, name) : all
    },
    async whole() {
      if (!(await isGzipped(source))) return source.whole()
      const buffered: Uint8Array[] = []
      let length = 0
      for await (const piece of this.open()) {
        buffered.push(piece)
        length += piece.length
        if (length > BUFFERED_BYTES_MAX) {
          throw new BadGzip(
            'BAD_GZIP',
            `${name} inflates to more than the ${BUFFERED_BYTES_MAX} bytes that are held in memory`,
          )
        }
      }
      return Buffer.concat(buffered)
    },
  }
}

/** "prices.csv.gz" → "prices.csv" */
export function withoutGz(name: string): string {
  return name.replace(/\.gz$/i, '')
}

const MAGIC = [0x1f, 0x8b]
function isGzip(head: Uint8Array): boolean {
  return MAGIC.every((byte, i) => head[i] === byte)
}

async function isGzipped(source: ByteSource): Promise<boolean> {
  for await (const head of withHead(source.open(), MAGIC.length)) return isGzip(head)
  return false
}

/** The contents of a gzip file. Throws BadGzip when they are an archive. */
async function* fileIn(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void, undefined> {
  let isFirst = true
  for await (const piece of withHead(inflate(chunks, name), TAR_MAGIC_AT + TAR_MAGIC.length)) {
    if (isFirst && isGzip(piece))
      throw new BadGzip('NESTED_ARCHIVE', `${name} is gzip inside gzip: it is not opened twice`)
    if (isFirst && isTar(piece, name)) {
      throw new BadGzip('NESTED_ARCHIVE', `${name} holds a tar archive, which is not read; pack its files as ZIP`)
    }
    isFirst = false
    yield piece
  }
}

const TAR_MAGIC = 'ustar'
const TAR_MAGIC_AT = 257
function isTar(head: Uint8Array, name: string): boolean {
  const magic = Buffer.from(head.subarray(TAR_MAGIC_AT, TAR_MAGIC_AT + TAR_MAGIC.length)).toString('latin1')
  return magic === TAR_MAGIC || /\.(tgz|tar)$/i.test(name)
}

/**
 * Inflates slice by slice, each to its end before the next. A stream that reads ahead would drop an unpredictable
 * amount when it fails, so two readings of one damaged file would differ.
 */
async function* inflate(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  const pieces: Uint8Array[] = []
  let failure: Error | null = null
  let isEnded = false
  let wake = () => {}
  gunzip.on('data', (piece: Buffer) => pieces.push(piece))
  gunzip.on('end', () => {
    isEnded = true
    wake()
  })
  gunzip.on('error', (error) => {
    failure = error
    wake()
  })
  /** Resolves when the slice is inflated, or when inflation has ended. */
  const take = (slice: Uint8Array) =>
    new Promise<void>((resolve) => {
      wake = resolve
      gunzip.write(slice, () => resolve())
    })
  const end = () =>
    new Promise<void>((resolve) => {
      wake = resolve
      gunzip.end()
    })
  let [read, made] = [0, 0]
  function* taken(): Generator<Uint8Array, void, undefined> {
    for (const piece of pieces.splice(0)) {
      made += piece.length
      const isBomb = made > RATIO_MATTERS_BYTES && made > read * INFLATION_RATIO_MAX
      if (isBomb || made > INFLATED_BYTES_MAX) {
        const limits = `at most ${INFLATION_RATIO_MAX} times or ${INFLATED_BYTES_MAX} bytes`
        const detail = `${name} inflates from ${read} bytes to ${made} and more, ${limits}`
        throw new BadGzip('BAD_GZIP', detail, { isBomb: true })
      }
      yield piece
    }
    if (failure !== null) throw new BadGzip('BAD_GZIP', `${name}: ${failure.message}`, { cause: failure })
  }
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        // Zeros that pad a block may follow the last member.
        if (isEnded) return
        const slice = chunk.subarray(at, at + SLICE_BYTES)
        read += slice.length
        await take(slice)
        yield* taken()
      }
    }
    if (!isEnded) await end()
    yield* taken()
  } finally {
    gunzip.destroy()
  }
}

/** The same chunks, with at least this many bytes in the first one if the source has them. */
async function* withHead(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const buffered: Uint8Array[] = []
  let length = 0
  let failure: unknown = null
  try {
    for await (const chunk of chunks) {
      if (length >= bytes) {
        yield chunk
        continue
      }
      buffered.push(chunk)
      length += chunk.length
      if (length >= bytes) yield buffered.length === 1 ? chunk : Buffer.concat(buffered.splice(0))
    }
  } catch (error) {
    failure = error
  }
  if (length > 0 && length < bytes) yield Buffer.concat(buffered)
  if (failure !== null) throw failure
}

async function* chained(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield head
    yield* rest
  } finally {
    await rest.return()
  }
}
