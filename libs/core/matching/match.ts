import { sha256Hex } from '@catalog/core/digest.ts'
import { itemIdOf } from '@catalog/core/events/ids.ts'
import { parseRational } from '@catalog/core/money/rational.ts'
import { compareText, foldText } from '@catalog/core/text.ts'
import { chunksOf, designationsOf, preparedName, readSize } from '@catalog/core/units/sizes.ts'
import { type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'

/**
 * Decides which vendor SKUs are one item. This rule joins only certain matches, by an equal key and by gates that every
 * pair has to pass. A missed match costs a median one vendor, a false one makes the median wrong. A learned rule can
 * replace the keys; the gates and the order of assignment stay.
 */
export const RULE_VERSION = 'exact/2'

/** The matcher's input: the texts of a SKU's latest observation. The price takes no part. */
export type MatchSku = Readonly<{
  vendorSkuId: string
  sourceId: string
  name: string
  lang?: string | undefined
  unit: string | null
  pack?: Readonly<{ quantity: string; unit: string }> | undefined
  gtin?: string | undefined
  manufacturerRef?: string | undefined
  categoryPath?: readonly string[] | undefined
}>

/** An item as the matcher sees it. `members` is never empty. */
export type MatchItem = Readonly<{ itemId: string; founderVendorSkuId: string; members: readonly MatchSku[] }>

/** The items that exist already. Results must not change while `assign` runs. */
export interface ExistingItems {
  /** Items with a member that has the key, in any order. The matcher treats any number above CANDIDATES_MAX alike. */
  byKey(key: string): readonly MatchItem[]
  /** Number of items that the SKU has founded so far. */
  foundedBefore(vendorSkuId: string): number
}

export type Assignment = Readonly<{
  vendorSkuId: string
  itemId: string
  /** The item is new, and this SKU is its founder. */
  founding: boolean
  /** Number of items that the SKU had founded before. */
  n: number
  /** The keys of the SKU, by which later SKUs find its item. */
  keys: readonly string[]
  /**
   * The `key` that joined it, the SKU that shares it (`with`, null when founding), and the number of items that a gate
   * `refused`.
   */
  evidence: Readonly<Record<string, string | number | boolean | null>>
}>

/** A key that more items share identifies none of them, and the matcher skips it. */
export const CANDIDATES_MAX = 100

/**
 * Gives every unmatched SKU an item, in ascending order of ids. It takes the first item by strongest shared key,
 * smallest founder and smallest id that has no SKU of the same source and only compatible members. Otherwise the SKU
 * founds a new item.
 *
 * Law: each step depends only on the items of that moment, so the order of `unmatched` does not matter. After any
 * prefix of the result has been applied, another call with the rest gives the rest.
 */
export function assign(unmatched: readonly MatchSku[], existing: ExistingItems): Assignment[] {
  const changed = new Map<string, MatchItem>()
  const changedByKey = new Map<string, Set<string>>()

  const put = (item: MatchItem, keys: readonly string[]) => {
    changed.set(item.itemId, item)
    for (const key of keys) {
      const ids = changedByKey.get(key)
      if (ids) ids.add(item.itemId)
      else changedByKey.set(key, new Set([item.itemId]))
    }
  }
  const candidates = (key: string): MatchItem[] => {
    const items = new Map(existing.byKey(key).map((item) => [item.itemId, changed.get(item.itemId) ?? item]))
    for (const itemId of changedByKey.get(key) ?? []) items.set(itemId, changed.get(itemId) as MatchItem)
    if (items.size > CANDIDATES_MAX) return []
    return [...items.values()].sort(
      (a, b) => compareText(a.founderVendorSkuId, b.founderVendorSkuId) || compareText(a.itemId, b.itemId),
    )
  }

  return unmatched
    .toSorted((a, b) => compareText(a.vendorSkuId, b.vendorSkuId))
    .map((sku) => {
      const keys = matchKeys(sku)
      const n = existing.foundedBefore(sku.vendorSkuId)
      const refused = new Set<string>()
      for (const key of keys) {
        for (const item of candidates(key)) {
          if (item.members.some((member) => member.sourceId === sku.sourceId)) continue
          const sharing = item.members.filter((member) => matchKeys(member).includes(key))
          if (!item.members.every((member) => compatible(sku, member)) || !corroborated(sku, key, sharing)) {
            refused.add(item.itemId)
            continue
          }
          put({ ...item, members: [...item.members, sku] }, keys)
          const shared = sharing.map((member) => member.vendorSkuId).sort(compareText)[0] ?? item.founderVendorSkuId
          const evidence = { key, with: shared, refused: refused.size }
          return { vendorSkuId: sku.vendorSkuId, itemId: item.itemId, founding: false, n, keys, evidence }
        }
      }
      const itemId = itemIdOf(sku.vendorSkuId, n)
      put({ itemId, founderVendorSkuId: sku.vendorSkuId, members: [sku] }, keys)
      const evidence = { key: null, with: null, refused: refused.size }
      return { vendorSkuId: sku.vendorSkuId, itemId, founding: true, n, keys, evidence }
    })
}

/**
 * The keys that identify a SKU, strongest first; none when its texts say too little.
 * - `gtin:` 14 digits. A wrong check digit gives no key, nor does a number that a shop gave itself.
 * - `ref:` the manufacturer's reference, letters and digits only, with the brand where the vendor writes it there.
 * - `name:` the words and numbers of the name, and the sold unit. Words are sorted, unless the name has two values of
 *   one kind ("1/2 male 3/4 female"), where the order matters. Numbers and sizes compare by value, so 12,5 is 12.5 and
 *   1.3 cm is 13 mm. Different sizes, grades or packs never share a key.
 */
export function matchKeys(sku: MatchSku): string[] {
  return readingOf(sku).keys
}

/**
 * Whether two SKUs may share an item at all. It refuses units of different dimension, different GTINs, and names that
 * each hold a size, designation (B500S, C25/30, CEM II), side or colour of one kind that the other lacks. Symmetric.
 */
export function compatible(a: MatchSku, b: MatchSku): boolean {
  const [one, other] = [readingOf(a), readingOf(b)]
  if (one.sold.dimension !== null && other.sold.dimension !== null && one.sold.dimension !== other.sold.dimension)
    return false
  if (one.gtin !== null && other.gtin !== null && one.gtin !== other.gtin) return false
  for (const [kind, values] of one.traits) {
    const others = other.traits.get(kind)
    if (others && !agree(kind, values, others)) return false
  }
  return true
}

/**
 * Whether the values of one side are all among the other's. Measures count as equal within the rounding between inches
 * and millimetres (4 ft and 1.22 m, 5/8 in and 15.9 mm). Symmetric.
 */
export function agree(kind: string, one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.isSubsetOf(other) || other.isSubsetOf(one)) return true
  if (!QUANTITIES.has(kind) || kind === 'count') return false
  const [ours, theirs] = [numbersIn(one), numbersIn(other)]
  const areAmong = (some: readonly number[], all: readonly number[]) =>
    some.every((value) => all.some((each) => Math.abs(value - each) <= ROUNDED_TOLERANCE * Math.max(value, each)))
  return areAmong(ours, theirs) || areAmong(theirs, ours)
}
/** It keeps 11 mm and 11.1 mm apart; 1.22 m and 1.2192 m, 3.78 l and a gallon differ by a seventh of that. */
const ROUNDED_TOLERANCE = 0.005

