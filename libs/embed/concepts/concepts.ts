import { openMemo } from '@catalog/core/memo.ts'
import { foldText } from '@catalog/core/text.ts'
import { lexiconConcepts } from './lexicon.ts'

/** The ids of the lexicon's concepts in a text. */
export function conceptsOf(text: string): ReadonlySet<string> {
  return readConcepts(text).ids
}

/**
 * The lexicon's concepts in a text, and the share of its words that name them, 0 to 1. Matches the longest term first,
 * from left to right, ignoring function words and endings. A text may name several concepts, and so may a term that
 * languages share. An exact word outranks one with another ending ("ripio" is gravel, "ripia" a batten). An ambiguous
 * term ("placa") counts only beside another word of the lexicon.
 */
export function readConcepts(text: string): Readonly<{ ids: ReadonlySet<string>; share: number }> {
  const { namings, words } = namingsIn(text)
  const ids = new Set(namings.flatMap(({ ids }) => [...ids]))
  return { ids, share: words > 0 ? namings.reduce((sum, { length }) => sum + length, 0) / words : 0 }
}

/** The concepts of each term in a text, in the order of the text. */
export function conceptsInOrder(text: string): readonly ReadonlySet<string>[] {
  return namingsIn(text).namings.map(({ ids }) => ids)
}

/**
 * The concepts that a name is about, without those that only qualify it: terms that begin before its first "de", "for",
 * comma or number. "Motorista de caminhão betoneira" is a driver and no mixer; "placa de yeso" is a board of plaster.
 */
export function headConcepts(name: string): ReadonlySet<string> {
  const head = contentWords(headOf(name), indexOf().kept).length
  return new Set(namingsIn(name).namings.flatMap(({ at, ids }) => (at < head ? [...ids] : [])))
}

