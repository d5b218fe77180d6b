import { instant } from '@catalog/core/time.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type { Point } from '@catalog/store/replica/items.ts'

/** A median from the instant of the run that found it; null cents and currency: no price from then on. */
export type Price = Readonly<{ recorded_at: string; cents: number | null; currency: string | null }>

/** The points of an item in a market ('' is the headline), ascending: at least the one in force at `fromUs`, and all later ones. */
export function readPoints(
  tables: Tables,
  { itemId, market, fromUs = 0 }: { itemId: string; market: string; fromUs?: number },
): readonly Point[] {
  const years = tables.all<{ points: string }>(
    'select points from price_points where item_id = ? and market = ? order by year desc',
    itemId,
    market,
  )
  let points: readonly Point[] = []
  for (const year of years) {
    points = [...(JSON.parse(year.points) as readonly Point[]), ...points]
    if ((points[0]?.[0] ?? 0) <= fromUs) break
  }
  return points
}

/** The median in force at an instant; undefined while there was none. */
export function readMedianAt(
  tables: Tables,
  { itemId, market, at }: { itemId: string; market: string; at: string },
): { cents: number; currency: string } | undefined {
  const atUs = Date.parse(at) * 1_000
  const [, cents, currency] = readPoints(tables, { itemId, market, fromUs: atUs }).findLast(([us]) => us <= atUs) ?? []
  return cents == null || currency == null ? undefined : { cents, currency }
}

export const priceOf = ([atUs, cents, currency]: Point): Price => ({
  recorded_at: instant(new Date(Math.floor(atUs / 1000))),
  cents,
  currency,
})
