import type { MatchText } from '@catalog/core/matching/match.ts'

/**
 * Keeps the answers of a pure function of two texts. Vendors that copy the maker's name share a text (see
 * openSkuDescriptions), so fewer texts than SKUs are compared. Nothing is ever dropped: the caller keeps it for a chunk.
 */
export function keptPerTexts<Value>(
  make: (a: MatchText, b: MatchText) => Value,
): (a: MatchText, b: MatchText) => Value {
  const kept = new Map<MatchText, Map<MatchText, Value>>()
  return (a, b) => {
    const ofA = kept.get(a) ?? new Map<MatchText, Value>()
    const known = ofA.get(b)
    if (known !== undefined) return known
    const made = make(a, b)
    kept.set(a, ofA.set(b, made))
    return made
  }
}
