import type { Tables } from '@catalog/replica/tables.ts'
import type { Point } from '@catalog/store/replica/items.ts'
import { type Price, priceOf, readPoints } from './points.ts'

/** A change of the median of an item in a market, as feeds of prices show it. */
export type PriceChange = Price &
  Readonly<{
    item_id: string
    /** The price before it; null for the first one. */
    former: Price | null
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
  const points = readPoints(tables, { itemId, market })
  return points
    .map((point, i) => ({ itemId, point, former: points[i - 1] }))
    .slice(-limit)
    .toReversed()
    .map((change) => changeOf(tables, change))
}

/** The last price change of each item in these categories, newest first. */
export function readCategoryPriceChanges(
  tables: Tables,
  { categoryIds, market, limit }: { categoryIds: readonly string[]; market: string; limit: number },
): PriceChange[] {
  const changed = tables.all<{ item_id: string }>(
    `with changed as (
       select item_id from items where category_id in (select value from json_each(?1)) order by seq desc limit ?4
     )
     select c.item_id from changed c cross join price_points p on p.item_id = c.item_id and p.market = ?2 and p.year =
         (select max(year) from price_points l where l.item_id = c.item_id and l.market = ?2)
      order by json_extract(p.points, '$[#-1][0]') desc, c.item_id limit ?3`,
    JSON.stringify(categoryIds),
    market,
    limit,
    CATEGORY_ITEMS_MAX,
  )
  return changed.flatMap(({ item_id: itemId }) => readItemPriceChanges(tables, { itemId, market, limit: 1 }))
}

/** When an item left, in microseconds since 1970; undefined for one that is there, or whose change is no longer kept. */
export function readLeftUs(tables: Tables, itemId: string): bigint | undefined {
  const row = tables.get<{ updated_us: number }>(
    'select c.updated_us from former_items f join changes c on c.seq = f.seq where f.item_id = ?',
    itemId,
  )
  return row && BigInt(row.updated_us)
}

function changeOf(
  tables: Tables,
  { itemId, point, former }: { itemId: string; point: Point; former: Point | undefined },
): PriceChange {
  const [atUs] = point
  const change = tables.get<{ updated_us: number }>(
    'select updated_us from changes where item_id = ? and updated_us >= ? and updated_us < ? order by seq limit 1',
    itemId,
    atUs,
    BigInt(atUs) + CHANGE_WITHIN_US,
  )
  return {
    item_id: itemId,
    ...priceOf(point),
    former: former === undefined ? null : priceOf(former),
    updated_us: change === undefined ? null : BigInt(change.updated_us),
  }
}
