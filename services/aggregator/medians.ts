import { medianOfColumns, type VoteColumns, weightedMedian } from '@catalog/core/median/median.ts'
import type { TaxRules } from '@catalog/core/median/tax-rules.ts'
import { readServedBuild } from '@catalog/store/builds/builds.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  type Cut,
  membershipIsCurrentAt,
  methodAt,
  overridesAt,
  type SourceAt,
  sourcesAt,
  taxRulesAt,
  unitAliasesAt,
  visibilityAt,
} from '@catalog/store/vendor/as-of-queries.ts'
import {
  type ItemColumns,
  itemColumns,
  itemsOfObservations,
  largestKeys,
  membershipColumns,
  type ObservationColumns,
  observationColumns,
  priceTerms,
  sourceKeys,
  TEXT_SEPARATOR,
} from '@catalog/store/vendor/columns.ts'
import { allItemIds } from '@catalog/store/vendor/runs.ts'
import { sourceVoicesAt } from '@catalog/store/vendor/source-aliases.ts'
import { type Evaluated, openEvaluator } from './evaluate.ts'
import { currencyText, markAliased, type Terms, termsOf, withoutAliased } from './plain-terms.ts'

/** The headlines of all items ever founded, as columns in one order. */
export type Medians = Readonly<{
  /** Computed on demand: the ids cost more than the medians. */
  itemIds: () => string[]
  /** Integer minor units; NaN where no source votes. */
  cents: Float64Array
  /** ISO 4217; null where there are no cents. */
  currencies: () => (string | null)[]
  /** Items that needed exact arithmetic. */
  exactItems: number
}>

/**
 * The headlines of all items at a cut by the method in force there, without the rest of a publication. Law: equal to
 * the evaluator's result for each item. By a weighted median (twm/1, twm/3) a plain item is a median of integers over
 * columns. Plain means one unit, the item's own; no tax to remove; one currency; no verdict by a person; and no jump
 * for the fence; and no SKU of an aliased source. Where votes are guarded, also no tier, no tax for a rule to settle, and no far price. The evaluator
 * computes all other items, and all items by any other method.
 */
export async function mediansAt(store: Store, cut: Cut): Promise<Medians> {
  const method = await methodAt(store, cut)
  if (method.price !== weightedMedian) return exactMedians(store, cut)
  const guard = method.votes === 'guarded' ? { taxRules: await taxRulesAt(store, cut) } : null
  const build = await readServedBuild(store)
  const { columns, items, exact } = await readVotes(store, cut, guard)
  // The build flipped meanwhile. The columns use private keys that differ between builds, so start again.
  if ((await readServedBuild(store)) !== build) return mediansAt(store, cut)
  const cents = medianOfColumns(columns)
  const exactCurrencies = new Map<number, string | null>()
  if (exact.length > 0) {
    const itemIds = items.ids()
    const rowOf = new Map(exact.map((row) => [itemIds[row] as string, row]))
    for await (const { itemId, repriced } of evaluated(store, cut, [...rowOf.keys()])) {
      const row = rowOf.get(itemId) as number
      cents[row] = repriced.headline?.cents ?? Number.NaN
      exactCurrencies.set(row, repriced.headline?.currency ?? null)
    }
  }
  const currencies = () =>
    Array.from(
      cents,
      (own, row) => exactCurrencies.get(row) ?? (Number.isNaN(own) ? null : currencyText(items.currency[row])),
    )
  return { itemIds: items.ids, cents, currencies, exactItems: exact.length }
}

/** Evaluates every item, for methods without arithmetic over columns. */
async function exactMedians(store: Store, cut: Cut): Promise<Medians> {
  const itemIds = await allItemIds(store)
  const cents = new Float64Array(itemIds.length).fill(Number.NaN)
  const currencies = new Array<string | null>(itemIds.length).fill(null)
  const rowOf = new Map(itemIds.map((itemId, row) => [itemId, row]))
  for await (const { itemId, repriced } of evaluated(store, cut, itemIds)) {
    const row = rowOf.get(itemId) as number
    cents[row] = repriced.headline?.cents ?? Number.NaN
    currencies[row] = repriced.headline?.currency ?? null
  }
  return { itemIds: () => itemIds, cents, currencies: () => currencies, exactItems: itemIds.length }
}

