import type { Queryable } from '@catalog/store/db.ts'

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
export const CHANGE_WITHIN_US = 60_000_000n

/** Items of a category that are looked at for their last change of price: those that changed last. */
export const CATEGORY_ITEMS_MAX = 1_000

/** The last price changes of an item in a market ('' is the headline), newest first. */
export async function itemPriceChanges(
  db: Queryable,
  { itemId, market, limit }: { itemId: string; market: string; limit: number },
): Promise<PriceChange[]> {
  const points = `select * from price_points where item_id = $2 and market = $1 order by recorded_at desc limit $3`
  return changesOf(db, points, [market, itemId, limit])
}

/** The last price change of each item in these categories, newest first. */
export async function categoryPriceChanges(
  db: Queryable,
  { categoryIds, market, limit }: { categoryIds: readonly string[]; market: string; limit: number },
): Promise<PriceChange[]> {
  const points = `
    select last.* from (select item_id from items where category_id = any ($2::text[]) and state = 'active'
                         order by seq desc limit ${CATEGORY_ITEMS_MAX}) changed
     cross join lateral (select * from price_points p where p.item_id = changed.item_id and p.market = $1
                          order by p.recorded_at desc limit 1) last
     order by last.recorded_at desc, last.item_id limit $3`
  return changesOf(db, points, [market, categoryIds, limit])
}

async function changesOf(db: Queryable, points: string, parameters: readonly unknown[]): Promise<PriceChange[]> {
  type Row = Omit<PriceChange, 'former'> & {
    former_at: string | null
    former_cents: number | null
    former_currency: string | null
  }
  const us = `(extract(epoch from p.recorded_at) * 1000000)::bigint`
  const rows = await db.query<Row>(
    `select p.item_id, p.recorded_at, p.cents::float8 as cents, p.currency,
       former.recorded_at as former_at, former.cents::float8 as former_cents, former.currency as former_currency,
       (select c.updated_us from changes c where c.item_id collate "C" = p.item_id
           and c.updated_us >= ${us} and c.updated_us < ${us} + ${CHANGE_WITHIN_US}
         order by c.seq limit 1) as updated_us
     from (${points}) p
     left join lateral (select * from price_points f where f.item_id = p.item_id and f.market = p.market
                           and f.recorded_at < p.recorded_at order by f.recorded_at desc limit 1) former on true
     order by p.recorded_at desc, p.item_id`,
    parameters,
  )
  return rows.map(({ former_at, former_cents, former_currency, ...change }) => ({
    ...change,
    former: former_at === null ? null : { recorded_at: former_at, cents: former_cents, currency: former_currency },
  }))
}

/** How the medians of the items in a category, and in all below it, moved within a period. */
export type CategoryChange = Readonly<{
  category_id: string
  /** Items with a median in the same currency at both ends, of which none is {@link CHANGE_RATIO_MAX} times the other. */
  compared: number
  rises: number
  falls: number
  /** The geometric mean over these items of the later price divided by the earlier one, less 1; four decimals. */
  change: number
}>

/** A price that moves so much in a year is another product, unit or vendor rather than a dearer one. */
const CHANGE_RATIO_MAX = 3

/**
 * The moves of all categories with an item to compare, in id order, over the days up to the newest run: `until` is its
 * instant, null before the first one. Market '' is the headline. A change that the store publishes already counts, though
 * its run has not ended. The mean is the Jevons index of the items, the elementary index where no quantities are known
 * (Consumer Price Index Manual, 2020, chapter 8).
 */
export async function readCategoryChanges(
  db: Queryable,
  { market, days }: { market: string; days: number },
): Promise<Readonly<{ until: string | null; categories: readonly CategoryChange[] }>> {
  const [run] = await db.query<{ as_of: string }>(`select as_of from run_marks order by "offset" desc limit 1`)
  if (run === undefined) return { until: null, categories: [] }
  // The primary key leads to each point: at 100,000 items a third of the time of reading all points in its order.
  const last = (until: string) =>
    `(select cents, currency from price_points p where p.item_id = i.item_id and p.market = $1 ${until}
       order by recorded_at desc limit 1)`
  const categories = await db.query<CategoryChange>(
    `with recursive within as (
       select category_id as top, category_id from categories
       union all
       select w.top, c.category_id from within w join categories c on c.parent_id = w.category_id collate "default"
     ), moved as (
       select i.category_id, later.cents::float8 / earlier.cents as ratio
         from items i
        cross join lateral ${last('')} later
        cross join lateral ${last(`and recorded_at <= $2::timestamptz - make_interval(hours => 24 * $3::int)`)} earlier
        where i.state = 'active' and i.category_id is not null and later.currency = earlier.currency
          and later.cents > 0 and earlier.cents > 0
     )
     select w.top as category_id, count(*)::int as compared,
            (count(*) filter (where ratio > 1))::int as rises, (count(*) filter (where ratio < 1))::int as falls,
            round((exp(avg(ln(ratio))) - 1)::numeric, 4)::float8 as change
       from within w join moved m on m.category_id = w.category_id collate "default"
      where ratio between 1.0 / ${CHANGE_RATIO_MAX} and ${CHANGE_RATIO_MAX}
      group by w.top order by w.top`,
    [market, run.as_of, days],
  )
  return { until: run.as_of, categories }
}
