import { sha256Hex } from '@catalog/core/digest.ts'
import { type Judgement, judgePairs, type PairColumns } from '@catalog/core/matching/assignment.ts'
import { type Blocks, blocksOf } from '@catalog/core/matching/blocking.ts'
import type { MatchText } from '@catalog/core/matching/match.ts'
import { areSoldAlike, type Meaning, type SkuPairModel, scorePair } from '@catalog/core/matching/sku-pair.ts'
import { TEXTS_MAX, textKey } from '@catalog/core/matching/sku-reading.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'

/**
 * The probability that two SKUs are one product, and what follows from it. Pure: equal SKUs always give equal answers.
 */
export type JoinRule = Readonly<{
  /** Names the rule and its model in every decision. */
  version: string
  /** Probability from 0 to 1. From `auto` on the rule joins two SKUs; from `review` on it proposes them to people. */
  auto: number
  review: number
  blocks: (sku: MatchText) => Blocks
  /** A gate of this rule, asked after `contradictionBetween`, the gate of every rule; no score opens it. Symmetric. */
  canBeOneProduct: (a: MatchText, b: MatchText) => boolean
  /** First stage: scores two SKUs on their own, from 0 to 1; symmetric. */
  score: (a: MatchText, b: MatchText) => number
  /** Second stage: the probability of each pair among its rivals. The order of pairs does not matter. */
  judge: (pairs: PairColumns) => Judgement
  /** A few named values that show a person why the rule decided so. */
  evidence: (a: MatchText, b: MatchText) => Readonly<Record<string, string | number | null>>
}>

/** The embedding of a name: a vector of its meaning without sizes; null when the embedder knows none of its words. */
export type VectorOf = (name: string) => Float32Array | null

/**
 * The learned rule. `vectorOf` must be the embedder that trained the model ({@link SkuPairModel.vectors}), even when
 * search uses another one.
 */
export function learnedRule(model: SkuPairModel, vectorOf: VectorOf): JoinRule {
  const meaningOf = openMeanings(vectorOf)
  const { version, vectors, inputs: _, ...learned } = model
  return {
    // Inputs may change and teach the same.
    version: `${version} ${vectors} ${sha256Hex(JSON.stringify(learned)).slice(0, 12)}`,
    auto: model.automaticMin,
    review: model.reviewMin,
    blocks: skuBlocks,
    canBeOneProduct: areSoldAlike,
    score: (a, b) => scorePair(model, a, b, meaningOf(a, b)),
    judge: (pairs) => judgePairs(model.among, pairs),
    evidence: (a, b) => {
      const { cosine, concepts } = meaningOf(a, b)
      const shared = [...concepts[0].intersection(concepts[1])].sort()
      return { cosine: cosine === undefined ? null : Number(cosine.toFixed(2)), concepts: shared.join(' ') }
    },
  }
}

/** Blocks by the concepts of the name; a name without concepts uses those of its category. */
export function skuBlocks(sku: MatchText): Blocks {
  return BLOCKS_OF_TEXTS(textKey(sku), () => {
    const named = conceptsOf(sku.name)
    return blocksOf(sku, named.size > 0 ? named : conceptsOf(sku.categoryPath?.at(-1) ?? ''))
  })
}
const BLOCKS_OF_TEXTS = openMemo<Blocks>(TEXTS_MAX)

/** Compares the meaning of two names. It reads the meaning of each SKU object once. */
export function openMeanings(vectorOf: VectorOf) {
  type Named = Readonly<{ vector: Float32Array | null; concepts: ReadonlySet<string> }>
  const named = new WeakMap<MatchText, Named>()
  const namedBy = (sku: MatchText): Named => {
    const kept = named.get(sku)
    if (kept) return kept
    const made = { vector: vectorOf(sku.name), concepts: conceptsOf(sku.name) }
    named.set(sku, made)
    return made
  }
  return (a: MatchText, b: MatchText) => {
    const [one, other] = [namedBy(a), namedBy(b)]
    const cosine = one.vector && other.vector ? dot(one.vector, other.vector) : undefined
    return { cosine, concepts: [one.concepts, other.concepts] } as const satisfies Meaning
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += (a[d] as number) * (b[d] as number)
  return sum
}