async function* evaluated(store: Store, cut: Cut, itemIds: readonly string[]): AsyncGenerator<Evaluated> {
  const evaluator = await openEvaluator(store, cut)
  for (let start = 0; start < itemIds.length; start += CHUNK_ITEMS) {
    yield* await evaluator.evaluate(itemIds.slice(start, start + CHUNK_ITEMS))
  }
}

/** Items evaluated at once: bounds memory, changes no result. */
const CHUNK_ITEMS = 500
/** Microseconds from 1970 to 2000, the epoch of PostgreSQL. */
const EPOCH_2000_US = Date.UTC(2000, 0, 1) * 1000
const DAY_US = 86_400_000_000
/**
 * When all prices of a SKU lie within this factor of one price, any two lie within its square. That is below the
 * smallest factor of the fence (3), so no kind of source gets a verdict.
 */
const SAME_LEVEL_FACTOR = 1.7
/**
 * A first price is far from others at a factor of 10 or more. The latest price of its SKU, which votes, lies within the
 * square of SAME_LEVEL_FACTOR of it. So votes within 10 / 1.7² = 3.46 of each other leave no first price to judge.
 */
const FAR_SPREAD = 3.4
/** A far first price needs three others. */
const FAR_VOTES_MIN = 4
/** Arithmetic on prices up to this is exact in a double. */
const PLAIN_CENTS_MAX = 2 ** 50

/** The votes of all items in compressed rows; rows listed in `exact` have no votes here. */
export type Votes = Readonly<{ items: Items; columns: VoteColumns; exact: readonly number[] }>

/** Reads the votes at the cut; `guard` where votes are guarded. */
export async function readVotes(
  store: Store,
  cut: Cut,
  guard: Readonly<{ taxRules: TaxRules }> | null = null,
): Promise<Votes> {
  const largest = await largestKeys(store)
  // Start independent queries together, so that the store's processes and this one work in parallel.
  const [observations, prices, items, members, sources, keys, overrides, isCurrent, aliases, voices] =
    await Promise.all([
      visibilityAt(store, cut).then((visibility) => observationColumns(store, visibility)),
      priceTerms(store),
      readItems(store, largest.item),
      readMembers(store, largest),
      sourcesAt(store, cut),
      sourceKeys(store),
      overridesAt(store, cut),
      membershipIsCurrentAt(store, cut),
      unitAliasesAt(store, cut),
      sourceVoicesAt(store, cut),
    ])
  // Only the evaluator folds a past membership from decisions.
  if (!isCurrent) items.exact.fill(1)
  for (const item of await itemsOfObservations(store, [...overrides.keys()])) {
    items.exact[items.rowOf[item] as number] = 1
  }
  const skus = skusOf(members, items)
  markAliased({ skus, exact: items.exact, keys, voices })
  const terms = termsOf(withoutAliased(prices, aliases), items.units, guard)
  for await (const chunk of observations) addObservations(chunk, { skus, items, terms })
  const asOfUs = Date.parse(cut.asOf) * 1000 - EPOCH_2000_US
  return votesOf({ skus, items, sources, keys, asOfUs, isGuarded: guard !== null })
}

/** Columns by row. Units are numbered in order of appearance; 0 means no unit, or a pack. */
type Items = Readonly<{
  ids: () => string[]
  /** By item key; 0 also for a key without a row. */
  rowOf: Int32Array
  unit: Int32Array
  units: (string | null)[]
  /** Three letters as one number; 0 before the first observation. */
  currency: Int32Array
  /** 1 where exact arithmetic or a rule has to decide. */
  exact: Uint8Array
}>

