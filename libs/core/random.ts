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
