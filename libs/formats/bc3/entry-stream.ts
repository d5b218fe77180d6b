import { decodeStream, type Encoding, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import { BATCH_RECORDS, type ByteSource } from '@catalog/formats/bytes/record.ts'
import type { Bc3Diagnostic, Bc3Entry } from './entries.ts'
import { declaredCharset } from './header.ts'
import { readEntry } from './read-entry.ts'
import { bc3Records } from './records.ts'

/** A file of 100 MB may repeat one irregularity a million times. */
const KEPT_PER_CODE_MAX = 100

/** Collects irregularities of a file: counts all by code and keeps the first {@link KEPT_PER_CODE_MAX} of each. */
export class DiagnosticLog {
  readonly kept: Bc3Diagnostic[] = []
  readonly counts = new Map<string, number>()

  add(diagnostic: Bc3Diagnostic): void {
    const count = (this.counts.get(diagnostic.code) ?? 0) + 1
    this.counts.set(diagnostic.code, count)
    if (count <= KEPT_PER_CODE_MAX) this.kept.push(diagnostic)
  }

  /** Number of diagnostics that were counted and not kept. */
  get leftOut(): number {
    return this.counts.values().reduce((sum, count) => sum + Math.max(0, count - KEPT_PER_CODE_MAX), 0)
  }
}

export type Bc3File = Readonly<{
  /** Final once the last entry was read. */
  encoding: EncodingReport
  entries: AsyncGenerator<readonly Bc3Entry[], void, undefined>
}>

/**
 * Reads the entries of a file in the charset that its bytes show, else in the one that its ~V declares. Holds one
 * batch.
 */
export async function openBc3(
  source: ByteSource,
  { log, encoding }: Readonly<{ log: DiagnosticLog; encoding?: Encoding | undefined }>,
): Promise<Bc3File> {
  const hints = { declared: await declaredCharset(source), given: encoding }
  const { report, text } = decodeStream(source.open(), hints)
  return { encoding: report, entries: bc3Entries(text, log) }
}

/** Reads the entries of decoded text, in order; `log` receives irregularities. Never throws. */
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
