import { foldText } from '@catalog/core/text.ts'

/**
 * From text to hashed features: the one pipeline of whoever makes a table of rows and of whoever looks up in it, so both
 * see the same numbers.
 */

/**
 * Rows of a feature table: words and character n-grams share it. The training data has 280,000 features, three a row;
 * with 65,536 rows of 128 dimensions, the same bytes, held-out concepts are found a point worse.
 */
export const BUCKETS = 98_304

/**
 * The words that are embedded: folded runs of a-z and 0-9, in order, repeats kept. A run that holds a digit is dropped:
 * numbers and codes are compared exactly, by their own terms of the score, never by likeness. Empty when none is left.
 */
export function wordsOf(text: string): string[] {
  return (foldText(text).match(/[a-z0-9]+/g) ?? []).filter((run) => !/\d/.test(run))
}

export type Feature = Readonly<{ bucket: number; weight: number }>

/**
 * The features of a word: the word itself, its n-grams, which together weigh as much, and the known parts of a compound
 * ("gips", "karton" and "platten" of "gipskartonplatten"), each as the word that it is. Those that were not trained are
 * left out: their rows belong to others that share the bucket, and say nothing of this word.
 */
export function featuresOf(
  word: string,
  { split, isTrained }: { split: (word: string) => readonly string[]; isTrained: (feature: string) => boolean },
): Feature[] {
  const grams = ngramsOf(word).filter(isTrained)
  const wholes = [word, ...split(word)].map((part) => `=${part}`).filter(isTrained)
  return [
    ...wholes.map((name) => ({ bucket: bucketOf(name), weight: 1 })),
    ...grams.map((gram) => ({ bucket: bucketOf(gram), weight: 1 / Math.sqrt(grams.length) })),
  ]
}

/** Names of all features of a word, as the set of trained features holds them. */
export function featureNames(word: string): string[] {
  return [`=${word}`, ...ngramsOf(word)]
}

/** The n-grams of 3, 4 and 5 characters of a word with its ends marked, repeats kept, but not the marked word itself. */
function ngramsOf(word: string): string[] {
  const marked = `<${word}>`
  return [3, 4, 5].flatMap((n) =>
    n < marked.length ? Array.from({ length: marked.length - n + 1 }, (_, at) => marked.slice(at, at + n)) : [],
  )
}

const bucketOf = (feature: string) => hash32(feature) % BUCKETS

/** FNV-1a with a final mix, 32 bits unsigned, over the characters of an ASCII text (which are its UTF-8 bytes). */
export function hash32(ascii: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < ascii.length; at++) hash = Math.imul(hash ^ ascii.charCodeAt(at), 0x01000193)
  // FNV's low bits are weak for short inputs; the two rounds spread them over the buckets.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
