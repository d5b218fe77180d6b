import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { RecipeRule } from '@catalog/core/events/recipes.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { add, compare, multiply, ONE, parseDecimal, type Rational, rational } from '@catalog/core/money/rational.ts'
import type { Recipe } from '@catalog/store/vendor/recipes.ts'

/**
 * What a recipe costs, exactly: by the prices of its file, and at today's medians. A line is its price × factor × yield; a
 * percentage takes the lines before it, earlier percentages included, whose code begins with what stands before its sign,
 * or which name it; a component that has a recipe and no price costs what its recipe does. How lines and total are rounded
 * and which indirect cost is put on their sum, is the rule that was found for the file (libs/formats/bc3/price-book/pricing-rule.ts).
 */

export type Component = Recipe['components'][number]
export type Kind = Component['kind']

/** What one unit of a component costs today, in the recipe's currency and the component's unit. */
export type Medians = ReadonlyMap<string, Rational>

/** One line of a recipe for `scale` units of what the recipe makes. */
export type CostLine = Readonly<{
  component: Component
  /** Of the component; null for a percentage, which is no thing. */
  skuId: string | null
  quantity: Rational
  unitPrice: Rational | null
  /** file: as it stands there; recipe: the file leaves it to the component's own recipe. */
  priceBasis: 'file' | 'recipe' | null
  /** Of a percentage: what it is a part of. */
  base: Rational | null
  /** By the rule; null where there is no price. */
  amount: Rational | null
  now: NowAmount | null
}>

/** What the line costs today; null where neither it nor anything that it is made of has a median. */
export type NowAmount = Readonly<{
  /** item: by a median of its own; components: by those of what it is made of, or a percentage of such lines. */
  basis: 'item' | 'components'
  /** Per unit; null for a percentage. */
  unitPrice: Rational | null
  amount: Rational
  /** The part of the amount that is still at the file's prices. */
  atFilePrices: Rational
}>

/** A recipe for `scale` units. */
export type RecipeCost = Readonly<{
  lines: readonly CostLine[]
  /** Sum of the amounts. */
  direct: Rational
  /** With indirect cost, rounded by the rule. */
  total: Rational
  /** Lines whose price is unknown: the total lacks them. */
  unpriced: number
  /** Today's total, lines without a median at the file's prices; null where no line has one. */
  now: Readonly<{ amount: Rational; atFilePrices: Rational }> | null
}>

/** Amounts by kind, auxiliaries resolved into what they are made of; `auxiliary` is what could not be. Not rounded. */
export type Resources = ReadonlyMap<Kind, Rational>

export type RecipeCosts = Readonly<{
  costOf(skuId: string, scale: Rational): RecipeCost
  /** For one unit, without indirect cost. */
  resourcesOf(skuId: string): Resources
}>

/** Recipes inside of recipes that are followed; price books have four levels, and numbers grow with each. */
export const LEVELS_MAX = 50

/** Finer than any price of a file, and coarse enough that numbers do not grow from level to level. */
const UNROUNDED_PLACES = 30

/** No amount of a work has more digits before its point; what has is a mistake, and would grow with each percentage. */
const AMOUNT_LIMIT = rational(10n ** 30n)

/** Sums that the percentages of one recipe are of; further ones have no amount. */
const BASES_MAX = 20

export const ZERO = rational(0n)

/** SKU of a component, which its own source names; null for a percentage. */
export function componentSkuId({ source }: Recipe, component: Component): string | null {
  if (component.kind === 'percentage') return null
  const known = SKU_IDS.get(component)
  if (known !== undefined) return known
  const skuId = vendorSkuIdOf(source.id, component.vendor_ref)
  SKU_IDS.set(component, skuId)
  return skuId
}
/** A component is asked for its id again and again while an answer is made, and each time would be a hash. */
const SKU_IDS = new WeakMap<Component, string>()

/**
 * The costs of these recipes (by SKU). Each is computed once, however often it occurs; a component that leads back to what
 * it is part of counts as one without a recipe. `costOf` of a SKU that has no recipe throws.
 */
