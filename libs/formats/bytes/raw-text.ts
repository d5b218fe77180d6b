import { sha256Hex } from '@catalog/core/digest.ts'
import { RAW_KEPT_BYTES_MAX } from '@catalog/core/events/crawls.ts'
import { visibleText, withoutEmails } from './vendor-text.ts'

/** The raw text of a record as a dead letter keeps it. */
export type KeptRaw = Readonly<{
  /** Visible characters without e-mail addresses, at most {@link RAW_KEPT_BYTES_MAX} bytes of UTF-8. */
  raw: string
  /** SHA-256 in hex of the record as it was read, where `raw` is only its beginning. */
  rawSha256?: string
}>

/** Cuts the raw text of a record to the size of a dead letter. A kept text stays as it is. */
export function keptRaw({ raw, rawSha256 }: KeptRaw): KeptRaw {
  const clean = withoutEmails(visibleText(raw)).toWellFormed()
  const kept = cutBytes(clean)
  if (kept === clean) return { raw: kept, ...(rawSha256 !== undefined && { rawSha256 }) }
  return { raw: kept, rawSha256: rawSha256 ?? sha256Hex(raw.toWellFormed()) }
}

/** The records without the raw texts that they share with the record before: the prices of one row repeat its text. */
export function withoutRepeatedRaws<Kept extends Pick<KeptRaw, 'raw'>>(records: readonly Kept[]): readonly Kept[] {
  return records.map((record, at) => (record.raw === records[at - 1]?.raw ? { ...record, raw: undefined } : record))
}

/** The records that JSON carried {@link withoutRepeatedRaws}. */
export function withRepeatedRaws<Kept extends Pick<KeptRaw, 'raw'>>(records: readonly Kept[]): readonly Kept[] {
  let last = ''
  return records.map((record) => {
    const { raw = last } = record as Partial<Kept>
    last = raw
    return raw === record.raw ? record : { ...record, raw }
  })
}

function cutBytes(text: string): string {
  if (text.length * UTF8_BYTES_MAX <= RAW_KEPT_BYTES_MAX || Buffer.byteLength(text) <= RAW_KEPT_BYTES_MAX) return text
  const bytes = Buffer.from(text.slice(0, RAW_KEPT_BYTES_MAX))
  // A character that the cut would split goes as a whole.
  let end = RAW_KEPT_BYTES_MAX
  while (((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end--
  return bytes.subarray(0, end).toString('utf8')
}
/** Bytes of UTF-8 for one UTF-16 code unit, at most. */
const UTF8_BYTES_MAX = 3
