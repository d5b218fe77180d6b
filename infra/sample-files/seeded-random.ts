import { sha256Hex } from '@catalog/core/digest.ts'

/** The entries in a pseudo-random order, sorted by the drawn number. */
export function shuffledBy<T>(entries: readonly T[], draw: (entry: T) => number): T[] {
  return entries
    .map((entry) => ({ entry, number: draw(entry) }))
    .sort((a, b) => a.number - b.number)
    .map(({ entry }) => entry)
}

/** The first 32 bits of the hash of the parts. */
export function hashOf(...parts: readonly string[]): number {
  return Number.parseInt(sha256Hex(parts.join(' ')).slice(0, 8), 16)
}

/** The hash of the parts as a number in [0, 1). */
export function shareOf(...parts: readonly string[]): number {
  return hashOf(...parts) / 2 ** 32
}

/** Deterministic numbers in [0, 1) from a 32-bit seed (mulberry32), equal on every machine. */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A shuffled copy of the items, by `random` (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let end = result.length - 1; end > 0; end--) {
    const at = Math.floor(random() * (end + 1))
    const moved = result[end] as T
    result[end] = result[at] as T
    result[at] = moved
  }
  return result
}
