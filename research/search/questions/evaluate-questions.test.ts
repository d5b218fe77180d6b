import type { MatchResponse } from '@catalog/api/contract/contract.ts'
import { scoreTrees } from '@catalog/core/matching/gradient-boosting.ts'
import { loadSample, sampleTexts } from '@catalog/sample-files/sample.ts'
import { describe, expect, test } from 'vitest'
import { billFiguresOf, judgedLine } from './evaluate-bills.ts'
import { type FoundItem, figuresOf, isJudgeable, judged } from './evaluate-questions.ts'
import { learnRefusal } from './learn-refusal.ts'
import { BILL_SETS, type BuilderLine, type BuilderQuestion, builderLines, builderQuestions } from './question-files.ts'

const item = (itemId: string, product: string, regions = ['ES']): FoundItem => ({
  itemId,
  name: itemId,
  regions,
  products: new Set([product]),
  isTold: false,
})
const ITEMS = [item('a', 'cement'), item('b', 'mortar'), item('c', 'sand'), item('d', 'cement', ['MX'])]

const question = (right: string[], near: string[] = []): BuilderQuestion => ({
  id: 'q',
  split: 'dev',
  market: 'ES',
  lang: 'es',
  kind: 'material',
  form: 'words',
  question: '?',
  right,
  near,
})

describe('a question', () => {
  test('is answered best by the right item, then by what is near', () => {
    const [a, b, c] = ITEMS as [FoundItem, FoundItem, FoundItem]
    const ndcg = (found: FoundItem[]) => judged(question(['cement'], ['mortar']), found, ITEMS).ndcg
    expect(ndcg([a, b])).toBe(1)
    expect(ndcg([])).toBe(0)
    expect(ndcg([c, a]) as number).toBeLessThan(ndcg([a, c]) as number)
    expect(ndcg([b, a]) as number).toBeLessThan(1)
  })

  test('about what is not stocked is answered rightly by nothing', () => {
    const answered = [judged(question([]), [], ITEMS), judged(question([]), [ITEMS[0] as FoundItem], ITEMS)]
    expect(figuresOf(answered)).toMatchObject({ stocked: 0, refusedRightly: 0.5 })
    expect(figuresOf([judged(question(['cement']), [], ITEMS)])).toMatchObject({ ndcg3: 0, refusedWrongly: 1 })
  })
})

test('a question is left out whose answer no vendor of its market sells', () => {
  const asked = [question(['cement']), question([]), { ...question(['sand']), market: 'MX' }]
  expect(asked.map((each) => isJudgeable(each, ITEMS))).toEqual([true, true, false])
})

test('a neighbour is an answer where the answer says so', () => {
  const [, b] = ITEMS as [FoundItem, FoundItem]
  const ndcg = (isTold: boolean) => judged(question([], ['mortar']), [{ ...b, isTold }], ITEMS).ndcg
  expect([ndcg(true), ndcg(false)]).toEqual([1, 0])
})

test('learns which results answer, and a floor that refuses what does not', () => {
  const of = (i: number, isStocked: boolean) => ({
    id: String(i),
    isStocked,
    results: [0, 1].map((place) => ({
      gain: isStocked && place === 0 ? 3 : 0,
      signs: [isStocked && place === 0 ? 0.9 : 0.2 + (i % 7) / 100],
    })),
  })
  const { model, curve } = learnRefusal([Array.from({ length: 120 }, (_, i) => of(i, i % 2 === 0))])
  const chance = (sign: number) => scoreTrees(model, [sign])
  expect([chance(0.9) > model.floor, chance(0.2) < model.floor]).toEqual([true, true])
  expect(curve.find(({ floor }) => floor === model.floor)).toMatchObject({ points: 1, refusedWrongly: 0 })
})

describe('a line', () => {
  const line = (right: string[]): BuilderLine => ({
    bill: 'b01',
    market: 'ES',
    currency: 'EUR',
    line: 1,
    description: 'x',
    unit: null,
    quantity: 1,
    right,
  })
  type Matched = MatchResponse['lines'][number]
  const matched = (status: Matched['status'], id: string | null, currency?: string) =>
    ({
      status,
      reason: null,
      text: 'x',
      evidence: null,
      alternatives: [],
      item: id === null ? null : { id, name: id },
      cost: currency === undefined ? null : { cents: 1, currency },
    }) as unknown as Matched
  const items = new Map(ITEMS.map((each) => [each.itemId, each]))
  const verdict = (right: string[], answer: Matched) => judgedLine(line(right), answer, items).verdict

  test('is right, wrong, or left to a person', () => {
    expect(verdict(['cement'], matched('matched', 'a'))).toBe('right')
    expect(verdict(['cement'], matched('matched', 'b'))).toBe('wrong')
    expect(verdict([], matched('matched', 'a'))).toBe('wrong')
    expect(verdict(['cement'], matched('ambiguous', 'a'))).toBe('open, right shown')
    expect(verdict(['cement'], matched('unmatched', null))).toBe('open, right missing')
    expect(verdict([], matched('unmatched', null))).toBe('left, rightly')
  })

  test('has a false cost where it is not decided, or in other money', () => {
    const answers = [matched('matched', 'a', 'EUR'), matched('ambiguous', 'a', 'EUR'), matched('matched', 'a', 'MXN')]
    const figures = billFiguresOf(answers.map((answer) => judgedLine(line(['cement']), answer, items)))
    expect(figures).toMatchObject({ lines: 3, stocked: 3, right: 2, wrong: 0, open: 1, falseCosts: 2 })
  })
})

describe('the files', () => {
  const sample = loadSample(sampleTexts())
  const products = new Set(sample.vendors.flatMap(({ skus }) => skus.map(({ product }) => product.key)))

  test('hold 300 questions in two halves, a third of them about what is not stocked', () => {
    const questions = builderQuestions()
    expect(questions).toHaveLength(300)
    expect(questions.filter(({ split }) => split === 'test')).toHaveLength(150)
    expect(new Set(questions.map(({ id }) => id)).size).toBe(300)
    expect(new Set(questions.map(({ lang }) => lang)).size).toBe(6)
    const absent = questions.filter(({ right }) => right.length === 0).length
    expect(absent).toBeGreaterThan(90)
    expect(absent).toBeLessThan(110)
  })

  test('hold ten bills of 25 lines', () => {
    const bills = Map.groupBy(builderLines(), ({ bill }) => bill)
    expect([...bills.values()].map((lines) => lines.length)).toEqual(Array.from({ length: 10 }, () => 25))
  })

  test('hold twelve bills of 25 lines as estimators write them', () => {
    const bills = Map.groupBy(builderLines('estimators'), ({ bill }) => bill)
    expect([...bills.values()].map((lines) => lines.length)).toEqual(Array.from({ length: 12 }, () => 25))
  })

  test('name products of the sample market', () => {
    const named = [
      ...builderQuestions().flatMap(({ right, near }) => [...right, ...near]),
      ...BILL_SETS.flatMap(builderLines).flatMap(({ right }) => right),
    ]
    expect(named.filter((key) => !products.has(key))).toEqual([])
  })
})
