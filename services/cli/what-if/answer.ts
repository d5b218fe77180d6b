import type { RuleDecision } from '@catalog/aggregator/accept-rule.ts'
import type { ItemBasis } from '@catalog/api/contract/contract.ts'
import { explanationOf } from '@catalog/api/items/explain.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { DIFFERENT, type Line, type Price, type Tally } from './report.ts'

/** What was asked: another method, sources that have no say, and other trust. */
export type Question = Readonly<{
  as_of: string
  /** The run whose prices are public; null when they are compared as the present rule makes them at `as_of`. */
  run_id: string | null
  method: Readonly<{ before: string; after: string }>
  /** The module that the method was loaded from; null of one of ours. */
  method_file: string | null
  without: readonly Readonly<{ source_id: string; name: string }>[]
  /** Sources that were switched off, and would have a say again. */
  with: readonly Readonly<{ source_id: string; name: string }>[]
  trust: readonly Readonly<{ source_id: string; name: string; before: number; after: number }>[]
}>

/** A price that would be another one, and what both rest on. */
export type Mover = Readonly<{
  item_id: string
  name: string
  unit: string | null
  category: string
  before: Price | null
  after: Price | null
  /** (after − before) / before; null where one has no such number. */
  relative: number | null
  /** By the present rule, and by the one that is asked about, of the same facts. */
  before_basis: ItemBasis['basis']
  after_basis: ItemBasis['basis']
}>

/** What --accept appended. */
export type Published = Readonly<{
  /** Null where prices were made by that rule already. */
  run_id: string | null
  /** The run had been begun before, by somebody who was stopped; only what was left of it is shown and counted. */
  resumed: boolean
  decisions: readonly RuleDecision[]
  /** Of the public state, and of those who vote alone: the `events` that were shown. */
  changes: number
  basis_only: number
}>

/** What the command answers; docs/what-if.md says how to read it. */
export type WhatIfAnswer = Question &
  Omit<Tally, 'largest'> &
  Readonly<{
    /** Null of a report that was only read. */
    published: Published | null
    largest: Readonly<Record<keyof Tally['largest'], readonly Mover[]>>
  }>

/** The largest changes with their bases explained, as `catalog explain` explains one. */
export async function explainedOf(
  store: Queryable,
  largest: Tally['largest'],
  at: { runId: string | null; asOf: string },
): Promise<WhatIfAnswer['largest']> {
  const explained = {
    changed: [] as Mover[],
    lost: [] as Mover[],
    gained: [] as Mover[],
    other_currency: [] as Mover[],
  }
  for (const kind of DIFFERENT) {
    for (const line of largest[kind]) explained[kind].push(await moverOf(store, line, at))
  }
  return explained
}

async function moverOf(store: Queryable, line: Line, at: { runId: string | null; asOf: string }): Promise<Mover> {
  const { itemId, name, unit, category, before, after, relative, outlook } = line
  const { state, vendor_sku_ids } = outlook.next
  // Of an explanation only the basis is shown, which says which markets a vote is part of.
  const shared = { itemId, name, unit, mergedInto: state.merged_into, vendorSkuIds: vendor_sku_ids, markets: [], ...at }
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
    before_basis: await basisOf(outlook.present.repriced.basis, before),
    after_basis: await basisOf(outlook.next.basis, after),
  }
}
