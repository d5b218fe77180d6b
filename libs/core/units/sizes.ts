import { openMemo } from '@catalog/core/memo.ts'
import { multiply, ONE, parseDecimal, type Rational, readNumber, toText } from '@catalog/core/money/rational.ts'
import { foldText, withPlainDigits } from '@catalog/core/text.ts'
import { parseUnit, spelledUnit } from './parse-unit.ts'
import type { Dimension, ParsedUnit } from './unit.ts'

/**
 * The numbers of a name: sizes with their units, bare numbers, and the designations of standards and types. Search
 * reads likely sizes with {@link sizesOf}, the matcher only certain ones with {@link readSize}.
 */

/**
 * A number of a name, or several as in "60 x 60 cm", with the unit after the last. "3x2.5 mm²" is one size of two
 * values; only the reader knows that the 3 counts wires.
 */
export type Size = Readonly<{
  /** 'number' without a unit. */
  dimension: Dimension | 'number'
  /** In base units of the dimension (m, m², m³, kg, one piece …), in the order of the name. Never empty. */
  values: readonly number[]
  /** The numbers as written: 12.5 of "12,5 mm", 0.5 of "1/2 in". As many as `values`. */
  written: readonly number[]
  /** `values` exactly: two sizes of one dimension are equal if and only if their texts are ("1/80", "3x5/2"). */
  text: string
}>

/**
 * Every size and bare number of a name or query, in order: "placa 12,5 mm 1.20x2.50 m" gives { length, [.0125] } and {
 * length, [1.2, 2.5] }. It reads inches from ", ” and in, with fractions. Likely readings count too: a bare fraction
 * ("codo 1/2") is inches, and a bare number after a diameter sign ("Ø12") is millimetres. "3G2,5" is 3x2.5. The
 * language or the unit decides "1.200"; where neither does, it drops the number. Numbers inside a designation (DN50,
 * M8x40, B500S, C25/30) do not count.
 */
export function sizesOf(text: string, lang?: string): readonly Size[] {
  const sizes: Size[] = []
  const chunks = chunksOf(preparedName(text))
  for (const [at, chunk] of chunks.entries()) {
    const size = likelySize(chunk, chunks[at - 1], chunks[at + 1], lang)
    if (!size) continue
    // "60 cm x 60 cm" is one size, like "60x60 cm".
    const isFactor = chunks[at - 1] === 'x' && sizes.at(-1)?.dimension === size.dimension
    sizes.push(isFactor ? joined(sizes.pop() as Size, size) : size)
  }
  return sizes
}

/**
 * Whether vendors sell two sizes as one: 12.5 mm, 13 mm and 1/2 in are equal; 3x1.5 and 3x2.5 differ, and so do 25 kg
 * and 25 lb. A bare number equals a size with the same written number, or its millimetres: 12,5 is 12.5 mm, 13 is 1/2
 * in, 60x60 is 600x600 mm. Symmetric but not transitive, so it serves search and never a match.
 */
export function isNominallyEqual(a: Size, b: Size): boolean {
  if (a.values.length !== b.values.length) return false
  const areNear = (one: readonly number[], other: readonly number[], dimension: Size['dimension']) =>
    one.every((value, at) => isNear(value, other[at] as number, dimension))
  if (a.dimension === b.dimension) return areNear(a.values, b.values, a.dimension)

  const [bare, measured] = a.dimension === 'number' ? [a, b] : [b, a]
  if (bare.dimension !== 'number') return false
  if (areNear(bare.values, measured.written, 'number')) return true
  if (measured.dimension !== 'length') return false
  // Pairs and triples without a unit may use any of the three: 600x600, 60x60, 1.20x2.40.
  const scales = bare.values.length > 1 ? [1000, 100, 1] : [1000]
  return scales.some((scale) => {
    const metres = bare.values.map((value) => value / scale)
    return areNear(metres, measured.values, 'length')
  })
}

function isNear(a: number, b: number, dimension: Size['dimension']): boolean {
  const larger = Math.max(a, b)
  const isCounted = dimension === 'number' || dimension.startsWith('count')
  const isThin = dimension === 'length' && larger <= THIN_METRES_MAX
  return Math.abs(a - b) <= larger * (isCounted ? ROUNDING_TOLERANCE : isThin ? THIN_TOLERANCE : NOMINAL_TOLERANCE)
}
/** Vendors sell an inch as 25 mm, 4 ft as 1.2 m, 55 lb as 25 kg. */
const NOMINAL_TOLERANCE = 0.02
/** Up to 20 mm, names round half a millimetre away: 12.5 and 13 are one board (3.8 %), 12 and 12.5 are two (4 %). */
const THIN_TOLERANCE = 0.039
const THIN_METRES_MAX = 0.02
/** Largest difference between two doubles of one number. */
const ROUNDING_TOLERANCE = 1e-12

function sizeOf(dimension: Size['dimension'], decimals: readonly string[], factors: readonly Rational[]): Size {
  const exact = decimals.map((decimal, at) => multiply(parseDecimal(decimal), factors[at] as Rational))
  return {
    dimension,
    values: exact.map(({ n, d }) => Number(n) / Number(d)),
    written: decimals.map(Number),
    text: exact.map(toText).join('x'),
  }
}

