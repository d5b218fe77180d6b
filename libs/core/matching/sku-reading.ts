import { type Attribute, rolesOf } from '@catalog/core/attributes/attributes-of.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { type KindReading, kindOf } from '@catalog/core/kinds/kind-of.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { compareText, foldText } from '@catalog/core/text.ts'
import { spelledUnit } from '@catalog/core/units/parse-unit.ts'
import { chunksOf, preparedName, readSize } from '@catalog/core/units/sizes.ts'
import { type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'

/** The matcher's input: the texts of a SKU's latest observation. The price takes no part. */
export type MatchSku = MatchText &
  Readonly<{
    vendorSkuId: string
    sourceId: string
    /** The canonical source of its vendor, where another one than its own. */
    voiceId?: string | undefined
    /** The vendor's own reference: one under two spellings of a vendor is one product. */
    vendorRef?: string | undefined
    /** Its vendor has trust 0: it says nothing of an item, so it links nobody and keeps nobody out. */
    isSilent?: boolean
  }>

/** All that says what the product is. SKUs of several vendors may share one, and then what is read from it. */
export type MatchText = Readonly<{
  name: string
  lang?: string | undefined
  unit: string | null
  pack?: Readonly<{ quantity: string; unit: string }> | undefined
  gtin?: string | undefined
  manufacturerRef?: string | undefined
  categoryPath?: readonly string[] | undefined
}>

/** The parsed texts of a SKU. */
export type Reading = Readonly<{
  keys: string[]
  sold: SoldUnit
  gtin: string | null
  kind: KindReading
  /** Words of three letters or more, and codes. */
  words: ReadonlySet<string>
  /** Words, codes and values in the order of the name, without stop words. */
  tokens: readonly string[]
  /** Typed values by role. */
  attributes: ReadonlyMap<string, readonly Attribute[]>
  lang: string | null
  /** The first word of three letters or more, and such words behind "for". */
  head: string | null
  serves: ReadonlySet<string>
  /** What stands before the last comma and the words behind it that name no unit; null for a name without both. */
  listed: Readonly<{ title: string; legend: string }> | null
}>

const READINGS = new WeakMap<MatchText, Reading>()
/**
 * Texts of which what is read from them is kept. A publisher says the same of a product in each of its lists, of a country's states
 * or regimes of tax.
 */
export const TEXTS_MAX = 20_000
const READINGS_OF_TEXTS = openMemo<Reading>(TEXTS_MAX)

export function readingOf(sku: MatchText): Reading {
  const kept = READINGS.get(sku)
  if (kept) return kept
  const reading = READINGS_OF_TEXTS(textKey(sku), () => read(sku))
  READINGS.set(sku, reading)
  return reading
}

/** Equal for SKUs that say the same of their products. */
export function textKey({ name, lang, unit, pack, gtin, manufacturerRef, categoryPath }: MatchText): string {
  return JSON.stringify([name, lang, unit, pack?.quantity, pack?.unit, gtin, manufacturerRef, categoryPath])
}

function read(sku: MatchText): Reading {
  const sold = soldUnit(sku)
  const gtin = validGtin(sku.gtin)
  const attributes = rolesOf(sku)
  const name = readName(sku, attributes)
  const keys = [...numberKeys(sku), nameKey(name, sold)].filter((key) => key !== null)
  const { words, tokens } = name
  const said = { words, tokens, lang: sku.lang ?? null, ...purposeOf(sku), listed: listedIn(sku) }
  return { keys, sold, gtin, kind: kindOf(sku), attributes, ...said }
}

/** The match keys of a product's numbers. */
export function numberKeys({ gtin, manufacturerRef }: Pick<MatchText, 'gtin' | 'manufacturerRef'>): string[] {
  const valid = validGtin(gtin)
  return [valid && `gtin:${valid}`, refKey(manufacturerRef)].filter((key) => key !== null)
}

/** GTIN-8, -12, -13 or -14 as 14 digits; null for a wrong check digit or a number that identifies no product. */
function validGtin(gtin: string | undefined): string | null {
  if (gtin === undefined || !/^(\d{8}|\d{12,14})$/.test(gtin)) return null
  const digits = gtin.padStart(14, '0')
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return sum % 10 === 0 && !IN_STORE.test(digits) ? digits : null
}
/** Prefixes 02, 04, 05, 2, 98 and 99 of GTIN-13 and 0 and 2 of GTIN-8 (GS1 General Specifications): a shop's own, or coupons. */
const IN_STORE = /^\d(?:0[245]|2|9[89])|^0{6}[02]/

/** References that are shorter, or have no digit, name too many products. */
const REF_LENGTH_MIN = 5

function refKey(ref: string | undefined): string | null {
  const squeezed = plainRef(ref).replace(/[^\p{L}\p{N}]/gu, '')
  return squeezed.length >= REF_LENGTH_MIN && /\d/.test(squeezed) ? bounded('ref', squeezed) : null
}

/** The reference without a word that only announces it: "Ref. 12345". */
function plainRef(ref: string | undefined): string {
  return foldText(ref ?? '').replace(
    /^(?:ref|referencia|art|cod|mod|model|modelo|sku|nr|no|num)(?![\p{L}\d])[^\p{L}\d]*/u,
    '',
  )
}

function nameKey(name: NameReading, sold: SoldUnit): string | null {
  if (!name.hasWord) return null
  // Two bags are one sold unit only if the names tell their contents.
  if (sold.dimension?.startsWith('count:') && !name.hasQuantity) return null
  const tokens = name.isOrdered ? name.tokens : name.tokens.toSorted(compareText)
  return bounded('name', `${tokens.join(' ')} | ${sold.key}`)
}

/** The store indexes keys, and index entries are bounded; a longer key becomes its hash. */
const KEY_LENGTH_MAX = 300

function bounded(kind: string, value: string): string {
  return value.length <= KEY_LENGTH_MAX ? `${kind}:${value}` : `${kind}:sha256:${sha256Hex(value)}`
}

// Names ---------------------------------------------------------------------------------------------------------------

type NameReading = Readonly<{
  /** Words, codes and values in the order of the name, without stop words. */
  tokens: readonly string[]
  /** Two values of one kind: the order of the tokens carries meaning. */
  isOrdered: boolean
  hasWord: boolean
  hasQuantity: boolean
  words: ReadonlySet<string>
}>

function readName({ name, lang }: MatchText, attributes: Reading['attributes']): NameReading {
  const tokens: string[] = []
  const words = new Set<string>()
  /** Values of one kind; two make the order of the tokens significant. */
  const values = new Map<string, Set<string>>()
  for (const role of CONTRASTS) {
    for (const attribute of attributes.get(role) ?? []) addTo(values, role, attribute.values.join('x'))
  }
  const chunks = chunksOf(preparedName(name))
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at] as string
    const size = readSize(chunk, chunks[at + 1], lang)
    if (size) {
      if (size.takesNext) at += 1
      tokens.push(`${size.kind}=${size.numbers.join('x')}`)
      addTo(values, size.kind, size.numbers.join('x'))
    } else if (!STOP_WORDS.has(chunk)) {
      tokens.push(chunk)
      if (chunk.length >= WORD_LENGTH_MIN) words.add(chunk)
      if (/\d/.test(chunk) || chunk.length < WORD_LENGTH_MIN) addTo(values, 'grade', chunk)
    }
  }
  return {
    tokens,
    isOrdered: [...values.values()].some((found) => found.size > 1),
    hasWord: [...words].some((word) => /^\p{L}+$/u.test(word)),
    hasQuantity: [...values.keys()].some((kind) => QUANTITIES.has(kind)),
    words,
  }
}

