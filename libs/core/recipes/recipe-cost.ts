import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { Recipe, RecipeComponent, RecipeRule } from '@catalog/core/events/recipes.ts'
import { add, multiply, ONE, parseDecimal, type Rational } from '@catalog/core/money/rational.ts'
import { amountOf, amountPlaces, type Precision, rounded, UNROUNDED_PLACES, ZERO } from './amounts.ts'
import { type CostLine, LineSums, type NowAmount, todayOf } from './line-sums.ts'

/**
 * The exact cost of a recipe, by the prices of its file and at today's medians. A line costs its price × factor × yield. A
 * percentage is a share of the lines before it, earlier percentages included, whose code begins with the text before its
 * sign, or which name it. A component that has a recipe and no price costs what its recipe costs. The rule of the file
 * decides the rounding of lines and total, and the indirect cost on their sum (libs/formats/bc3/price-book/pricing-rule.ts).
 */

export type Kind = RecipeComponent['kind']

/** Today's cost of one unit by SKU, in the recipe's currency and the component's unit. */
export type Medians = ReadonlyMap<string, Rational>

/** A recipe for `scale` units. */
export type RecipeCost = Readonly<{
  lines: readonly CostLine[]
  /** Sum of the amounts. */
  direct: Rational
  /** With indirect cost, rounded by the rule. */
  total: Rational
  /** Lines without a price; the total lacks them. */
  unpriced: number
  /** Today's total, lines without a median at the file's prices; null where no line has one. */
  now: Readonly<{ amount: Rational; atFilePrices: Rational }> | null
}>

/** Amounts by kind, with auxiliaries resolved into their own components; `auxiliary` is the unresolved rest. Not rounded. */
export type Resources = ReadonlyMap<Kind, Rational>

/** Deepest nesting of recipes. Price books have four levels, and numbers grow with each. */
export const LEVELS_MAX = 50

/** SKU of a component, which its own source names; null for a percentage. */
export function componentSkuId({ source }: Recipe, component: RecipeComponent): string | null {
  if (component.kind === 'percentage') return null
  const known = SKU_IDS.get(component)
  if (known !== undefined) return known
  const skuId = vendorSkuIdOf(source.id, component.vendor_ref)
  SKU_IDS.set(component, skuId)
  return skuId
}
/** One response reads the id of a component many times, and each id is a hash. */
const SKU_IDS = new WeakMap<RecipeComponent, string>()

/** The rule of the recipe's file. Without one, lines round to the places of the currency, and there is no indirect cost. */
export function ruleOf({ rule, currency }: Recipe): RecipeRule {
  const places = amountPlaces(currency)
  return rule ?? { percentages: 'share', line_decimals: places, indirect_rate: '0', total_decimals: places }
}

/**
 * The costs of a set of recipes (by SKU). Each is computed once, however often it occurs. A component that leads back to
 * its own recipe counts as one without a recipe.
 */
export class RecipeCosts {
  readonly #recipes: ReadonlyMap<string, Recipe>
  readonly #medians: Medians
  readonly #unitCosts = new Map<string, RecipeCost>()
  readonly #resources = new Map<string, Resources>()
  /** SKUs whose recipes are being computed: the path from the outermost recipe. */
  readonly #open = new Set<string>()

  constructor(recipes: ReadonlyMap<string, Recipe>, medians: Medians) {
    this.#recipes = recipes
    this.#medians = medians
  }

  /** Throws for a SKU without a recipe. */
  costOf(skuId: string, scale: Rational): RecipeCost {
    const recipe = this.#recipes.get(skuId)
    if (recipe === undefined) throw new Error(`vendor SKU '${skuId}' has no recipe here`)
    const rule = ruleOf(recipe)
    const rounding = rule.rounding ?? 'half'
    const precision: Precision = { places: rule.line_decimals ?? UNROUNDED_PLACES, rounding }
    const sums = new LineSums(recipe.components)
    const lines = recipe.components.map((component) => {
      const quantity = multiply(parseDecimal(component.factor), parseDecimal(component.yield))
      const line =
        component.kind !== 'percentage'
          ? this.#resourceLine(recipe, component, { quantity: multiply(quantity, scale), precision })
          : rule.percentages === 'share'
            ? percentageLine(component, { rate: quantity, sums, precision })
            : pricedPercentage(component, { quantity: multiply(quantity, scale), precision })
      sums.add(line)
      return line
    })
    const { amount: direct } = sums.all
    const now = todayOf(sums.all)
    const indirect = add(ONE, parseDecimal(rule.indirect_rate))
    const totalOf = (sum: Rational) =>
      rounded(multiply(sum, indirect), rule.total_decimals ?? UNROUNDED_PLACES, rounding)
    return {
      lines,
      direct,
      total: totalOf(direct),
      unpriced: lines.filter(({ amount }) => amount === null).length,
      now: now && { amount: totalOf(now.amount), atFilePrices: multiply(now.atFilePrices, indirect) },
    }
  }

