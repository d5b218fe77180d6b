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