async function readItems(store: Store, largest: number): Promise<Items> {
  const chunks: ItemColumns[] = []
  for await (const chunk of itemColumns(store)) chunks.push(chunk)
  const count = chunks.reduce((sum, { items }) => sum + items.length, 0)
  const rowOf = new Int32Array(largest + 1)
  const unit = new Int32Array(count)
  const units: (string | null)[] = [null]
  const codes = new Map([['', 0]])
  let first = 0
  for (const { items, units: column } of chunks) {
    for (let i = 0; i < items.length; i++) rowOf[items[i] as number] = first + i
    forEachRun(column, (text, from, to) => {
      const code = codes.get(text) ?? units.push(text) - 1
      codes.set(text, code)
      unit.fill(code, first + from, first + to)
    })
    first += items.length
  }
  return {
    ids: () => chunks.flatMap(({ itemIds }) => itemIds.split(TEXT_SEPARATOR)),
    rowOf,
    unit,
    units,
    currency: new Int32Array(count),
    exact: new Uint8Array(count),
  }
}

/**
 * Splits a text column into runs of equal rows, of which there are fewer than rows: `[from, to)` are the rows of one.
 * It allocates nothing for a row that equals the one before it.
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

/** By SKU key: item and source; 0 for a SKU without an item at this cut. */
type Members = Readonly<{ item: Int32Array; source: Int32Array }>

async function readMembers(store: Store, largest: { sku: number; item: number }): Promise<Members> {
  const members = { item: new Int32Array(largest.sku + 1), source: new Int32Array(largest.sku + 1) }
  for await (const { source, skusAndItems } of membershipColumns(store)) {
    for (let i = 0; i < skusAndItems.length; i += 2) {
      const sku = skusAndItems[i] as number
      const item = skusAndItems[i + 1] as number
      // Skip what was founded during the read: it lies after this cut.
      if (item > largest.item || sku > largest.sku) continue
      members.item[sku] = item
      members.source[sku] = source
    }
  }
  return members
}

/** The SKUs of each item side by side, as slots: row i has those from offsets[i] up to offsets[i + 1]. */
type Skus = Readonly<{
  offsets: Uint32Array
  /** By SKU key; -1 where it has no item. */
  slotOf: Int32Array
  rowOf: Int32Array
  /** By slot, the time of the latest observation; minus infinity before the first. */
  latestUs: Float64Array
  latestCents: Float64Array
  /** The price of the observation read first. */
  firstCents: Float64Array
  source: Int32Array
}>

function skusOf(members: Members, items: Items): Skus {
  const rowCount = items.unit.length
  const offsets = new Uint32Array(rowCount + 1)
  const rowOf = new Int32Array(members.item.length)
  for (let sku = 1; sku < rowOf.length; sku++) {
    const item = members.item[sku] as number
    if (item === 0) continue
    const row = items.rowOf[item] as number
    rowOf[sku] = row
    offsets[row + 1] = (offsets[row + 1] as number) + 1
  }
  for (let row = 0; row < rowCount; row++) {
    offsets[row + 1] = (offsets[row + 1] as number) + (offsets[row] as number)
  }
  const count = offsets[rowCount] as number
  const slotOf = new Int32Array(rowOf.length).fill(-1)
  const source = new Int32Array(count)
  const next = offsets.slice()
  for (let sku = 1; sku < rowOf.length; sku++) {
    if (members.item[sku] === 0) continue
    const row = rowOf[sku] as number
    const slot = next[row] as number
    next[row] = slot + 1
    slotOf[sku] = slot
    source[slot] = members.source[sku] as number
  }
  return {
    offsets,
    slotOf,
    rowOf,
    latestUs: new Float64Array(count).fill(Number.NEGATIVE_INFINITY),
    latestCents: new Float64Array(count),
    firstCents: new Float64Array(count),
    source,
  }
}

