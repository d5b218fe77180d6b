import type { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { compareExact, type Exact, exact, exceeds, minus, plus, roundedTo, times, UNIT, ZERO } from './decimal.ts'
import { type Component, type Concept, isPercentage, type PriceBook, priceOf } from './price-book.ts'

/** The recipes of a book as sums that can be computed again and again, by one rule after the other. */

/** Digits of an amount after its point that are kept from one level of nesting to the next, and before it. */
const FRACTION_DIGITS_MAX = 60
const WHOLE_DIGITS_MAX = 100
/** A longer mask is none that anybody wrote, and would make every line look at many. */
const MASK_CHARS_MAX = 64

/** A concept while it is repriced. */
export type Sheet = {
  readonly concept: Concept
  readonly isCyclic: boolean
  /** Null: none, or 0. */
  readonly declared: Exact | null
  /** Set in the order of the book: what it costs in what holds it, and what it is made of, by kind. */
  price: Exact | null
  resources: readonly Exact[]
  readonly all: Sheets
}
export type Sheets = {
  readonly of: Map<Concept, Sheet>
  /** The recipe that was counted last; see {@link recipeOf}. */
  last: Readonly<{ sheet: Sheet; recipe: Recipe }> | null
}

type Recipe = Readonly<{
  lines: readonly Line[]
  /** Sums that percentages of this recipe are taken of, by mask or by the percentage's own code. */
  bases: readonly string[]
}>
type Line = Readonly<{
  sheet: Sheet | undefined
  code: string
  /** factor × yield; null: no number. */
  quantity: Exact | null
  /** The sum that it is a share of; null: it has a price. */
  base: string | null
  /** Sums that it is a part of. */
  partOf: readonly string[]
}>

const NO_CODES: readonly string[] = []
const NO_AMOUNTS: readonly Exact[] = []

export function sheetsOf(book: PriceBook, label: number): Sheets {
  const all: Sheets = { of: new Map(), last: null }
  for (const concept of book.order) {
    const declared = exact(priceOf(concept, label))
    const isNone = declared === null || (declared.units === 0n && concept.components.length > 0)
    const isCyclic = book.cyclic.has(concept)
    all.of.set(concept, {
      concept,
      isCyclic,
      declared: isNone ? null : declared,
      price: null,
      resources: NO_AMOUNTS,
      all,
    })
  }
  return all
}

/**
 * The lines of a recipe as numbers. They are read again whenever they are asked for, but for those of the recipe that was
 * asked for last: all numbers of a large book at once take more memory than the book.
 */
export function recipeOf(sheet: Sheet): Recipe {
  const { all } = sheet
  if (all.last?.sheet !== sheet) all.last = { sheet, recipe: readRecipe(sheet) }
  return all.last.recipe
}

function readRecipe({ concept: { components }, all }: Sheet): Recipe {
  // Where lines name their percentages these are their shares; else the text before the sign is a mask of codes.
  const areNamed = components.some(({ percentages }) => percentages.length > 0)
  const baseOf = (code: string) => (areNamed ? code : code.slice(0, code.search(/[%&]/)))
  const percentages = components.filter(({ concept }) => isPercentage(concept.code))
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
    const base = isPercentage(code) ? baseOf(code) : null
    const quantity = quantityOf(component)
    return { sheet: all.of.get(component.concept), code, quantity, base, partOf: partsOf(component) }
  })
  return { lines, bases: [...bases] }
}

/** Tells of lines that cannot be counted, or not for sure. */
export function noteLines(sheet: Sheet, log: DiagnosticLog): void {
  const { code: of, line } = sheet.concept
  for (const { code, quantity } of recipeOf(sheet).lines) {
    if (quantity === null) {
      const message = `the recipe of ${of} has a quantity of ${code} that is no number`
      log.add({ line: line ?? 1, code: 'BAD_QUANTITY', message })
    }
    if (code.includes('&')) {
      const message = `${code} in ${of}: taken for a percentage like others`
      log.add({ line: line ?? 1, code: 'CUMULATIVE_PERCENTAGE', message })
    }
  }
}

function quantityOf({ factor, yield: yielded }: Component): Exact | null {
  const [a, b] = [factor === null ? UNIT : exact(factor), yielded === null ? UNIT : exact(yielded)]
  return a === null || b === null ? null : times(a, b)
}

/** How lines are counted. */
export type Counting = Readonly<{
  /** A `%` line is a share of the lines before it; or, in one converter, price × yield as any other. */
  percentages: 'share' | 'price'
  /** Decimals of each line; null: not rounded. */
  line: number | null
}>

/** The sum of a recipe's lines, each with the price of its component; null when one of them has none. */
export function directOf(
  sheet: Sheet,
  priceOf: (sheet: Sheet) => Exact | null,
  { percentages, line: decimals }: Counting,
): Exact | null {
  const { lines, bases } = recipeOf(sheet)
  let sum = ZERO
  const parts = bases.length === 0 ? null : new Map(bases.map((base) => [base, ZERO]))
  for (const { sheet: child, quantity, base, partOf } of lines) {
    const isShare = base !== null && percentages === 'share'
    const price = isShare ? (parts?.get(base) ?? ZERO) : child === undefined ? null : priceOf(child)
    if (price === null || quantity === null) return null
    const amount = roundedTo(times(price, quantity), decimals)
    sum = plus(sum, amount)
    for (const part of partOf) parts?.set(part, plus(parts.get(part) ?? ZERO, amount))
  }
  return kept(sum)
}

/** What levels of nesting multiply stays a number that can be added in no time; null beyond any price. */
export function kept(value: Exact): Exact | null {
  return exceeds(value, WHOLE_DIGITS_MAX) ? null : roundedTo(value, FRACTION_DIGITS_MAX)
}

/** Within one unit of so many decimals. */
export function isNear(a: Exact, b: Exact, places: number): boolean {
  const difference = minus(a, b)
  const size = difference.units < 0n ? { ...difference, units: -difference.units } : difference
  return compareExact(size, { units: 1n, places }) <= 0
}

/** A computed price reconciles within one unit of the declared one's last decimal. */
export function reconciles(computed: Exact, declared: Exact): boolean {
  return isNear(computed, declared, declared.places)
}

export const declaredOf = ({ declared }: Sheet) => declared