function joined(a: Size, b: Size): Size {
  return {
    dimension: a.dimension,
    values: [...a.values, ...b.values],
    written: [...a.written, ...b.written],
    text: `${a.text}x${b.text}`,
  }
}

/** The most likely size of a chunk, given the chunks before and after it; null for a word or a code. */
function likelySize(
  chunk: string,
  before: string | undefined,
  next: string | undefined,
  lang: string | undefined,
): Size | null {
  const [, wires, section] = /^(\d{1,2})g(\d{1,3}(?:[.,]\d{1,2})?)$/.exec(chunk) ?? []
  if (wires !== undefined && section !== undefined) {
    return sizeOf('number', [wires, section.replace(',', '.')], [ONE, ONE])
  }
  const found = writtenSize(chunk, next, lang)
  if (!found) return null
  const { written, unit } = found
  const likely = unit ?? parseUnit(written.some(isFraction) ? 'in' : before === DIAMETER ? 'mm' : '')
  const decimals = written.map((number) => likelyNumber(number, likely, lang))
  if (!decimals.every((decimal) => decimal !== null)) return null
  const factors = written.map((number) => (likely ? factorOf(number, likely) : ONE))
  return sizeOf(likely?.dimension ?? 'number', decimals, factors)
}

/**
 * The factor of one number before a unit: "1/2 x 10 ft" is half an inch by ten feet, because nobody writes fractions of
 * a foot.
 */
function factorOf(written: string, unit: ParsedUnit): Rational {
  return unit.symbol === 'ft' && isFraction(written) ? INCH : unit.factor
}
const INCH = parseDecimal('0.0254')

/** Decides an ambiguous number by the language and the unit: nobody gives thousandths of a millimetre. */
function likelyNumber(written: string, unit: ParsedUnit | null, lang: string | undefined): string | null {
  const sure = readNumber(written)
  if (sure !== null) return sure
  if (lang === 'en') return readNumber(written, { decimal: '.' })
  if (unit?.symbol === 'mm' || unit?.symbol === 'cm')
    return readNumber(written, { decimal: written.includes('.') ? ',' : '.' })
  // Spanish writes 1.200 in Spain and 1,200 in Mexico.
  return lang === undefined || lang === 'es' ? null : readNumber(written, { decimal: ',' })
}

// Parts of a name -----------------------------------------------------------------------------------------------------

/**
 * One spelling for inches, fractions, diameters, elisions, "60 x 60" and codes written apart: folded text for {@link
 * chunksOf} and {@link designationsOf}.
 */
export function preparedName(name: string): string {
  return PREPARED(name, () => prepared(name))
}
/** Readers of kinds, attributes, sizes and blocks each prepare the same name. */
const PREPARED = openMemo<string>(10_000)

