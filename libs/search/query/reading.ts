import { type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { readConcepts } from '@catalog/embed/concepts/concepts.ts'
import { tokensOf, trigramsOf } from './text.ts'

/** What index and score look at in the texts of a document. What only some queries ask for is read when one does. */
export class Reading {
  /** Words, numbers and codes of the name, in order. */
  readonly words: readonly string[]
  readonly bodyWords: readonly string[]
  /** Of the words in the name that hold no digit: how much it says, its sizes and codes aside. */
  readonly letters: number
  readonly #name: string
  #concepts: ConceptTerms | undefined
  #sizes: readonly Size[] | undefined
  #trigramCount: number | undefined

  constructor({ name, body }: { readonly name: string; readonly body: string }, kept?: StoredReading) {
    this.words = kept ? split(kept[0]) : tokensOf(name)
    this.bodyWords = kept ? split(kept[1]) : tokensOf(body)
    this.letters = lettersOf(this.words)
    this.#name = name
    if (kept === undefined) return
    const [, , concepts, share, trigramCount, sizes] = kept
    this.#concepts = { terms: split(concepts), share }
    this.#trigramCount = trigramCount
    this.#sizes = shared(sizes.map(([dimension, values, written, text]) => ({ dimension, values, written, text })))
  }

  /** To be kept with the document, because to read it again takes longer than to fetch it. */
  kept(): StoredReading {
    const { words, bodyWords, concepts, trigramCount, sizes } = this
    const lists = sizes.map(({ dimension, values, written, text }) => [dimension, values, written, text] as const)
    return [words.join(' '), bodyWords.join(' '), concepts.terms.join(' '), concepts.share, trigramCount, lists]
  }

  get concepts(): ConceptTerms {
    this.#concepts ??= conceptTerms(this.#name)
    return this.#concepts
  }

  /** Of the name; names of the same sizes have the same list, so that whoever compares them can remember it by that. */
  get sizes(): readonly Size[] {
    this.#sizes ??= shared(sizesOf(this.#name))
    return this.#sizes
  }

  /** Distinct ones, of the name. */
  get trigramCount(): number {
    this.#trigramCount ??= trigramsOf(this.words).size
    return this.#trigramCount
  }

  /** Whether name or body hold the word. */
  holds(word: string): boolean {
    return this.words.includes(word) || this.bodyWords.includes(word)
  }
}

/** Words of the name, of the body, and concepts, with blanks between; their share; distinct trigrams; sizes. */
export type StoredReading = readonly [
  words: string,
  bodyWords: string,
  concepts: string,
  share: number,
  trigramCount: number,
  sizes: readonly (readonly [Size['dimension'], Size['values'], Size['written'], Size['text']])[],
]

const split = (list: string) => (list === '' ? [] : list.split(' '))

export function lettersOf(words: readonly string[]): number {
  return words.reduce((sum, word) => (/\d/.test(word) ? sum : sum + word.length), 0)
}

/** `concept:ID` for each concept that a text names, and the share of its words that name them. */
export type ConceptTerms = Readonly<{ terms: readonly string[]; share: number }>

export function conceptTerms(text: string): ConceptTerms {
  const { ids, share } = readConcepts(text)
  return { terms: [...ids].map((id) => `${CONCEPT}${id}`), share }
}

export function isConcept(term: string): boolean {
  return term.startsWith(CONCEPT)
}
const CONCEPT = 'concept:'

const readings = new Map<string, Reading>()

/** Kept, because the candidates of one query are often those of the next. */
export function readingOf(texts: { readonly name: string; readonly body: string }): Reading {
  const key = `${texts.name}\n${texts.body}`
  return readings.get(key) ?? kept(readings, key, new Reading(texts), READINGS_MAX)
}
/** About 1 kB each. */
const READINGS_MAX = 20_000

const sizeLists = new Map<string, readonly Size[]>()

function shared(sizes: readonly Size[]): readonly Size[] {
  if (sizes.length === 0) return NO_SIZES
  const key = sizes.map(({ dimension, text, written }) => `${dimension} ${text} ${written}`).join(' ')
  return sizeLists.get(key) ?? kept(sizeLists, key, sizes, SIZE_LISTS_MAX)
}
const NO_SIZES: readonly Size[] = []
/** Some 300 bytes each; a catalog has a few thousand. */
const SIZE_LISTS_MAX = 20_000

/** Emptied rather than evicted one by one: what is asked for often is back soon. */
function kept<Value>(cache: Map<string, Value>, key: string, value: Value, max: number): Value {
  if (cache.size >= max) cache.clear()
  cache.set(key, value)
  return value
}
