import { medianOfColumns, weightedMedian } from '@catalog/core/median/median.ts'
import { readServedBuild } from '@catalog/store/builds/builds.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Cut, methodAt, taxRulesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { allItemIds } from '@catalog/store/vendor/runs.ts'
import { type Evaluated, openEvaluator } from './evaluate.ts'
import { currencyText } from './plain-terms.ts'
import { readVotes } from './vote-columns.ts'

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
 * for the fence; and no SKU of an aliased source, of one of a subdivision, or of one whose editions supersede. Where votes are guarded, also no tier, no tax for a rule to settle, and no far price. The evaluator
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
