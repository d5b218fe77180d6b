import { contradictionBetween } from '@catalog/core/matching/contradictions.ts'
import type { MatchSku } from '@catalog/core/matching/match.ts'
import { canBeOneProduct } from '@catalog/core/matching/sku-pair.ts'

/** A subject that gates refuse pairs by: the pairs of one family and two vendors, and those that are one product. */
export type GateFigure = Readonly<{ gate: string; refused: number; wrong: number }>

/** Pairs that the gate of sold units refuses, though no text contradicts another: a metre and a drum of 100 m. */
const SOLD_OTHERWISE = 'sold otherwise'

/** What each gate refuses among labelled records of one family, and how often it is wrong; the busiest first. */
export function gateFigures(
  records: readonly (MatchSku & Readonly<{ product: string; family: string }>)[],
): readonly GateFigure[] {
  const figures = new Map<string, { refused: number; wrong: number }>()
  for (const family of Map.groupBy(records, ({ family }) => family).values()) {
    for (const [at, a] of family.entries()) {
      for (const b of family.slice(at + 1)) {
        const gate = a.sourceId === b.sourceId ? null : gateBetween(a, b)
        if (gate === null) continue
        const { refused, wrong } = figures.get(gate) ?? { refused: 0, wrong: 0 }
        figures.set(gate, { refused: refused + 1, wrong: wrong + Number(a.product === b.product) })
      }
    }
  }
  return [...figures]
    .map(([gate, figure]) => ({ gate, ...figure }))
    .sort((one, other) => other.refused - one.refused || (one.gate < other.gate ? -1 : 1))
}

function gateBetween(a: MatchSku, b: MatchSku): string | null {
  return contradictionBetween(a, b)?.about ?? (canBeOneProduct(a, b) ? null : SOLD_OTHERWISE)
}
