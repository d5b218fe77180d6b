import { BadGzip } from '@catalog/formats/bytes/gzip.ts'
import type { BrokenRecord, ByteSource } from '@catalog/formats/bytes/record.ts'

/** The bytes of a source are unavailable: the disk, the folder or a damaged archive. */
export class UnreadableSource extends Error {
  override name = 'UnreadableSource'
  get reason(): string {
    return this.cause instanceof BadGzip ? this.cause.reason : 'UNREADABLE'
  }
  get refusesFile(): boolean {
    return this.cause instanceof BadGzip && this.cause.isBomb
  }
}

/** Wraps the failures of a source in UnreadableSource, to distinguish them from programming errors. */
export function guarded(source: ByteSource): ByteSource {
  const wrapped = (cause: unknown) => new UnreadableSource((cause as Error).message, { cause })
  return {
    ...source,
    async *open() {
      try {
        yield* source.open()
      } catch (cause) {
        throw wrapped(cause)
      }
    },
    whole: () => source.whole().catch((cause) => Promise.reject(wrapped(cause))),
  }
}

/** The broken record of a source that failed. Rethrows any other error. */
export function unreadableRecord(position: string, error: unknown): BrokenRecord {
  if (!(error instanceof UnreadableSource)) throw error
  const { reason, message: detail, refusesFile } = error
  return { position, raw: '', reason, detail, endsFile: true, ...(refusesFile && { refusesFile }) }
}
