import { openMemo } from '@catalog/core/memo.ts'
import { multiply, parseDecimal, readNumber } from '@catalog/core/money/rational.ts'
import { isAmbiguous, lookUp, normalised, UNIT_OF } from './lookup.ts'
import { doubtAbout, type UnitDoubt } from './plausible-unit.ts'
import type { ParsedUnit, UnitContext } from './unit.ts'
import { CONTAINERS, HOLDS_PIECES } from './unit-tables.ts'

/**
 * Parses the unit of a text, with its multiple or pack ("100 m", "1000 u", "caja 25 u", "25kg bag", "cx c/ 100 un",
 * "pack 12 x 1 l"). Returns null unless it understands every word: a "sheet 1.22 x 2.44 m" read as a sheet would equal
 * every other sheet. Returns null also for a unit that no price is per: a milligram, one millilitre, and dotted
 * abbreviations of small metric units ("M.G.").
 */
export function parseUnit(text: string, context: UnitContext = {}): ParsedUnit | null {
  const unit = spelledUnit(text, context)
  return unit !== null && doubtAbout(text, unit) === null ? unit : null
}

/** Why a text is no unit: no table has the spelling, only other languages have it, or no price is per such a unit. */
export type UnknownUnitReason = 'SPELLING' | 'OTHER_LANGUAGE' | UnitDoubt

/** Why a unit is unknown; null for a known one. */
export function whyUnknown(text: string, context: UnitContext = {}): UnknownUnitReason | null {
  const unit = spelledUnit(text, context)
  if (unit !== null) return doubtAbout(text, unit)
  return isAmbiguous(normalised(text)) ? 'OTHER_LANGUAGE' : 'SPELLING'
}

/** The unit of a spelling, however small: a size in a name may be in milligrams, a price is not. */
export function spelledUnit(text: string, context: UnitContext): ParsedUnit | null {
  if (text.length > UNIT_TEXT_LENGTH_MAX) return null
  return SPELLED(`${context.format} ${context.lang}\n${text}`, () => {
    const spelled = normalised(text)
    return { unit: lookUp(spelled, context) ?? parsePhrase(spelled, context) ?? oneOf(spelled, context) }
  }).unit
}
/** One of a unit of several words, as some lists write each unit: "1 m² * cm". */
function oneOf(spelled: string, context: UnitContext): ParsedUnit | null {
  return spelled.startsWith('1 ') ? lookUp(spelled.slice(2), context) : null
}

/** A catalog repeats few spellings. */
const SPELLED = openMemo<{ unit: ParsedUnit | null }>(10_000)

/** The contents { "25", "kg" } as one unit "25 kg"; null for an unknown unit or a quantity that is not positive. */
export function parseContent(
  pack: { readonly quantity: string; readonly unit: string },
  context: UnitContext,
): ParsedUnit | null {
  if (pack.unit.length > UNIT_TEXT_LENGTH_MAX || !/^(?=.*[1-9])\d{1,18}(\.\d{1,18})?$/.test(pack.quantity)) return null
  const spelled = normalised(pack.unit)
  const unit = contentUnit(spelled, null, context) ?? parsePhrase(spelled, context)
  const contents = unit && !unit.pack ? times(pack.quantity, unit) : null
  return contents !== null && doubtAbout(pack.unit, contents) === null ? contents : null
}

function times(quantity: string, unit: ParsedUnit): ParsedUnit {
  // 5 of "100 ft" are "500 ft"; "5 100 ft" would read as 5100.
  const [, multiple, single] = /^(\d+) (.+)$/.exec(unit.symbol) ?? []
  if (multiple !== undefined && single !== undefined) {
    return times(product([multiple, quantity]) as string, UNIT_OF.get(normalised(single)) as ParsedUnit)
  }
  const trimmed = quantity.includes('.') ? quantity.replace(/\.?0+$/, '') : quantity
  // parseUnit reads symbols back. It would take "1.233 l" for 1233 l, but not "1.2330 l".
  const shown = readNumber(trimmed) === null ? `${trimmed}0` : trimmed
  return {
    dimension: unit.dimension,
    symbol: shown === '1' ? unit.symbol : `${shown} ${unit.symbol}`,
    factor: multiply(parseDecimal(quantity), unit.factor),
  }
}

/** Longer texts are descriptions. */
const UNIT_TEXT_LENGTH_MAX = 80

/**
 * Parses N U ("100 m"), N x N U, C N U ("bag of 40 lb", "bolsa x 50 kg"), C N x N U and N U C ("25 kg bag"). Containers
 * of pieces also stand as C N ("pallet 48") and N/C ("100/box"), and numbers of pieces as P U ("ciento de piezas"). N
 * is a number, U a unit, C a container or a piece.
 */
