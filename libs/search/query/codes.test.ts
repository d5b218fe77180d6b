import { matchKeys } from '@catalog/core/matching/match.ts'
import { expect, test } from 'vitest'
import { codeKeys } from './codes.ts'

test.each([
  ['8412345678905', 'gtin:08412345678905'],
  ['GTIN 08412345678905', 'gtin:08412345678905'],
  ['ean: 8 412345 678905', 'gtin:08412345678905'],
  ['taladro DHP-482Z', 'ref:dhp482z'],
  ['taladro (ref. DHP482Z), 18 V', 'ref:dhp482z'],
  ['Makita DHP 482 Z', 'ref:makitadhp482'],
  ['makita dhp482z sin batería', 'ref:makitadhp482z'],
])('%s has the key %s', (query, key) => {
  expect(codeKeys(query)).toContain(key)
})

test.each(['8412345678904', '2012345678900'])("%s, not a product's GTIN, has only a reference key", (query) => {
  expect(codeKeys(query)).toEqual([`ref:${query}`])
})

test.each(['', 'placa de yeso', 'pladur 13', '12,5', 'm2', '日本 / ---'])('%j has no key', (query) => {
  expect(codeKeys(query).filter((key) => !key.startsWith('ref:pladur'))).toEqual([])
})

test('the keys equal those of a stored product with the codes', () => {
  const sku = { vendorSkuId: 'v', sourceId: 's', name: 'Taladro', unit: 'u' }
  const stored = matchKeys({ ...sku, gtin: '8412345678905', manufacturerRef: 'Ref. DHP-482/Z' })
  const asked = codeKeys('8412345678905 DHP482Z')
  expect(asked).toEqual(expect.arrayContaining(stored.filter((key) => !key.startsWith('name:'))))
})

test('a long query of many codes has a bounded number of keys', () => {
  const codes = Array.from({ length: 120 }, (_, i) => `a${10_000 + i}`).join(' ')
  expect(codeKeys(codes)).toHaveLength(64)
})
