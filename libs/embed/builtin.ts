import { canonicalJson, sha256Hex } from '@catalog/core/digest.ts'
import type { Embedder } from './embed.ts'
import { bucketsOf, hash32, wordsOf } from './features.ts'
import { lexiconConcepts } from './lexicon.ts'

/**
 * The built-in embedder: offline, no download, same bytes everywhere. A text is the sum of its words; a word is the sum
 * of the rows of its spelling features, so words spelled alike lie close ("hormigón", "hormigones"). Rows are random
 * directions, which in 128 dimensions are nearly orthogonal: the cosine is the overlap of features, with an error of
 * about 1/√128. Where spelling does not help ("drywall", "pladur"), a concept of the lexicon adds a direction of its own.
 *
 * Null for a text without a word of letters only: `12 34`, `B500S`, `日本`.
 */
export function openBuiltinEmbedder(): Embedder {
  const words = new Map<string, Float32Array>()
  const concepts = conceptIndex()

  function vectorOf(word: string): Float32Array {
    const known = words.get(word)
    if (known) return known
    const made = wordVector(word)
    // Emptied rather than evicted one by one: the common words are back within a few texts.
    if (words.size >= WORDS_CACHED_MAX) words.clear()
    words.set(word, made)
    return made
  }

  function embedOne(text: string): Float32Array | null {
    const found = wordsOf(text)
    if (found.length === 0) return null
    const sum = new Float64Array(DIMS)
    for (const word of found) {
      const vector = vectorOf(word)
      for (let d = 0; d < DIMS; d++) sum[d] = (sum[d] as number) + (vector[d] as number)
    }
    for (const concept of concepts.in(found)) addRow(sum, hash32(concept), CONCEPT_WEIGHT)
    let square = 0
    for (const component of sum) square += component * component
    const length = Math.sqrt(square)
    return Float32Array.from(sum, (component) => component / length)
  }

  return {
    model: 'builtin-spelling',
    dims: DIMS,
    fingerprint: FINGERPRINT,
    embed: async (texts) => texts.map(embedOne),
  }
}

const DIMS = 128

/**
 * Rows that were never trained cannot tell that "Element" and "Elemente" are one word, so the whole word says less than
 * its n-grams: a squared length of .25 beside 1.
 */
const WHOLE_WORD_SCALE = 0.5

/**
 * Squared 4.8, as four words: two names of two and four words that share nothing but a concept come to a cosine near
 * .57, a word with a typing error and the right one, which alone has the concept, to .5; two equal names stay above.
 */
const CONCEPT_WEIGHT = 2.2

/** Vectors of words kept: 10 MB, more words than a catalog of 100,000 items commonly has in daily use. */
const WORDS_CACHED_MAX = 20_000

/**
 * Function words and units of measure say little of what a thing is; their features get a small row. "la" is not among
 * them: folded, it is also Portuguese wool.
 */
const QUIET_WORDS = new Set(
  `a al and au aus aux avec by cm con d da dal das de degli dei del della der des di die do dos du e em en et for from fur g h
  i il im in kg km l las le les lo los m mit ml mm na no nr o of on ou para par per por pour pro s sin sur t the to
  um una und uni unid un une von with x y zu`.split(/\s+/),
)
const QUIET_SCALE = 0.25
const QUIET_BUCKETS = new Set([...QUIET_WORDS].flatMap(bucketsOf))

/** Version of the arithmetic in this file and in features.ts; the lexicon speaks for itself in the fingerprint. */
const ALGORITHM = 'builtin-spelling/1'
const FINGERPRINT = `${ALGORITHM}/${DIMS}/${sha256Hex(canonicalJson(lexiconConcepts())).slice(0, 12)}`

function wordVector(word: string): Float32Array {
  const sum = new Float64Array(DIMS)
  const [whole, ...grams] = bucketsOf(word)
  addRow(sum, whole as number, WHOLE_WORD_SCALE * scaleOf(whole as number))
  for (const gram of grams) addRow(sum, gram, scaleOf(gram) / Math.sqrt(grams.length))
  return Float32Array.from(sum)
}

function scaleOf(bucket: number): number {
  return QUIET_BUCKETS.has(bucket) ? QUIET_SCALE : 1
}

/** Adds the row of a seed, a unit vector whose signs are bits of a hash: made anew each time, never stored. */
function addRow(sum: Float64Array, seed: number, weight: number): void {
  const step = weight / Math.sqrt(DIMS)
  for (let block = 0; block < DIMS / 32; block++) {
    // The finaliser of MurmurHash3 over a sequence with the golden ratio as its stride.
    let bits = Math.imul(seed, 0x9e3779b1) + Math.imul(block + 1, 0x7f4a7c15)
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    bits ^= bits >>> 16
    for (let bit = 0; bit < 32; bit++) {
      const at = block * 32 + bit
      sum[at] = (sum[at] as number) + ((bits >>> bit) & 1 ? step : -step)
    }
  }
}

/** Finds the concepts of a text: the longest term first, left to right, function words and endings left aside. */
function conceptIndex() {
  const idsOf = new Map<string, Set<string>>()
  const firstWords = new Set<string>()
  let longest = 0
  for (const { id, pos, terms } of lexiconConcepts()) {
    // "White" or "to install" is said of half the catalog: only nouns tell what a thing is.
    if (pos !== 'noun') continue
    for (const { term, isAmbiguous } of terms) {
      const key = matchWords(wordsOf(term))
      if (isAmbiguous || key.length === 0) continue
      idsOf.set(key.join(' '), (idsOf.get(key.join(' ')) ?? new Set()).add(id))
      firstWords.add(key[0] as string)
      longest = Math.max(longest, key.length)
    }
  }
  return {
    in(words: readonly string[]): Set<string> {
      const key = matchWords(words)
      const found = new Set<string>()
      for (let at = 0; at < key.length; at++) {
        if (!firstWords.has(key[at] as string)) continue
        for (let length = Math.min(longest, key.length - at); length > 0; length--) {
          const ids = idsOf.get(key.slice(at, at + length).join(' '))
          if (ids === undefined) continue
          // Hashed to 32 bits, so the seed of its row is none of a bucket. Several where languages share a word.
          for (const id of ids) found.add(`concept ${id}`)
          at += length - 1
          break
        }
      }
      return found
    },
  }
}

/**
 * Words as terms are compared: without function words, and cut before the final vowels, n and s in which plurals and
 * genders of the six languages differ ("placa", "placas"; "Platte", "Platten"; "mattone", "mattoni").
 */
function matchWords(words: readonly string[]): string[] {
  return words.filter((word) => !QUIET_WORDS.has(word)).map(stem)
}

function stem(word: string): string {
  let end = word.length
  while (end > STEM_LETTERS_MIN && 'aeiouns'.includes(word[end - 1] as string)) end--
  return word.slice(0, end)
}
/** Shorter stems meet by chance: "tubo" and "tub". */
const STEM_LETTERS_MIN = 4
