import type { ItemPreview } from '@catalog/aggregator/differences.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { type Counts, KINDS, type Kind, kindOf, type Price, relativeOf } from '@catalog/operations/price-change.ts'
import type { Carried } from './carry.ts'

/** Sums up the changes of another rule item by item. Memory holds each relative change and the largest lines only. */

/** One item of the report. */
export type Line = Readonly<{
  itemId: string
  name: string
  unit: string | null
  category: string
  kind: Kind
  before: Price | null
  after: Price | null
  relative: number | null
  preview: ItemPreview
  /** Its votes that were carried forward, by observation; absent where nobody asked for it. */
  carried?: ReadonlyMap<string, Carried>
}>

/** Null for an item that is not public, nor would be: merged, or without an observation. */
export function lineOf(preview: ItemPreview, carried?: ReadonlyMap<string, Carried>): Line | null {
  const { priorState, next } = preview
  if (priorState?.state !== 'active' && next.state.state !== 'active') return null
  const { name, unit, median_price } = next.state.item
  const [before, after] = [priceOf(priorState?.item.median_price), priceOf(median_price)]
  return {
    itemId: next.item_id,
    name,
    unit,
    category: next.category_path?.join(' / ') ?? NO_CATEGORY,
    kind: kindOf(before, after),
    before,
    after,
    relative: relativeOf(before, after),
    preview,
    ...(carried !== undefined && { carried: carriedOf(preview, carried) }),
  }
}

/** The carried votes of one item: a line that is kept must not keep those of its whole batch. */
const carriedOf = ({ next }: ItemPreview, all: ReadonlyMap<string, Carried>) =>
  new Map(
    next.basis.votes.flatMap(({ observation_id: id }) => {
      const carried = all.get(id)
      return carried === undefined ? [] : [[id, carried] as const]
    }),
  )

const NO_CATEGORY = '(none)'
/** More categories than any catalog has; one group counts the rest. */
const GROUPS_MAX = 10_000
const OTHER_GROUPS = '(others)'

const priceOf = (money: PublicState['item']['median_price'] | undefined): Price | null =>
  money ? { cents: money.cents, currency: money.currency } : null

/** `median` is that of the relative changes; null without any. */
export type Group = Readonly<{ name: string; counts: Counts; median: number | null }>
export type Distribution = Readonly<{
  /** Changed items whose price was above 0. */
  items: number
  rises: number
  falls: number
  /** Changed items whose price was 0, which have no ratio. */
  from_zero: number
  /**
   * Each is an existing change: the smallest that at least this part of the changes does not exceed. Empty without
   * changes.
   */
  quantiles: readonly Readonly<{ part: number; relative: number }>[]
  /** from ≤ relative < to; null: no bound. */
  histogram: readonly Readonly<{ from: number | null; to: number | null; items: number }>[]
}>

export type Tally = Readonly<{
  items: Counts
  /** A run under that rule would append these: changes of the public state, and changes of the voters alone. */
  events: Readonly<{ changes: number; basis_only: number }>
  /** Items whose public price is not what the present rule makes of the same facts. */
  not_reproduced: number
  changes: Distribution
  /** By the median of each region, those with most differences first; categories by the headline. */
  regions: readonly Group[]
  categories: readonly Group[]
  /** At most `top` of each kind: changed ones by factor, the others by id. */
  largest: Readonly<Record<(typeof DIFFERENT)[number], readonly Line[]>>
}>

