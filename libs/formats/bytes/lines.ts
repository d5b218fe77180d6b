import { RECORD_CHARS_MAX } from './record.ts'

/** A line without its end, and its number in the input, from 1. `isCut`: it was too long, and its rest was skipped. */
export type Line = Readonly<{ text: string; number: number; isCut: boolean }>

/**
 * Splits decoded text into lines, one batch for each piece. Lines end with \n or \r\n, or with \r alone when the first
 * line end shows that (old Macintosh files). Cuts lines at {@link RECORD_CHARS_MAX}, so memory stays bounded.
 */
export async function* lines(pieces: AsyncIterable<string>): AsyncGenerator<Line[], void, undefined> {
  let end: string | null = null
  let rest = ''
  let number = 1
  let skipping = false
  let atStart = true
  for await (let piece of pieces) {
    if (atStart && piece.length > 0) {
      atStart = false
      if (piece.charCodeAt(0) === 0xfeff) piece = piece.slice(1)
    }
    if (end === null) {
      piece = rest + piece
      rest = ''
      // A \r at the very end may be half of \r\n.
      end = piece.includes('\n') ? '\n' : /\r[^\n]/.test(piece) ? '\r' : null
    }
    const batch: Line[] = []
    let from = 0
    if (end !== null) {
      for (let at = piece.indexOf(end); at !== -1; at = piece.indexOf(end, from)) {
        if (skipping) skipping = false
        else {
          const line = rest === '' ? piece.slice(from, at) : rest + piece.slice(from, at)
          batch.push(lineOf(line, number))
          rest = ''
        }
        number++
        from = at + 1
      }
    }
    if (!skipping) {
      rest += piece.slice(from)
      if (rest.length > RECORD_CHARS_MAX) {
        batch.push(lineOf(rest, number))
        rest = ''
        skipping = true
      }
    }
    if (batch.length > 0) yield batch
  }
  if (rest !== '' && !skipping) yield [lineOf(rest, number)]
}

function lineOf(text: string, number: number): Line {
  if (text.length > RECORD_CHARS_MAX) return { text: text.slice(0, RECORD_CHARS_MAX), number, isCut: true }
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, number, isCut: false }
}
