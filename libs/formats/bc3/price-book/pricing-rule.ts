import type { RecipeRule } from '@catalog/core/events/events.ts'
import { type Counting, declaredOf, directOf, reconciles, type Sheet, type Sheets } from './costing.ts'
import { compareExact, type Exact, exact, exactText, roundedTo, times, withPercent, ZERO } from './decimal.ts'
import { isChapter, isPercentage, type PriceBook } from './price-book.ts'

/** The ways in which programs come from a recipe to a price, and which of them a file was written in. */

/**
 * How a program comes from a recipe to a price, as it was found in their files:
 *
 * | program | rule |
 * |---|---|
 * | Presto 7 and 22, Arquimedes | line_rounded_2: indirect cost is a `%` line, or is added in the chapters |
 * | TCQ 2.1 | line_rounded_2_with_ci_5_total_0 in pesetas, with or without a ~K that says 5 |
 * | converters (ppl) | unrounded, in part with percentages as prices |
 */
export type Rule = Counting &
  Readonly<{
    /** Per cent on the sum of the lines. */
    indirect: Exact
    /** Decimals of the price; null: not rounded. */
    total: number | null
  }>

/** "line_rounded_2", "line_rounded_2_with_ci_5_total_0", "unrounded_percent_as_price" ... */
export function ruleName({ percentages, line, indirect, total }: Rule): string {
  return [
    line === null ? 'unrounded' : `line_rounded_${line}`,
    ...(indirect.units === 0n ? [] : [`with_ci_${exactText(indirect)}`]),
    ...(total === line || (line !== null && total === 2)
      ? []
      : [total === null ? 'total_unrounded' : `total_${total}`]),
    ...(percentages === 'share' ? [] : ['percent_as_price']),
  ].join('_')
}

/** As events have it: per one, where a rule has per cent. */
export function recordedRule({ percentages, line, indirect, total }: Rule): RecipeRule {
  const indirect_rate = exactText({ units: indirect.units, places: indirect.places + 2 })
  return { percentages, line_decimals: line, indirect_rate, total_decimals: total }
}

export function ruleOfRecorded({ percentages, line_decimals, indirect_rate, total_decimals }: RecipeRule): Rule {
  const indirect = times(exact(indirect_rate) ?? ZERO, HUNDRED)
  return { percentages, line: line_decimals, indirect, total: total_decimals }
}
const HUNDRED: Exact = { units: 100n, places: 0 }

/** Decimals of line, price and amount where ~K gives none. */
const DECIMALS = 2
/** What ~K may ask for; no price has more. */
const DECIMALS_MAX = 12
/** So many recipes must have a declared price before the indirect cost is guessed from them. */
const GUESS_RECIPES_MIN = 10
/** Per cent; a work's indirect cost is 3 to 13. */
const GUESS_MAX = 30

export function totalOf(direct: Exact, { indirect, total }: Rule): Exact {
  return roundedTo(indirect.units === 0n ? direct : times(direct, withPercent(indirect)), total)
}

/**
 * The way by which most recipes of a book give their declared prices, and how many of them have told; chapters have ways of
 * their own. By none, it is the most usual one.
 */
export function findRule(
  book: PriceBook,
  { label, sheets }: { label: number; sheets: Sheets },
): { rule: Rule; scored: number } {
  const recipes = [...sheets.of.values()].filter(({ concept }) => concept.components.length > 0 && !isChapter(concept))
  return chooseRule(recipes, rulesOf(book, { label, recipes }))
}

/** The ways from a recipe to a price, the most usual first. */
function rulesOf(
  { coefficients }: PriceBook,
  { label, recipes }: { label: number; recipes: readonly Sheet[] },
): readonly Rule[] {
  const decimals = coefficients?.decimals[label] ?? coefficients?.decimals[0]
  const lines = unique([decimalsOf(decimals?.di), DECIMALS, null])
  const totals = unique([decimalsOf(decimals?.dc), DECIMALS, 0, null])
  const declared = exact(coefficients?.indirect ?? null) ?? ZERO
  const indirects = [ZERO, declared, guessedIndirect(recipes)].filter(
    (percent, i, all) => all.findIndex((other) => compareExact(other, percent) === 0) === i,
  )
  const hasPercentages = recipes.some(({ concept }) =>
    concept.components.some((component) => isPercentage(component.concept.code)),
  )
  const percentages = hasPercentages ? (['share', 'price'] as const) : (['share'] as const)
  return percentages.flatMap((percentages) =>
    lines.flatMap((line) =>
      indirects.flatMap((indirect) => totals.map((total) => ({ percentages, line, indirect, total }))),
    ),
  )
}

