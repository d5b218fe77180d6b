import { decodeStream, type Encoding, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import { BATCH_RECORDS, type ByteSource } from '@catalog/formats/bytes/record.ts'
import type { Bc3Diagnostic, Bc3Entry } from './entries.ts'
import { declaredCharset } from './header.ts'
import { readEntry } from './read-entry.ts'
import { bc3Records } from './records.ts'

/** A file of 100 MB may be odd a million times in the same way. */
const KEPT_PER_CODE_MAX = 100

/** What is odd in a file: all of it is counted by its code, and the first {@link KEPT_PER_CODE_MAX} of each are kept. */
export class DiagnosticLog {
  readonly kept: Bc3Diagnostic[] = []
  readonly counts = new Map<string, number>()

  add(diagnostic: Bc3Diagnostic): void {
    const count = (this.counts.get(diagnostic.code) ?? 0) + 1
    this.counts.set(diagnostic.code, count)
    if (count <= KEPT_PER_CODE_MAX) this.kept.push(diagnostic)
  }

  /** Diagnostics that were counted and not kept. */
  get leftOut(): number {
    return this.counts.values().reduce((sum, count) => sum + Math.max(0, count - KEPT_PER_CODE_MAX), 0)
  }
}

export type Bc3File = Readonly<{
  /** Complete once the last entry was read. */
  encoding: EncodingReport
  entries: AsyncGenerator<readonly Bc3Entry[], void, undefined>
}>

/** The entries of a file in the charset that its bytes, and then its ~V, speak for. Holds one batch at most. */
export async function openBc3(
  source: ByteSource,
  { log, encoding }: Readonly<{ log: DiagnosticLog; encoding?: Encoding | undefined }>,
): Promise<Bc3File> {
  const hints = { declared: await declaredCharset(source), given: encoding }
  const { report, text } = decodeStream(source.open(), hints)
  return { encoding: report, entries: bc3Entries(text, log) }
}

/** The entries of decoded text, in order; `log` is told what is odd. Never throws. */
export async function* bc3Entries(
  pieces: AsyncIterable<string>,
  log: DiagnosticLog,
): AsyncGenerator<readonly Bc3Entry[], void, undefined> {
  const onLeading = (text: string) =>
    log.add({
      line: 1,
      code: 'TEXT_BEFORE_FIRST_RECORD',
      message: `${JSON.stringify(text)} is ignored, by the standard`,
    })
  let labels = 0
  let isFirst = true
  for await (const records of bc3Records(pieces, { onLeading })) {
    for (let from = 0; from < records.length; from += BATCH_RECORDS) {
      const batch: Bc3Entry[] = []
      for (const record of records.slice(from, from + BATCH_RECORDS)) {
        const { entry, diagnostics } = readEntry(record)
        for (const diagnostic of diagnostics) log.add(diagnostic)
        const { line } = entry
        if (isFirst && entry.letter !== 'V') {
          log.add({ line, code: 'NO_VERSION', message: `the file begins with ~${record.letter}, expected ~V` })
        }
        isFirst = false
        if (entry.letter === 'V') labels = entry.labels.length
        if (entry.letter === 'C' && entry.prices.length > Math.max(1, labels)) {
          const message = `${entry.code} has ${entry.prices.length} prices, ~V names ${labels}`
          log.add({ line, code: 'MORE_PRICES_THAN_LABELS', message })
        }
        batch.push(entry)
      }
      yield batch
    }
  }
}
