import type { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { isPercentage, isPercentageByUnit } from '@catalog/formats/bc3/percentage.ts'
import { compareDecimals, type Decimal, exceeds, minus, ONE, plus, roundTo, times, toDecimal, ZERO } from './decimal.ts'
import { type Component, type Concept, type PriceBook, writtenPriceOf } from './price-book.ts'

/** The recipes of a price book as sums, computed again for each rule that is tried. */

/** Digits of an amount after and before its point that pass from one level of nesting to the next. */
const FRACTION_DIGITS_MAX = 60
const WHOLE_DIGITS_MAX = 100
/** Longest code mask of a percentage. Longer masks would make each line compare many prefixes. */
const MASK_CHARS_MAX = 64

/** The cost of a concept while the repricing computes it. */
export type Costing = {
  readonly concept: Concept
  readonly isCyclic: boolean
  /** See {@link declaredPriceOf}. */
  readonly declared: Decimal | null
  /** Price in the recipes that use it, and cost by kind; set in the order of the book. */
  price: Decimal | null
  resources: readonly Decimal[]
  readonly all: Costings
}
export type Costings = {
  readonly of: Map<Concept, Costing>
  /** A cache of one recipe; see {@link recipeOf}. */
  last: Readonly<{ costing: Costing; recipe: Recipe }> | null
}

type Recipe = Readonly<{
  lines: readonly Line[]
  /** Sums that the percentages of this recipe refer to, by mask or by the percentage's own code. */
  bases: readonly string[]
}>
type Line = Readonly<{
  costing: Costing | undefined
  code: string
  /** factor × yield; null when one of them is no number. */
  quantity: Decimal | null
  /** The sum that the line is a share of; null for a line with a price. */
  base: string | null
  /** Only its unit says that it is a share. */
  isByUnit: boolean
  /** Sums that include the line. */
  partOf: readonly string[]
}>

const NO_CODES: readonly string[] = []
const NO_AMOUNTS: readonly Decimal[] = []

export function costingsOf(book: PriceBook, label: number): Costings {
  const all: Costings = { of: new Map(), last: null }
  for (const concept of book.order) {
    const isCyclic = book.cyclic.has(concept)
    const declared = declaredPriceOf(concept, label)
    all.of.set(concept, { concept, isCyclic, declared, price: null, resources: NO_AMOUNTS, all })
  }
  return all
}

/** The declared price under a label of ~V, from 0; null without one. A price of 0 on a recipe is none: the recipe gives it. */
export function declaredPriceOf(concept: Concept, label: number): Decimal | null {
  const declared = toDecimal(writtenPriceOf(concept, label))
  return declared?.units === 0n && concept.components.length > 0 ? null : declared
}

/**
 * The lines of a recipe as numbers. Only the last recipe stays in memory: the numbers of a large book would take more
 * memory than the book itself.
 */
export function recipeOf(costing: Costing): Recipe {
  const { all } = costing
  if (all.last?.costing !== costing) all.last = { costing, recipe: readRecipe(costing) }
  return all.last.recipe
}

function readRecipe({ concept: { components }, all }: Costing): Recipe {
  // Lines may name their percentages. Otherwise the text before the percent sign is a prefix of codes.
  const areNamed = components.some(({ percentages }) => percentages.length > 0)
  const baseOf = (code: string) => (areNamed ? code : (/^(.*?)[%&]/.exec(code)?.[1] ?? ''))
  const percentages = components.filter(({ concept }) => isPercentage(concept))
  const bases = new Set(percentages.map(({ concept }) => baseOf(concept.code)))
  const lengths = [...new Set([...bases].map(({ length }) => length))].filter((length) => length <= MASK_CHARS_MAX)
  const partsOf = ({ concept: { code }, percentages }: Component) => {
    if (bases.size === 0) return NO_CODES
    if (areNamed) return percentages.filter((code) => bases.has(code))
    const masks = lengths.filter((length) => length <= code.length).map((length) => code.slice(0, length))
    return masks.filter((mask) => bases.has(mask))
  }
  const lines = components.map((component): Line => {
    const { code } = component.concept
    const base = isPercentage(component.concept) ? baseOf(code) : null
    const quantity = quantityOf(component)
    const isByUnit = isPercentageByUnit(component.concept)
    return { costing: all.of.get(component.concept), code, quantity, base, isByUnit, partOf: partsOf(component) }
  })
  return { lines, bases: [...bases] }
}

/** Reports lines whose amount is unknown or uncertain. */
export function reportLines(costing: Costing, log: DiagnosticLog): void {
  const { code: of, line } = costing.concept
  for (const { code, quantity } of recipeOf(costing).lines) {
    if (quantity === null) {
      const message = `the recipe of ${of}: the quantity of ${code} is not a number`
      log.add({ line: line ?? 1, code: 'BAD_QUANTITY', message })
    }
    if (code.includes('&')) {
      const message = `${code} in ${of}: treated as an ordinary percentage`
      log.add({ line: line ?? 1, code: 'CUMULATIVE_PERCENTAGE', message })
    }
  }
}

/** factor × yield of a component; null when one of them is no number. */
export function quantityOf({ factor, yield: yielded }: Component): Decimal | null {
  const [a, b] = [factor === null ? ONE : toDecimal(factor), yielded === null ? ONE : toDecimal(yielded)]
  return a === null || b === null ? null : times(a, b)
}

/** How the amounts of lines are computed. */
export type LineRule = Readonly<{
  /** `share`: a `%` line is a share of the lines before it. `price`: it is price × yield, as one converter writes it. */
  percentages: 'share' | 'price'
  /** A line that its unit alone makes a share has a price all the same, as old programs compute it. */
  areUnitsPriced?: boolean
  /** Decimals of each line; null when lines are not rounded. */
  line: number | null
}>

/** The sum of a recipe's lines at the prices of their components; null when one of them has no price. */
export function directCostOf(
  costing: Costing,
  priceOf: (costing: Costing) => Decimal | null,
  { percentages, areUnitsPriced = false, line: decimals }: LineRule,
): Decimal | null {
  const { lines, bases } = recipeOf(costing)
  let sum = ZERO
  const parts = bases.length === 0 ? null : new Map(bases.map((base) => [base, ZERO]))
  for (const { costing: child, quantity, base, isByUnit, partOf } of lines) {
    const isShare = base !== null && percentages === 'share' && !(isByUnit && areUnitsPriced)
    const price = isShare ? (parts?.get(base) ?? ZERO) : child === undefined ? null : priceOf(child)
    if (price === null || quantity === null) return null
    const amount = roundTo(times(price, quantity), decimals)
    sum = plus(sum, amount)
    for (const part of partOf) parts?.set(part, plus(parts.get(part) ?? ZERO, amount))
  }
  return bounded(sum)
}

/** Bounds the digits that nested recipes multiply, so that sums stay cheap; null for an amount above any price. */
export function bounded(value: Decimal): Decimal | null {
  return exceeds(value, WHOLE_DIGITS_MAX) ? null : roundTo(value, FRACTION_DIGITS_MAX)
}

/** Whether two amounts differ by at most one unit of the last of `places` decimals. */
export function isNear(a: Decimal, b: Decimal, places: number): boolean {
  const difference = minus(a, b)
  const size = difference.units < 0n ? { ...difference, units: -difference.units } : difference
  return compareDecimals(size, { units: 1n, places }) <= 0
}

/** Whether a computed price is within one unit of the declared price's last decimal. */
export function reconciles(computed: Decimal, declared: Decimal): boolean {
  return isNear(computed, declared, declared.places)
}

export const declaredOf = ({ declared }: Costing) => declared
