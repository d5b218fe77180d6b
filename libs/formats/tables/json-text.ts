import { EMAIL_CHARS_MAX, withoutEmails } from '@catalog/formats/bytes/vendor-text.ts'

/**
 * Values of a JSON document by position in its text, so that only one record at a time becomes an object: 16 MiB of
 * small objects would take a gigabyte.
 */
export type JsonPlace = Readonly<{ at: number; end: number }>
/** `from` is the index of its key. An array element starts at itself, and its key is its number, from 0. */
export type JsonMember = JsonPlace & Readonly<{ key: string; from: number }>

/** The text is no JSON. Errors inside a value appear when that value is parsed. */
export class BadJson extends Error {
  override name = 'BadJson'
}

/** The root value of a document. Throws BadJson for an open bracket or quote, and for text after the value. */
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

/** Kind of the value at an index; `other` is a number or a boolean. */
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

/** The members of the object or array at an index, in text order; none for any other value. */
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

/** Counts brackets without distinguishing them: parsing rejects a value that mixes them. */
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
  if (depth > 0) throw new BadJson(`the text ends inside the value that begins ${placed(text, from)}`)
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
  throw new BadJson(`the text ends inside the quotes that open ${placed(text, from)}`)
}

/** Characters that a message shows at the failing position. */
const SHOWN_CHARS = 40
function placed(text: string, at: number): string {
  if (at >= text.length) return 'at the end of the text'
  // Whole addresses are removed, because a cut one would not be recognised.
  const shown = withoutEmails(text.slice(at, at + SHOWN_CHARS + EMAIL_CHARS_MAX)).slice(0, SHOWN_CHARS)
  return `at character ${at + 1}: ${JSON.stringify(shown)}`
}
