import { idSuffix } from '@catalog/core/digest.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { chunksOf, designationsOf, preparedName, sizesOf } from '@catalog/core/units/sizes.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { type MatchText, STOP_WORDS } from './sku-reading.ts'

/**
 * Block keys by which two SKUs that may be one product find each other in any language: pairs of concepts, word stems
 * and numbers. Keys prove nothing; a scorer judges the pairs that they produce.
 */
export type Blocks = Readonly<{
  /** Keys under which others find the SKU: at most STORED_MAX. */
  stored: readonly string[]
  /** Keys that the SKU searches by, `stored` first: at most PROBES_MAX. */
  probes: readonly string[]
}>

/** Raise it whenever equal text gives other keys: older stored keys then match by chance only. */
const BLOCK_VERSION = 'block/1'

/** Keys are permanent rows of the store and fields of an event, so a SKU has few. */
export const STORED_MAX = 8
/** Each probe costs one index lookup; names with more than three sizes would have hundreds. */
export const PROBES_MAX = 40

/**
 * The block keys of a SKU. `concepts` are the language-independent meanings of its name (ids of a lexicon). Pure. Empty
 * for a name without words, numbers and concepts.
 *
 * A name gives many pairs and stores only a few, so probes search all of them: two SKUs meet when a stored key of
 * either is among the probes of the other. The stored keys come in turn from each kind of pair, ordered by hash within
 * a kind. Two names that share most pairs therefore store the same ones.
 */
export function blocksOf(sku: MatchText, concepts: ReadonlySet<string>): Blocks {
  const ideas = [...concepts].sort().slice(0, TERMS_MAX)
  const numbers = numbersOf(sku).slice(0, TERMS_MAX)
  const stems = stemsOf(sku.name).slice(0, TERMS_MAX)
  // Prices per kilogram and per piece never share an item. The name of a piece ("sheet", "ud") says nothing here.
  const sold = soldUnit(sku).dimension?.split(':')[0] ?? 'unknown'
  const keysOf = (kind: string, values: readonly string[]) =>
    [...new Set(values)].map((value) => keyOf(`${BLOCK_VERSION} ${sold} ${kind} ${value}`)).sort()

  const kinds = [
    keysOf('concept', ideas),
    keysOf('numbers', pairs(numbers)),
    keysOf('concept number', crossed(ideas, numbers)),
    keysOf('stem number', crossed(stems, numbers)),
    keysOf('stems', pairs(stems)),
    keysOf('concepts', pairs(ideas)),
  ]
  const inTurn = [
    ...new Set(
      kinds
        .flatMap((keys, kind) => keys.map((key, turn) => ({ key, turn, kind })))
        .sort((a, b) => a.turn - b.turn || a.kind - b.kind)
        .map(({ key }) => key),
    ),
  ]
  return { stored: inTurn.slice(0, STORED_MAX), probes: inTurn.slice(0, PROBES_MAX) }
}

function keyOf(text: string): string {
  return KEYS(text, () => `b:${idSuffix(text).slice(0, KEY_LETTERS)}`)
}
/** Names of one family share most pairs. */
const KEYS = openMemo<string>(100_000)

/** A key that more SKUs share says little, and would compare each with all others. */
export const KEY_SKUS_MAX = 100
/** Most candidates that pass the gates and get a score, by shared keys. */
export const SCORED_MAX = 20
/** Most candidates before the gates, by shared keys. */
const CANDIDATES_BY_KEYS_MAX = 60

/**
 * The SKUs that share these keys, each with a weight: a key counts less the more SKUs have it. `skusOf` gives the SKUs
 * of a key, none beyond KEY_SKUS_MAX. Best first. All ties with the last one stay, so the order of `skusOf` does not
 * matter.
 */
export function candidatesByKeys<Sku>(
  keys: readonly string[],
  skusOf: (key: string) => readonly Sku[],
): (readonly [sku: Sku, weight: number])[] {
  const weights = new Map<Sku, number>()
  for (const key of keys) {
    const skus = skusOf(key)
    for (const sku of skus) weights.set(sku, (weights.get(sku) ?? 0) + 1 / Math.sqrt(skus.length))
  }
  const sorted = [...weights].sort(([, a], [, b]) => b - a)
  const least = sorted[CANDIDATES_BY_KEYS_MAX - 1]?.[1] ?? 0
  return sorted.filter(([, weight]) => weight >= least)
}

/** Base32 letters of a key. In a million pairs, two share 50 bits by chance once in a thousand catalogs. */
const KEY_LETTERS = 10
/** Most concepts, numbers and stems of one name; the rest is usually advertising. */
const TERMS_MAX = 8

/**
 * The numbers of a name and its pack without their scale: 12.5 mm and 1.25 cm are both 12 or 13, 1200x2500 and 1.20 x
 * 2.50 m both 12 and 25. An inch also counts as written, because other vendors leave its sign out.
 */
function numbersOf({ name, lang, pack }: MatchText): string[] {
  const sizes = sizesOf(name, lang).flatMap(({ values, written }) => [...values, ...written])
  const designated = designationsOf(preparedName(name)).flatMap(({ value }) => value.match(/\d+/g) ?? [])
  return [
    ...new Set([...sizes, ...designated.map(Number), ...(pack ? [Number(pack.quantity)] : [])].map(digitsOf)),
  ].sort()
}

/** Its first digits, without decimal point and surrounding zeros. */
function digitsOf(value: number): string {
  const [digits = ''] = value.toExponential(NUMBER_DIGITS - 1).split('e')
  return digits.replace('.', '').replace(/0+$/, '')
}
/** With two digits 12.5 and 12.7 mm, and 1.2 m and 4 ft, share a key. */
const NUMBER_DIGITS = 2

/** First letters of the words, which plural, gender and most abbreviations share. */
function stemsOf(name: string): string[] {
  const words = chunksOf(preparedName(name)).filter((chunk) => /^\p{L}{3,}$/u.test(chunk) && !STOP_WORDS.has(chunk))
  return [...new Set(words.map((word) => word.slice(0, STEM_LETTERS)))]
}
const STEM_LETTERS = 4

function crossed(first: readonly string[], second: readonly string[]): string[] {
  return first.flatMap((one) => second.map((other) => `${one} ${other}`))
}

function pairs(values: readonly string[]): string[] {
  const sorted = values.toSorted()
  return sorted.flatMap((one, at) => sorted.slice(at + 1).map((other) => `${one} ${other}`))
}
