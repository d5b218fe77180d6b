import { decodedText } from '@catalog/formats/xml/entities.ts'
import { columnNumber } from './column-letters.ts'

/** A formula without a stored value, as programs write that leave the computing to Excel; `row` is from 1, `column` from 0. */
export type FormulaCell = Readonly<{ row: number; column: number; formula: string }>

/** Characters of a cell that are held back; a longer one passes unread. */
const CELL_CHARS_MAX = 131_072
/** Formulas without a value of one sheet; bills have some thousand. */
const FORMULAS_MAX = 100_000
const NAME = String.raw`(?:\w{1,20}:)?`
const CELL = new RegExp(
  String.raw`<${NAME}c\b([^<>]*)>\s*<${NAME}f\b[^<>]*>([^<]{1,2000})<\/${NAME}f>\s*(?:<${NAME}v\s*\/>|<${NAME}v>\s*<\/${NAME}v>)?\s*<\/${NAME}c>`,
  'g',
)

/** The same bytes of a sheet; tells each formula without a stored value. A formula that gives no text stored an empty one. */
export async function* tellFormulas(
  chunks: AsyncIterable<Uint8Array>,
  onFormula: (cell: FormulaCell) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held = ''
  let told = 0
  for await (const chunk of chunks) {
    // A character for each byte.
    held += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
    for (const [, attributes = '', formula = ''] of held.matchAll(CELL)) {
      const [, letters = '', row] = /\sr="([A-Z]{1,3})(\d{1,7})"/.exec(attributes) ?? []
      if (row === undefined || /\st="str"/.test(attributes) || ++told > FORMULAS_MAX) continue
      const text = decodedText(Buffer.from(formula, 'latin1').toString('utf8'))
      onFormula({ row: Number(row), column: columnNumber(letters) - 1, formula: text })
    }
    const open = Math.max(held.lastIndexOf('<c '), held.lastIndexOf(':c '))
    held = open < 0 || held.length - open > CELL_CHARS_MAX ? '' : held.slice(open)
    yield chunk
  }
}
