import { foldText } from '@catalog/core/text.ts'

/**
 * The folded words, numbers and codes of a text, in order, with repeats. Numbers have one spelling: "12,50" is "12.5",
 * "1/2" and "½" are "0.5". Splits off a short unit ("13mm" gives "13", "mm") and a factor ("13x2500", and "3G1.5" of an
 * earthed cable). Keeps codes whole ("B500S" gives "b500s") and letters of every script. Empty for a text without
 * letters and digits.
 */
export function tokensOf(text: string): string[] {
  const folded = foldText(text.replace(DIAMETER, ' ').replace(FRACTION, ' $&'))
    .replace(FACTOR, ' ')
    .replace(EARTHED, ' ')
  return Array.from(folded.matchAll(TOKEN), ([token, numerator, denominator]) => {
    if (denominator !== undefined) return String(Number(numerator) / Number(denominator))
    return isNumber(token) && token.length <= EXACT_DIGITS_MAX ? String(Number(token.replace(',', '.'))) : token
  })
}

/** Whether a token is a number, such as "0.5" or "2500". */
export function isNumber(token: string): boolean {
  return /^\d+([.,]\d+)?$/.test(token)
}

/** Whether a token identifies rather than describes: at least 4 letters and digits mixed, or 5 digits. */
export function isCode(token: string): boolean {
  return /^\d{5,}$/.test(token) || (token.length >= 4 && /\d/.test(token) && /\p{L}/u.test(token))
}

/** The distinct trigrams of a text's words, each word padded with a blank at both ends; skips tokens with a digit. */
export function trigramsOf(tokens: readonly string[]): Set<string> {
  const trigrams = new Set<string>()
  for (const token of tokens) {
    if (/\d/.test(token)) continue
    const word = ` ${token} `
    for (let at = 0; at + 3 <= word.length; at++) trigrams.add(word.slice(at, at + 3))
  }
  return trigrams
}

/** The words of trigrams in one text: none of a trigram lies across its two blanks. */
export const spellingOf = (tokens: readonly string[]): string =>
  tokens.map((token) => (/\d/.test(token) ? '' : ` ${token} `)).join('')

/** How many of the given trigrams a {@link spellingOf} has. */
export function trigramsShared(trigrams: ReadonlySet<string>, spelling: string): number {
  let shared = 0
  for (const trigram of trigrams) if (spelling.includes(trigram)) shared++
  return shared
}

/** Inverse document frequency of a token in `count` of `documents`; a token in none weighs most. */
export function idfOf({ documents, count }: { documents: number; count: number }): number {
  return Math.log(count === 0 ? 1 + documents : 1 + (documents - count + 0.5) / (count + 0.5))
}

/** k1 of BM25: a term that occurs once in a document of mean length scores its idf / (1 + this). */
export const TERM_SATURATION = 1.2
/** Below, two names of four words share only an ending or a "de"; pg_trgm has the same threshold. */
export const TRIGRAM_COSINE_MIN = 0.3

/** Longer digit strings would lose digits as a double; GTINs have at most 14. */
const EXACT_DIGITS_MAX = 15

/** Remove the sign: folding makes it a letter that sticks to its number. */
const DIAMETER = /[Øø⌀](?=\s*\d)/g
/** Separate it: folding makes digits that stick to those before it ("12½" is 12 and 1/2). */
const FRACTION = /[¼-¾⅐-⅞]/g
/** The "x" in "13x2500" or "1200 × 2500". */
const FACTOR = /(?<=\d)\s*[x×*](?=\s*\d)/g
/** The "g" in "3g1.5": three wires of 1.5 mm², one of them earth. */
const EARTHED = /(?<=(?<![\p{L}\p{N}.,-])\d{1,2})g(?=\d{1,3}(?:[.,]\d{1,2})?(?![\p{L}\p{N}]))/gu
// A fraction (NFKD writes "½" as 1⁄2); a number, alone or before a short unit; a word or code.
const TOKEN =
  /(?<![\p{L}\p{N}/⁄])(\d{1,2})[/⁄]([1-9]\d?)(?![\d/⁄])|\d+(?:[.,]\d+)?(?=\p{L}{0,2}[23]?(?![\p{L}\p{N}]))|[\p{L}\p{N}]+/gu