/**
 * Adds a chunk of observations to their SKUs, in any order; marks an item exact when one of its prices is not plain.
 */
function addObservations(
  { skusAndTerms, observedAtUs, cents: prices }: ObservationColumns,
  { skus, items, terms }: { skus: Skus; items: Items; terms: Terms },
): void {
  for (let i = 0; i < prices.length; i++) {
    const sku = skusAndTerms[2 * i] as number
    const slot = skus.slotOf[sku]
    // The SKU has no item: it is not matched yet, or was stored after the membership was read.
    if (slot === undefined || slot < 0) continue
    const row = skus.rowOf[sku] as number
    const key = skusAndTerms[2 * i + 1] as number
    const cents = prices[i] as number
    const us = observedAtUs[i] as number
    const latestUs = skus.latestUs[slot] as number
    const currency = terms.currency[key] as number
    if (items.currency[row] === 0) items.currency[row] = currency
    // Rules decide which of two currencies settles and which of several prices at one instant votes. Terms stored after
    // our read are not plain either.
    const isPlain =
      terms.plain[key]?.[items.unit[row] as number] === 1 &&
      cents > 0 &&
      cents <= PLAIN_CENTS_MAX &&
      currency === items.currency[row] &&
      us !== latestUs
    if (!isPlain) {
      items.exact[row] = 1
      continue
    }
    if (latestUs === Number.NEGATIVE_INFINITY) skus.firstCents[slot] = cents
    else {
      const first = skus.firstCents[slot] as number
      if (cents > SAME_LEVEL_FACTOR * first || first > SAME_LEVEL_FACTOR * cents) items.exact[row] = 1
    }
    if (us > latestUs) {
      skus.latestUs[slot] = us
      skus.latestCents[slot] = cents
    }
  }
}

function votesOf({
  skus,
  items,
  sources,
  keys,
  asOfUs,
  isGuarded,
}: {
  skus: Skus
  items: Items
  sources: ReadonlyMap<string, SourceAt>
  keys: ReadonlyMap<number, string>
  asOfUs: number
  isGuarded: boolean
}): Votes {
  const trust = new Uint8Array(Math.max(0, ...keys.keys()) + 1)
  const expiredUs = new Float64Array(trust.length)
  for (const [key, id] of keys) {
    const source = sources.get(id)
    if (source === undefined || !source.enabled) continue
    trust[key] = source.trust
    expiredUs[key] = asOfUs - source.validityDays * DAY_US
  }
  const rowCount = items.unit.length
  const exact: number[] = []
  const offsets = new Uint32Array(rowCount + 1)
  const prices = new Float64Array(skus.source.length)
  const weights = new Uint8Array(skus.source.length)
  let count = 0
  for (let row = 0; row < rowCount; row++) {
    if (items.exact[row] === 1) exact.push(row)
    else {
      const end = skus.offsets[row + 1] as number
      for (let slot = skus.offsets[row] as number; slot < end; slot++) {
        const source = skus.source[slot] as number
        const weight = trust[source] as number
        if (weight === 0 || (skus.latestUs[slot] as number) <= (expiredUs[source] as number)) continue
        prices[count] = skus.latestCents[slot] as number
        weights[count] = weight
        count++
      }
      if (isGuarded && hasFarPrice(prices, offsets[row] as number, count)) {
        count = offsets[row] as number
        exact.push(row)
      }
    }
    offsets[row + 1] = count
  }
  return { items, columns: { offsets, prices: prices.subarray(0, count), weights: weights.subarray(0, count) }, exact }
}

/** Whether the prices of one item, in rows from `from` up to `to`, leave a first price to judge. */
function hasFarPrice(prices: Float64Array, from: number, to: number): boolean {
  if (to - from < FAR_VOTES_MIN) return false
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (let vote = from; vote < to; vote++) {
    const price = prices[vote] as number
    if (price < low) low = price
    if (price > high) high = price
  }
  return high >= FAR_SPREAD * low
}
