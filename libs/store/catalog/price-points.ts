import type { Queryable } from '@catalog/store/db.ts'

/** The public price of a market at a past instant. */

export type PointInForce = Readonly<{
  item_id: string
  /** A region, or '' for the headline. */
  market: string
  recorded_at: string
  /** Null: no price from then on. */
  cents: number | null
  currency: string | null
}>

/** The last point up to the instant, for each market of these items; leaves out markets without one. */
export async function pointsInForce(
  db: Queryable,
  { itemIds, asOf }: { itemIds: readonly string[]; asOf: string },
): Promise<PointInForce[]> {
  return db.query<PointInForce>(
    `select distinct on (item_id, market) item_id, market, recorded_at, cents::float8 as cents, currency
     from price_points where item_id = any($1) and recorded_at <= $2
     order by item_id, market, recorded_at desc`,
    [itemIds, asOf],
  )
}

/** Every item that was ever founded or published, in id order; limited to the given ones, if any are given. */
export async function knownItemIds(db: Queryable, among: readonly string[] | null = null): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select item_id collate "C" as id from item_keys where $1::text[] is null or item_id = any($1)
     union select item_id from items where $1::text[] is null or item_id = any($1)
     order by id`,
    [among],
  )
  return rows.map(({ id }) => id)
}
