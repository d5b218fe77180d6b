/** Elements of an XML document, and access to their children and texts. */

export type XmlElement = Readonly<{
  /** As written, with its prefix: "g:price". */
  name: string
  /** Without a prototype, so an attribute may be called "constructor". */
  attributes: Readonly<Record<string, string>>
  /** Its own text without that of its children; trimmed, with entities decoded. */
  text: string
  children: readonly XmlElement[]
}>

/** The first child with a name: as written, else by its local name ("price" finds "g:price"). */
export function child(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((one) => one.name === name) ?? element.children.find((one) => isLocally(one, name))
}

/** All children with a name, in order: as written or by their local name. */
export function children(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((one) => one.name === name || isLocally(one, name))
}

/** The text at the end of a path of first children; '' when one is missing. */
export function textOf(element: XmlElement, ...path: readonly string[]): string {
  let at: XmlElement | undefined = element
  for (const name of path) at = at === undefined ? undefined : child(at, name)
  return at?.text ?? ''
}

function isLocally({ name: written }: XmlElement, name: string): boolean {
  return written.endsWith(name) && written[written.length - name.length - 1] === ':'
}

/** A name without its prefix: "g:price" → "price". */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
