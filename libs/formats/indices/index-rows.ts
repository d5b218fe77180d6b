import { decodeStream, encodingNamed } from '@catalog/formats/bytes/encoding.ts'
import { ExactNumber, parseExactJson } from '@catalog/formats/bytes/exact-json.ts'
import { type ByteSource, isBroken } from '@catalog/formats/bytes/record.ts'
import { readCsv } from '@catalog/formats/tables/csv.ts'
import { localName } from '@catalog/formats/xml/element.ts'
import { xmlRecords } from '@catalog/formats/xml/records.ts'
import type { IndexMapping } from './index-mapping.ts'

/** The rows of a file of a statistics office, whatever its format: texts by column. */
export type IndexRow = Readonly<{ position: string; fields: Readonly<Record<string, string>> }>

/** The file is not what the mapping says. The message names the file and the place. */
export class BadIndexFile extends Error {
  override name = 'BadIndexFile'
}

/** Far above the largest series of an office; a JSON text is parsed as a whole. */
export const INDEX_BYTES_MAX = 32 * 1024 ** 2
/** Arrays and objects on the path to the rows. */
const PATH_DEPTH_MAX = 10

/** Yields the rows of a file in its order. Throws BadIndexFile. */
export async function* indexRows(source: ByteSource, mapping: IndexMapping): AsyncGenerator<IndexRow, void, undefined> {
  if (mapping.format === 'csv') yield* csvRows(source, mapping)
  else if (mapping.format === 'json') yield* jsonRows(source, mapping)
  else yield* sdmxRows(source)
}

async function* csvRows(source: ByteSource, { delimiter, encoding, series = [], period, value }: IndexMapping) {
  const wanted = [...series, ...period, ...(value === undefined ? [] : [value])]
  const { text } = decodeStream(bounded(source), { given: encodingOf(encoding) })
  const isHeading = (columns: readonly string[]) => wanted.every((column) => columns.includes(column))
  let columns: readonly string[] = []
  const onHeading = (heading: { columns: readonly string[] }) => {
    columns = heading.columns
  }
  for await (const batch of readCsv(text, { name: source.name, delimiter, isHeading, onHeading })) {
    const missing = wanted.filter((column) => !columns.includes(column))
    if (missing.length > 0)
      throw new BadIndexFile(`${source.name}: expected the columns ${missing.join(', ')}, found ${columns.join(', ')}`)
    for (const record of batch) {
      if (isBroken(record)) throw new BadIndexFile(`${record.position}: ${record.reason}, ${record.detail}`)
      yield { position: record.position, fields: record.fields }
    }
  }
}

async function* jsonRows(source: ByteSource, { records }: IndexMapping): AsyncGenerator<IndexRow> {
  const chunks: string[] = []
  for await (const piece of decodeStream(bounded(source), {}).text) chunks.push(piece)
  let root: unknown
  try {
    root = parseExactJson(chunks.join(''))
  } catch (error) {
    throw new BadIndexFile(`${source.name}: expected JSON: ${(error as Error).message}`, { cause: error })
  }
  const steps = records === '.' ? [] : records.split('.')
  let count = 0
  for (const fields of rowsAt(root, steps, {}, 0)) yield { position: `${source.name} row ${++count}`, fields }
}

/** The objects at the end of the path, each with the texts of the objects above it. */
function* rowsAt(
  value: unknown,
  steps: readonly string[],
  lent: Readonly<Record<string, string>>,
  depth: number,
): Generator<Readonly<Record<string, string>>> {
  if (depth > PATH_DEPTH_MAX || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const one of value) yield* rowsAt(one, steps, lent, depth + 1)
    return
  }
  const own: Record<string, string> = Object.assign(Object.create(null), lent)
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'string') own[key] = member
    else if (member instanceof ExactNumber) own[key] = member.digits
  }
  const [step, ...further] = steps
  if (step === undefined) yield own
  else yield* rowsAt((value as Record<string, unknown>)[step], further, own, depth + 1)
}

/** The observations of SDMX-ML whose data set has a structure of its own: attributes of Series and of Obs. */
async function* sdmxRows(source: ByteSource): AsyncGenerator<IndexRow> {
  const isRecord = (name: string) => localName(name) === 'Series'
  let count = 0
  for await (const batch of xmlRecords({ ...source, open: () => bounded(source) }, { isRecord })) {
    for (const found of batch) {
      if (found.kind === 'broken')
        throw new BadIndexFile(`${source.name} series ${found.number}: ${found.reason}, ${found.detail}`)
      for (const one of found.element.children) {
        if (localName(one.name) !== 'Obs') continue
        const fields = Object.assign(Object.create(null), found.element.attributes, one.attributes)
        yield { position: `${source.name} observation ${++count}`, fields }
      }
    }
  }
}

async function* bounded(source: ByteSource): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of source.open()) {
    bytes += chunk.length
    if (bytes > INDEX_BYTES_MAX)
      throw new BadIndexFile(`${source.name}: more than ${INDEX_BYTES_MAX} bytes, expected a file of an index`)
    yield chunk
  }
}

function encodingOf(label: string | undefined) {
  if (label === undefined) return undefined
  const encoding = encodingNamed(label)
  if (encoding === null) throw new BadIndexFile(`encoding '${label}': expected one such as utf-8 or latin1`)
  return encoding
}
