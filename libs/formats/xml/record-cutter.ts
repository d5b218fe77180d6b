import { RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import {
  AROUND_ATTRIBUTES_MAX,
  AROUND_CHARS_MAX,
  addText,
  copied,
  keepIn,
  type OpenElement,
  opened,
} from './ancestors.ts'
import type { XmlElement } from './element.ts'
import { decodedText, withLineFeeds } from './entities.ts'

/** Cuts the tokens of an XML document into records. */

/**
 * `number` counts records from 1, broken ones included. Other findings carry the number of the last record before them.
 */
export type XmlFound = XmlRecord | BrokenXmlRecord
/** `raw` is its markup as written. */
export type XmlRecord = Readonly<{
  kind: 'record' | 'kept'
  element: XmlElement
  number: number
  raw: string
  /**
   * The elements around it, the root first, with those kept before it as children; only where `hasAncestors` asks for them. Their
   * own texts have their entities still.
   */
  ancestors?: readonly XmlElement[]
}>
export type BrokenXmlRecord = Readonly<{
  kind: 'broken'
  number: number
  /** Its markup as written, cut at the longest length of a record. */
  raw: string
  /** Upper snake case code, as of a broken record. */
  reason: string
  detail: string
  /** The rest of the document was not read. */
  endsFile?: true
}>

/** Selects an element by its name as written and the names of its ancestors, the root first. */
type ElementFilter = (name: string, path: readonly string[]) => boolean

export type CutterOptions = Readonly<{
  /** Called for each element outside records. */
  isRecord: ElementFilter
  /** Selects small elements outside records to keep too. They must not contain a record. */
  isKept?: ElementFilter | undefined
  /** Gives each record the elements around it, whose kept children come with them alone. */
  hasAncestors?: boolean | undefined
  /** Longest record, in characters of its markup, and its elements. */
  recordCharsMax?: number | undefined
  elementsMax?: number | undefined
  /** Gives elements their texts as children named {@link TEXT} too, which keep their place between the others. */
  hasTexts?: boolean | undefined
}>

/** The name of a text among the children of an element. */
export const TEXT = '#text'

/** Elements open at once; price lists nest some ten, and each further one holds memory until the end. */
export const XML_DEPTH_MAX = 100
/** Elements of one record, itself included; product records have some hundred. */
export const RECORD_ELEMENTS_MAX = 10_000
/** Characters of an element name that are read. */
const NAME_CHARS_MAX = 1_000
/** Characters of decoded text in one batch. */
export const PIECE_CHARS = 65_536

/** The record, or kept element, in progress. */
type Capture = {
  readonly kind: 'record' | 'kept'
  readonly number: number
  /** Index of its `<` in all tokenized text. */
  readonly start: number
  /** Number of its ancestors. */
  readonly depth: number
  readonly name: string
  elements: number
  /** Why it is broken; elements are no longer built then. */
  broken: Readonly<{ reason: string; detail: string }> | null
  /** Its markup before the window. */
  before: string
  /** The kept part of a too long record. */
  raw: string | null
}

/** Characters of an unfinished `<name` behind a record, which ends it once the name is whole: they are not its own. */
const siblingStart = ({ name }: Capture) => 1 + name.length

/** Builds the selected elements from the tokens of a document. */
export class RecordCutter implements TokenizerCallbacks {
  readonly #isRecord: ElementFilter
  readonly #isKept: ElementFilter
  readonly #charsMax: number
  readonly #elementsMax: number
  readonly #hasAncestors: boolean
  readonly #hasTexts: boolean
  // This class decodes entities in whole texts: the tokenizer is faster without, and a piece may split an entity.
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false, recognizeSelfClosing: true }, this)
  /** Text that later tokens may need, and its offset in all text. */
  #window = ''
  #windowOffset = 0
  /** End of the last token: nothing before it is needed. */
  #tokenEnd = 0
  /** Names of all open elements, and the number of open elements beyond the depth limit. */
  readonly #names: string[] = []
  #skippedDepth = 0
  #hasElement = false
  #hasReportedOutside = false
  #number = 0
  #capture: Capture | null = null
  /** OpenElement elements of the capture; empty when it is broken. */
  #open: OpenElement[] = []
  /** The open elements outside records, where records come with them. */
  readonly #around: OpenElement[] = []
  /** Text of the innermost element, before its entities are decoded. */
  #text = ''
  #attribute = ''
  #value = ''
  #found: XmlFound[] = []

  constructor(options: CutterOptions) {
    this.#hasAncestors = options.hasAncestors ?? false
    this.#hasTexts = options.hasTexts ?? false
    this.#isRecord = options.isRecord
    this.#isKept = options.isKept ?? (() => false)
    this.#charsMax = options.recordCharsMax ?? RECORD_CHARS_MAX
    this.#elementsMax = options.elementsMax ?? RECORD_ELEMENTS_MAX
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

  /** Drops the text of a record, comment or tag that grows too long. */
  #boundWindow(): void {
    const end = this.#windowOffset + this.#window.length
    const capture = this.#capture
    if (capture !== null && capture.raw === null && end - capture.start > this.#charsMax + siblingStart(capture)) {
      this.#breakTooLong(capture)
    }
    if (end - this.#tokenEnd <= this.#charsMax + PIECE_CHARS) return
    this.#windowOffset = end
    this.#window = ''
  }

  #breakTooLong(capture: Capture): void {
    capture.raw = this.#rawUpTo(capture.start + this.#charsMax)
    capture.before = ''
    const detail = `<${capture.name}> is longer than ${this.#charsMax} characters`
    this.#break(capture, 'RECORD_TOO_LONG', detail)
    // Overwrite any other reason: whether a reading finds it in so long a record depends on its pieces.
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
    return capture.raw ?? (capture.before + this.#rest(capture, end)).slice(0, this.#charsMax)
  }

  /** The part of a record's markup that is still in the window. */
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
    if (capture === null && this.#hasAncestors) this.#around.push(opened(name))
    if (capture === null || capture.broken !== null) return
    if (++capture.elements > this.#elementsMax) {
      const detail = `<${capture.name}> holds more than ${this.#elementsMax} elements`
      this.#break(capture, 'RECORD_TOO_LONG', detail)
      return
    }
    this.#flushText()
    const element = opened(name)
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
    this.#attribute = this.#tagged() === undefined ? '' : this.#slice(start, end)
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#tokenEnd = end
    if (this.#tagged() === undefined) return
    const room = this.#open.length > 0 ? this.#charsMax : AROUND_CHARS_MAX - this.#value.length
    this.#value += this.#slice(start, Math.min(end, start + room))
  }

  onattribend(_quote: number, end: number): void {
    this.#tokenEnd = end
    const element = this.#tagged()
    if (element === undefined || Object.hasOwn(element.attributes, this.#attribute)) return
    if (this.#open.length === 0 && Object.keys(element.attributes).length >= AROUND_ATTRIBUTES_MAX) return
    element.attributes[this.#attribute] = decodedText(this.#value.replace(/[\t\r\n]/g, ' '))
  }

  /** The element whose tag is read, where anybody needs its attributes. */
  #tagged(): OpenElement | undefined {
    if (this.#capture !== null) return this.#open.at(-1)
    return this.#skippedDepth > 0 ? undefined : this.#around.at(-1)
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
    if (this.#capture === null && this.#around.length > this.#names.length) this.#around.length = this.#names.length
    if (this.#open.length === 0) return
    this.#flushText()
    const element = this.#open.pop() as OpenElement
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
      const element = this.#open[0] as OpenElement
      element.text = element.text.trim()
      const whole = raw.endsWith('>') ? raw : `${raw}>`
      if (!this.#hasAncestors) this.#found.push({ kind, element, number, raw: whole })
      else if (kind === 'kept') keepIn(this.#around.at(-1), element)
      else this.#found.push({ kind, element, number, raw: whole, ancestors: this.#around.map(copied) })
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
    else if (this.#capture === null) addText(this.#around.at(-1), this.#slice(start, end))
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#tokenEnd = end
    const element = this.#open.at(-1)
    if (element === undefined) return
    this.#flushText()
    this.#addText(element, withLineFeeds(this.#slice(start, end - endOffset)))
  }

  #flushText(): void {
    const element = this.#open.at(-1)
    if (element !== undefined && this.#text !== '') this.#addText(element, decodedText(this.#text))
    this.#text = ''
  }

  #addText(element: OpenElement, text: string): void {
    element.text += text
    if (this.#hasTexts) element.children.push({ ...opened(TEXT), text })
  }

  oncomment(_start: number, end: number): void {
    this.#tokenEnd = end
    // A comment ends an entity.
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
  /** The tokenizer never calls these without entity decoding. */
  onattribentity(): void {}
  ontextentity(): void {}
}