/** Shorter words are grades ("A", "II") or mean nothing. */
const WORD_LENGTH_MIN = 3
/** Kinds of sizes that are amounts of something. */
const QUANTITIES: ReadonlySet<string> = new Set(['length', 'area', 'volume', 'mass', 'count'])

function addTo(kinds: Map<string, Set<string>>, kind: string, value: string): void {
  const found = kinds.get(kind)
  if (found) found.add(value)
  else kinds.set(kind, new Set([value]))
}

/**
 * Articles, prepositions and "and", which change nothing. Kept as words: numerals, single letters and short symbols
 * (grades, materials), "without", "or", "no".
 */
export const STOP_WORDS = new Set(
  `de del el la los las en con para por the of and for with do da das ao aos em com le les du des et au aux avec pour
   par sur der die das den dem des und mit fur von vom zum zur il lo gli di della dello dei delle degli ed per`.split(
    /\s+/,
  ),
)

function purposeOf({ name }: MatchText): Pick<Reading, 'head' | 'serves'> {
  const chunks = chunksOf(preparedName(name))
  const at = chunks.findIndex((chunk) => PURPOSE_WORDS.has(chunk))
  const isNoun = (chunk: string) => /^\p{L}{3,}$/u.test(chunk) && !STOP_WORDS.has(chunk)
  return {
    head: chunks.find(isNoun) ?? null,
    serves: new Set(at < 0 ? [] : chunks.slice(at + 1).filter(isNoun)),
  }
}
const PURPOSE_WORDS: ReadonlySet<string> = new Set(['para', 'for', 'pour', 'fur'])

function listedIn({ name, lang }: MatchText): Reading['listed'] {
  const [, before = '', behind = ''] = /^(.*\p{L}.*),(?!\d)(.*)$/su.exec(name) ?? []
  const words = chunksOf(preparedName(behind)).filter(
    (chunk) => /^\p{L}{2,}$/u.test(chunk) && !STOP_WORDS.has(chunk) && spelledUnit(chunk, { lang }) === null,
  )
  if (words.length === 0) return null
  return { title: chunksOf(preparedName(before)).join(' '), legend: words.join(' ') }
}

/** Roles of words that say which of two sides, colours or woods. */
const CONTRASTS = ['side', 'colour', 'wood']
