import { openFinder } from '@catalog/api/search/finder.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Hit } from '@catalog/search/ranking/fuse.ts'
import { type KeyedItem, keyedItems, sampleKeys } from './product-keys.ts'
import { type BuilderQuestion, builderQuestions, type QuestionSet } from './question-files.ts'

/** Places that count: people look at three. */
const PLACES = 3
/** Of a full answer and of a useful one. */
export const RIGHT_GAIN = 3
const NEAR_GAIN = 1

/** An item among the first results, and whether the answer says that it is another size, grade or pack. */
export type FoundItem = KeyedItem & Readonly<{ isTold: boolean }>

/** How search answers one question; `ndcg` is null for one about what is not stocked. */
export type AnsweredQuestion = Readonly<{
  question: BuilderQuestion
  ndcg: number | null
  isRefused: boolean
  /** The first three results, best first. */
  found: readonly FoundItem[]
}>

/**
 * Means over questions, 0 to 1. `points` counts nDCG@3 of what is stocked, and 1 for each question rightly refused;
 * `toldWrongly` is the share of right items that are told as another size, grade or pack.
 */
export type QuestionFigures = Readonly<{
  questions: number
  stocked: number
  points: number
  ndcg3: number
  refusedRightly: number
  refusedWrongly: number
  toldWrongly: number
}>

/** What speaks for the best candidates of a question, and what each is worth as an answer: the input of `-- refusal`. */
export type JudgedSigns = Readonly<{
  id: string
  isStocked: boolean
  results: readonly Readonly<{ gain: number; signs: readonly number[] }>[]
}>

/** `npm run evaluate -- questions`: asks a catalog what builders ask, and prints every miss. */
export async function evaluateQuestions(
  terminal: Terminal,
  catalog: Catalog,
  { part, set }: { part: 'dev' | 'test' | 'all'; set: QuestionSet },
): Promise<void> {
  const isOfSample = set === 'builders' || set === 'sample'
  const items = await keyedItems(catalog.store, isOfSample ? sampleKeys() : (_source, ref) => ref)
  const find = openFinder(catalog)
  const ofPart = builderQuestions(set).filter(({ split }) => part === 'all' || split === part)
  const asked = ofPart.filter((question) => isJudgeable(question, [...items.values()]))
  const progress = terminal.progress('questions')
  const answered: AnsweredQuestion[] = []
  const considered: JudgedSigns[] = []
  for (const question of asked) {
    const { results, considered: best } = await find({
      q: question.question,
      limit: PLACES,
      region: question.market ?? undefined,
      categoryId: undefined,
    })
    const found = results.flatMap((hit): FoundItem[] => {
      const item = items.get(hit.itemId)
      return item === undefined ? [] : [{ ...item, isTold: isTold(hit) }]
    })
    answered.push(judged(question, found, [...items.values()]))
    const signs = best.map(({ itemId, signs }) => ({ gain: gainOf(question, items.get(itemId)), signs }))
    considered.push({ id: question.id, isStocked: question.right.length + question.near.length > 0, results: signs })
    progress.to(answered.length, asked.length)
  }
  progress.done()
  const all = figuresOf(answered)
  const by = (name: 'lang' | 'form' | 'kind') =>
    [...Map.groupBy(answered, ({ question }) => question[name])].map(([of, group]) => ({ of, ...figuresOf(group) }))
  const misses = answered.filter(isMissed)
  terminal.answer(
    {
      set,
      part,
      unsold: ofPart.length - asked.length,
      ...all,
      languages: by('lang'),
      forms: by('form'),
      kinds: by('kind'),
      misses,
      considered,
    },
    () =>
      [
        ...misses.map(missText),
        table([{ of: part, ...all }, ...by('lang'), ...by('form'), ...by('kind')].map(rounded)),
      ].join('\n'),
  )
}

const isTold = ({ why }: Hit) => (why?.differs.length ?? 0) > 0

/** Grades the first results of a question; items of one product may stand twice. Pure. */
export function judged(
  question: BuilderQuestion,
  found: readonly FoundItem[],
  items: readonly KeyedItem[],
): AnsweredQuestion {
  const gain = (item: KeyedItem) => gainOf(question, item)
  const sold = items.filter((item) => isSoldIn(question, item))
  const best = sold.map(gain).sort((a, b) => b - a)
  const top = found.slice(0, PLACES)
  // A neighbour counts where the answer says that it is one.
  const gains = top.map((item) => (question.right.length > 0 || item.isTold ? gain(item) : 0))
  return {
    question,
    ndcg: question.right.length + question.near.length === 0 ? null : dcg(gains) / dcg(best.slice(0, PLACES)),
    isRefused: found.length === 0,
    found: top,
  }
}

/** Whether what answers is sold in the market of the question, or nothing does: a record that the catalog parked is no stock. */
export function isJudgeable(question: BuilderQuestion, items: readonly KeyedItem[]): boolean {
  if (question.right.length + question.near.length === 0) return true
  return items.some((item) => isSoldIn(question, item) && gainOf(question, item) > 0)
}

const isSoldIn = ({ market }: BuilderQuestion, { regions }: KeyedItem) => market === null || regions.includes(market)

function gainOf({ right, near }: BuilderQuestion, item: KeyedItem | undefined): number {
  const isOf = (keys: readonly string[]) => item !== undefined && keys.some((key) => item.products.has(key))
  return isOf(right) ? RIGHT_GAIN : isOf(near) ? NEAR_GAIN : 0
}

export const dcg = (gains: readonly number[]) =>
  gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0)

export function figuresOf(answered: readonly AnsweredQuestion[]): QuestionFigures {
  const stocked = answered.filter(({ ndcg }) => ndcg !== null)
  const others = answered.filter(({ ndcg }) => ndcg === null)
  const refused = (of: readonly AnsweredQuestion[]) => of.filter(({ isRefused }) => isRefused).length
  const gained = stocked.reduce((sum, { ndcg }) => sum + (ndcg as number), 0)
  const right = answered.flatMap(({ question, found }) =>
    found.filter(({ products }) => question.right.some((key) => products.has(key))),
  )
  return {
    questions: answered.length,
    stocked: stocked.length,
    points: (gained + refused(others)) / Math.max(1, answered.length),
    ndcg3: gained / Math.max(1, stocked.length),
    refusedRightly: refused(others) / Math.max(1, others.length),
    refusedWrongly: refused(stocked) / Math.max(1, stocked.length),
    toldWrongly: right.filter(({ isTold }) => isTold).length / Math.max(1, right.length),
  }
}

const isMissed = ({ ndcg, isRefused }: AnsweredQuestion) => (ndcg === null ? !isRefused : ndcg < MISS_BELOW)
const MISS_BELOW = 0.99

function missText({ question: { id, market, question, right, near }, ndcg, found }: AnsweredQuestion): string {
  const wanted = ndcg === null ? 'nothing' : right.length > 0 ? right.join(', ') : `told as near: ${near.join(', ')}`
  const place = `${id} ${market ?? '--'} '${question}'`
  const names = found.map(({ name, isTold }) => (isTold ? `(near) ${name}` : name))
  return `${place}: ${ndcg === null ? 'not stocked' : ndcg.toFixed(2)}\n  wanted ${wanted}\n  found  ${names.join(' | ') || 'nothing'}`
}

function rounded(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : value,
    ]),
  )
}
