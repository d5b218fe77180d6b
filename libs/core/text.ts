/** Text folded for comparison: lower case, no diacritics, ß æ œ ø ł đ ı spelled out, runs of white space as one space. */
export function foldText(value: string): string {
  return value
    .toLowerCase()
    .replace(/[ßæœøłđı]/g, (letter) => SPELLED_OUT[letter] as string)
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}
const SPELLED_OUT: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/**
 * The text with its raised, lowered and circled digits as words of their own: folding alone makes "5⁰" the number 50. Powers of a
 * unit of length ("m²", "cm³") stay, because everybody writes them "m2" too. A fraction stands apart from its neighbours.
 */
export function withPlainDigits(text: string): string {
  if (!SPECIAL_DIGIT.test(text)) return text
  return text
    .replace(UNIT_POWER, (_, unit: string, power: string) => `${unit}${power.normalize('NFKD')}`)
    .replace(FRACTION, ' $& ')
    .replace(SPECIAL_DIGITS, (written) => {
      const plain = written.normalize('NFKD').replace(/\D/g, '')
      return plain === '' ? written : ` special${plain} `
    })
}
/** Numbers that are no decimal digits: of other scripts too, which folding leaves alone. */
const SPECIAL_DIGIT = /\p{No}/u
const FRACTION = /[¼-¾⅐-⅟↉]/gu
const SPECIAL_DIGITS = /[\p{No}--[¼-¾⅐-⅟↉]]+/gv
const UNIT_POWER = /(?<!\p{L})((?:[kcdmhnrfµ]|da)?m|mts?|metros?|ft|in|yd|pies?|pulg|pol|pi|po)([²³])(?![\p{No}\d])/giu

/** One spelling for texts that differ only in case, accents, dots and blanks: "M. G." and "mg". */
export function spellingKey(text: string): string {
  return foldText(text).replace(/[.\s]+/g, '')
}

/** The text as a pattern that matches it alone. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Order by UTF-16 code units, the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A name with more typos is another name rather than a typing mistake. */
export const TYPOS_MAX = 2
/** More letters cannot be so few typos away from a name. */
const COMPARED_CHARS_MAX = 100
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** What to write in place of an unknown name: "expected 'region'?" for a typing mistake, or else the list of known names. */
export function expectedName(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  return near === undefined ? `expected ${OR.format(known)}` : `expected '${near}'?`
}

/** The known name that differs from this one by a typing mistake; undefined where none does. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const written = name.slice(0, COMPARED_CHARS_MAX).toLowerCase().replaceAll('-', '_')
  const near = known.map((name) => ({ name, typos: typos(written, name) })).sort((a, b) => a.typos - b.typos)[0]
  const isNear = near !== undefined && near.typos <= TYPOS_MAX && near.typos < near.name.length / 2
  return isNear ? near.name : undefined
}

/** The Damerau-Levenshtein distance: letters to add, drop, replace or swap with their neighbour. */
export function typos(from: string, to: string): number {
  const least = Array.from({ length: from.length + 1 }, (_, n) =>
    Array.from({ length: to.length + 1 }, (_, m) => n + m),
  )
  const at = (n: number, m: number) => least[n]?.[m] ?? Infinity
  for (let n = 1; n <= from.length; n++) {
    for (let m = 1; m <= to.length; m++) {
      const isSame = from[n - 1] === to[m - 1]
      const isSwapped = from[n - 1] === to[m - 2] && from[n - 2] === to[m - 1]
      const changed = at(n - 1, m - 1) + (isSame ? 0 : 1)
      const swapped = isSwapped ? at(n - 2, m - 2) + 1 : Infinity
      ;(least[n] as number[])[m] = Math.min(changed, swapped, at(n - 1, m) + 1, at(n, m - 1) + 1)
    }
  }
  return at(from.length, to.length)
}

/** "1 item", "12 items". */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
