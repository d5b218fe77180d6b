import { type Blocks, blocksOf } from '@catalog/core/blocking.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { type MatchSku, traitsOf } from '@catalog/core/match.ts'
import { mayBeOne, type SkuPairModel, scorePair } from '@catalog/core/sku-pair.ts'
import { conceptsOf } from '@catalog/embed/concepts.ts'

/** How likely two SKUs are one product, and what follows from that. Pure: equal SKUs give equal answers for ever. */
export type JoinRule = Readonly<{
  /** Names the rule and its model in every decision. */
  version: string
  /** From this score on two SKUs come together by themselves, and below `review` nobody hears of them; 0 to 1. */
  auto: number
  review: number
  blocks: (sku: MatchSku) => Blocks
  /** A gate beside those of every rule, which no score opens. Symmetric. */
  mayBeOne: (a: MatchSku, b: MatchSku) => boolean
  /** 0 to 1; symmetric. */
  score: (a: MatchSku, b: MatchSku) => number
  /** What spoke for it, by name, for a person; a few values. */
  evidence: (a: MatchSku, b: MatchSku) => Readonly<Record<string, string | number | null>>
}>

/** The rule that a learned model makes; its version tells one model from another. */
export function joinRuleOf(model: SkuPairModel): JoinRule {
  return {
    version: `pair/1+${sha256Hex(JSON.stringify(model)).slice(0, FINGERPRINT_LENGTH)}`,
    auto: model.automaticMin,
    review: model.reviewMin,
    blocks: (sku) => blocksOf(sku, conceptsOfSku(sku)),
    mayBeOne,
    score: (a, b) => scorePair(model, a, b, meaningOf(a, b)),
    evidence: (a, b) => ({
      concepts: said([...conceptsOfSku(a).intersection(conceptsOfSku(b))]),
      traits: said(
        [...traitsOf(a)].flatMap(([kind, values]) =>
          [...values.intersection(traitsOf(b).get(kind) ?? new Set())].map((value) => `${kind} ${value}`),
        ),
      ),
    }),
  }
}

const FINGERPRINT_LENGTH = 12

/** What two SKUs share, as one text of bounded length; null when they share nothing. */
function said(shared: readonly string[]): string | null {
  return shared.length === 0 ? null : shared.toSorted().join(', ').slice(0, EVIDENCE_LENGTH_MAX)
}
const EVIDENCE_LENGTH_MAX = 200

function meaningOf(a: MatchSku, b: MatchSku) {
  return { concepts: [conceptsOfSku(a), conceptsOfSku(b)] as const }
}

const CONCEPTS = new WeakMap<MatchSku, ReadonlySet<string>>()

/** What a SKU is, in no language: by its name, else by the last part of its category. */
function conceptsOfSku(sku: MatchSku): ReadonlySet<string> {
  const kept = CONCEPTS.get(sku)
  if (kept) return kept
  const named = conceptsOf(sku.name)
  const concepts = named.size > 0 ? named : conceptsOf(sku.categoryPath?.at(-1) ?? '')
  CONCEPTS.set(sku, concepts)
  return concepts
}
