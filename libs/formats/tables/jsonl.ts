import { lines } from '@catalog/formats/bytes/lines.ts'
import { RECORD_CHARS_MAX, type RecordBatches } from '@catalog/formats/bytes/record.ts'
import { recordOfObject } from './flatten.ts'

/**
 * Records of a text with one JSON object per line; blank lines are no records. Objects become columns as flatten.ts has it,
 * which also says what is broken; so is a line that is too long (RECORD_TOO_LONG).
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