export function recipeCosts(recipes: ReadonlyMap<string, Recipe>, medians: Medians): RecipeCosts {
  const known = new Map<string, RecipeCost>()
  const resources = new Map<string, Resources>()
  const open = new Set<string>()

  /** What one unit costs by its own recipe; null without one, and inside of itself. */
  function unitCost(skuId: string): RecipeCost | null {
    const found = known.get(skuId)
    if (found !== undefined) return found
    if (open.has(skuId) || open.size >= LEVELS_MAX || !recipes.has(skuId)) return null
    open.add(skuId)
    const cost = costOf(skuId, ONE)
    open.delete(skuId)
    known.set(skuId, cost)
    return cost
  }

  function costOf(skuId: string, scale: Rational): RecipeCost {
    const recipe = recipes.get(skuId)
    if (recipe === undefined) throw new Error(`vendor SKU '${skuId}' has no recipe here`)
    const rule = ruleOf(recipe)
    const places = rule.line_decimals ?? UNROUNDED_PLACES
    const sums = new Sums(recipe)
    const lines = recipe.components.map((component) => {
      const quantity = multiply(parseDecimal(component.factor), parseDecimal(component.yield))
      const line =
        component.kind !== 'percentage'
          ? resourceLine(recipe, component, { quantity: multiply(quantity, scale), places })
          : rule.percentages === 'share'
            ? percentageLine(component, { rate: quantity, sums, places })
            : pricedPercentage(component, { quantity: multiply(quantity, scale), places })
      sums.add(line)
      return line
    })
    const { amount: direct } = sums.all
    const now = todayOf(sums.all)
    const indirect = add(ONE, parseDecimal(rule.indirect_rate))
    const totalOf = (sum: Rational) => rounded(multiply(sum, indirect), rule.total_decimals ?? UNROUNDED_PLACES)
    return {
      lines,
      direct,
      total: totalOf(direct),
      unpriced: lines.filter(({ amount }) => amount === null).length,
      now: now && { amount: totalOf(now.amount), atFilePrices: multiply(now.atFilePrices, indirect) },
    }
  }

  function resourceLine(
    recipe: Recipe,
    component: Component,
    { quantity, places }: { quantity: Rational; places: number },
  ): CostLine {
    const skuId = componentSkuId(recipe, component) as string
    const own = unitCost(skuId)
    // Of a recipe that lacks a price itself the sum would be taken for the price of the whole.
    const computed = own === null || own.unpriced > 0 ? null : own.total
    const unitPrice = component.price === null ? computed : parseDecimal(component.price)
    const amount = unitPrice === null ? null : amountOf(unitPrice, quantity, places)
    const priceBasis = component.price === null ? (unitPrice === null ? null : 'recipe') : 'file'
    return {
      component,
      skuId,
      quantity,
      unitPrice,
      priceBasis,
      base: null,
      amount,
      now: nowOf(skuId, own, quantity, places),
    }
  }

  function nowOf(skuId: string, own: RecipeCost | null, quantity: Rational, places: number): NowAmount | null {
    const median = medians.get(skuId)
    if (median !== undefined) {
      const amount = amountOf(median, quantity, places)
      return amount && { basis: 'item', unitPrice: median, amount, atFilePrices: ZERO }
    }
    const now = own?.unpriced === 0 ? own.now : null
    if (now === null || now === undefined) return null
    const amount = amountOf(now.amount, quantity, places)
    const atFilePrices = rounded(multiply(now.atFilePrices, quantity), UNROUNDED_PLACES)
    return amount && { basis: 'components', unitPrice: now.amount, amount, atFilePrices }
  }

  function resourcesOf(skuId: string): Resources {
    const found = resources.get(skuId)
    if (found !== undefined) return found
    const all = new Map<Kind, Rational>()
    const count = (kind: Kind, amount: Rational) => all.set(kind, add(all.get(kind) ?? ZERO, amount))
    open.add(skuId)
    for (const line of costOf(skuId, ONE).lines) {
      const inside =
        line.skuId !== null && recipes.has(line.skuId) && !open.has(line.skuId) && open.size < LEVELS_MAX
          ? resourcesOf(line.skuId)
          : null
      if (inside === null) count(line.component.kind, line.amount ?? ZERO)
      else for (const [kind, amount] of inside) count(kind, rounded(multiply(amount, line.quantity), UNROUNDED_PLACES))
    }
    open.delete(skuId)
    resources.set(skuId, all)
    return all
  }

  return {
    costOf,
    resourcesOf,
  }
}

/** The rule of the recipe's file; what was recorded without one has its lines rounded, and no indirect cost. */
export function ruleOf({ rule, currency }: Recipe): RecipeRule {
  const places = amountPlaces(currency)
  return rule ?? { percentages: 'share', line_decimals: places, indirect_rate: '0', total_decimals: places }
}

/** Decimals of amounts: two, in pesetas too as the programs have it, or what the currency has more. */
export function amountPlaces(currency: string): number {
  return Math.max(AMOUNT_PLACES_MIN, exponentOf(currency) ?? 0)
}
const AMOUNT_PLACES_MIN = 2

