import { readdirSync, readFileSync } from 'node:fs'

/** The names of one thing, or of one kind of work, in six languages and fourteen countries. */
export type Concept = Readonly<{
  /** Unique, in English: `tile-adhesive`. */
  id: string
  pos: (typeof PARTS_OF_SPEECH)[number]
  /** Name of its file without the ending: `electrical`. */
  trade: string
  /** In file order; the first is English, and every language has one. */
  terms: readonly Term[]
}>

type Term = Readonly<{
  /** In the singular, as commonly written: `placa de yeso`, `Gipskartonplatte`. */
  term: string
  lang: Language
  /** Null where the whole language uses it; a term of two countries has two entries. */
  country: Country | null
  /** Has other meanings ("piso", "placa"), so it needs another word to name the concept. */
  isAmbiguous: boolean
}>

const PARTS_OF_SPEECH = ['noun', 'verb', 'adjective'] as const

/** The languages of a concept, in line order, with the countries that have their own terms. */
export const COUNTRIES = {
  en: ['GB', 'US'],
  es: ['ES', 'MX', 'AR', 'CL', 'CO', 'PE', 'UY'],
  pt: ['BR', 'PT'],
  fr: ['FR'],
  de: ['DE'],
  it: ['IT'],
} as const
type Language = keyof typeof COUNTRIES
type Country = (typeof COUNTRIES)[Language][number]
const LANGUAGES = Object.keys(COUNTRIES) as Language[]

/**
 * Every concept of the files in lexicon/, in file and line order; one read a process. Throws on an invalid line, naming
 * file and line.
 */
export function lexiconConcepts(): readonly Concept[] {
  concepts ??= readFolder(new URL('../lexicon/', import.meta.url))
  return concepts
}
let concepts: readonly Concept[] | undefined

function readFolder(folder: URL): readonly Concept[] {
  const taken = new Map<string, string>()
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((file) => parseConcepts(readFileSync(new URL(file, folder), 'utf8'), file, taken))
}

/**
 * Parses the concepts of one file. A line with a leading `#` is a comment; a blank line ends a concept; a concept is
 * its id and part of speech, then a line for each language, in order:
 *
 *     plasterboard noun
 *       en: plasterboard, gypsum board | US: drywall, sheetrock
 *       es: placa de yeso | ES: pladur | AR UY: durlock, placa?
 *
 * Terms before the first `|` belong to the whole language, terms after `AR UY:` to these countries; a term with `?` is
 * ambiguous. `taken` maps the ids of all files so far to their positions.
 */
export function parseConcepts(text: string, file: string, taken = new Map<string, string>()): Concept[] {
  const found: Concept[] = []
  const place: Position = { file, line: 0 }
  let current: { head: Head; terms: Term[]; languages: number } | undefined

  function end(): void {
    if (!current) return
    const missing = LANGUAGES[current.languages]
    if (missing) throw parseError(place, current.head.id, `its line '  ${missing}: ' before the concept ends`)
    found.push({ ...current.head, trade: file.replace(/\.txt$/, ''), terms: current.terms })
    current = undefined
  }

  for (const line of text.split('\n')) {
    place.line++
    if (line.startsWith('#')) continue
    if (line === '') end()
    else if (current) {
      readLine(line, { lang: LANGUAGES[current.languages], place, into: current.terms })
      current.languages++
    } else {
      const head = readHead(line, place)
      const before = taken.get(head.id)
      if (before) throw parseError(place, head.id, `an id that is not yet taken, as this is by ${before}`)
      taken.set(head.id, nameOf(place))
      current = { head, terms: [], languages: 0 }
    }
  }
  end()
  return found
}

type Position = { readonly file: string; line: number }
const nameOf = ({ file, line }: Position) => `lexicon/${file}:${line}`

function parseError(place: Position, found: string, expected: string): Error {
  return new Error(`${nameOf(place)}: '${found}': expected ${expected}`)
}

type Head = Pick<Concept, 'id' | 'pos'>

function readHead(line: string, place: Position): Head {
  const [, id, word] = /^([a-z0-9]+(?:-[a-z0-9]+)*) {2}([a-z]+)$/.exec(line) ?? []
  const pos = PARTS_OF_SPEECH.find((part) => part === word)
  if (id !== undefined && pos !== undefined) return { id, pos }
  throw parseError(place, line, `'id-in-english  part', with part one of ${PARTS_OF_SPEECH.join(', ')}`)
}

type Line = Readonly<{ lang: Language | undefined; place: Position; into: Term[] }>

/** Appends the terms of one language: `  es: placa de yeso | AR UY: durlock, placa?`. */
function readLine(line: string, { lang, place, into }: Line): void {
  if (lang === undefined) throw parseError(place, line, 'a blank line after the last language')
  const start = `  ${lang}: `
  if (!line.startsWith(start)) throw parseError(place, line, `a line that starts with '${start}'`)
  const from = into.length
  for (const group of line.slice(start.length).split(' | ')) {
    const colon = group.indexOf(': ')
    if (colon < 0 && into.length > from) throw parseError(place, group, `a country after '|', as in 'XX: ${group}'`)
    const countries = colon < 0 ? ALL_COUNTRIES : countriesOf(group.slice(0, colon), lang, place)
    for (const written of (colon < 0 ? group : group.slice(colon + 2)).split(', ')) {
      const isAmbiguous = written.endsWith('?')
      const term = isAmbiguous ? written.slice(0, -1) : written
      if (!TERM.test(term)) throw parseError(place, written, 'a term of letters and digits, trimmed and composed (NFC)')
      for (const country of countries) {
        for (let at = from; at < into.length; at++) {
          const before = into[at] as Term
          const isTwice = before.term === term && (before.country === null || before.country === country)
          if (isTwice) throw parseError(place, term, 'a term that stands once in its line, or once a country')
        }
        into.push({ term, lang, country, isAmbiguous })
      }
    }
  }
}
const ALL_COUNTRIES = [null] as const

/** Words of letters and digits, joined by a space or one of - ' . / +. */
const TERM = /^[\p{L}\p{N}]+(?:[ '\-./+][\p{L}\p{N}]+)*$/u

function countriesOf(codes: string, lang: Language, place: Position): Country[] {
  return codes.split(' ').map((code) => {
    const country = COUNTRIES[lang].find((known) => known === code)
    if (country !== undefined) return country
    throw parseError(place, code, `a country of '${lang}', one of ${COUNTRIES[lang].join(', ')}`)
  })
}
