import { RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { XmlElement } from './element.ts'
import { decodedText, withLineFeeds } from './entities.ts'

/** Cuts the tokens of an XML document into records. */

/** `number` counts records from 1, broken ones too; what is no record has the number of the last one before it. */
export type XmlFound = XmlRecord | BrokenXmlRecord
/** `raw` is its text as it stands. */
export type XmlRecord = Readonly<{ kind: 'record' | 'kept'; element: XmlElement; number: number; raw: string }>
export type BrokenXmlRecord = Readonly<{
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
type ElementFilter = (name: string, path: readonly string[]) => boolean

export type CutterOptions = Readonly<{
  /** Asked of each element outside records. */
  isRecord: ElementFilter
  /** Small elements outside records that are wanted as well. One may not hold a record. */
  isKept?: ElementFilter | undefined
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
export const PIECE_CHARS = 65_536

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
export class RecordCutter implements TokenizerCallbacks {
  readonly #isRecord: ElementFilter
  readonly #isKept: ElementFilter
  readonly #charsMax: number
  // Entities are decoded here, where a text is whole: the tokenizer is faster without, and none is cut by a piece.
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false, recognizeSelfClosing: true }, this)
  /** The text that may still be asked for, and where it begins in all text. */
  #window = ''
  #windowOffset = 0
  /** Where the last token ended: nothing before it is asked for. */
  #tokenEnd = 0
  /** Names of all open elements, and how many more are open that are too deep to be kept. */
  readonly #names: string[] = []
  #skippedDepth = 0
  #hasElement = false
  #hasReportedOutside = false
  #number = 0
  #capture: Capture | null = null
  /** The open elements of the capture; empty where it is broken. */
  #open: Open[] = []
  /** Text of the innermost one whose entities are not decoded yet. */
  #text = ''
  #attribute = ''
  #value = ''
  #found: XmlFound[] = []

  constructor({ isRecord, isKept = () => false, recordCharsMax = RECORD_CHARS_MAX }: CutterOptions) {
    this.#isRecord = isRecord
    this.#isKept = isKept
    this.#charsMax = recordCharsMax
  }

  push(piece: string): readonly XmlFound[] {
    if (piece === '') return []
    if (this.#capture?.raw === null) this.#capture.before += this.#rest(this.#capture, this.#tokenEnd)
    const from = Math.max(this.#windowOffset, this.#tokenEnd)
    this.#window = this.#window.slice(from - this.#windowOffset) + piece
    this.#windowOffset = from
    this.#tokenizer.write(piece)
    this.#boundWindow()
    return this.#take()
  }

  end(): readonly XmlFound[] {
    this.#tokenizer.end()
    const within = this.#names.map((name) => `<${name}>`).join('')
    if (within === '' && this.#hasElement) return this.#take()
    const detail = this.#hasElement ? `the document ends inside ${within.slice(0, 200)}` : 'the document has no element'
    const raw = this.#capture === null ? '' : this.#rawUpTo(this.#windowOffset + this.#window.length)
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
    const end = this.#windowOffset + this.#window.length
    const capture = this.#capture
    if (capture !== null && capture.raw === null && end - capture.start > this.#charsMax) this.#breakTooLong(capture)
    if (end - this.#tokenEnd <= this.#charsMax + PIECE_CHARS) return
    this.#windowOffset = end
    this.#window = ''
  }

  #breakTooLong(capture: Capture): void {
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
    return this.#window.slice(Math.max(0, start - this.#windowOffset), Math.max(0, end - this.#windowOffset))
  }

  #rawUpTo(end: number): string {
    const capture = this.#capture as Capture
    return capture.raw ?? capture.before + this.#rest(capture, Math.min(end, capture.start + this.#charsMax))
  }

  /** What of a record's own text is still in the window. */
  #rest(capture: Capture, end: number): string {
    return this.#slice(Math.max(capture.start, this.#windowOffset), end)
  }

  onopentagname(start: number, end: number): void {
    this.#tokenEnd = end
    this.#hasElement = true
    const name = this.#slice(start, Math.min(end, start + NAME_CHARS_MAX))
    const { name: around, depth = 0 } = this.#capture ?? {}
    if (name === around && this.#capture?.kind === 'record' && this.#isRecord(name, this.#names.slice(0, depth))) {
      this.#break(this.#capture, 'BAD_XML', `<${name}> is not closed before the next one begins`)
      this.#closeCapture(start - 1)
      this.#names.length = depth
      this.#skippedDepth = 0
    }
    if (this.#names.length >= XML_DEPTH_MAX) {
      this.#skippedDepth++
      const detail = `<${name.slice(0, 100)}> is more than ${XML_DEPTH_MAX} levels deep`
      if (this.#capture !== null) this.#break(this.#capture, 'RECORD_TOO_LONG', detail)
      else this.#reportOutside(detail)
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
    element.attributes[this.#attribute] = decodedText(this.#value.replace(/[\t\r\n]/g, ' '))
  }

  onopentagend(end: number): void {
    this.#tokenEnd = end
  }

  onselfclosingtag(end: number): void {
    this.#tokenEnd = end
    if (this.#skippedDepth > 0) this.#skippedDepth--
    else this.#closeInnermost(end + 1)
  }

  onclosetag(start: number, end: number): void {
    this.#tokenEnd = end
    const name = this.#slice(start, Math.min(end, start + NAME_CHARS_MAX))
    if (this.#skippedDepth > 0 && name !== this.#capture?.name) {
      this.#skippedDepth--
      return
    }
    this.#skippedDepth = 0
    const at = this.#names.lastIndexOf(name)
    if (at === this.#names.length - 1 && at !== -1) {
      this.#closeInnermost(end + 1)
      return
    }
    const detail =
      at === -1
        ? `</${name.slice(0, 100)}> closes nothing that is open`
        : `</${name.slice(0, 100)}> comes before </${this.#names.at(-1)?.slice(0, 100)}>`
    if (this.#capture === null) this.#reportOutside(detail)
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
    if (capture.raw === null && end - capture.start > this.#charsMax) this.#breakTooLong(capture)
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

  #reportOutside(detail: string): void {
    if (this.#hasReportedOutside) return
    this.#hasReportedOutside = true
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
    if (element !== undefined && this.#text !== '') element.text += decodedText(this.#text)
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
