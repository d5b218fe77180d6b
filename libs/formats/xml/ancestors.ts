import type { XmlElement } from './element.ts'

/** The open elements around the records of an XML document, which records below them may read. */

/** An element without its end tag so far. */
export type OpenElement = { name: string; attributes: Record<string, string>; text: string; children: OpenElement[] }

/** Characters of the text that is kept of one element around records. */
export const AROUND_CHARS_MAX = 65_536
/** Attributes that are kept of one element around records. */
export const AROUND_ATTRIBUTES_MAX = 100

/** An element whose tag begins. */
export function opened(name: string): OpenElement {
  return { name, attributes: Object.create(null), text: '', children: [] }
}

/** Keeps an element in the one around it; the last of a name counts, which the next records stand below. */
export function keepIn(around: OpenElement | undefined, element: OpenElement): void {
  if (around === undefined) return
  around.children = [...around.children.filter(({ name }) => name !== element.name), element]
}

/** Adds to the text of an element around records, up to its limit, with single blanks: most of it is the layout of the document. */
export function addText(around: OpenElement | undefined, text: string): void {
  if (around === undefined || around.text.length >= AROUND_CHARS_MAX) return
  const line = text.replace(/\s+/g, ' ')
  around.text += around.text === '' || around.text.endsWith(' ') ? line.trimStart() : line
  if (around.text.length > AROUND_CHARS_MAX) around.text = around.text.slice(0, AROUND_CHARS_MAX)
}

/** An element as it is now: records that follow change it. */
export function copied({ name, attributes, text, children }: OpenElement): XmlElement {
  return { name, attributes, text, children }
}
