import { decodeStream, type Encoding, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { Prolog } from './prolog.ts'
import {
  type CutterOptions,
  PIECE_CHARS,
  RECORD_ELEMENTS_MAX,
  RecordCutter,
  XML_DEPTH_MAX,
  type XmlFound,
} from './record-cutter.ts'

/** XML documents of any length, cut into records: the tree of one record at a time is in memory, and no more. */

export type XmlOptions = CutterOptions &
  Readonly<{
    /** What the operator says of the encoding. */
    encoding?: Encoding | undefined
    /** Told before the first record; the report holds once the last one was read. */
    onEncoding?: ((report: EncodingReport) => void) | undefined
  }>

/** Bytes at the head in which the XML declaration is looked for. */
const DECLARATION_BYTES_MAX = 1_024

/**
 * The records of a document, and the elements that are kept, in order, in batches. The encoding is that of the byte order
 * mark, else of the XML declaration, else UTF-8 (see encoding.ts for declarations that the bytes belie).
 *
 * Nothing is fetched and no entity is expanded but the five of XML and character references: a document type is skipped
 * whole, and `&nbsp;` stays as it stands. Comments and processing instructions are skipped. Never throws for what the
 * bytes hold; broken are
 * - RECORD_TOO_LONG: more characters than `recordCharsMax`, elements than {@link RECORD_ELEMENTS_MAX} or levels than
 *   {@link XML_DEPTH_MAX};
 * - BAD_XML: tags that do not nest. Reading goes on: an end tag closes what it names and all inside it, one that names
 *   nothing open is skipped, and the start of a record inside one of the same name and place ends that one. Outside
 *   records this is told once, as far as reading goes on;
 * - UNEXPECTED_END (ends the file): an element is still open at the end, or there was none.
 */
export async function* xmlRecords(
  source: ByteSource,
  options: XmlOptions,
): AsyncGenerator<readonly XmlFound[], void, undefined> {
  const { chunks, declared } = await declarationOf(source.open())
  const { report, text } = decodeStream(chunks, { given: options.encoding, declared })
  options.onEncoding?.(report)
  const prolog = new Prolog()
  const cutter = new RecordCutter(options)
  for await (const decoded of text) {
    for (let at = 0; at < decoded.length; at += PIECE_CHARS) {
      const found = cutter.push(prolog.rest(decoded.slice(at, at + PIECE_CHARS)))
      if (found.length > 0) yield found
    }
  }
  const last = cutter.end()
  if (last.length > 0) yield last
}

/** The encoding that `<?xml … encoding="…"?>` names, and all chunks again. In UTF-16 the bytes say it themselves. */
async function declarationOf(
  source: AsyncIterable<Uint8Array>,
): Promise<{ chunks: AsyncIterable<Uint8Array>; declared: string | undefined }> {
  const iterator = source[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let head = ''
  let done = false
  while (head.length < DECLARATION_BYTES_MAX && !head.includes('>')) {
    const next = await iterator.next()
    done = next.done === true
    if (next.done === true) break
    held.push(next.value)
    const { buffer, byteOffset, byteLength } = next.value
    head += Buffer.from(buffer, byteOffset, Math.min(byteLength, DECLARATION_BYTES_MAX)).toString('latin1')
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* held
      while (!done) {
        const next = await iterator.next()
        if (next.done === true) done = true
        else yield next.value
      }
    } finally {
      // Whoever stops early must not leave the file or the connection open.
      if (!done) await iterator.return?.()
    }
  }
  return { chunks: chunks(), declared: /<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] }
}
