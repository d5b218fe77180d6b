import { type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { conceptTerms, type NameReading, type Reading } from './reading.ts'
import { tokensOf, trigramsOf } from './text.ts'

/**
 * The terms that index documents and queries: the words, numbers and codes of text.ts; `concept:plasterboard` for a
 * concept in any language or country; and `size:length:60` for sizes, where similar sizes have adjacent numbers. No
 * word has a colon, so one list holds all three.
 */

/** The terms of a document: words of its headline and body with their repeats, what its other names add, and sizes. */
export function documentTerms({ names: [headline, ...others], bodyWords }: Reading): string[] {
  if (headline === undefined) return [...bodyWords]
  const terms = [...headline.words, ...bodyWords, ...termsBesideWords(headline)]
  const known = new Set(terms)
  const added = new Set(others.flatMap((name) => [...name.words, ...termsBesideWords(name)]))
  return [...terms, ...added.difference(known)]
}

function termsBesideWords({ concepts, sizes }: NameReading): string[] {
  return [...concepts.terms, ...new Set(sizes.flatMap((size) => sizeSteps(size).map(sizeTerm)))]
}

/** The distinct trigrams of all names, and how many the longest name has: spelling is compared with one name. */
export function documentTrigrams({ names }: Reading): { trigrams: ReadonlySet<string>; count: number } {
  const sets = names.map(({ words }) => trigramsOf(words))
  return { trigrams: new Set(sets.flatMap((set) => [...set])), count: Math.max(0, ...sets.map(({ size }) => size)) }
}

/** A term of a query; a weight below 1 marks an expansion of the query's own words. */
export type QueryTerm = Readonly<{ term: string; weight: number }>

/** The distinct terms of a query: its words, its concepts, and its sizes with their nominal equals. */
export function queryTerms(query: string): QueryTerm[] {
  const steps = sizesOf(query).flatMap(sizeSteps)
  const sizes = steps.flatMap(({ dimension, step }) => [-1, 0, 1].map((by) => sizeTerm({ dimension, step: step + by })))
  return [
    ...wordsOfQuery(query).map((term) => ({ term, weight: 1 })),
    ...[...conceptTerms(query).terms, ...new Set(sizes)].map((term) => ({ term, weight: EXPANSION_WEIGHT })),
  ]
}

/** The distinct tokens of a query without its units: "mm" and "kg" stand in half of all names. */
function wordsOfQuery(query: string): string[] {
  const tokens = [...new Set(tokensOf(query))]
  const telling = tokens.filter((token) => !UNITS.has(token))
  return telling.length > 0 ? telling : tokens
}
const UNITS: ReadonlySet<string> = new Set(
  'mm cm m m2 m3 ml kg g gr t l lt ltr lb lbs in ft oz gal kw w v kn u ud uds pza mts mt'.split(' '),
)

/** Weight of a synonym beside the word itself; results are flat around it. */
const EXPANSION_WEIGHT = 0.5

/**
 * The words of a query that so few documents contain that they may be misspelled: search also by their spelling.
 * `counts` has the documents with each term.
 */
export function rareWords(terms: readonly QueryTerm[], counts: readonly number[]): string[] {
  return terms.flatMap(({ term, weight }, i) => (weight === 1 && (counts[i] as number) < RARE_MAX ? [term] : []))
}
/** A word in more documents is spelled right, and finds enough documents. */
const RARE_MAX = 10

/** The distinct tokens and then the concepts of a query; scoring needs their frequencies. */
export function distinctTokens(query: string): string[] {
  return [...wordsOfQuery(query), ...conceptTerms(query).terms]
}

/**
 * Which terms of a query retrieve documents. The other, frequent terms ("mm", "13", a colour) only rank them, which
 * avoids scanning all their documents. `counts` has the documents with each term. All terms retrieve where the rarer
 * ones match fewer documents than `wanted`.
 */
export function leadingTerms(
  counts: readonly number[],
  { documents, wanted }: { documents: number; wanted: number },
): boolean[] {
  const max = Math.max(LEADING_MIN, LEADING_SHARE * documents)
  const isLeading = counts.map((count) => count <= max)
  const found = counts.reduce((sum, count, i) => (isLeading[i] ? sum + count : sum), 0)
  return found < wanted ? counts.map(() => true) : isLeading
}
/** One document in twenty, or a number that is fast to scan. */
const LEADING_SHARE = 0.05
const LEADING_MIN = 1_000

type SizeStep = Readonly<{ dimension: string; step: number }>
const sizeTerm = ({ dimension, step }: SizeStep) => `size:${dimension}:${step}`

/** Each value of a size on a logarithmic scale, where nominally equal sizes are at most one step apart. */
function sizeSteps(size: Size): SizeStep[] {
  // A bare number is a length in millimetres, if it is a size; its token finds it as a number.
  const [dimension, scale] = size.dimension === 'number' ? ['length', 0.001] : [size.dimension, 1]
  return size.values
    .filter((value) => value > 0)
    .map((value) => ({ dimension, step: Math.round(Math.log(value * scale) / STEP) }))
}
/** The largest ratio of two nominally equal sizes: see isNominallyEqual. */
const STEP = Math.log(1.042)