  /** For one unit, without indirect cost. Throws for a SKU without a recipe. */
  resourcesOf(skuId: string): Resources {
    const found = this.#resources.get(skuId)
    if (found !== undefined) return found
    const all = new Map<Kind, Rational>()
    const count = (kind: Kind, amount: Rational) => all.set(kind, add(all.get(kind) ?? ZERO, amount))
    this.#open.add(skuId)
    for (const { skuId: lineSku, component, amount, quantity } of this.costOf(skuId, ONE).lines) {
      if (lineSku === null || !this.#canOpen(lineSku)) count(component.kind, amount ?? ZERO)
      else {
        for (const [kind, inner] of this.resourcesOf(lineSku)) {
          count(kind, rounded(multiply(inner, quantity), UNROUNDED_PLACES))
        }
      }
    }
    this.#open.delete(skuId)
    this.#resources.set(skuId, all)
    return all
  }

  #canOpen(skuId: string): boolean {
    return this.#recipes.has(skuId) && !this.#open.has(skuId) && this.#open.size < LEVELS_MAX
  }

  /** The cost of one unit by its own recipe; null without one, and inside of itself. */
  #unitCost(skuId: string): RecipeCost | null {
    const found = this.#unitCosts.get(skuId)
    if (found !== undefined) return found
    if (!this.#canOpen(skuId)) return null
    this.#open.add(skuId)
    const cost = this.costOf(skuId, ONE)
    this.#open.delete(skuId)
    this.#unitCosts.set(skuId, cost)
    return cost
  }

  #resourceLine(
    recipe: Recipe,
    component: RecipeComponent,
    { quantity, precision }: { quantity: Rational; precision: Precision },
  ): CostLine {
    const skuId = componentSkuId(recipe, component) as string
    const own = this.#unitCost(skuId)
    // The sum of an incomplete recipe would pass for the price of the whole.
    const computed = own === null || own.unpriced > 0 ? null : own.total
    const unitPrice = component.price === null ? computed : parseDecimal(component.price)
    const amount = unitPrice === null ? null : amountOf(unitPrice, quantity, precision)
    const priceBasis = component.price === null ? (unitPrice === null ? null : 'recipe') : 'file'
    const now = this.#nowOf(skuId, own, { quantity, precision })
    return { component, skuId, quantity, unitPrice, priceBasis, base: null, amount, now }
  }

  #nowOf(
    skuId: string,
    own: RecipeCost | null,
    { quantity, precision }: { quantity: Rational; precision: Precision },
  ): NowAmount | null {
    const median = this.#medians.get(skuId)
    if (median !== undefined) {
      const amount = amountOf(median, quantity, precision)
      return amount && { basis: 'item', unitPrice: median, amount, atFilePrices: ZERO }
    }
    const now = own?.unpriced === 0 ? own.now : null
    if (now === null) return null
    const amount = amountOf(now.amount, quantity, precision)
    const atFilePrices = rounded(multiply(now.atFilePrices, quantity), UNROUNDED_PLACES)
    return amount && { basis: 'components', unitPrice: now.amount, amount, atFilePrices }
  }
}

function percentageLine(
  component: RecipeComponent,
  { rate, sums, precision }: { rate: Rational; sums: LineSums; precision: Precision },
): CostLine {
  const base = sums.baseOf(component)
  const today = base && todayOf(base)
  const nowAmount = today && amountOf(today.amount, rate, precision)
  return {
    component,
    skuId: null,
    quantity: rate,
    unitPrice: null,
    priceBasis: null,
    base: base?.amount ?? null,
    amount: base && amountOf(base.amount, rate, precision),
    now: nowAmount && {
      basis: 'components',
      unitPrice: null,
      amount: nowAmount,
      atFilePrices: rounded(multiply(today?.atFilePrices ?? ZERO, rate), UNROUNDED_PLACES),
    },
  }
}

/** A line of a converter that writes percentages as components with a price. */
function pricedPercentage(
  component: RecipeComponent,
  { quantity, precision }: { quantity: Rational; precision: Precision },
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
    amount: unitPrice && amountOf(unitPrice, quantity, precision),
  }
}
