import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BUCKETS, bucketsOf, hash32, wordsOf } from './features.ts'

test('words are folded runs of letters, and a run with a digit is dropped', () => {
  expect(wordsOf('Plaque de plâtre BA13, 12,5 mm (Größe)')).toEqual(['plaque', 'de', 'platre', 'mm', 'grosse'])
  expect(wordsOf('Œuvre Ærø Łódź')).toEqual(['oeuvre', 'aero', 'lodz'])
})

test('a text of codes, numbers or another script has no word', () => {
  for (const text of ['12 34', 'B500S', '日本', '', '½']) expect(wordsOf(text)).toEqual([])
})

test('a word has its own bucket and one for each n-gram of 3 to 5 characters between its marked ends', () => {
  const bucket = (feature: string) => hash32(feature) % BUCKETS
  expect(bucketsOf('yeso')).toEqual(
    ['=yeso', '<ye', 'yes', 'eso', 'so>', '<yes', 'yeso', 'eso>', '<yeso', 'yeso>'].map(bucket),
  )
})

test('a marked word is never its own n-gram, so a word of one letter has none', () => {
  expect(bucketsOf('m')).toEqual([hash32('=m') % BUCKETS])
  expect(bucketsOf('de')).toEqual(['=de', '<de', 'de>'].map((feature) => hash32(feature) % BUCKETS))
})

test('the hash is FNV-1a with two rounds of mixing', () => {
  // FNV-1a of 'a' is 0xe40c292c; the rounds were worked out with exact integers.
  const fnv = 0xe40c292cn
  const mixed = ((fnv ^ (fnv >> 16n)) * 0x85ebca6bn) & 0xffffffffn
  expect(BigInt(hash32('a'))).toBe(mixed ^ (mixed >> 13n))
})

test('every word has buckets inside the table', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,30}$/), (word) => {
      const buckets = bucketsOf(word)
      expect(buckets.length).toBeGreaterThan(0)
      for (const bucket of buckets) expect(bucket >= 0 && bucket < BUCKETS && Number.isInteger(bucket)).toBe(true)
    }),
  )
})
