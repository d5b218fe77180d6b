import { readDataFile } from '@catalog/core/data-file.ts'
import { z } from 'zod'

/**
 * English words for the unit codes of electronic catalogues. The codes come from UN/ECE Recommendation 20 (units of
 * measure) and 21 (packages, with a leading X where codes of both are allowed).
 *
 * The table holds units of building supplies: packages of both recommendations, and what the ETIM guideline for BMEcat
 * (version 3.1, chapter 8) adds. Most other codes need no word (MTR, KGM, C62, PR, SET), or are abbreviations that
 * vendors mean (PZ, HL, KTN).
 */

/**
 * The word for a code; any other text unchanged: "Pa" and "ca" are no codes. A word that our units lack ("tray") is a
 * unit of its own, like its code.
 *
 * Some codes are ambiguous. ST is a sheet, and German wholesalers use it for a piece (Stück). Like MT (mat, or metre)
 * and CY (cylinder, or cubic yard), it stays unchanged in languages with the abbreviation. Either way ST counts one.
 *
 * KG is a keg, and to nearly everybody a kilogram. It counts as a keg only when it holds kilograms or litres: the price
 * then refers to its contents, which is right in both readings.
 */
export function unitInWords(
  code: string,
  around: Readonly<{
    /** Language of the catalogue (ISO 639-1); '' when unknown. */
    lang: string
    /** The unit code of the contents; '' when unknown. */
    contentUnit: string
  }>,
): string {
  if (code === 'KG' && /^(KGM?|LTR)$/.test(around.contentUnit)) return 'keg'
  return ABBREVIATIONS.get(code)?.has(around.lang) ? code : (WORDS.get(code) ?? code)
}

/** Languages in which a code is more likely an abbreviation. */
const ABBREVIATIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['CY', new Set(['en'])],
  ['MT', new Set(['en', 'es', 'it', 'pt'])],
  ['ST', new Set(['de'])],
])

const Codes = z.record(z.string(), z.string()).transform((words) => Object.entries(words))
const codes = z
  .strictObject({ packages: Codes, counted: Codes, only_with_x: Codes })
  .parse(readDataFile(import.meta.url, 'unece.yaml'))

const WORDS: ReadonlyMap<string, string> = new Map([
  ...[...codes.packages, ...codes.counted, ...codes.only_with_x].flatMap(([word, codes]) => pairs(word, codes)),
  ...codes.packages.flatMap(([word, codes]) => pairs(word, codes, 'X')),
])

function pairs(word: string, written: string, prefix = ''): [code: string, word: string][] {
  return written.split(' ').map((code) => [`${prefix}${code}`, word])
}
