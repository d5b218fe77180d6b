import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bloomOf } from './bloom.ts'
import { openSplitter } from './compounds.ts'
import { BUCKETS, bucketsOf, hash32 } from './features.ts'
import {
  featureNames,
  featuresOf,
  fingerprintOf,
  MODEL_FILES,
  type Model,
  openModel,
  packed,
  readModel,
  type Weights,
} from './model.ts'

const DIMS = 32
const PARTS = ['gips', 'karton', 'platten']

/** A table of numbers that look random, the same each time. */
const TABLE = Float32Array.from({ length: BUCKETS * DIMS }, (_, i) => hash32(String(i)) / 2 ** 32 - 0.5)
const TRAINED = ['placa', 'de', 'yeso', 'laminado', 'a', 'gipskartonplatten', ...PARTS].flatMap(featureNames)
const WEIGHTS: Weights = { table: packed(TABLE, DIMS), features: bloomOf(TRAINED), parts: PARTS }
const identityOf = (weights: Weights) => ({ dims: DIMS, fingerprint: fingerprintOf(weights, DIMS) })
const model: Model = openModel(WEIGHTS, identityOf(WEIGHTS))

const always = () => true
const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, component, d) => sum + component * (b[d] as number), 0)
const vectorOf = (text: string) => model.embedText(text) as Float32Array

/** The sum that a text stands for, from the table before it was made small. */
function exactVector(text: string): Float32Array {
  const split = openSplitter(PARTS)
  const sum = new Float64Array(DIMS)
  for (const word of text.split(' ')) {
    for (const { bucket, weight } of featuresOf(word, { split, isTrained: always })) {
      for (let d = 0; d < DIMS; d++) {
        sum[d] = (sum[d] as number) + weight * (TABLE[bucket * DIMS + d] as number)
      }
    }
  }
  const length = Math.sqrt(sum.reduce((square, component) => square + component ** 2, 0))
  return Float32Array.from(sum, (component) => component / length)
}

describe('features', () => {
  const bucket = (feature: string) => hash32(feature) % BUCKETS

  const whole = { split: openSplitter([]), isTrained: always }

  test('are the word, and its n-grams that together weigh as much', () => {
    const grams = ['<ye', 'yes', 'eso', 'so>', '<yes', 'yeso', 'eso>', '<yeso', 'yeso>']
    expect(featuresOf('yeso', whole)).toEqual([
      { bucket: bucket('=yeso'), weight: 1 },
      ...grams.map((gram) => ({ bucket: bucket(gram), weight: 1 / 3 })),
    ])
    expect(featureNames('yeso')).toEqual(['=yeso', ...grams])
  })

  test.each(['m', 'de', 'yeso', 'gipskartonplatten'])('of %s lie in the buckets that features.ts names', (word) => {
    expect(featuresOf(word, whole).map((feature) => feature.bucket)).toEqual(bucketsOf(word))
  })

  test('of a compound are also its parts, as the words that they are', () => {
    const features = featuresOf('gipskartonplatten', { split: openSplitter(PARTS), isTrained: always })
    expect(features.slice(1, 4)).toEqual(PARTS.map((part) => ({ bucket: bucket(`=${part}`), weight: 1 })))
    expect(features).toHaveLength(1 + 3 + 17 + 16 + 15)
  })

  test('that were not trained are left out, and the n-grams that remain still weigh as much as a word', () => {
    const trained = new Set(['yes', 'eso', '<yes', 'so>'])
    const features = featuresOf('yeso', { split: openSplitter([]), isTrained: (name) => trained.has(name) })
    expect(features).toEqual(['yes', 'eso', 'so>', '<yes'].map((gram) => ({ bucket: bucket(gram), weight: 1 / 2 })))
  })
})

