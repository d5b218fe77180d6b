import { visibleText, withoutEmails } from '@catalog/formats/bytes/vendor-text.ts'

/** What a mapping changes in a file, in the order in which it does. */
export const STEP_NAMES = ['short_rows', 'replace', 'lookup', 'parents', 'unpivot', 'blanks', 'rows', 'round'] as const
export type StepName = (typeof STEP_NAMES)[number]

/** How often each step changed something, and its first change. Plain data: it goes to other processes. */
export type StepTally = Partial<Record<StepName, { count: number; example: string }>>

const EXAMPLE_CHARS_MAX = 240

/** Counts a change; `example` describes the first. */
export function count(tally: StepTally, step: StepName, example: () => string): void {
  const known = tally[step]
  if (known !== undefined) {
    known.count++
    return
  }
  const text = withoutEmails(visibleText(example())).replace(/\s+/g, ' ').trim().toWellFormed()
  tally[step] = { count: 1, example: text.slice(0, EXAMPLE_CHARS_MAX).toWellFormed() }
}
