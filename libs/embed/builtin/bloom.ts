import { hash32 } from './features.ts'

/**
 * A set of ASCII strings in BITS_AN_ITEM bits each (a Bloom filter): it has every item that was put in, and about one in
 * a hundred of all others.
 */
export function bloomOf(items: Iterable<string>): Uint8Array {
  const distinct = new Set(items)
  const bytes = new Uint8Array(Math.ceil((distinct.size * BITS_AN_ITEM) / 8))
  for (const item of distinct) {
    for (const bit of bitsOf(item, bytes)) bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7))
  }
  return bytes
}

/** Whether a set has an item; an empty one has none. */
export function openBloom(bytes: Uint8Array): (item: string) => boolean {
  if (bytes.length === 0) return () => false
  const bits = bytes.length * 8
  return (item) => {
    // The bits of bitsOf, one at a time: most items that are not there fail at the first or second.
    const [start, step] = [hash32(item), hash32(`${item} `)]
    for (let i = 0; i < HASHES; i++) {
      const bit = (start + i * step) % bits
      if ((((bytes[bit >> 3] as number) >> (bit & 7)) & 1) === 0) return false
    }
    return true
  }
}

const BITS_AN_ITEM = 10
/** The best number for ten bits, ln 2 of them. */
const HASHES = 7

/** Steps of a second hash from the first one are as good as that many hashes. */
function bitsOf(item: string, bytes: Uint8Array): number[] {
  const bits = bytes.length * 8
  const [start, step] = [hash32(item), hash32(`${item} `)]
  return Array.from({ length: HASHES }, (_, i) => (start + i * step) % bits)
}
