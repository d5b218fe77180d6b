import { judgeAmongRivals, type ScoredPair } from '@catalog/core/matching/assignment.ts'
import type { MatchSku } from '@catalog/core/matching/match.ts'
import { type SkuPairModel, scorePair } from '@catalog/core/matching/sku-pair.ts'
import { describe, expect, test } from 'vitest'
import { type LabelledSkuPair, learnRivalModel, learnScorer } from './train-sku-pair.ts'

const sku = (name: string, fields: Partial<MatchSku> = {}): MatchSku => ({
  vendorSkuId: name,
  sourceId: 'src_a',
  name,
  unit: 'ud',
  lang: 'es',
  ...fields,
})

describe('a scorer', () => {
  /** Kinds of products in two finishes each: names differ in one word, which alone decides. */
  const labelled = Array.from({ length: 40 }, (_, n): LabelledSkuPair[] => {
    const kind = `kind${String.fromCharCode(97 + (n % 26))}${n}`
    const of = (finish: string, wording: string) => sku(`${wording} ${kind} ${finish}`.trim())
    const says = { groups: [kind, kind] as [string, string], meaning: {} }
    return [
      { a: of('mate', ''), b: of('mate', 'nuevo'), isMatch: true, ...says },
      { a: of('', ''), b: of('', 'nuevo'), isMatch: true, ...says },
      { a: of('mate', ''), b: of('', 'nuevo'), isMatch: false, ...says },
      { a: of('', ''), b: of('mate', ''), isMatch: false, ...says },
    ]
  }).flat()
  const { score, features, trees, words } = learnScorer(labelled)
  const model: SkuPairModel = {
    version: 'sku-pair/1',
    vectors: 'none',
    inputs: {},
    features,
    trees,
    words,
    among: { first: trees, second: trees },
    automaticMin: 0.9,
    reviewMin: 0.1,
  }

  test('separates words that make another product from words that do not, on unseen products', () => {
    const plain = sku('kindnew mate')
    expect(score({ a: plain, b: sku('nuevo kindnew mate'), meaning: {} })).toBeGreaterThan(0.8)
    expect(score({ a: plain, b: sku('nuevo kindnew'), meaning: {} })).toBeLessThan(0.2)
    expect(words.verdict.mate).toBeLessThan(-1)
    expect(words.verdict.nuevo ?? 0).toBeGreaterThan(words.verdict.mate as number)
  })

  test('scores the same from JSON, and trains deterministically', () => {
    const read = JSON.parse(JSON.stringify(model)) as SkuPairModel
    const [a, b] = [sku('kindnew mate'), sku('nuevo kindnew mate')]
    expect(scorePair(read, a, b)).toBe(score({ a, b, meaning: {} }))
    expect(scorePair(read, b, a)).toBe(scorePair(read, a, b))
    expect(JSON.stringify(learnScorer(labelled).trees)).toBe(JSON.stringify(trees))
  })

  test('refuses a model of other features', () => {
    const other = { ...model, features: features.slice(1) }
    expect(() => scorePair(other, sku('x'), sku('y'))).toThrow(`model of ${features.length - 1} features`)
  })
})

/** A pair of offers, each written as vendor and number: "a1" is offer 1 of vendor a. */
const pair = (a: string, b: string, score: number): ScoredPair => ({
  a,
  b,
  sourceA: a.slice(0, 1),
  sourceB: b.slice(0, 1),
  score,
  isSameLanguage: true,
})

/** Products that two vendors sell in two sizes: the right pair scores only a little better than the crossed one. */
const market = (products: number) =>
  Array.from({ length: products }, (_, n) => [
    { ...pair(`a${n}s`, `b${n}s`, 0.9), isMatch: true },
    { ...pair(`a${n}l`, `b${n}l`, 0.88), isMatch: true },
    { ...pair(`a${n}s`, `b${n}l`, 0.86), isMatch: false },
    { ...pair(`a${n}l`, `b${n}s`, 0.84), isMatch: false },
  ]).flat()

test('the second pass decides by the lead over a rival where scores are close', () => {
  const among = learnRivalModel([market(60), market(60)]).model
  const judged = judgeAmongRivals(among, market(1))
  expect(judged.map(({ chance }) => chance > 0.5)).toEqual([true, true, false, false])
  expect(judged.map(({ isMutual }) => isMutual)).toEqual([true, true, false, false])
})
