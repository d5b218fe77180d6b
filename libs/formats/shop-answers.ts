import { decodeStream, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource, RecordBatches } from '@catalog/formats/bytes/record.ts'
import { parseDate } from '@catalog/formats/mapping/dates.ts'
import { readShopAnswer, type ShopAnswer, shopAnswerOf } from '@catalog/formats/shops/shop-answer.ts'
import { JSON_CHARS_MAX, textOf } from '@catalog/formats/tables/json.ts'
import { definedColumns, definedConstants, type FileMapping } from './file-mapping.ts'
import { type Format, isJson } from './format.ts'
import type { Detected, ReadOptions } from './read-options.ts'

/** JSON answers of shops whose shape is known: they need no mapping, and a guess would read the first variant alone. */

export type EncodedAnswer = ShopAnswer & Readonly<{ encoding: EncodingReport }>

/** The answer that a JSON document is; null for any other file, and where a mapping gives its columns. */
export async function answerOf(
  source: ByteSource,
  format: Format,
  { mapping, page }: ReadOptions,
): Promise<EncodedAnswer | null> {
  if (!isJson(format) || Object.values(mapping?.columns ?? {}).some((column) => column !== undefined)) return null
  const { report, text } = decodeStream(source.open(), { given: mapping?.encoding, declared: page?.charset })
  const whole = await textOf(text)
  if (whole.length > JSON_CHARS_MAX) return null
  const answer =
    shopAnswerOf(whole, mapping?.records) ??
    (format === 'jsonl' ? shopAnswerOf(listOfLines(whole), mapping?.records) : null)
  return answer && { ...answer, encoding: report }
}

/** JSON lines as one list. */
function listOfLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return `[${lines.join(',\n')}]`
}

/** Its records have the columns of the shape; constants of the mapping complete them. */
export function answerMapping({ mapping }: ReadOptions): FileMapping {
  return {
    resolved: { columns: definedColumns([]), constants: definedConstants(mapping), guessed: [] },
    decimal: mapping?.decimal ?? null,
    dateOrder: 'ymd',
  }
}

export function answerRecords(answer: EncodedAnswer, options: ReadOptions, detected: Detected): RecordBatches {
  detected.encoding = answer.encoding
  const { file: name } = detected
  const { page, defaults } = options
  const url = page?.url ?? defaults.sourceUrl
  return readShopAnswer(answer, { name, url, currency: defaults.currency, at: observedAtOf(options) })
}

/** The instant at which the operator says that a file was seen; null when unknown. */
export function observedAtOf({ mapping, defaults }: ReadOptions): Date | null {
  const written = mapping?.constants?.observed_at ?? defaults.observedAt
  return written === undefined ? null : parseDate(written, { order: mapping?.date_format ?? 'ymd' })
}
