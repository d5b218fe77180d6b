import { type MatchRequest, type MatchResponse, QUANTITY_MAX } from '@catalog/api/contract/match.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import { multiply, parseDecimal, rational } from '@catalog/core/money/rational.ts'
import {
  codesBelow,
  type PresentPrice,
  type RecipeShare,
  type Recipes,
  recipePrices,
} from '@catalog/formats/bc3/price-book/recipe-prices.ts'
import type { BillLine } from '@catalog/formats/bill/bill.ts'
import { LINE_CHARS_MAX } from '@catalog/formats/bill/bill.ts'
import { bc3Unit, type FileLine } from './bill-file.ts'
import { amountsOf, type Matched, NO_PRICES } from './line-answers.ts'
import { type Matching, matchLines } from './match.ts'

/** Prices the lines of a bill: each by its correction, code or text, and works without an item by their recipes. */

/** Resources looked up for one bill. */
const RESOURCES_MAX = 20_000

type LineToPrice = MatchRequest['lines'][number] &
  Readonly<{
    /** The program cut the text off, so that it may mean several items. */
    isCut?: boolean
    /** Of the work in the recipes; absent: it has none. */
    work?: string
  }>

export type BillToPrice = Omit<MatchRequest, 'lines'> &
  Readonly<{
    lines: readonly LineToPrice[]
    /** What the works of the bill are made of, with their declared prices in `currency`; absent for a bill without recipes. */
    recipes?: Readonly<{ recipes: Recipes; currency: string }>
  }>

/** The answer for a line of a bill: `recipe` tells what of its recipe has a present price, where that decided the price. */
export type AnsweredLine = Matched & Readonly<{ recipe: RecipeShare | null }>

/** What decided the price of a line, or its item. */
export function basisOf({
  decided_by,
  vendor_sku_id,
  recipe,
}: Matched & Partial<AnsweredLine>): Matched['decided_by'] | 'recipe' | 'code' {
  return recipe ? 'recipe' : vendor_sku_id === null ? decided_by : 'code'
}

/** What of a line of a file counts; a quantity beyond the bounds of the matcher, or of a line in doubt or out of the sum, is none. */
export function lineToPrice({
  text,
  unit,
  quantity,
  region,
  problem,
  counts,
  ...ofBook
}: BillLine & Partial<FileLine> & { source?: string }): LineToPrice & { region: string | null } {
  const { matchedUnit = unit, code = null, reference = code, source = null, isCut = false } = ofBook
  const number = problem === null && counts === 'yes' ? Number(quantity ?? 0) : 0
  const counted = number !== 0 && Math.abs(number) <= QUANTITY_MAX ? number : null
  const work = code === null ? {} : { work: code }
  return { text, unit: matchedUnit, quantity: counted, region, code: reference, source, isCut, ...work }
}

/** An answer for each line, in order, and which prices they have. Throws the errors of {@link matchLines}. */
export async function priceBill(
  context: Matching,
  { lines, recipes, ...asked }: BillToPrice,
): Promise<Readonly<{ lines: readonly AnsweredLine[]; prices: MatchResponse['prices'] }>> {
  const { answered, prices } = await matchAll(context, { lines, ...asked })
  if (recipes === undefined) return { lines: answered, prices }
  return { lines: await byRecipe(context, { lines, answered, ...recipes, ...asked }), prices }
}

async function matchAll(context: Matching, { lines, ...asked }: BillToPrice) {
  const asLine = ({ isCut: _, work: _w, ...line }: LineToPrice) => line
  const answer = await matchLines(context, { lines: lines.map(asLine), ...asked })
  const answered = answer.lines.map((line, at): AnsweredLine => {
    const isOpen = lines[at]?.isCut && basisOf(line) === 'search' && line.status === 'matched'
    return { ...line, ...(isOpen && { status: 'ambiguous', ...NO_PRICES }), recipe: null }
  })
  return { answered, prices: answer.prices }
}

async function byRecipe(
  context: Matching,
  {
    lines,
    answered,
    recipes,
    currency: fileCurrency,
    ...asked
  }: Omit<BillToPrice, 'recipes'> & { answered: readonly AnsweredLine[]; recipes: Recipes; currency: string },
): Promise<readonly AnsweredLine[]> {
  const works = lines.flatMap(({ work }, at) => (work && answered[at]?.unit_price === null ? [work] : []))
  const present = new Map<string, PresentPrice>()
  const meet = (of: readonly LineToPrice[], answers: readonly AnsweredLine[]) => {
    for (const [at, { unit_price: price, vendor_sku_id }] of answers.entries()) {
      const { work } = of[at] as LineToPrice
      if (work !== undefined && price !== null)
        present.set(work, {
          price: parseDecimal(price.amount),
          currency: price.currency,
          isCertain: vendor_sku_id !== null,
        })
    }
  }
  meet(lines, answered)
  const known = new Set(lines.map(({ work }) => work))
  const resources = codesBelow(recipes, new Set(works))
    .filter((code) => !known.has(code))
    .slice(0, RESOURCES_MAX)
    .flatMap(resourceOf)
  meet(resources, (await matchAll(context, { lines: resources, ...asked })).answered)
  // The most frequent first.
  const currencies = [...Map.groupBy(present.values(), ({ currency }) => currency)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([currency]) => ({ currency, prices: recipePrices(recipes, { currency, fileCurrency, present }) }))
  return answered.map((line, at) => {
    const { work = '', quantity = null } = lines[at] as LineToPrice
    const paid = line.unit_price === null ? currencies.find(({ prices }) => prices.has(work)) : undefined
    const found = paid?.prices.get(work)
    if (paid === undefined || found === undefined) return line
    const { currency } = paid
    const minor = multiply(found.price, rational(10n ** BigInt(exponentOf(currency) ?? 0)))
    const candidates = line.item && line.evidence ? [{ item: line.item, evidence: line.evidence }] : []
    return {
      ...line,
      status: 'matched',
      reason: null,
      item: null,
      evidence: null,
      conversion: null,
      ...amountsOf(minor, { currency, quantity }),
      alternatives: [...candidates, ...line.alternatives],
      recipe: found.recipe,
    }
  })

  function resourceOf(work: string): LineToPrice[] {
    const { text = '', unit = '', isCut = false, reference = null } = recipes.get(work) ?? {}
    return text === ''
      ? []
      : [
          {
            text: text.slice(0, LINE_CHARS_MAX),
            unit: bc3Unit(unit),
            isCut,
            code: reference,
            source: lines[0]?.source,
            work,
          },
        ]
  }
}
