import { lines } from '@catalog/formats/bytes/lines.ts'
import { RECORD_CHARS_MAX, type RecordBatches } from '@catalog/formats/bytes/record.ts'
import { recordOfObject } from './flatten.ts'

/**
 * Reads one JSON object from each line; skips blank lines. `recordOfObject` flattens objects and defines broken ones;
 * too long a line is broken too (RECORD_TOO_LONG).
 */
export async function* readJsonl(pieces: AsyncIterable<string>, options: Readonly<{ name: string }>): RecordBatches {
  for await (const batch of lines(pieces)) {
    const records = batch.flatMap(({ text, number, isCut }) => {
      if (text.trim() === '') return []
      const position = `${options.name} line ${number}`
      if (!isCut) return [recordOfObject(text, { position })]
      const detail = `the line is longer than ${RECORD_CHARS_MAX} characters`
      return [{ position, raw: text, reason: 'RECORD_TOO_LONG', detail }]
    })
    if (records.length > 0) yield records
  }
}
