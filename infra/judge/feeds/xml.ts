/** An XML element with resolved names. */
export type Element = Readonly<{
  /** Namespace address; '' for none. */
  ns: string
  name: string
  /** By name; attributes of a namespace by `{namespace}name`. */
  attributes: ReadonlyMap<string, string>
  children: readonly Element[]
  /** Text of the element itself, without its children's. */
  text: string
}>

export class NotWellFormed extends Error {
  override name = 'NotWellFormed'
}

/**
 * Parses a UTF-8 document of XML 1.0 with namespaces and answers its root. It repairs nothing: malformed text and
 * document types, which no feed needs, throw {@link NotWellFormed} with the place.
 */
export function readXml(bytes: Uint8Array): Element {
  const document = decoded(bytes)
  const forbidden = NOT_XML.exec(document)
  if (forbidden !== null) fail(document, forbidden.index, `the character ${hex(forbidden[0])} is none of XML 1.0`)
  const open: Open[] = []
  let root: Open | undefined
  let at = document.startsWith('<?xml') ? declaration(document) : 0
  while (at < document.length) {
    const markup = document.indexOf('<', at)
    const end = markup < 0 ? document.length : markup
    if (end > at) {
      const text = document.slice(at, end)
      if (text.includes(']]>')) fail(document, at, '"]]>" in text')
      const parent = open.at(-1)
      if (parent !== undefined) parent.text += unescaped(document, at, text)
      else if (text.trim() !== '') fail(document, at, 'text outside the root')
    }
    if (markup < 0) break
    at = markup
    if (document.startsWith('<!--', at)) {
      const close = closing(document, at + 4, '--')
      if (document[close + 2] !== '>') fail(document, close, '"--" inside a comment')
      at = close + 3
    } else if (document.startsWith('<![CDATA[', at)) {
      const close = closing(document, at, ']]>')
      const parent = open.at(-1) ?? fail(document, at, 'text outside the root')
      parent.text += document.slice(at + 9, close)
      at = close + 3
    } else if (document.startsWith('<?', at)) {
      if (/^<\?xml[\s?]/i.test(document.slice(at, at + 6))) fail(document, at, 'an XML declaration that is not first')
      at = closing(document, at, '?>') + 2
    } else if (document.startsWith('</', at)) {
      const close = closing(document, at, '>')
      const element = open.pop() ?? fail(document, at, 'an end without its start')
      const name = document.slice(at + 2, close).trimEnd()
      if (name !== element.qualified) fail(document, at, `</${name}> where </${element.qualified}> was expected`)
      at = close + 1
    } else {
      const tag = startTag(document, at, open.at(-1)?.prefixes ?? PREFIXES)
      const parent = open.at(-1)
      if (parent !== undefined) parent.children.push(tag.element)
      else if (root !== undefined) fail(document, at, 'a second root')
      else root = tag.element
      if (!tag.isEmpty) open.push(tag.element)
      at = tag.end
    }
  }
  const left = open.at(-1)
  if (left !== undefined) fail(document, document.length, `<${left.qualified}> is not closed`)
  return root ?? fail(document, 0, 'no element')
}

/** Children with this name. */
export function all(element: Element, ns: string, name: string): readonly Element[] {
  return element.children.filter((child) => child.ns === ns && child.name === name)
}

/** Text of the first child with this name; undefined without one. */
export function textOf(element: Element, ns: string, name: string): string | undefined {
  return all(element, ns, name)[0]?.text
}

/** The element and its descendants. */
export function* within(element: Element): Generator<Element> {
  yield element
  for (const child of element.children) yield* within(child)
}

type Prefixes = ReadonlyMap<string, string>
type Open = {
  ns: string
  name: string
  qualified: string
  attributes: Map<string, string>
  children: Open[]
  text: string
  prefixes: Prefixes
}

