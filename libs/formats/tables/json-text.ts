/**
 * The values of a JSON document by their places in its text, so that a record can be cut out as it stands and none but
 * one record at a time is ever built: 16 MiB of small objects would be a gigabyte of them.
 */
export type JsonPlace = Readonly<{ at: number; end: number }>
/** `from` is where its key begins; an element of an array has its number as key, from 0, and begins at itself. */
export type JsonMember = JsonPlace & Readonly<{ key: string; from: number }>

/** The text is no JSON. What stands inside of a value is looked at by whoever parses that value. */
export class BadJson extends Error {
  override name = 'BadJson'
}

/** The one value of a document. Throws BadJson when brackets or quotes stay open, or something stands after it. */
export function rootOf(text: string): JsonPlace {
  const at = afterBlanks(text, 0)
  const end = endOfValue(text, at)
  const rest = afterBlanks(text, end)
  if (rest < text.length) throw new BadJson(`expected the end of the document ${placed(text, rest)}`)
  if (text[at] !== '{' && text[at] !== '[') checkScalar(text, { at, end })
  return { at, end }
}

function checkScalar(text: string, { at, end }: JsonPlace): void {
  try {
    JSON.parse(text.slice(at, end))
  } catch (cause) {
    throw new BadJson(`expected JSON ${placed(text, at)}`, { cause })
  }
}

/** Kind of the value that begins here; `other` is a number or a boolean. */
export function kindAt(text: string, at: number): 'object' | 'array' | 'text' | 'null' | 'other' {
  switch (text[at]) {
    case '{':
      return 'object'
    case '[':
      return 'array'
    case '"':
      return 'text'
    case 'n':
      return 'null'
    default:
      return 'other'
  }
}

/** The members of the object or array that begins here, in the order of the text; none of any other value. */
export function* membersAt(text: string, container: number): Generator<JsonMember, void, undefined> {
  const kind = kindAt(text, container)
  if (kind !== 'object' && kind !== 'array') return
  const close = kind === 'object' ? '}' : ']'
  let at = afterBlanks(text, container + 1)
  for (let number = 0; number > 0 || text[at] !== close; number++) {
    const from = at
    let key = String(number)
    if (kind === 'object') {
      const end = text[at] === '"' ? endOfText(text, at) : at
      key = keyOf(text, { at, end })
      at = afterBlanks(text, end)
      if (text[at] !== ':') throw new BadJson(`expected ':' ${placed(text, at)}`)
      at = afterBlanks(text, at + 1)
    }
    const end = endOfValue(text, at)
    yield { key, from, at, end }
    at = afterBlanks(text, end)
    if (text[at] === close) return
    if (text[at] !== ',') throw new BadJson(`expected ',' or '${close}' ${placed(text, at)}`)
    at = afterBlanks(text, at + 1)
  }
}

function keyOf(text: string, { at, end }: JsonPlace): string {
  try {
    const key: unknown = JSON.parse(text.slice(at, end))
    if (typeof key === 'string') return key
  } catch {}
  throw new BadJson(`expected a key in quotes ${placed(text, at)}`)
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, BLANK] = [9, 10, 13, 32]
const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92]
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [91, 93, 123, 125]

function afterBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

function isBlank(code: number): boolean {
  return code === BLANK || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB
}

/** Brackets are counted and not told apart: a value that mixes them up is cut out somewhere, and parsing it fails. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfText(text, at) - 1
      if (depth === 0) return at + 1
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) depth++
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      depth--
      if (depth === 0) return at + 1
      if (depth < 0) return endOfScalar(text, { at: from, end: at })
    } else if (depth === 0 && (code === COMMA || isBlank(code))) return endOfScalar(text, { at: from, end: at })
  }
  if (depth > 0) throw new BadJson(`the text ends inside of what begins ${placed(text, from)}`)
  return endOfScalar(text, { at: from, end: text.length })
}

function endOfScalar(text: string, { at, end }: JsonPlace): number {
  if (end === at) throw new BadJson(`expected a value ${placed(text, at)}`)
  return end
}

function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at++
  }
  throw new BadJson(`the text ends inside of the quotes that open ${placed(text, from)}`)
}

/** Characters that a message shows of the place where it went wrong. */
const SHOWN_CHARS = 40
function placed(text: string, at: number): string {
  if (at >= text.length) return 'at the end of the text'
  return `at character ${at + 1}: ${JSON.stringify(text.slice(at, at + SHOWN_CHARS))}`
}
