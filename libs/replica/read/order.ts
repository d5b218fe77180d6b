import type { ItemOrder, ItemsPage, ItemsQuery } from './items-query.ts'

/** The orders of lists, and the places where their pages end. Cursors hold places for ever, so their spelling stays. */

export const isByPrice = (order: ItemOrder): order is 'price' | '-price' => order === 'price' || order === '-price'
export const isBySeq = (order: ItemOrder): order is 'seq' | '-seq' => order === 'seq' || order === '-seq'
/** Whether a place is several values, as JSON. */
export const hasParts = (order: ItemOrder): boolean => order === 'name' || isByPrice(order)

/** A place as cursors spell it. */
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
}: ItemsQuery): { lower: PricePlace; upper: PricePlace } {
  const bounds = {
    lower: [currency ?? '', priceMin, ''] as const,
    upper: [currency ?? ABOVE_ALL, priceMax, ABOVE_ALL] as const,
  }
  if (after === undefined) return bounds
  return { ...bounds, [order === 'price' ? 'lower' : 'upper']: partsOf(after) }
}
/** Above every currency code and item id, in every collation. */
const ABOVE_ALL = 'zzzz'

/** A page in an order by price: of items with a price, then of those without one. A filter by currency leaves none without. */
export function pageByPrice(question: ItemsQuery, read: (part: ItemsQuery) => ItemsPage): ItemsPage {
  const { after, limit, currency } = question
  function unpriced(after: string, limit: number): ItemsPage {
    const { rows, next } = read({ ...question, order: 'id', after, limit, isUnpriced: true })
    return { rows, next: next === null ? null : JSON.stringify([next]) }
  }
  const [first, ...others] = after === undefined ? [] : partsOf(after)
  if (first !== undefined && others.length === 0) return unpriced(String(first), limit)
  const priced = read(question)
  if (priced.next !== null || currency !== undefined) return priced
  const room = limit - priced.rows.length
  const rest = unpriced('', Math.max(1, room))
  if (room > 0) return { rows: [...priced.rows, ...rest.rows], next: rest.next }
  return { rows: priced.rows, next: rest.rows.length === 0 && rest.next === null ? null : JSON.stringify(['']) }
}
