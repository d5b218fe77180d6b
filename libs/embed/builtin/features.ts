import { foldText } from '@catalog/core/text.ts'

/** Turns text into hashed features. Training and lookup share this pipeline, so both see the same numbers. */

/**
 * Rows of the feature table, shared by words and character n-grams. Training has 280,000 features, three a row. With
 * 65,536 rows of 128 dimensions, the same size, recall of held-out concepts falls by a point.
 */
export const BUCKETS = 98_304

/**
 * The words to embed: folded runs of a-z and 0-9, in order, with repeats. Drops runs with a digit: scoring compares
 * numbers and codes exactly. May be empty.
 */
export function wordsOf(text: string): string[] {
  return (foldText(text).match(/[a-z0-9]+/g) ?? []).filter((run) => !/\d/.test(run))
}

export type Feature = Readonly<{ bucket: number; weight: number }>

/**
 * The features of a word: the word itself; its n-grams, with the same total weight; and the known parts of a compound
 * ("gips", "karton" and "platten" of "gipskartonplatten") as words. Leaves out untrained features, whose rows belong to
 * others in the same bucket.
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

/** The names of all features of a word, as in the set of trained features. */
export function featureNames(word: string): string[] {
  return [`=${word}`, ...ngramsOf(word)]
}

/** The n-grams of 3, 4 and 5 characters of a word with marked ends, with repeats, except the marked word itself. */
function ngramsOf(word: string): string[] {
  const marked = `<${word}>`
  return [3, 4, 5].flatMap((n) =>
    n < marked.length ? Array.from({ length: marked.length - n + 1 }, (_, at) => marked.slice(at, at + n)) : [],
  )
}

const bucketOf = (feature: string) => hash32(feature) % BUCKETS

/** FNV-1a with a final mix, 32 bits unsigned, over the characters of an ASCII text (its UTF-8 bytes). */
export function hash32(ascii: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < ascii.length; at++) hash = Math.imul(hash ^ ascii.charCodeAt(at), 0x01000193)
  // FNV's low bits are weak for short inputs; the two rounds spread them over the buckets.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
