import { withoutGz } from '@catalog/formats/bytes/gzip.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { formatOfHead, headOf } from '@catalog/formats/bytes/sniff.ts'
import { UnreadableSource } from './unreadable-source.ts'

export const FORMATS = ['csv', 'jsonl', 'json', 'xml', 'xlsx', 'zip', 'bc3', 'bmecat', 'merchant', 'html'] as const
export type Format = (typeof FORMATS)[number]

/** Whether the records of a format name their columns, each for itself. */
export function hasKeyedRecords(format: Format): boolean {
  return isJson(format) || format === 'xml'
}

export function isJson(format: Format): boolean {
  return format === 'jsonl' || format === 'json'
}

/** Formats that the content of an XML or HTML file can show. */
const MARKUP_FORMATS: ReadonlySet<Format> = new Set(['bmecat', 'merchant', 'html'])

/**
 * The format of a source by its name, else by its first bytes; null for what nobody reads: XLS, archives other than ZIP, bills, and XML
 * of an unknown kind without a path to its records (`hasRecords`).
 */
export async function formatOf(source: ByteSource, { hasRecords = false } = {}): Promise<Format | null> {
  const named = formatOfName(source.name)
  if (named !== null && named !== 'xml' && named !== 'xls') return named
  try {
    const format = formatOfHead(await headOf(source))
    if (format === 'xml' || format === 'gaeb-xml' || format === 'onorm') return hasRecords ? 'xml' : null
    const found = FORMATS.find((known) => known === format) ?? null
    return named === 'xml' && found !== null && !MARKUP_FORMATS.has(found) ? null : found
  } catch (error) {
    // The reader fails in the same way and reports it.
    if (!(error instanceof UnreadableSource)) throw error
    return 'csv'
  }
}

/**
 * The format by the extension of a file name; "prices.csv.gz" counts as "prices.csv". `xml` and `xls` leave the format
 * to the content: shops write tables and pages under the name of a workbook. Null for files that a crawl of a folder or archive skips.
 */
export function formatOfName(name: string): Format | 'xls' | null {
  const extension = /\.([a-z0-9]+)$/i.exec(withoutGz(name))?.[1]?.toLowerCase() ?? ''
  const named = SYNONYMS.get(extension) ?? extension
  return EXTENSIONS.find((known) => known === named) ?? null
}
const EXTENSIONS = ['csv', 'jsonl', 'json', 'xlsx', 'xls', 'zip', 'bc3', 'xml', 'html'] as const
const SYNONYMS = new Map(Object.entries({ tsv: 'csv', ndjson: 'jsonl', xlsm: 'xlsx', htm: 'html' }))
