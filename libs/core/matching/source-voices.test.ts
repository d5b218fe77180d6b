import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areTwoOfOneVendor, closesCircle, sourceVoices } from './source-voices.ts'

const alias = (sourceId: string, canonicalId: string) => ({ sourceId, canonicalId })

test('chains end at one canonical source', () => {
  expect([...sourceVoices([alias('a', 'b'), alias('b', 'c'), alias('x', 'y')])]).toEqual([
    ['a', 'c'],
    ['b', 'c'],
    ['x', 'y'],
  ])
})

test('a circle speaks by its smallest id, and so does a chain into it', () => {
  const voices = sourceVoices([alias('z', 'b'), alias('b', 'a'), alias('a', 'b')])
  expect([voices.get('z'), voices.get('b'), voices.get('a')]).toEqual(['a', 'a', undefined])
})

test('a circle is seen before it closes', () => {
  const voices = sourceVoices([alias('a', 'b'), alias('b', 'c')])
  expect(closesCircle(alias('c', 'a'), voices)).toBe(true)
  expect(closesCircle(alias('c', 'c'), voices)).toBe(true)
  expect(closesCircle(alias('c', 'd'), voices)).toBe(false)
})

test('a voice speaks for itself, in whatever order the aliases come', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const aliases = fc.uniqueArray(fc.record({ sourceId: ids, canonicalId: ids }), { selector: (one) => one.sourceId })
  fc.assert(
    fc.property(aliases, (found) => {
      const voices = sourceVoices(found)
      for (const voice of voices.values()) expect(voices.get(voice)).toBeUndefined()
      expect(new Map(sourceVoices(found.toReversed()))).toEqual(new Map(voices))
    }),
  )
})

test('a vendor lists a product once, and one reference under two spellings is one product', () => {
  const sku = (sourceId: string, vendorRef?: string) => ({ sourceId, voiceId: 'a', vendorRef })
  expect(areTwoOfOneVendor(sku('a', 'R1'), sku('b', 'R1'))).toBe(false)
  expect(areTwoOfOneVendor(sku('a', 'R1'), sku('b', 'R2'))).toBe(true)
  expect(areTwoOfOneVendor(sku('a', 'R1'), sku('a', 'R2'))).toBe(true)
  expect(areTwoOfOneVendor(sku('a'), sku('b'))).toBe(true)
  expect(areTwoOfOneVendor(sku('a', 'R1'), { sourceId: 'c', vendorRef: 'R1' })).toBe(false)
})
