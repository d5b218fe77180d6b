import { NOT_XML } from '@catalog/core/events/fields.ts'

/**
 * Writes XML 1.0.
 *
 * Law: the result is well-formed for any values, and a parser reads the same values back, except that characters which
 * XML cannot represent become U+FFFD.
 */

/** Attributes of an element; undefined leaves one out. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** An element with text, or an empty one. */
export function element(name: string, text?: string, attributes: Attributes = {}): string {
  const start = `<${name}${attributesOf(attributes)}`
  return text === undefined ? `${start}/>` : `${start}>${escaped(text, IN_TEXT)}</${name}>`
}

/** An element with child elements, each on its own line. */
export function container(name: string, children: readonly string[], attributes: Attributes = {}): string {
  return `<${name}${attributesOf(attributes)}>\n${children.join('\n')}\n</${name}>`
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(value, IN_ATTRIBUTE)}"`))
    .join('')
}

/** Escape the carriage return, which a parser would normalize; leave quotes, of which JSON is full. */
const IN_TEXT = /[&<>\r]/g
/** A parser normalizes all white space in attributes to spaces. */
const IN_ATTRIBUTE = /[&<>"\t\n\r]/g
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const EACH_NOT_XML = new RegExp(NOT_XML, 'g')

function escaped(text: string, letters: RegExp): string {
  return text
    .toWellFormed()
    .replace(EACH_NOT_XML, '\ufffd')
    .replace(letters, (letter) => NAMED[letter] ?? `&#${letter.charCodeAt(0)};`)
}
