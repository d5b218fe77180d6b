import type { RuleDecision } from '@catalog/aggregator/accept-rule.ts'
import type { ItemBasis } from '@catalog/api/contract/contract.ts'
import { explanationOf } from '@catalog/api/items/explain.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import type { Price } from '@catalog/operations/price-change.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { Carried, CarryForward } from './carry.ts'
import { DIFFERENT, type Line, type Tally } from './report.ts'

/** The hypothesis: another method, sources without a vote, or other trust. */
export type Hypothesis = Readonly<{
  as_of: string
  /** The run whose prices are public; null if the comparison is with the present rule at `as_of`. */
  run_id: string | null
  method: Readonly<{ before: string; after: string }>
  /** The module of a custom method; null for a built-in one. */
  method_file: string | null
  without: readonly Readonly<{ source_id: string; name: string }>[]
  /** Disabled sources that would vote again. */
  with: readonly Readonly<{ source_id: string; name: string }>[]
  trust: readonly Readonly<{ source_id: string; name: string; before: number; after: number }>[]
  /** Present where votes were carried forward by an index; nothing of that is ever published. */
  carry_forward?: CarryForward
}>

/** A price that would change, with both bases. */
export type PriceChange = Readonly<{
  item_id: string
  name: string
  unit: string | null
  category: string
  before: Price | null
  after: Price | null
  /** (after − before) / before; null where that is undefined. */
  relative: number | null
  /** By the present and by the other rule, from the same facts. */
  before_basis: ItemBasis['basis']
  after_basis: ItemBasis['basis']
  /** The votes of after_basis that were carried: it shows their prices as they were observed. */
  carried?: readonly Carried[]
}>

/** The events that --accept appended. */
export type Published = Readonly<{
  /** Null if that rule already made the prices. */
  run_id: string | null
  /** The run continued one that had been interrupted; only the rest is shown and counted. */
  resumed: boolean
  decisions: readonly RuleDecision[]
  /** Changes of the public state, and changes of the voters alone: the `events` that were shown. */
  changes: number
  basis_only: number
}>

/** The command's answer; docs/what-if.md explains it. */
export type WhatIfAnswer = Hypothesis &
  Omit<Tally, 'largest'> &
  Readonly<{
    /** Null without --accept. */
    published: Published | null
    largest: Readonly<Record<keyof Tally['largest'], readonly PriceChange[]>>
  }>

/** Explains the bases of the largest changes, as `catalog explain` does. */
export async function explainLargest(
  store: Queryable,
  largest: Tally['largest'],
  at: { runId: string | null; asOf: string },
): Promise<WhatIfAnswer['largest']> {
  const explained = {
    changed: [] as PriceChange[],
    lost: [] as PriceChange[],
    gained: [] as PriceChange[],
    other_currency: [] as PriceChange[],
  }
  for (const kind of DIFFERENT) {
    for (const line of largest[kind]) explained[kind].push(await priceChangeOf(store, line, at))
  }
  return explained
}

async function priceChangeOf(
  store: Queryable,
  line: Line,
  at: { runId: string | null; asOf: string },
): Promise<PriceChange> {
  const { itemId, name, unit, category, before, after, relative, preview } = line
  const { state, vendor_sku_ids } = preview.next
  // Only the basis of each explanation is shown; its votes name their markets.
  const { merged_into: mergedInto, kind = null, names = [] } = state
  const shared = {
    itemId,
    name,
    unit,
    kind,
    names,
    category: null,
    mergedInto,
    vendorSkuIds: vendor_sku_ids,
    markets: [],
    ...at,
  }
  const basisOf = async (basis: Basis, median: Price | null) =>
    (await explanationOf(store, { ...shared, basis, median })).basis
  return {
    item_id: itemId,
    name,
    unit,
    category,
    before,
    after,
    relative,
    before_basis: await basisOf(preview.present.repriced.basis, before),
    after_basis: await basisOf(preview.next.basis, after),
    ...(line.carried !== undefined && { carried: [...line.carried.values()] }),
  }
}
