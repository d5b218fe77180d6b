import { decodeStream, type Encoding, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import { type ByteSource, RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

/** XML documents of any length, cut into records: the tree of one record at a time is in memory, and no more. */

export type XmlElement = Readonly<{
  /** As written, with its prefix: "g:price". */
  name: string
  /** Has no prototype, so an attribute may be called "constructor". */
  attributes: Readonly<Record<string, string>>
  /** Its own text without that of its children, trimmed, entities decoded. */
  text: string
  children: readonly XmlElement[]
}>

/** `number` counts records from 1, broken ones too; what is no record has the number of the last one before it. */
export type XmlFound = XmlWhole | XmlBroken
/** `raw` is its text as it stands. */
export type XmlWhole = Readonly<{ kind: 'record' | 'kept'; element: XmlElement; number: number; raw: string }>
export type XmlBroken = Readonly<{
  kind: 'broken'
  number: number
  /** As it stands, cut at the longest length of a record. */
  raw: string
  /** Upper snake case code, as of a broken record. */
  reason: string
  detail: string
  /** The document was not read to its end. */
  endsFile?: true
}>

/** Whether an element is meant, by its name as written and the names of the elements around it, the root first. */
type IsMeant = (name: string, path: readonly string[]) => boolean

export type XmlOptions = Readonly<{
  /** Asked of each element outside records. */
  isRecord: IsMeant
  /** Small elements outside records that are wanted as well. One may not hold a record. */
  isKept?: IsMeant | undefined
  /** What the operator says of the encoding. */
  encoding?: Encoding | undefined
  /** Told before the first record; the report holds once the last one was read. */
  onEncoding?: ((report: EncodingReport) => void) | undefined
  /** Longest record, in characters of its markup. */
  recordCharsMax?: number | undefined
}>

/** Elements that may be open at once; price lists nest some ten, and each further one costs memory until the end. */
export const XML_DEPTH_MAX = 100
/** Elements of one record, itself counted; product records have some hundred. */
export const RECORD_ELEMENTS_MAX = 10_000
/** Of a longer name the rest is not looked at. */
const NAME_CHARS_MAX = 1_000
/** Decoded text that is tokenized in one go: what one batch holds. */
const PIECE_CHARS = 65_536
/** Bytes at the head in which the XML declaration is looked for. */
const DECLARATION_BYTES_MAX = 1_024

/**
 * The records of a document, and the elements that are kept, in order, in batches. The encoding is that of the byte order
 * mark, else of the XML declaration, else UTF-8 (see encoding.ts for declarations that the bytes belie).
 *
 * Nothing is fetched and no entity is expanded but the five of XML and character references: a document type is skipped
 * whole, and `&nbsp;` stays as it stands. Comments and processing instructions are skipped. Never throws for what the
 * bytes hold; broken are
 * - RECORD_TOO_LONG: more characters than `recordCharsMax`, elements than {@link RECORD_ELEMENTS_MAX} or levels than
 *   {@link XML_DEPTH_MAX};
 * - BAD_XML: tags that do not nest. Reading goes on: an end tag closes what it names and all inside it, one that names
 *   nothing open is skipped, and the start of a record inside one of the same name and place ends that one. Outside
 *   records this is told once, as far as reading goes on;
 * - UNEXPECTED_END (ends the file): an element is still open at the end, or there was none.
 */
export async function* xmlRecords(
  source: ByteSource,
  options: XmlOptions,
): AsyncGenerator<readonly XmlFound[], void, undefined> {
  const { chunks, declared } = await declarationOf(source.open())
  const { report, text } = decodeStream(chunks, { given: options.encoding, declared })
  options.onEncoding?.(report)
  const prolog = new Prolog()
  const cutter = new RecordCutter(options)
  for await (const decoded of text) {
    for (let at = 0; at < decoded.length; at += PIECE_CHARS) {
      const found = cutter.push(prolog.rest(decoded.slice(at, at + PIECE_CHARS)))
      if (found.length > 0) yield found
    }
  }
  const last = cutter.end()
  if (last.length > 0) yield last
}

/** The first child of this name: as written, else by its local name, so that "price" finds "g:price" as well. */
export function child(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((one) => one.name === name) ?? element.children.find((one) => isLocally(one, name))
}

/** All children of this name, in order: as written or by their local name. */
export function children(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((one) => one.name === name || isLocally(one, name))
}

/** The text at the end of a path of first children; '' where one of them is missing. */
export function textOf(element: XmlElement, ...path: readonly string[]): string {
  let at: XmlElement | undefined = element
  for (const name of path) at = at === undefined ? undefined : child(at, name)
  return at?.text ?? ''
}

function isLocally({ name: written }: XmlElement, name: string): boolean {
  return written.endsWith(name) && written[written.length - name.length - 1] === ':'
}

/** The encoding that `<?xml … encoding="…"?>` names, and all chunks again. In UTF-16 the bytes say it themselves. */
async function declarationOf(
  source: AsyncIterable<Uint8Array>,
): Promise<{ chunks: AsyncIterable<Uint8Array>; declared: string | undefined }> {
  const iterator = source[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let head = ''
  let done = false
  while (head.length < DECLARATION_BYTES_MAX && !head.includes('>')) {
    const next = await iterator.next()
    done = next.done === true
    if (next.done === true) break
    held.push(next.value)
    const { buffer, byteOffset, byteLength } = next.value
    head += Buffer.from(buffer, byteOffset, Math.min(byteLength, DECLARATION_BYTES_MAX)).toString('latin1')
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* held
      while (!done) {
        const next = await iterator.next()
        if (next.done === true) done = true
        else yield next.value
      }
    } finally {
      // Whoever stops early must not leave the file or the connection open.
      if (!done) await iterator.return?.()
    }
  }
  return { chunks: chunks(), declared: /<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] }
}

/**
 * Skips what stands before the root element: comments, instructions and the document type, whose internal subset may hold
 * quoted markup that a tokenizer would take for elements. Holds a few characters at most.
 */
class Prolog {
  #place: 'outside' | 'doctype' | 'subset' | 'passed' = 'outside'
  /** The end of the comment, instruction or quoted text that is being skipped. */
  #until: string | null = null
  #held = ''

  /** What of a piece belongs to the root element or follows it. */
  rest(piece: string): string {
    if (this.#place === 'passed') return piece
    let text = this.#held + piece
    this.#held = ''
    for (;;) {
      if (this.#until !== null) {
        const at = text.indexOf(this.#until)
        if (at === -1) {
          this.#held = text.slice(Math.max(0, text.length - this.#until.length + 1))
          return ''
        }
        text = text.slice(at + this.#until.length)
        this.#until = null
      }
      const next = this.#place === 'outside' ? this.#nextOutside(text) : this.#nextInDoctype(text)
      if (next === null) {
        this.#held = this.#place === 'outside' ? text.trimStart() : (UNDECIDED.exec(text)?.[0] ?? '')
        return ''
      }
      text = next
      if ((this.#place as string) === 'passed') return text
    }
  }

  /** The text after the mark that decides how to go on; null where more of it is needed. */
  #nextOutside(text: string): string | null {
    // A byte order mark is white space here.
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
/** The end of a piece that may be the beginning of a comment or an instruction. */
const UNDECIDED = /<(?:!-?)?$/

/** An element that is still open. */
type Open = { name: string; attributes: Record<string, string>; text: string; children: Open[] }
/** The record, or kept element, that is being read. */
type Capture = {
  readonly kind: 'record' | 'kept'
  readonly number: number
  /** Index of its `<` in all tokenized text. */
  readonly start: number
  /** Its place among the open names. */
  readonly depth: number
  readonly name: string
  elements: number
  /** Why it is no record, as soon as it is none: nothing is built any more. */
  broken: Readonly<{ reason: string; detail: string }> | null
  /** Its text as it stands before the window. */
  before: string
  /** What is kept of it, once it was too long. */
  raw: string | null
}

/** Builds the elements that are meant from the tokens of a document. */
class RecordCutter implements TokenizerCallbacks {
  readonly #isRecord: IsMeant
  readonly #isKept: IsMeant
  readonly #charsMax: number
  // Entities are decoded here, where a text is whole: the tokenizer is faster without, and none is cut by a piece.
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false, recognizeSelfClosing: true }, this)
  /** The text that may still be asked for, and where it begins in all text. */
  #window = ''
  #windowStart = 0
  /** Where the last token ended: nothing before it is asked for. */
  #tokenEnd = 0
  /** Names of all open elements, and how many more are open that are too deep to be kept. */
  readonly #names: string[] = []
  #tooDeep = 0
  #sawElement = false
  #toldOutside = false
  #number = 0
  #capture: Capture | null = null
  /** The open elements of the capture; empty where it is broken. */
  #open: Open[] = []
  /** Text of the innermost one whose entities are not decoded yet. */
  #text = ''
  #attribute = ''
  #value = ''
  #found: XmlFound[] = []

  constructor({ isRecord, isKept = () => false, recordCharsMax = RECORD_CHARS_MAX }: XmlOptions) {
    this.#isRecord = isRecord
    this.#isKept = isKept
    this.#charsMax = recordCharsMax
  }

  push(piece: string): readonly XmlFound[] {
    if (piece === '') return []
    if (this.#capture?.raw === null) this.#capture.before += this.#rest(this.#capture, this.#tokenEnd)
    const from = Math.max(this.#windowStart, this.#tokenEnd)
    this.#window = this.#window.slice(from - this.#windowStart) + piece
    this.#windowStart = from
    this.#tokenizer.write(piece)
    this.#boundWindow()
    return this.#take()
  }

  end(): readonly XmlFound[] {
    this.#tokenizer.end()
    const within = this.#names.map((name) => `<${name}>`).join('')
    if (within === '' && this.#sawElement) return this.#take()
    const detail = this.#sawElement ? `the document ends inside ${within.slice(0, 200)}` : 'the document has no element'
    const raw = this.#capture === null ? '' : this.#rawUpTo(this.#windowStart + this.#window.length)
    this.#found.push({ kind: 'broken', number: this.#number, raw, reason: 'UNEXPECTED_END', detail, endsFile: true })
    return this.#take()
  }

  #take(): readonly XmlFound[] {
    const found = this.#found
    this.#found = []
    return found
  }

  /** A record is let go of when it is too long, and so is a comment or a tag without an end. */
  #boundWindow(): void {
    const end = this.#windowStart + this.#window.length
    const capture = this.#capture
    if (capture !== null && capture.raw === null && end - capture.start > this.#charsMax) this.#tooLong(capture)
    if (end - this.#tokenEnd <= this.#charsMax + PIECE_CHARS) return
    this.#windowStart = end
    this.#window = ''
  }

  #tooLong(capture: Capture): void {
    capture.raw = this.#rawUpTo(capture.start + this.#charsMax)
    capture.before = ''
    const detail = `<${capture.name}> is longer than ${this.#charsMax} characters`
    this.#break(capture, 'RECORD_TOO_LONG', detail)
    // Whatever else was wrong before: of so long a record one reading sees it and another, in longer pieces, does not.
    capture.broken = { reason: 'RECORD_TOO_LONG', detail }
  }

  #break(capture: Capture, reason: string, detail: string): void {
    capture.broken ??= { reason, detail }
    this.#open = []
    this.#text = ''
  }

  #slice(start: number, end: number): string {
    return this.#window.slice(Math.max(0, start - this.#windowStart), Math.max(0, end - this.#windowStart))
  }

  #rawUpTo(end: number): string {
    const capture = this.#capture as Capture
    return capture.raw ?? capture.before + this.#rest(capture, Math.min(end, capture.start + this.#charsMax))
  }

  /** What of a record's own text is still in the window. */
  #rest(capture: Capture, end: number): string {
    return this.#slice(Math.max(capture.start, this.#windowStart), end)
  }

  onopentagname(start: number, end: number): void {
    this.#tokenEnd = end
    this.#sawElement = true
    const name = this.#slice(start, Math.min(end, start + NAME_CHARS_MAX))
    const { name: around, depth = 0 } = this.#capture ?? {}
    if (name === around && this.#capture?.kind === 'record' && this.#isRecord(name, this.#names.slice(0, depth))) {
      this.#break(this.#capture, 'BAD_XML', `<${name}> is not closed before the next one begins`)
      this.#closeCapture(start - 1)
      this.#names.length = depth
      this.#tooDeep = 0
    }
    if (this.#names.length >= XML_DEPTH_MAX) {
      this.#tooDeep++
      const detail = `<${name.slice(0, 100)}> is more than ${XML_DEPTH_MAX} levels deep`
      if (this.#capture !== null) this.#break(this.#capture, 'RECORD_TOO_LONG', detail)
      else this.#tellOutside(detail)
      return
    }
    if (this.#capture === null) {
      const isRecord = this.#isRecord(name, this.#names)
      if (isRecord || this.#isKept(name, this.#names)) this.#beginCapture(name, start - 1, isRecord ? 'record' : 'kept')
    }
    this.#names.push(name)
    const capture = this.#capture
    if (capture === null || capture.broken !== null) return
    if (++capture.elements > RECORD_ELEMENTS_MAX) {
      const detail = `<${capture.name}> holds more than ${RECORD_ELEMENTS_MAX} elements`
      this.#break(capture, 'RECORD_TOO_LONG', detail)
      return
    }
    this.#flushText()
    const element: Open = { name, attributes: Object.create(null), text: '', children: [] }
    this.#open.at(-1)?.children.push(element)
    this.#open.push(element)
  }

  #beginCapture(name: string, start: number, kind: Capture['kind']): void {
    if (kind === 'record') this.#number++
    this.#capture = {
      kind,
      number: this.#number,
      start,
      name,
      depth: this.#names.length,
      elements: 0,
      broken: null,
      before: '',
      raw: null,
    }
    this.#text = ''
  }

  onattribname(start: number, end: number): void {
    this.#tokenEnd = end
    this.#attribute = this.#open.length === 0 ? '' : this.#slice(start, end)
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#tokenEnd = end
    if (this.#open.length > 0) this.#value += this.#slice(start, end)
  }

  onattribend(_quote: number, end: number): void {
    this.#tokenEnd = end
    const element = this.#open.at(-1)
    if (element === undefined || Object.hasOwn(element.attributes, this.#attribute)) return
    element.attributes[this.#attribute] = decoded(this.#value.replace(/[\t\r\n]/g, ' '))
  }

  onopentagend(end: number): void {
    this.#tokenEnd = end
  }

  onselfclosingtag(end: number): void {
    this.#tokenEnd = end
    if (this.#tooDeep > 0) this.#tooDeep--
    else this.#closeInnermost(end + 1)
  }

  onclosetag(start: number, end: number): void {
    this.#tokenEnd = end
    const name = this.#slice(start, Math.min(end, start + NAME_CHARS_MAX))
    if (this.#tooDeep > 0 && name !== this.#capture?.name) {
      this.#tooDeep--
      return
    }
    this.#tooDeep = 0
    const at = this.#names.lastIndexOf(name)
    if (at === this.#names.length - 1 && at !== -1) {
      this.#closeInnermost(end + 1)
      return
    }
    const detail =
      at === -1
        ? `</${name.slice(0, 100)}> closes nothing that is open`
        : `</${name.slice(0, 100)}> comes before </${this.#names.at(-1)?.slice(0, 100)}>`
    if (this.#capture === null) this.#tellOutside(detail)
    else this.#break(this.#capture, 'BAD_XML', detail)
    while (at !== -1 && this.#names.length > at) this.#closeInnermost(end + 1)
  }

  #closeInnermost(end: number): void {
    this.#names.pop()
    if (this.#capture?.depth === this.#names.length) {
      this.#closeCapture(end)
      return
    }
    if (this.#open.length === 0) return
    this.#flushText()
    const element = this.#open.pop() as Open
    element.text = element.text.trim()
  }

  #closeCapture(end: number): void {
    const capture = this.#capture as Capture
    if (capture.raw === null && end - capture.start > this.#charsMax) this.#tooLong(capture)
    const { kind, number } = capture
    const raw = this.#rawUpTo(end)
    if (capture.broken !== null) this.#found.push({ kind: 'broken', number, raw, ...capture.broken })
    else {
      this.#flushText()
      const element = this.#open[0] as Open
      element.text = element.text.trim()
      this.#found.push({ kind, element, number, raw: raw.endsWith('>') ? raw : `${raw}>` })
    }
    this.#capture = null
    this.#open = []
  }

  #tellOutside(detail: string): void {
    if (this.#toldOutside) return
    this.#toldOutside = true
    this.#found.push({ kind: 'broken', number: this.#number, raw: '', reason: 'BAD_XML', detail })
  }

  ontext(start: number, end: number): void {
    this.#tokenEnd = end
    if (this.#open.length > 0) this.#text += this.#slice(start, end)
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#tokenEnd = end
    const element = this.#open.at(-1)
    if (element === undefined) return
    this.#flushText()
    element.text += withLineFeeds(this.#slice(start, end - endOffset))
  }

  #flushText(): void {
    const element = this.#open.at(-1)
    if (element !== undefined && this.#text !== '') element.text += decoded(this.#text)
    this.#text = ''
  }

  oncomment(_start: number, end: number): void {
    this.#tokenEnd = end
    // An entity does not go on after it.
    this.#flushText()
  }
  ondeclaration(_start: number, end: number): void {
    this.#tokenEnd = end
  }
  onprocessinginstruction(_start: number, end: number): void {
    this.#tokenEnd = end
    this.#flushText()
  }
  onend(): void {}
  /** Not called without entities. */
  onattribentity(): void {}
  ontextentity(): void {}
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** A text with XML's own entities and character references decoded once; all others stay as they stand. */
function decoded(text: string): string {
  const lines = withLineFeeds(text)
  let at = lines.indexOf('&')
  if (at === -1) return lines
  let done = ''
  let from = 0
  // Cut by hand, because half of all texts hold an entity and a pattern with a function takes three times as long.
  for (let end = 0; at !== -1; at = lines.indexOf('&', at + 1)) {
    if (end <= at) end = lines.indexOf(';', at)
    if (end === -1) break
    const character = end - at > REFERENCE_CHARS_MAX ? null : characterOf(lines.slice(at + 1, end))
    if (character === null) continue
    done += lines.slice(from, at) + character
    from = end + 1
  }
  return done + lines.slice(from)
}

/** From the ampersand up to its semicolon: `&#1114111`. */
const REFERENCE_CHARS_MAX = 9

/** What a reference means, by what stands between ampersand and semicolon; null: nothing in XML itself. */
function characterOf(reference: string): string | null {
  const entity = ENTITIES.get(reference)
  if (entity !== undefined) return entity
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(reference) ?? []
  if (hex === undefined && decimal === undefined) return null
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  // No character: what was meant is lost, as a byte that cannot be decoded is.
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)
}

/** Line ends of any system as \n, as XML has it. */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
