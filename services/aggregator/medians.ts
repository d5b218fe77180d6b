import { medianOfColumns, type VoteColumns } from '@catalog/core/median.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units.ts'
import {
  type ItemColumns,
  itemColumns,
  itemsOfObservations,
  largestKeys,
  membershipColumns,
  type ObservationColumns,
  observationColumns,
  plainTerms,
  sourceKeys,
  TEXT_SEPARATOR,
} from '@catalog/store/columns.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  type Cut,
  membershipIsCurrentAt,
  overridesAt,
  type SourceAt,
  sightAt,
  sourcesAt,
} from '@catalog/store/votes.ts'
import { openEvaluator } from './evaluate.ts'

/** The headline of every item that was ever founded, as columns in one order. */
export type Medians = Readonly<{
  itemIds: readonly string[]
  /** Integer minor units; NaN where nothing may vote. */
  cents: Float64Array
  currencies: readonly (string | null)[]
  /** How many items needed exact arithmetic. */
  exactItems: number
}>

/**
 * The headline median of all items at a cut, without anything else that a publication holds. Law: exactly what the
 * evaluator says of each item. Where every price is plain (one unit, the item's own, no tax to take off, one currency, no
 * person's verdict, no jump that the fence would look at) that is a median of integers over columns; the few other items
 * go through the evaluator.
 */
export async function mediansAt(store: Store, cut: Cut): Promise<Medians> {
  const votes = await readVotes(store, cut)
  const cents = medianOfColumns(votes.columns)
  const currencies = votes.currencies.map((currency, row) => (Number.isNaN(cents[row]) ? null : currency))
  if (votes.exact.length > 0) {
    const evaluator = await openEvaluator(store, cut)
    const rowOf = new Map(votes.exact.map((row) => [votes.itemIds[row] as string, row]))
    const ids = [...rowOf.keys()]
    for (let start = 0; start < ids.length; start += CHUNK_ITEMS) {
      for (const { itemId, repriced } of await evaluator.evaluate(ids.slice(start, start + CHUNK_ITEMS))) {
        const row = rowOf.get(itemId) as number
        cents[row] = repriced.headline?.cents ?? Number.NaN
        currencies[row] = repriced.headline?.currency ?? null
      }
    }
  }
  return { itemIds: votes.itemIds, cents, currencies, exactItems: votes.exact.length }
}

/** Items evaluated at once: bounds memory, changes no result. */
const CHUNK_ITEMS = 500
/** Microseconds from 1970 to 2000, where Postgres counts from. */
const EPOCH_2000_US = Date.UTC(2000, 0, 1) * 1000
const DAY_US = 86_400_000_000
/**
 * Where all prices of a SKU are within this factor of one of them, any two are within its square, which is below the
 * smallest factor of the fence (3): no kind of source gets a verdict.
 */
const SAME_LEVEL_FACTOR = 1.7
/** What is computed with such a price is exact in a double. */
const PLAIN_CENTS_MAX = 2 ** 50

/** The votes of all items in compressed rows, row i being itemIds[i]; rows listed in `exact` have none here. */
export type Votes = Readonly<{
  itemIds: readonly string[]
  columns: VoteColumns
  /** Per row the code that all of its prices are in; null where it has none. */
  currencies: readonly (string | null)[]
  exact: readonly number[]
}>

/** Reads what votes at the cut. */
export async function readVotes(store: Store, cut: Cut): Promise<Votes> {
  const largest = await largestKeys(store)
  // What does not wait for another answer is asked for at once, so that the store's processes and ours work side by side.
  const [observations, items, skus, sources, keys, overrides, isCurrent] = await Promise.all([
    sightAt(store, cut).then((sight) => observationColumns(store, sight)),
    readItems(store, largest.item),
    readSkus(store, largest),
    sourcesAt(store, cut),
    sourceKeys(store),
    overridesAt(store, cut),
    membershipIsCurrentAt(store, cut),
  ])
  // A membership of the past is folded from its decisions, which the evaluator does.
  if (!isCurrent) items.exact.fill(1)
  for (const item of await itemsOfObservations(store, [...overrides.keys()])) items.exact[item] = 1
  const plainIn = new Map<string, Uint8Array>()
  for await (const chunk of observations) take(chunk, { skus, items, plainIn })
  return votesOf({ skus, items, sources, keys, asOfUs: Date.parse(cut.asOf) * 1000 - EPOCH_2000_US })
}

