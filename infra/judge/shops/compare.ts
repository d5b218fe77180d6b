import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { Read } from './read-document.ts'
import type { Recorded, SavedDocument } from './truth.ts'

/** Counts of records; the sum of the first three and the wrongly parked is what the table records. */
export type Counts = Readonly<{
  /** Recorded as the table says. */
  right: number
  /** Recorded otherwise than the table says, or though no price may come from it. */
  wrong: number
  /** Neither recorded nor parked. */
  lost: number
  rightlyParked: number
  /** Parked though the table records it, or does not know it. */
  wronglyParked: number
  /** Should have been parked with a reason, and was not; nothing wrong was recorded. */
  missed: number
}>
export const NOTHING: Counts = { right: 0, wrong: 0, lost: 0, rightlyParked: 0, wronglyParked: 0, missed: 0 }

/** The counts of one document, and a sentence for each fault. */
export function compare({ recorded, parked }: SavedDocument, read: Read): { counts: Counts; faults: string[] } {
  const faults: string[] = []
  const counts = { ...NOTHING } as { -readonly [K in keyof Counts]: Counts[K] }
  const left = [...read.observations]
  const letters = [...read.parked]
  const absent: Recorded[] = []
  for (const truth of recorded) {
    const at = indexOf(left, truth)
    if (at === -1) {
      absent.push(truth)
      continue
    }
    const [found] = left.splice(at, 1) as [ObservationRecorded]
    const differing = differences(truth, found)
    if (differing.length === 0) counts.right++
    else {
      counts.wrong++
      faults.push(`wrong: ${truth.sku}: ${differing.join('; ')}`)
    }
  }
  for (const { reason, sku } of parked) {
    const at = letters.findIndex((one) => one.reason === reason && (sku === undefined || isOf(one.vendor_ref, sku)))
    if (at !== -1) {
      counts.rightlyParked++
      letters.splice(at, 1)
      continue
    }
    // A price that was recorded instead counts below, as wrong.
    if (left.length === 0) counts.missed++
    faults.push(`missed: expected a record parked as ${reason}${sku === undefined ? '' : ` (${sku})`}`)
  }
  for (const { vendor_ref, name, price } of left) {
    counts.wrong++
    faults.push(
      `wrong: recorded ${vendor_ref} '${name}' at ${price.cents} ${price.currency}: the table has no such record`,
    )
  }
  for (const letter of letters) {
    counts.wronglyParked++
    const at = absent.findIndex(({ sku }) => isOf(letter.vendor_ref, sku))
    absent.splice(at === -1 ? 0 : at, 1)
    faults.push(
      `wrongly parked: ${letter.vendor_ref ?? letter.position}: ${letter.reason}, ${letter.detail.slice(0, 200)}`,
    )
  }
  for (const { sku, name } of absent) {
    counts.lost++
    faults.push(`lost: ${sku}${name == null ? '' : ` '${name}'`}`)
  }
  const { read: all, appended, duplicates, parked: away } = read.counts
  if (all !== appended + duplicates + away) {
    counts.lost++
    faults.push(`lost: read ${all} ≠ recorded ${appended} + duplicates ${duplicates} + parked ${away}`)
  }
  return { counts, faults }
}

const isOf = (reference: string | undefined, sku: string) => reference === sku

/** Of several records with one reference, the one at this price comes first. */
function indexOf(found: readonly ObservationRecorded[], truth: Recorded): number {
  const same = (one: ObservationRecorded) => isOf(one.vendor_ref, truth.sku)
  const exact = found.findIndex((one) => same(one) && differences(truth, one).length === 0)
  return exact === -1 ? found.findIndex(same) : exact
}

function differences(truth: Recorded, found: ObservationRecorded): string[] {
  const { price, pack } = found
  const { included } = price.tax
  const actual: Readonly<Record<keyof Recorded, string | number | null>> = {
    sku: found.vendor_ref,
    name: found.name,
    price: price.cents,
    currency: price.currency,
    per_quantity: price.per_quantity,
    min_quantity: price.min_quantity ?? null,
    unit: found.unit,
    pack: pack === undefined ? null : `${pack.quantity} ${pack.unit}`,
    gtin: found.gtin ?? null,
    manufacturer_ref: found.manufacturer_ref ?? null,
    tax: included === null ? null : included ? 'included' : 'excluded',
    availability: found.availability ?? null,
    category: found.category_path?.join(' > ') ?? null,
    url: found.url ?? null,
    description: found.description ?? null,
  }
  return (Object.entries(truth) as [keyof Recorded, string | number | null | undefined][]).flatMap(
    ([key, expected]) => {
      if (expected === undefined) return []
      const value = actual[key]
      const isEqual =
        key === 'description' && expected !== null ? String(value ?? '').includes(String(expected)) : value === expected
      return isEqual ? [] : [`${key} is ${shown(value)}, expected ${shown(expected)}`]
    },
  )
}

const shown = (value: string | number | null) => (value === null ? 'none' : `'${String(value).slice(0, 120)}'`)
