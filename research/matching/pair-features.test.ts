import { type Put, putCodes, putWords, readPairText } from '@catalog/core/matching/pair-measures.ts'
import { putNumbers, unexplainedBy } from '@catalog/core/matching/variant-measures.ts'
import { describe, expect, test } from 'vitest'
import { learnPairFeatures, measures, type Pair } from './pair-features.ts'
import { rarityOf } from './rarity.ts'

const record = (columns: Record<string, string>) => new Map(Object.entries(columns))
const titled = (left: string, right: string): Pair => ({
  left: record({ title: left }),
  right: record({ title: right }),
})
const read = readPairText
const unexplained = (text: string, other: string) => unexplainedBy(read(other), read(text))

/** The values of a family of measures, by name. */
function measured(measure: (put: Put) => void): Record<string, number> {
  const values: Record<string, number> = {}
  measure(
    measures((name, value) => {
      values[name] = value
    }),
  )
  return values
}

describe('the words of a title', () => {
  test('are explained by variants: errors, abbreviations, words together and apart, other numbers', () => {
    expect(unexplained('photshop standard edition', 'photoshop std ed')).toEqual([])
    expect(unexplained('macbook point of sale', 'mac book pos')).toEqual(['point', 'of', 'sale'])
    expect(unexplained('mac book pos', 'macbook point of sale')).toEqual([])
    expect(unexplained('standard17 v 10.0', 'standard 17 v 10')).toEqual([])
  })

  test('stay unexplained when the other text names another product', () => {
    expect(unexplained('photoshop cs3 upgrade', 'photoshop cs2')).toEqual(['cs3', 'upgrade'])
    expect(unexplained('tile adhesive ac iii', 'tile adhesive ac ii')).toEqual(['iii'])
    expect(unexplained('cat 5 cable', 'car 5 cable')).toEqual(['cat'])
  })

  test('count by their rarity', () => {
    const texts = ['sony tv', 'sony radio', 'sony kdl40', 'sony tv stand'].map(read)
    const rarity = rarityOf(texts)
    expect(rarity('sony')).toBe(0)
    expect(rarity('kdl40')).toBeGreaterThan(rarity('tv'))
    expect(rarity('unheard')).toBe(rarity('kdl40'))
    const values = measured((put) => putWords(put, read('sony kdl40'), read('sony radio'), rarity))
    expect(values.cosine).toBe(0)
    expect(values.jaccard).toBeCloseTo(1 / 3)
  })

  test('give no measure without words', () => {
    const values = measured((put) => putWords(put, read(''), read('sony'), () => 1))
    expect(values.cosine).toBeNaN()
    expect(values.trigrams).toBeNaN()
  })
})

describe('numbers and codes', () => {
  test('beside a shared word agree or differ', () => {
    const of = (a: string, b: string) => measured((put) => putNumbers(put, read(a), read(b)))
    expect(of('creative suite cs3', 'adobe cs2 suite')).toMatchObject({ agreeing: 0, differing: 1 })
    expect(of('10 user licence', '5 user pack')).toMatchObject({ differing: 1 })
    expect(of('office 2007 10 users', 'office 2007 10 users')).toMatchObject({ agreeing: 4, differing: 0 })
  })

  test('of one kind do not compare with numbers of another', () => {
    const values = measured((put) => putNumbers(put, read('encarta 2007'), read('encarta 7')))
    expect(values['year jaccard']).toBe(-1)
    expect(values['small jaccard']).toBe(-2)
    expect(measured((put) => putNumbers(put, read('a 2007'), read('b 2006')))['year apart']).toBe(1)
  })

  test('match without their punctuation', () => {
    const values = measured((put) => putCodes(put, read('sony kdl-40v2500'), read('bravia KDL40V2500')))
    expect(values).toMatchObject({ jaccard: 1, best: 1, 'in text': 1 })
    expect(measured((put) => putCodes(put, read('tv'), read('radio'))).best).toBeNaN()
  })
})

describe('pairs of records', () => {
  const known = [
    titled('sony bravia tv kdl40', 'sony kdl40 television'),
    titled('sony bravia tv kdl46', 'sony kdl46 television'),
    titled('bose acoustimass speakers', 'acoustimass 5 bose'),
    titled('canon powershot camera', 'canon camera powershot'),
    titled('nikon coolpix camera', 'coolpix nikon camera'),
  ]

  test('may have other columns on each side, and empty ones', () => {
    const pair: Pair = {
      left: record({ name: 'visio 2007', maker: 'microsoft', price: '129.95' }),
      right: record({ sku: '4', title: 'microsoft visio 2007', maker: '' }),
    }
    const { names, of } = learnPairFeatures([pair, ...known])
    const row = of(pair)
    const at = (name: string) => row[names.indexOf(name)]
    expect(row).toHaveLength(names.length)
    expect(at('maker equal')).toBeNaN()
    expect(at('maker of a in title b')).toBe(1)
    expect(names.some((name) => name.includes('price'))).toBe(false)
    expect(names).toContain('sku of b in title a')
  })

  test('use the first column as title when no column has that name', () => {
    const pair: Pair = { left: record({ q: 'red tap', z: 'x' }), right: record({ q: 'red tap', z: 'y' }) }
    const { names, of } = learnPairFeatures([pair])
    expect(of(pair)[names.indexOf('title words: jaccard')]).toBe(1)
  })

  test('stand out from the other known records', () => {
    const { names, of } = learnPairFeatures(known)
    const lead = (pair: Pair) => of(pair)[names.indexOf('neighbours: margin a')] as number
    expect(lead(titled('sony bravia tv kdl40', 'sony kdl40 television'))).toBeGreaterThan(0)
    expect(lead(titled('sony bravia tv kdl40', 'sony kdl46 television'))).toBeLessThan(0)
  })

  test('of the training are measured like new ones: without texts of their own fold alone', () => {
    // Each product in two sizes; the positions of the pairs decide the folds.
    const things = [
      'lamp',
      'desk',
      'chair',
      'phone',
      'watch',
      'radio',
      'piano',
      'mouse',
      'torch',
      'brush',
      'knife',
      'glove',
    ]
    const sizes = [...things, ...things].map((thing, at) => titled(`${thing} ${at}`, `${at} ${thing}`))
    const { names, ofKnown, of } = learnPairFeatures(sizes)
    const differing = sizes.flatMap((pair, at) => {
      const [own, fresh] = [ofKnown(at), of(pair)]
      return names.filter((_, i) => !Object.is(own[i], fresh[i]))
    })
    expect(differing.length).toBeGreaterThan(0)
    expect(differing.every((name) => name.startsWith('neighbours: '))).toBe(true)
  })

  test('are refused when the list is empty, or has only prices', () => {
    expect(() => learnPairFeatures([])).toThrow('pairs: none')
    const pair = { left: record({ price: '1' }), right: record({ price: '1' }) }
    expect(() => learnPairFeatures([pair])).toThrow('no column beside the price')
  })
})