function percentageLine(
  component: Component,
  { rate, sums, places }: { rate: Rational; sums: Sums; places: number },
): CostLine {
  const base = sums.baseOf(component)
  const today = base && todayOf(base)
  const nowAmount = today && amountOf(today.amount, rate, places)
  return {
    component,
    skuId: null,
    quantity: rate,
    unitPrice: null,
    priceBasis: null,
    base: base?.amount ?? null,
    amount: base && amountOf(base.amount, rate, places),
    now: nowAmount && {
      basis: 'components',
      unitPrice: null,
      amount: nowAmount,
      atFilePrices: rounded(multiply(today?.atFilePrices ?? ZERO, rate), UNROUNDED_PLACES),
    },
  }
}

/** Of a converter that writes percentages as things of a price. */
function pricedPercentage(
  component: Component,
  { quantity, places }: { quantity: Rational; places: number },
): CostLine {
  const unitPrice = component.price === null ? null : parseDecimal(component.price)
  return {
    component,
    skuId: null,
    quantity,
    unitPrice,
    base: null,
    now: null,
    priceBasis: unitPrice && 'file',
    amount: unitPrice && amountOf(unitPrice, quantity, places),
  }
}

/** Rounded; null where it is no amount of money any more. */
function amountOf(price: Rational, quantity: Rational, places: number): Rational | null {
  const amount = rounded(multiply(price, quantity), places)
  return compare(amount.n < 0n ? rational(-amount.n, amount.d) : amount, AMOUNT_LIMIT) < 0 ? amount : null
}

/** Of some lines: by the file, and today, where lines without a median count at the file's prices. */
type Sum = { amount: Rational; today: Rational; atFilePrices: Rational; hasMedian: boolean }

function todayOf({ today, atFilePrices, hasMedian }: Sum): RecipeCost['now'] {
  return hasMedian ? { amount: today, atFilePrices } : null
}

/** Sums of the lines so far, kept while lines are added: a recipe may have thousands of both lines and percentages. */
class Sums {
  readonly all: Sum = newSum()
  readonly #lines: CostLine[] = []
  readonly #bases = new Map<string, Sum>()
  /** Where any line names its percentages they are their shares; else the text before the sign is a mask of codes. */
  readonly #areNamed: boolean

  constructor({ components }: Recipe) {
    this.#areNamed = components.some(({ percentages = [] }) => percentages.length > 0)
  }

  add(line: CostLine): void {
    this.#lines.push(line)
    addTo(this.all, line)
    for (const [base, sum] of this.#bases) if (this.#isPart(line, base)) addTo(sum, line)
  }

  /** What a percentage is a share of; null for one sum too many. */
  baseOf({ vendor_ref }: Component): Sum | null {
    const base = this.#areNamed ? vendor_ref : (vendor_ref.split(/[%&]/)[0] as string)
    const known = this.#bases.get(base)
    if (known !== undefined) return known
    if (this.#bases.size === BASES_MAX) return null
    const sum = newSum()
    for (const line of this.#lines) if (this.#isPart(line, base)) addTo(sum, line)
    this.#bases.set(base, sum)
    return sum
  }

  #isPart({ component: { vendor_ref, percentages } }: CostLine, base: string): boolean {
    return this.#areNamed ? percentages?.includes(base) === true : vendor_ref.startsWith(base)
  }
}

function newSum(): Sum {
  return { amount: ZERO, today: ZERO, atFilePrices: ZERO, hasMedian: false }
}

function addTo(sum: Sum, { amount, now }: CostLine): void {
  sum.amount = add(sum.amount, amount ?? ZERO)
  sum.today = add(sum.today, now?.amount ?? amount ?? ZERO)
  sum.atFilePrices = add(sum.atFilePrices, now?.atFilePrices ?? amount ?? ZERO)
  sum.hasMedian ||= now !== null
}

/** Half away from zero, as the programs of the trade round. */
export function rounded(value: Rational, places: number): Rational {
  const scale = 10n ** BigInt(places)
  const n = value.n * scale * 2n
  const away = n < 0n ? n - value.d : n + value.d
  return rational(away / (2n * value.d), scale)
}

/** A plain decimal, rounded to so many places; with `least` fewer, trailing zeros beyond those are left out. */
export function decimalText(value: Rational, { places, least = places }: { places: number; least?: number }): string {
  const { n, d } = rounded(value, places)
  const digits = ((n < 0n ? -n : n) * (10n ** BigInt(places) / d)).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  let fraction = places === 0 ? '' : digits.slice(-places)
  while (fraction.length > least && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  return `${n < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
