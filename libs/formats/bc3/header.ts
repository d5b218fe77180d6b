import { decodeStream, type Encoding, type EncodingReport, SAMPLE_BYTES } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { parseBc3Date } from './date.ts'
import { bc3Records } from './records.ts'

/** Statements of ~V and ~K about the whole file; null or empty when missing. */
export type Bc3Header = {
  owner: string | null
  /** "FIEBDC-3/2016" */
  version: string | null
  program: string | null
  /** YYYY-MM-DD */
  date: string | null
  /** Names of the prices of each concept (region, epoch), in order. */
  labels: readonly string[]
  /** As ~K writes it. */
  currency: string | null
  /** The latest date of the file and its concepts, YYYY-MM-DD: the file is not older. */
  newest: string | null
}

type Hints = Readonly<{ declared?: string | undefined; given?: Encoding | undefined }>

/** Reads the whole file once for its header, because ~K may stand anywhere and the last one wins. */
export async function readBc3Header(
  source: ByteSource,
  options: Readonly<{ encoding?: Encoding | undefined }>,
): Promise<{ header: Bc3Header; encoding: EncodingReport; hints: Hints }> {
  const hints: Hints = { declared: await declaredCharset(source), given: options.encoding }
  const header: Bc3Header = {
    owner: null,
    version: null,
    program: null,
    date: null,
    labels: [],
    currency: null,
    newest: null,
  }
  const later = (date: string | null | undefined) => {
    if (date && (header.newest === null || date > header.newest)) header.newest = date
  }
  const { report, text } = decodeStream(source.open(), hints)
  for await (const batch of bc3Records(text)) {
    for (const { letter, fields } of batch) {
      if (letter === 'V') {
        header.owner = firstOf(fields[0])
        header.version = firstOf(fields[1])
        header.program = firstOf(fields[2])
        header.date = parseBc3Date(fields[1]?.[1] ?? '') || null
        header.labels = (fields[3] ?? []).slice(1).map((label) => label.trim())
        later(header.date)
      }
      if (letter === 'C') for (const date of fields[4] ?? []) later(parseBc3Date(date))
      if (letter === 'K') {
        // The ninth subfield names the currency, and the extended list has its own. Only the currency holds letters or
        // signs.
        const named = [...(fields[0] ?? []), ...(fields[2] ?? [])].find((part) => /[A-Za-z€$£]/.test(part))
        if (named !== undefined) header.currency = named.trim()
      }
    }
  }
  return { header, encoding: report, hints }
}

/** The charset that the first ~V declares; undefined without one. */
export async function declaredCharset(source: ByteSource): Promise<string | undefined> {
  let head = ''
  for await (const chunk of source.open()) {
    head += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
    if (head.length >= SAMPLE_BYTES) break
  }
  async function* once() {
    yield head
  }
  for await (const batch of bc3Records(once())) {
    const found = batch.find(({ letter }) => letter === 'V')
    if (found) return firstOf(found.fields[4]) ?? undefined
  }
  return undefined
}

export function firstOf(field: readonly string[] | undefined): string | null {
  return field?.map((part) => part.trim()).find((part) => part !== '') ?? null
}
