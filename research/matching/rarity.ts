import type { PairText, Rarity } from '@catalog/core/matching/pair-measures.ts'

/**
 * ln((n + 1) / (df + 1)) over texts. An unknown word counts as one in one text, like a word that only its own text has.
 */
export function rarityOf(texts: Iterable<PairText>): Rarity {
  const counts = new Map<string, number>()
  let total = 0
  for (const { distinct } of texts) {
    total += 1
    for (const word of distinct) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return (word) => Math.log((total + 1) / ((counts.get(word) ?? 1) + 1))
}
