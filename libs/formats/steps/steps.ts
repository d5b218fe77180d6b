import { isBroken, type RawRecord, type ReadRecord, type RecordBatches } from '@catalog/formats/bytes/record.ts'
import type { z } from 'zod'
import { Lookup, lookupStep, Replace, replaceStep } from './cells.ts'
import { Parents, parentsStep } from './parents.ts'
import { Rows, rowsStep } from './row-filter.ts'
import { type Step, withTexts } from './step.ts'
import type { StepTally } from './tally.ts'
import { Unpivot, unpivotStep } from './unpivot.ts'

/** The steps of a mapping between the rows of a file and its columns, in their one order. */

/** Keys of a mapping, each a step. */
export const STEP_KEYS = {
  replace: Replace.optional(),
  lookup: Lookup.optional(),
  parents: Parents.optional(),
  unpivot: Unpivot.optional(),
  rows: Rows.optional(),
} as const
export type StepSpecs = Readonly<{ [K in keyof typeof STEP_KEYS]?: z.infer<(typeof STEP_KEYS)[K]> }>

/** Opened steps for one reading of one file. */
export type Steps = Readonly<{
  /** Prepares for the columns of the file: those after all steps, and what steps miss. */
  begin: (columns: readonly string[]) => ReturnType<Step['begin']>
  of: (record: RawRecord) => readonly RawRecord[]
  apply: (batches: RecordBatches) => RecordBatches
}>

/** Where the records of a file stand. */
export type Place = Readonly<{ file: string; sheet?: string }>

/**
 * Opens the steps: every record gets its place, cells are cleaned, then rows inherit, split and go. `tally` counts what each
 * changes.
 */
export function openSteps(specs: StepSpecs, tally: StepTally, place?: Place): Steps {
  const { replace, lookup, parents, unpivot, rows } = specs
  const steps = [
    place && placeStep(place),
    replace && replaceStep(replace, tally),
    lookup && lookupStep(lookup, tally),
    parents && parentsStep(parents, tally),
    unpivot && unpivotStep(unpivot, tally),
    rows && rowsStep(rows, tally),
  ].filter((step) => step !== undefined)
  return {
    begin(columns) {
      let at = columns
      const missing = steps.flatMap((step) => {
        const begun = step.begin(at)
        at = begun.columns
        return begun.missing
      })
      return { columns: at, missing }
    },
    of: (record) => through(record, steps),
    apply: (batches) => (steps.length === 0 ? batches : applied(batches, steps)),
  }
}

/** The columns after all steps, for headings that may be those of a file. */
export function headingsAfter(specs: StepSpecs, columns: readonly string[]): ReturnType<Step['begin']> {
  return openSteps(specs, {}, { file: '' }).begin(columns)
}

/** Adds the columns `_file` and `_sheet`. */
function placeStep({ file, sheet = '' }: Place): Step {
  return {
    begin: (columns) => ({ columns: [...columns, '_file', '_sheet'], missing: [] }),
    apply: (record) => [withTexts(record, { _file: file, _sheet: sheet })],
  }
}

/** Records that pass at once: one row may become hundreds. */
const RECORDS_MAX = 1_000

async function* applied(batches: RecordBatches, steps: readonly Step[]): RecordBatches {
  for await (const batch of batches) {
    let passed: ReadRecord[] = []
    for (const record of batch) {
      for (const one of isBroken(record) ? [record] : through(record, steps)) passed.push(one)
      if (passed.length < RECORDS_MAX) continue
      yield passed
      passed = []
    }
    if (passed.length > 0) yield passed
  }
}

function through(record: RawRecord, steps: readonly Step[]): readonly RawRecord[] {
  return steps.reduce<readonly RawRecord[]>((records, step) => records.flatMap(step.apply), [record])
}
