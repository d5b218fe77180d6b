import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blocksOf, PROBES_MAX, STORED_MAX } from './blocking.ts'
import type { MatchSku } from './match.ts'

const sku = (name: string, more: Partial<MatchSku> = {}): MatchSku => ({
  vendorSkuId: 'vsku_a',
  sourceId: 'src_a',
  name,
  unit: 'm2',
  ...more,
})
const blocks = (name: string, { concepts = [], ...more }: Partial<MatchSku> & { concepts?: string[] } = {}) =>
  blocksOf(sku(name, more), new Set(concepts))
const meet = (a: ReturnType<typeof blocks>, b: ReturnType<typeof blocks>) =>
  a.probes.some((key) => b.stored.includes(key)) || b.probes.some((key) => a.stored.includes(key))

describe('block keys', () => {
  test.each([
    ['Tubo PVC 1.20 m', 'PVC pipe 1200 mm'],
    ['Panel 1200 x 2500', 'Tablero 1.20x2.50 m'],
    ['Codo 1/2"', 'codo 12,7 mm'],
  ])('match %j and %j', (a, b) => {
    expect(meet(blocks(a), blocks(b))).toBe(true)
  })

  test('match names without a common word by their concepts only', () => {
    const [es, de] = ['Placa de yeso laminado 12,5 mm', 'Gipskartonplatte 1,25 cm']
    const concepts = ['plasterboard']
    expect(meet(blocks(es, { concepts }), blocks(de, { concepts }))).toBe(true)
    expect(meet(blocks(es), blocks(de))).toBe(false)
  })

  test('never match a product by the kilogram with one by the piece', () => {
    const [kilogram, piece] = [blocks('Cemento gris', { unit: 'kg' }), blocks('Cemento gris', { unit: 'ud' })]
    expect(kilogram.probes.filter((key) => piece.probes.includes(key))).toEqual([])
  })

  test('are empty for a name without content', () => {
    expect(blocksOf(sku('???'), new Set())).toEqual({ stored: [], probes: [] })
  })

  test('are few and short, and probes begin with the stored keys', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.array(fc.string(), { maxLength: 12 }), (name, concepts) => {
        const { stored, probes } = blocksOf(sku(name), new Set(concepts))
        expect(stored.length).toBeLessThanOrEqual(STORED_MAX)
        expect(probes.length).toBeLessThanOrEqual(PROBES_MAX)
        expect(probes.slice(0, stored.length)).toEqual(stored)
        for (const key of probes) expect(key).toMatch(/^b:[a-z2-7]{10}$/)
      }),
    )
  })

  test('do not depend on the order of the concepts', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e')), (concepts) => {
        const name = 'Placa 13 mm 1200x2500'
        expect(blocksOf(sku(name), new Set(concepts.toReversed()))).toEqual(blocksOf(sku(name), new Set(concepts)))
      }),
    )
  })
})