function prepared(name: string): string {
  const marked = withPlainDigits(name)
    .replace(/[Øø⌀∅](?=\s*\d)/gu, ` ${DIAMETER} `)
    .replace(/(?<=[\d¼½¾⅐-⅞])\s*(?:["”“″]|['’′]{2})/gu, ' in ')
    .replace(/(?<=[\d¼½¾⅐-⅞])\s*['’′](?![\p{L}\d])/gu, ' ft ')
  return foldText(marked)
    .replaceAll('⁄', '/')
    .replace(
      /(?<=\d )sq(?:uare|\.)? ?(ft|yd|in|foot|feet|yard|inch|meter|metre)(?:s|es)?\b/g,
      (_, unit: string) => `sq${SHORT[unit] ?? unit}`,
    )
    .replace(/(?<![a-z\d])(?:d|l|qu|all|dell|nell|sull)['’](?=[a-z])/g, '')
    .replace(/(?<![\d.,/])(?:(\d{1,2})[ -])?(\d{1,2})\/(\d{1,2})(?![\d/])/g, asDecimal)
    .replace(/(?<=\d) ?[x×*] ?(?=[1-9]|0[.,]\d)/g, 'x')
    .replace(/\b(?!i{1,3}-|iv-|v-)([a-z]{1,4})-(?=\d)/g, '$1')
    .replace(
      /\b(aisi|nhl|dn|pn|sdr|ip|ik|ei|rei|ral|fck|ha|hm|hp|ca|xc|c|lc) (?=\d+(?:\/\d+)?(?!\d)(?! ?(?:mm|cm|m|kg|g|l|in|ka)\b))/g,
      '$1',
    )
    .replace(/\bb ?([456]00) ?(sd|s|t|a|b|c)\b/g, 'b$1$2')
}
const DIAMETER = 'diam'
const SHORT: Readonly<Record<string, string>> = {
  foot: 'ft',
  feet: 'ft',
  yard: 'yd',
  inch: 'in',
  meter: 'm',
  metre: 'm',
}

/** "1 1/2" and "3/4" as decimals, when the denominator is one of a ruler; other text stays as it is ("25/30"). */
function asDecimal(text: string, whole: string | undefined, numerator: string, denominator: string): string {
  const parts = Number(denominator)
  // "0/4" and "8/16" are gradations: the fractions of a ruler have odd numerators.
  if (![2, 4, 8, 16, 32, 64].includes(parts) || Number(numerator) >= parts || Number(numerator) % 2 === 0) return text
  const isMixed = whole !== undefined && Number(whole) <= WHOLE_INCHES_MAX
  const decimal = ((isMixed ? Number(whole) : 0) + Number(numerator) / parts).toFixed(FRACTION_PLACES)
  return whole === undefined || isMixed ? decimal : `${whole} ${decimal}`
}
/** "Elbow 90 1/2 in" is an angle and a size; pipes and boards with a fraction are narrower. */
const WHOLE_INCHES_MAX = 12
/** Six decimals hold a 64th, and keep "1.125" from looking like thousands. */
const FRACTION_PLACES = 6

/** Whether a number of a prepared name was a fraction. */
function isFraction(written: string): boolean {
  return written.split('.')[1]?.length === FRACTION_PLACES
}

/** Words, codes and numbers of a prepared name: letters and digits; a point, comma or slash only between digits. */
export function chunksOf(prepared: string): readonly string[] {
  return prepared.match(/[\p{L}\p{N}]+(?:(?<=\d)[.,/](?=\d)[\p{L}\p{N}]+)*/gu) ?? []
}

/** The written numbers of a chunk, and the unit in it or in the next one; null for a word or a code. */
function writtenSize(chunk: string, next: string | undefined, lang: string | undefined) {
  const [, written, attached] = /^(\d[\d.,]*(?:x\d[\d.,]*)*)([a-z]*[23]?)$/.exec(chunk) ?? []
  if (written === undefined) return null
  const unit = unitAfterNumber(attached || next, lang)
  return attached && !unit ? null : { written: written.split('x'), unit, isAttached: Boolean(attached) }
}

/**
 * The certain reading of a chunk: a number, or several as in "60x60", with the unit after it, exactly and in base units
 * of its dimension; kind "number" without one. Null for a word or a code, such as "20w50".
 */
export function readSize(chunk: string, next: string | undefined, lang: string | undefined) {
  const found = writtenSize(chunk, next, lang)
  if (!found) return null
  const { written, unit, isAttached } = found
  const decimals = written.map((text) => readNumber(text))
  // "1.000 mm" may be a metre: it stays a number of its own, with the unit as a word.
  if (unit && decimals.every((decimal) => decimal !== null)) {
    const numbers = decimals.map((decimal, at) =>
      toText(multiply(parseDecimal(decimal), factorOf(written[at] as string, unit))),
    )
    return { kind: unit.dimension, numbers, takesNext: !isAttached }
  }
  if (isAttached) return null
  const numbers = written.map((text, at) => decimals[at]?.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') ?? text)
  return { kind: 'number', numbers, takesNext: false }
}

/**
 * The unit of a size in a name: a measure or a number of pieces. Containers do not count, nor words that also mean
 * "number".
 */
function unitAfterNumber(word: string | undefined, lang: string | undefined): ParsedUnit | null {
  if (word === undefined || ['n', 'no', 'nr', 'to'].includes(word)) return null
  const unit = spelledUnit(`1 ${word}`, { lang })
  return unit === null || unit.pack || unit.dimension.startsWith('count:') || unit.dimension === 'lump sum'
    ? null
    : unit
}

/**
 * Designations of standards and types, by family: b → 500sd, c → 25/30, cem → ii/a-l, ac → 3 (AC III), dn → 50, m → 8.
 * They have at most three digits, except RAL colours: longer codes belong to one maker and differ between vendors by a
 * suffix.
 */
export function designationsOf(prepared: string): { family: string; value: string }[] {
  const found: { family: string; value: string }[] = []
  for (const [, family = '', value = ''] of prepared.matchAll(
    /(?<![\p{L}\d])(ral(?=\d{4})|[a-z]{1,4}(?=\d{1,3}(?!\d)))(\d+(?:[.,/x]\d+)*[a-z]{0,3})(?![\p{L}\d])/gu,
  )) {
    if (!/^(?:[cdm]?m|k?m|ft|in|yd)[23]$/.test(family + value)) found.push({ family: `type ${family}`, value })
  }
  for (const [, family = '', value = ''] of prepared.matchAll(
    /\b(cem|cp) ?((?:i{1,3}|iv|v)\b(?: ?[/-] ?[a-z]{1,2}\b)*)/g,
  )) {
    found.push({ family: `type ${family}`, value: value.replaceAll(' ', '') })
  }
  for (const [, roman = ''] of prepared.matchAll(/\bac[ -]?(i{1,3})(?![\p{L}\d])/gu)) {
    found.push({ family: 'type ac', value: String(roman.length) })
  }
  if (/\bcem/.test(prepared)) {
    for (const [, value = ''] of prepared.matchAll(/\b([345]2[.,]5) ?[nrl]?\b/g)) {
      found.push({ family: 'strength', value: value.replace(',', '.') })
    }
  }
  return found
}
