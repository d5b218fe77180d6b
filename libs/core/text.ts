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

/** One spelling for texts that differ only in case, accents, dots and blanks: "M. G." and "mg". */
export function spellingKey(text: string): string {
  return foldText(text).replace(/[.\s]+/g, '')
}

/** Order by UTF-16 code units, the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
