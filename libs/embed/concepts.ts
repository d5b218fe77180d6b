import { wordsOf } from './features.ts'
import { lexiconConcepts } from './lexicon.ts'

/**
 * The ids of the lexicon's concepts that a text names: the longest term first, from left to right, function words and
 * endings left aside. A text may name several, and one term several where languages share a word. An ambiguous term
 * ("placa") names its concepts only beside another word of the lexicon that is not part of it.
 */
export function conceptsOf(text: string): ReadonlySet<string> {
  index ??= indexOf()
  const { terms, firstWords, longest, stems } = index
  const words = matchWords(wordsOf(text))
  const found = new Set<string>()
  for (let at = 0; at < words.length; at++) {
    if (!firstWords.has(words[at] as string)) continue
    for (let length = Math.min(longest, words.length - at); length > 0; length--) {
      const named = terms.get(words.slice(at, at + length).join(' '))
      if (named === undefined) continue
      const isBesideAnother = words.some((word, i) => (i < at || i >= at + length) && stems.has(word))
      for (const id of named.plain) found.add(id)
      if (isBesideAnother) for (const id of named.ambiguous) found.add(id)
      at += length - 1
      break
    }
  }
  return found
}

type Named = Readonly<{ plain: Set<string>; ambiguous: Set<string> }>
type Index = Readonly<{
  terms: ReadonlyMap<string, Named>
  firstWords: ReadonlySet<string>
  /** Words of the longest term. */
  longest: number
  /** Of all words of all terms. */
  stems: ReadonlySet<string>
}>
let index: Index | undefined

function indexOf(): Index {
  const terms = new Map<string, Named>()
  const firstWords = new Set<string>()
  const stems = new Set<string>()
  let longest = 0
  for (const concept of lexiconConcepts()) {
    // "White" or "to install" is said of half the catalog: only nouns tell what a thing is.
    if (concept.pos !== 'noun') continue
    for (const { term, isAmbiguous } of concept.terms) {
      const words = matchWords(wordsOf(term))
      if (words.length === 0) continue
      const key = words.join(' ')
      const named = terms.get(key) ?? { plain: new Set(), ambiguous: new Set() }
      terms.set(key, named)
      ;(isAmbiguous ? named.ambiguous : named.plain).add(concept.id)
      firstWords.add(words[0] as string)
      longest = Math.max(longest, words.length)
      for (const word of words) stems.add(word)
    }
  }
  return { terms, firstWords, longest, stems }
}

/**
 * Words as terms are compared: without function words, and cut before the final vowels, n and s in which plurals and
 * genders of the six languages differ ("placa", "placas"; "Platte", "Platten"; "mattone", "mattoni").
 */
function matchWords(words: readonly string[]): string[] {
  return words.filter((word) => !QUIET_WORDS.has(word)).map(stem)
}

function stem(word: string): string {
  let end = word.length
  while (end > STEM_LETTERS_MIN && 'aeiouns'.includes(word[end - 1] as string)) end--
  return word.slice(0, end)
}
/** Shorter stems meet by chance: "tubo" and "tub". */
const STEM_LETTERS_MIN = 4

/**
 * Function words and units of measure, which say little of what a thing is. "la" is not among them: folded, it is also
 * Portuguese wool.
 */
const QUIET_WORDS: ReadonlySet<string> = new Set(
  `a al and au aus aux avec by cm con d da dal das de degli dei del della der des di die do dos du e em en et for from fur g h
  i il im in kg km l las le les lo los m mit ml mm na no nr o of on ou para par per por pour pro s sin sur t the to
  um una und uni unid un une von with x y zu`.split(/\s+/),
)
