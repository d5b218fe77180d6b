import { vendorSkuIdOf } from '@catalog/core/events.ts'
import { exponentOf } from '@catalog/core/money.ts'
import { add, compare, multiply, ONE, parseDecimal, type Rational, rational } from '@catalog/core/rational.ts'
import type { Recipe } from '@catalog/store/recipes.ts'

/**
 * What a recipe costs, exactly: by the prices of its file, and at today's medians. The rules are FIEBDC's: a line is its
 * price × factor × yield, rounded; a percentage takes the lines before it, earlier percentages included, whose code begins
 * with what stands before its sign; a component that has a recipe and no price costs what its recipe does.
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
  /** Rounded; null where there is no price. */
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
  /** For one unit: its total with no line rounded. */
  exactTotalOf(skuId: string): Rational
  /** For one unit. */
  resourcesOf(skuId: string): Resources
}>

/** Recipes inside of recipes that are followed; price books have four levels, and numbers grow with each. */
export const LEVELS_MAX = 50

/** Finer than any amount that is shown, and coarse enough that numbers do not grow from level to level. */
const UNROUNDED_PLACES = 12

/** No amount of a work has more digits before its point; what has is a mistake, and would grow with each percentage. */
const AMOUNT_LIMIT = rational(10n ** 30n)

/** Prefixes that the percentages of one recipe choose lines by; those of further ones have no amount. */
const MASKS_MAX = 20

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

  function costOf(skuId: string, scale: Rational, givenPlaces?: number): RecipeCost {
    const recipe = recipes.get(skuId)
    if (recipe === undefined) throw new Error(`vendor SKU '${skuId}' has no recipe here`)
    const places = givenPlaces ?? amountPlaces(recipe.currency)
    const lines: CostLine[] = []
    const sums = new MaskedSums(lines)
    for (const component of recipe.components) {
      const perUnit = multiply(parseDecimal(component.factor), parseDecimal(component.yield))
      const line =
        component.kind === 'percentage'
          ? percentageLine(component, { rate: perUnit, sums, places })
          : resourceLine(recipe, component, { quantity: multiply(perUnit, scale), places })
      lines.push(line)
      sums.add(line)
    }
    const all = sums.of('') as Sum
    return {
      lines,
      total: all.amount,
      unpriced: lines.filter(({ amount }) => amount === null).length,
      now: todayOf(all),
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
    costOf: (skuId, scale) => costOf(skuId, scale),
    exactTotalOf: (skuId) => costOf(skuId, ONE, UNROUNDED_PLACES).total,
    resourcesOf,
  }
}

/** Decimals of amounts: two, in pesetas too as the programs have it, or what the currency has more. */
export function amountPlaces(currency: string): number {
  return Math.max(AMOUNT_PLACES_MIN, exponentOf(currency) ?? 0)
}
const AMOUNT_PLACES_MIN = 2

function percentageLine(
  component: Component,
  { rate, sums, places }: { rate: Rational; sums: MaskedSums; places: number },
): CostLine {
  const masked = sums.of(component.vendor_ref.split(/[%&]/)[0] as string)
  const today = masked && todayOf(masked)
  const nowAmount = today && amountOf(today.amount, rate, places)
  return {
    component,
    ...{ skuId: null, quantity: rate, unitPrice: null, priceBasis: null },
    base: masked?.amount ?? null,
    amount: masked && amountOf(masked.amount, rate, places),
    now: nowAmount && {
      ...{ basis: 'components', unitPrice: null, amount: nowAmount },
      atFilePrices: rounded(multiply(today?.atFilePrices ?? ZERO, rate), UNROUNDED_PLACES),
    },
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

/** Sums of the lines so far whose codes begin alike, kept while lines are added: a recipe may have thousands of both. */
class MaskedSums {
  readonly #lines: readonly CostLine[]
  readonly #sums = new Map<string, Sum>()

  constructor(lines: readonly CostLine[]) {
    this.#lines = lines
    this.of('')
  }

  /** To be called with each line that is pushed. */
  add(line: CostLine): void {
    for (const [mask, sum] of this.#sums) if (line.component.vendor_ref.startsWith(mask)) addTo(sum, line)
  }

  /** Null for one mask too many. */
  of(mask: string): Sum | null {
    const known = this.#sums.get(mask)
    if (known !== undefined) return known
    if (this.#sums.size > MASKS_MAX) return null
    const sum: Sum = { amount: ZERO, today: ZERO, atFilePrices: ZERO, hasMedian: false }
    for (const line of this.#lines) if (line.component.vendor_ref.startsWith(mask)) addTo(sum, line)
    this.#sums.set(mask, sum)
    return sum
  }
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
