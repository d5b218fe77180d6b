import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openSplitter } from './compounds.ts'
import { BUCKETS, featureNames, featuresOf, hash32, wordsOf } from './features.ts'

const always = () => true
const whole = { split: openSplitter([]), isTrained: always }
const bucket = (feature: string) => hash32(feature) % BUCKETS

test('words are folded runs of letters, without runs with a digit', () => {
  expect(wordsOf('Plaque de plâtre BA13, 12,5 mm (Größe)')).toEqual(['plaque', 'de', 'platre', 'mm', 'grosse'])
  expect(wordsOf('Œuvre Ærø Łódź')).toEqual(['oeuvre', 'aero', 'lodz'])
})

test('a text of codes, numbers or another script has no word', () => {
  for (const text of ['12 34', 'B500S', '日本', '', '½']) expect(wordsOf(text)).toEqual([])
})

describe('features', () => {
  test('are the word, and with the same total weight its n-grams of 3 to 5 characters with marked ends', () => {
    const grams = ['<ye', 'yes', 'eso', 'so>', '<yes', 'yeso', 'eso>', '<yeso', 'yeso>']
    expect(featuresOf('yeso', whole)).toEqual([
      { bucket: bucket('=yeso'), weight: 1 },
      ...grams.map((gram) => ({ bucket: bucket(gram), weight: 1 / 3 })),
    ])
    expect(featureNames('yeso')).toEqual(['=yeso', ...grams])
  })

  test('never include the marked word itself, so a word of one letter has no n-gram', () => {
    expect(featureNames('m')).toEqual(['=m'])
    expect(featureNames('de')).toEqual(['=de', '<de', 'de>'])
  })

  test('of a compound include its parts as words', () => {
    const parts = ['gips', 'karton', 'platten']
    const features = featuresOf('gipskartonplatten', { split: openSplitter(parts), isTrained: always })
    expect(features.slice(1, 4)).toEqual(parts.map((part) => ({ bucket: bucket(`=${part}`), weight: 1 })))
    expect(features).toHaveLength(1 + 3 + 17 + 16 + 15)
  })

  test('that are untrained are left out, and the other n-grams still weigh as much as a word', () => {
    const trained = new Set(['yes', 'eso', '<yes', 'so>'])
    const features = featuresOf('yeso', { ...whole, isTrained: (name) => trained.has(name) })
    expect(features).toEqual(['yes', 'eso', 'so>', '<yes'].map((gram) => ({ bucket: bucket(gram), weight: 1 / 2 })))
  })

  test('of every word have buckets inside the table', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,30}$/), (word) => {
        const features = featuresOf(word, whole)
        expect(features.length).toBeGreaterThan(0)
        for (const { bucket } of features) {
          expect(bucket >= 0 && bucket < BUCKETS && Number.isInteger(bucket)).toBe(true)
        }
      }),
    )
  })
})

test('the hash is FNV-1a with two rounds of mixing', () => {
  // FNV-1a of 'a' is 0xe40c292c; exact integers confirm the two rounds.
  const fnv = 0xe40c292cn
  const mixed = ((fnv ^ (fnv >> 16n)) * 0x85ebca6bn) & 0xffffffffn
  expect(BigInt(hash32('a'))).toBe(mixed ^ (mixed >> 13n))
})
