import { openSplitter } from '@catalog/embed/builtin/compounds.ts'
import { featureNames, featuresOf, wordsOf } from '@catalog/embed/builtin/features.ts'
import type { Concept } from '@catalog/research/embedder/corpus/concepts.ts'
import { openPairs } from '@catalog/research/embedder/corpus/pairs.ts'
import { compoundParts } from '@catalog/research/embedder/corpus/parts.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { openNetwork, type WordFeatures } from './network.ts'

export type Settings = Readonly<{
  /**
   * Steps of `batch` concepts each. The learning rate falls over all of them, so half of the steps give another model.
   */
  steps: number
  batch: number
  /** Components of a vector. */
  dims: number
  seed: number
}>

export type Trained = Readonly<{
  /** BUCKETS rows of `dims` components. */
  table: Float32Array
  /** Names of all features of the concepts' strings, each once. */
  features: ReadonlySet<string>
  /** Parts of compounds, which are features too. */
  parts: readonly string[]
}>

/** Trains a table on concepts: the same bytes for the same concepts in the same order and the same settings. */
export function train(
  concepts: readonly Concept[],
  { steps, batch, dims, seed }: Settings,
  onStep: (progress: { step: number; loss: number }) => void = () => {},
): Trained {
  const parts = compoundParts(concepts)
  const pairs = openPairs(concepts)
  const words = new Set(pairs.texts.flatMap(wordsOf))
  const features = new Set([...[...words].flatMap(featureNames), ...parts.map((part) => `=${part}`)])
  const random = randomOf(seed)
  const network = openNetwork({ dims, batchMax: batch, wordsOf: featureLists(pairs.texts, parts), random })
  for (let step = 1; step <= steps; step++) {
    const loss = network.step(pairs.draw(batch, random), rateOf(step, steps))
    onStep({ step, loss })
  }
  return { table: network.table, features, parts }
}

/** Rises over the first steps, then falls along half a cosine. */
function rateOf(step: number, steps: number): number {
  const falling = RATE_END + (1 - RATE_END) * 0.5 * (1 + Math.cos((Math.PI * step) / steps))
  return RATE * Math.min(1, step / WARM_UP_STEPS) * falling
}

const RATE = 0.02
/** As a share of RATE. */
const RATE_END = 0.05
const WARM_UP_STEPS = 200

/** The features of texts' words by the texts' numbers; each word is split once. */
function featureLists(texts: readonly string[], parts: readonly string[]): (text: number) => readonly WordFeatures[] {
  const split = openSplitter(parts)
  const words = new Map<string, WordFeatures>()
  const lists = texts.map((text) =>
    wordsOf(text).map((word) => {
      const known = words.get(word)
      if (known) return known
      const features = featuresOf(word, { split, isTrained: () => true })
      const made = {
        buckets: Int32Array.from(features, ({ bucket }) => bucket),
        weights: Float32Array.from(features, ({ weight }) => weight),
      }
      words.set(word, made)
      return made
    }),
  )
  return (text) => lists[text] as WordFeatures[]
}
