import { idSuffix } from '@catalog/core/digest.ts'
import { chunksOf, designationsOf, preparedName, sizesOf } from '@catalog/core/units/sizes.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { type MatchSku, STOP_WORDS } from './match.ts'

/**
 * By what two SKUs that may be one product find each other, whatever words and language their names have: pairs of
 * concepts, word stems and numbers. The keys say nothing certain; a scorer looks at what they bring together.
 */
export type Blocks = Readonly<{
  /** What the SKU is found by from now on: at most STORED_MAX keys. */
  stored: readonly string[]
  /** What it looks for, `stored` first: at most PROBES_MAX keys. */
  probes: readonly string[]
}>

/** Changes whenever the same text may give other keys: what was stored before is then found by chance only. */
const BLOCK_VERSION = 'block/1'

/** Keys are rows of the store and fields of an event for ever, so a SKU has few of them. */
export const STORED_MAX = 8
/** A probe costs one look into an index; names of more than three sizes would have hundreds. */
export const PROBES_MAX = 40

/**
 * The block keys of a SKU; `concepts` are what its name means in no language (the ids of a lexicon). Pure. None for a
 * name without words, numbers and concepts.
 *
 * A name gives many pairs and only a few are stored, so all of them are looked for: two SKUs meet when one of the few of
 * either is among the many of the other. The few are taken in turn from each kind of pair, and within a kind by their
 * hash, because then two names that share most pairs keep the same ones.
 */
export function blocksOf(sku: MatchSku, concepts: ReadonlySet<string>): Blocks {
  const ideas = [...concepts].sort().slice(0, TERMS_MAX)
  const numbers = numbersOf(sku).slice(0, TERMS_MAX)
  const stems = stemsOf(sku.name).slice(0, TERMS_MAX)
  // Prices per kilogram and per piece never meet in one item. What a piece is called ("sheet", "ud") tells nothing here.
  const sold = soldUnit(sku).dimension?.split(':')[0] ?? 'unknown'
  const keysOf = (kind: string, values: readonly string[]) =>
    [...new Set(values)]
      .map((value) => `b:${idSuffix(`${BLOCK_VERSION} ${sold} ${kind} ${value}`).slice(0, KEY_LETTERS)}`)
      .sort()

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

/** A key that more SKUs share says little, and each would be compared with all others. */
export const KEY_SKUS_MAX = 100
/** Of those that share most keys, who pass the gates and are scored. */
export const SCORED_MAX = 20
/** Candidates that share most keys, before the gates. */
const MET_MAX = 60

/**
 * Whom these keys bring together, and how much they share: a key counts the less the more have it. `skusOf` gives the
 * SKUs of a key, none for one that more than KEY_SKUS_MAX share. Best first; of those that share as much as the last one
 * all stay, so that the order of `skusOf` does not matter.
 */
export function metBy<Sku>(
  keys: readonly string[],
  skusOf: (key: string) => readonly Sku[],
): (readonly [sku: Sku, weight: number])[] {
  const weights = new Map<Sku, number>()
  for (const key of keys) {
    const skus = skusOf(key)
    for (const sku of skus) weights.set(sku, (weights.get(sku) ?? 0) + 1 / Math.sqrt(skus.length))
  }
  const sorted = [...weights].sort(([, a], [, b]) => b - a)
  const least = sorted[MET_MAX - 1]?.[1] ?? 0
  return sorted.filter(([, weight]) => weight >= least)
}

/** Base32 letters of a key: two of a million pairs share 50 bits by chance once in a thousand catalogs. */
const KEY_LETTERS = 10
/** Concepts, numbers and stems of one name that are combined; what is behind them is advertising. */
const TERMS_MAX = 8

/**
 * The numbers of a name and its pack without their scale: 12.5 mm and 1.25 cm are both 12 or 13, 1200x2500 and
 * 1.20 x 2.50 m both 12 and 25; an inch also stands as what is written, because others leave its sign out.
 */
function numbersOf({ name, lang, pack }: MatchSku): string[] {
  const sizes = sizesOf(name, lang).flatMap(({ values, written }) => [...values, ...written])
  const designated = designationsOf(preparedName(name)).flatMap(({ value }) => value.match(/\d+/g) ?? [])
  return [
    ...new Set([...sizes, ...designated.map(Number), ...(pack ? [Number(pack.quantity)] : [])].map(digitsOf)),
  ].sort()
}

/** Its first digits, without point and zeros around them. */
function digitsOf(value: number): string {
  const [digits = ''] = value.toExponential(NUMBER_DIGITS - 1).split('e')
  return digits.replace('.', '').replace(/0+$/, '')
}
/** 12.5 and 12.7 mm, 1.2 m and 4 ft are one number to look by. */
const NUMBER_DIGITS = 2

/** First letters of the words, in which plural, gender and most abbreviations agree. */
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