function numbersIn(values: ReadonlySet<string>): number[] {
  return [...values].map(parseRational).map(({ n, d }) => Number(n) / Number(d))
}

/**
 * The distinguishing values of a name by kind: sizes by dimension ("length"), designations by family ("type cem"),
 * "strength", "side", "colour". A missing kind means that the name does not say.
 */
export function traitsOf(sku: MatchSku): ReadonlyMap<string, ReadonlySet<string>> {
  return readingOf(sku).traits
}

/** Two makers may share a reference without its brand, so the names have to share a word. */
function corroborated(sku: MatchSku, key: string, sharing: readonly MatchSku[]): boolean {
  if (!key.startsWith('ref:') || BRAND.test(plainRef(sku.manufacturerRef))) return true
  const { words } = readingOf(sku)
  return sharing.some((member) => !words.isDisjointFrom(readingOf(member).words))
}
/** A word of letters beside the reference itself: "Makita DHP482Z". */
const BRAND = /(?<![\p{L}\d])\p{L}{3,}(?![\p{L}\d-])/u

/** The parsed texts of a SKU. */
type Reading = Readonly<{
  keys: string[]
  sold: SoldUnit
  gtin: string | null
  /** Words of three letters or more, and codes. */
  words: ReadonlySet<string>
  /** Kind → values: sizes by dimension, designations by family, colour, side. */
  traits: ReadonlyMap<string, ReadonlySet<string>>
}>

