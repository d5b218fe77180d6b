import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { z } from 'zod'
import { headingOf } from './column-names.ts'
import { compiled, type Matcher, Pattern } from './pattern.ts'
import type { Step } from './step.ts'
import { count, type StepTally } from './tally.ts'

/** The step `rows`: which rows are records. */

const PATTERNS_MAX = 50
const Conditions = z
  .record(z.string().min(1).max(500), z.union([Pattern, z.array(Pattern).min(1).max(PATTERNS_MAX)]))
  .superRefine((conditions, context) => {
    const size = Object.keys(conditions).length
    if (size === 0 || size > PATTERNS_MAX)
      context.addIssue({ code: 'custom', message: `expected 1 to ${PATTERNS_MAX} columns with their patterns` })
  })
/** Columns and patterns for their trimmed texts, of which one must match. `only` needs every column, `except` any. */
export const Rows = z
  .strictObject({ only: Conditions.optional(), except: Conditions.optional() })
  .refine(({ only, except }) => only !== undefined || except !== undefined, 'expected only, except or both')

type Condition = {
  readonly name: string
  column: string
  readonly patterns: readonly Matcher[]
  /** The patterns as the mapping writes them. */
  readonly written: string
}

export function rowsStep({ only, except }: z.infer<typeof Rows>, tally: StepTally): Step {
  const needed = conditionsOf(only)
  const refused = conditionsOf(except)
  return {
    begin(columns) {
      const missing: string[] = []
      for (const [place, conditions] of [
        ['only', needed],
        ['except', refused],
      ] as const)
        for (const condition of conditions) {
          const found = headingOf(condition.name, columns)
          if (found === undefined) missing.push(`rows.${place}: no column '${condition.name}'`)
          condition.column = found ?? condition.name
        }
      return { columns, missing }
    },
    apply(record) {
      const unmet = needed.find((condition) => !holds(condition, record))
      const failed = unmet ?? refused.find((one) => holds(one, record))
      if (failed === undefined) return [record]
      const expected = unmet === undefined ? '' : `, expected to match ${unmet.written}`
      count(tally, 'rows', () => `${record.position}, ${failed.column}: '${shownText(failed, record)}'${expected}`)
      return []
    },
  }
}

function conditionsOf(conditions: z.infer<typeof Conditions> | undefined): Condition[] {
  return Object.entries(conditions ?? {}).map(([name, patterns]) => {
    const texts = typeof patterns === 'string' ? [patterns] : patterns
    return { name, column: name, patterns: texts.map(compiled), written: texts.join(' or ') }
  })
}

function textOf({ column }: Condition, { fields }: RawRecord): string {
  return (fields[column] ?? '').trim()
}

/** Characters of a cell in an example. */
const SHOWN_CHARS = 60
const shownText = (condition: Condition, record: RawRecord) => textOf(condition, record).slice(0, SHOWN_CHARS)

function holds(condition: Condition, record: RawRecord): boolean {
  const text = textOf(condition, record)
  return condition.patterns.some(({ matches }) => matches(text))
}
