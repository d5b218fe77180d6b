import type { PairText, Rarity } from '@catalog/core/matching/pair-measures.ts'

/** ln((n + 1) / (df + 1)) over texts. A word that none has counts as one that one has, as in the texts that it was learned from. */
export function rarityOf(texts: Iterable<PairText>): Rarity {
  const counts = new Map<string, number>()
  let total = 0
  for (const { distinct } of texts) {
    total += 1
    for (const word of distinct) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return (word) => Math.log((total + 1) / ((counts.get(word) ?? 1) + 1))
}
