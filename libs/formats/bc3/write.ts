import { RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'
import iconv from 'iconv-lite'
import { type Bc3Charset, CHARSETS, encodableText, type KeptSeparators } from './charset.ts'
import type { Bc3Entry, RawEntry, Unread, VersionEntry } from './entries.ts'
import type { DiagnosticLog } from './entry-stream.ts'
import { type Column, type FieldLayout, LAYOUTS, type RecordLayout } from './layout.ts'

const WRITTEN_VERSION = 'FIEBDC-3/2020'

/** Approximate characters of one yielded piece. */
const PIECE_CHARS = 65_536
const END_OF_FILE = '\x1a'

export type WriteOptions = Readonly<{
  charset: Bc3Charset
  /** Receives every record that lost a character or is left out; see {@link encodableText}. */
  log?: DiagnosticLog | undefined
}>

/**
 * Writes entries as a FIEBDC-3/2020 file with CRLF line ends and a final 0x1A. Its ~V declares version and charset, and
 * is added when the first entry is none. Holds one piece at most.
 *
 * Law: reading the file gives the entries again. Exceptions are ~V's version and charset, and the losses in `log`:
 * separators inside texts, characters that the charset lacks, and cut records.
 */
export async function* writeBc3(
  batches: AsyncIterable<readonly Bc3Entry[]> | Iterable<readonly Bc3Entry[]>,
  { charset, log }: WriteOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encode = (text: string) => iconv.encode(text, CHARSETS[charset])
  let buffered = ''
  let isFirst = true
  for await (const batch of batches) {
    for (const entry of batch) {
      if (isFirst && entry.letter !== 'V') buffered += recordText(NO_VERSION, charset, log)
      isFirst = false
      buffered += recordText(entry, charset, log)
      if (buffered.length < PIECE_CHARS) continue
      yield encode(buffered)
      buffered = ''
    }
  }
  if (isFirst) buffered += recordText(NO_VERSION, charset, log)
  yield encode(buffered + END_OF_FILE)
}

/** The ~V of a file whose entries have none. */
const NO_VERSION = { ...LAYOUTS.V.blank(), letter: 'V', line: 1 } as VersionEntry

function recordText(entry: Bc3Entry, charset: Bc3Charset, log: DiagnosticLog | undefined): string {
  const { line } = entry
  if (entry.letter === 'raw' && entry.isCut) {
    log?.add({ line, code: 'RECORD_LEFT_OUT', message: `~${entry.of}: the end of the record is missing` })
    return ''
  }
  let [separators, characters] = [0, 0]
  const carry = (text: string, keeping: KeptSeparators = 'semicolons') => {
    const carried = encodableText(text, charset, keeping)
    separators += carried.separators
    characters += carried.characters
    return carried.text
  }
  const text =
    entry.letter === 'raw'
      ? rawText(entry, carry)
      : `~${entry.letter}|${fieldsOf(
          entry.letter === 'V' ? { ...entry, version: WRITTEN_VERSION, charset } : entry,
          carry,
        ).join('|')}|`
  const about = entry.letter === 'raw' ? entry.of : entry.letter
  const tell = (code: string, message: string) => log?.add({ line, code, message: `~${about}: ${message}` })
  if (separators > 0) tell('SEPARATOR_REPLACED', `${separators} of ~ | \\ ; inside texts`)
  if (characters > 0) tell('CHARACTER_REPLACED', `${characters} characters that ${charset} lacks`)
  const written = `${text.replaceAll('\n', '\r\n')}\r\n`
  if (written.length > RECORD_CHARS_MAX)
    tell('RECORD_TOO_LONG', `longer than the ${RECORD_CHARS_MAX} characters that readers accept`)
  return written
}

type Carry = (text: string, keeping?: KeptSeparators) => string

/** The raw text, whatever its layout. */
function rawText({ raw }: RawEntry, carry: Carry): string {
  return `~${carry(raw.slice(1), 'bars')}`
}

type Values = Readonly<Record<string, unknown>>

function fieldsOf(entry: Exclude<Bc3Entry, RawEntry>, carry: Carry): string[] {
  const values = listsOf(entry)
  const layout: RecordLayout = LAYOUTS[entry.letter]
  const fields = [
    ...layout.fields.map((field, at) => fieldText(field, { values, at, unread: entry.unread ?? [], carry })),
    ...(entry.rest ?? []).map((parts) => parts.map((part) => carry(part)).join('\\')),
  ]
  let length = fields.length
  while (length > layout.fieldsMin && fields[length - 1] === '') length--
  return fields.slice(0, Math.max(1, length))
}

/**
 * ~D with both lists. The list with percentages is written only when it says more, because older programs read the
 * other one.
 */
function listsOf(entry: Exclude<Bc3Entry, RawEntry>): Values {
  if (entry.letter !== 'D' && entry.letter !== 'Y') return entry
  const { lines, plainLines, unread = [] } = entry
  const isNeeded =
    plainLines !== undefined ||
    lines.some(({ percentages }) => percentages.length > 0) ||
    unread.some(({ field }) => field === LIST_WITH_PERCENTAGES)
  return { ...entry, plainLines: plainLines ?? lines, lines: isNeeded ? lines : [] }
}
const LIST_WITH_PERCENTAGES = 2

function fieldText(
  { head, each, firstMayLack }: FieldLayout,
  { values, at, unread, carry }: { values: Values; at: number; unread: readonly Unread[]; carry: Carry },
): string {
  const parts = head.map((column) => valueText(column, values, carry))
  if (each !== null) {
    for (const item of values[each.into] as readonly unknown[]) {
      for (const column of each.columns) {
        parts.push(valueText(column, column.name === '' ? { '': item } : (item as Values), carry))
      }
    }
  }
  for (const { field, subfield, text } of unread) {
    if (field !== at) continue
    while (parts.length <= subfield) parts.push('')
    parts[subfield] = carry(text)
  }
  if (firstMayLack && parts.length === head.length && parts[0] === '') parts.shift()
  const isPriceList = each?.columns.every(({ kind }) => kind === 'price' || kind === 'date') === true
  // The separator at the end of a field is optional, and no program prints it after a price.
  if (each !== null && !isPriceList && parts.length > head.length) return `${parts.join('\\')}\\`
  while (parts.at(-1) === '') parts.pop()
  return parts.join('\\')
}

function valueText({ name, kind, suffix }: Column, values: Values, carry: Carry): string {
  const value = values[name] ?? ''
  switch (kind) {
    case 'code':
      return `${carry(value as string)}${values[suffix as string]}`
    case 'words':
      return (value as readonly string[]).map((each) => `${carry(each, 'no semicolons')};`).join('')
    case 'date':
      return (value as string).split('-').toReversed().join('')
    case 'word':
    case 'text':
    case 'number':
    case 'price':
      return carry(value as string)
    default:
      return kind satisfies never
  }
}
