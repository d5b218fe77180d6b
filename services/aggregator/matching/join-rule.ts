import { type JudgedPair, judgeAmong, type ScoredPair } from '@catalog/core/matching/assignment.ts'
import { type Blocks, blocksOf } from '@catalog/core/matching/blocking.ts'
import type { MatchSku } from '@catalog/core/matching/match.ts'
import { type Meaning, mayBeOne, type SkuPairModel, scorePair } from '@catalog/core/matching/sku-pair.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'

/** How likely two SKUs are one product, and what follows from that. Pure: equal SKUs give equal answers for ever. */
export type JoinRule = Readonly<{
  /** Names the rule and its model in every decision. */
  version: string
  /** From this chance on two SKUs come together by themselves, and below `review` nobody hears of them; 0 to 1. */
  auto: number
  review: number
  blocks: (sku: MatchSku) => Blocks
  /** A gate beside those of every rule, which no score opens. Symmetric. */
  mayBeOne: (a: MatchSku, b: MatchSku) => boolean
  /** First look, at the two alone: 0 to 1; symmetric. */
  score: (a: MatchSku, b: MatchSku) => number
  /** Second look, at all that were scored together: the chance of each among its rivals. No order matters. */
  judge: <Pair extends ScoredPair>(pairs: readonly Pair[]) => readonly JudgedPair<Pair>[]
  /** What spoke for it, by name, for a person; a few values. */
  evidence: (a: MatchSku, b: MatchSku) => Readonly<Record<string, string | number | null>>
}>

/** What names mean whatever their words: by the concepts of the lexicon, and by vectors that tell nothing of sizes. */
export type VectorOf = (name: string) => Float32Array | null

/**
 * The learned rule. `vectorOf` is the embedder that the model was learned with ({@link SkuPairModel.vectors}), whichever
 * one search uses.
 */
export function learnedRule(model: SkuPairModel, vectorOf: VectorOf): JoinRule {
  const meaningOf = openMeanings(vectorOf)
  return {
    version: `${model.version} ${model.vectors}`,
    auto: model.automaticMin,
    review: model.reviewMin,
    blocks: skuBlocks,
    mayBeOne,
    score: (a, b) => scorePair(model, a, b, meaningOf(a, b)),
    judge: (pairs) => judgeAmong(model.among, pairs),
    evidence: (a, b) => {
      const { cosine, concepts } = meaningOf(a, b)
      const shared = [...concepts[0].intersection(concepts[1])].sort()
      return { cosine: cosine === undefined ? null : Number(cosine.toFixed(2)), concepts: shared.join(' ') }
    },
  }
}

/** By the concepts of its name; of a name without any, by those of its category. */
export function skuBlocks(sku: MatchSku): Blocks {
  const named = conceptsOf(sku.name)
  return blocksOf(sku, named.size > 0 ? named : conceptsOf(sku.categoryPath?.at(-1) ?? ''))
}

/** How near two names lie in meaning. What a name means is read once for each SKU as it was given. */
export function openMeanings(vectorOf: VectorOf) {
  type Named = Readonly<{ vector: Float32Array | null; concepts: ReadonlySet<string> }>
  const named = new WeakMap<MatchSku, Named>()
  const namedBy = (sku: MatchSku): Named => {
    const kept = named.get(sku)
    if (kept) return kept
    const made = { vector: vectorOf(sku.name), concepts: conceptsOf(sku.name) }
    named.set(sku, made)
    return made
  }
  return (a: MatchSku, b: MatchSku) => {
    const [one, other] = [namedBy(a), namedBy(b)]
    const cosine = one.vector && other.vector ? dot(one.vector, other.vector) : undefined
    return { cosine, concepts: [one.concepts, other.concepts] } as const satisfies Meaning
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, d) => sum + value * (b[d] as number), 0)
}
