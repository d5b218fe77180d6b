import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { z } from 'zod'
import { Heading, Selection, selected } from './column-names.ts'
import { compiled, Template, templateProblem } from './pattern.ts'
import type { Step } from './step.ts'
import { count, type StepTally } from './tally.ts'

/** The step `unpivot`: a row with a price in each of several columns becomes a record for each price. */

/**
 * The columns with prices; the names of the two columns that take their place, for the heading and for the cell; and what to
 * keep of a heading: "BR-$1" takes the first group of `matching`, or the whole heading of a listed column.
 */
export const Unpivot = z
  .strictObject({ columns: Selection, heading: Heading, value: Heading, as: Template.optional() })
  .superRefine(({ columns, heading, value, as }, context) => {
    if (heading === value)
      context.addIssue({ code: 'custom', path: ['value'], message: 'expected another name than that of heading' })
    const message = as === undefined ? null : templateProblem(as, patternOf(columns))
    if (message !== null) context.addIssue({ code: 'custom', path: ['as'], message })
  })

/** A listed column counts as one whole group. */
function patternOf(columns: Selection): string {
  return typeof columns === 'object' && 'matching' in columns ? columns.matching : '^(.*)$'
}

export function unpivotStep({ columns: selection, ...spec }: z.infer<typeof Unpivot>, tally: StepTally): Step {
  const { expanded, groups } = compiled(patternOf(selection))
  const template = spec.as ?? (groups > 0 ? '$1' : '$0')
  let pivoted: readonly Readonly<{ column: string; heading: string }>[] = []
  let isPivoted: ReadonlySet<string> = new Set()
  return {
    begin(columns) {
      const found = selected(selection, columns)
      pivoted = found.columns.map((column) => ({ column, heading: (expanded(column, template) ?? column).trim() }))
      isPivoted = new Set(found.columns)
      const others = columns.filter((column) => !isPivoted.has(column))
      const missing = found.missing.map((lack) => `unpivot.columns: ${lack}`)
      return { columns: [...others, spec.heading, spec.value], missing }
    },
    apply(record) {
      const { numbers = NONE } = record
      const others: Record<string, string> = Object.create(null)
      for (const column in record.fields) if (!isPivoted.has(column)) others[column] = record.fields[column] as string
      const kept = new Set([...numbers].filter((column) => !isPivoted.has(column) && column !== spec.heading))
      kept.delete(spec.value)
      const withPrice = new Set([...kept, spec.value])
      return pivoted.flatMap(({ column, heading }): RawRecord | [] => {
        const cell = record.fields[column] ?? ''
        if (cell.trim() === '') {
          count(tally, 'blanks', () => `${record.position}, ${column}`)
          return []
        }
        // The prices of a row inherit its other texts: copies of dozens of columns would take most of the memory.
        const fields: Record<string, string> = Object.create(others)
        fields[spec.heading] = heading
        fields[spec.value] = cell
        count(
          tally,
          'unpivot',
          () => `${record.position}, ${column}: ${spec.heading} '${heading}', ${spec.value} '${cell}'`,
        )
        const mark = record.marks?.get(column)
        return {
          position: `${record.position} ${heading}`.slice(0, 500),
          raw: record.raw,
          fields,
          numbers: numbers.has(column) ? withPrice : kept,
          ...(mark ? { marks: new Map([[spec.value, mark]]) } : record.marks && { marks: record.marks }),
        }
      })
    },
  }
}
const NONE: ReadonlySet<string> = new Set()
