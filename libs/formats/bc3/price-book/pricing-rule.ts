import type { RecipeRule } from '@catalog/core/events/recipes.ts'
import { isPercentage, isPercentageByUnit } from '@catalog/formats/bc3/percentage.ts'
import { type Costing, type Costings, declaredOf, directCostOf, type LineRule, reconciles } from './costing.ts'
import {
  compareDecimals,
  type Decimal,
  formatDecimal,
  roundTo,
  times,
  toDecimal,
  withPercent,
  ZERO,
} from './decimal.ts'
import { isChapter, type PriceBook } from './price-book.ts'

/** Rules by which programs compute a price from a recipe, and detection of the rule behind a file. */

/**
 * How a program computes a price from a recipe. Found in files of these programs:
 *
 * | program | rule |
 * |---|---|
 * | Presto 7 and 22, Arquimedes | line_rounded_2: indirect cost is a `%` line, or is added in the chapters |
 * | TCQ 2.1 | line_rounded_2_with_ci_5_total_0 in pesetas, with or without a ~K that says 5 |
 * | converters (ppl) | unrounded, some with percentages as prices |
 */
export type PricingRule = LineRule &
  Readonly<{
    /** Percentage added to the sum of the lines. */
    indirect: Decimal
    /** Decimals of the price; null when it is not rounded. */
    total: number | null
  }>

/** "line_rounded_2", "line_rounded_2_with_ci_5_total_0", "unrounded_percent_as_price" ... */
export function ruleName({ percentages, line, indirect, total }: PricingRule): string {
  return [
    line === null ? 'unrounded' : `line_rounded_${line}`,
    ...(indirect.units === 0n ? [] : [`with_ci_${formatDecimal(indirect)}`]),
    ...(total === line || (line !== null && total === 2)
      ? []
      : [total === null ? 'total_unrounded' : `total_${total}`]),
    ...(percentages === 'share' ? [] : ['percent_as_price']),
  ].join('_')
}

/** The rule as events record it: the indirect cost as a fraction instead of a percentage. */
export function toRecipeRule({ percentages, line, indirect, total }: PricingRule): RecipeRule {
  const indirect_rate = formatDecimal({ units: indirect.units, places: indirect.places + 2 })
  return { percentages, line_decimals: line, indirect_rate, total_decimals: total }
}

export function fromRecipeRule({ percentages, line_decimals, indirect_rate, total_decimals }: RecipeRule): PricingRule {
  const indirect = times(toDecimal(indirect_rate) ?? ZERO, HUNDRED)
  return { percentages, line: line_decimals, indirect, total: total_decimals }
}
const HUNDRED: Decimal = { units: 100n, places: 0 }

/** Decimals of line, price and amount when ~K states none. */
const DECIMALS = 2
/** Most decimals that ~K may state; no price has more. */
const DECIMALS_MAX = 12
/** Recipes with a declared price that a guess of the indirect cost needs. */
const GUESS_RECIPES_MIN = 10
/** Highest guessed indirect cost, per cent; works have 3 to 13. */
const GUESS_MAX = 30

export function totalOf(direct: Decimal, { indirect, total }: PricingRule): Decimal {
  return roundTo(indirect.units === 0n ? direct : times(direct, withPercent(indirect)), total)
}

/**
 * The rule by which most recipes of a book yield their declared prices, and how many recipes voted (`scored`). Chapters
 * have rules of their own. Without votes it is the most usual rule.
 */
export function findRule(
  book: PriceBook,
  { label, costings }: { label: number; costings: Costings },
): { rule: PricingRule; scored: number } {
  const recipes = [...costings.of.values()].filter(
    ({ concept }) => concept.components.length > 0 && !isChapter(concept),
  )
  return chooseRule(recipes, rulesOf(book, { label, recipes }))
}

/** Candidate rules, the most usual first. */
function rulesOf(
  { coefficients }: PriceBook,
  { label, recipes }: { label: number; recipes: readonly Costing[] },
): readonly PricingRule[] {
  const decimals = coefficients?.decimals[label] ?? coefficients?.decimals[0]
  const lines = unique([decimalsOf(decimals?.di), DECIMALS, null])
  const totals = unique([decimalsOf(decimals?.dc), DECIMALS, 0, null])
  const declared = toDecimal(coefficients?.indirect ?? null) ?? ZERO
  const indirects = [ZERO, declared, guessedIndirect(recipes)].filter(
    (percent, i, all) => all.findIndex((other) => compareDecimals(other, percent) === 0) === i,
  )
  const hasAny = (is: typeof isPercentage) =>
    recipes.some(({ concept }) => concept.components.some((component) => is(component.concept)))
  const readings: readonly Omit<LineRule, 'line'>[] = [
    { percentages: 'share' },
    ...(hasAny(isPercentageByUnit) ? [{ percentages: 'share' as const, areUnitsPriced: true }] : []),
    ...(hasAny(isPercentage) ? [{ percentages: 'price' as const }] : []),
  ]
  return readings.flatMap((reading) =>
    lines.flatMap((line) =>
      indirects.flatMap((indirect) => totals.map((total) => ({ ...reading, line, indirect, total }))),
    ),
  )
}

