import { foldText } from '@catalog/core/text.ts'
import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { z } from 'zod'
import { Selection, selected } from './column-names.ts'
import { compiled, Pattern, Template, templateProblem } from './pattern.ts'
import { type Step, withTexts } from './step.ts'
import { count, type StepTally } from './tally.ts'

/** Steps that change single cells: `replace` by a pattern, `lookup` in a table. */

const LISTED_MAX = 50
const TABLE_MAX = 1_000
const CELL_CHARS_MAX = 500

const Replacement = z
  .strictObject({ in: Selection, pattern: Pattern, with: Template })
  .superRefine(({ pattern, with: template }, context) => {
    const message = templateProblem(template, pattern)
    if (message !== null) context.addIssue({ code: 'custom', path: ['with'], message })
  })
/** Matches of a pattern in cells, and the text in their place. */
export const Replace = z.array(Replacement).min(1).max(LISTED_MAX)

const Cell = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string().max(CELL_CHARS_MAX))
const LookUp = z.strictObject({
  in: Selection,
  table: z.record(z.string().max(CELL_CHARS_MAX), Cell).superRefine((table, context) => {
    const size = Object.keys(table).length
    if (size === 0 || size > TABLE_MAX)
      context.addIssue({ code: 'custom', message: `expected 1 to ${TABLE_MAX} texts with their replacements` })
  }),
  else: Cell.optional(),
})
/** Whole cells, and the texts in their place; `else` is for cells outside the table, which otherwise stay. */
export const Lookup = z.array(LookUp).min(1).max(LISTED_MAX)

export function replaceStep(replace: z.infer<typeof Replace>, tally: StepTally): Step {
  return cellStep('replace', replace, tally, ({ pattern, with: template }) => {
    const { matches, replaced } = compiled(pattern)
    return (text) => (matches(text) ? replaced(text, template) : text)
  })
}

export function lookupStep(lookup: z.infer<typeof Lookup>, tally: StepTally): Step {
  return cellStep('lookup', lookup, tally, ({ table, else: others }) => {
    const texts = new Map(Object.entries(table).map(([cell, text]) => [foldText(cell), text]))
    return (text) => texts.get(foldText(text)) ?? others ?? text
  })
}

function cellStep<T extends Readonly<{ in: Selection }>>(
  name: 'replace' | 'lookup',
  specs: readonly T[],
  tally: StepTally,
  changeOf: (spec: T) => (text: string) => string,
): Step {
  const changes = specs.map((spec) => ({ spec, change: changeOf(spec) }))
  let begun: readonly Readonly<{ columns: readonly string[]; change: (text: string) => string }>[] = []
  return {
    begin(columns) {
      const found = changes.map(({ spec, change }) => ({ change, ...selected(spec.in, columns) }))
      begun = found
      const missing = found.flatMap(({ missing }, i) => missing.map((lack) => `${name}.${i}.in: ${lack}`))
      return { columns, missing }
    },
    apply(record) {
      const texts: Record<string, string> = Object.create(null)
      for (const { columns, change } of begun)
        for (const column of columns) {
          const written = texts[column] ?? record.fields[column]
          if (written === undefined) continue
          const text = change(written)
          if (text === written) continue
          texts[column] = text
          count(tally, name, () => exampleOf(record, column, written, text))
        }
      return Object.keys(texts).length === 0 ? [record] : [withTexts(record, texts)]
    },
  }
}

const SHOWN_CHARS = 40
function exampleOf({ position }: RawRecord, column: string, from: string, to: string): string {
  const cut = (text: string) => text.trim().slice(0, SHOWN_CHARS)
  return `${position}, ${cut(column)}: '${cut(from)}' → '${cut(to)}'`
}