/** By item key. Units are numbered in the order in which they are met; 0 is no unit, or a pack. */
type Items = Readonly<{
  chunks: ItemColumns[]
  unit: Int32Array
  units: (string | null)[]
  /** Three letters as one number; 0 until an observation was met. */
  currency: Int32Array
  /** 1 where exact arithmetic, or a rule, has to decide. */
  exact: Uint8Array
}>

async function readItems(store: Store, largest: number): Promise<Items> {
  const keys = () => new Int32Array(largest + 1)
  const exact = new Uint8Array(largest + 1)
  const items: Items = { chunks: [], unit: keys(), units: [null], currency: keys(), exact }
  const codes = new Map([['', 0]])
  for await (const chunk of itemColumns(store)) {
    items.chunks.push(chunk)
    forEachRun(chunk.units, (unit, from, to) => {
      const code = codes.get(unit) ?? items.units.push(unit) - 1
      codes.set(unit, code)
      for (let i = from; i < to; i++) items.unit[chunk.items[i] as number] = code
    })
  }
  return items
}

/**
 * Cuts a text column into runs of equal rows, of which there are fewer than rows: `[from, to)` are the rows of one. Nothing
 * is allocated for a row that equals the one before it.
 */
function forEachRun(column: string, visit: (text: string, from: number, to: number) => void): void {
  let from = 0
  let row = 0
  for (let at = 0; at <= column.length; from = row) {
    const end = column.indexOf(TEXT_SEPARATOR, at)
    const text = column.slice(at, end < 0 ? column.length : end)
    do {
      at += text.length + 1
      row++
    } while (
      at <= column.length &&
      column.startsWith(text, at) &&
      (at + text.length === column.length || column[at + text.length] === TEXT_SEPARATOR)
    )
    visit(text, from, row)
  }
}

/** By SKU key: where it belongs (item 0: nowhere), and what its observations come to. */
type Skus = Readonly<{
  item: Int32Array
  source: Int32Array
  /** Minus infinity until an observation was met. */
  latestUs: Float64Array
  latestCents: Float64Array
  /** Of the observation that was met first. */
  firstCents: Float64Array
}>

async function readSkus(store: Store, largest: { sku: number; item: number }): Promise<Skus> {
  const numbers = () => new Float64Array(largest.sku + 1)
  const keys = () => new Int32Array(largest.sku + 1)
  const skus: Skus = {
    item: keys(),
    source: keys(),
    latestUs: numbers().fill(Number.NEGATIVE_INFINITY),
    latestCents: numbers(),
    firstCents: numbers(),
  }
  for await (const { skus: own, items, sources } of membershipColumns(store)) {
    for (let i = 0; i < own.length; i++) {
      const sku = own[i] as number
      const item = items[i] as number
      // An item that was founded while we read is no item of this cut.
      if (item > largest.item) continue
      skus.item[sku] = item
      skus.source[sku] = sources[i] as number
    }
  }
  return skus
}

/** Adds a chunk of observations to their SKUs, in any order; an item with one that is not plain is marked exact. */
function take(
  { skus: own, observedAtUs, cents: prices, currencies, terms }: ObservationColumns,
  { skus, items, plainIn }: { skus: Skus; items: Items; plainIn: Map<string, Uint8Array> },
): void {
  forEachRun(terms, (text, from, to) => {
    const plain = plainIn.get(text) ?? plainUnits(text, items.units)
    plainIn.set(text, plain)
    for (let i = from; i < to; i++) {
      const sku = own[i] as number
      const item = skus.item[sku]
      // In no item: not matched yet, or stored after its membership was read.
      if (item === 0 || item === undefined) continue
      const cents = prices[i] as number
      const us = observedAtUs[i] as number
      const latestUs = skus.latestUs[sku] as number
      const currency = threeLetters(currencies, 3 * i)
      if (items.currency[item] === 0) items.currency[item] = currency
      // Which of two currencies settles, and which of several prices at one instant votes, are matters of rules.
      const isPlain =
        plain[items.unit[item] as number] === 1 &&
        cents > 0 &&
        cents <= PLAIN_CENTS_MAX &&
        currency === items.currency[item] &&
        us !== latestUs
      if (!isPlain) {
        items.exact[item] = 1
        continue
      }
      if (latestUs === Number.NEGATIVE_INFINITY) skus.firstCents[sku] = cents
      else {
        const first = skus.firstCents[sku] as number
        if (cents > SAME_LEVEL_FACTOR * first || first > SAME_LEVEL_FACTOR * cents) items.exact[item] = 1
      }
      if (us > latestUs) {
        skus.latestUs[sku] = us
        skus.latestCents[sku] = cents
      }
    }
  })
}

