/**
 * Skips the prolog: comments, instructions and the document type, whose internal subset may quote markup that a
 * tokenizer would take for elements. Holds a few characters at most.
 */
export class Prolog {
  #place: 'outside' | 'doctype' | 'subset' | 'passed' = 'outside'
  /** The end mark of the construct that is being skipped. */
  #until: string | null = null
  #buffered = ''

  /** The part of a piece from the root element on. */
  rest(piece: string): string {
    if (this.#place === 'passed') return piece
    let text = this.#buffered + piece
    this.#buffered = ''
    for (;;) {
      if (this.#until !== null) {
        const at = text.indexOf(this.#until)
        if (at === -1) {
          this.#buffered = text.slice(Math.max(0, text.length - this.#until.length + 1))
          return ''
        }
        text = text.slice(at + this.#until.length)
        this.#until = null
      }
      const next = this.#place === 'outside' ? this.#nextOutside(text) : this.#nextInDoctype(text)
      if (next === null) {
        this.#buffered = this.#place === 'outside' ? text.trimStart() : (MARK_START.exec(text)?.[0] ?? '')
        return ''
      }
      text = next
      if ((this.#place as string) === 'passed') return text
    }
  }

  /** The text after the next decisive mark; null when more text is needed. */
  #nextOutside(text: string): string | null {
    // trimStart drops a byte order mark too.
    const trimmed = text.trimStart()
    if (trimmed.startsWith('<?')) return this.#skip(trimmed.slice(2), '?>')
    if (trimmed.startsWith('<!--')) return this.#skip(trimmed.slice(4), '-->')
    if (DOCTYPE_START.startsWith(trimmed.slice(0, DOCTYPE_START.length).toUpperCase())) {
      if (trimmed.length < DOCTYPE_START.length) return null
      this.#place = 'doctype'
      return trimmed.slice(DOCTYPE_START.length)
    }
    if (trimmed.length < 4 && '<!--'.startsWith(trimmed)) return null
    this.#place = 'passed'
    return trimmed
  }

  #nextInDoctype(text: string): string | null {
    const found = /["'[\]>]|<!--|<\?/.exec(text)
    if (found === null) return null
    const rest = text.slice(found.index + found[0].length)
    if (found[0] === '"' || found[0] === "'") return this.#skip(rest, found[0])
    if (found[0] === '<!--') return this.#skip(rest, '-->')
    if (found[0] === '<?') return this.#skip(rest, '?>')
    if (found[0] === '[') this.#place = 'subset'
    else if (found[0] === ']') this.#place = 'doctype'
    else if (this.#place === 'doctype') this.#place = 'outside'
    return rest
  }

  #skip(text: string, until: string): string {
    this.#until = until
    return text
  }
}

const DOCTYPE_START = '<!DOCTYPE'
/** The end of a piece that may start a comment or an instruction. */
const MARK_START = /<(?:!-?)?$/
