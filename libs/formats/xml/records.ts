import { decodeStream, type Encoding, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import type { BrokenRecord, ByteSource } from '@catalog/formats/bytes/record.ts'
import { Prolog } from './prolog.ts'
import { type BrokenXmlRecord, type CutterOptions, PIECE_CHARS, RecordCutter, type XmlFound } from './record-cutter.ts'

/** Reads XML documents of any length record by record: memory holds the tree of one record at a time. */

export type XmlOptions = CutterOptions &
  Readonly<{
    /** The encoding that the operator states. */
    encoding?: Encoding | undefined
    /** Called before the first record; the report is final after the last one. */
    onEncoding?: ((report: EncodingReport) => void) | undefined
  }>

/** The broken record of a finding at a position. */
export function brokenRecord({ raw, reason, detail, endsFile }: BrokenXmlRecord, position: string): BrokenRecord {
  return { position, raw, reason, detail, ...(endsFile && { endsFile }) }
}

/** Bytes at the head that may hold the XML declaration. */
const DECLARATION_BYTES_MAX = 1_024

/**
 * Reads the records and the kept elements of a document, in order, in batches. The byte order mark gives the encoding,
 * else the XML declaration, else UTF-8 (`detectEncoding` handles false declarations).
 *
 * Fetches nothing, and expands only the five entities of XML and character references: `&nbsp;` stays as written. Skips
 * the document type, comments and processing instructions. Never throws for the content of the bytes. Broken are:
 * - RECORD_TOO_LONG: more characters than `recordCharsMax`, or too many elements or levels (RECORD_ELEMENTS_MAX,
 *   XML_DEPTH_MAX);
 * - BAD_XML: tags that do not nest. Reading goes on: an end tag closes its element and all inside it. One without an
 *   open element is skipped. A record that starts inside another of the same name and place ends the other. Outside
 *   records, only the first such error is reported;
 * - UNEXPECTED_END (ends the file): an element is still open at the end, or the document has none.
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

/** The encoding in `<?xml … encoding="…"?>`, and all chunks again. In UTF-16 the bytes show it themselves. */
async function declarationOf(
  source: AsyncIterable<Uint8Array>,
): Promise<{ chunks: AsyncIterable<Uint8Array>; declared: string | undefined }> {
  const iterator = source[Symbol.asyncIterator]()
  const buffered: Uint8Array[] = []
  let head = ''
  let done = false
  while (head.length < DECLARATION_BYTES_MAX && !head.includes('>')) {
    const next = await iterator.next()
    done = next.done === true
    if (next.done === true) break
    buffered.push(next.value)
    const { buffer, byteOffset, byteLength } = next.value
    head += Buffer.from(buffer, byteOffset, Math.min(byteLength, DECLARATION_BYTES_MAX)).toString('latin1')
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* buffered
      while (!done) {
        const next = await iterator.next()
        if (next.done === true) done = true
        else yield next.value
      }
    } finally {
      // Close the file or connection when the consumer stops early.
      if (!done) await iterator.return?.()
    }
  }
  return { chunks: chunks(), declared: /<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] }
}
