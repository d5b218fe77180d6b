import { NOT_XML } from '@catalog/core/events/fields.ts'

/**
 * Writing XML 1.0. Law: what is written here is well-formed whatever the values are, and an XML parser reads back exactly
 * them, but for characters that XML cannot carry, which become U+FFFD.
 */

/** Attributes of an element; undefined: it has none of that name. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** An element that holds text, or nothing. */
export function element(name: string, text?: string, attributes: Attributes = {}): string {
  const start = `<${name}${attributesOf(attributes)}`
  return text === undefined ? `${start}/>` : `${start}>${escaped(text, IN_TEXT)}</${name}>`
}

/** An element that holds others, each on a line of its own. */
export function container(name: string, children: readonly string[], attributes: Attributes = {}): string {
  return `<${name}${attributesOf(attributes)}>\n${children.join('\n')}\n</${name}>`
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(value, IN_ATTRIBUTE)}"`))
    .join('')
}

/** Quotes stay as they are in text, of which JSON is full; a parser would take a carriage return for a line's end. */
const IN_TEXT = /[&<>\r]/g
/** In an attribute a parser takes all white space for blanks. */
const IN_ATTRIBUTE = /[&<>"\t\n\r]/g
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const EACH_NOT_XML = new RegExp(NOT_XML, 'g')

function escaped(text: string, letters: RegExp): string {
  return text
    .toWellFormed()
    .replace(EACH_NOT_XML, '\ufffd')
    .replace(letters, (letter) => NAMED[letter] ?? `&#${letter.charCodeAt(0)};`)
}
