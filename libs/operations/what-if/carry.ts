import { frequencyOf, type IndexFrequency, periodAt } from '@catalog/core/events/indices.ts'
import type { CarriedVote, Method } from '@catalog/core/median/median.ts'
import { expandedRegions } from '@catalog/core/median/regions.ts'
import {
  compare,
  divide,
  multiply,
  parseDecimal,
  type Rational,
  rational,
  toText,
} from '@catalog/core/money/rational.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { findIndex } from '@catalog/operations/find-index.ts'
import { type IndexRow, readIndexPoints } from '@catalog/store/indices/index-points.ts'

/** The value of an index for a period: its own, or that of the last period before it that has one. */
export type ValueUsed = Readonly<{ wanted: string; period: string; value: string }>

/** A vote whose price was multiplied by an index. */
export type Carried = Readonly<{
  observation_id: string
  from: ValueUsed
  /** The value of `to` / the value of `from`, exactly. */
  factor: string
  /** Minor units per unit of the item, exactly. */
  price: string
}>

/** What was carried forward, for the whole report. */
export type CarryForward = Readonly<{
  index_id: string
  title: string
  region: string | null
  /** The value at the instant of the report. */
  to: ValueUsed
  /** Votes that were carried. */
  votes: number
  /** Of them, votes whose period has no value of its own: the last known one was taken. */
  last_known: number
  /** Votes that are older than every value, and kept their price. */
  before_first: number
}>

/** Carries votes forward, and remembers which. */
export type Carrier = Readonly<{
  /** The method with carried prices. A price that it makes was never observed, so nothing publishes by it. */
  by: (method: Method) => Method
  /** The votes carried since the last call, by observation. */
  take: () => ReadonlyMap<string, Carried>
  sums: () => CarryForward
}>

/**
 * Carries votes forward by an index, by id, code or title: price × value now / value of the period in which it was observed, exactly.
 * Only votes of the index's region are carried, a country's also in its subdivisions; those of the present period stay. The index is a
 * part of the question: all values recorded by now count, or with `until` those that were stated by then.
 * Throws an error for an unknown index, one without a value by `asOf`, and one with a value that is not above 0.
 */
export async function openCarrier(
  catalog: Pick<Catalog, 'store'>,
  { given, asOf, until }: { given: string; asOf: string; until: string | undefined },
): Promise<Carrier> {
  const option = '--carry-forward'
  const index = await findIndex(catalog, { option, given })
  const points = (await readIndexPoints(catalog.store, index.index_id, { until })).filter(
    ({ period }) => frequencyOf(period) === index.frequency,
  )
  const wrong = points.find(({ value }) => compare(parseDecimal(value), ZERO) <= 0)
  if (wrong !== undefined)
    throw new Error(`${option} '${given}': its value ${wrong.value} of ${wrong.period}: expected values above 0`)
  const usedAt = valuesOf(points, index.frequency)
  const to = usedAt(asOf)
  if (to === null)
    throw new Error(
      `${option} '${given}': expected a value by ${periodAt(asOf, index.frequency)}, the period of ${asOf}`,
    )
  return carrierOf(index, { to, usedAt })
}

const ZERO = rational(0n)

/** The value in force at an instant; null before the first. */
function valuesOf(points: readonly { period: string; value: string }[], frequency: IndexFrequency) {
  const known = new Map<string, ValueUsed | null>()
  return (at: string): ValueUsed | null => {
    const wanted = periodAt(at, frequency)
    const cached = known.get(wanted)
    if (cached !== undefined) return cached
    // Periods of one frequency sort as texts.
    const last = points.findLast(({ period }) => period <= wanted)
    const used = last === undefined ? null : { wanted, period: last.period, value: last.value }
    known.set(wanted, used)
    return used
  }
}

function carrierOf(
  { index_id, title, region }: IndexRow,
  { to, usedAt }: { to: ValueUsed; usedAt: (at: string) => ValueUsed | null },
): Carrier {
  let carried = new Map<string, Carried>()
  const sums = { votes: 0, last_known: 0, before_first: 0 }
  const carry = ({ price, sku, observation }: CarriedVote): Rational => {
    const from = usedAt(observation.observedAt)
    if (!isOfRegion(region, sku.region)) return price
    if (from === null) {
      sums.before_first++
      return price
    }
    if (from.wanted >= to.wanted) return price
    const factor = divide(parseDecimal(to.value), parseDecimal(from.value))
    const now = multiply(price, factor)
    sums.votes++
    if (from.period !== from.wanted) sums.last_known++
    const { observationId: observation_id } = observation
    carried.set(observation_id, { observation_id, from, factor: toText(factor), price: toText(now) })
    return now
  }
  return {
    by: (method) => ({ ...method, name: `${method.name} carried by ${index_id}`, carry }),
    take() {
      const taken = carried
      carried = new Map()
      return taken
    },
    sums: () => ({ index_id, title, region, to, ...sums }),
  }
}

/** Whether prices of a source's region move with an index of a region; an index of none moves all. */
function isOfRegion(index: string | null, source: string | null): boolean {
  if (index === null) return true
  return (
    source !== null && (source === index || source.startsWith(`${index}-`) || expandedRegions(source).includes(index))
  )
}