/** Decimals as ~K says them; negative is "up to" so many. */
function decimalsOf(text: string | null | undefined): number {
  const decimals = Math.abs(Number(text ?? DECIMALS))
  return Number.isInteger(decimals) && decimals <= DECIMALS_MAX ? decimals : DECIMALS
}

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

/**
 * The percentage between the sums of lines and the declared prices of most recipes, to one decimal: programs leave ~K out
 * and add their indirect cost all the same. Zero where there are few recipes. A guess of one rule more to try, no more.
 */
function guessedIndirect(recipes: readonly Sheet[]): Exact {
  const shares: number[] = []
  for (const sheet of recipes) {
    if (sheet.declared === null) continue
    const direct = directOf(sheet, declaredOf, { percentages: 'share', line: DECIMALS })
    const share = direct === null ? Number.NaN : Number(exactText(sheet.declared)) / Number(exactText(direct)) - 1
    if (Number.isFinite(share)) shares.push(share)
  }
  if (shares.length < GUESS_RECIPES_MIN) return ZERO
  const median = shares.sort((a, b) => a - b)[shares.length >> 1] as number
  const tenths = Math.round(median * 1_000)
  return tenths > 0 && tenths <= GUESS_MAX * 10 ? { units: BigInt(tenths), places: 1 } : ZERO
}

type Score = { rule: Rule; reconciled: number; equal: number }

function chooseRule(recipes: readonly Sheet[], rules: readonly Rule[]): { rule: Rule; scored: number } {
  const scores = rules.map((rule): Score => ({ rule, reconciled: 0, equal: 0 }))
  let scored = 0
  for (const sheet of recipes) {
    const { declared } = sheet
    if (declared === null || sheet.isCyclic) continue
    let isScored = false
    let [direct, of] = [null as Exact | null, undefined as Rule | undefined]
    for (const score of scores) {
      const { rule } = score
      // Rules come in groups that differ only in what is made of the sum.
      if (of === undefined || of.percentages !== rule.percentages || of.line !== rule.line) {
        direct = directOf(sheet, declaredOf, rule)
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

function countIn(score: Score, { computed, declared }: { computed: Exact; declared: Exact }): void {
  if (!reconciles(computed, declared)) return
  score.reconciled++
  if (compareExact(computed, declared) === 0) score.equal++
}

function best<S extends Omit<Score, 'rule'>>(scores: readonly S[]): S {
  return scores.reduce((best, score) =>
    score.reconciled > best.reconciled || (score.reconciled === best.reconciled && score.equal > best.equal)
      ? score
      : best,
  )
}

/**
 * How a program comes from what a chapter holds to its amount: some put the indirect cost on the prices of units (never
 * on those of chapters) only here, old ones round amounts to whole pesetas.
 */
export type ChapterRule = Readonly<{ indirect: Exact; price: number; line: number | null }>

export function chapterRulesOf({ coefficients }: PriceBook, label: number): readonly ChapterRule[] {
  const decimals = coefficients?.decimals[label] ?? coefficients?.decimals[0]
  const price = decimalsOf(decimals?.dc)
  const declared = exact(coefficients?.indirect ?? null) ?? ZERO
  const indirects = declared.units === 0n ? [ZERO] : [ZERO, declared]
  const lines = unique([decimalsOf(decimals?.dm), DECIMALS, 0, null])
  return indirects.flatMap((indirect) => lines.map((line) => ({ indirect, price, line })))
}

export function chooseChapterRule(chapters: readonly Sheet[], rules: readonly ChapterRule[]): ChapterRule {
  const scores = rules.map((rule) => ({ rule, reconciled: 0, equal: 0 }))
  for (const chapter of chapters) {
    const { declared } = chapter
    if (declared === null) continue
    for (const score of scores) {
      const computed = amountOf(chapter, declaredOf, score.rule)
      if (computed === null || !reconciles(computed, declared)) continue
      score.reconciled++
      if (compareExact(computed, declared) === 0) score.equal++
    }
  }
  return best(scores).rule
}

export function amountOf(
  chapter: Sheet,
  priceOf: (sheet: Sheet) => Exact | null,
  { indirect, price: decimals, line }: ChapterRule,
): Exact | null {
  const factor = withPercent(indirect)
  const asSold = (sheet: Sheet) => {
    const price = priceOf(sheet)
    if (price === null || indirect.units === 0n || isChapter(sheet.concept)) return price
    return roundedTo(times(price, factor), decimals)
  }
  return chapter.isCyclic ? null : directOf(chapter, asSold, { percentages: 'share', line })
}
