import { type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { readConcepts } from '@catalog/embed/concepts/concepts.ts'
import { tokensOf, trigramsOf } from './text.ts'

/** The features of a document's texts for indexing and scoring; computes rarely used ones on demand. */
export class Reading {
  /** Words, numbers and codes of the name, in order. */
  readonly words: readonly string[]
  readonly bodyWords: readonly string[]
  /** Letters in the words of the name that have no digit: the length of the name without sizes and codes. */
  readonly letterCount: number
  readonly #name: string
  #concepts: ConceptTerms | undefined
  #sizes: readonly Size[] | undefined
  #trigramCount: number | undefined

  constructor({ name, body }: { readonly name: string; readonly body: string }, stored?: StoredReading) {
    this.words = stored ? split(stored[0]) : tokensOf(name)
    this.bodyWords = stored ? split(stored[1]) : tokensOf(body)
    this.letterCount = letterCountOf(this.words)
    this.#name = name
    if (stored === undefined) return
    const [, , concepts, share, trigramCount, sizes] = stored
    this.#concepts = { terms: split(concepts), share }
    this.#trigramCount = trigramCount
    this.#sizes = shared(sizes.map(([dimension, values, written, text]) => ({ dimension, values, written, text })))
  }

  /** The form to store with the document, because computing it again takes longer than fetching it. */
  stored(): StoredReading {
    const { words, bodyWords, concepts, trigramCount, sizes } = this
    const lists = sizes.map(({ dimension, values, written, text }) => [dimension, values, written, text] as const)
    return [words.join(' '), bodyWords.join(' '), concepts.terms.join(' '), concepts.share, trigramCount, lists]
  }

  get concepts(): ConceptTerms {
    this.#concepts ??= conceptTerms(this.#name)
    return this.#concepts
  }

  /** Sizes of the name. Equal lists are one object, so that a comparison can be cached by its identity. */
  get sizes(): readonly Size[] {
    this.#sizes ??= shared(sizesOf(this.#name))
    return this.#sizes
  }

  /** Distinct trigrams of the name. */
  get trigramCount(): number {
    this.#trigramCount ??= trigramsOf(this.words).size
    return this.#trigramCount
  }

  /** Whether the name or the body contains the word. */
  holds(word: string): boolean {
    return this.words.includes(word) || this.bodyWords.includes(word)
  }
}

/**
 * Words of the name, words of the body and concepts, separated by blanks; share of the concepts; distinct trigrams;
 * sizes.
 */
export type StoredReading = readonly [
  words: string,
  bodyWords: string,
  concepts: string,
  share: number,
  trigramCount: number,
  sizes: readonly (readonly [Size['dimension'], Size['values'], Size['written'], Size['text']])[],
]

const split = (list: string) => (list === '' ? [] : list.split(' '))

export function letterCountOf(words: readonly string[]): number {
  return words.reduce((sum, word) => (/\d/.test(word) ? sum : sum + word.length), 0)
}

/** `concept:ID` for each concept of a text, and the share of its words that name concepts. */
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

/** Cached, because consecutive queries often have the same candidates. */
export function readingOf(texts: { readonly name: string; readonly body: string }): Reading {
  const key = `${texts.name}\n${texts.body}`
  return readings.get(key) ?? cached(readings, key, new Reading(texts), READINGS_MAX)
}
/** About 1 kB each. */
const READINGS_MAX = 20_000

const sizeLists = new Map<string, readonly Size[]>()

function shared(sizes: readonly Size[]): readonly Size[] {
  if (sizes.length === 0) return NO_SIZES
  const key = sizes.map(({ dimension, text, written }) => `${dimension} ${text} ${written}`).join(' ')
  return sizeLists.get(key) ?? cached(sizeLists, key, sizes, SIZE_LISTS_MAX)
}
const NO_SIZES: readonly Size[] = []
/** Some 300 bytes each; a catalog has a few thousand. */
const SIZE_LISTS_MAX = 20_000

/** Clears the full cache instead of evicting entries: frequent ones return soon. */
function cached<Value>(cache: Map<string, Value>, key: string, value: Value, max: number): Value {
  if (cache.size >= max) cache.clear()
  cache.set(key, value)
  return value
}