describe('a vector', () => {
  test('is the sum of its features’ rows, as far as small integers can tell', () => {
    for (const text of ['placa de yeso', 'gipskartonplatten', 'a']) {
      expect(cosine(vectorOf(text), exactVector(text))).toBeGreaterThan(0.99)
    }
  })

  test('has length 1, or there is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const vector = model.embedText(text)
        if (vector) expect(cosine(vector, vector)).toBeCloseTo(1, 5)
      }),
    )
  })

  test.each(['12 34', 'B500S', '日本', '½', ''])('there is none of %j, which has no word of letters', (text) => {
    expect(model.embedText(text)).toBeNull()
  })

  test('has nothing of features that were not trained, unless it has no others', () => {
    const known = vectorOf('placa')
    expect(cosine(known, vectorOf('placa qqqq'))).toBeCloseTo(1, 5)
    expect(Math.abs(cosine(known, vectorOf('qqqq')))).toBeLessThan(0.7)
    expect([model.knowsWord('placa'), model.knowsWord('karton'), model.knowsWord('qqqq')]).toEqual([true, true, false])
  })

  test('is the same for texts that fold alike, in any order of words, with any numbers', () => {
    const first = vectorOf('Größe Œuvre Łódź 12 mm')
    const second = vectorOf('MM lodz 13,5 oeuvre GROSSE')
    expect(cosine(first, second)).toBeCloseTo(1, 6)
    expect(cosine(vectorOf('Yeso de placa 12'), vectorOf('PLACA 3 de yeso'))).toBeCloseTo(1, 6)
    expect(cosine(vectorOf('placa de yeso'), vectorOf('placa'))).toBeLessThan(0.9)
  })

  test('is the same from a model that was opened anew, and after the cache of words was emptied', () => {
    const before = vectorOf('Placa de yeso laminado')
    expect(openModel(WEIGHTS, identityOf(WEIGHTS)).embedText('Placa de yeso laminado')).toEqual(before)
    const letters = (n: number) =>
      [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    for (let n = 0; n < 21_000; n++) model.embedText(letters(n).join(''))
    expect(vectorOf('Placa de yeso laminado')).toEqual(before)
  })
})

describe('packed weights', () => {
  test('keep every component within half a step of its row, and take half a byte each', () => {
    expect(WEIGHTS.table).toHaveLength(BUCKETS * (DIMS / 2 + 4))
    const view = new DataView(WEIGHTS.table.buffer, (BUCKETS * DIMS) / 2)
    for (let bucket = 0; bucket < BUCKETS; bucket += 997) {
      const scale = view.getFloat32(bucket * 4, true)
      for (let d = 0; d < DIMS; d++) {
        const pair = WEIGHTS.table[(bucket * DIMS + d) >> 1] as number
        const component = scale * ((d % 2 === 0 ? pair & 15 : pair >> 4) - 8)
        expect(Math.abs(component - (TABLE[bucket * DIMS + d] as number))).toBeLessThan(scale * 0.501)
      }
    }
  })

  test('of rows of zeros are zeros, and a text of such rows has no vector', () => {
    const weights = { ...WEIGHTS, table: packed(new Float32Array(BUCKETS * DIMS), DIMS) }
    expect(openModel(weights, identityOf(weights)).embedText('placa')).toBeNull()
  })

  test('are refused when they are not those of the metadata, or too short', () => {
    const other = { ...WEIGHTS, parts: ['gips'] }
    expect(() => openModel(other, identityOf(WEIGHTS))).toThrow(`expected ${identityOf(WEIGHTS).fingerprint}`)
    const short = { ...WEIGHTS, table: WEIGHTS.table.subarray(1) }
    expect(() => openModel(short, identityOf(short))).toThrow('weights of 1310719 bytes: expected 1310720')
  })

  test('are read from the files of a folder', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'model-'))
    writeFileSync(join(folder.path, MODEL_FILES.table), WEIGHTS.table)
    writeFileSync(join(folder.path, MODEL_FILES.features), WEIGHTS.features)
    writeFileSync(join(folder.path, MODEL_FILES.parts), `${PARTS.join('\n')}\n`)
    writeFileSync(join(folder.path, MODEL_FILES.metadata), JSON.stringify(identityOf(WEIGHTS)))
    const read = readModel(folder.path)
    expect(read.fingerprint).toBe(model.fingerprint)
    expect(read.embedText('Gipskartonplatten')).toEqual(model.embedText('Gipskartonplatten'))
  })
})
