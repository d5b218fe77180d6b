import { wordsOf } from './features.ts'

/**
 * Calibrates the least cosine of a near document. Training sets it for its weights, by held-out queries about building
 * and by texts of held-out other topics.
 */
export type Gate = Readonly<{
  /** The least cosine for a query equally close to building and to other topics. */
  base: number
  /** Added for closeness to other topics, subtracted for closeness to building. */
  slope: number
  /** The least cosine for a query of unknown words, whose spelling resembles some other word by chance. */
  unknown: number
}>

/** Cosines of a query to the nearest fixed texts about building and about other topics. */
export type AnchorCosines = Readonly<{ building: number; foreign: number; isUnknown: boolean }>

/** The least cosine at which a document counts as near a query. */
export function cosineMin({ base, slope, unknown }: Gate, { building, foreign, isUnknown }: AnchorCosines): number {
  const least = base + slope * (foreign - building)
  return Math.min(1, Math.max(COSINE_MIN, least, isUnknown ? unknown : 0))
}

/** Below, a document has another subject, however clearly the query is about building. */
const COSINE_MIN = 0.4

/** Whether a query has words, but none of the training data; skips short ones, which occur in any language. */
export function isUnknown(query: string, knowsWord: (word: string) => boolean): boolean {
  const words = wordsOf(query)
  const significant = words.filter(({ length }) => length >= SIGNIFICANT_LETTERS_MIN)
  return words.length > 0 && !significant.some(knowsWord)
}
const SIGNIFICANT_LETTERS_MIN = 3
