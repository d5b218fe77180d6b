import { expect, test } from 'vitest'
import { type MatchSku, readingOf } from './sku-reading.ts'

const SKU: MatchSku = {
  vendorSkuId: 'sku_1',
  sourceId: 'src_pa',
  name: 'Tubo de PVC 25 mm',
  lang: 'pt',
  unit: 'm',
  pack: { quantity: '6', unit: 'm' },
  gtin: '4006381333931',
  manufacturerRef: 'DHP482Z',
  categoryPath: ['Materiais', 'Tubos'],
}

test('SKUs that say the same of a product are read once, whoever says it', () => {
  const elsewhere: MatchSku = { ...SKU, vendorSkuId: 'sku_2', sourceId: 'src_sp', vendorRef: '7' }
  expect(readingOf(elsewhere)).toBe(readingOf(SKU))
})

test.each<Partial<MatchSku>>([
  { name: 'Tubo de PVC 32 mm' },
  { lang: 'en' },
  { unit: 'un' },
  { unit: null },
  { pack: { quantity: '3', unit: 'm' } },
  { pack: { quantity: '6', unit: 'kg' } },
  { pack: undefined },
  { gtin: undefined },
  { manufacturerRef: 'DHP483Z' },
  { categoryPath: ['Pisos'] },
])('a SKU that differs in %o has a reading of its own', (difference) => {
  expect(readingOf({ ...SKU, ...difference })).not.toBe(readingOf(SKU))
})