/** Per code of an item's unit: 1 where a price on these terms is a price per unit of the item as it stands. */
function plainUnits(terms: string, units: readonly (string | null)[]): Uint8Array {
  const plain = new Uint8Array(units.length)
  const sold = plainTerms(terms)
  if (sold !== null) {
    for (const [code, unit] of units.entries()) {
      // Code 0 stands for packs as well as for no unit: those go through the evaluator.
      if (code === 0) continue
      const factor = conversionFactor(soldUnit(sold), soldUnit({ unit }))
      plain[code] = factor !== null && factor.n === 1n && factor.d === 1n ? 1 : 0
    }
  }
  return plain
}

function votesOf({
  skus,
  items,
  sources,
  keys,
  asOfUs,
}: {
  skus: Skus
  items: Items
  sources: ReadonlyMap<string, SourceAt>
  keys: ReadonlyMap<number, string>
  asOfUs: number
}): Votes {
  const trust = new Uint8Array(Math.max(0, ...keys.keys()) + 1)
  const expiredUs = new Float64Array(trust.length)
  for (const [key, id] of keys) {
    const source = sources.get(id)
    if (source === undefined || !source.enabled) continue
    trust[key] = source.trust
    expiredUs[key] = asOfUs - source.validityDays * DAY_US
  }
  const itemIds = items.chunks.flatMap((chunk) => chunk.itemIds.split(TEXT_SEPARATOR))
  const currencies: (string | null)[] = []
  const exact: number[] = []
  const rowOf = new Int32Array(items.exact.length)
  const letters = new Map<number, string | null>([[0, null]])
  for (const { items: own } of items.chunks) {
    for (const item of own) {
      const code = items.currency[item] as number
      let text = letters.get(code)
      if (text === undefined) {
        text = String.fromCharCode(code >> 16, (code >> 8) & 255, code & 255)
        letters.set(code, text)
      }
      const row = currencies.push(text) - 1
      rowOf[item] = row
      if (items.exact[item] === 1) exact.push(row)
    }
  }

  // Counted per item, summed up to where each item's votes begin, and then put there.
  const weights = new Uint8Array(skus.item.length)
  const offsets = new Uint32Array(itemIds.length + 1)
  for (let sku = 1; sku < weights.length; sku++) {
    const item = skus.item[sku] as number
    const source = skus.source[sku] as number
    if (item === 0 || (skus.latestUs[sku] as number) <= (expiredUs[source] as number)) continue
    const weight = trust[source] as number
    if (weight === 0 || items.exact[item] === 1) continue
    weights[sku] = weight
    const end = (rowOf[item] as number) + 1
    offsets[end] = (offsets[end] as number) + 1
  }
  for (let row = 0; row < itemIds.length; row++) {
    offsets[row + 1] = (offsets[row + 1] as number) + (offsets[row] as number)
  }
  const count = offsets[itemIds.length] as number
  const columns = { offsets, prices: new Float64Array(count), weights: new Uint8Array(count) }
  const next = offsets.slice()
  for (let sku = 1; sku < weights.length; sku++) {
    const weight = weights[sku] as number
    if (weight === 0) continue
    const row = rowOf[skus.item[sku] as number] as number
    const at = next[row] as number
    next[row] = at + 1
    columns.prices[at] = skus.latestCents[sku] as number
    columns.weights[at] = weight
  }
  return { itemIds, columns, currencies, exact }
}

function threeLetters(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | (text.charCodeAt(at + 1) << 8) | text.charCodeAt(at + 2)
}
