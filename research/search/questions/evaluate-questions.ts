import { openFinder } from '@catalog/api/search/finder.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type KeyedItem, keyedItems } from './product-keys.ts'
import { type BuilderQuestion, builderQuestions } from './question-files.ts'
import { type AskedMargin, refusalCurve } from './refusal-curve.ts'

/** Places that count: people look at three. */
const PLACES = 3
/** Of a full answer and of a useful one. */
const [RIGHT_GAIN, NEAR_GAIN] = [3, 1]

/** How search answers one question; `ndcg` is null for one about what is not stocked. */
export type AnsweredQuestion = Readonly<{
  question: BuilderQuestion
  ndcg: number | null
  isRefused: boolean
  /** The names of the first three results, best first. */
  found: readonly string[]
}>

/** Mean nDCG@3 of the stocked questions, and the shares refused of those not stocked and of the stocked; 0 to 1. */
export type QuestionFigures = Readonly<{
  questions: number
  stocked: number
  ndcg3: number
  refusedRightly: number
  refusedWrongly: number
}>

/** `npm run evaluate -- questions`: asks the catalog of the sample market what builders ask, and prints every miss. */
export async function evaluateQuestions(
  terminal: Terminal,
  catalog: Catalog,
  { part, curve = false }: { part: 'dev' | 'test' | 'all'; curve?: boolean },
): Promise<void> {
  const items = await keyedItems(catalog.store)
  const find = openFinder(catalog)
  const asked = builderQuestions().filter(({ split }) => part === 'all' || split === part)
  const progress = terminal.progress('questions')
  const answered: AnsweredQuestion[] = []
  const margins: AskedMargin[] = []
  for (const question of asked) {
    const {
      results,
      margin,
      question: read,
    } = await find({
      q: question.question,
      limit: PLACES,
      region: question.market ?? undefined,
      categoryId: undefined,
    })
    const found = results.flatMap(({ itemId }) => items.get(itemId) ?? [])
    answered.push(judged(question, found, [...items.values()]))
    margins.push({ isStocked: question.right.length > 0, margin, question: read })
    progress.to(answered.length, asked.length)
  }
  progress.done()
  const all = figuresOf(answered)
  const by = (name: 'lang' | 'form' | 'kind') =>
    [...Map.groupBy(answered, ({ question }) => question[name])].map(([of, group]) => ({ of, ...figuresOf(group) }))
  const misses = answered.filter(isMissed)
  if (curve) {
    const points = refusalCurve(margins)
    terminal.answer({ part, curve: points }, () => table(points.map(rounded)))
    return
  }
  terminal.answer({ part, ...all, languages: by('lang'), forms: by('form'), kinds: by('kind'), misses }, () =>
    [
      ...misses.map(missText),
      table([{ of: part, ...all }, ...by('lang'), ...by('form'), ...by('kind')].map(rounded)),
    ].join('\n'),
  )
}

/** Grades the first results of a question; items of one product may stand twice. Pure. */
export function judged(
  question: BuilderQuestion,
  found: readonly KeyedItem[],
  items: readonly KeyedItem[],
): AnsweredQuestion {
  const [right, near] = [new Set(question.right), new Set(question.near)]
  const gainOf = ({ products }: KeyedItem) =>
    !products.isDisjointFrom(right) ? RIGHT_GAIN : !products.isDisjointFrom(near) ? NEAR_GAIN : 0
  const sold = items.filter(({ regions }) => question.market === null || regions.includes(question.market))
  const best = sold.map(gainOf).sort((a, b) => b - a)
  const top = found.slice(0, PLACES)
  return {
    question,
    ndcg: question.right.length === 0 ? null : dcg(top.map(gainOf)) / dcg(best.slice(0, PLACES)),
    isRefused: found.length === 0,
    found: top.map(({ name }) => name),
  }
}

const dcg = (gains: readonly number[]) => gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)

export function figuresOf(answered: readonly AnsweredQuestion[]): QuestionFigures {
  const stocked = answered.filter(({ ndcg }) => ndcg !== null)
  const others = answered.filter(({ ndcg }) => ndcg === null)
  const refused = (of: readonly AnsweredQuestion[]) =>
    of.filter(({ isRefused }) => isRefused).length / Math.max(1, of.length)
  return {
    questions: answered.length,
    stocked: stocked.length,
    ndcg3: stocked.reduce((sum, { ndcg }) => sum + (ndcg as number), 0) / Math.max(1, stocked.length),
    refusedRightly: refused(others),
    refusedWrongly: refused(stocked),
  }
}

const isMissed = ({ ndcg, isRefused }: AnsweredQuestion) => (ndcg === null ? !isRefused : ndcg < MISS_BELOW)
const MISS_BELOW = 0.99

function missText({ question: { id, market, question, right }, ndcg, found }: AnsweredQuestion): string {
  const wanted = ndcg === null ? 'nothing' : right.join(', ')
  const place = `${id} ${market ?? '--'} '${question}'`
  return `${place}: ${ndcg === null ? 'not stocked' : ndcg.toFixed(2)}\n  wanted ${wanted}\n  found  ${found.join(' | ') || 'nothing'}`
}

function rounded(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : value,
    ]),
  )
}
