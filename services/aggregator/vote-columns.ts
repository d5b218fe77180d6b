import { UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import type { VoteColumns } from '@catalog/core/median/median.ts'
import { isSubdivision } from '@catalog/core/median/subdivisions.ts'
import type { TaxRules } from '@catalog/core/median/tax-rules.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  type Cut,
  editionsAt,
  membershipIsCurrentAt,
  overridesAt,
  type SourceAt,
  sourcesAt,
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
import { sourceVoicesAt } from '@catalog/store/vendor/source-aliases.ts'
import { plainUnits, type TermsClasses, termsClasses } from './plain-terms.ts'

/** PostgreSQL counts microseconds from 2000-01-01. */
const microseconds = (instant: string) => (Date.parse(instant) - Date.UTC(2000, 0, 1)) * 1000
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

/** The votes of all items in compressed rows; rows listed in `exact` have no votes with weight here. */
export type Votes = Readonly<{ items: Items; columns: VoteColumns; exact: readonly number[] }>

/** Reads the votes at the cut; `guard` where votes are guarded. */
export async function readVotes(
  store: Store,
  cut: Cut,
  guard: Readonly<{ taxRules: TaxRules }> | null = null,
): Promise<Votes> {
  const largest = await largestKeys(store)
  // Start independent queries together, so that the store's processes and this one work in parallel.
  const [skus, items, members, sources, keys, overrides, isCurrent, voices, editions] = await Promise.all([
    readSkus(store, { cut, guard, count: largest.sku + 1 }),
    readItems(store, largest.item),
    readMembers(store, largest),
    sourcesAt(store, cut),
    sourceKeys(store),
    overridesAt(store, cut),
    membershipIsCurrentAt(store, cut),
    sourceVoicesAt(store, cut),
    visibilityAt(store, cut).then((visibility) => editionsAt(store, visibility)),
  ])
  // Only the evaluator folds a past membership from decisions.
  if (!isCurrent) items.exact.fill(1)
  for (const item of await itemsOfObservations(store, [...overrides.keys()])) {
    items.exact[items.rowOf[item] as number] = 1
  }
  const isApart = (sourceId: string) =>
    voices.has(sourceId) ||
    isSubdivision(sources.get(sourceId)?.region ?? '') ||
    (editions.has(sourceId) && sources.get(sourceId)?.validity === UNTIL_SUPERSEDED)
  const apart = new Set([...keys].filter(([, sourceId]) => isApart(sourceId)).map(([key]) => key))
  const power = powerOf({ sources, keys, asOfUs: microseconds(cut.asOf) })
  const voting = votingSkus({ skus, members, items, apart, power })
  return votesOf({ voting, skus, items, isGuarded: guard !== null })
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
  for await (const { source, count, skusAndItems } of membershipColumns(store)) {
    for (let i = 0; i < 2 * count; i += 2) {
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

/**
 * The latest observation and the terms of each SKU, by the key of the SKU. A full read fills these columns in the order of
 * the observations, without a look at the SKU's item.
 */
type Skus = Readonly<{
  /** The time of the latest observation; minus infinity before the first. */
  latestUs: Float64Array
  latestCents: Float64Array
  /** The price of the observation read first. */
  firstCents: Float64Array
  /** The class of all its terms. */
  class: Int32Array
  classes: TermsClasses
  /** 1 where exact arithmetic or a rule has to decide. */
  exact: Uint8Array
}>

async function readSkus(
  store: Store,
  { cut, guard, count }: { cut: Cut; guard: Readonly<{ taxRules: TaxRules }> | null; count: number },
): Promise<Skus> {
  const [observations, prices, aliases] = await Promise.all([
    visibilityAt(store, cut).then((visibility) => observationColumns(store, visibility)),
    priceTerms(store),
    unitAliasesAt(store, cut),
  ])
  const skus: Skus = {
    latestUs: new Float64Array(count).fill(Number.NEGATIVE_INFINITY),
    latestCents: new Float64Array(count),
    firstCents: new Float64Array(count),
    class: new Int32Array(count),
    classes: termsClasses(prices, { guard, aliases }),
    exact: new Uint8Array(count),
  }
  const asOfUs = microseconds(cut.asOf)
  for await (const chunk of observations) addObservations(skus, chunk, asOfUs)
  return skus
}

/**
 * Adds the observations of a chunk up to an instant to their SKUs, in any order; marks a SKU exact when one of its prices
 * is not plain.
 */
function addObservations(
  skus: Skus,
  { count, skusAndTerms, observedAtUs, cents: prices }: ObservationColumns,
  asOfUs: number,
): void {
  // Locals: the loop would read each field again.
  const { latestUs: latest, latestCents, firstCents, class: classes, exact } = skus
  const { classOf } = skus.classes
  for (let i = 0; i < count; i++) {
    const sku = skusAndTerms[2 * i] as number
    const us = observedAtUs[i] as number
    // The SKU may have been stored after the keys were read.
    if (us > asOfUs || sku >= exact.length) continue
    const terms = classOf[skusAndTerms[2 * i + 1] as number] ?? 0
    const cents = prices[i] as number
    const latestUs = latest[sku] as number
    if (latestUs === Number.NEGATIVE_INFINITY) {
      classes[sku] = terms
      firstCents[sku] = cents
    }
    const first = firstCents[sku] as number
    // Rules decide which of two currencies settles and which of several prices at one instant votes.
    const isPlain =
      terms === classes[sku] &&
      cents > 0 &&
      cents <= PLAIN_CENTS_MAX &&
      us !== latestUs &&
      cents <= SAME_LEVEL_FACTOR * first &&
      first <= SAME_LEVEL_FACTOR * cents
    if (!isPlain) exact[sku] = 1
    if (us > latestUs) {
      latest[sku] = us
      latestCents[sku] = cents
    }
  }
}

/** By source key: the weight of its votes, 0 where it has none, and the instant up to which its prices have expired. */
type Power = Readonly<{ weight: Uint8Array; expiredUs: Float64Array }>

function powerOf({
  sources,
  keys,
  asOfUs,
}: {
  sources: ReadonlyMap<string, SourceAt>
  keys: ReadonlyMap<number, string>
  asOfUs: number
}): Power {
  const weight = new Uint8Array(Math.max(0, ...keys.keys()) + 1)
  const expiredUs = new Float64Array(weight.length)
  for (const [key, id] of keys) {
    const source = sources.get(id)
    if (source === undefined || !source.enabled) continue
    weight[key] = source.trust
    expiredUs[key] = asOfUs - source.validityDays * DAY_US
  }
  return { weight, expiredUs }
}

/** By SKU key: its item's row and the weight of its vote, 0 where it has none. */
type VotingSkus = Readonly<{ row: Int32Array; weight: Uint8Array }>

/** Marks the items exact whose SKUs are, or have several units or currencies, or are of a source that only the evaluator reads. */
function votingSkus({
  skus,
  members,
  items,
  apart,
  power,
}: {
  skus: Skus
  members: Members
  items: Items
  /** Sources that are aliases, are of a subdivision, or have editions that supersede. */
  apart: ReadonlySet<number>
  power: Power
}): VotingSkus {
  const { latestUs: latest, class: classes } = skus
  const { currency, sold } = skus.classes
  const { rowOf, unit, currency: currencyOf, exact } = items
  const plain = sold.map((each) => plainUnits(each, items.units))
  const { item: itemOf, source: sourceOf } = members
  const { weight, expiredUs } = power
  const voting = { row: new Int32Array(itemOf.length), weight: new Uint8Array(itemOf.length) }
  for (let sku = 1; sku < itemOf.length; sku++) {
    const item = itemOf[sku] as number
    if (item === 0) continue
    const row = rowOf[item] as number
    const source = sourceOf[sku] as number
    // Another source gives its settings, and perhaps its vote; or its latest price may be of an older edition.
    if (apart.size > 0 && apart.has(source)) exact[row] = 1
    const latestUs = latest[sku] as number
    if (latestUs === Number.NEGATIVE_INFINITY) continue
    const terms = classes[sku] as number
    const own = currency[terms] as number
    if (currencyOf[row] === 0) currencyOf[row] = own
    const isPlain =
      skus.exact[sku] === 0 && own === currencyOf[row] && (plain[terms] as Uint8Array)[unit[row] as number] === 1
    if (!isPlain) exact[row] = 1
    else if (latestUs > (expiredUs[source] as number)) {
      voting.row[sku] = row
      voting.weight[sku] = weight[source] as number
    }
  }
  return voting
}

function votesOf({
  voting: { row: rowOf, weight: weightOf },
  skus,
  items,
  isGuarded,
}: {
  voting: VotingSkus
  skus: Skus
  items: Items
  isGuarded: boolean
}): Votes {
  const isExact = items.exact
  const { latestCents } = skus
  const rowCount = isExact.length
  const offsets = new Uint32Array(rowCount + 1)
  for (let sku = 1; sku < rowOf.length; sku++) {
    const row = rowOf[sku] as number
    if (weightOf[sku] !== 0 && isExact[row] === 0) offsets[row + 1] = (offsets[row + 1] as number) + 1
  }
  for (let row = 0; row < rowCount; row++) {
    offsets[row + 1] = (offsets[row + 1] as number) + (offsets[row] as number)
  }
  const next = offsets.slice()
  const prices = new Float64Array(offsets[rowCount] as number)
  const weights = new Uint8Array(prices.length)
  for (let sku = 1; sku < rowOf.length; sku++) {
    const row = rowOf[sku] as number
    if (weightOf[sku] === 0 || isExact[row] !== 0) continue
    const vote = next[row] as number
    next[row] = vote + 1
    prices[vote] = latestCents[sku] as number
    weights[vote] = weightOf[sku] as number
  }
  const exact: number[] = []
  for (let row = 0; row < rowCount; row++) {
    const [from, to] = [offsets[row] as number, offsets[row + 1] as number]
    if (isGuarded && hasFarPrice(prices, from, to)) weights.fill(0, from, to)
    else if (isExact[row] === 0) continue
    exact.push(row)
  }
  return { items, columns: { offsets, prices, weights }, exact }
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
