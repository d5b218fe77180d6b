import type { Blocks } from '@catalog/core/blocking.ts'
import type { MatchSku } from '@catalog/core/match.ts'

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
