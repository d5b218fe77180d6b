import {
  divide,
  multiply,
  ONE,
  parseDecimal,
  parseRational,
  type Rational,
  rational,
  readNumber,
  toText,
} from '@catalog/core/money/rational.ts'
import { foldText } from '@catalog/core/text.ts'

/**
 * Units of measure as vendors spell them in Spanish, English, Portuguese, French, German and Italian, with exact factors,
 * so that a price per short ton and a price per kg can vote together. What is not in the table stays a text: it is never
 * guessed and never converts.
 */

/**
 * What a unit counts. Each has one base: m, m², m³, kg, h, kWh, kW, one piece. A container or another thing that is
 * counted (a bag, a box, a day's rental) is a kind of its own, `count:bag`: a bag is no box and no piece, and only its
 * contents, where they are known, make it comparable. What is sold by the sheet, the bar or the roll is sold by the piece
 * (see {@link soldUnit}).
 */
export type Dimension =
  | 'length'
  | 'area'
  | 'volume'
  | 'mass'
  | 'time'
  | 'energy'
  | 'power'
  | 'count'
  | 'lump sum'
  | `count:${string}`

/** How the text of a unit is to be read: its language (ISO 639-1) and whether it stands in a BC3 file. */
export type UnitContext = { readonly lang?: string | undefined; readonly format?: 'bc3' | undefined }

export type ParsedUnit = Readonly<{
  dimension: Dimension
  /**
   * Short name for display, the same for all spellings: "m²", "kg", "u", "100 m", "bag". Names the unit in any context,
   * a bare "ml" and "ft" aside, which some languages use for other things.
   */
  symbol: string
  /** Base units of the dimension in one of this unit. */
  factor: Rational
  /** Contents that the text gives: "saco 25 kg" is a bag with { quantity: "25", unit: "kg" }. */
  pack?: Readonly<{ quantity: string; unit: string }>
}>

/**
 * The unit that a text names, with the multiple or the pack in it ("100 m", "1000 u", "caja 25 u", "25kg bag", "cx c/ 100
 * un", "pack 12 x 1 l"). Every word has to be understood, else null: a "sheet 1.22 x 2.44 m" read as a sheet would equal
 * every other sheet.
 */
export function parseUnit(text: string, context: UnitContext = {}): ParsedUnit | null {
  if (text.length > UNIT_TEXT_LENGTH_MAX) return null
  const spelled = normalised(text)
  return lookUp(spelled, context) ?? parsePhrase(spelled, context)
}

/** What one unit of a price is: the unit with its pack resolved. */
export type SoldUnit = Readonly<{
  /**
   * What an item shows: "25 kg" when the contents are known, else "m²", else the vendor's text; null without a unit. Read
   * as a unit of no language, it gives the same key again, so that an item can be founded with it.
   */
  label: string | null
  /** Null when the unit is not known. */
  dimension: Dimension | null
  /** Base units of the dimension in one sold unit; null when the unit is not known. */
  quantity: Rational | null
  /** Equal for two sold units when, and only when, they are certainly the same. */
  key: string
}>

/**
 * The sold unit of a unit text and a pack beside it, either of which may be missing. The pack says what one sold unit
 * holds, so it wins over contents in the text, and over a unit that is a piece, a container, unknown or absent. A unit
 * that is a measure itself stands: 4 EUR per m² stays per m² whatever the box holds. A bare container is one container:
 * two bare bags have one key, and that they hold the same is for the names of the two SKUs to say. A bare sheet is a piece.
 */
export function soldUnit(sold: {
  readonly unit: string | null
  readonly pack?: { readonly quantity: string; readonly unit: string } | null | undefined
  readonly lang?: string | undefined
  readonly format?: 'bc3' | undefined
}): SoldUnit {
  const unit = sold.unit === null ? null : parseUnit(sold.unit, sold)
  const isMeasure = unit !== null && unit.dimension !== 'count' && !unit.dimension.startsWith('count:')
  const pack = (isMeasure ? null : sold.pack) ?? unit?.pack
  if (!pack) {
    if (unit === null) return unknown(sold.unit)
    return known(unit.symbol, PIECES.has(unit.dimension) ? 'count' : unit.dimension, unit.factor)
  }

  const content = parseContent(pack, sold)
  // A pack beside "100 u" may be that of one piece or of all hundred.
  const isOne =
    unit === null || unit.pack !== undefined || toText(unit.factor) === '1' || content?.dimension === 'count'
  if (content && isOne) return known(content.symbol, content.dimension, content.factor)
  return unknown([unit?.symbol ?? sold.unit ?? '', pack.quantity, pack.unit].join(' '))
}

