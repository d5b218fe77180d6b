import type { ItemOrder, ItemsPage, ItemsQuery } from './items-query.ts'

/** The orders of lists, and the places where their pages end. Cursors hold places for ever, so their spelling stays. */

export const isByPrice = (order: ItemOrder): order is 'price' | '-price' => order === 'price' || order === '-price'
export const isBySeq = (order: ItemOrder): order is 'seq' | '-seq' => order === 'seq' || order === '-seq'
/** Whether a place is several values, as JSON. */
export const hasParts = (order: ItemOrder): boolean => order === 'name' || isByPrice(order)

/** One spelling of a place, however a database writes JSON. */
export const placeOf = (json: string): string => JSON.stringify(JSON.parse(json))
/** The values of a place. */
export const partsOf = (place: string) => JSON.parse(place) as readonly (string | number)[]

type PricePlace = readonly [currency: string, cents: number, itemId: string]

/** The exclusive bounds of the items with a price that a page may hold. */
export function priceBounds({
  order,
  after,
  currency,
  priceMin = Number.MIN_SAFE_INTEGER,
  priceMax = Number.MAX_SAFE_INTEGER,
}: Readonly<{
  order: ItemOrder
  after?: string | undefined
  currency?: string | undefined
  priceMin?: number | undefined
  priceMax?: number | undefined
}>): { lower: PricePlace; upper: PricePlace } {
  const bounds = {
    lower: [currency ?? '', priceMin, ''] as const,
    upper: [currency ?? ABOVE_ALL, priceMax, ABOVE_ALL] as const,
  }
  if (after === undefined) return bounds
  return { ...bounds, [order === 'price' ? 'lower' : 'upper']: partsOf(after) }
}
/** Above every currency code and item id, in every collation. */
const ABOVE_ALL = 'zzzz'

/**
 * A page in an order by price: yields the question for items with a price, then that for items without one, and returns what
 * both pages make. A filter by currency leaves none without a price.
 */
export function* pageByPrice(question: ItemsQuery): Generator<ItemsQuery, ItemsPage, ItemsPage> {
  const { after, limit, currency } = question
  const unpriced = (itemId: string, limit: number): ItemsQuery => ({
    ...question,
    order: 'id',
    after: itemId,
    limit,
    isUnpriced: true,
  })
  const [first, ...others] = after === undefined ? [] : partsOf(after)
  if (first !== undefined && others.length === 0) return unpricedPlace(yield unpriced(String(first), limit))
  const priced = yield question
  if (priced.next !== null || currency !== undefined) return priced
  const room = limit - priced.rows.length
  const rest = unpricedPlace(yield unpriced('', Math.max(1, room)))
  if (room > 0) return { rows: [...priced.rows, ...rest.rows], next: rest.next }
  return { rows: priced.rows, next: rest.rows.length === 0 && rest.next === null ? null : JSON.stringify(['']) }
}

const unpricedPlace = ({ rows, next }: ItemsPage): ItemsPage => ({
  rows,
  next: next === null ? null : JSON.stringify([next]),
})
