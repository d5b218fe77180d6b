import { add, compare, divide, multiply, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import { isPercentage } from '@catalog/formats/bc3/percentage.ts'
import { declaredPriceOf, quantityOf } from './costing.ts'
import { formatDecimal } from './decimal.ts'
import { type PriceBook, referenceOf } from './price-book.ts'
import { wholeTexts } from './whole-texts.ts'

/** Prices of works without an item, from the present prices of what they are made of. */

/** Less than this share of a recipe's declared cost says too little of the work. */
const COVERED_MIN = 0.8
/**
 * A present price this many times the declared one, or this part of it, is that of another thing: prices of a bank that is
 * decades old stay within it.
 */
const CHANGE_MAX = rational(5n)
/** Decimals of a price. */
const PRICE_PLACES = 8

/** A concept of a price book: a resource, or a work with what it is made of, percentages left out. */
export type RecipeConcept = Readonly<{
  /** See {@link referenceOf}. */
  reference: string
  text: string
  isCut: boolean
  unit: string
  /** The declared price; null where the file states no number. */
  price: Rational | null
  components: readonly Readonly<{ code: string; quantity: Rational | null }>[]
}>
/** By code, components before what they are part of. */
export type Recipes = ReadonlyMap<string, RecipeConcept>

/** The works of these codes and all that they are made of; a cyclic recipe counts as none. */
export function recipesOf(book: PriceBook, codes: Iterable<string>): Recipes {
  const textsOf = wholeTexts(book)
  const wanted = new Set(codes)
  const found: [string, RecipeConcept][] = []
  for (const concept of book.order.toReversed()) {
    const { code, summary, text, unit } = concept
    if (!wanted.has(code)) continue
    const parts = book.cyclic.has(concept) ? [] : concept.components.filter((part) => !isPercentage(part.concept))
    const components = parts.map((part) => ({ code: part.concept.code, quantity: numberOf(quantityOf(part)) }))
    const words = textsOf({ code, text: summary.trim() === '' ? text : summary })
    const price = numberOf(declaredPriceOf(concept, 0))
    found.push([code, { reference: referenceOf(book, code), ...words, unit, price, components }])
    for (const component of components) wanted.add(component.code)
  }
  return new Map(found.reverse())
}

/** The codes of what these works are made of, at every level. */
export function codesBelow(recipes: Recipes, works: ReadonlySet<string>): readonly string[] {
  const wanted = new Set(works)
  const met = [...recipes].reverse().filter(([code, { components }]) => {
    if (wanted.has(code)) for (const component of components) wanted.add(component.code)
    return wanted.has(code)
  })
  return met.flatMap(([code]) => (works.has(code) ? [] : [code]))
}

/** What of a recipe has a present price: of its components, and of their declared cost (0 to 1, three decimals). */
export type RecipeShare = Readonly<{ components: number; priced: number; covered_share: number }>
/** In major units, with the share of the recipe behind it. */
export type RecipePrice = Readonly<{ price: Rational; recipe: RecipeShare }>
/** In major units; `isCertain`: of the very concept, so that no change of its price is too great. */
export type PresentPrice = Readonly<{ price: Rational; currency: string; isCertain: boolean }>

/**
 * The present prices of works by their recipes, in one currency, by code: the declared price, times what the components cost
 * now, divided by what the file says that they cost. So percentages and indirect costs keep their share. A component without
 * a present price, or with one that {@link CHANGE_MAX} rules out, counts at its declared price. Leaves out works of which
 * components with a present price are less than {@link COVERED_MIN} of the declared cost, of which the file does not price
 * a component, and of which a component without a present price is in another currency.
 */
export function recipePrices(
  recipes: Recipes,
  {
    currency,
    fileCurrency,
    present,
  }: { currency: string; fileCurrency: string; present: ReadonlyMap<string, PresentPrice> },
): ReadonlyMap<string, RecipePrice> {
  const prices = new Map<string, RecipePrice>()
  for (const [code, work] of recipes) {
    const price = work.components.length === 0 ? null : priceOf(work)
    if (price !== null) prices.set(code, price)
  }
  return prices

  function priceOf({ price: declared, components }: RecipeConcept): RecipePrice | null {
    let [now, before, covered] = [NOTHING, NOTHING, NOTHING]
    let priced = 0
    for (const { code, quantity } of components) {
      const each = recipes.get(code)?.price
      if (!each || quantity === null) return null
      const amount = multiply(quantity, each)
      const found = presentOf(code, each)
      // Declared prices of another currency do not add to present ones.
      if (found === null && currency !== fileCurrency) return null
      if (found !== null) {
        priced++
        covered = add(covered, multiply(amount, found.share))
      }
      before = add(before, amount)
      now = add(now, found === null ? amount : multiply(quantity, found.price))
    }
    if (declared === null || before.n <= 0n || now.n <= 0n) return null
    const share = thousandths(divide(covered, before))
    if (share < COVERED_MIN) return null
    // Rounded, so that recipes of recipes have no ever longer fractions.
    const price = parseDecimal(decimalText(divide(multiply(declared, now), before), { places: PRICE_PLACES, least: 0 }))
    return { price, recipe: { components: components.length, priced, covered_share: share } }
  }

  function presentOf(code: string, declared: Rational): { price: Rational; share: Rational } | null {
    const known = present.get(code)
    if (known?.currency === currency) {
      const isLikely = currency !== fileCurrency || known.isCertain || isNear(known.price, declared)
      return isLikely ? { price: known.price, share: WHOLE } : null
    }
    const below = prices.get(code)
    return below ? { price: below.price, share: parseDecimal(below.recipe.covered_share.toFixed(3)) } : null
  }
}

const isNear = (now: Rational, before: Rational) =>
  compare(now, multiply(before, CHANGE_MAX)) <= 0 && compare(before, multiply(now, CHANGE_MAX)) <= 0

const NOTHING = rational(0n)
const WHOLE = rational(1n)

function numberOf(decimal: Parameters<typeof formatDecimal>[0] | null): Rational | null {
  return decimal === null ? null : parseDecimal(formatDecimal(decimal))
}

const thousandths = ({ n, d }: Rational) => Number((n * 1_000n) / d) / 1_000
