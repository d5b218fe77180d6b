/**
 * Codes of units that electronic catalogues use, as plain English words. The codes are those of UN/ECE Recommendation 20
 * (units of measure) and 21 (packages; its codes have an X before them where those of 20 are allowed as well).
 *
 * Here are only things that building supplies are sold by: the packages of both recommendations, and what the ETIM
 * guideline for BMEcat (version 3.1, chapter 8) allows beside them. Most other codes are read rightly already (MTR, KGM,
 * C62, PR, SET) or are abbreviations too (PZ, HL, KTN), which vendors write and mean.
 */

/**
 * The word for a code; any other text as it is: "Pa" and "ca" are no codes. A word that our units do not know ("tray") is
 * a unit of its own, as the code would be.
 *
 * Some codes mean something else to many vendors. ST is a sheet, and what German wholesalers' programs call a piece
 * (Stück); like MT (mat, or metre) and CY (cylinder, or cubic yard) it stays in the languages that have the abbreviation.
 * Either way ST is one: what is sold by the sheet is sold by the piece. KG is a keg, and to nearly everybody a kilogram,
 * so it is a keg only where it holds kilograms or litres. Then it costs what these cost, which is right for both.
 */
export function unitInWords(
  code: string,
  around: Readonly<{
    /** Language of the catalogue (ISO 639-1), '' when unknown. */
    lang: string
    /** The code of what one of it holds, '' when that is not known. */
    contentUnit: string
  }>,
): string {
  if (code === 'KG' && /^(KGM?|LTR)$/.test(around.contentUnit)) return 'keg'
  return ABBREVIATIONS.get(code)?.has(around.lang) ? code : (WORDS.get(code) ?? code)
}

/** Languages in which a code is likelier to be an abbreviation. */
const ABBREVIATIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['CY', new Set(['en'])],
  ['MT', new Set(['en', 'es', 'it', 'pt'])],
  ['ST', new Set(['de'])],
])

/** Codes of both recommendations for one package. */
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
  // A ring of cable or pipe is what others call a coil.
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

/** Codes of Recommendation 20 alone. One of "number of rolls" is a roll. */
const COUNTED: readonly (readonly [word: string, codes: string])[] = [
  ['cask', 'Z3'],
  ['chest', 'Z2'],
  ['kit', 'KT'],
  // KMT today; BMEcat lists what the edition of its time had.
  ['km', 'KTM'],
  ['pack', 'NMP'],
  ['pallet', 'D97 PF'],
  ['parcel', 'NPL'],
  ['piece', 'NAR NPT'],
  ['roll', 'NRL'],
  ['sheet', 'LEF'],
  ['sleeve', 'D99'],
]

/** Packages whose code without the X is another unit (KG, LT) or is read rightly (BX). */
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
