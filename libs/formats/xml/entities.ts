/** Entities and line ends of XML text. */

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Decodes XML's own entities and character references once; leaves all others as written. */
export function decodedText(text: string): string {
  const lines = withLineFeeds(text)
  let at = lines.indexOf('&')
  if (at === -1) return lines
  let done = ''
  let from = 0
  // A loop, because half of all texts hold an entity and a pattern with a callback takes three times as long.
  for (let end = 0; at !== -1; at = lines.indexOf('&', at + 1)) {
    if (end <= at) end = lines.indexOf(';', at)
    if (end === -1) break
    const character = end - at > REFERENCE_CHARS_MAX ? null : characterOf(lines.slice(at + 1, end))
    if (character === null) continue
    done += lines.slice(from, at) + character
    from = end + 1
  }
  return done + lines.slice(from)
}

/** Characters of the longest reference, up to its semicolon: `&#1114111`. */
const REFERENCE_CHARS_MAX = 9

/** The character of a reference, given without ampersand and semicolon; null when XML defines none. */
function characterOf(reference: string): string | null {
  const entity = ENTITIES.get(reference)
  if (entity !== undefined) return entity
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(reference) ?? []
  if (hex === undefined && decimal === undefined) return null
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  // An invalid code point is lost, like an undecodable byte.
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)
}

/** Converts all line ends to \n, as XML does. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
