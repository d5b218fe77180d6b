/**
 * One readable record of an input. Readers yield batches, because a promise for each row of a file of gigabytes would
 * cost more than parsing it.
 */
export type RawRecord = Readonly<{
  /** Where the record starts, for people: "prices.zip/june.csv line 17". */
  position: string
  /** The record as written (a spreadsheet row as JSON), cut at {@link RECORD_CHARS_MAX}. */
  raw: string
  /**
   * Texts by column name, as written. Not of Object, so a column may be called "constructor"; a record of several inherits the texts
   * that they share.
   */
  fields: Readonly<Record<string, string>>
  /** Columns whose text is a number of the format itself (JSON, XLSX, BC3): a point, and no thousands. */
  numbers?: ReadonlySet<string>
  /** What the format of a cell shows beside its number, by column: "€", "USD", "%". */
  marks?: ReadonlyMap<string, string>
}>
export type BrokenRecord = Readonly<{
  position: string
  raw: string
  /** Upper snake case code, as in RecordParked. */
  reason: string
  detail: string
  /** The vendor's reference, where the reader knows it. */
  vendorRef?: string
  /** The input could not be read beyond it. */
  endsFile?: true
  /** The input breaks a limit that no price list needs: none of its records count. */
  refusesFile?: true
}>
export type ReadRecord = RawRecord | BrokenRecord
export type RecordBatches = AsyncGenerator<readonly ReadRecord[], void, undefined>

const PRICE: ReadonlySet<string> = new Set(['price'])

/** A record of a format that defines its columns; `isExact`: its price is a number of the format. */
export function definedRecord(
  { position, raw, isExact = true }: Readonly<{ position: string; raw: string; isExact?: boolean }>,
  values: Readonly<Record<string, string>>,
): RawRecord {
  const fields = Object.assign(Object.create(null), values)
  return isExact ? { position, raw, fields, numbers: PRICE } : { position, raw, fields }
}

export function isBroken(record: ReadRecord): record is BrokenRecord {
  return 'reason' in record
}

/** Longest parsed record (CSV row, JSON line, BC3 concept); a longer one is one broken record. */
export const RECORD_CHARS_MAX = 1_048_576
/** Lines of one quoted CSV row before its quote counts as unclosed; bounds the lines that are read twice. */
export const RECORD_LINES_MAX = 200
/** Columns of a table; Excel allows 16,384, price lists have dozens. */
export const COLUMNS_MAX = 1_000
/** Cells of one sheet, with the blank ones up to the last of each row: Excel's longest list of 90 columns. */
export const CELLS_MAX = 100_000_000
/** Cells for each byte of a sheet. A cell takes some 20 bytes; one in the last column claims 16,384 in 24. */
export const CELLS_PER_BYTE_MAX = 10
/** A high number of cells for each byte is harmless below this total. */
export const CELLS_MATTER = 5_000_000
/** Characters of one spreadsheet cell: Excel's own limit. */
export const CELL_CHARS_MAX = 32_767
/** Characters of all cells for each packed byte of a workbook. Price lists have some 10; one shared string can have millions. */
export const CHARS_PER_BYTE_MAX = 100
/** A high number of characters for each byte is harmless below this total. */
export const CHARS_MATTER = 4 * 1024 ** 2
/** Records of one yielded batch, at most, where the reader can choose. */
export const BATCH_RECORDS = 100
/** Characters that are split into fields at once. */
export const BATCH_CHARS = 1_048_576

/**
 * An input that can be read repeatedly: for its head, for a sample, for its records. `whole` serves random access: the
 * path of a file, or all bytes of a source without one.
 */
export type ByteSource = Readonly<{
  /** Its name in positions: "prices.csv", "prices.zip/june.csv". */
  name: string
  open(): AsyncIterable<Uint8Array>
  whole(): Promise<string | Buffer>
}>

/** A source of bytes in memory. */
export function bytesSource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    async *open() {
      yield bytes
    },
    whole: async () => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  }
}
