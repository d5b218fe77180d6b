import type { XmlElement } from '@catalog/formats/xml/element.ts'

/** Elements of the tree of a tender, with the names of GAEB DA XML 3. */

export type TreeElement = XmlElement & { name: string; children: XmlElement[] }

export function element(
  name: string,
  children: readonly XmlElement[],
  attributes: XmlElement['attributes'] = {},
): TreeElement {
  return { name, attributes, text: '', children: [...children] }
}

export const value = (name: string, text: string): XmlElement => ({ ...element(name, []), text })

/** A text of several lines. */
export const lined = (name: string, lines: readonly string[]) =>
  element(
    name,
    lines.map((line) => value('p', line)),
  )
