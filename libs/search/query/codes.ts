import { numberKeys } from '@catalog/core/matching/sku-reading.ts'

/**
 * The match keys (`gtin:`, `ref:`, see match.ts) of every GTIN and manufacturer's reference that a query may contain:
 * "taladro Makita DHP482Z", "ref. 4006381-3", "8 412345 678905". Distinct, at most {@link KEYS_MAX}; empty without a
 * candidate.
 */
export function codeKeys(query: string): string[] {
  const words = query.split(/\s+/).flatMap((word) => word.replace(OUTER_MARKS, '') || [])
  const keys = new Set<string>()
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= WORDS_MAX && at + length <= words.length; length++) {
      const written = words.slice(at, at + length).join(' ')
      if (!/\d/.test(written)) continue
      const gtin = written.replace(/[\s-]/g, '')
      for (const key of numberKeys({ gtin, manufacturerRef: written })) keys.add(key)
      if (keys.size >= KEYS_MAX) return [...keys].slice(0, KEYS_MAX)
    }
  }
  return [...keys]
}

/** A GTIN is printed in three groups, and a reference often follows its brand. */
const WORDS_MAX = 3
/** A query of 256 characters could have some 250. */
const KEYS_MAX = 64
const OUTER_MARKS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
