import { fold } from '@catalog/core/events.ts'

/**
 * From text to hashed features: the one pipeline of whoever makes a table of rows and of whoever looks up in it, so both
 * see the same numbers.
 */

/** Rows of a feature table: words and character n-grams share it. */
export const BUCKETS = 65_536

/**
 * The words that are embedded: folded runs of a-z and 0-9, in order, repeats kept. A run that holds a digit is dropped:
 * numbers and codes are compared exactly, by their own terms of the score, never by likeness. Empty when none is left.
 */
export function wordsOf(text: string): string[] {
  return (fold(text).match(/[a-z0-9]+/g) ?? []).filter((run) => !/\d/.test(run))
}

/**
 * The buckets of a word: first the one of the whole word, then those of its n-grams of 3, 4 and 5 characters, with the
 * word's ends marked, repeats kept. The whole word has weight 1, each of m n-grams 1/√m. A word of one letter has none.
 */
export function bucketsOf(word: string): number[] {
  const marked = `<${word}>`
  const buckets = [hash32(`=${word}`) % BUCKETS]
  for (let n = 3; n <= 5 && n < marked.length; n++) {
    for (let at = 0; at + n <= marked.length; at++) buckets.push(hash32(marked.slice(at, at + n)) % BUCKETS)
  }
  return buckets
}

/** FNV-1a with a final mix, 32 bits unsigned, over the characters of an ASCII text (which are its UTF-8 bytes). */
export function hash32(ascii: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < ascii.length; at++) hash = Math.imul(hash ^ ascii.charCodeAt(at), 0x01000193)
  // FNV's low bits are weak for short inputs; the two rounds spread them over the buckets.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
