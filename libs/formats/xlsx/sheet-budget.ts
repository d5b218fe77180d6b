import {
  CELLS_MATTER,
  CELLS_MAX,
  CELLS_PER_BYTE_MAX,
  CHARS_MATTER,
  CHARS_PER_BYTE_MAX,
} from '@catalog/formats/bytes/record.ts'
import { columnNumber } from './column-letters.ts'

/** Ends the reading of a sheet that needs more than its budget. */
class OverBudget extends Error {
  override name = 'OverBudget'
}

/**
 * Counts what a sheet makes of its bytes, and throws {@link OverBudget} where that is more than a price list needs:
 * TOO_MANY_CELLS for blank cells that a cell in a far column claims, EXPANDS_TOO_MUCH for shared strings that many
 * cells repeat.
 */
export class SheetBudget {
  /** Bytes of the workbook's parts in the archive. */
  packedBytes = 0
  #excess: Readonly<{ reason: string; detail: string }> | null = null
  #bytes = 0
  #cells = 0
  /** Cells that the present row has claimed so far. */
  #width = 0
  #chars = 0

  /** Why the sheet ended; null while it keeps its budget. */
  get excess(): Readonly<{ reason: string; detail: string }> | null {
    return this.#excess
  }

  /** The same bytes of a sheet, counted before anybody makes rows of them. */
  async *counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    let cut = ''
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const text = cut + bytes.toString('latin1')
      this.#bytes += chunk.byteLength
      const end = this.#countCells(text)
      // The chunk may end inside a reference.
      cut = text.slice(Math.max(end, text.length - REFERENCE_CHARS_MAX))
      this.#checkCells()
      yield chunk
    }
  }

  /** Counts the characters of a row's cells. */
  addChars(chars: number): void {
    this.#chars += chars
    if (this.#chars <= CHARS_MATTER || this.#chars <= CHARS_PER_BYTE_MAX * this.packedBytes) return
    const most = `at most ${CHARS_PER_BYTE_MAX} for each of its ${this.packedBytes} packed bytes`
    this.#end('EXPANDS_TOO_MUCH', `the cells up to here have ${this.#chars} characters: ${most}`)
  }

  /** Returns where the last match ended. */
  #countCells(text: string): number {
    let end = 0
    for (const match of text.matchAll(ROW_OR_REFERENCE)) {
      end = match.index + match[0].length
      const [, column] = match
      if (column !== undefined) this.#width = Math.max(this.#width, columnNumber(column))
      else {
        this.#cells += this.#width
        this.#width = 0
      }
    }
    return end
  }

  #checkCells(): void {
    const cells = this.#cells + this.#width
    if (cells <= CELLS_MATTER || (cells <= CELLS_MAX && cells <= CELLS_PER_BYTE_MAX * this.#bytes)) return
    const most = `at most ${CELLS_MAX}, and ${CELLS_PER_BYTE_MAX} for each of its ${this.#bytes} bytes`
    this.#end('TOO_MANY_CELLS', `the sheet claims ${cells} cells up to here, with the blank ones of its rows: ${most}`)
  }

  #end(reason: string, detail: string): never {
    this.#excess = { reason, detail }
    throw new OverBudget(detail)
  }
}

/** The beginning of a row, or the reference of a cell: "BC12". Other values that look like one count as one. */
const ROW_OR_REFERENCE = /<(?:\w{1,20}:)?row\b|["']([A-Z]{1,3})\d{1,7}["']/gi
const REFERENCE_CHARS_MAX = 30
