import { add, compare, divide, multiply, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import { isPercentage } from '@catalog/formats/bc3/percentage.ts'
import { declaredPriceOf, quantityOf } from '@catalog/formats/bc3/price-book/costing.ts'
import { formatDecimal } from '@catalog/formats/bc3/price-book/decimal.ts'
import type { Component, Concept, PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import type { PresentPrice, RecipeShare } from './priced-lines.ts'

/** Prices of works without an item, from the present prices of what they are made of. */

/** Less than this share of a recipe's declared cost says too little of the work. */
const COVERED_MIN = 0.8
/**
 * A present price this many times the declared one, or this part of it, is that of another thing: prices of a bank that is
 * decades old stay within it.
 */
const CHANGE_MAX = rational(5n)
/** Levels of auxiliaries; works have three. */
const LEVELS_MAX = 10
/** Resources looked up for one work. */
const RESOURCES_MAX = 20_000

/** The concepts below these, through all recipes, each once: what a recipe price needs. */
export function resourcesBelow(book: PriceBook, codes: readonly string[]): readonly Concept[] {
  const found = new Map<string, Concept>()
  const meet = (concept: Concept, level: number) => {
    if (level === LEVELS_MAX || book.cyclic.has(concept)) return
    for (const component of resourcesOf(concept)) {
      if (found.has(component.concept.code) || found.size === RESOURCES_MAX) continue
      found.set(component.concept.code, component.concept)
      meet(component.concept, level + 1)
    }
  }
  for (const code of codes) {
    const concept = book.concepts.get(code)
    if (concept) meet(concept, 0)
  }
  return [...found.values()]
}

/** A present price in the currency of the file, with the share of the recipe behind it; null where it says too little. */
export type RecipePrice = Readonly<{ price: Rational; currency: string; recipe: RecipeShare }>

/**
 * The present price of a work by its recipe: its declared price, times what its resources cost now, divided by what the file
 * says that they cost. So percentages and indirect costs keep their share. A resource without a present price, or
 * with one that {@link CHANGE_MAX} rules out, counts at its declared price. Null where the resources with a present price in `currency` cost less than {@link COVERED_MIN} of the
 * recipe, where the file does not price a line of it, or where a line without a present price is in another currency.
 */
export function recipePrice(
  concept: Concept,
  {
    book,
    currency,
    fileCurrency,
    presentPrices,
    level = 0,
  }: {
    book: PriceBook
    currency: string
    fileCurrency: string
    presentPrices: ReadonlyMap<string, PresentPrice>
    level?: number
  },
): RecipePrice | null {
  const declared = numberOf(declaredPriceOf(concept, 0))
  const components = resourcesOf(concept)
  if (declared === null || components.length === 0 || level === LEVELS_MAX || book.cyclic.has(concept)) return null
  let [now, before, covered] = [NOTHING, NOTHING, NOTHING]
  let priced = 0
  for (const component of components) {
    const quantity = numberOf(quantityOf(component))
    const each = numberOf(declaredPriceOf(component.concept, 0))
    if (quantity === null || each === null) return null
    const amount = multiply(quantity, each)
    const present = presentOf(component, each)
    // Declared prices of another currency do not add to present ones.
    if (present === null && currency !== fileCurrency) return null
    if (present !== null) {
      priced++
      covered = add(covered, multiply(amount, present.share))
    }
    before = add(before, amount)
    now = add(now, present === null ? amount : multiply(quantity, present.price))
  }
  if (before.n <= 0n || now.n <= 0n) return null
  const share = shareOf(covered, before)
  if (share < COVERED_MIN) return null
  const price = divide(multiply(declared, now), before)
  return { price, currency, recipe: { components: components.length, priced, covered_share: share } }

  function presentOf({ concept }: Component, declaredEach: Rational): { price: Rational; share: Rational } | null {
    const known = presentPrices.get(concept.code)
    if (known?.price && known.currency === currency) {
      const isLikely = currency !== fileCurrency || known.basis === 'reference' || isNear(known.price, declaredEach)
      return isLikely ? { price: known.price, share: WHOLE } : null
    }
    const below = recipePrice(concept, { book, currency, fileCurrency, presentPrices, level: level + 1 })
    return below && { price: below.price, share: parseDecimal(below.recipe.covered_share.toFixed(3)) }
  }
}

const isNear = (now: Rational, before: Rational) =>
  compare(now, multiply(before, CHANGE_MAX)) <= 0 && compare(before, multiply(now, CHANGE_MAX)) <= 0

const NOTHING = rational(0n)
const WHOLE = rational(1n)

/** The lines of a recipe that are no percentages of others. */
function resourcesOf({ components }: Concept): readonly Component[] {
  return components.filter(({ concept }) => !isPercentage(concept))
}

function numberOf(decimal: Parameters<typeof formatDecimal>[0] | null): Rational | null {
  return decimal === null ? null : parseDecimal(formatDecimal(decimal))
}

/** To three decimals. */
function shareOf(part: Rational, whole: Rational): number {
  const { n, d } = divide(part, whole)
  return Number((n * 1_000n) / d) / 1_000
}