function parsePhrase(spelled: string, context: UnitContext): ParsedUnit | null {
  const parts = split(spelled)
  const shape = /^(?:(?<lead>W)x?)?(?<numbers>N|NxN|)(?<rest>W?)$/.exec(parts?.map(({ kind }) => kind).join('') ?? '-')
  if (!parts || !shape?.groups) return null
  if (!shape.groups.numbers) return parts.length === 1 ? unitInWords(parts[0]?.text ?? '', context) : null

  const container = shape.groups.lead ? containerOf(parts[0]?.text ?? '', context) : null
  if (shape.groups.lead && !container) return null
  const quantity = product(parts.filter((part) => part.kind === 'N').map((part) => part.text))
  if (quantity === null) return null
  if (!shape.groups.rest)
    return container && HOLDS_PIECES.has(container.symbol) ? { ...container, pack: { quantity, unit: 'u' } } : null

  const isProduct = shape.groups.numbers === 'NxN'
  const words = parts.at(-1)?.text ?? ''
  const unit = content(words, container)
  // "100/box" does not mean a hundred boxes.
  if (unit && /^\S+ ?\//.test(spelled) && HOLDS_PIECES.has(unit.symbol))
    return { ...unit, pack: { quantity, unit: 'u' } }
  if (unit) return container ? { ...container, pack: { quantity, unit: unit.symbol } } : times(quantity, unit)
  if (container) return null
  const tokens = words.split(' ')
  for (let at = 1; at < tokens.length; at++) {
    const trailing = containerOf(tokens.slice(at).join(' '), context)
    const inner = trailing && content(tokens.slice(0, at).join(' '), trailing)
    if (inner) return { ...trailing, pack: { quantity, unit: inner.symbol } }
  }
  return null

  function content(spelling: string, within: ParsedUnit | null): ParsedUnit | null {
    const found = contentUnit(spelling, within, context)
    // "3 x 2 m" may be three of 2 m, or an area of 6 m².
    return isProduct && found?.dimension === 'length' ? null : found
  }
}

/** A unit of words alone: with an article ("la pièce"), or a number of pieces ("ciento de piezas", "cento de peças"). */
function unitInWords(words: string, context: UnitContext): ParsedUnit | null {
  const whole = lookUp(words, context)
  if (whole) return whole
  const [first = '', ...others] = words.split(' ')
  const number = lookUp(first, context)
  return number?.dimension === 'count' && lookUp(others.join(' '), context)?.symbol === 'u' ? number : null
}

/** N: a number as decimal; x: the multiplication sign; W: the words between them without connectors. */
type Part = Readonly<{ kind: 'N' | 'x' | 'W'; text: string }>

/** The parts of a phrase; null for any other character or an ambiguous number. */
function split(spelled: string): Part[] | null {
  const parts: Part[] = []
  let end = 0
  for (const match of spelled.matchAll(TOKEN)) {
    if (match.index !== end) return null
    end = match.index + match[0].length
    const token = match[0].trim()
    const last = parts.at(-1)
    if (/^\d/.test(token)) {
      const number = readNumber(token)
      if (number === null || !/[1-9]/.test(number)) return null
      parts.push({ kind: 'N', text: number })
    } else if (token === 'x') parts.push({ kind: 'x', text: token })
    else if (CONNECTORS.has(token)) continue
    else if (last?.kind === 'W') parts[parts.length - 1] = { kind: 'W', text: `${last.text} ${token}` }
    else parts.push({ kind: 'W', text: token })
  }
  return end === spelled.length ? parts : null
}
/**
 * A number with its groups; a word, which may end in the power of a unit (m2, cm3); a slash. Each includes the space
 * after it.
 */
const TOKEN = /(?:\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,]\d+)*|x(?=[ \d])|[a-z]+(?:[23](?![a-z\d.,]))?|\/) */g
/** Connecting words: "bag of 40 lb", "25 kg/saco", "por 100 m", "Sack à 25 kg"; and articles: "le cent". */
const CONNECTORS = new Set(
  '/ de of a zu con com mit avec with da di por per pro je contiene contem the el la los las le les il'.split(' '),
)

/** Exact product of one or two decimals, as a decimal; null when the first of two is no whole number of packs. */
function product([first = '1', second]: readonly string[]): string | null {
  if (second === undefined) return first
  if (first.includes('.')) return null
  const places = second.split('.')[1]?.length ?? 0
  const digits = String(BigInt(first) * BigInt(second.replace('.', ''))).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/**
 * The unit after a number. "310 ml" means millilitres, except in BC3 or on a roll, where it may be a length and stays
 * unknown. "8 ft" means feet in French too.
 */
function contentUnit(spelling: string, container: ParsedUnit | null, context: UnitContext): ParsedUnit | null {
  if (spelling === 'ft') return UNIT_OF.get('ft') ?? null
  if (spelling !== 'ml') return lookUp(spelling, context)
  const mayBeLength = context.format === 'bc3' || ['roll', 'coil', 'reel', 'bar'].includes(container?.symbol ?? '')
  return mayBeLength ? null : (UNIT_OF.get('ml') ?? null)
}

/** A container, or a piece, which may also have contents ("ud 25 kg"). */
function containerOf(spelling: string, context: UnitContext): ParsedUnit | null {
  const unit = lookUp(spelling, context)
  return unit && (unit.symbol === 'u' || CONTAINERS.some(([symbol]) => symbol === unit.symbol)) ? unit : null
}
