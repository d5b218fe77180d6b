import { openMemo } from '@catalog/core/memo.ts'
import { type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { headConcepts, headOf, readConcepts } from '@catalog/embed/concepts/concepts.ts'
import { spellingOf, tokensOf, trigramsOf } from './text.ts'

/** The texts of an item that search reads. */
export type ItemTexts = Readonly<{
  name: string
  /** What else its vendors call it. */
  otherNames?: readonly string[] | undefined
  body: string
  /** Its contents are sizes too: "25 kg". */
  unit?: string | null | undefined
}>

/** The features of an item's texts for indexing and scoring, of the headline first and then of each other name. */
export class Reading {
  readonly names: readonly NameReading[]
  readonly bodyWords: readonly string[]

  constructor({ name, otherNames = [], body, unit }: ItemTexts, stored?: StoredReading) {
    const [storedBody, ...storedNames] = stored ?? []
    const written = [name, ...otherNames.slice(0, OTHER_NAMES_MAX)]
    this.bodyWords = storedBody === undefined ? tokensOf(body) : split(storedBody)
    this.names = written.map((one, at) => new NameReading(one, unit ?? null, storedNames[at]))
  }

  /** The form to store with the document, because computing it again takes longer than fetching it. */
  stored(): StoredReading {
    return [this.bodyWords.join(' '), ...this.names.map((name) => name.stored())]
  }
}
/** Vendors of one item in one language differ in little more than spelling. */
const OTHER_NAMES_MAX = 8

/** The features of one name; computes rarely used ones on demand. */
export class NameReading {
  readonly name: string
  /** Words, numbers and codes of the name, in order. */
  readonly words: readonly string[]
  /** Letters in the words of the name that have no digit: the length of the name without sizes and codes. */
  readonly letterCount: number
  readonly #unit: string | null
  #concepts: ConceptTerms | undefined
  #sizes: readonly Size[] | undefined
  #headTerms: ReadonlySet<string> | undefined
  #trigramCount: number | undefined
  #spelling: string | undefined

  constructor(name: string, unit: string | null, stored?: StoredName) {
    this.name = name
    this.#unit = unit
    this.words = stored ? split(stored[0]) : tokensOf(name)
    this.letterCount = letterCountOf(this.words)
    if (stored === undefined) return
    const [, concepts, share, trigramCount, sizes] = stored
    this.#concepts = { terms: split(concepts), share }
    this.#trigramCount = trigramCount
    this.#sizes = shared(sizes.map(([dimension, values, written, text]) => ({ dimension, values, written, text })))
  }

  stored(): StoredName {
    const { words, concepts, trigramCount, sizes } = this
    const lists = sizes.map(({ dimension, values, written, text }) => [dimension, values, written, text] as const)
    return [words.join(' '), concepts.terms.join(' '), concepts.share, trigramCount, lists]
  }

  get concepts(): ConceptTerms {
    this.#concepts ??= conceptTerms(this.name)
    return this.#concepts
  }

  /** Words and concepts of what the name is about, without its qualifiers: see {@link headConcepts}. */
  get headTerms(): ReadonlySet<string> {
    this.#headTerms ??= new Set([
      ...tokensOf(headOf(this.name)),
      ...[...headConcepts(this.name)].map((id) => `${CONCEPT}${id}`),
    ])
    return this.#headTerms
  }

  /** Sizes of the name and of its unit. Equal lists are one object, so that a comparison can be cached by its identity. */
  get sizes(): readonly Size[] {
    this.#sizes ??= shared([...sizesOf(this.name), ...contentsOf(this.#unit)])
    return this.#sizes
  }

  get spelling(): string {
    this.#spelling ??= spellingOf(this.words)
    return this.#spelling
  }

  /** Distinct trigrams of the name. */
  get trigramCount(): number {
    this.#trigramCount ??= trigramsOf(this.words).size
    return this.#trigramCount
  }
}

/** "25 kg" of a bag; none of a unit without a number. */
function contentsOf(unit: string | null): readonly Size[] {
  return unit !== null && /\d/.test(unit) ? sizesOf(unit) : NO_SIZES
}

/** Words of the body, separated by blanks; then each name. */
export type StoredReading = readonly [body: string, ...names: StoredName[]]
/** Words, and concepts, separated by blanks; share of the concepts; distinct trigrams; sizes. */
type StoredName = readonly [
  words: string,
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

/** About 1 kB each; consecutive queries often have the same candidates. */
const readings = openMemo<Reading>(20_000)

export function readingOf(texts: ItemTexts): Reading {
  const key = [texts.name, ...(texts.otherNames ?? []), texts.unit ?? '', texts.body].join('\n')
  return readings(key, () => new Reading(texts))
}

/** Some 300 bytes each; a catalog has a few thousand. */
const sizeLists = openMemo<readonly Size[]>(20_000)

function shared(sizes: readonly Size[]): readonly Size[] {
  if (sizes.length === 0) return NO_SIZES
  const key = sizes.map(({ dimension, text, written }) => `${dimension} ${text} ${written}`).join(' ')
  return sizeLists(key, () => sizes)
}
const NO_SIZES: readonly Size[] = []
