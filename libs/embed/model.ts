import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import { openBloom } from './bloom.ts'
import { openSplitter } from './compounds.ts'
import { BUCKETS, hash32, wordsOf } from './features.ts'

/**
 * The trained embedder: a table with a row of small integers and a scale for each bucket of features, and unit vectors
 * of texts by it. libs/embed/train makes the table; nothing here is random, and one table gives the same vectors
 * everywhere.
 */
export type Model = Readonly<{
  dims: number
  /** Identity of the weights and of how texts become features: vectors are comparable only under one fingerprint. */
  fingerprint: string
  /** The unit vector of a text; null for one without a word of letters only, as `12 34`, `B500S` and `日本`. */
  embedText: (text: string) => Float32Array | null
  /** Whether a folded word stood in the training data, in any language; one in a hundred is taken for one that did. */
  knowsWord: (word: string) => boolean
}>

/** What is known of a model, beside its files as JSON: the first two to read it, the rest to judge it. */
export type Metadata = Readonly<{
  dims: number
  fingerprint: string
  [about: string]: unknown
}>

/** What a model is made of: the table, as `packed` writes it, the set of trained features, and the parts of compounds. */
export type Weights = Readonly<{ table: Uint8Array; features: Uint8Array; parts: readonly string[] }>

/** Names of the files of a model in its folder; parts are words with line breaks between them. */
export const MODEL_FILES = {
  table: 'table.bin',
  features: 'features.bloom',
  parts: 'parts.txt',
  metadata: 'model.json',
} as const

/** Reads a model from its folder; throws when its files do not belong together. */
export function readModel(folder: string): Model {
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')
  const parts = textOf(MODEL_FILES.parts).split('\n').filter(Boolean)
  const metadata = JSON.parse(textOf(MODEL_FILES.metadata)) as Metadata
  const [table, features] = [
    readFileSync(join(folder, MODEL_FILES.table)),
    readFileSync(join(folder, MODEL_FILES.features)),
  ]
  return openModel({ table, features, parts }, metadata)
}

