import { readFileSync } from 'node:fs'
import type { MatchSku } from '@catalog/core/matching/match.ts'
import { mayBeOne, type SkuPairModel, scorePair, skuPairFeatures, wordsIn } from '@catalog/core/matching/sku-pair.ts'
import { describe, expect, test } from 'vitest'
import { type LabelledSkuPair, learnScorer } from './sku-pair-train.ts'

const sku = (name: string, fields: Partial<MatchSku> = {}): MatchSku => ({
  vendorSkuId: name,
  sourceId: 'src_a',
  name,
  unit: 'ud',
  lang: 'es',
  ...fields,
})
const NOTHING_LEARNED = { rarity: () => 1, verdict: () => 0, meaning: {} }
const featureOf = (name: string, a: MatchSku, b: MatchSku, meaning = {}) => {
  const { names, row } = skuPairFeatures(a, b, { ...NOTHING_LEARNED, meaning })
  return row[names.indexOf(name)]
}

describe('two SKUs may be one', () => {
  test('by the piece here and by the bag or sheet there, as long as contents agree', () => {
    const bag = sku('Cemento gris', { unit: 'saco', pack: { quantity: '25', unit: 'kg' } })
    expect(mayBeOne(bag, sku('Cemento gris saco 25 kg'))).toBe(true)
    expect(mayBeOne(sku('Placa yeso', { unit: 'placa' }), sku('Placa yeso'))).toBe(true)
  })

  test.each([
    ['other contents', sku('Cemento', { unit: 'saco', pack: { quantity: '25', unit: 'kg' } }), sku('Cemento 40 kg')],
    [
      'contents of another dimension',
      sku('Pintura', { unit: 'bote', pack: { quantity: '4', unit: 'l' } }),
      sku('Pintura', { unit: 'bote', pack: { quantity: '4', unit: 'kg' } }),
    ],
    ['a pound and a kilogram', sku('Cement 25 lb'), sku('Cement 25 kg')],
    ['a bare measure and a piece', sku('Cable 3x1,5', { unit: 'm' }), sku('Cable 3x1,5')],
    ['two measures', sku('Gres gris', { unit: 'm2' }), sku('Gres gris', { unit: 'kg' })],
    ['other sizes', sku('Tubo 12 mm'), sku('Tubo 16 mm')],
    ['other grades', sku('Barra B500S'), sku('Barra B500SD')],
    ['other sides', sku('Puerta izquierda'), sku('Puerta derecha')],
    ['other GTINs', sku('Taladro', { gtin: '9521000020078' }), sku('Taladro', { gtin: '9521000020146' })],
  ])('but not with %s', (_, a, b) => {
    expect(mayBeOne(a, b)).toBe(false)
    expect(mayBeOne(b, a)).toBe(false)
    expect(mayBeOne(a, a)).toBe(true)
  })

  test('where a vendor names no unit', () => {
    expect(mayBeOne(sku('Cable 3x1,5', { unit: null }), sku('Cable 3x1,5', { unit: 'm' }))).toBe(true)
  })
})

describe('the features of two SKUs', () => {
  const a = sku('Placa Marlo BA13 1200x2500', { manufacturerRef: 'MARLO-1325', categoryPath: ['Placas'] })
  const b = sku('PLACA MARLO1325 12,5 MM', { lang: 'pt', categoryPath: ['Placas de gesso'] })

  test('are the same whichever comes first', () => {
    const one = skuPairFeatures(a, b, NOTHING_LEARNED)
    expect(skuPairFeatures(b, a, NOTHING_LEARNED)).toEqual(one)
    expect(new Set(one.names).size).toBe(one.names.length)
    expect(one.names.filter((name) => / [ab]$/.test(name))).toEqual([])
  })

  test('hold reference, language, category, sizes and meaning', () => {
    expect(featureOf('reference: in name', a, b)).toBe(1)
    expect(featureOf('reference: equal', a, b)).toBeNaN()
    expect(featureOf('language: equal', a, b)).toBe(0)
    expect(featureOf('category: trigrams', a, b)).toBeGreaterThan(0.4)
    expect(featureOf('sizes: answered, larger', sku('Placa 1/2"'), sku('Placa 13 mm'))).toBe(1)
    expect(featureOf('meaning: cosine', a, b, { cosine: 0.7 })).toBe(0.7)
    expect(featureOf('meaning: concepts', a, b)).toBeNaN()
    expect(featureOf('meaning: concepts', a, b, { concepts: [new Set(['x']), new Set(['x', 'y'])] })).toBe(0.5)
  })

  test('hold what was learned of the words that only one side has', () => {
    const { verdict } = wordsIn({ rarity: {}, rarest: 1, verdict: { mate: -2, gris: 0.5 } })
    const { names, row } = skuPairFeatures(sku('azulejo mate'), sku('azulejo gris'), { ...NOTHING_LEARNED, verdict })
    expect(row[names.indexOf('verdicts: lowest')]).toBe(-2)
    expect(row[names.indexOf('verdicts: sum')]).toBe(-1.5)
    expect(verdict('constructor')).toBe(0)
  })
})

describe('a scorer', () => {
  /** Kinds of products in two finishes each: names differ in one word, which alone tells. */
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
    features,
    trees,
    words,
    among: { first: trees, second: trees },
    automaticMin: 0.9,
    reviewMin: 0.1,
  }

  test('tells words that make another product from words that do not, on products it has not seen', () => {
    const plain = sku('kindnew mate')
    expect(score({ a: plain, b: sku('nuevo kindnew mate'), meaning: {} })).toBeGreaterThan(0.8)
    expect(score({ a: plain, b: sku('nuevo kindnew'), meaning: {} })).toBeLessThan(0.2)
    expect(words.verdict.mate).toBeLessThan(-1)
    expect(words.verdict.nuevo ?? 0).toBeGreaterThan(words.verdict.mate as number)
  })

  test('scores from JSON as it did before, and is learned the same again', () => {
    const read = JSON.parse(JSON.stringify(model)) as SkuPairModel
    const [a, b] = [sku('kindnew mate'), sku('nuevo kindnew mate')]
    expect(scorePair(read, a, b)).toBe(score({ a, b, meaning: {} }))
    expect(scorePair(read, b, a)).toBe(scorePair(read, a, b))
    expect(JSON.stringify(learnScorer(labelled).trees)).toBe(JSON.stringify(trees))
  })

  test('of other features is refused', () => {
    const other = { ...model, features: features.slice(1) }
    expect(() => scorePair(other, sku('x'), sku('y'))).toThrow(`model of ${features.length - 1} features`)
  })
})

describe('the shipped model', () => {
  const text = readFileSync(new URL('../../libs/core/matching/pair-model.json', import.meta.url), 'utf8')
  const model = JSON.parse(text) as SkuPairModel

  test('is small, and of the features that there are', () => {
    expect(text.length).toBeLessThan(300_000)
    expect(() => scorePair(model, sku('x'), sku('y'))).not.toThrow()
  })

  test('tells the same thing in other words from its neighbour on the shelf', () => {
    const tile = sku('Azulejo liso blanco brillo 20x20 cm', { unit: 'm2' })
    const same = scorePair(model, tile, sku('AZULEJO BLANCO BRILLO LISO 20X20', { unit: 'm2' }))
    const other = scorePair(model, tile, sku('Azulejo relieve gris mate 30x60', { unit: 'm2' }))
    expect(same).toBeGreaterThan(0.5)
    expect(other).toBeLessThan(0.1)
  })
})