/** Decimals as ~K states them; a negative number means "up to". */
function decimalsOf(text: string | null | undefined): number {
  const decimals = Math.abs(Number(text ?? DECIMALS))
  return Number.isInteger(decimals) && decimals <= DECIMALS_MAX ? decimals : DECIMALS
}

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

/**
 * The median percentage between the sums of lines and the declared prices, to one decimal: some programs omit ~K and
 * still add indirect cost. Zero for few recipes. It only adds one more rule to try.
 */
function guessedIndirect(recipes: readonly Costing[]): Decimal {
  const shares: number[] = []
  for (const costing of recipes) {
    if (costing.declared === null) continue
    const direct = directCostOf(costing, declaredOf, { percentages: 'share', line: DECIMALS })
    const share =
      direct === null ? Number.NaN : Number(formatDecimal(costing.declared)) / Number(formatDecimal(direct)) - 1
    if (Number.isFinite(share)) shares.push(share)
  }
  if (shares.length < GUESS_RECIPES_MIN) return ZERO
  const median = shares.sort((a, b) => a - b)[shares.length >> 1] as number
  const tenths = Math.round(median * 1_000)
  return tenths > 0 && tenths <= GUESS_MAX * 10 ? { units: BigInt(tenths), places: 1 } : ZERO
}

type Score = { rule: PricingRule; reconciled: number; equal: number }

function chooseRule(recipes: readonly Costing[], rules: readonly PricingRule[]): { rule: PricingRule; scored: number } {
  const scores = rules.map((rule): Score => ({ rule, reconciled: 0, equal: 0 }))
  let scored = 0
  for (const costing of recipes) {
    const { declared } = costing
    if (declared === null || costing.isCyclic) continue
    let isScored = false
    let [direct, of] = [null as Decimal | null, undefined as PricingRule | undefined]
    for (const score of scores) {
      const { rule } = score
      // Consecutive rules share the sum of lines and differ in what they do with it.
      const isSame = of?.percentages === rule.percentages && of.areUnitsPriced === rule.areUnitsPriced
      if (of === undefined || !isSame || of.line !== rule.line) {
        direct = directCostOf(costing, declaredOf, rule)
        of = rule
      }
      if (direct === null) continue
      isScored = true
      countIn(score, { computed: totalOf(direct, rule), declared })
    }
    if (isScored) scored++
  }
  return { rule: best(scores).rule, scored }
}

function countIn(score: Score, { computed, declared }: { computed: Decimal; declared: Decimal }): void {
  if (!reconciles(computed, declared)) return
  score.reconciled++
  if (compareDecimals(computed, declared) === 0) score.equal++
}

function best<S extends Omit<Score, 'rule'>>(scores: readonly S[]): S {
  return scores.reduce((best, score) =>
    score.reconciled > best.reconciled || (score.reconciled === best.reconciled && score.equal > best.equal)
      ? score
      : best,
  )
}

/**
 * How a program computes the amount of a chapter. Some add the indirect cost only here, to unit prices and never to
 * chapters; old programs round amounts to whole pesetas.
 */
export type ChapterRule = Readonly<{ indirect: Decimal; price: number; line: number | null }>

export function chapterRulesOf({ coefficients }: PriceBook, label: number): readonly ChapterRule[] {
  const decimals = coefficients?.decimals[label] ?? coefficients?.decimals[0]
  const price = decimalsOf(decimals?.dc)
  const declared = toDecimal(coefficients?.indirect ?? null) ?? ZERO
  const indirects = declared.units === 0n ? [ZERO] : [ZERO, declared]
  const lines = unique([decimalsOf(decimals?.dm), DECIMALS, 0, null])
  return indirects.flatMap((indirect) => lines.map((line) => ({ indirect, price, line })))
}

export function chooseChapterRule(chapters: readonly Costing[], rules: readonly ChapterRule[]): ChapterRule {
  const scores = rules.map((rule) => ({ rule, reconciled: 0, equal: 0 }))
  for (const chapter of chapters) {
    const { declared } = chapter
    if (declared === null) continue
    for (const score of scores) {
      const computed = chapterAmountOf(chapter, declaredOf, score.rule)
      if (computed === null || !reconciles(computed, declared)) continue
      score.reconciled++
      if (compareDecimals(computed, declared) === 0) score.equal++
    }
  }
  return best(scores).rule
}

/** The amount of a chapter at these prices of its contents; null when one of them has no price. */
export function chapterAmountOf(
  chapter: Costing,
  priceOf: (costing: Costing) => Decimal | null,
  { indirect, price: decimals, line }: ChapterRule,
): Decimal | null {
  const factor = withPercent(indirect)
  const asSold = (costing: Costing) => {
    const price = priceOf(costing)
    if (price === null || indirect.units === 0n || isChapter(costing.concept)) return price
    return roundTo(times(price, factor), decimals)
  }
  return chapter.isCyclic ? null : directCostOf(chapter, asSold, { percentages: 'share', line })
}