/** Whether it is one of something whose contents the unit does not say: a bag, a roll, a sheet. */
export function isOfUnknownContents({ dimension, label }: SoldUnit): boolean {
  if (dimension === 'count') return PIECES.has(parseUnit(label ?? '')?.dimension ?? dimension)
  return dimension?.startsWith('count:') === true
}

/**
 * f in: price per `to` = price per `from` × f, exactly. Null when the two do not convert: other dimensions, or a unit that
 * is not known, unless both are the same text. Two prices without any unit compare as they are.
 */
export function conversionFactor(from: SoldUnit, to: SoldUnit): Rational | null {
  if (from.key === to.key) return ONE
  if (from.quantity === null || to.quantity === null || from.dimension !== to.dimension) return null
  return divide(to.quantity, from.quantity)
}

/**
 * The price of one unit that prices are compared in, net of tax: cents / perQuantity × unitFactor / taxFactor, in minor
 * units of its currency. `unitFactor` is the {@link conversionFactor} from the sold unit, `taxFactor` 1 + the rate where
 * the price includes tax, else 1. Exact, whatever the units: a screw out of a thousand costs a thousandth of them. Nothing
 * rounds it but the one amount that is published (a median, to the nearest cent).
 */
export function pricePerUnit(
  {
    cents,
    perQuantity,
    taxFactor,
  }: { readonly cents: number; readonly perQuantity: number; readonly taxFactor: Rational },
  unitFactor: Rational,
): Rational {
  const n = BigInt(cents) * unitFactor.n * taxFactor.d
  // Nearly every price is of one untaxed unit of the item: no common divisor to look for.
  if (perQuantity === 1 && unitFactor.d === 1n && taxFactor.n === 1n) return { n, d: 1n }
  return rational(n, BigInt(perQuantity) * unitFactor.d * taxFactor.n)
}

/** Longer texts are descriptions. */
const UNIT_TEXT_LENGTH_MAX = 80

function known(label: string, dimension: Dimension, quantity: Rational): SoldUnit {
  return { label, dimension, quantity, key: `${dimension}:${toText(quantity)}` }
}

function unknown(text: string | null): SoldUnit {
  const folded = foldText(text ?? '')
  return { label: folded === '' ? null : (text ?? '').trim(), dimension: null, quantity: null, key: `text:${folded}` }
}

/** The contents { "25", "kg" } as one unit "25 kg"; null when the unit is unknown or the quantity not positive. */
function parseContent(
  pack: { readonly quantity: string; readonly unit: string },
  context: UnitContext,
): ParsedUnit | null {
  if (pack.unit.length > UNIT_TEXT_LENGTH_MAX || !/^(?=.*[1-9])\d{1,18}(\.\d{1,18})?$/.test(pack.quantity)) return null
  const spelled = normalised(pack.unit)
  const unit = contentUnit(spelled, null, context) ?? parsePhrase(spelled, context)
  return unit && !unit.pack ? times(pack.quantity, unit) : null
}

function times(quantity: string, unit: ParsedUnit): ParsedUnit {
  // 5 of "100 ft" are "500 ft": "5 100 ft" would be read as 5100.
  const [, multiple, single] = /^(\d+) (.+)$/.exec(unit.symbol) ?? []
  if (multiple !== undefined && single !== undefined) {
    return times(product([multiple, quantity]) as string, UNIT_OF.get(normalised(single)) as ParsedUnit)
  }
  const trimmed = quantity.includes('.') ? quantity.replace(/\.?0+$/, '') : quantity
  // A symbol is read back by parseUnit, to which "1.233 l" might be 1233 l; "1.2330 l" is not.
  const shown = readNumber(trimmed) === null ? `${trimmed}0` : trimmed
  return {
    dimension: unit.dimension,
    symbol: shown === '1' ? unit.symbol : `${shown} ${unit.symbol}`,
    factor: multiply(parseDecimal(quantity), unit.factor),
  }
}

// Phrases -------------------------------------------------------------------------------------------------------------

