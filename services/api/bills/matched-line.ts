import type { MatchResponse } from '@catalog/api/contract/contract.ts'
import type { BillLine } from '@catalog/formats/bill/bill-of-quantities.ts'

/** A line of a list with its answer. */
export type MatchedLine = Omit<BillLine, 'text'> & MatchResponse['lines'][number]

/** The items that an undecided line may mean, the best first. */
export function candidatesOf({ item, alternatives }: MatchedLine) {
  return [...(item === null ? [] : [item]), ...alternatives.map((other) => other.item)].slice(0, CANDIDATES_SHOWN)
}
export const CANDIDATES_SHOWN = 3