export const DIFFERENT = ['changed', 'lost', 'gained', 'other_currency'] as const
export const isDifferent = (kind: Kind): boolean => DIFFERENT.some((different) => different === kind)
const QUANTILES = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]
const EDGES = [-0.5, -0.2, -0.1, -0.05, -0.02, -0.01, 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** Sums up lines; keeps `top` whole lines of each kind. */
export function openTally(top: number): { add: (line: Line) => void; result: () => Tally } {
  const all = openGroup()
  const regions = new Map<string, OpenGroup>()
  const categories = new Map<string, OpenGroup>()
  const events = { changes: 0, basis_only: 0 }
  const largest = { changed: [] as Line[], lost: [] as Line[], gained: [] as Line[], other_currency: [] as Line[] }
  let notReproduced = 0
  let fromZero = 0
  return {
    add(line) {
      const { kind, before, after, preview } = line
      count(all, before, after)
      count(groupOf(categories, line.category), before, after)
      const medians = (state: PublicState | null) =>
        new Map(state?.markets.map(({ region, median_price }) => [region, priceOf(median_price)]))
      const [past, next] = [medians(preview.priorState), medians(preview.next.state)]
      for (const region of new Set([...past.keys(), ...next.keys()])) {
        count(groupOf(regions, region), past.get(region) ?? null, next.get(region) ?? null)
      }
      if (preview.difference !== null) events[preview.difference.kind === 'change' ? 'changes' : 'basis_only']++
      const presently = kindOf(before, preview.present.repriced.headline)
      if (presently !== 'unchanged' && presently !== 'unpriced') notReproduced++
      if (kind === 'changed' && line.relative === null) fromZero++
      if (kind !== 'unchanged' && kind !== 'unpriced') keepLargest(largest[kind], line, top)
    },
    result: () => ({
      items: all.counts,
      events,
      not_reproduced: notReproduced,
      changes: distributionOf(all.relatives, fromZero),
      regions: closed(regions),
      categories: closed(categories),
      largest,
    }),
  }
}

type OpenGroup = { counts: Record<Kind, number>; relatives: number[] }
const openGroup = (): OpenGroup => ({
  counts: { unchanged: 0, changed: 0, gained: 0, lost: 0, other_currency: 0, unpriced: 0 },
  relatives: [],
})

function groupOf(groups: Map<string, OpenGroup>, name: string): OpenGroup {
  const key = groups.has(name) || groups.size < GROUPS_MAX ? name : OTHER_GROUPS
  const group = groups.get(key) ?? openGroup()
  groups.set(key, group)
  return group
}

function count(group: OpenGroup, before: Price | null, after: Price | null): void {
  group.counts[kindOf(before, after)]++
  const relative = relativeOf(before, after)
  if (relative !== null) group.relatives.push(relative)
}

function closed(groups: ReadonlyMap<string, OpenGroup>): Group[] {
  return [...groups]
    .map(([name, { counts, relatives }]) => ({ name, counts, median: quantile(relatives.toSorted(byNumber), 0.5) }))
    .sort((a, b) => differing(b.counts) - differing(a.counts) || (a.name < b.name ? -1 : 1))
}

/** The number of prices that differ. */
export const differing = (counts: Counts) => DIFFERENT.reduce((sum, kind) => sum + counts[kind], 0)
export const total = (counts: Counts) => KINDS.reduce((sum, kind) => sum + counts[kind], 0)

const byNumber = (a: number, b: number) => a - b

function distributionOf(relatives: readonly number[], fromZero: number): Distribution {
  const sorted = relatives.toSorted(byNumber)
  const bins = [null, ...EDGES].map((from, i) => ({ from, to: EDGES[i] ?? null, items: 0 }))
  let bin = 0
  for (const relative of sorted) {
    while (bin < EDGES.length && relative >= (EDGES[bin] as number)) bin++
    ;(bins[bin] as { items: number }).items++
  }
  return {
    items: sorted.length,
    rises: sorted.filter((relative) => relative > 0).length,
    falls: sorted.filter((relative) => relative < 0).length,
    from_zero: fromZero,
    quantiles: QUANTILES.flatMap((part) => {
      const relative = quantile(sorted, part)
      return relative === null ? [] : [{ part, relative }]
    }),
    histogram: bins,
  }
}

/** The lower quantile: the least value that this part of the sorted values does not exceed; null without values. */
function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null
}

type Ranked = Pick<Line, 'itemId' | 'kind' | 'before' | 'after'>

/** Keeps the list sorted and no longer than `top`. Halves and doubles count the same; the smaller id wins a tie. */
export function keepLargest<Of extends Ranked>(largest: Of[], line: Of, top: number): void {
  const at = largest.findIndex((kept) => isBefore(line, kept))
  if (at < 0 && largest.length >= top) return
  largest.splice(at < 0 ? largest.length : at, 0, line)
  if (largest.length > top) largest.pop()
}

function isBefore(a: Ranked, b: Ranked): boolean {
  const difference = a.kind === 'changed' ? factorOf(b) - factorOf(a) : 0
  return difference < 0 || (!(difference > 0) && a.itemId < b.itemId)
}

/** The factor by which a price rises or falls; infinite from or to 0. */
function factorOf({ before, after }: Ranked): number {
  const [one, other] = [before?.cents ?? 0, after?.cents ?? 0]
  return Math.max(one, other) / Math.min(one, other)
}
