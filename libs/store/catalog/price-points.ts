import type { Queryable } from '@catalog/store/db.ts'

/** The median of an item in force at an instant in a market ('' is the headline); undefined while there was none. */
export async function readMedianAt(
  db: Queryable,
  { itemId, market, at }: { itemId: string; market: string; at: string },
): Promise<{ cents: number; currency: string } | undefined> {
  const [point] = await db.query<{ cents: number | null; currency: string }>(
    `select cents::float8 as cents, currency from price_points where item_id = $1 and market = $2 and recorded_at <= $3
      order by recorded_at desc limit 1`,
    [itemId, market, at],
  )
  return point?.cents == null ? undefined : { cents: point.cents, currency: point.currency }
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
