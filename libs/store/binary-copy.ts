/**
 * Rows in PostgreSQL's binary COPY format: https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format". Parameters of a
 * statement have the same form.
 */

/** Cells of bytea hold hexadecimal text, cells of timestamptz ISO 8601 text with Z. */
export type CellType = 'int4' | 'int8' | 'text' | 'text[]' | 'bytea' | 'timestamptz'
export type Cells = readonly (string | number | bigint | readonly string[] | null)[]
/** The fields of one row as Postgres sends them, in network byte order. */
export type BinaryRow = (Buffer | null)[]

/** PostgreSQL counts microseconds from 2000-01-01. */
const EPOCH_2000_MS = Date.UTC(2000, 0, 1)
/** Signature, flags and the length of the header's extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** A UTF-16 code unit needs at most this many bytes of UTF-8. */
const UTF8_BYTES_MAX = 3
const FIXED_BYTES_MAX = 8
const LENGTH_BYTES = 4
/** Dimensions, flags, the type of elements, their number and the first subscript. */
const ARRAY_HEADER_BYTES = 20
const TEXT_OID = 25

/** Encodes rows. Throws on a cell that its column's type cannot hold. */
export function encodeRows(types: readonly CellType[], rows: readonly Cells[]): Buffer {
  const bytes = Buffer.allocUnsafe(encodedBytesMax(types, rows))
  const writers = types.map((type) => WRITERS[type]())
  let at = HEADER.copy(bytes)
  for (const row of rows) {
    at = bytes.writeInt16BE(writers.length, at)
    for (let i = 0; i < writers.length; i++) {
      const cell = row[i] ?? null
      at = cell === null ? bytes.writeInt32BE(-1, at) : (writers[i] as Writer)(bytes, cell, at)
    }
  }
  at = bytes.writeInt16BE(-1, at)
  return bytes.subarray(0, at)
}

/** An upper bound from the lengths of texts: measuring their exact UTF-8 lengths would double the time for long texts. */
function encodedBytesMax(types: readonly CellType[], rows: readonly Cells[]): number {
  let size = HEADER.length + 2 + rows.length * (2 + types.length * (LENGTH_BYTES + FIXED_BYTES_MAX))
  for (const [i, type] of types.entries()) {
    if (type !== 'text' && type !== 'bytea' && type !== 'text[]') continue
    for (const row of rows) {
      const cell = row[i] ?? ''
      if (Array.isArray(cell)) size += ARRAY_HEADER_BYTES + cell.length * LENGTH_BYTES
      size += String(cell).length * UTF8_BYTES_MAX
    }
  }
  return size
}

/** Writes the length and the bytes of a cell; returns the place behind them. */
type Writer = (bytes: Buffer, cell: Exclude<Cells[number], null>, at: number) => number

/** A writer for each column of a table, which may remember what it wrote last. */
const WRITERS: Readonly<Record<CellType, () => Writer>> = {
  int4: () => (bytes, cell, at) => bytes.writeInt32BE(Number(cell), bytes.writeInt32BE(4, at)),
  int8: () => (bytes, cell, at) => {
    const start = bytes.writeInt32BE(8, at)
    return typeof cell === 'number'
      ? writeInt8(bytes, cell, start)
      : bytes.writeBigInt64BE(BigInt(cell as string | bigint), start)
  },
  timestamptz() {
    // Many rows of a batch share an instant.
    let [last, lastUs]: [unknown, number] = [undefined, Number.NaN]
    return (bytes, cell, at) => {
      if (cell !== last) [last, lastUs] = [cell, microseconds(cell)]
      return writeInt8(bytes, lastUs, bytes.writeInt32BE(8, at))
    }
  },
  text: () => writeText,
  'text[]': () => (bytes, cell, at) => {
    const elements = cell as readonly string[]
    const header = [elements.length > 0 ? 1 : 0, 0, TEXT_OID, ...(elements.length > 0 ? [elements.length, 1] : [])]
    const start = at + LENGTH_BYTES
    const first = header.reduce((end, field) => bytes.writeInt32BE(field, end), start)
    const end = elements.reduce((end, element) => writeText(bytes, element, end), first)
    bytes.writeInt32BE(end - start, at)
    return end
  },
  bytea: () => (bytes, cell, at) => {
    const text = String(cell)
    const length = bytes.write(text, at + LENGTH_BYTES, 'hex')
    // Buffer.write stops silently at the first character that is not a hexadecimal digit; Postgres would refuse it.
    if (length * 2 !== text.length) throw new InvalidHexadecimal(text)
    return bytes.writeInt32BE(length, at) + length
  },
}

const writeText: Writer = (bytes, cell, at) => {
  const length = bytes.write(String(cell), at + LENGTH_BYTES, 'utf8')
  return bytes.writeInt32BE(length, at) + length
}

/** Carries the SQLSTATE that Postgres gives for the same text. */
class InvalidHexadecimal extends Error {
  override name = 'InvalidHexadecimal'
  readonly code = '22023'
  constructor(text: string) {
    super(`'${text.slice(0, 100)}': expected whole bytes as hexadecimal digits`)
  }
}

/** Writes a number as int8, several times as fast as through a bigint. Throws RangeError beyond 53 bits. */
function writeInt8(bytes: Buffer, integer: number, at: number): number {
  if (!Number.isSafeInteger(integer)) throw new RangeError(`${integer}: expected an integer of at most 53 bits`)
  return bytes.writeUInt32BE(integer >>> 0, bytes.writeInt32BE(Math.floor(integer / 2 ** 32), at))
}

/** Microseconds since 2000; NaN where the text is not an instant. */
const microseconds = (instant: Exclude<Cells[number], null>) => (Date.parse(String(instant)) - EPOCH_2000_MS) * 1000

/** Texts as a parameter of type text[], which is Buffer and therefore binary: neither side escapes or parses it. */
export function textsParameter(texts: readonly string[]): Buffer {
  const bytesMax = texts.reduce((sum, text) => sum + LENGTH_BYTES + text.length * UTF8_BYTES_MAX, ARRAY_HEADER_BYTES)
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + bytesMax)
  return bytes.subarray(LENGTH_BYTES, WRITERS['text[]']()(bytes, texts, 0))
}

/** Decodes a whole COPY answer; the fields are views of its bytes. */
export function decodeRows(bytes: Buffer): BinaryRow[] {
  const rows: BinaryRow[] = []
  for (let at = HEADER.length; ; ) {
    const fieldCount = bytes.readInt16BE(at)
    if (fieldCount < 0) return rows
    at += 2
    const row: BinaryRow = []
    for (let field = 0; field < fieldCount; field++) {
      const length = bytes.readInt32BE(at)
      at += LENGTH_BYTES
      row.push(length < 0 ? null : bytes.subarray(at, at + length))
      at += Math.max(0, length)
    }
    rows.push(row)
  }
}
