/**
 * The text of vendors as a catalog keeps it: without characters that people cannot see, and without e-mail addresses.
 * Both functions take linear time.
 */

/**
 * Invisible characters: control characters other than tab and line ends, marks of the direction of text, tags, variation
 * selectors, fillers and zero-width characters (Unicode's Default_Ignorable_Code_Point), and annotations between lines.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/u
const INVISIBLE_ALL = new RegExp(INVISIBLE.source, 'gu')
/** White space that XML cannot carry, and the next-line character, which JavaScript takes for no space. */
const ODD_SPACE = /[\v\f\u0085]/g
const JOINERS = /[\u200c\u200d]/
/** Scripts in which the zero-width joiner and non-joiner change the shape of letters. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u

/** Letters, digits and signs of Latin price lists without "%", "&", "@" and "\": most texts, which hold nothing to remove. */
const PLAIN = /^[\n\r\t\x20-\x24\x27-\x3f\x41-\x5b\x5d-\x7e\xa0-\xac\xae-\u024f\u2010-\u2026\u20ac\u2122]*$/

/** The text without invisible characters. Keeps a joiner between two letters of a script that needs it. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text
  const spaced = text.replace(ODD_SPACE, ' ')
  if (!INVISIBLE.test(spaced)) return spaced
  return spaced.replace(INVISIBLE_ALL, (character, at: number) =>
    JOINERS.test(character) && JOINED.test(spaced[at - 1] ?? '') && JOINED.test(spaced[at + 1] ?? '') ? character : '',
  )
}

/** The sign between user and domain: itself, wide or small, or as URLs, JSON, HTML and XML escape it. */
const AT_SIGN = /[@\uff20\ufe6b]|%40|\\u0040|&#0{0,9}64;|&#[xX]0{0,9}40;|&commat;/gi
const LOCAL_CHARACTER = /[\p{L}\p{N}\p{M}._%+'~-]/u
/** Parts of RFC 5321, whose lengths bound the time of one sign. */
const LOCAL_CHARS_MAX = 64
const DOMAIN = /(?:[\p{L}\p{N}\p{M}-]{1,63}\.){1,8}\p{L}{2,24}/uy
/** "12@20.cm" is the spacing of bars. */
const SPACING = /^\d+\.(?:cm|mm|in|ft|pulg)$/i

/** Longest e-mail address that is recognised: a user, an escaped sign and a domain. */
export const EMAIL_CHARS_MAX = LOCAL_CHARS_MAX + 20 + 8 * 64 + 24

/** Whether the text holds an e-mail address. */
export function holdsEmail(text: string): boolean {
  return !addressesIn(text).next().done
}

/** The text with `instead` for each e-mail address. A text that is not empty keeps the parts apart, so that none is left. */
export function withoutEmails(text: string, instead = '[e-mail address removed]'): string {
  let kept = ''
  let end = 0
  for (const address of addressesIn(text)) {
    kept += text.slice(end, address.from) + instead
    end = address.to
  }
  return end === 0 ? text : kept + text.slice(end)
}

function* addressesIn(text: string): Generator<Readonly<{ from: number; to: number }>, void, undefined> {
  if (PLAIN.test(text)) return
  let free = 0
  for (const sign of text.matchAll(AT_SIGN)) {
    if (sign.index < free) continue
    const from = localStart(text, sign.index, free)
    if (from === sign.index) continue
    DOMAIN.lastIndex = sign.index + sign[0].length
    const domain = DOMAIN.exec(text)?.[0]
    if (domain === undefined || (SPACING.test(domain) && /\d$/.test(text.slice(from, sign.index)))) continue
    free = DOMAIN.lastIndex
    yield { from, to: free }
  }
}

/** The start of the characters before `at` that a user's name can have. */
function localStart(text: string, at: number, free: number): number {
  let from = at
  while (from > free && at - from < LOCAL_CHARS_MAX) {
    const isPair = /[\udc00-\udfff]/.test(text[from - 1] as string) && from - 2 >= free
    const before = isPair ? from - 2 : from - 1
    if (!LOCAL_CHARACTER.test(text.slice(before, from))) break
    from = before
  }
  return from
}

/** A vendor's text as the catalog records it: visible, and without e-mail addresses and the brackets around them. */
export function recordableText(text: string): string {
  if (PLAIN.test(text)) return text
  const visible = visibleText(text)
  const parts: string[] = []
  let end = 0
  for (const { from, to } of addressesIn(visible)) {
    const before = visible.slice(end, from).replace(/(?:mailto:)?$/i, '')
    const closing = CLOSING[before.at(-1) ?? '']
    const isBracketed = closing !== undefined && closing === visible[to]
    parts.push((isBracketed ? before.slice(0, -1) : before).trim())
    end = isBracketed ? to + 1 : to
  }
  if (end === 0) return visible
  // A blank keeps the parts apart: together they could be an address again.
  const apart = [...parts, visible.slice(end).trim()].filter((part) => part !== '').join(' ')
  // A joiner that stood before an address has lost the letter that it joined.
  return visibleText(apart)
}
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '<': '>', '[': ']', '{': '}' }

/** A vendor's address of a page, without the parameters and the fragment that hold e-mail addresses; '' where its path holds one. */
export function recordableUrl(text: string): string {
  const visible = visibleText(text).trim()
  if (!holdsEmail(visible)) return visible
  const [address = '', fragment = ''] = visible.split(/#(.*)/s, 2)
  const [place = '', query = ''] = address.split(/\?(.*)/s, 2)
  const parameters = query.split('&').filter((parameter) => parameter !== '' && !holdsEmail(parameter))
  const part = fragment === '' || holdsEmail(fragment) ? '' : `#${fragment}`
  const kept = place + (parameters.length > 0 ? `?${parameters.join('&')}` : '') + part
  return holdsEmail(kept) ? '' : kept
}
