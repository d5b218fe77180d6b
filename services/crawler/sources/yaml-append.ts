import { isMap, isSeq, parseDocument, stringify, type YAMLSeq } from 'yaml'

/**
 * Appends an entry to the list under a key of the root. A block list gets more lines, and every other byte stays:
 * rewriting the document would move comments and blank lines. Any other list, or none, is rewritten with its comments.
 * The text must be YAML.
 */
export function appendToList(text: string, { key, entry }: Readonly<{ key: string; entry: unknown }>): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const document = parseDocument(text, { keepSourceTokens: true })
  const list = isMap(document.contents) ? document.get(key) : undefined
  const token = isSeq(list) ? list.srcToken : undefined
  if (token?.type === 'block-seq') {
    const at = endOfLines(text, list as YAMLSeq, token.indent)
    const before = text.slice(0, at)
    const ends = before.endsWith('\n') ? '' : newline
    const gap = hasGaps(text, list as YAMLSeq) ? newline : ''
    return `${before}${ends}${gap}${linesOf(entry, token.indent, newline)}${text.slice(at)}`
  }
  if (document.contents === null) {
    const before = text === '' || text.endsWith('\n') ? text : `${text}${newline}`
    return `${before}${key}:${newline}${linesOf(entry, 2, newline)}`
  }
  const node = document.createNode(entry, { aliasDuplicateObjects: false })
  if (!isSeq(list)) document.set(key, document.createNode([node]))
  else {
    if (list.items.length === 0) list.flow = false
    list.add(node)
  }
  return document.toString(LAYOUT).replaceAll('\n', newline)
}
/** Disables folding, so that a long address stays on one line. */
const LAYOUT = { lineWidth: 0 } as const

function linesOf(entry: unknown, indent: number, newline: string): string {
  const lines = stringify([entry], { ...LAYOUT, aliasDuplicateObjects: false })
    .trimEnd()
    .split('\n')
  return lines.map((line) => `${line === '' ? '' : ' '.repeat(indent)}${line}${newline}`).join('')
}

/** Where the lines of the last entry end, with the comments at the indentation of its keys. */
function endOfLines(text: string, list: YAMLSeq, indent: number): number {
  const last = list.items.at(-1) as YAMLSeq | null
  const end = last?.range?.[1] ?? list.range?.[1] ?? text.length
  let at = text[end - 1] === '\n' ? end : afterLine(text, end)
  for (;;) {
    const next = afterLine(text, at)
    const comment = /^( *)#/.exec(text.slice(at, next))
    if (comment === null || (comment[1] as string).length <= indent) return at
    at = next
  }
}

function afterLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline === -1 ? text.length : newline + 1
}

/** Whether a blank line precedes the last entry and its comments. */
function hasGaps(text: string, list: YAMLSeq): boolean {
  const [before, last] = list.items.slice(-2) as [YAMLSeq, YAMLSeq?]
  return last !== undefined && GAP.test(text.slice(before.range?.[0], last.range?.[0]))
}
const GAP = /\n[ \r]*\n( *#.*\n)* *-\s*(#.*\n\s*)*$/
