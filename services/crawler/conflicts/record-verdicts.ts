import type { ObservationContent, Refusal } from '@catalog/formats/mapping/candidate.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import type { Conflict } from './conflict-index.ts'
import { ConflictNames } from './conflict-names.ts'

/** Answers about the candidate observations, numbered in the order of the input. */
export type Candidates = Readonly<{
  count: number
  conflictOf: (candidate: number) => Conflict | null
  isDuplicate: (candidate: number) => boolean
}>

/** Decides about the candidates of an input in their order: the same for a crawl and for its preview. */
export class RecordVerdicts {
  readonly #candidates: Candidates
  readonly #names = new ConflictNames()
  #next = 0

  constructor(candidates: Candidates) {
    this.#candidates = candidates
  }

  /** Why the next candidate is parked, whether it repeats an earlier one, or that it is new. */
  next(content: () => ObservationContent, list: Detected | null): 'new' | 'duplicate' | Omit<Refusal, 'source'> {
    const candidate = this.#next++
    const conflict = this.#candidates.conflictOf(candidate)
    if (conflict === 'product') return this.#names.refusalOf(content(), list)
    if (conflict === 'price') return this.#names.priceRefusalOf(content(), list)
    return this.#candidates.isDuplicate(candidate) ? 'duplicate' : 'new'
  }
}