/** One spelling for what differs only in case, accents, dots, brackets, superscripts and hyphens. */
function normalised(text: string): string {
  return foldText(text)
    .replace(/\((s|es|en|n|e)\)/g, '')
    .replace(/[×✕*]/g, ' x ')
    .replace(/\^(?=[23])/g, '')
    .replace(/\b([mcd]?m|ft|in|yd) ([23])$/, '$1$2')
    .replace(/\bc\/(?=[ \d])/g, ' ')
    .replace(/μm$/, 'micron')
    .replace(/^(\d+)-pack$/, 'pack $1')
    .replace(/\.(?=[a-z])/g, '')
    .replace(/(?<!\d)[.,]|[.,](?!\d)|[-–_()[\]:;'"]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * Reads N U ("100 m"), N x N U, C N U ("bag of 40 lb", "bolsa x 50 kg"), C N x N U, N U C ("25 kg bag"), for containers of
 * pieces C N ("pallet 48") and N/C ("100/box"), and for numbers of pieces P U ("ciento de piezas"), where N is a number, U
 * a unit and C a container or a piece.
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
  // "100/box" is no hundred boxes.
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
    // "3 x 2 m" may be three of 2 m or a field of 6 m².
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

/** The parts of a phrase; null when it holds anything else, or a number that can be read in two ways. */
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
/** A number with its groups; a word, which may end in the power of a unit (m2, cm3); a slash. Each with the space after. */
const TOKEN = /(?:\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,]\d+)*|x(?=[ \d])|[a-z]+(?:[23](?![a-z\d.,]))?|\/) */g
/** Words that only join: "bag of 40 lb", "25 kg/saco", "por 100 m", "Sack à 25 kg"; and articles: "le cent". */
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

// Words ---------------------------------------------------------------------------------------------------------------

/** The unit that a spelling names; what it means may hang on the language or on BC3, where some stay open. */
function lookUp(spelling: string, { lang, format }: UnitContext): ParsedUnit | null {
  const readings = READINGS.get(spelling)
  if (!readings) return UNIT_OF.get(spelling) ?? null
  const reading = readings.find(({ where }) => where === null || where.has(format ?? lang ?? '-'))
  return reading?.unit ?? null
}

/**
 * The unit behind a number. "310 ml" is no length, except perhaps in BC3 or on a roll: there it stays unknown. "8 ft" is
 * feet in French too.
 */
function contentUnit(spelling: string, container: ParsedUnit | null, context: UnitContext): ParsedUnit | null {
  if (spelling === 'ft') return UNIT_OF.get('ft') ?? null
  if (spelling !== 'ml') return lookUp(spelling, context)
  const mayBeLength = context.format === 'bc3' || ['roll', 'coil', 'reel', 'bar'].includes(container?.symbol ?? '')
  return mayBeLength ? null : (UNIT_OF.get('ml') ?? null)
}

/** A container, or a piece, which may have contents as well ("ud 25 kg"). */
function containerOf(spelling: string, context: UnitContext): ParsedUnit | null {
  const unit = lookUp(spelling, context)
  return unit && (unit.symbol === 'u' || CONTAINERS.some(([symbol]) => symbol === unit.symbol)) ? unit : null
}

/** Containers that are sold by the number of pieces in them: "caja 25" is 25 pieces, while "saco 25" is nearly always kg. */
const HOLDS_PIECES = new Set(['box', 'pack', 'pallet', 'blister', 'crate', 'lot'])

/**
 * Spellings whose meaning hangs on where they stand: 'bc3', a language, or '' for anywhere else; without a row they stay
 * unknown. BC3 is Spanish whatever its language is said to be. The ton of English is the short one of the United States,
 * and so are its gallon and its pint: British lists write tonne or t. A Brazilian galão is a can of 3.6 or 18 litres, no
 * measure. French "Ft" is forfait. What means two things in one language is not here: "lt" of Brazil (litre or lata),
 * "gl" of Spanish (galón or global), "quintal" (100 kg, or 46 kg in half of America), "Btl." of German, "C" and "M" of
 * the United States (hundred and thousand, or metres).
 */
const CONTEXTUAL: readonly (readonly [spelling: string, where: string, symbol: string])[] = [
  ['ml', 'bc3 es pt fr', 'm'],
  ['ml', '', 'ml'],
  ['mt', 'bc3 es pt it', 'm'],
  ['mt', 'en', 't'],
  ['mt', 'de', 'month'],
  ['mts', 'bc3 es pt it', 'm'],
  ['mts', 'en', 't'],
  ['ft', 'fr', 'lump sum'],
  ['ft', '', 'ft'],
  ['mi', 'en', 'mile'],
  ['a', 'bc3', 'are'],
  ['ar', 'de fr', 'are'],
  ['ac', 'en', 'acre'],
  ['sq', 'en', 'square'],
  ['cf', 'it', 'pack'],
  ['cf', '', 'ft³'],
  ['mc', 'it', 'm3'],
  ['fm', 'de', 'm3'],
  ['rm', 'de', 'stere'],
  ['lt', 'bc3 es fr it en de', 'l'],
  ['lts', 'bc3 es fr it en de', 'l'],
  ['gal', 'pt', 'gallon can'],
  ['gal', '', 'US gal'],
  ['gl', 'pt', 'gallon can'],
  ['pt', 'en', 'US pt'],
  ['tn', 'bc3 es pt fr de it', 't'],
  ['tn', 'en', 'short ton'],
  ['ton', 'bc3 es pt fr de it', 't'],
  ['ton', 'en', 'short ton'],
  ['tons', 'bc3 es pt fr de it', 't'],
  ['tons', 'en', 'short ton'],
  ['q', 'fr it', '100 kg'],
  ['quintal', 'fr it', '100 kg'],
  ['hm', 'es pt', 'h'],
  ['lh', 'en', 'h'],
  ['chp', 'pt', 'h'],
  ['chi', 'pt', 'idle hour'],
  ['j', 'fr', 'day'],
  ['gg', 'it', 'day'],
  ['tg', 'de', 'day'],
  ['jor', 'bc3 es', 'man-day'],
  ['wo', 'de', 'week'],
  ['sem', 'es pt fr', 'week'],
  ['mo', 'en', 'month'],
  ['st', 'de', 'u'],
  ['st', 'fr', 'stere'],
  ['par', 'bc3 es pt', 'pair'],
  ['cent', 'fr', 'hundred'],
  ['cu', 'bc3', 'hundred'],
  ['mu', 'bc3', 'thousand'],
  ['pa', 'bc3 es', 'lump sum'],
  ['gb', 'pt', 'lump sum'],
  ['sum', 'en', 'lump sum'],
  ['sc', 'pt', 'bag'],
  ['sc', 'it', 'box'],
  ['sk', 'de', 'bag'],
  ['saca', 'es', 'big bag'],
  ['saca', 'pt', 'bag'],
  ['sacas', 'es', 'big bag'],
  ['sacas', 'pt', 'bag'],
  ['cs', 'en', 'box'],
  ['pac', 'pt', 'pack'],
  ['pak', 'de', 'pack'],
  ['bd', 'pt', 'bucket'],
  ['bd', 'de', 'bundle'],
  ['fd', 'pt', 'bundle'],
  ['caneca', 'es', 'bucket'],
  ['ring', 'de', 'coil'],
  ['ringe', 'de', 'coil'],
  ['br', 'pt', 'bar'],
  ['var', 'es', 'bar'],
  ['canna', 'it', 'bar'],
  ['pl', 'es de', 'sheet'],
  ['ch', 'pt', 'sheet'],
  ['fl', 'pt', 'sheet'],
  ['fl', 'de', 'bottle'],
  ['fr', 'pt', 'bottle'],
  ['btl', 'en', 'bottle'],
  ['dose', 'de', 'can'],
  ['ds', 'de', 'can'],
  ['kan', 'de', 'canister'],
  ['cj', 'pt', 'set'],
]

const SPELLINGS: readonly (readonly [symbol: string, dimension: Dimension, factor: string, spellings: string])[] = [
  [
    'm',
    'length',
    '1',
    `mtr, metro, metros, meter, metre, meters, metres, m/l, lm, lfm, lfdm, lfd m, metro lineal, metros lineales,
    metro linear, metros lineares, metro lineare, metri lineari, metri, metre lineaire, metres lineaires, linear
    metre, linear metres, linear meter, linear meters, running metre, running meter, laufender meter, laufmeter,
    mto, mtos, lin m, m lin, m lineal, m lineales, m linear, m lineare, m lineaire, metro l, m run, run m, metre
    run, metres run, mlin, mlineal, mlinear`,
  ],
  [
    'cm',
    'length',
    '0.01',
    'cmt, centimetro, centimetros, centimetri, centimeter, centimetre, centimeters, centimetres, zentimeter',
  ],
  [
    'mm',
    'length',
    '0.001',
    'mmt, milimetro, milimetros, millimetro, millimetri, millimeter, millimetre, millimeters, millimetres',
  ],
  ['dm', 'length', '0.1', 'dmt, decimetro, decimetros, dezimeter, decimetre, decimetres, decimeter, decimeters'],
  [
    'micron',
    'length',
    '0.000001',
    'microns, micra, micras, micrometro, micrometros, micrometre, micrometres, mikrometer',
  ],
  [
    'km',
    'length',
    '1000',
    `kmt, kilometro, kilometros, quilometro, quilometros, chilometro, chilometri, kilometer, kilometre, kilometers,
    kilometres`,
  ],
  [
    'in',
    'length',
    '0.0254',
    'inh, inch, inches, pulgada, pulgadas, pulg, polegada, polegadas, plg, pouce, pouces, zoll, pollice, pollici',
  ],
  [
    'ft',
    'length',
    '0.3048',
    `fot, lf, vlf, foot, feet, lin ft, ln ft, lft, linft, linear foot, linear feet, lineal foot, lineal feet, pie,
    pies, pie lineal, pies lineales`,
  ],
  ['100 ft', 'length', '30.48', 'clf'],
  ['1000 ft', 'length', '304.8', 'mlf'],
  ['yd', 'length', '0.9144', 'yrd, ly, yard, yards, yarda, yardas, jarda, jardas'],
  ['mile', 'length', '1609.344', 'miles, smi'],

  [
    'm²',
    'area',
    '1',
    `mtk, sm, sqm, sq m, mq, qm, square metre, square metres, square meter, square meters, metro cuadrado, metros
    cuadrados, metro quadrado, metros quadrados, quadratmeter, metre carre, metres carres, metro quadrato, metri
    quadrati, mt2, mts2`,
  ],
  ['dm²', 'area', '0.01', 'dmk, decimetro cuadrado, decimetros cuadrados'],
  ['cm²', 'area', '0.0001', 'cmk, centimetro cuadrado, centimetros cuadrados, square centimetre, square centimetres'],
  ['mm²', 'area', '0.000001', 'mmk'],
  ['km²', 'area', '1000000', 'kmk'],
  ['are', 'area', '100', 'ares'],
  ['ha', 'area', '10000', 'har, hectarea, hectareas, hectare, hectares, hektar, ettaro, ettari'],
  ['acre', 'area', '4046.8564224', 'acr, acres'],
  ['in²', 'area', '0.00064516', 'ink, sq in, square inch, square inches'],
  [
    'ft²',
    'area',
    '0.09290304',
    `ftk, sf, sqft, sq ft, sfca, square foot, square feet, pie2, pies2, pie cuadrado, pies cuadrados, pe quadrado,
    pes quadrados`,
  ],
  ['100 ft²', 'area', '9.290304', 'csf'],
  ['1000 ft²', 'area', '92.90304', 'msf'],
  // 100 square feet of roof covering.
  ['square', 'area', '9.290304', 'squares, roofing square, roofing squares'],
  ['yd²', 'area', '0.83612736', 'ydk, sy, sqyd, sq yd, square yard, square yards, yarda cuadrada, yardas cuadradas'],

  [
    'm³',
    'volume',
    '1',
    `mtq, cbm, cum, cu m, cubic metre, cubic metres, cubic meter, cubic meters, metro cubico, metros cubicos,
    kubikmeter, festmeter, metre cube, metres cubes, metro cubo, metri cubi, mt3, mts3`,
  ],
  ['dm³', 'volume', '0.001', 'dmq'],
  ['cm³', 'volume', '0.000001', 'cmq, cc, ccm'],
  ['l', 'volume', '0.001', 'ltr, litre, litres, liter, liters, litro, litros, litri'],
  [
    'ml',
    'volume',
    '0.000001',
    'mlt, millilitre, millilitres, milliliter, milliliters, mililitro, mililitros, millilitro, millilitri',
  ],
  ['cl', 'volume', '0.00001', 'clt, centilitro, centilitros, centilitre, centilitres'],
  ['hl', 'volume', '0.1', 'hlt, hectolitro, hectolitros, hectolitre, hectolitres, hektoliter'],
  [
    'ft³',
    'volume',
    '0.028316846592',
    'ftq, cf, cft, cu ft, cuft, cubic foot, cubic feet, pie3, pies3, pie cubico, pies cubicos',
  ],
  ['100 ft³', 'volume', '2.8316846592', 'ccf'],
  ['1000 ft³', 'volume', '28.316846592', 'mcf'],
  ['yd³', 'volume', '0.764554857984', 'ydq, cy, cu yd, cuyd, cubic yard, cubic yards, yarda cubica, yardas cubicas'],
  // 12 inches by 12 inches by 1 inch, nominal size aside.
  [
    'board ft',
    'volume',
    '0.002359737216',
    'bft, bf, fbm, bd ft, bdft, board foot, board feet, pie tablar, pies tablares',
  ],
  ['1000 board ft', 'volume', '2.359737216', 'mbf, mfbm, thousand board foot, thousand board feet'],
  ['US gal', 'volume', '0.003785411784', 'gll, gals, gallon, gallons, us gallon, us gallons, galon, galones, gln'],
  ['US qt', 'volume', '0.000946352946', 'qt, qts, qtl, quart, quarts'],
  ['US pt', 'volume', '0.000473176473', 'pint, pints'],
  ['US fl oz', 'volume', '0.0000295735295625', 'fl oz, floz, fluid ounce, fluid ounces'],
  ['imp gal', 'volume', '0.00454609', 'gli, uk gal, imperial gallon, imperial gallons, uk gallon, uk gallons'],

  [
    'kg',
    'mass',
    '1',
    `kgm, kgs, kgr, kgrs, kilo, kilos, kilogramo, kilogramos, kilogram, kilograms, kilogramm, kilogramme,
    kilogrammes, quilo, quilos, quilograma, quilogramas, chilo, chili, chilogrammo, chilogrammi`,
  ],
  [
    'g',
    'mass',
    '0.001',
    'grm, gr, grs, gramo, gramos, gram, grams, gramm, gramme, grammes, grama, gramas, grammo, grammi',
  ],
  [
    't',
    'mass',
    '1000',
    `tne, tm, to, te, tonne, tonnes, tonnen, metric ton, metric tons, metric tonne, metric tonnes, tonelada,
    toneladas, tonelada metrica, toneladas metricas, tonnellata, tonnellate, tonn`,
  ],
  ['mg', 'mass', '0.000001', 'mgm, miligramo, miligramos, milligram, milligrams, milligramm'],
  ['100 kg', 'mass', '100', 'dt, dtn, dezitonne, dezitonnen, doppelzentner, quintale, quintali, qli, quintaux'],
  ['lb', 'mass', '0.45359237', 'lbr, lbs, pound, pounds'],
  ['cwt', 'mass', '45.359237', 'hundredweight, hundredweights, short hundredweight'],
  ['oz', 'mass', '0.028349523125', 'onz, ounce, ounces'],
  ['short ton', 'mass', '907.18474', 'stn, sh tn, short tons, us ton, us tons'],
  ['long ton', 'mass', '1016.0469088', 'ltn, long tons, imperial ton, imperial tons, uk ton, uk tons'],

  [
    'h',
    'time',
    '1',
    `hur, hr, hrs, hs, hora, horas, hour, hours, heure, heures, stunde, stunden, std, ora, ore, hh, mh, mach hr,
    machine hour, machine hours, maquina hora, hora maquina, horas maquina, hora de maquina, heure machine, heures
    machine, masch std, maschinenstunde, maschinenstunden, ora macchina, ore macchina, man hour, man hours, person
    hour, person hours, labor hour, labour hour, labor hours, labour hours, hora hombre, horas hombre, h h, homem
    hora, pessoa hora, pessoas hora, hora homem, pers h, personne heure, personnes heures, mannstunde, mannstunden,
    arbeitsstunde, arbeitsstunden, ora uomo, ore uomo, man hr, man hrs, mhr, mhrs, machine hr, machine hrs, mach
    hrs, labor hr, labor hrs, labour hr, labour hrs, plant hour, plant hours, lohnstunde, lohnstunden, arb std, lohn
    std, h hombre, h maquina, h m, hora trabajo, horas trabajo`,
  ],
  ['min', 'time', '1/60', 'minuto, minutos, minute, minutes, minuten, minuti'],

  ['kWh', 'energy', '1', 'kilowatt hour, kilowatt hours, kilovatio hora, kilowattstunde, kilowattheure'],
  ['MWh', 'energy', '1000', ''],
  ['W', 'power', '0.001', 'wtt, watt, watts, vatio, vatios'],
  ['kW', 'power', '1', 'kwt, kilowatt, kilowatts, kilovatio, kilovatios'],
  ['MW', 'power', '1000', 'maw'],

  [
    'u',
    'count',
    '1',
    `ud, uds, un, und, unds, uni, unid, unids, unit, units, unidad, unidades, unidade, unite, unites, unita, c62,
    h87, ea, each, pc, pcs, pce, pces, piece, pieces, pz, pzs, pza, pzas, pieza, piezas, peca, pecas, pezzo, pezzi,
    stk, stck, stuck, stucke, stueck, n, nr, no, nos, num, c/u, cda, cada uno, cada una, cad, cadauno, einheit,
    einheiten, einh`,
  ],
  ['pair', 'count', '2', 'npr, pr, prs, pairs, pares, paar, paare, paire, paires, paio, paia, coppia, coppie'],
  [
    'dozen',
    'count',
    '12',
    'dzn, dz, doz, dtz, dtzd, dzd, docena, docenas, duzia, duzias, douzaine, douzaines, dutzend, dozzina, dozzine',
  ],
  ['gross', 'count', '144', 'gro, gruesa, gruesas, grosa, grosas, grosse, gros, grossa'],
  [
    'hundred',
    'count',
    '100',
    `cen, hundreds, cto, hun, % stk, % st, cento, ciento, cientos, cien, centena, centenas, centenar, centenares,
    hundert, centaine, centaines, centinaio`,
  ],
  [
    'thousand',
    'count',
    '1000',
    `mil, thousands, millar, millares, milheiro, milheiros, milhei, tausend, mille, millier, milliers, mll, mlls,
    milh, thou, tsd, migliaio, migliaia`,
  ],

  [
    'lump sum',
    'lump sum',
    '1',
    `ls, lsum, lump sums, partida alzada, pausch, pauschal, pauschale, psch, forfait, fft, global, glb, gbl, verba,
    vb, a corpo, corpo, glob, psl`,
  ],
]

/** Kinds of container, each spelled in six languages; one class holds what vendors use for the same thing. */
const CONTAINERS: readonly (readonly [symbol: string, spellings: string])[] = [
  [
    'bag',
    `bg, bags, sack, sacks, sacke, saco, sacos, bolsa, bolsas, bls, bol, sac, sacs, sacco, sacchi, sacola, sacolas,
    beutel, bols, bolsita, bolsitas, bulto, bultos, sacchetto, sacchetti`,
  ],
  [
    'big bag',
    'bigbag, big bags, bigbags, bulk bag, bulk bags, jumbo bag, jumbo bags, ton bag, ton bags, sacon, sacones',
  ],
  [
    'box',
    `bx, boxes, ctn, carton, cartons, case, cases, caja, cajas, caixa, caixas, cx, cxs, karton, kartons, kiste,
    kisten, caisse, caisses, boite, boites, scatola, scatole, scat, cja, caj, ktn, schachtel, schachteln, schtl,
    bte, btes`,
  ],
  [
    'pack',
    `pk, pkg, packs, package, packages, packet, packets, paquete, paquetes, paq, pqt, pqte, pacote, pacotes, pct,
    pck, paket, pakete, packung, packungen, paquet, paquets, pacco, pacchi, confezione, confezioni, conf, embalagem,
    embalagens, embal, emb, pkt, pkts, pckg, ve, vpe, etui, etuis`,
  ],
  ['sachet', 'sachets, pouch, pouches, sobre, sobres, busta, buste'],
  // The foil bag of a sealant, pressed out of a gun.
  ['sausage', 'sausages, schlauchbeutel, foil pack, foil packs, salchichon, salchichones'],
  ['blister', 'blisters, cartela, cartelas'],
  ['crate', 'crates, guacal, guacales, huacal, huacales, engradado, engradados'],
  [
    'pallet',
    `px, pallets, palet, palets, pale, pales, palete, paletes, palette, palettes, paletten, pal, plt, paletta,
    estiba, estibas, bancale, bancali, skid, skids`,
  ],
  [
    'bundle',
    `bundles, atado, atados, haz, haces, fardo, fardos, feixe, feixes, bund, bunde, botte, bottes, fascio, fasci,
    bdl, bdls, bndl, bndls, bale, bales, ballen, paca, pacas, manojo, manojos, molho, molhos`,
  ],
  [
    'roll',
    `ro, rl, rolls, rollo, rollos, rolo, rolos, rolle, rollen, rouleau, rouleaux, rotolo, rotoli, rlx, rllo, rllos,
    rot`,
  ],
  ['coil', 'coils, bobina, bobinas, bobine, bobines, couronne, couronnes, matassa, matasse, madeja, madejas'],
  [
    'reel',
    'reels, spool, spools, carrete, carretes, carretel, carreteis, touret, tourets, trommel, trommeln, spule, spulen',
  ],
  [
    'bar',
    `bars, barra, barras, vara, varas, varilla, varillas, stange, stangen, barre, barres, length, lengths, lgth,
    lgths, stick, sticks, rod, rods, stab, stabe, stg, tira, tiras, tramo, tramos, vrlla, verga, verghe, longueur,
    longueurs`,
  ],
  ['tube', 'tubes, tubo, tubos, tuben, tubi, tubetto, tubetti, bisnaga, bisnagas'],
  [
    'sheet',
    `sheets, plancha, planchas, chapa, chapas, lamina, laminas, placa, placas, platte, platten, plaque, plaques,
    lastra, lastre, hoja, hojas, folha, folhas, feuille, feuilles, foglio, fogli, tafel, tafeln, sht, shts, pliego,
    pliegos, pln`,
  ],
  ['slab', 'slabs, losa, losas, laje, lajes, dalle, dalles'],
  ['mat', 'mats, matte, matten'],
  ['panel', 'panels, panneau, panneaux, paneel, paneele, painel, paineis, paneles, pannello, pannelli'],
  [
    'board',
    'boards, tablero, tableros, tabla, tablas, tabua, tabuas, planche, planches, brett, bretter, tavola, tavole',
  ],
  [
    'bucket',
    `buckets, pail, pails, balde, baldes, cubeta, cubetas, cubo, cubos, cunete, cunetes, eimer, seau, seaux, secchio,
    secchi, eim, tineta, tinetas, tub, tubs, kubel, hobbock, hobbocks`,
  ],
  ['can', 'cans, tin, tins, lata, latas, bote, botes, dosen, latta, latte, tarro, tarros, barattolo, barattoli'],
  ['pot', 'pots, pote, potes, jar, jars'],
  ['aerosol', 'aerosols, aerosoles, spray, sprays, spraydose, spraydosen, bomboletta, bombolette'],
  ['gallon can', 'galao, galoes'],
  ['canister', 'canisters, jerrycan, jerrycans, kanister, bidon, bidons, bidones, tanica, taniche, bidone, bidoni'],
  ['drum', 'drums, tambor, tambores, fass, fasser, fut, futs, fusto, fusti, tambo, tambos, keg, kegs, barrel, barrels'],
  [
    'bottle',
    `bottles, botella, botellas, garrafa, garrafas, frasco, frascos, flasche, flaschen, bouteille, bouteilles,
    bottiglia, bottiglie, flacon, flacons, botellon, botellones, flacone, flaconi, jug, jugs`,
  ],
  ['cylinder', 'cylinders, cilindro, cilindros, bombona, bombonas, bombola, bombole, gasflasche, gasflaschen'],
  ['ampoule', 'ampoules, ampolla, ampollas, ampola, ampolas, ampulle, ampullen, fiala, fiale'],
  ['cartridge', 'cartridges, cartucho, cartuchos, kartusche, kartuschen, cartouche, cartouches, cartuccia, cartucce'],
  [
    'set',
    `sets, juego, juegos, jgo, jg, jogo, jogos, kit, kits, conjunto, conjuntos, conj, garnitur, garnituren, satz,
    satze, jeu, jeux, ensemble, ensembles, ens, komplett, complete, completo, complet, compl`,
  ],
  [
    'load',
    `loads, truckload, truckloads, viaje, viajes, viagem, viagens, fuhre, fuhren, voyage, voyages, viaggio, viaggi,
    trip, trips, flete, fletes, camion, camiones, carrada, carradas, ladung, ladungen`,
  ],
  ['lot', 'lots, lote, lotes, lotto, lotti'],
  ['skip', 'skips, cacamba, cacambas, contenedor, contenedores, container, containers, benne, bennes, mulde, mulden'],
]

/** Of the containers those that hold nothing else: one vendor sells the board by the sheet, the next by the piece. */
const PIECES: ReadonlySet<Dimension> = new Set(
  (['bar', 'board', 'mat', 'panel', 'roll', 'set', 'sheet', 'slab'] as const).map((kind) => `count:${kind}` as const),
)

/** Other things that are counted. A day of hire has no fixed number of hours, a month no fixed number of days. */
const COUNTED: readonly (readonly [symbol: string, spellings: string])[] = [
  ['day', 'diaria, diarias, journee, journees, d, days, dia, dias, tag, tage, jour, jours, giorno, giorni'],
  ['man-day', 'jornal, jornales, jornada, jornadas, manntag, manntage, man days, homme jour'],
  ['week', 'wee, weeks, semana, semanas, woche, wochen, semaine, semaines, settimana, settimane, wk, wks'],
  ['month', 'mon, months, mes, meses, monat, monate, mois, mese, mesi, mos'],
  ['year', 'ann, years, ano, anos, jahr, jahre, annee, annees, anno, anni, yr, yrs'],
  ['idle hour', 'idle hours'],
  // A metre cubed of stacked wood, air included.
  ['stere', 'steres, estereo, estereos, stero, steri, raummeter'],
  ['service', 'services, servicio, servicios, servico, servicos, serv, srv'],
  ['point', 'points, pto, ptos, punto, puntos, ponto, pontos, punkt, punkte, punti, salida, salidas'],
]

const UNIT_OF: ReadonlyMap<string, ParsedUnit> = table()

const READINGS = new Map(
  Object.entries(Object.groupBy(CONTEXTUAL, ([spelling]) => spelling)).map(([spelling, rows = []]) => [
    spelling,
    rows.map(([, where, symbol]) => ({
      where: where === '' ? null : new Set(where.split(' ')),
      unit: unitCalled(symbol),
    })),
  ]),
)

/** The unit of a symbol of the tables. Throws where there is none: a row would be without effect. */
function unitCalled(symbol: string): ParsedUnit {
  const unit = UNIT_OF.get(normalised(symbol))
  if (!unit) throw new Error(`unit symbol ${JSON.stringify(symbol)}: expected one of the tables`)
  return unit
}

function table(): Map<string, ParsedUnit> {
  const counted = [...CONTAINERS, ...COUNTED].map(([symbol, spellings]) => {
    return [symbol, `count:${symbol}`, '1', spellings] as const
  })
  const units = new Map<string, ParsedUnit>()
  for (const [symbol, dimension, factor, spellings] of [...SPELLINGS, ...counted]) {
    const unit = { dimension, symbol, factor: factor.includes('/') ? parseRational(factor) : parseDecimal(factor) }
    for (const listed of [symbol, ...spellings.split(',')]) {
      const spelling = normalised(listed)
      // Otherwise the order of the rows would decide what it means.
      if (units.has(spelling)) throw new Error(`unit spelling ${JSON.stringify(spelling)}: listed twice`)
      if (spelling !== '') units.set(spelling, unit)
    }
  }
  return units
}
