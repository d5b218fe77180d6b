import { sha256Hex } from '@catalog/core/digest.ts'
import { bloomOf } from '@catalog/embed/builtin/bloom.ts'
import { fingerprintOf, openModel } from '@catalog/embed/builtin/model.ts'
import { packRows } from '@catalog/embed/builtin/rows.ts'
import type { Concept } from '@catalog/research/embedder/corpus/concepts.ts'
import { describe, expect, test } from 'vitest'
import { train } from './trainer.ts'

/** Pairs of invented words that share no letters between the languages, so only training can connect them. */
const CONCEPTS: Concept[] = Array.from({ length: 60 }, (_, i) => {
  const word = (letters: string) => [i >> 4, i & 15].map((part) => letters[part]).join('')
  const english = `${word('bcdfghjklmnpqrst')}a${word('bcdfghjklmnpqrst')}`
  const spanish = `${word('zyxwvutsrqponmlk')}o${word('zyxwvutsrqponmlk')}`
  return { id: `osm:${i}`, source: 'osm', group: english, strings: { en: [english], es: [spanish] } }
})
const SETTINGS = { steps: 40, batch: 32, dims: 32, seed: 1 }

const english = CONCEPTS.map(({ strings }) => strings.en?.[0] as string)
const spanish = CONCEPTS.map(({ strings }) => strings.es?.[0] as string)
const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, component, d) => sum + component * (b[d] as number), 0)

/** Share of the concepts whose English string has its own Spanish string as the nearest. */
function foundFirst(embedText: (text: string) => Float32Array | null): number {
  const targets = spanish.map((text) => embedText(text) as Float32Array)
  const found = english.filter((text, i) => {
    const query = embedText(text) as Float32Array
    const cosines = targets.map((target) => cosine(query, target))
    return cosines.indexOf(Math.max(...cosines)) === i
  })
  return found.length / CONCEPTS.length
}

function modelOf({ table, features, parts }: ReturnType<typeof train>) {
  const weights = { table: packRows(table, SETTINGS.dims), features: bloomOf(features), parts }
  return openModel(weights, { dims: SETTINGS.dims, fingerprint: fingerprintOf(weights, SETTINGS.dims) })
}

describe('training', () => {
  const losses: number[] = []
  const trained = train(CONCEPTS, SETTINGS, ({ loss }) => losses.push(loss))

  test('brings the strings of a concept together, also after quantization to small integers', () => {
    const untrained = modelOf(train(CONCEPTS, { ...SETTINGS, steps: 0 }))
    expect(foundFirst(untrained.embedText)).toBeLessThan(0.2)
    expect(foundFirst(modelOf(trained).embedText)).toBeGreaterThan(0.95)
  })

  test('begins at the loss of chance and ends well below it', () => {
    // 32 draws with replacement give some 25 distinct concepts.
    expect(losses).toHaveLength(SETTINGS.steps)
    expect(losses[0]).toBeGreaterThan(Math.log(20))
    expect(losses.at(-1)).toBeLessThan((losses[0] as number) / 3)
  })

  test('gives the same bytes for the same seed, and others for another', () => {
    const bytes = ({ table }: { table: Float32Array }) => sha256Hex(packRows(table, SETTINGS.dims))
    expect(bytes(train(CONCEPTS, SETTINGS))).toBe(bytes(trained))
    expect(bytes(train(CONCEPTS, { ...SETTINGS, seed: 2 }))).not.toBe(bytes(trained))
  })
})

test('trains the features of all words and of the parts of compounds', () => {
  const compounds = ['Stahl', 'Beton', 'Stahlbeton'].map(
    (text): Concept => ({
      id: `cpv:${text}`,
      source: 'cpv',
      group: text,
      strings: { en: [`the ${text}`], de: [text] },
    }),
  )
  const { features, parts } = train(compounds, { ...SETTINGS, steps: 0 })
  expect(parts).toEqual(['beton', 'stahl'])
  for (const name of ['=the', '=stahlbeton', '=stahl', '<sta', 'beton']) expect(features).toContain(name)
  expect(features).not.toContain('=bet')
  const leftover = ['Schiene', 'Sammelschiene', 'Leitung', 'Sammelleitung', 'Behälter', 'Sammelbehälter'].map(
    (text): Concept => ({
      id: `cpv:${text}`,
      source: 'cpv',
      group: text,
      strings: { en: [`the ${text}`], de: [text] },
    }),
  )
  expect(train(leftover, { ...SETTINGS, steps: 0 }).features).toContain('=sammel')
})

test('concepts of one group are no negatives of each other', () => {
  const twins = (group: (i: number) => string) =>
    CONCEPTS.slice(0, 8).map((concept, i): Concept => ({ ...concept, group: group(i) }))
  const lossOf = (concepts: readonly Concept[]) => {
    let loss = 0
    train(concepts, { ...SETTINGS, steps: 1 }, (progress) => {
      loss = progress.loss
    })
    return loss
  }
  expect(lossOf(twins(() => 'one'))).toBeCloseTo(0, 6)
  expect(lossOf(twins((i) => String(i)))).toBeGreaterThan(1)
})
