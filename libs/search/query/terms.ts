import { type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { conceptTerms, type Reading } from './reading.ts'
import { tokensOf } from './text.ts'

/**
 * What documents are indexed by and queries look for: the words, numbers and codes of text.ts; `concept:plasterboard` for
 * what a text names in whatever language or country; and `size:length:60` for its sizes, with neighbouring numbers for
 * neighbouring sizes. No word holds a colon, so all three stand in one list.
 */

/** The terms of a document, words with their repeats: those of its name, of its body, concepts and sizes of its name. */
export function documentTerms({ words, bodyWords, concepts, sizes }: Reading): string[] {
  const steps = new Set(sizes.flatMap((size) => sizeSteps(size).map(sizeTerm)))
  return [...words, ...bodyWords, ...concepts.terms, ...steps]
}

/** A term that documents are looked for by, and what it says beside a word that the query itself has. */
export type QueryTerm = Readonly<{ term: string; weight: number }>

/** The distinct terms of a query: its words, the concepts that it names, and its sizes with those that are sold as them. */
export function queryTerms(query: string): QueryTerm[] {
  const steps = sizesOf(query).flatMap(sizeSteps)
  const sizes = steps.flatMap(({ dimension, step }) => [-1, 0, 1].map((by) => sizeTerm({ dimension, step: step + by })))
  return [
    ...[...new Set(tokensOf(query))].map((term) => ({ term, weight: 1 })),
    ...[...conceptTerms(query).terms, ...new Set(sizes)].map((term) => ({ term, weight: EXPANSION_WEIGHT })),
  ]
}

/** What another word for the same thing says beside the word itself; flat around it. */
const EXPANSION_WEIGHT = 0.5

/**
 * The words of a query that so few documents hold that they may be typing errors: those are looked for by their spelling,
 * too. `counts` has how many hold each of the terms.
 */
export function oddWords(terms: readonly QueryTerm[], counts: readonly number[]): string[] {
  return terms.flatMap(({ term, weight }, i) => (weight === 1 && (counts[i] as number) < ODD_MAX ? [term] : []))
}
/** A word that more documents hold is written as it should be, and there are enough that hold it. */
const ODD_MAX = 10

/** The distinct tokens and then the concepts of a query, whose frequencies the score needs. */
export function distinctTokens(query: string): string[] {
  return [...new Set(tokensOf(query)), ...conceptTerms(query).terms]
}

/**
 * Which terms of a query lead to documents; the others ("mm", "13", a colour) only tell which of these are better, so that
 * nobody has to look at all that hold them. `counts` has how many of all documents hold each term. All of them lead where
 * the rarer ones are of too few documents to fill `wanted` places.
 */
export function leadingTerms(
  counts: readonly number[],
  { documents, wanted }: { documents: number; wanted: number },
): boolean[] {
  const max = Math.max(LEADING_MIN, LEADING_SHARE * documents)
  const leads = counts.map((count) => count <= max)
  const led = counts.reduce((sum, count, i) => (leads[i] ? sum + count : sum), 0)
  return led < wanted ? counts.map(() => true) : leads
}
/** One document in twenty; and as many as are looked at in no time. */
const LEADING_SHARE = 0.05
const LEADING_MIN = 1_000

type SizeStep = Readonly<{ dimension: string; step: number }>
const sizeTerm = ({ dimension, step }: SizeStep) => `size:${dimension}:${step}`

/** Each value of a size, on a scale on which two that are sold as one are a step apart at most. */
function sizeSteps(size: Size): SizeStep[] {
  // A bare number is one of millimetres where it is a size at all; as a number it is found by its token.
  const [dimension, scale] = size.dimension === 'number' ? ['length', 0.001] : [size.dimension, 1]
  return size.values
    .filter((value) => value > 0)
    .map((value) => ({ dimension, step: Math.round(Math.log(value * scale) / STEP) }))
}
/** The largest difference of two sizes that are sold as one: see isNominallyEqual. */
const STEP = Math.log(1.042)
