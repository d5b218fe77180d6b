import { openMemo } from '@catalog/core/memo.ts'
import { foldText } from '@catalog/core/text.ts'
import { wordsOf } from '@catalog/embed/builtin/features.ts'
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
  const head = contentWords(headOf(name)).length
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
  index ??= buildIndex()
  return index.terms.has(contentWords(text).map(stem).join(' '))
}

/** A term of a text: its new concepts, its first content word and its length in words. */
type TermNaming = Readonly<{ ids: ReadonlySet<string>; at: number; length: number }>

/** Matching asks for the concepts of a name several times. */
const namingsIn = (text: string) => NAMINGS(text, () => readNamings(text))
const NAMINGS = openMemo<Namings>(10_000)

type Namings = Readonly<{ namings: readonly TermNaming[]; words: number }>

function readNamings(text: string): Namings {
  index ??= buildIndex()
  const { terms, firstWords, longest, stems } = index
  const written = contentWords(text)
  const words = written.map(stem)
  const found = new Set<string>()
  const namings: TermNaming[] = []
  for (let at = 0; at < words.length; at++) {
    if (!firstWords.has(words[at] as string)) continue
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const spellings = terms.get(words.slice(at, at + length).join(' '))
      if (spellings === undefined) continue
      const exact = spellings.get(written.slice(at, at + length).join(' '))
      const isBesideAnother = words.some((word, i) => (i < at || i >= at + length) && stems.has(word))
      const named = (exact ? [exact] : [...spellings.values()]).flatMap(({ plain, ambiguous }) =>
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

type Naming = Readonly<{ plain: Set<string>; ambiguous: Set<string> }>
type Index = Readonly<{
  /** By stemmed words, then by exact words. */
  terms: ReadonlyMap<string, ReadonlyMap<string, Naming>>
  firstWords: ReadonlySet<string>
  /** Length of the longest term in words. */
  longest: number
  /** Stems of all words of all terms. */
  stems: ReadonlySet<string>
}>
let index: Index | undefined

function buildIndex(): Index {
  const terms = new Map<string, Map<string, Naming>>()
  const firstWords = new Set<string>()
  const stems = new Set<string>()
  let longest = 0
  for (const concept of lexiconConcepts()) {
    // "White" or "to install" fits half the catalog: only nouns identify a thing.
    if (concept.pos !== 'noun') continue
    for (const { term, isAmbiguous } of concept.terms) {
      const written = contentWords(term)
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
  return { terms, firstWords, longest, stems }
}

function contentWords(text: string): string[] {
  return wordsOf(text).filter((word) => !STOP_WORDS.has(word))
}

/**
 * Cuts the final vowels, n and s that mark plural and gender in the six languages ("placa", "placas"; "Platte",
 * "Platten"; "mattone", "mattoni").
 */
export function stem(word: string): string {
  let end = word.length
  while (end > STEM_LETTERS_MIN && 'aeiouns'.includes(word[end - 1] as string)) end--
  return word.slice(0, end)
}
/** Shorter stems collide by chance: "tubo" and "tub". */
const STEM_LETTERS_MIN = 4

/** Function words and units of measure. Not "la": folded, it is also Portuguese wool. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a al and au aus aux avec by cm con d da dal das de degli dei del della der des di die do dos du e em en et for from fur g h
  i il im in kg km l las le les lo los m mit ml mm na no nr o of on ou para par per por pour pro s sin sur t the to
  um una und uni unid un une von with x y zu`.split(/\s+/),
)
