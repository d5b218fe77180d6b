import type { Encoding } from '@catalog/formats/bytes/encoding.ts'
import iconv from 'iconv-lite'

/**
 * The charsets that ~V can declare: UTF-8, windows-1252 and the two DOS pages. That 3/2020 knows `UTF-8` is other programs'
 * word, who write and read the label; the three others are of 3/98, and `ANSI` is what every program reads.
 */
export const CHARSETS = {
  'UTF-8': 'utf-8',
  ANSI: 'windows-1252',
  '850': 'cp850',
  '437': 'cp437',
} as const satisfies Readonly<Record<string, Encoding>>
export type Bc3Charset = keyof typeof CHARSETS

/** Which separators a text may keep: `;` but in lists of words, `\` in a program or RTF, `\` and `|` in a whole record. */
export type Keeping = 'no semicolons' | 'semicolons' | 'backslashes' | 'bars'

export type CarriedText = Readonly<{
  text: string
  /** Characters replaced because the format has no escape for its separators, and because the charset has them not. */
  separators: number
  characters: number
}>

/**
 * A text as a file of this charset can carry it. A `~` becomes ˜, else ≈, else `ca.`; a `|` becomes ¦, else `/`; a `\`
 * becomes `/`, and a `;` inside a list of words `,`. Control characters become blanks. Characters that the charset lacks
 * are written with those that it has where that is obvious (dashes, quotes, `EUR`, letters without their accents, 2 for
 * ²), else as `?`. NUL, 0x1A and byte order marks, which readers drop, are left out.
 */
export function carriedText(text: string, charset: Bc3Charset, keeping: Keeping = 'semicolons'): CarriedText {
  const isList = keeping === 'no semicolons'
  if (PLAIN.test(text) && !(isList && text.includes(';'))) return { text, separators: 0, characters: 0 }
  const has = REPERTOIRES[charset]
  // Letters and their accents as one character each, which is all that code pages have.
  const composed = charset === 'UTF-8' ? text : text.normalize('NFC')
  let [carried, separators, characters] = ['', 0, text.length - composed.length]
  for (const character of composed.replace(/\r\n?/g, '\n')) {
    if (character === '\n' || character === '\t') {
      carried += character
      continue
    }
    const kept =
      (character === '\\' && (keeping === 'backslashes' || keeping === 'bars')) ||
      (character === '|' && keeping === 'bars') ||
      (character === ';' && !isList)
    const others = kept ? undefined : SEPARATORS[character]
    if (others !== undefined) {
      separators += 1
      carried += others.find((other) => other.length > 1 || other < '\u0080' || has(other)) as string
    } else if (has(character)) carried += character
    else {
      characters += 1
      carried += spelledOut(character, has)
    }
  }
  return { text: carried, separators, characters }
}

const PLAIN = /^[\t\n\x20-\x5b\x5d-\x7b}]*$/

const SEPARATORS: Readonly<Record<string, readonly string[]>> = {
  '~': ['\u02dc', '≈', 'ca.'],
  '|': ['¦', '/'],
  '\\': ['/'],
  ';': [','],
}

type Has = (character: string) => boolean

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these characters are dropped by readers
const DROPPED = /[\0\u001a\ufeff]/
const CONTROL = /\p{Cc}/u
const HALF_A_PAIR = /\p{Cs}/u

const REPERTOIRES: Readonly<Record<Bc3Charset, Has>> = {
  // Those of 0x80 to 0x9f come from windows-1252 taken for Latin-1: they stay what they are, and {@link twin} tells them.
  'UTF-8': (character) =>
    !DROPPED.test(character) && !HALF_A_PAIR.test(character) && (!CONTROL.test(character) || character >= '\u0080'),
  ANSI: repertoireOf('windows-1252'),
  '850': repertoireOf('cp850'),
  '437': repertoireOf('cp437'),
}

function repertoireOf(page: Encoding): Has {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const found = [...iconv.decode(bytes, page)].filter((character) => character !== '\ufffd' && !CONTROL.test(character))
  const characters = new Set(found)
  return (character) => characters.has(character)
}

/** Marks of print that have no decomposition, and the currencies of our vendors. */
const SPELLED: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '″': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '•': '-',
  '⁄': '/',
  '×': 'x',
  '÷': '/',
  '≤': '<=',
  '≥': '>=',
  '≈': 'ca.',
  Ø: 'D',
  ø: 'o',
  œ: 'oe',
  Œ: 'OE',
  æ: 'ae',
  Æ: 'AE',
  ß: 'ss',
  '®': '(R)',
  '©': '(C)',
  '€': 'EUR',
  '£': 'GBP',
}

function spelledOut(character: string, has: Has): string {
  if (DROPPED.test(character)) return ''
  if (CONTROL.test(character)) {
    const meant = twin(character)
    return meant === null ? ' ' : has(meant) ? meant : (SPELLED[meant] ?? '?')
  }
  const spelled = SPELLED[character]
  if (spelled !== undefined) return spelled
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '')
  const parts = [...bare].map((part) => (has(part) && SEPARATORS[part] === undefined ? part : (SPELLED[part] ?? '?')))
  return parts.join('') || '?'
}

/** What windows-1252 has in the place of a control character. */
function twin(control: string): string | null {
  const byte = control.charCodeAt(0)
  const meant = byte < 0x80 ? control : iconv.decode(Buffer.from([byte]), 'windows-1252')
  return CONTROL.test(meant) || meant === '\ufffd' ? null : meant
}
