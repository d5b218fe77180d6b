import type { MatchText } from '@catalog/core/matching/match.ts'

/**
 * Keeps the answers of a pure and symmetric function of two texts. Vendors that copy the maker's name share a text (see
 * openSkuDescriptions), so fewer texts than SKUs are compared. Nothing is ever dropped: the caller keeps it for a chunk.
 */
export function keptPerTexts<Value>(
  make: (a: MatchText, b: MatchText) => Value,
): (a: MatchText, b: MatchText) => Value {
  const numbers = new Map<MatchText, number>()
  const kept = new Map<number, Value>()
  const numberOf = (text: MatchText) => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
  return (a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)]
    const pair = Math.min(one, other) * NUMBERS_MAX + Math.max(one, other)
    const known = kept.get(pair)
    if (known !== undefined) return known
    const made = make(a, b)
    kept.set(pair, made)
    return made
  }
}
/** More than a chunk has, and few enough that a number holds two. */
const NUMBERS_MAX = 2 ** 26
