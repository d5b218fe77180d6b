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

/** Package codes that both recommendations share. */
const PACKAGES: readonly (readonly [word: string, codes: string])[] = [
  ['ampoule', 'AM'],
  ['bale', 'BL'],
  ['bar', 'BR'],
  ['bottle', 'BO'],
  ['bucket', 'BJ'],
  ['bundle', 'BE'],
  ['can', 'CA'],
  ['canister', 'CI'],
  ['carton', 'CT'],
  ['cartridge', 'CQ'],
  ['case', 'CS'],
  // A ring of cable or pipe is a coil elsewhere.
  ['coil', 'CL RG'],
  ['crate', 'CR'],
  ['cylinder', 'CY'],
  ['drum', 'DR'],
  ['jar', 'JR'],
  ['mat', 'MT'],
  ['packet', 'PA'],
  ['pail', 'PL'],
  ['reel', 'RL'],
  ['rod', 'RD'],
  ['sack', 'SA'],
  ['sheet', 'ST'],
  ['spool', 'SO'],
  ['tin', 'TN'],
  ['tray', 'PU'],
  ['tube', 'TU'],
]

/** Codes of Recommendation 20 alone. "Number of rolls" is a roll. */
const COUNTED: readonly (readonly [word: string, codes: string])[] = [
  ['cask', 'Z3'],
  ['chest', 'Z2'],
  ['kit', 'KT'],
  // Now KMT; BMEcat lists the code of an earlier edition.
  ['km', 'KTM'],
  ['pack', 'NMP'],
  ['pallet', 'D97 PF'],
  ['parcel', 'NPL'],
  ['piece', 'NAR NPT'],
  ['roll', 'NRL'],
  ['sheet', 'LEF'],
  ['sleeve', 'D99'],
]

/** Packages whose code without the X is another unit (KG, LT) or is understood (BX). */
const ONLY_WITH_X: readonly (readonly [word: string, codes: string])[] = [
  ['aerosol', 'XAE'],
  ['bag', 'XBG'],
  ['barrel', 'XBA'],
  ['board', 'XBD'],
  ['box', 'XBX'],
  ['keg', 'XKG'],
  ['lot', 'XLT'],
  ['pack', 'XPK'],
  ['pallet', 'XPX'],
  ['piece', 'XPP XUN'],
  ['pouch', 'XPO'],
  ['roll', 'XRO'],
  ['tub', 'XTB'],
]

const WORDS: ReadonlyMap<string, string> = new Map([
  ...[...PACKAGES, ...COUNTED, ...ONLY_WITH_X].flatMap(([word, codes]) => pairs(word, codes)),
  ...PACKAGES.flatMap(([word, codes]) => pairs(word, codes, 'X')),
])

function pairs(word: string, codes: string, prefix = ''): [code: string, word: string][] {
  return codes.split(' ').map((code) => [`${prefix}${code}`, word])
}