export function openModel(weights: Weights, { dims, fingerprint }: Metadata): Model {
  const found = fingerprintOf(weights, dims)
  if (found !== fingerprint) throw new Error(`weights of the model ${found}: expected ${fingerprint}`)
  const split = openSplitter(weights.parts)
  const isTrained = openBloom(weights.features)
  const { nibbles, scales } = unpacked(weights.table, dims)
  const words = new Map<string, Float32Array>()

  /** The sum of the rows of features, times their weights. */
  function sumOf(features: readonly Feature[]): Float32Array {
    const sum = new Float32Array(dims)
    for (const { bucket, weight } of features) {
      const scale = (scales[bucket] as number) * weight
      const from = (bucket * dims) / 2
      for (let d = 0; d < dims; d += 2) {
        const pair = nibbles[from + d / 2] as number
        sum[d] = (sum[d] as number) + scale * ((pair & 15) - ZERO)
        sum[d + 1] = (sum[d + 1] as number) + scale * ((pair >> 4) - ZERO)
      }
    }
    return sum
  }

  function vectorOf(word: string): Float32Array {
    const known = words.get(word)
    if (known) return known
    const vector = sumOf(featuresOf(word, { split, isTrained }))
    // Emptied rather than evicted one by one: the common words are back within a few texts.
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

  return {
    dims,
    fingerprint,
    embedText(text) {
      const found = wordsOf(text)
      // Where nothing is known ("xqzvw"), any direction is as good: it lies near no other text.
      return (
        embedWords(found, vectorOf) ??
        embedWords(found, (word) => sumOf(featuresOf(word, { split, isTrained: always })))
      )
    },
    knowsWord: (word) => isTrained(`=${word}`),
  }
}

const always = () => true

/** Vectors of words kept: 10 MB at 128 dimensions, more words than a catalog of 100,000 items has in daily use. */
const WORDS_CACHED_MAX = 20_000

/** Of length 1 in the same direction; null for the zero vector. */
function unit(vector: Float64Array): Float32Array | null {
  let square = 0
  for (const component of vector) square += component * component
  if (square === 0) return null
  const length = Math.sqrt(square)
  return Float32Array.from(vector, (component) => component / length)
}

export type Feature = Readonly<{ bucket: number; weight: number }>

/**
 * The features of a word: the word itself, its n-grams, which together weigh as much, and the known parts of a compound
 * ("gips", "karton" and "platten" of "gipskartonplatten"), each as the word that it is. Those that were not trained are
 * left out: their rows belong to others that share the bucket, and say nothing of this word.
 */
export function featuresOf(
  word: string,
  { split, isTrained }: { split: (word: string) => readonly string[]; isTrained: (feature: string) => boolean },
): Feature[] {
  const grams = ngramsOf(word).filter(isTrained)
  const wholes = [word, ...split(word)].map((part) => `=${part}`).filter(isTrained)
  return [
    ...wholes.map((name) => ({ bucket: hash32(name) % BUCKETS, weight: 1 })),
    ...grams.map((gram) => ({ bucket: hash32(gram) % BUCKETS, weight: 1 / Math.sqrt(grams.length) })),
  ]
}

/** Names of all features of a word, as the set of trained features holds them. */
export function featureNames(word: string): string[] {
  return [`=${word}`, ...ngramsOf(word)]
}

/** The n-grams of 3, 4 and 5 characters of a word with its ends marked, repeats kept, but not the marked word itself. */
function ngramsOf(word: string): string[] {
  const marked = `<${word}>`
  return [3, 4, 5].flatMap((n) =>
    n < marked.length ? Array.from({ length: marked.length - n + 1 }, (_, at) => marked.slice(at, at + n)) : [],
  )
}

/** Version of how a text becomes a vector: features.ts, compounds.ts, the weights above, and the format of the table. */
const ALGORITHM = 'hashed-ngrams/1'

/** The identity of a model: of its bytes and of how they are used. */
export function fingerprintOf({ table, features, parts }: Weights, dims: number): string {
  const digest = sha256Hex([sha256Hex(table), sha256Hex(features), sha256Hex(parts.join(' '))].join(' '))
  return `${ALGORITHM}/${dims}/${digest.slice(0, 12)}`
}

/** A row's components are its scale times -7 to 7, kept as 1 to 15. */
const STEPS = 7
const ZERO = 8

/**
 * The bytes of a table of BUCKETS rows: two components a byte, the even one in the low half, all rows; then the rows'
 * scales as f32, little-endian. A row of zeros has the scale 0.
 */
export function packed(table: Float32Array, dims: number): Uint8Array {
  const bytes = new Uint8Array(BUCKETS * (dims / 2 + SCALE_BYTES))
  const scales = new DataView(bytes.buffer, (BUCKETS * dims) / 2)
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const row = table.subarray(bucket * dims, (bucket + 1) * dims)
    const scale = Math.fround(row.reduce((most, component) => Math.max(most, Math.abs(component)), 0) / STEPS)
    scales.setFloat32(bucket * SCALE_BYTES, scale, true)
    const stepsOf = (component: number) =>
      scale === 0 ? ZERO : ZERO + Math.max(-STEPS, Math.min(STEPS, Math.round(component / scale)))
    for (let d = 0; d < dims; d += 2) {
      bytes[(bucket * dims + d) / 2] = stepsOf(row[d] as number) | (stepsOf(row[d + 1] as number) << 4)
    }
  }
  return bytes
}

const SCALE_BYTES = 4

function unpacked(bytes: Uint8Array, dims: number): { nibbles: Uint8Array; scales: Float32Array } {
  const expected = BUCKETS * (dims / 2 + SCALE_BYTES)
  if (bytes.length !== expected) throw new Error(`weights of ${bytes.length} bytes: expected ${expected}`)
  const end = (BUCKETS * dims) / 2
  const view = new DataView(bytes.buffer, bytes.byteOffset + end)
  const scales = new Float32Array(BUCKETS)
  for (let bucket = 0; bucket < BUCKETS; bucket++) scales[bucket] = view.getFloat32(bucket * SCALE_BYTES, true)
  return { nibbles: bytes.subarray(0, end), scales }
}