const XML_NS = 'http://www.w3.org/XML/1998/namespace'
const PREFIXES: Prefixes = new Map([
  ['', ''],
  ['xml', XML_NS],
])
const NAME = '[\\p{L}_][\\p{L}\\p{N}_.\\-\\u00b7\\p{M}]*'
const QUALIFIED = new RegExp(`(?:(${NAME}):)?(${NAME})`, 'uy')
const ATTRIBUTE = new RegExp(`\\s+((?:${NAME}:)?${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'uy')
const TAG_END = /\s*(\/?)>/y
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u
const DECLARATION = /^<\?xml version="1\.[0-9]+"(?: encoding="([A-Za-z0-9._-]+)")?(?: standalone="(?:yes|no)")?\s*\?>/

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new NotWellFormed('the bytes are no UTF-8', { cause })
  }
}

/** Position after the XML declaration. */
function declaration(document: string): number {
  const found = DECLARATION.exec(document) ?? fail(document, 0, 'not an XML declaration')
  if (found[1] !== undefined && found[1].toLowerCase() !== 'utf-8') {
    fail(document, 0, `the declaration says ${found[1]}, expected utf-8`)
  }
  return found[0].length
}

function startTag(document: string, at: number, outer: Prefixes): { element: Open; isEmpty: boolean; end: number } {
  QUALIFIED.lastIndex = at + 1
  const named = QUALIFIED.exec(document) ?? fail(document, at, 'a "<" that begins no markup')
  let end = QUALIFIED.lastIndex
  const given = new Map<string, string>()
  for (;;) {
    ATTRIBUTE.lastIndex = end
    const attribute = ATTRIBUTE.exec(document)
    if (attribute === null) break
    const [, name = '', double, single] = attribute
    if (given.has(name)) fail(document, end, `the attribute ${name} twice`)
    given.set(name, unescaped(document, end, (double ?? single ?? '').replace(/[\t\n\r]/g, ' ')))
    end = ATTRIBUTE.lastIndex
  }
  TAG_END.lastIndex = end
  const closed = TAG_END.exec(document) ?? fail(document, end, `<${named[0]} is not closed`)
  const prefixes = new Map(outer)
  for (const [name, value] of given) {
    if (name === 'xmlns') prefixes.set('', value)
    if (name.startsWith('xmlns:')) prefixes.set(name.slice(6), value)
  }
  const resolve = (prefix: string) =>
    prefixes.get(prefix) ?? fail(document, at, `the prefix ${prefix} has no namespace`)
  const attributes = new Map<string, string>()
  for (const [name, value] of given) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue
    const [prefix, local] = name.includes(':') ? (name.split(':') as [string, string]) : ['', name]
    const key = prefix === '' ? local : `{${resolve(prefix)}}${local}`
    if (attributes.has(key)) fail(document, at, `the attribute ${key} twice`)
    attributes.set(key, value)
  }
  const [qualified, prefix = '', name = ''] = named
  const element = { ns: resolve(prefix), name, qualified, attributes, children: [], text: '', prefixes }
  return { element, isEmpty: closed[1] === '/', end: TAG_END.lastIndex }
}

/** Text with resolved references; only XML's own five entities are known. */
function unescaped(document: string, at: number, text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6});|#([0-9]{1,7});|([a-z]+);)?/g,
    (reference, hexadecimal, decimal, name) => {
      if (name !== undefined) return ENTITIES[name] ?? fail(document, at, `the entity ${reference}`)
      const code = hexadecimal === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hexadecimal, 16)
      const letter = code <= 0x10ffff ? String.fromCodePoint(code) : '\0'
      return NOT_XML.test(letter) ? fail(document, at, `the reference ${reference}`) : letter
    },
  )
}

function closing(document: string, from: number, mark: string): number {
  const found = document.indexOf(mark, from)
  return found < 0 ? fail(document, from, `"${mark}" is missing`) : found
}

const hex = (letter: string) => `U+${(letter.codePointAt(0) as number).toString(16).padStart(4, '0')}`

function fail(document: string, at: number, what: string): never {
  const lines = document.slice(0, at).split('\n')
  throw new NotWellFormed(`line ${lines.length}, character ${(lines.at(-1) as string).length + 1}: ${what}`)
}
