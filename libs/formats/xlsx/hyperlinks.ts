import { decodedText } from '@catalog/formats/xml/entities.ts'

/**
 * Texts of HYPERLINK formulas. Programs that write workbooks leave 0 as the stored value of =HYPERLINK("#Sheet!B2",104658), since
 * they compute nothing; a person sees 104658.
 */

/** Characters of one cell that are held back; a longer one passes as it is. */
const CELL_CHARS_MAX = 131_072
const CELL_START = '<c'

/** The same number of bytes of a sheet, with the text of each such formula as the value of its cell. */
export async function* withHyperlinkTexts(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held = ''
  for await (const chunk of chunks) {
    // A character for each byte, so that lengths stay.
    const text = held + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
    const last = lastCellStart(text)
    const end = text.length - last > CELL_CHARS_MAX ? text.length : last
    held = text.slice(end)
    if (end > 0) yield Buffer.from(withTexts(text.slice(0, end)), 'latin1')
  }
  if (held !== '') yield Buffer.from(withTexts(held), 'latin1')
}

/** Where the last cell begins, or may begin with the next chunk; the end of the text without one. */
function lastCellStart(text: string): number {
  const open = text.lastIndexOf('<')
  const cell = text.lastIndexOf(CELL_START)
  const isCut = open !== -1 && text.length - open < CELL_START.length
  return isCut && cell === -1 ? open : cell === -1 ? text.length : cell
}

/** A cell with such a formula and no stored value but 0. */
const CELL =
  /<((?:\w{1,20}:)?)c\b([^<>]*)>\s*<\1f\b[^<>]*>\s*HYPERLINK\s*\(([^<]*)\)\s*<\/\1f>\s*(?:<\1v>\s*0?\s*<\/\1v>|<\1v\/>)?\s*<\/\1c>/g

function withTexts(xml: string): string {
  if (!xml.includes('HYPERLINK')) return xml
  return xml.replace(CELL, (cell, prefix: string, attributes: string, args: string) => {
    const shown = shownText(args)
    if (shown === null) return cell
    const others = attributes.replace(/\st="[^"]*"/, '')
    const type = shown.isNumber ? '' : ' t="str"'
    const made = `<${prefix}c${others}${type}><${prefix}v>${shown.text}</${prefix}v></${prefix}c>`
    return made.length > cell.length ? cell : made.padEnd(cell.length)
  })
}

/** The last argument of the formula as markup; null for anything but a number or a quoted text. */
function shownText(args: string): { text: string; isNumber: boolean } | null {
  const [, last = ''] =
    /[,;]\s*(-?\d+(?:\.\d+)?|(?:&quot;|")(?:(?!&quot;|").)*(?:&quot;|"))\s*$/.exec(args.slice(-ARGUMENT_CHARS_MAX)) ??
    []
  const isNumber = /^-?\d/.test(last)
  if (isNumber) return { text: last, isNumber }
  const quoted = /^(?:&quot;|")(.*?)(?:&quot;|")$/.exec(last)?.[1]
  return quoted === undefined || decodedText(quoted).trim() === '' ? null : { text: quoted, isNumber }
}
/** Excel shows at most 255 characters of a quoted text. */
const ARGUMENT_CHARS_MAX = 2_000