const READINGS = new WeakMap<MatchSku, Reading>()

function readingOf(sku: MatchSku): Reading {
  const kept = READINGS.get(sku)
  if (kept) return kept
  const sold = soldUnit(sku)
  const gtin = validGtin(sku.gtin)
  const name = readName(sku.name, sku.lang)
  const keys = [gtin && `gtin:${gtin}`, refKey(sku.manufacturerRef), nameKey(name, sold)].filter((key) => key !== null)
  const reading = { keys, sold, gtin, words: name.words, traits: name.traits }
  READINGS.set(sku, reading)
  return reading
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
  traits: ReadonlyMap<string, ReadonlySet<string>>
}>

function readName(name: string, lang: string | undefined): NameReading {
  const tokens: string[] = []
  const words = new Set<string>()
  /** Values that must not conflict; two of a kind make the order of the tokens significant. */
  const traits = new Map<string, Set<string>>()
  const values = new Map<string, Set<string>>()

  const prepared = preparedName(name)
  for (const { family, value } of designationsOf(prepared)) addTo(traits, family, value)
  const chunks = chunksOf(prepared)
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at] as string
    const size = readSize(chunk, chunks[at + 1], lang)
    if (size) {
      if (size.takesNext) at += 1
      tokens.push(`${size.kind}=${size.numbers.join('x')}`)
      addTo(values, size.kind, size.numbers.join('x'))
      if (size.kind !== 'number') for (const number of size.numbers) addTo(traits, size.kind, number)
    } else if (!STOP_WORDS.has(chunk)) {
      tokens.push(chunk)
      if (chunk.length >= WORD_LENGTH_MIN) words.add(chunk)
      const contrast = CONTRASTS.get(chunk)
      if (contrast) {
        addTo(traits, contrast.kind, contrast.value)
        addTo(values, contrast.kind, contrast.value)
      } else if (/\d/.test(chunk) || chunk.length < WORD_LENGTH_MIN) addTo(values, 'grade', chunk)
    }
  }
  return {
    tokens,
    isOrdered: [...values.values()].some((found) => found.size > 1),
    hasWord: [...words].some((word) => /^\p{L}+$/u.test(word)),
    hasQuantity: [...values.keys()].some((kind) => QUANTITIES.has(kind)),
    words,
    traits,
  }
}

/** Shorter words are grades ("A", "II") or mean nothing. */
const WORD_LENGTH_MIN = 3
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

const CONTRASTS: ReadonlyMap<string, { kind: string; value: string }> = new Map(
  Object.entries({
    'side left': 'left izquierda izquierdo izq esquerda esquerdo gauche links linke linker sinistra sinistro',
    'side right': 'right derecha derecho dcha direita direito droite rechts rechte rechter destra destro',
    'colour white': 'white blanco blanca branco branca blanc blanche weiss weisse bianco bianca',
    'colour black': 'black negro negra preto preta noir noire schwarz schwarze nero nera',
    'colour grey': 'grey gray gris cinza cinzento grau grigio grigia',
    'colour red': 'red rojo roja vermelho vermelha rouge rot rote rosso rossa',
    'colour green': 'green verde vert verte grun grune',
    'colour blue': 'blue azul bleu bleue blau blaue blu',
    'colour yellow': 'yellow amarillo amarilla amarelo amarela jaune gelb gelbe giallo gialla',
    'colour brown': 'brown marron marrom brun brune braun braune marrone',
    'colour orange': 'orange naranja laranja arancione',
    'wood pine': 'pine pino pinho pinus pin kiefer kiefern',
    'wood oak': 'oak roble carvalho chene eiche eichen rovere quercia',
    'wood beech': 'beech haya faia hetre buche buchen faggio',
    'wood birch': 'birch abedul betula bouleau birke birken betulla',
    'wood spruce': 'spruce abeto picea epicea fichte fichten abete',
    'wood eucalyptus': 'eucalyptus eucalipto eukalyptus',
    'wood hardwood': 'hardwood hartholz',
    'wood lupuna': 'lupuna',
  }).flatMap(([contrast, spellings]) => {
    const [kind = '', value = ''] = contrast.split(' ')
    return spellings.split(' ').map((spelling) => [spelling, { kind, value }] as const)
  }),
)
