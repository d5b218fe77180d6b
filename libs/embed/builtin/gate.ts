import { wordsOf } from './features.ts'

/**
 * When a document counts as near to a query: as the training calibrated it for its weights, on held-out queries about
 * building and on texts of topics that were kept out.
 */
export type Gate = Readonly<{
  /** The least cosine for a query that is as near to building as to what is foreign to it. */
  base: number
  /** How it rises with the nearness to what is foreign, and falls with the nearness to building. */
  slope: number
  /** The least cosine for a query of words that were never seen: any spelling is like some other. */
  unknown: number
}>

/** What lies near a query before anything is indexed: cosines to the nearest of fixed texts of both kinds. */
export type Surroundings = Readonly<{ building: number; foreign: number; isUnknown: boolean }>

/** The least cosine at which a document counts as near to a query. */
export function cosineMin({ base, slope, unknown }: Gate, { building, foreign, isUnknown }: Surroundings): number {
  const least = base + slope * (foreign - building)
  return Math.min(1, Math.max(COSINE_MIN, least, isUnknown ? unknown : 0))
}

/** However surely a query is about building, a document below is about something else. */
const COSINE_MIN = 0.4

/** Whether a query has words, and none that was seen in training; short ones are seen in any language. */
export function isUnknown(query: string, knowsWord: (word: string) => boolean): boolean {
  const words = wordsOf(query)
  const telling = words.filter(({ length }) => length >= TELLING_LETTERS_MIN)
  return words.length > 0 && !telling.some(knowsWord)
}
const TELLING_LETTERS_MIN = 3
