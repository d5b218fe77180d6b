import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { MatchSku } from './match.ts'
import { canBeOneProduct, type SkuPairModel, scorePair, skuPairFeatures, wordsIn } from './sku-pair.ts'

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
  test('a machine by the hour is the same machine, whatever the vendor’s categories say of works', () => {
    const machine = { sourceId: 'a', name: 'Miniexcavadora 2 t con maquinista', lang: 'es', unit: 'h' }
    const one = { ...machine, vendorSkuId: '1', categoryPath: ['Maquinaria', 'Movimiento de tierras'] }
    const other = { ...machine, vendorSkuId: '2', categoryPath: ['Unidades de obra', 'Precios de ejecución'] }
    expect(canBeOneProduct(one, other)).toBe(true)
  })

  test('by the piece at one vendor and by the bag or sheet at another, if the contents agree', () => {
    const bag = sku('Cemento gris', { unit: 'saco', pack: { quantity: '25', unit: 'kg' } })
    expect(canBeOneProduct(bag, sku('Cemento gris saco 25 kg'))).toBe(true)
    expect(canBeOneProduct(sku('Placa yeso', { unit: 'placa' }), sku('Placa yeso'))).toBe(true)
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
    expect(canBeOneProduct(a, b)).toBe(false)
    expect(canBeOneProduct(b, a)).toBe(false)
    expect(canBeOneProduct(a, a)).toBe(true)
  })

  test('when a vendor names no unit', () => {
    expect(canBeOneProduct(sku('Cable 3x1,5', { unit: null }), sku('Cable 3x1,5', { unit: 'm' }))).toBe(true)
  })
})

describe('the features of two SKUs', () => {
  const a = sku('Placa Marlo BA13 1200x2500', { manufacturerRef: 'MARLO-1325', categoryPath: ['Placas'] })
  const b = sku('PLACA MARLO1325 12,5 MM', { lang: 'pt', categoryPath: ['Placas de gesso'] })

  test('do not depend on which comes first', () => {
    const one = skuPairFeatures(a, b, NOTHING_LEARNED)
    expect(skuPairFeatures(b, a, NOTHING_LEARNED)).toEqual(one)
    expect(new Set(one.names).size).toBe(one.names.length)
    expect(one.names.filter((name) => / [ab]$/.test(name))).toEqual([])
  })

  test('include reference, language, category, sizes and meaning', () => {
    expect(featureOf('reference: in name', a, b)).toBe(1)
    expect(featureOf('reference: equal', a, b)).toBeNaN()
    expect(featureOf('language: equal', a, b)).toBe(0)
    expect(featureOf('category: trigrams', a, b)).toBeGreaterThan(0.4)
    expect(featureOf('sizes: answered, larger', sku('Placa 1/2"'), sku('Placa 13 mm'))).toBe(1)
    expect(featureOf('meaning: cosine', a, b, { cosine: 0.7 })).toBe(0.7)
    expect(featureOf('meaning: concepts', a, b)).toBeNaN()
    expect(featureOf('meaning: concepts', a, b, { concepts: [new Set(['x']), new Set(['x', 'y'])] })).toBe(0.5)
    const concepts = [new Set(['x', 'y', 'z']), new Set(['x'])]
    expect(featureOf('meaning: concepts left, larger', a, b, { concepts })).toBe(2)
    expect(featureOf('meaning: concepts left, smaller', a, b, { concepts })).toBe(0)
    expect(featureOf('meaning: concepts left, larger', a, b)).toBeNaN()
  })

  test('include the learned values of words that only one side has', () => {
    const { verdict } = wordsIn({ rarity: {}, rarest: 1, verdict: { mate: -2, gris: 0.5 } })
    const { names, row } = skuPairFeatures(sku('azulejo mate'), sku('azulejo gris'), { ...NOTHING_LEARNED, verdict })
    expect(row[names.indexOf('verdicts: lowest')]).toBe(-2)
    expect(row[names.indexOf('verdicts: sum')]).toBe(-1.5)
    expect(verdict('constructor')).toBe(0)
  })
})

describe('the shipped model', () => {
  const text = readFileSync(new URL('./pair-model.json', import.meta.url), 'utf8')
  const model = JSON.parse(text) as SkuPairModel

  test('is small, and has the current features', () => {
    expect(text.length).toBeLessThan(400_000)
    expect(() => scorePair(model, sku('x'), sku('y'))).not.toThrow()
  })

  test('separates the same product in other words from a similar product', () => {
    const tile = sku('Azulejo liso blanco brillo 20x20 cm', { unit: 'm2' })
    const same = scorePair(model, tile, sku('AZULEJO BLANCO BRILLO LISO 20X20', { unit: 'm2' }))
    const other = scorePair(model, tile, sku('Azulejo relieve gris mate 30x60', { unit: 'm2' }))
    expect(same).toBeGreaterThan(0.5)
    expect(other).toBeLessThan(0.1)
  })
})
