import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import { openBloom } from './bloom.ts'
import { openSplitter } from './compounds.ts'
import { BUCKETS, type Feature, featuresOf, wordsOf } from './features.ts'
import { openRows } from './rows.ts'

/**
 * The trained embedder: a table with a quantised row for each feature bucket, and the unit vectors of texts by it.
 * Training in research/embedder makes the table. Inference is deterministic: one table gives the same vectors
 * everywhere.
 */
export type Model = Readonly<{
  dims: number
  /** Identity of the weights and of the feature pipeline: vectors are comparable only under one fingerprint. */
  fingerprint: string
  /** The unit vector of a text; null without a word of letters only, as for `12 34`, `B500S` and `日本`. */
  embedText: (text: string) => Float32Array | null
  /** Whether the training data has a folded word, in any language; wrong for one unknown word in a hundred. */
  knowsWord: (word: string) => boolean
}>

/** The metadata file beside the weights: the first two fields are needed to read them, the rest describes their quality. */
export type Metadata = Readonly<{
  dims: number
  fingerprint: string
  [about: string]: unknown
}>

/** The parts of a model: the table as rows, the set of trained features, and the parts of compounds. */
export type Weights = Readonly<{
  table: Uint8Array
  features: Uint8Array
  parts: readonly string[]
}>

/** File names in the folder of a model; the file of parts has one word a line. */
export const MODEL_FILES = {
  table: 'table.bin',
  features: 'features.bloom',
  parts: 'parts.txt',
  metadata: 'model.json',
} as const

/** Reads a model from its folder; throws when its files do not match. */
export function readModel(folder: string): Model {
  const bytesOf = (file: string) => readFileSync(join(folder, file))
  const parts = bytesOf(MODEL_FILES.parts).toString('utf8').split('\n').filter(Boolean)
  const metadata = JSON.parse(bytesOf(MODEL_FILES.metadata).toString('utf8')) as Metadata
  const [table, features] = [bytesOf(MODEL_FILES.table), bytesOf(MODEL_FILES.features)]
  return openModel({ table, features, parts }, metadata)
}

export function openModel(weights: Weights, { dims, fingerprint }: Metadata): Model {
  const found = fingerprintOf(weights, dims)
  if (found !== fingerprint) throw new Error(`weights of the model ${found}: expected ${fingerprint}`)
  const split = openSplitter(weights.parts)
  const isTrained = openBloom(weights.features)
  const table = openRows(weights.table, { dims, count: BUCKETS })
  const words = new Map<string, Float32Array>()

  /** The weighted sum of the features' rows. */
  function sumOf(features: readonly Feature[]): Float32Array {
    const sum = new Float32Array(dims)
    for (const { bucket, weight } of features) table.addTo(sum, bucket, weight)
    return sum
  }

  function vectorOf(word: string): Float32Array {
    const known = words.get(word)
    if (known) return known
    const vector = sumOf(featuresOf(word, { split, isTrained }))
    // Clear instead of evicting: the common words return within a few texts.
    if (words.size >= WORDS_CACHED_MAX) words.clear()
    words.set(word, vector)
    return vector
  }

  function embedWords(found: readonly string[], vector: (word: string) => Float32Array): Float32Array | null {
    const sum = new Float64Array(dims)
    for (const word of found) {
      const part = vector(word)
      for (let d = 0; d < dims; d++) sum[d] = (sum[d] as number) + (part[d] as number)
    }
    return unit(sum)
  }

  const knowsWord = (word: string) => isTrained(`=${word}`)

  return {
    dims,
    fingerprint,
    embedText(text) {
      const found = wordsOf(text)
      // Without a known feature ("xqzvw") any direction will do: it lies near no other text.
      return (
        embedWords(found, vectorOf) ??
        embedWords(found, (word) => sumOf(featuresOf(word, { split, isTrained: always })))
      )
    },
    knowsWord,
  }
}

const always = () => true

/** 8 MB at 96 dimensions; more words than a catalog of 100,000 items uses in a day. */
const WORDS_CACHED_MAX = 20_000

/** The vector scaled to length 1; null for the zero vector. */
function unit(vector: Float64Array): Float32Array | null {
  let square = 0
  for (const component of vector) square += component * component
  if (square === 0) return null
  const length = Math.sqrt(square)
  return Float32Array.from(vector, (component) => component / length)
}

/** Version of features.ts, compounds.ts, the sums above, and the format of rows. */
const ALGORITHM = 'hashed-ngrams/2'

/** The identity of a model: a digest of its bytes and of the algorithm. */
export function fingerprintOf({ table, features, parts }: Weights, dims: number): string {
  const files = [table, features, parts.join(' ')]
  return `${ALGORITHM}/${dims}/${sha256Hex(files.map(sha256Hex).join(' ')).slice(0, 12)}`
}
