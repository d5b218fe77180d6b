import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import { blocksOf } from '@catalog/core/matching/blocking.ts'
import type { MatchText } from '@catalog/core/matching/match.ts'
import { sizesOf } from '@catalog/core/units/sizes.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'

/**
 * A predictable rule for tests: names match when they share concepts and sizes, in any language. `scored` counts the
 * scored pairs.
 */
export function plainRule(more: Partial<JoinRule> = {}): { rule: JoinRule; scored: () => number } {
  let scored = 0
  const rule: JoinRule = {
    version: 'test/1',
    auto: 0.9,
    review: 0.4,
    blocks: (sku) => blocksOf(sku, conceptsOf(sku.name)),
    canBeOneProduct: () => true,
    score(a, b) {
      scored++
      return jaccard(meaningOf(a), meaningOf(b))
    },
    judge: ({ scores }) => ({ chances: scores, isMutual: new Uint8Array(scores.length).fill(1) }),
    evidence: () => ({ meaning: 1 }),
    ...more,
  }
  return { rule, scored: () => scored }
}

const meaningOf = ({ name, lang }: MatchText) =>
  new Set([...conceptsOf(name), ...sizesOf(name, lang).map(({ dimension, text }) => `${dimension} ${text}`)])

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}
