import { readDataFile } from '@catalog/core/data-file.ts'
import type { Encoding } from '@catalog/formats/bytes/encoding.ts'
import iconv from 'iconv-lite'

/**
 * Charsets that ~V can declare: UTF-8, windows-1252 and two DOS code pages. 3/98 defines the last three; every program
 * reads `ANSI`. Other programs write and read the label `UTF-8` since 3/2020.
 */
export const CHARSETS = {
  'UTF-8': 'utf-8',
  ANSI: 'windows-1252',
  '850': 'cp850',
  '437': 'cp437',
} as const satisfies Readonly<Record<string, Encoding>>
export type Bc3Charset = keyof typeof CHARSETS

/** Separators that a text may keep: `;` outside lists of words, `\` and `|` in a whole record. */
export type KeptSeparators = 'no semicolons' | 'semicolons' | 'bars'

export type EncodableText = Readonly<{
  text: string
  /** Replaced characters: separators, which the format cannot escape, and characters that the charset lacks. */
  separators: number
  characters: number
}>

/**
 * The text in the form that a file of this charset can carry. A `~` becomes ˜, else ≈, else `ca.`; a `|` becomes ¦,
 * else `/`; a `\` becomes `/`; a `;` inside a list of words becomes `,`. Control characters become blanks.
 *
 * Characters that the charset lacks become obvious substitutes (dashes, quotes, `EUR`, letters without accents, 2 for
 * ²), else `?`. NUL, 0x1A and byte order marks are dropped, because readers drop them.
 */
export function encodableText(
  text: string,
  charset: Bc3Charset,
  keeping: KeptSeparators = 'semicolons',
): EncodableText {
  const isList = keeping === 'no semicolons'
  if (PLAIN.test(text) && !(isList && text.includes(';'))) return { text, separators: 0, characters: 0 }
  const has = REPERTOIRES[charset]
  // Code pages hold composed characters only.
  const composed = charset === 'UTF-8' ? text : text.normalize('NFC')
  let [carried, separators, characters] = ['', 0, text.length - composed.length]
  for (const character of composed.replace(/\r\n?/g, '\n')) {
    if (character === '\n' || character === '\t') {
      carried += character
      continue
    }
    const kept = (character === ';' && !isList) || (keeping === 'bars' && (character === '\\' || character === '|'))
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
  // Controls from 0x80 to 0x9f come from windows-1252 decoded as Latin-1. They stay; {@link windows1252Twin} recovers their
  // meaning.
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

/** Typographic marks without a decomposition, and the currencies of our vendors. */
const SPELLED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(readDataFile(import.meta.url, 'spellings.yaml') as Record<string, string>).flatMap(
    ([spelling, characters]) => [...characters].map((character) => [character, spelling]),
  ),
)

function spelledOut(character: string, has: Has): string {
  if (DROPPED.test(character)) return ''
  if (CONTROL.test(character)) {
    const meant = windows1252Twin(character)
    return meant === null ? ' ' : has(meant) ? meant : (SPELLED[meant] ?? '?')
  }
  const spelled = SPELLED[character]
  if (spelled !== undefined) return spelled
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '')
  const parts = [...bare].map((part) => (has(part) && SEPARATORS[part] === undefined ? part : (SPELLED[part] ?? '?')))
  return parts.join('') || '?'
}

/** The character of windows-1252 at the byte of a control character; null when there is none. */
function windows1252Twin(control: string): string | null {
  const byte = control.charCodeAt(0)
  const meant = byte < 0x80 ? control : iconv.decode(Buffer.from([byte]), 'windows-1252')
  return CONTROL.test(meant) || meant === '\ufffd' ? null : meant
}
