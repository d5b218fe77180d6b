import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bloomOf } from './bloom.ts'
import { openSplitter } from './compounds.ts'
import { BUCKETS, featureNames, featuresOf, hash32 } from './features.ts'
import { fingerprintOf, MODEL_FILES, type Model, openModel, readModel, type Weights } from './model.ts'
import { packRows } from './rows.ts'

const DIMS = 32
const PARTS = ['gips', 'karton', 'platten']

/** A reproducible table of pseudo-random numbers. */
const TABLE = Float32Array.from({ length: BUCKETS * DIMS }, (_, i) => hash32(String(i)) / 2 ** 32 - 0.5)
const TRAINED = ['placa', 'de', 'yeso', 'laminado', 'a', 'gipskartonplatten', ...PARTS].flatMap(featureNames)
const WEIGHTS: Weights = {
  table: packRows(TABLE, DIMS),
  features: bloomOf(TRAINED),
  parts: PARTS,
}
const identityOf = (weights: Weights) => ({ dims: DIMS, fingerprint: fingerprintOf(weights, DIMS) })
const model: Model = openModel(WEIGHTS, identityOf(WEIGHTS))

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, component, d) => sum + component * (b[d] as number), 0)
const vectorOf = (text: string) => model.embedText(text) as Float32Array

/** The exact sum for a text, from the table before quantisation. */
function exactVector(text: string): Float32Array {
  const split = openSplitter(PARTS)
  const sum = new Float64Array(DIMS)
  for (const word of text.split(' ')) {
    for (const { bucket, weight } of featuresOf(word, { split, isTrained: () => true })) {
      for (let d = 0; d < DIMS; d++) {
        sum[d] = (sum[d] as number) + weight * (TABLE[bucket * DIMS + d] as number)
      }
    }
  }
  const length = Math.sqrt(sum.reduce((square, component) => square + component ** 2, 0))
  return Float32Array.from(sum, (component) => component / length)
}

describe('a vector', () => {
  test('is the sum of its features’ rows, up to quantisation', () => {
    for (const text of ['placa de yeso', 'gipskartonplatten', 'a']) {
      expect(cosine(vectorOf(text), exactVector(text))).toBeGreaterThan(0.99)
    }
  })

  test('has length 1 or is null', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const vector = model.embedText(text)
        if (vector) expect(cosine(vector, vector)).toBeCloseTo(1, 5)
      }),
    )
  })

  test.each(['12 34', 'B500S', '日本', '½', ''])('is null for %j, which has no word of letters', (text) => {
    expect(model.embedText(text)).toBeNull()
  })

  test('ignores untrained features, unless it has no others', () => {
    const known = vectorOf('placa')
    expect(cosine(known, vectorOf('placa qqqq'))).toBeCloseTo(1, 5)
    expect(Math.abs(cosine(known, vectorOf('qqqq')))).toBeLessThan(0.7)
    expect([model.knowsWord('placa'), model.knowsWord('karton'), model.knowsWord('qqqq')]).toEqual([true, true, false])
  })

  test('is the same for texts that fold alike, with any word order and any numbers', () => {
    const first = vectorOf('Größe Œuvre Łódź 12 mm')
    const second = vectorOf('MM lodz 13,5 oeuvre GROSSE')
    expect(cosine(first, second)).toBeCloseTo(1, 6)
    expect(cosine(vectorOf('Yeso de placa 12'), vectorOf('PLACA 3 de yeso'))).toBeCloseTo(1, 6)
    expect(cosine(vectorOf('placa de yeso'), vectorOf('placa'))).toBeLessThan(0.9)
  })

  test('is the same from a reopened model, and with an empty cache', () => {
    const before = vectorOf('Placa de yeso laminado')
    expect(openModel(WEIGHTS, identityOf(WEIGHTS)).embedText('Placa de yeso laminado')).toEqual(before)
    const letters = (n: number) =>
      [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    for (let n = 0; n < 21_000; n++) model.embedText(letters(n).join(''))
    expect(vectorOf('Placa de yeso laminado')).toEqual(before)
  })
})

describe('weights', () => {
  test('of rows of zeros give no vector', () => {
    const weights = { ...WEIGHTS, table: packRows(new Float32Array(BUCKETS * DIMS), DIMS) }
    expect(openModel(weights, identityOf(weights)).embedText('placa')).toBeNull()
  })

  test('are refused when they do not match the metadata, or are too short', () => {
    const other = { ...WEIGHTS, parts: ['gips'] }
    expect(() => openModel(other, identityOf(WEIGHTS))).toThrow(`expected ${identityOf(WEIGHTS).fingerprint}`)
    const short = { ...WEIGHTS, table: WEIGHTS.table.subarray(1) }
    expect(() => openModel(short, identityOf(short))).toThrow(
      `rows of ${BUCKETS * 18 - 1} bytes: expected ${BUCKETS} of 18`,
    )
  })

  test('are read from the files of a folder', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'model-'))
    const write = (file: string, content: string | Uint8Array) => writeFileSync(join(folder.path, file), content)
    write(MODEL_FILES.table, WEIGHTS.table)
    write(MODEL_FILES.features, WEIGHTS.features)
    write(MODEL_FILES.parts, `${PARTS.join('\n')}\n`)
    write(MODEL_FILES.metadata, JSON.stringify(identityOf(WEIGHTS)))
    const read = readModel(folder.path)
    expect(read.fingerprint).toBe(model.fingerprint)
    expect(read.embedText('Gipskartonplatten')).toEqual(model.embedText('Gipskartonplatten'))
  })
})
