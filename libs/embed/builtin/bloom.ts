import { hash32 } from './features.ts'

/**
 * A Bloom filter of ASCII strings with BITS_PER_ITEM bits each: it contains every added item, and about one in a
 * hundred of all others.
 */
export function bloomOf(items: Iterable<string>): Uint8Array {
  const distinct = new Set(items)
  const bytes = new Uint8Array(Math.ceil((distinct.size * BITS_PER_ITEM) / 8))
  for (const item of distinct) {
    for (const bit of bitsOf(item, bytes)) bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7))
  }
  return bytes
}

/** Returns the membership test of a set; an empty set has no items. */
export function openBloom(bytes: Uint8Array): (item: string) => boolean {
  if (bytes.length === 0) return () => false
  const bits = bytes.length * 8
  return (item) => {
    // Like bitsOf, but one bit at a time: most absent items fail at the first or second.
    const [start, step] = [hash32(item), hash32(`${item} `)]
    for (let i = 0; i < HASHES; i++) {
      const bit = (start + i * step) % bits
      if ((((bytes[bit >> 3] as number) >> (bit & 7)) & 1) === 0) return false
    }
    return true
  }
}

const BITS_PER_ITEM = 10
/** The optimum for ten bits an item: ln 2 times ten. */
const HASHES = 7

/** Double hashing: multiples of a second hash are as good as independent hashes. */
function bitsOf(item: string, bytes: Uint8Array): number[] {
  const bits = bytes.length * 8
  const [start, step] = [hash32(item), hash32(`${item} `)]
  return Array.from({ length: HASHES }, (_, i) => (start + i * step) % bits)
}
