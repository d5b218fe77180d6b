import type { MeasurementEntry } from '@catalog/formats/bc3/entries.ts'
import { formatDecimal, plus, toDecimal } from './decimal.ts'
import { type Draft, NO_MEASUREMENTS, type Report } from './draft.ts'
import type { Concept, Measurement } from './price-book.ts'

/** Assigns the measurements of a file to components of recipes. */

/** A measurement and the concepts that its codes meant when it was read: a later ~B may change the codes. */
export type PendingMeasurement = Readonly<{ parent: Draft; child: Draft; entry: MeasurementEntry }>

/**
 * Assigns each measurement to the component at its position, which is the last number of its path. When another concept
 * stands there, takes the only component with the measured code. Without one, or without a recipe, adds it to `loose`.
 */
export function placeMeasurements(
  pending: readonly PendingMeasurement[],
  { report, loose }: { report: Report; loose: MeasurementEntry[] },
): void {
  const withoutRecipe = new Set<Draft>()
  const positions = new Map<Draft, ReadonlyMap<Concept, number | null>>()
  const onlyPosition = (parent: Draft, child: Draft) => {
    const known = positions.get(parent) ?? uniquePositions(parent)
    positions.set(parent, known)
    return known.get(child) ?? null
  }
  for (const { parent, child, entry } of pending) {
    const named = `~${entry.letter} ${parent.code}\\${child.code}`
    const given = Number(entry.position.at(-1) ?? Number.NaN)
    const isThere = parent.components[given - 1]?.concept === child
    const position = isThere ? given : onlyPosition(parent, child)
    if (parent.components.length === 0) {
      loose.push(entry)
      if (!withoutRecipe.has(parent)) {
        report(entry.line, 'MEASUREMENT_WITHOUT_RECIPE', `${parent.code} has a measurement and no ~D`)
      }
      withoutRecipe.add(parent)
      continue
    }
    if (position === null) {
      loose.push(entry)
      const path = entry.position.join('\\') || 'none'
      report(entry.line, 'MEASUREMENT_NOT_PLACED', `${named}: position ${path} has no such component`)
      continue
    }
    if (!isThere && !Number.isNaN(given)) {
      const message = `${named}: another concept has position ${given}; assigned to position ${position}`
      report(entry.line, 'MEASUREMENT_MOVED', message)
    }
    const before = parent.measurements.get(position)
    if (before !== undefined && entry.letter === 'M') {
      report(entry.line, 'DUPLICATE_MEASUREMENT', `${named}: replaces the measurement of line ${before.line}`)
    }
    if (parent.measurements === NO_MEASUREMENTS) parent.measurements = new Map()
    parent.measurements.set(position, merged(entry, entry.letter === 'N' ? before : undefined))
  }
}

/** The position of each component, from 1; null for a concept that occurs several times. */
function uniquePositions({ components }: Draft): ReadonlyMap<Concept, number | null> {
  const positions = new Map<Concept, number | null>()
  for (const [i, { concept }] of components.entries()) positions.set(concept, positions.has(concept) ? null : i + 1)
  return positions
}

/** The measurement of an entry, added to an earlier one when there is one. */
function merged({ line, total, lines }: MeasurementEntry, before: Measurement | undefined): Measurement {
  if (before === undefined) return { line, total, lines }
  const [sum, added] = [toDecimal(before.total), toDecimal(total)]
  return {
    line: before.line,
    total: sum !== null && added !== null ? formatDecimal(plus(sum, added)) : (total ?? before.total),
    lines: [...before.lines, ...lines],
  }
}
