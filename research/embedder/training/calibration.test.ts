import { randomOf } from '@catalog/core/random.ts'
import { openAnchors } from '@catalog/embed/builtin/anchors.ts'
import { hash32 } from '@catalog/embed/builtin/features.ts'
import type { Concept } from '@catalog/research/embedder/corpus/concepts.ts'
import { foreignTopicOf, isBuilding } from '@catalog/research/embedder/corpus/topics.ts'
import { describe, expect, test } from 'vitest'
import { anchorsOf, fixedVectors } from './anchors.ts'
import { calibrate } from './calibration.ts'

const DIMS = 32

/** The first word of a text gives a direction; the whole text deviates from it, always in the same way. */
function embedText(text: string): Float32Array | null {
  const directionOf = (seed: string) => {
    const random = randomOf(hash32(seed))
    return Float32Array.from({ length: DIMS }, () => random() - 0.5)
  }
  const [first = ''] = text.split(' ')
  const [main, own] = [directionOf(first), directionOf(text)]
  const sum = main.map((component, d) => component + 0.4 * (own[d] as number))
  const length = Math.hypot(...sum)
  return sum.map((component) => component / length)
}

const concept = (id: string, source: Concept['source'], english: string, spanish: string): Concept => ({
  id: `${source}:${id}`,
  source,
  group: english,
  strings: { en: [english], es: [spanish] },
})
const numbered = (count: number, make: (i: number) => Concept) => Array.from({ length: count }, (_, i) => make(i))

const building = [
  ...numbered(80, (i) => concept(`44${i}`, 'cpv', `pipe${i % 20} small ${i}`, `pipe${i % 20} corto ${i}`)),
  ...numbered(80, (i) => concept(`M${i}`, 'cwicr', `brick${i % 20} red ${i}`, `brick${i % 20} rojo ${i}`)),
]
const foreign = [
  ...numbered(40, (i) => concept(`15${i}`, 'cpv', `food${i % 8} fresh ${i}`, `food${i % 8} fresco ${i}`)),
  ...numbered(40, (i) => concept(`tg${i}`, 'shopify', `toy${i % 8} new ${i}`, `toy${i % 8} nuevo ${i}`)),
]
const hardware = numbered(20, (i) => concept(`ha${i}`, 'shopify', `pipe${i} hard ${i}`, `pipe${i} duro ${i}`))
const dev = new Set(building.filter((_, i) => i % 2 === 0).map(({ id }) => id))
const model = { embedText, knowsWord: (word: string) => !/^[^aeiou]+$/.test(word), dims: DIMS }

describe('the gate of a model', () => {
  const { gate, kept } = calibrate({ concepts: building, training: [...building, ...foreign], dev, model })

  test('keeps held-out queries about building and refuses those of other topics', () => {
    expect((kept.cpv + kept.cwicr) / 2).toBeGreaterThanOrEqual(0.975)
    expect(kept.foreign).toBeLessThan(0.1)
    expect(kept.gibberish).toBeLessThanOrEqual(0.02)
  })

  test('is as high as the kept share allows, and deterministic', () => {
    expect(gate.base).toBeGreaterThan(0.3)
    expect(calibrate({ concepts: building, training: [...building, ...foreign], dev, model })).toEqual({ gate, kept })
  })

  test('keeps them even if foreign queries resemble names of the index, and lets some of those pass', () => {
    // Foreign words with the direction of names in the index: only their nearness to other foreign words tells them
    // apart.
    const alike = numbered(40, (i) => concept(`15${i}`, 'cpv', `brick${i % 20} tart ${i}`, `brick${i % 20} tarta ${i}`))
    const other = calibrate({ concepts: building, training: [...building, ...alike, ...foreign], dev, model })
    expect((other.kept.cpv + other.kept.cwicr) / 2).toBeGreaterThanOrEqual(0.975)
    expect(other.kept.foreign).toBeGreaterThan(kept.foreign)
  })
})

test('topics are divisions and verticals unrelated to building', () => {
  expect([...new Set(foreign.map(foreignTopicOf))]).toEqual(['cpv 15', 'shopify tg'])
  expect([...building, ...hardware].every((each) => foreignTopicOf(each) === null)).toBe(true)
  expect(hardware.every(isBuilding)).toBe(true)
  expect([...building, ...foreign].some(isBuilding)).toBe(false)
})

test('anchors are foreign topics, and building concepts outside the evaluated ones', () => {
  const { building: near, foreign: far } = fixedVectors([...building, ...hardware, ...foreign], embedText, DIMS)
  expect([near.length, far.length]).toEqual([hardware.length, foreign.length])
  const anchors = anchorsOf([...building, ...hardware, ...foreign], embedText, DIMS)
  const nearest = (set: keyof typeof anchors, text: string) =>
    openAnchors(anchors[set], DIMS).nearest(embedText(text) as Float32Array)
  expect(nearest('foreign', 'food1 fresh 1')).toBeGreaterThan(0.9)
  expect(nearest('building', 'pipe1 hard 1')).toBeGreaterThan(0.9)
  expect(nearest('building', 'food1 fresh 1')).toBeLessThan(0.8)
})
