import type { RecipeComponent } from '@catalog/core/events/recipes.ts'
import { add, type Rational } from '@catalog/core/money/rational.ts'
import { ZERO } from './amounts.ts'

/** One line of a recipe for `scale` units of the recipe's product. */
export type CostLine = Readonly<{
  component: RecipeComponent
  /** SKU of the component; null for a percentage. */
  skuId: string | null
  quantity: Rational
  unitPrice: Rational | null
  /** file: the file's own price; recipe: the file leaves the price to the component's own recipe. */
  priceBasis: 'file' | 'recipe' | null
  /** The sum that a percentage is a share of. */
  base: Rational | null
  /** Rounded by the rule; null without a price. */
  amount: Rational | null
  now: NowAmount | null
}>

/** Today's cost of the line; null where neither the component nor any part of it has a median. */
export type NowAmount = Readonly<{
  /** item: by the component's own median; components: by those of its parts, or a percentage of such lines. */
  basis: 'item' | 'components'
  /** Per unit; null for a percentage. */
  unitPrice: Rational | null
  amount: Rational
  /** The part of the amount that is still at the file's prices. */
  atFilePrices: Rational
}>

/** A sum of lines by the file's prices, and today, where lines without a median count at the file's prices. */
export type LineSum = { amount: Rational; today: Rational; atFilePrices: Rational; hasMedian: boolean }

export function todayOf({ today, atFilePrices, hasMedian }: LineSum): {
  amount: Rational
  atFilePrices: Rational
} | null {
  return hasMedian ? { amount: today, atFilePrices } : null
}

/** Most distinct bases of percentages in one recipe; further percentages have no amount. */
const BASES_MAX = 20

/** Running sums of the lines so far: a recipe may have thousands of both lines and percentages. */
export class LineSums {
  readonly all: LineSum = newSum()
  readonly #lines: CostLine[] = []
  readonly #bases = new Map<string, LineSum>()
  /** Once any line names its percentages, only named lines count; otherwise the text before the sign is a mask of codes. */
  readonly #areNamed: boolean

  constructor(components: readonly RecipeComponent[]) {
    this.#areNamed = components.some(({ percentages = [] }) => percentages.length > 0)
  }

  add(line: CostLine): void {
    this.#lines.push(line)
    addTo(this.all, line)
    for (const [base, sum] of this.#bases) if (this.#isPart(line, base)) addTo(sum, line)
  }

  /** The sum that a percentage is a share of; null for more than BASES_MAX distinct sums. */
  baseOf({ vendor_ref }: RecipeComponent): LineSum | null {
    // A reference without a sign is a percentage by its unit: of all lines before it.
    const base = this.#areNamed ? vendor_ref : (/^(.*?)[%&]/.exec(vendor_ref)?.[1] ?? '')
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

function newSum(): LineSum {
  return { amount: ZERO, today: ZERO, atFilePrices: ZERO, hasMedian: false }
}

function addTo(sum: LineSum, { amount, now }: CostLine): void {
  sum.amount = add(sum.amount, amount ?? ZERO)
  sum.today = add(sum.today, now?.amount ?? amount ?? ZERO)
  sum.atFilePrices = add(sum.atFilePrices, now?.atFilePrices ?? amount ?? ZERO)
  sum.hasMedian ||= now !== null
}
