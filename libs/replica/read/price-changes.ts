import type { Tables } from '@catalog/replica/tables.ts'

/** A change of the median of an item in a market, as feeds of prices show it. */
export type PriceChange = Readonly<{
  item_id: string
  /** The instant of the run that found it. */
  recorded_at: string
  /** Null: no price from then on. */
  cents: number | null
  currency: string | null
  /** The point before it; null for the first one. */
  former: Readonly<{ recorded_at: string; cents: number | null; currency: string | null }> | null
  /** `updated` of the change in the feeds, in microseconds since 1970; null where it is no longer kept. */
  updated_us: bigint | null
}>

/**
 * A run gives its changes one instant, and the feeds count them up from there by microseconds: the change of a point is the
 * first of its item within this time.
 */
const CHANGE_WITHIN_US = 60_000_000n

/** Items of a category that are looked at for their last change of price: those that changed last. */
const CATEGORY_ITEMS_MAX = 1_000

/** The last price changes of an item in a market ('' is the headline), newest first. */
export function readItemPriceChanges(
  tables: Tables,
  { itemId, market, limit }: { itemId: string; market: string; limit: number },
): PriceChange[] {
  return tables
    .all<Point>(
      `select item_id, at_us, recorded_at, cents, currency from price_points
       where item_id = ? and market = ? order by at_us desc limit ?`,
      itemId,
      market,
      limit,
    )
    .map((point) => changeOf(tables, { point, market }))
}

/** The last price change of each item in these categories, newest first. */
export function readCategoryPriceChanges(
  tables: Tables,
  { categoryIds, market, limit }: { categoryIds: readonly string[]; market: string; limit: number },
): PriceChange[] {
  return tables
    .all<Point>(
      `with changed as (
         select item_id from items where category_id in (select value from json_each(?1)) order by seq desc limit ?4
       )
       select p.item_id, p.at_us, p.recorded_at, p.cents, p.currency
         from changed c cross join price_points p on p.item_id = c.item_id and p.market = ?2 and p.at_us =
           (select max(at_us) from price_points l where l.item_id = c.item_id and l.market = ?2)
        order by p.at_us desc, p.item_id limit ?3`,
      JSON.stringify(categoryIds),
      market,
      limit,
      CATEGORY_ITEMS_MAX,
    )
    .map((point) => changeOf(tables, { point, market }))
}

/** When an item left, in microseconds since 1970; undefined for one that is there, or whose change is no longer kept. */
export function readLeftUs(tables: Tables, itemId: string): bigint | undefined {
  const row = tables.get<{ updated_us: number }>(
    'select c.updated_us from former_items f join changes c on c.seq = f.seq where f.item_id = ?',
    itemId,
  )
  return row && BigInt(row.updated_us)
}

type Point = Readonly<{
  item_id: string
  at_us: number
  recorded_at: string
  cents: number | null
  currency: string | null
}>

function changeOf(tables: Tables, { point, market }: { point: Point; market: string }): PriceChange {
  const { at_us, ...shown } = point
  const former = tables.get<NonNullable<PriceChange['former']>>(
    `select recorded_at, cents, currency from price_points
     where item_id = ? and market = ? and at_us < ? order by at_us desc limit 1`,
    point.item_id,
    market,
    at_us,
  )
  const change = tables.get<{ updated_us: number }>(
    'select updated_us from changes where item_id = ? and updated_us >= ? and updated_us < ? order by seq limit 1',
    point.item_id,
    at_us,
    BigInt(at_us) + CHANGE_WITHIN_US,
  )
  return {
    ...shown,
    former: former === undefined ? null : { ...former },
    updated_us: change === undefined ? null : BigInt(change.updated_us),
  }
}
