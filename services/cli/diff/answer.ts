import type { Change, ItemChange } from './item-change.ts'

/** One end of the comparison. */
export type RunEnd = Readonly<{ run_id: string; as_of: string; method: string }>

/** The answer of `catalog diff`. */
export type DiffAnswer = Readonly<{
  from: RunEnd
  to: RunEnd
  /** Counts the headline; with a region the median there. */
  region: string | null
  counts: Readonly<Record<Change, number>>
  rises: number
  falls: number
  /** The changes with the largest moves first, at most `--limit`; `left_out` counts the others. */
  changes: readonly ItemChange[]
  left_out: number
  /** Names of the sources that the votes name. */
  sources: Readonly<Record<string, string>>
}>
