import { parseExactJson } from '@catalog/formats/bytes/exact-json.ts'

/** The JSON in the scripts of pages, which templates often write nearly right. */

/**
 * Parses the values of one script, with exact numbers. A script that is no JSON is tried again without the comments and
 * signs around its values, so that several objects and a final `;` are read; then repaired; then with its HTML entities
 * decoded. Throws SyntaxError.
 */
export function parsedScript(script: string): unknown[] {
  const text = script.trim().replace(BEFORE_JSON, '').replace(AFTER_JSON, '')
  let failure: unknown
  for (const attempt of ATTEMPTS) {
    try {
      return attempt(text, script)
    } catch (cause) {
      failure ??= cause
    }
  }
  // Endless nesting overflows the parser's stack, which is the page's fault.
  throw new SyntaxError((failure as Error).message.slice(0, 300), { cause: failure })
}
const BEFORE_JSON = /^(?:\s|<!--|\/\*[^{[]{0,200}?\*\/|\/\/|\/\*|\*\/|<!\[CDATA\[){1,100}/
const AFTER_JSON = /(?<=[\]}])(?:\s|-->|\/\/|\/\*|\*\/|\]\]>){1,100}$/

const ATTEMPTS: readonly ((text: string, script: string) => unknown[])[] = [
  (text) => [parseExactJson(text)],
  (text) => [parseExactJson(repaired(text))],
  // The signs before the values may have begun a comment.
  (_text, script) => valuesIn(script).map(parseExactJson),
  (_text, script) => valuesIn(script).map((value) => parseExactJson(repaired(value))),
  (text) => [parseExactJson(repaired(unescaped(text)))],
]

/** Values of one script; more are a list, which stands in one. */
const VALUES_MAX = 200

/** The objects and arrays of a text, without what stands between them: comments, commas, semicolons, an assignment. */
function valuesIn(text: string): string[] {
  const values: string[] = []
  for (let at = 0; at < text.length && values.length < VALUES_MAX; ) {
    const comment = COMMENTS.find(({ open }) => text.startsWith(open, at))
    if (comment !== undefined) {
      const end = text.indexOf(comment.close, at + comment.open.length)
      at = end === -1 ? text.length : end + comment.close.length
    } else if (text[at] === '{' || text[at] === '[') {
      const end = endOfValue(text, at)
      values.push(text.slice(at, end))
      at = end
    } else if (/[\s;,=>\])}]|--/.test(text[at] as string) || /[\w$.]/.test(text[at] as string)) at++
    else throw new SyntaxError(`expected an object, found '${text.slice(at, at + 20)}'`)
  }
  if (values.length === 0) throw new SyntaxError('expected an object')
  return values
}
const COMMENTS = [
  { open: '//', close: '\n' },
  { open: '/*', close: '*/' },
  { open: '<!--', close: '-->' },
  { open: '<![CDATA[', close: '' },
] as const

/** The index after the bracket that closes the one at `from`; the end of the text without one. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') at = endOfString(text, at) - 1
    else if (letter === '{' || letter === '[') depth++
    else if ((letter === '}' || letter === ']') && --depth === 0) return at + 1
  }
  return text.length
}

/**
 * Repairs nearly valid JSON of templates: line breaks and tabs inside strings become blanks, `\'` an apostrophe; comments
 * and trailing commas go. Leaves missing or extra quotes, because the end of such a string would be a guess.
 */
function repaired(text: string): string {
  const kept: string[] = []
  /** Index in `kept` of a comma that only blanks follow so far. */
  let comma = -1
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string
    if (letter === '"') {
      const end = endOfString(text, at)
      kept.push(
        text
          .slice(at, end)
          .replace(CONTROLS, ' ')
          .replace(APOSTROPHES, (escaped) => (escaped === "\\'" ? "'" : escaped)),
      )
      comma = -1
      at = end
      continue
    }
    const commentEnd = text.startsWith('//', at) ? '\n' : text.startsWith('/*', at) ? '*/' : ''
    if (commentEnd !== '') {
      const end = text.indexOf(commentEnd, at + 2)
      at = end === -1 ? text.length : end + commentEnd.length
      continue
    }
    if (comma !== -1 && (letter === '}' || letter === ']')) kept[comma] = ''
    if (letter === ',') comma = kept.length
    else if (letter.trim() !== '') comma = -1
    kept.push(letter)
    at++
  }
  return kept.join('')
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\u0000-\u001f]/g
/** Every escape as a pair, so that the second half of `\\` begins none. */
const APOSTROPHES = /\\[\s\S]/g

/** The index after the closing quote of a string; the end of the text without one. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** A script that went through an HTML escape as a whole, once; the text of its values may be escaped once more. */
function unescaped(text: string): string {
  if (!/&(?:quot|#34|#x22);/i.test(text)) throw new SyntaxError('no escaped quotes')
  return text.replace(/&(quot|#0*34|#x0*22|lt|gt|#0*39|#x0*27|apos|amp);/gi, (entity, name: string) => {
    return ENTITIES.get(name.toLowerCase().replace(/^#(x?)0+/, '#$1')) ?? entity
  })
}
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['#34', '"'],
  ['#x22', '"'],
  ['lt', '<'],
  ['gt', '>'],
  ['#39', "'"],
  ['#x27', "'"],
  ['apos', "'"],
  ['amp', '&'],
])
