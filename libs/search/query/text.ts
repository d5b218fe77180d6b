import { fold } from '@catalog/core/text.ts'

/**
 * The folded words, numbers and codes of a text, in order, repeats kept: what documents are indexed by and queries look
 * for. A number has one spelling ("12,50", "12.5" and "12½" without its 12 ...): decimal comma is a point, "1/2" and "½"
 * are "0.5". A short unit is cut off ("13mm" gives "13", "mm"), and so is a factor ("13x2500", and "3G1.5" of a cable with
 * earth); codes stay whole ("B500S" gives "b500s"). Letters of every script count. Empty for a text without letter and digit.
 */
export function tokensOf(text: string): string[] {
  const folded = fold(text.replace(DIAMETER, ' ').replace(FRACTION, ' $&')).replace(FACTOR, ' ').replace(EARTHED, ' ')
  return Array.from(folded.matchAll(TOKEN), ([token, numerator, denominator]) => {
    if (denominator !== undefined) return String(Number(numerator) / Number(denominator))
    return isNumber(token) && token.length <= EXACT_DIGITS_MAX ? String(Number(token.replace(',', '.'))) : token
  })
}

/** Whether a token is a number, as "0.5" and "2500" are. */
export function isNumber(token: string): boolean {
  return /^\d+([.,]\d+)?$/.test(token)
}

/** Whether a token names one thing rather than describing it: letters and digits in 4 or more places, or 5 digits. */
export function isCode(token: string): boolean {
  return /^\d{5,}$/.test(token) || (token.length >= 4 && /\d/.test(token) && /\p{L}/u.test(token))
}

/** The distinct trigrams of a text's words, each word with a blank at its ends; tokens that hold a digit have none. */
export function trigramsOf(tokens: readonly string[]): Set<string> {
  const trigrams = new Set<string>()
  eachTrigram(tokens, (trigram) => trigrams.add(trigram))
  return trigrams
}

/** Of the given trigrams, how many the tokens have. */
export function trigramsShared(trigrams: ReadonlySet<string>, tokens: readonly string[]): number {
  if (trigrams.size === 0) return 0
  const shared = new Set<string>()
  eachTrigram(tokens, (trigram) => {
    if (trigrams.has(trigram)) shared.add(trigram)
  })
  return shared.size
}

function eachTrigram(tokens: readonly string[], take: (trigram: string) => void): void {
  for (const token of tokens) {
    if (/\d/.test(token)) continue
    const word = ` ${token} `
    for (let at = 0; at + 3 <= word.length; at++) take(word.slice(at, at + 3))
  }
}

/** Inverse document frequency of a token that `count` of `documents` hold; a token that none holds says most. */
export function idfOf({ documents, count }: { documents: number; count: number }): number {
  return Math.log(count === 0 ? 1 + documents : 1 + (documents - count + 0.5) / (count + 0.5))
}

/** Longer digit strings (GTINs have up to 14) would lose digits as a double. */
const EXACT_DIGITS_MAX = 15

/** Folded, the sign would be a letter that sticks to its number. */
const DIAMETER = /[Øø⌀](?=\s*\d)/g
/** Folded, its digits would stick to those before it: "12½" is 12 and 1/2. */
const FRACTION = /[¼-¾⅐-⅞]/g
/** The "x" in "13x2500" or "1200 × 2500". */
const FACTOR = /(?<=\d)\s*[x×*](?=\s*\d)/g
/** The "g" in "3g1.5": three wires, one of them of earth, of 1.5 mm². */
const EARTHED = /(?<=(?<![\p{L}\p{N}.,-])\d{1,2})g(?=\d{1,3}(?:[.,]\d{1,2})?(?![\p{L}\p{N}]))/gu
// A fraction (NFKD writes "½" as 1⁄2), a number that stands alone or before a short unit, a word or code.
const TOKEN =
  /(?<![\p{L}\p{N}/⁄])(\d{1,2})[/⁄]([1-9]\d?)(?![\d/⁄])|\d+(?:[.,]\d+)?(?=\p{L}{0,2}[23]?(?![\p{L}\p{N}]))|[\p{L}\p{N}]+/gu