/** What a name says before its first qualifier, folded. */
export function headOf(name: string): string {
  return foldText(name).split(QUALIFIER, 1)[0] as string
}
const QUALIFIER =
  /(?<=\p{L}.*)(?:\s(?:de|da|do|das|dos|di|del|della|dello|des|du|d|para|p|por|for|pour|fur|per|com|c|con|with|mit|avec|em|en|of|in)(?=[\s/'’.])|\s?[,;:(]|\s[-–]\s|\s\*?\d)/u

/** Whether all words of a text together are one term of the lexicon, with any endings and function words: "cubo de obra". */
export function isTerm(text: string): boolean {
  const { terms, kept } = indexOf()
  return terms.has(contentWords(text, kept).map(stem).join(' '))
}

/** A term of a text: its new concepts, its first content word and its length in words. */
type TermNaming = Readonly<{ ids: ReadonlySet<string>; at: number; length: number }>

/** Matching asks for the concepts of a name several times. */
const namingsIn = (text: string) => NAMINGS(text, () => readNamings(text))
const NAMINGS = openMemo<Namings>(10_000)

type Namings = Readonly<{ namings: readonly TermNaming[]; words: number }>

function readNamings(text: string): Namings {
  const { terms, firstWords, longest, stems, kept } = indexOf()
  const written = contentWords(text, kept)
  const words = written.map(stem)
  const found = new Set<string>()
  const namings: TermNaming[] = []
  for (let at = 0; at < words.length; at++) {
    if (!firstWords.has(words[at] as string)) continue
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const spellings = terms.get(words.slice(at, at + length).join(' '))
      if (spellings === undefined) continue
      const isBesideAnother = words.some((word, i) => (i < at || i >= at + length) && stems.has(word))
      const named = spelledAs(written.slice(at, at + length), spellings).flatMap(({ plain, ambiguous }) =>
        isBesideAnother ? [...plain, ...ambiguous] : [...plain],
      )
      const ids = new Set(named).difference(found)
      for (const id of ids) found.add(id)
      if (ids.size > 0) namings.push({ ids, at, length })
      at += length - 1
      break
    }
  }
  return { namings, words: words.length }
}

/** The naming of exactly these words, else those of their other forms. Adjectives of longer terms also change gender. */
function spelledAs(written: readonly string[], spellings: ReadonlyMap<string, Naming>): Naming[] {
  const exact = spellings.get(written.join(' '))
  if (exact !== undefined) return [exact]
  const [word, ...others] = written as [string, ...string[]]
  const forms = [...spellings].filter(([spelling]) => others.length > 0 || isSameNoun(word, spelling))
  return forms.map(([, naming]) => naming)
}

/** Whether words of one stem are forms of one noun: "placas" of "placa", and not "acero" of "acera". */
function isSameNoun(a: string, b: string): boolean {
  const [one, other] = [endingOf(a), endingOf(b)].sort()
  return one === other || NUMBERS.has(`${one} ${other}`)
}
const endingOf = (word: string) => word.slice(stem(word).length).replace(/n?s?$|x$/, '')
/** Endings of one noun in singular and plural: "canal" and "canales", "guida" and "guide", "mattone" and "mattoni". */
const NUMBERS = new Set([' e', 'a e', 'e i', 'i o', 'i io', 'ao oe'])

type Naming = Readonly<{ plain: Set<string>; ambiguous: Set<string> }>
type Index = Readonly<{
  /** By stemmed words, then by exact words. */
  terms: ReadonlyMap<string, ReadonlyMap<string, Naming>>
  firstWords: ReadonlySet<string>
  /** Length of the longest term in words. */
  longest: number
  /** Stems of all words of all terms. */
  stems: ReadonlySet<string>
  kept: Kept
}>
const indexOf = () => (index ??= buildIndex())
let index: Index | undefined

function buildIndex(): Index {
  const terms = new Map<string, Map<string, Naming>>()
  const firstWords = new Set<string>()
  const stems = new Set<string>()
  let longest = 0
  // "White" or "to install" fits half the catalog: only nouns identify a thing.
  const nouns = lexiconConcepts().filter(({ pos }) => pos === 'noun')
  const kept = keptOf(nouns.flatMap(({ terms }) => terms.map(({ term }) => term)))
  for (const concept of nouns) {
    for (const { term, isAmbiguous } of concept.terms) {
      const written = contentWords(term, kept)
      if (written.length === 0) continue
      const words = written.map(stem)
      const [key, spelling] = [words.join(' '), written.join(' ')]
      const spellings = terms.get(key) ?? new Map<string, Naming>()
      const named = spellings.get(spelling) ?? { plain: new Set(), ambiguous: new Set() }
      terms.set(key, spellings.set(spelling, named))
      ;(isAmbiguous ? named.ambiguous : named.plain).add(concept.id)
      firstWords.add(words[0] as string)
      longest = Math.max(longest, words.length)
      for (const word of words) stems.add(word)
    }
  }
  return { terms, firstWords, longest, stems, kept }
}

/**
 * The words of a text, without function words, sizes and other numbers. A letter or unit at an end of a term stays, as
 * one word with its neighbour: "kgrohr" of "KG-Rohr".
 */
function contentWords(text: string, { codes, pairs }: Kept): string[] {
  const runs = runsOf(text)
  const words: string[] = []
  for (let at = 0; at < runs.length; at++) {
    const [run, next] = [runs[at] as string, runs[at + 1]]
    if (next !== undefined && pairs.has(`${run} ${next}`)) {
      words.push(run + next)
      at++
    } else if (/\d/.test(run) ? codes.has(run) : !STOP_WORDS.has(run)) words.push(run)
  }
  return words
}

/** Runs of letters and digits that stay although they are no words: codes ("ba13"), and pairs ("kg rohr"). */
type Kept = Readonly<{ codes: ReadonlySet<string>; pairs: ReadonlySet<string> }>

/** The codes of the terms, and their first or last two words where the outer one is a function word or a unit. */
function keptOf(terms: readonly string[]): Kept {
  const runs = terms.map(runsOf)
  const isStop = (run: string | undefined) => run !== undefined && STOP_WORDS.has(run)
  const pairs = runs.flatMap((term) => [
    ...(isStop(term[0]) ? [term.slice(0, 2)] : []),
    ...(isStop(term.at(-1)) ? [term.slice(-2)] : []),
  ])
  return { codes: new Set(runs.flat().filter(isCode)), pairs: new Set(pairs.map((pair) => pair.join(' '))) }
}

const runsOf = (text: string) => foldText(text).match(/[a-z0-9]+/g) ?? []

/** A size begins with its number. */
const isCode = (run: string) => /^[a-z]+\d/.test(run)

/**
 * Cuts the endings that mark plural and gender in the six languages: -s, French -x, German -n and -ns, then up to two
 * vowels ("placa", "placas"; "Platte", "Platten"; "mattone", "mattoni"; "caminhão", "caminhões"). Other endings make other
 * words: "machine" is no "machón", "bomba" no "bombín".
 */
export function stem(word: string): string {
  const plural = word.search(PLURAL)
  let end = plural < PLURAL_STEM_LETTERS_MIN ? word.length : plural
  for (let vowels = 0; vowels < 2 && end > STEM_LETTERS_MIN && 'aeiou'.includes(word[end - 1] as string); vowels++)
    end--
  return word.slice(0, end)
}
const PLURAL = /(?:s|(?<=u)x|(?<=[^aeiou]e[lr]?)ns?)$/
/** "Nuts" is "nut", and "gas" is no plural. */
const PLURAL_STEM_LETTERS_MIN = 3
/** Shorter stems collide by chance: "tubo" and "tub". */
const STEM_LETTERS_MIN = 4

/** Function words and units of measure. Not "la": folded, it is also Portuguese wool. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a al and au aus aux avec by cm con d da dal das de degli dei del della der des di die do dos du e em en et for from fur g h
  i il im in kg km l las le les lo los m mit ml mm na no nr o of on ou para par per por pour pro s sin sur t the to
  um una und uni unid un une von with x y zu`.split(/\s+/),
)
