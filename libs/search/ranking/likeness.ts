import { openMemo } from '@catalog/core/memo.ts'
import { builtinVector } from '@catalog/embed/builtin/builtin.ts'
import { wordsOf } from '@catalog/embed/builtin/features.ts'
import { conceptsOf, headConcepts, headOf } from '@catalog/embed/concepts/concepts.ts'
import { dotProduct } from '@catalog/embed/dot-product.ts'

/**
 * How near the words of a question are to those of a name, -1 to 1, by the built-in model's vector of each word. A long name
 * hides its thing in one vector; here each word of one text looks for its nearest word in the other (late interaction:
 * Khattab and Zaharia, ColBERT, SIGIR 2020).
 */
export type Likeness = Readonly<{
  /** Of what question and name are about, each as one vector. */
  heads: number
  /** Mean, and least, of the question's words in the name. */
  words: number
  leastWord: number
  /** Mean of the words that the question is about in the head of the name; of the head's words in the question. */
  headWords: number
  nameWords: number
  /** Mean of the question's words in the category path and unit. */
  bodyWords: number
  /** Share of the concepts that the question is about in the head of the name, and the other way round; -1 without any. */
  subject: number
  ownSubject: number
}>

/** `body` is the document's category path and unit. Texts without known words are unlike: 0, with no least word: 1. */
export function likenessOf(question: string, { name, body }: Readonly<{ name: string; body: string }>): Likeness {
  const [asked, named] = [wordVectors(question), wordVectors(name)]
  const inName = asked.words.map((word) => nearest(word, named.words))
  const rest = wordVectors(body)
  return {
    heads: asked.headVector && named.headVector ? dotProduct(asked.headVector, named.headVector, 0) : 0,
    words: mean(inName),
    leastWord: Math.min(1, ...inName),
    headWords: mean(asked.head.map((word) => nearest(word, named.head))),
    nameWords: mean(named.head.map((word) => nearest(word, asked.words))),
    bodyWords: mean(asked.words.map((word) => nearest(word, rest.words))),
    subject: shareOf(asked.concepts, named.concepts),
    ownSubject: shareOf(named.concepts, asked.allConcepts),
  }
}

type WordVectors = Readonly<{
  words: readonly Float32Array[]
  head: readonly Float32Array[]
  headVector: Float32Array | null
  concepts: ReadonlySet<string>
  allConcepts: ReadonlySet<string>
}>

/** Consecutive queries often have the same candidates, and names the same words. */
const texts = openMemo<WordVectors>(4_000)
const words = openMemo<Float32Array | null>(20_000)

function wordVectors(text: string): WordVectors {
  return texts(text, () => {
    const headWords = vectorsOf(headOf(text))
    return {
      words: vectorsOf(text),
      head: headWords,
      headVector: sumOf(headWords),
      concepts: headConcepts(text),
      allConcepts: conceptsOf(text),
    }
  })
}

function vectorsOf(text: string): Float32Array[] {
  return wordsOf(text)
    .filter((word) => word.length >= LETTERS_MIN)
    .flatMap((word) => words(word, () => builtinVector(word)) ?? [])
}
/** Shorter words are articles, prepositions and units. */
const LETTERS_MIN = 3

/** The greatest cosine, at least 0. */
function nearest(word: Float32Array, among: readonly Float32Array[]): number {
  let most = 0
  for (const other of among) most = Math.max(most, dotProduct(word, other, 0))
  return most
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

function shareOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return some.size === 0 ? -1 : some.intersection(others).size / some.size
}

/** A unit vector in the direction of the sum; null without a word. */
function sumOf(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors
  if (first === undefined) return null
  const sum = new Float32Array(first.length)
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number)
  const length = Math.sqrt(dotProduct(sum, sum, 0))
  return length > 0 ? sum.map((component) => component / length) : null
}
